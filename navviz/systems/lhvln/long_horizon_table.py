"""LH-VLN's tables of a run: all tasks, by number of sub-tasks, robot and scene; and the figures of
the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from navviz.errors import Problems
from navviz.metrics.long_horizon import SubtaskOutcome, by_group, group_scores
from navviz.metrics.score import HasTraces
from navviz.metrics.stages import Lengths, Success, outcomes, walk_stages
from navviz.metrics.walked import walked_graph
from navviz.records import Episode, Trace
from navviz.records.base import plural
from navviz.records.lazy_traces import outlines
from navviz.world.graph import Graph

FIGURES = ("SR", "OSR", "SPL", "NE", "ISR", "ISR_paper", "CSR", "CGT", "TAR", "contest", "stops")
"""Columns of the table, by their short names."""

GraphOf = Callable[[str], Graph]
_Scored = tuple[Episode, Sequence[SubtaskOutcome]]

PUBLISHED: tuple[tuple[str, str, float, float, float, float], ...] = (
    ("Random", "2-3", 14.09, 0, 0, 0),
    ("InstructNav", "2-3", 10.80, 0, 0, 0),
    ("GLM-4v prompt", "2-3", 15.63, 0, 0, 0),
    ("NaviLLM pretrained", "2-3", 12.11, 0, 0, 0),
    ("NaviLLM fine-tuned", "2-3", 12.24, 0, 0, 0),
    ("GPT-4 + NaviLLM", "2-3", 12.23, 0, 0, 0),
    ("MGDM Llama3 two-stage", "2-3", 13.20, 0, 0, 0),
    ("MGDM Vicuna alternate", "2-3", 3.54, 0, 0, 0),
    ("MGDM Vicuna two-stage", "2-3", 10.44, 0, 0, 0),
    ("Random", "3-4", 10.91, 0, 0, 0),
    ("InstructNav", "3-4", 8.38, 0, 0, 0),
    ("GLM-4v prompt", "3-4", 10.97, 0, 0, 0),
    ("NaviLLM pretrained", "3-4", 10.04, 0, 0, 0),
    ("NaviLLM fine-tuned", "3-4", 9.79, 3.54, 2.53, 5.24),
    ("GPT-4 + NaviLLM", "3-4", 10.00, 4.37, 2.91, 5.23),
    ("MGDM Llama3 two-stage", "3-4", 10.02, 4.60, 3.07, 5.38),
    ("MGDM Vicuna alternate", "3-4", 1.23, 4.69, 3.30, 5.83),
    ("MGDM Vicuna two-stage", "3-4", 8.78, 5.13, 3.42, 6.00),
    ("Random", "spot", 14.97, 0, 0, 0),
    ("InstructNav", "spot", 11.48, 0, 0, 0),
    ("NaviLLM", "spot", 10.97, 2.19, 1.31, 2.72),
    ("GPT-4 + NaviLLM", "spot", 10.15, 3.85, 2.00, 3.96),
    ("MGDM", "spot", 3.44, 3.73, 1.92, 3.81),
    ("Random", "stretch", 10.48, 0, 0, 0),
    ("InstructNav", "stretch", 7.70, 0, 0, 0),
    ("GPT-4 + NaviLLM", "stretch", 11.59, 2.33, 1.59, 2.47),
    ("MGDM", "stretch", 1.37, 2.82, 2.06, 3.25),
)
"""System, group, NE in metres, ISR, CSR and CGT in per cent (Song et al. 2025, tables 2 and 3); SR
is 0 in all.
"""

ABLATION: tuple[tuple[str, str, float, float, float, float], ...] = (
    ("MGDM without memory", "3-4", 4.44, 0, 0, 0),
    ("MGDM without chain of thought", "3-4", 2.45, 0, 0, 0),
    ("MGDM", "3-4", 1.23, 4.69, 3.30, 5.83),
)
"""The same columns (Song et al. 2025, table 4); here ``forgetting=none`` and ``cot_every=0``."""

PUBLISHED_STEP_TASKS: tuple[tuple[str, float, float, float, float], ...] = (
    ("Random", 0, 0, 0, 8.59),
    ("GLM-4v prompt", 0, 11.1, 0, 6.50),
    ("NaviLLM", 6.67, 6.67, 2.86, 10.17),
    ("MGDM", 0, 26.92, 0, 1.70),
)
"""System, SR, OSR and SPL in per cent, NE in metres on step tasks (Song et al. 2025)."""


def groups_of_run(
    run: HasTraces, graph_of: GraphOf, success: Success, lengths: Lengths
) -> tuple[pd.DataFrame, Problems]:
    """Return LH-VLN's figures of a run; a run without such tasks has an empty table."""
    return long_horizon_table(run, graph_of, success, lengths), Problems()


def long_horizon_table(
    run: HasTraces, graph_of: GraphOf, success: Success = "distance", lengths: Lengths = "moves"
) -> pd.DataFrame:
    """Return LH-VLN's figures of a run: all, by number of sub-tasks, by robot, by scene."""
    # texts of the steps play no part here, and a run of thousands of walks is mostly texts
    traces = [trace for trace in outlines(run.traces).values() if trace.episode.tasks]
    scored = [_scored(trace, graph_of, success, lengths) for trace in traces]
    rows = [_row("all", [each for _, each in scored])] if scored else []
    # the paper's tables have the number of sub-tasks always, the others only where they differ
    rows += _rows(scored, _length_group, at_least=1)
    rows += _rows(scored, lambda episode: str(episode.extra.get("robot") or ""), at_least=2)
    rows += _rows(scored, lambda episode: episode.world, at_least=2)
    return pd.DataFrame(rows, columns=["group", "tasks", "sub_tasks", *FIGURES])


def _length_group(episode: Episode) -> str:
    """Return ``2 sub-tasks`` and so on; step tasks, of one target, are another group."""
    count = len(episode.tasks)
    return str(episode.extra.get("group") or plural(count, "sub-task"))


def _scored(trace: Trace, graph_of: GraphOf, success: Success, lengths: Lengths) -> _Scored:
    # poses are no places of the scene: they are nodes of this one walk
    graph = walked_graph(trace, graph_of(trace.episode.world))
    return trace.episode, outcomes(walk_stages(trace, graph), success, lengths)


def _rows(
    scored: Sequence[_Scored], key: Callable[[Episode], str], at_least: int
) -> list[dict[str, Any]]:
    """Return one row a group; none where there are fewer groups than `at_least`."""
    named = [(each, key(episode)) for episode, each in scored]
    groups = [(each, name) for each, name in named if name]
    names = by_group(groups)
    if len(names) < at_least:
        return []
    rows = []
    for name in names:
        members = [each for each, group in groups if group == name]
        rows.append(_row(name, members))
    return rows


def _row(name: str, tasks: Sequence[Sequence[SubtaskOutcome]]) -> dict[str, Any]:
    scores = group_scores(tasks)
    return {
        "group": name,
        "tasks": len(tasks),
        "sub_tasks": sum(len(task) for task in tasks),
        **{figure: scores.get(figure) for figure in FIGURES},
    }


def published_table() -> pd.DataFrame:
    """Return the paper's figures with its ablation; NE counts only ended sub-tasks."""
    rows = [(*row, "tables 2 and 3") for row in PUBLISHED] + [(*row, "table 4") for row in ABLATION]
    table = pd.DataFrame(rows, columns=["system", "group", "NE", "ISR", "CSR", "CGT", "source"])
    return table.assign(**{name: table[name] / 100 for name in ("ISR", "CSR", "CGT")})


def published_step_tasks() -> pd.DataFrame:
    """Return the paper's figures on step tasks; rates as fractions."""
    table = pd.DataFrame(PUBLISHED_STEP_TASKS, columns=["system", "SR", "OSR", "SPL", "NE"])
    table.insert(1, "group", "step tasks")
    return table.assign(**{name: table[name] / 100 for name in ("SR", "OSR", "SPL")})
