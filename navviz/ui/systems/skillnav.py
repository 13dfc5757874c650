"""Skills of a run: how much each is used, success by skill and by tag, the router's quality; and
NavNuances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from navviz.analysis.skills import (
    SuccessRate,
    misrouted_steps,
    router_confusion,
    router_quality,
    skill_difference,
    skill_usage,
    success_by_skill,
    success_by_tag,
)
from navviz.annotation.questions import skill_labels
from navviz.language.skills import SKILLS, Skill, read_skill
from navviz.runs.opened import OpenRun
from navviz.systems.skillnav.nuances_table import (
    nuances_of_run,
    nuances_table,
    published_nuances,
    published_routers,
    published_systems,
    published_temporal,
)
from navviz.ui.components import finding
from navviz.ui.components.charts import ink
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache
from navviz.ui.data.annotation_store import readable_study
from navviz.ui.server import visitor
from navviz.ui.state import shell
from navviz.ui.state.state import replay_url
from navviz.views.figures.marked_text import usage_figure
from navviz.views.figures.plots import confusion_figure

_CHART = {"displayModeBar": False}
_DIFFERENCE_COLUMNS = ["Share", "Share, other", "SR, acted last", "SR, other"]
_ROUTED = "Steps for which the router chose another skill than the labels"
_PERCENT = st.column_config.NumberColumn(format="percent")
_SHORT = [skill.short for skill in SKILLS]


def has_skill_steps(run: OpenRun) -> bool:
    """Tell whether any step of a run names a skill that acted."""
    return any(facts.skills for facts in run.facts.values())


def has_tags_alone(run: OpenRun) -> bool:
    """Tell whether a run has instructions to tag, but no step that names a skill."""
    return not has_skill_steps(run)


def has_nuances(run: OpenRun) -> bool:
    """Tell whether any episode of a run belongs to a class of NavNuances."""
    return any(facts.nuance for facts in run.facts.values())


def skills(run: OpenRun) -> None:
    """Everything that the skills of a run tell."""
    success = _success(run)
    label = next((facts.stand_in for facts in run.facts.values() if facts.stand_in), None)
    if label is not None:
        st.warning(
            f"This run walks with {plain(label)}: its success says nothing about the paper's"
            " agents."
        )
    st.subheader("How much each skill is used", anchor=False)
    used = skill_usage(run.facts, success)
    rows: list[tuple[str, dict[Skill, float | None]]] = [
        ("all steps", {row.skill: row.share for row in used})
    ]
    # without goals nobody knows successes: no empty bars then
    if any(row.in_success is not None for row in used):
        rows.append(("in successes", {row.skill: row.in_success for row in used}))
    if any(row.in_failure is not None for row in used):
        rows.append(("in failures", {row.skill: row.in_failure for row in used}))
    st.plotly_chart(
        usage_figure(rows, ink()),
        key="evaluate_skill_usage",
        config=_CHART,
        alt="How often each skill acted",
    )
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Success by the skill that acted first**")
        _rates(success_by_skill(run.facts, success, "first"), "Skill")
    with right:
        st.markdown("**Success by the skill that acted last**")
        _rates(success_by_skill(run.facts, success, "last"), "Skill")
    _router(run)
    _two_runs(run, success)
    _by_tag(run, success)
    _published(
        published_systems(),
        published_routers(),
        published_temporal(),
        key="evaluate_skill_published",
        note=(
            "Ma et al. 2025, in per cent: NE (m) / OSR / SR / SPL on R2R, SR / SPL on GSA-R2R. Its"
            " agents walk by pictures. On R-Basic the router adds 0.4 points of success to chance."
        ),
    )


def tags(run: OpenRun) -> None:
    """Show success by what the instructions ask for, where no step names a skill."""
    _by_tag(run, _success(run))


def _success(run: OpenRun) -> dict[str, bool | None]:
    successes: dict[str, bool | None] = {}
    for key, row in run.scores.rows.items():
        rate = row.get("SR")
        successes[key] = rate >= 0.5 if rate is not None else None
    return successes


def _rates(rows: Sequence[SuccessRate], name: str) -> None:
    if not rows:
        st.caption("No episode with a goal.")
        return
    table = pd.DataFrame(
        [{name: row.label, "Episodes": row.episodes, "SR": row.rate} for row in rows]
    )
    show_table(table, f"Success by {name}", {"SR": _PERCENT})


def _judged(run: OpenRun) -> dict[tuple[str, int], Skill]:
    """Return what annotators say of its steps, for whoever may read the study."""
    study = readable_study()
    if study is None:
        return {}
    named = skill_labels(study.ratings("skill"), run.name, study.adjudicated("skill"))
    read = {key: read_skill(name) for key, name in named.items()}
    return {key: skill for key, skill in read.items() if skill is not None}


def _router(run: OpenRun) -> None:
    st.subheader("The router", anchor=False)
    labels = _judged(run)
    quality = router_quality(run.outlines, labels)
    with st.container(horizontal=True):
        st.metric("Routed steps", quality.steps, width=150)
        st.metric("Valid replies", _percent(quality.valid), width=150)
        st.metric("Another agent acted", quality.other_agent, width=190)
        if quality.labelled:
            judged = f"{quality.labelled} judged steps"
            st.metric(f"Right, of {judged}", _percent(quality.accuracy), width=230)
    sources = ["Cue words of the sub-goal", *(["What annotators say"] if labels else [])]
    source = st.segmented_control(
        "Against", sources, default=sources[0], key="evaluate_skill_source", required=True
    )
    confusion = router_confusion(run.outlines, labels if source != sources[0] else None)
    left, right = st.columns(2, gap="medium")
    with left:
        st.plotly_chart(
            confusion_figure(
                np.array(confusion.counts), _SHORT, str(source), "the router", ink(), 340
            ),
            key="evaluate_skill_confusion",
            alt="The router's skills against the labels",
            config=_CHART,
        )
        st.caption(f"{confusion.steps} steps, {_percent(confusion.agree)} agree.")
    with right:
        _misrouted(run)


def _misrouted(run: OpenRun) -> None:
    rows = misrouted_steps(run.outlines)
    if not rows:
        st.success(
            "In every routed step the router's choice of agent acted.", icon=":material/check:"
        )
        return
    st.markdown("**Steps in which another agent acted**")
    table = pd.DataFrame(rows, columns=["Episode", "Step", "Named", "Acted"])
    table["Replay"] = [replay_url(run.name, name, step) for name, step, _, _ in rows]
    link = st.column_config.LinkColumn("Replay", display_text="open")
    show_table(table, _ROUTED, {"Replay": link}, most_rows=6)


def _two_runs(run: OpenRun, success: dict[str, bool | None]) -> None:
    others = {source.name: source for source in visitor.sources() if source.name != run.name}
    st.subheader("Beside another run", anchor=False)
    chosen = st.selectbox(
        "Other run",
        list(others),
        index=None,
        key="evaluate_skill_other",
        placeholder="Choose one",
        width=340,
    )
    if chosen is None:
        return
    with shell.guard():
        other = cache.open_run(others[chosen])
        finding.wait_for(other)
        rows = skill_difference(run.facts, success, other.facts, _success(other))
        figures = [(row.share, row.other_share, row.rate, row.other_rate) for row in rows]
        table = pd.DataFrame(figures, columns=_DIFFERENCE_COLUMNS)
        table.insert(0, "Skill", [row.skill.value for row in rows])
        config = {name: _PERCENT for name in table.columns if name != "Skill"}
        show_table(table, "Success by skill in both runs", config)
        both = len(run.traces.keys() & other.traces.keys())
        st.caption(f"Over the {both} episodes that both runs have.")


def _by_tag(run: OpenRun, success: dict[str, bool | None]) -> None:
    st.subheader("Success by tag of the instruction", anchor=False)
    st.caption(
        "Tags come from cue words. They are not the subsets of SkillNav's Table 6, whose sizes are"
        " not published."
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _rates(success_by_tag(run.facts, success, "skill"), "Skill asked for")
    with right:
        rows = success_by_tag(run.facts, success, "temporal")
        short = [replace(row, label=row.label.removeprefix("temporal: ")) for row in rows]
        _rates(short, "Temporal relation or cue")


def _published(*tables: pd.DataFrame, key: str, note: str) -> None:
    """Show what the paper prints, where it is asked for."""
    if not st.toggle("The paper's figures", key=key):
        return
    for table in tables:
        show_table(table, f"Published figures by {table.columns[0]}")
    st.caption(plain(note))


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def nuances(run: OpenRun) -> None:
    """Show a run on NavNuances, by class."""
    results = nuances_of_run(run.outlines, run.graph_of)
    shell.problems(results.problems)
    rates = dict.fromkeys(("SR", "OSR", "SPL", "Pair SR"), _PERCENT)
    digits = {"nDTW": st.column_config.NumberColumn(format="%.3f")}
    show_table(nuances_table(results.summaries), "NavNuances", {**rates, **digits})
    st.caption(
        "Evaluators of Wang et al. 2024. OSR of NU: the end alone is right. nDTW of NU is on the"
        " plain sum of costs; versions of the dtw package before 1.4 divide by both lengths, so"
        " figures made with them are higher."
    )
    _published(
        published_nuances(),
        key="evaluate_nuances_published",
        note="Ma et al. 2025, in per cent; agents on pictures.",
    )
