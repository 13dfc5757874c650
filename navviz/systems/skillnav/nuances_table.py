"""A run on NavNuances: each episode by the evaluator of its class, and what could not be scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from navviz.errors import Problem, Problems
from navviz.metrics.path import Ruler
from navviz.records import Trace
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
