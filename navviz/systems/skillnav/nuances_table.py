"""A run on NavNuances: each episode by the evaluator of its class, and what could not be scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from navviz.errors import Problem, Problems
from navviz.metrics.path import Ruler
from navviz.metrics.score import HasTraces
from navviz.records import Trace
from navviz.records.lazy_traces import outlines
from navviz.systems.skillnav.nuances import (
    CLASSES,
    NuanceScore,
    NuanceSummary,
    nuance_of,
    score_nuance,
    summarise_nuances,
)
from navviz.world.graph import Graph


@dataclass(frozen=True)
class NuancesOfRun:
    """Scores by episode, their means by class, and a problem for each episode that has no score."""

    scores: Mapping[str, NuanceScore]
    summaries: tuple[NuanceSummary, ...]
    problems: Problems


def nuances_of_run(traces: Mapping[str, Trace], graph_of: Callable[[str], Graph]) -> NuancesOfRun:
    """Score all traces; an episode without a usable annotation is a problem in every class."""
    problems, scores = Problems(), dict[str, NuanceScore]()
    rulers: dict[str, Ruler] = {}
    for name, trace in traces.items():
        nuance = nuance_of(trace.episode)
        # without its file a run of NavNuances looks like any other: this says what is missing
        if nuance is None:
            do = "open it with its NavNuances file"
            problems.add(Problem("has no annotation", do, episode=name, field="nuances"))
            continue
        world = trace.episode.world
        # a ruler measures a whole house, and serves all of its episodes
        if world not in rulers:
            rulers[world] = Ruler(graph_of(world))
        try:
            scores[name] = score_nuance(trace.path, trace.episode, nuance, rulers[world])
        except ValueError as error:
            # the sentence begins with the field; only that of an empty path names none
            field, _, what = str(error).partition(": ")
            if not what:
                field, what = "", field
            problems.add(Problem(what, "the others are scored", episode=name, field=field))
    return NuancesOfRun(scores, summarise_nuances(scores.values()), problems)


def groups_of_run(
    run: HasTraces, graph_of: Callable[[str], Graph], *_rules: str
) -> tuple[pd.DataFrame, Problems] | None:
    """Return the table of a run on NavNuances by class, and what it lacks; else nothing."""
    traces = outlines(run.traces)
    if not any(nuance_of(trace.episode) for trace in traces.values()):
        return None
    scored = nuances_of_run(traces, graph_of)
    return nuances_table(scored.summaries), scored.problems


def nuances_table(summaries: tuple[NuanceSummary, ...]) -> pd.DataFrame:
    """Return means by class, each class whole and by group; rates as fractions."""
    rows = []
    for summary in summaries:
        for group, means in {"all": summary.total, **summary.by_group}.items():
            row = {
                "Class": f"{summary.kind}: {CLASSES[summary.kind]}",
                "Group": group,
                "Episodes": means.episodes,
                "SR": means.success,
                "OSR": means.oracle,
                "SPL": means.spl,
                "nDTW": means.ndtw,
                "Pair SR": summary.pair_success if group == "all" else None,
            }
            rows.append(row)
    return pd.DataFrame(rows)


_SYSTEMS = (
    ("MapGPT", None, None, "34 / 30", "25 / 23", "25 / 23"),
    ("DUET", "3.31 / 81 / 72 / 60", None, None, None, None),
    ("ScaleVLN", "2.34 / 87 / 79 / 70", "2.73 / 84 / 77 / 68", "78 / 67", "69 / 57", "55 / 43"),
    ("SRDF", "1.83 / 89 / 84 / 78", "1.88 / 88 / 84 / 77", "71 / 63", "59 / 49", "52 / 43"),
    ("SkillNav", "1.97 / 89 / 83 / 77", "2.53 / 83 / 78 / 70", "79 / 69", "72 / 61", "57 / 48"),
)

_ROUTERS = (
    ("random", "78.39 / 67.46", "70.93 / 59.71", "54.61 / 43.17"),
    ("Qwen, not reordered", "78.42 / 67.80", "71.01 / 59.62", "55.46 / 45.43"),
    ("GLM, reordered", "78.60 / 67.93", "71.13 / 59.73", "56.80 / 46.51"),
    ("Qwen, reordered", "78.83 / 68.88", "71.58 / 61.34", "56.66 / 47.96"),
)

_TEMPORAL = (
    ("conditional immediacy", 84.29, 76.29, 88.57, 82.18),
    ("bounded duration", 76.27, 67.45, 84.18, 74.90),
    ("forward sequential", 79.53, 68.92, 85.83, 76.93),
    ("backward sequential", 74.29, 66.97, 88.57, 81.72),
)

_NUANCES = (
    ("ScaleVLN", 68.39, 81.76, 88.82, 76.34, 28.32, 82.91, 95.27),
    ("SRDF", 59.93, 82.94, 91.18, 80.98, 26.28, 77.09, 94.55),
    ("Direction agent", 70.81, None, None, None, None, None, None),
    ("Vertical agent", None, 87.65, 89.41, 83.83, None, None, None),
    ("Landmark agent", None, None, None, None, 31.53, None, None),
    ("Region agent", None, None, None, None, None, 85.09, 96.36),
    ("Stop agent", 68.91, 84.71, 87.06, 80.67, 29.78, 83.64, 97.09),
)


def published_systems() -> pd.DataFrame:
    """Return NE (m) / OSR / SR / SPL on R2R, and SR / SPL on GSA-R2R."""
    columns = [
        "System",
        "R2R val-unseen",
        "R2R test-unseen",
        "GSA R-Basic",
        "GSA N-Basic",
        "GSA N-Scene",
    ]
    return pd.DataFrame(_SYSTEMS, columns=columns)


def published_routers() -> pd.DataFrame:
    """Return SR / SPL of the ablation on GSA-R2R (Table 4): the router adds little over chance."""
    return pd.DataFrame(_ROUTERS, columns=["Router", "GSA R-Basic", "GSA N-Basic", "GSA N-Scene"])


def published_temporal() -> pd.DataFrame:
    """Return success by temporal relation (Table 6), of subsets narrower than the words alone."""
    columns = ["Relation", "ScaleVLN SR", "ScaleVLN SPL", "Temporal DUET SR", "Temporal DUET SPL"]
    return pd.DataFrame(_TEMPORAL, columns=columns)


def published_nuances() -> pd.DataFrame:
    """Return figures on NavNuances' classes."""
    columns = ["System", "DC SR", "VM SR", "VM OSR", "VM SPL", "LR SR", "RR SR", "RR OSR"]
    return pd.DataFrame(_NUANCES, columns=columns)
