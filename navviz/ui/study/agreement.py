"""Do the annotators agree, on what do they not, and what is settled."""

from __future__ import annotations

from itertools import chain

import pandas as pd
import streamlit as st

from navviz.analysis.causes.judged import (
    DetectorAgreement,
    RaterPlacebos,
    agreement_frame,
    detector_agreement,
    placebo_frame,
    placebos_by_rater,
)
from navviz.annotation.claims import CauseClaim
from navviz.annotation.questions import Question, RatingTable, questions, rating_table
from navviz.annotation.records import Item, Rating
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.metrics.agreement import (
    Level,
    PairAgreement,
    Weights,
    cohen_kappa_pairs,
    confusion_matrix,
    fleiss_kappa,
    krippendorff_alpha,
)
from navviz.metrics.intervals import StatisticInterval
from navviz.ui.components.charts import ink
from navviz.ui.components.rating_history import described, edits_popover
from navviz.ui.components.widgets import BOUND, pick, show_table
from navviz.ui.data import cache
from navviz.ui.server import visitor
from navviz.ui.state.session import set_widget
from navviz.ui.state.state import replay_url
from navviz.ui.study.access import note, of_queue, queue_filter, taxonomy
from navviz.views.figures.plots import confusion_figure

_LEVELS: dict[Level, tuple[Level, ...]] = {
    "nominal": ("nominal",),
    "ordinal": ("nominal", "ordinal", "interval"),
    "interval": ("nominal", "ordinal", "interval"),
    "set": ("set", "nominal"),
}

_LEVEL_NAMES = {"set": "sets, MASI distance"}

_HELP = """**Krippendorff's alpha** takes any number of annotators and missing ratings; 1 is
perfect, 0 is chance.
**Fleiss' kappa** counts only items that all rated. **Cohen's kappa** is for pairs; for numbers it
weights
by the squared difference. Sets of labels are compared by the
MASI distance: 1 minus Jaccard's index times 1 (equal), 2/3 (one holds the other), 1/3 (overlap) or
0. The intervals are
95 % bootstrap intervals over items (1,000 resamples, seed 0). Krippendorff asks for at least 0.80,
or 0.667 for
tentative conclusions."""


def agreement(study: Study) -> None:
    """Show the whole section."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    choices = row.container(horizontal=True, vertical_alignment="bottom", width="content")
    with_gold = any(queue.gold for queue in study.queues.all()) and row.toggle(
        "Gold items too",
        key="study_gold",
        help="They were chosen for their known answer, so agreement leaves them out.",
        **BOUND,
    )
    ratings = study.ratings(parts={"main", "gold"} if with_gold else {"main"})
    rated_tasks = {rating.task for rating in ratings}
    open_questions = [
        question for question in questions(taxonomy()) if question.task in rated_tasks
    ]
    if not open_questions:
        st.info(
            "Nobody has rated anything yet. Make a queue under Set up › Queues.",
            icon=":material/info:",
        )
        return
    with choices:
        names = [q.name for q in open_questions]
        name = pick("Question", names, "study_question", width=340)
        items = queue_filter(study)
    question = open_questions[names.index(name)]
    table = rating_table(of_queue(ratings, items), question)
    shared = sum(len(table.answers(item)) >= 2 for item in table.items)
    with st.container(horizontal=True):
        st.metric("Annotators", len(table.raters), width=150)
        st.metric("Items", len(table.items), width=150)
        st.metric("Rated by two or more", shared, width=190)
        st.metric("Disagree", len(table.disagreements), width=150)
    if len(table.raters) < 2:
        st.info("Agreement needs at least two annotators.", icon=":material/group:")
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _statistics(table, question)
    with right:
        _confusion(table, question)
    _disagreements(study, table, question, [r for r in ratings if r.task == question.task])


@st.cache_data(max_entries=32, show_spinner="Resampling …")
def _computed(
    key: str, _table: RatingTable, _question: Question
) -> tuple[dict[str, StatisticInterval], list[PairAgreement]]:
    del key
    rows = _table.rows
    statistics: dict[str, StatisticInterval] = {}
    for level in _LEVELS[_question.level]:
        name = f"Krippendorff's alpha ({_LEVEL_NAMES.get(level, level)})"
        statistics[name] = krippendorff_alpha(rows, level, resamples=1000)
    statistics["Fleiss' kappa"] = fleiss_kappa(rows, resamples=1000)
    weights = _weights(_question)
    return statistics, cohen_kappa_pairs(_table.raters, rows, weights=weights, resamples=1000)


def _weights(question: Question) -> Weights:
    """Numbers that are near each other agree more than numbers that are far apart."""
    return "quadratic" if question.level in {"ordinal", "interval"} else "none"


def _ordered(answer: object) -> object:
    return sorted(answer) if isinstance(answer, frozenset) else answer


def _statistics(table: RatingTable, question: Question) -> None:
    # The order within a set changes from one process to the next; the cache key must not.
    rows = [tuple(map(_ordered, row)) for row in table.rows]
    overall, pairs = _computed(repr((table.raters, rows, question.name)), table, question)
    kappa = "Cohen's kappa"
    if _weights(question) == "quadratic":
        kappa = "Cohen's kappa, quadratic weights"
    statistics = dict(overall)
    for pair in pairs:
        statistics[f"{kappa}: {pair.first} and {pair.second}"] = pair.kappa
    lines = []
    for name, statistic in statistics.items():
        value = "not defined" if statistic.value is None else f"{statistic.value:.3f}"
        ends = ""
        if statistic.low is not None and statistic.high is not None:
            ends = f"{statistic.low:.3f} to {statistic.high:.3f}"
        lines.append((name, value, ends, statistic.items))
    frame = pd.DataFrame(lines, columns=["Statistic", "Value", "95 % interval", "Items"])
    figures = {
        name: st.column_config.TextColumn(alignment="right") for name in ("Value", "95 % interval")
    }
    show_table(frame, f"Agreement on: {question.name}", figures)
    with st.popover("How to read this", icon=":material/help:", type="tertiary"):
        st.markdown(_HELP)


def _confusion(table: RatingTable, question: Question) -> None:
    # a matrix needs few answers, and sets of labels have many
    if question.level == "set":
        return
    with st.container(horizontal=True):
        first = pick("Rows", table.raters, "study_first", width=160)
        others = [rater for rater in table.raters if rater != first]
        second = pick("Columns", others, "study_second", width=160)
    a, b = (table.rows[table.raters.index(rater)] for rater in (first, second))
    answers = set(chain.from_iterable(table.rows))
    categories = sorted(answer for answer in answers if answer is not None)  # type: ignore[type-var]
    names = [_answer_name(category) for category in categories]
    st.plotly_chart(
        confusion_figure(confusion_matrix(a, b, categories), names, first, second, ink()),
        key="evaluate_confusion",
        alt=f"How often {first} and {second} gave which answers",
        config={"displayModeBar": False},
    )


def _answer_name(answer: object) -> str:
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer)


def _sources(study: Study) -> dict[tuple[str, str], str]:
    """Return the run that shows an episode, from the queues."""
    sources: dict[tuple[str, str], str] = {}
    for queue in study.queues.all():
        if queue.source:
            sources |= {(item.dataset, item.episode): queue.source for item in queue.items}
    return sources


def _disagreements(
    study: Study, table: RatingTable, question: Question, ratings: list[Rating]
) -> None:
    st.subheader("Where they disagree", anchor=False)
    differing = table.disagreements
    if not differing:
        st.info("Nowhere, on this question.", icon=":material/handshake:")
        return
    sources = _sources(study)
    settled = {decision.item: decision for decision in study.adjudicated(question.task)}
    rows: list[dict[str, object]] = []
    for item in differing:
        row: dict[str, object] = {"Episode": item.episode}
        row |= {rater: _shown(answer) for rater, answer in table.answers(item).items()}
        row["Settled"] = described(settled[item].value) if item in settled else ""  # type: ignore[arg-type]
        run = item.run or sources.get((item.dataset, item.episode))
        row["Replay"] = replay_url(run, item.episode) if run else None
        rows.append(row)
    show_table(
        pd.DataFrame(rows, columns=["Episode", *table.raters, "Settled", "Replay"]).fillna(""),
        f"Episodes on which annotators disagree: {question.name}",
        {"Replay": st.column_config.LinkColumn("Replay", display_text="open")},
    )
    with st.container(border=True):
        chosen = st.selectbox(
            "Settle an episode",
            differing,
            format_func=lambda i: f"{i.episode}{' · settled' if i in settled else ''}",
            key="evaluate_item",
            width=340,
        )
        text = _instruction(chosen, _sources(study))
        if text:
            st.text(text)
        offered = [
            rating for rating in ratings if rating.item == chosen and rating.value is not None
        ]
        for number, rating in enumerate(offered):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(f"{rating.annotator}: {described(rating.value)}", width="stretch")  # type: ignore[arg-type]
                arguments = (study, rating, settled.get(chosen))
                st.button(
                    "Settle on this",
                    key=f"evaluate_settle_{number}",
                    on_click=_settle,
                    args=arguments,
                )
        edits_popover(study.history(chosen, ratings[0].task))


def _shown(answer: object) -> str:
    if isinstance(answer, frozenset):
        return ", ".join(sorted(map(str, answer))) or "none"
    return (
        {True: "yes", False: "no"}.get(answer, str(answer))
        if isinstance(answer, bool)
        else str(answer)
    )


def _instruction(item: Item, sources: dict[tuple[str, str], str]) -> str | None:
    name = item.run or sources.get((item.dataset, item.episode))
    source = next((source for source in visitor.sources() if source.name == name), None)
    if source is None:
        return None
    trace = cache.open_run(source).traces.get(item.episode)
    return trace.episode.instruction if trace is not None else None


def _settle(study: Study, rating: Rating, before: Rating | None) -> None:
    if rating.value is None:
        return
    try:
        # with the revision that was on the screen: somebody else may have settled it since
        study.adjudicate(
            rating.item, rating.value, seen=before.revision if before is not None else 0
        )
    except NavVizError as error:
        note(str(error), failed=True)
        return
    note(f"Episode {rating.item.episode} is settled: {described(rating.value)}.")


_YES = """**Yes** is a detector's precision: of the causes on which more than half of the raters
agree (or that you settled), the share that they hold right. A cause counts once, however many
judged it.
**Alpha** is Krippendorff's, ordinal (no, partly, yes), among people; *cannot tell* counts as no
answer.
**Kappa** is Cohen's with quadratic weights, of a model with people.
**Placebos** are sentences that do not hold in their episode. Who says yes or partly to them as
often as to causes does not tell them apart.
Intervals are 95 %: exact (Clopper and Pearson) for fewer than 30 causes, else by the bootstrap."""

_SHOWS = """**Nobody has judged a cause yet**

Here you will see:

- how often people find each detector of causes right, with n and 95 % interval
- how far people agree, and how often they take a placebo for a cause
- a language model as a judge, beside them

Annotators judge causes in the task *Is this the cause?*, without the detector's name."""

_NAMES = {
    "cause": "Cause",
    "by": "Judged by",
    "yes": "Yes",
    "yes or partly": "Yes or partly",
    "undecided": "Undecided",
    "alpha": "Alpha among people",
    "kappa": "Kappa with people",
}


@st.cache_data(max_entries=16, show_spinner="Resampling …")
def _judged(
    key: str, _claims: dict[str, CauseClaim], _ratings: list[Rating], _settled: list[Rating]
) -> tuple[list[DetectorAgreement], list[RaterPlacebos]]:
    del key
    rows = detector_agreement(_claims, _ratings, _settled)
    return rows, placebos_by_rater(_claims, _ratings)


def judged_causes(study: Study) -> None:
    """Show the two tables, or what they will show."""
    ratings, settled = study.ratings("cause"), study.adjudicated("cause")
    if not ratings:
        with st.container(border=True, width=720):
            st.markdown(_SHOWS)
            st.button(
                "Make a queue of causes",
                icon=":material/add:",
                type="primary",
                key="evaluate_causes_start",
                on_click=_start,
            )
        return
    claims = study.claims.all()
    lacking = {rating.item.claim for rating in ratings} - claims.keys()
    # revisions tell one state of the ratings from the next
    key = repr([(one.item, one.annotator, one.revision) for one in (*ratings, *settled)])
    rows, raters = _judged(f"{key}{len(claims)}", claims, ratings, settled)
    _table(
        agreement_frame(rows).reset_index()[list(_NAMES)].rename(columns=_NAMES),
        "How often each detector is right, by people and by models",
    )
    with st.popover("How to read this", icon=":material/help:", type="tertiary"):
        st.markdown(_YES)
    left, _ = st.columns([3, 2], gap="medium")
    with left:
        st.subheader("Who says yes to placebos", anchor=False)
        _table(
            placebo_frame(raters)
            .reset_index()
            .rename(
                columns={
                    "rater": "Rater",
                    "placebos": "Yes or partly, placebos",
                    "causes": "Yes or partly, causes",
                }
            ),
            "How often each rater says yes to placebos and to causes",
        )
    if lacking:
        st.caption(
            f"{len(lacking)} judged causes are not in this database, so nobody knows their"
            " detectors: import the JSON lines that their ratings came with."
        )


def _table(frame: pd.DataFrame, alt: str) -> None:
    show_table(frame, alt)


def _start() -> None:
    """Go to the form for queues, with this task chosen."""
    st.query_params["group"], st.query_params["part"] = "set-up", "queues"
    set_widget("evaluate_task", "cause")
