"""How human ratings relate to what can be measured: difficulty bands, correlations, landmark
extractors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pandas as pd
import streamlit as st

from navviz.annotation.exchange import read_extractions
from navviz.annotation.questions import difficulty_ratings, human_labels, marked_names
from navviz.annotation.records import Task
from navviz.annotation.store import Study
from navviz.errors import InputError, Problems
from navviz.language.grammar.grammar import read_instruction
from navviz.language.mentions import landmark_names
from navviz.metrics.agreement import (
    DEFAULT_CUTS,
    Correlation,
    band,
    cohen_kappa_pairs,
    confusion_matrix,
    correlation_table,
    normalised_means,
)
from navviz.metrics.extraction import Matching, score_extractor
from navviz.metrics.intervals import mean_interval
from navviz.metrics.registry import all_metrics
from navviz.records.base import plural
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.support.guarded import decoded
from navviz.systems.rules.navigator import navigability
from navviz.ui.components import finding, pickers
from navviz.ui.components.charts import ink
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import BOUND, show_table
from navviz.ui.state import shell
from navviz.ui.state.session import widget
from navviz.ui.study.access import of_queue, queue_filter
from navviz.views.figures.plots import confusion_figure, forest_figure

_Names: TypeAlias = Mapping[str, tuple[str, ...]]
"""Names of landmarks by episode."""
_DEFAULT_METRICS = ["SR", "OSR", "SDTW_groke", "nDTW_groke", "NE"]
_SOURCES: dict[Task, str] = {
    "navigability": "judged navigability",
    "follow": "followed it to the goal",
}
_CORRELATIONS = "Correlation of the human rating with each metric, with 95 % intervals"
_CHART = {"displayModeBar": False}
_RULES, _RULES_KEY = "rules", "evaluate_rules"


def difficulty(study: Study) -> None:
    """Easy, medium, hard."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        items = queue_filter(study)
        cuts = st.slider(
            "Cut points", 0.0, 1.0, DEFAULT_CUTS, 0.01, key="study_cuts", width=420, **BOUND
        )
    ratings = difficulty_ratings(of_queue(study.ratings("difficulty"), items))
    if not ratings:
        st.info("Nobody has rated difficulty yet.", icon=":material/info:")
        return
    means = normalised_means(ratings)
    counts = Counter(band(mean, cuts) for mean in means.values())
    with st.container(horizontal=True):
        for name in ("easy", "medium", "hard"):
            st.metric(name.capitalize(), counts[name], width=150)
        if counts[None]:
            st.metric("Not defined", counts[None], width=150)
    st.caption(
        "The mean over axes and annotators, min-max-normalised over these episodes: easy below the"
        " first cut point, hard from the second on (0.35 and 0.65 in GROKE)."
    )
    rows = []
    for episode, levels in ratings.items():
        row = {"Episode": episode, "Mean rating": sum(levels) / len(levels), "n": len(levels)}
        row |= {"Normalised": means[episode], "Band": band(means[episode], cuts)}
        rows.append(row)
    numbers = {
        name: st.column_config.NumberColumn(format="%.3f") for name in ("Mean rating", "Normalised")
    }
    show_table(rows, "Difficulty of each episode", numbers, width=560)


def correlation(study: Study) -> None:
    """Human ratings against the metrics of a run."""
    with shell.row():
        run = pickers.choose_run()
    if run is None:
        return
    finding.wait_for(run)
    source: Task = st.segmented_control(
        "Human rating",
        list(_SOURCES),
        default="navigability",
        format_func=_SOURCES.__getitem__,
        key="study_rating",
        required=True,
        **BOUND,
    )
    labels = human_labels(
        study.ratings(), study.adjudicated(), source, next(iter(run.datasets.values()), None)
    )
    labels = {episode: label for episode, label in labels.items() if episode in run.traces}
    if len(labels) < 3:
        shell.empty(
            f"{len(labels)} episodes of this run have a rating for “{_SOURCES[source]}”",
            "A correlation needs at least three; rate more of them, or import ratings under"
            " Set up › Export and import.",
        )
        return
    rules = _rules_of(run.source.identity, tuple(labels), run) if widget(_RULES_KEY) else {}
    own = _correlations(run, labels, rules)
    left, right = st.columns(2, gap="medium")
    with left:
        _success(run, labels)
    with right:
        _rules(labels, rules, own)


def _correlations(
    run: OpenRun, labels: Mapping[str, float], rules: Mapping[str, float | None]
) -> list[Correlation]:
    """Show the coefficients of the chosen metrics; return those of the rules, which p is adjusted
    over too.
    """
    names = [metric.name for metric in all_metrics() if metric.name in run.scores.figures]
    chosen = st.pills(
        "Metrics",
        names,
        selection_mode="multi",
        default=[name for name in _DEFAULT_METRICS if name in names],
        key="study_metrics",
        wrap=True,
        **BOUND,
    )
    values: dict[str, Mapping[str, float | None]] = {}
    for name in names:
        if name in chosen:
            values[name] = {episode: run.scores.rows[episode].get(name) for episode in labels}
    if rules:
        # in one table with the metrics, since p is adjusted over all of them
        values[_RULES] = rules
    table = correlation_table(labels, values)
    own = [row for row in table if row.metric == _RULES]
    table = [row for row in table if row.metric != _RULES]
    if not table:
        return own
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.plotly_chart(
            forest_figure(table), key="evaluate_forest", config=_CHART, alt=_CORRELATIONS
        )
    with right:
        rows = []
        for row in table:
            cells = {"Metric": row.metric, "Method": row.method, "Value": row.value}
            cells |= {"95 %": _ends(row.low, row.high)}
            rows.append(cells | {"p": row.p_holm, "n": row.episodes})
        digits = {"Value": st.column_config.NumberColumn(format="%.4f")}
        digits["p"] = st.column_config.NumberColumn("p (Holm)", format="%.4f")
        show_table(rows, _CORRELATIONS, digits)
        st.caption(
            f"{len(labels)} rated episodes of {plain(run.name)}; an adjudicated label counts"
            " instead of the annotators' mean. nDTW_groke and SDTW_groke are GROKE's definition."
            " Bars: 95 %, without 0 exactly where p before its adjustment is below 0.05. p:"
            " adjusted after Holm over the"
            f" {len(table) + len(own)} coefficients of this page."
        )
    return own


def _ends(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _success(run: OpenRun, labels: Mapping[str, float]) -> None:
    """Show whether the agent arrives where people say that one can."""
    st.subheader("Does the agent arrive where people say one can?", anchor=False)
    # at 0.5 as many say yes as no
    decided = {e: label > 0.5 for e, label in labels.items() if label != 0.5}
    scores = {e: run.scores.rows[e]["SR"] for e in decided}
    pairs = [(decided[e], bool(score)) for e, score in scores.items() if score is not None]
    if not pairs:
        st.info("No episode has both a clear rating and a goal.", icon=":material/info:")
        return
    people, agent = zip(*pairs, strict=True)
    counts = confusion_matrix(people, agent, [False, True])
    figure = confusion_figure(counts, ["no", "yes"], "people: navigable", "agent: success", ink())
    st.plotly_chart(
        figure,
        key="evaluate_success",
        config=_CHART,
        alt="People's judgement against the agent's success",
    )
    [both] = cohen_kappa_pairs(("people", "agent"), (people, agent))
    kappa = both.kappa
    words = "not defined" if kappa.value is None else f"{kappa.value:.3f}"
    if kappa.low is not None:
        words += f", 95 % interval {_ends(kappa.low, kappa.high)}"
    st.caption(plain(f"Cohen's kappa {words}, {plural(len(pairs), 'episode')}."))


def _rules(
    labels: Mapping[str, float], rules: Mapping[str, float | None], rows: Sequence[Correlation]
) -> None:
    """Show what the rules navigator makes of the same instructions, without a model."""
    st.subheader("Navigability by the rules navigator", anchor=False)
    st.caption(
        "How well the words single out one place on the map, from 0 to 1; needs no model and no"
        " route."
    )
    st.toggle("Compute it", key=_RULES_KEY, help="A second or so an episode on a large map.")
    if not rules:
        return
    for row in rows:
        text = (
            "not defined"
            if row.value is None
            else f"{row.value:.4f} (p after Holm {row.p_holm:.4f})"
        )
        st.text(f"{row.method.capitalize()}: {text}, {row.episodes} episodes")
    table = pd.DataFrame(
        {"Episode": list(labels), "People": labels.values(), "Rules": [rules[e] for e in labels]}
    )
    numbers = {name: st.column_config.NumberColumn(format="%.2f") for name in ("People", "Rules")}
    show_table(table, "Navigability: people and rules", numbers, most_rows=6)


@st.cache_data(max_entries=8, show_spinner="Reading the instructions by rules …")
def _rules_of(
    identity: Identity, episodes: tuple[str, ...], _run: OpenRun
) -> dict[str, float | None]:
    """Navigability of episodes; kept for as long as the run's files, which `identity` stands for,
    do not change.
    """
    del identity
    probabilities: dict[str, float | None] = {}
    for episode in episodes:
        try:
            probabilities[episode] = navigability(
                _run.outlines[episode].episode, _run.graph(episode)
            )
        except InputError:
            probabilities[episode] = None
    return probabilities


def landmarks(study: Study) -> None:
    """Extractors against people's marks."""
    marked = marked_names(study.ratings("mentions"), study.adjudicated("mentions"))
    matching: Matching = st.segmented_control(
        "Names match when they",
        ["exact", "overlap"],
        default="exact",
        format_func=lambda m: "are the same" if m == "exact" else "share a word",
        key="study_matching",
        required=True,
        **BOUND,
    )
    files = st.file_uploader(
        "Outputs of extractors",
        type=["json"],
        accept_multiple_files=True,
        key="evaluate_extractors",
        help=(
            "{episode: [{name, category, score}]}, as GROKE's poi_analysis_bert.json and"
            " poi_analysis_gliner.json."
        ),
    )
    st.caption(
        "GROKE's own human marks are not public, so its Table 8 cannot be recomputed; these figures"
        " are against the marks made here."
    )
    if not marked:
        st.info(
            "Nobody has marked landmark mentions yet; make a queue for that under Set up › Queues.",
            icon=":material/info:",
        )
        return
    with shell.row():
        run = pickers.choose_run("Run whose instructions and plans are compared")
    extracted = _extractors(run, marked) if run is not None else {}
    problems = Problems()
    for file in files:
        with shell.guard():
            text = decoded(file.getvalue(), Path(file.name))
            extracted[file.name] = read_extractions(text, file.name, problems)
    shell.problems(problems)
    _extractor_table(extracted, marked, matching)
    st.caption(
        f"{len(marked)} marked episodes. Intervals take names as independent: names of one episode"
        " resemble each other, so the true ones are wider."
    )


def _extractor_table(extracted: Mapping[str, _Names], marked: _Names, matching: Matching) -> None:
    """Show precision and recall of each extractor, by its name."""
    rows = []
    for name, names in extracted.items():
        score = score_extractor(marked, names, matching)
        rows.append(
            {
                "Extractor": name,
                "Precision": score.precision,
                "Precision, 95 %": _share_ends(score.hits, score.extracted),
                "Recall": score.recall,
                "Recall, 95 %": _share_ends(score.hits, score.marked),
                "F1": score.f1,
                "Hits": score.hits,
                "Extracted": score.extracted,
                "Marked": score.marked,
            }
        )
    digits = {
        name: st.column_config.NumberColumn(format="%.3f") for name in ("Precision", "Recall", "F1")
    }
    show_table(rows, "Precision and recall of each extractor", digits)


def _share_ends(hits: int, names: int) -> str:
    if not names:
        return "–"
    share = mean_interval([True] * hits + [False] * (names - hits), yes_no=True)
    return _ends(share.low, share.high)


def _extractors(run: OpenRun, marked: _Names) -> dict[str, _Names]:
    """Return the landmarks by two methods without a model, and by the run's own plan."""
    traces = {episode: run.outlines[episode] for episode in marked if episode in run.outlines}
    texts = {episode: trace.episode.instruction for episode, trace in traces.items()}
    extracted: dict[str, Mapping[str, tuple[str, ...]]] = {
        "rules grammar": {e: _grammar_names(text) for e, text in texts.items()},
        "names and kinds in the text": {e: landmark_names(text) for e, text in texts.items()},
    }
    planned: dict[str, tuple[str, ...]] = {}
    for episode, trace in traces.items():
        planned[episode] = tuple(landmark.name for landmark in trace.landmarks)
    # a navigator without a plan would have a row of zeros
    if any(planned.values()):
        extracted[f"plan of {run.name}"] = planned
    return extracted


def _grammar_names(text: str) -> tuple[str, ...]:
    """Return the landmarks of the rules navigator: its mentions, and lights.

    It reads traffic lights as junctions, so they are no mentions.
    """
    reading = read_instruction(text)
    names = [mention.text for mention in reading.mentions]
    phrases = [unit.text for unit in reading.units if unit.place == "light"]
    if reading.stop.place == "light":
        phrases.append(reading.stop.text)
    for phrase in phrases:
        names += [name for name in landmark_names(phrase) if "light" in name.lower()]
    return tuple(dict.fromkeys(names))
