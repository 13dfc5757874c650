"""A folder of sample walks that counts as a large run, and runs whose figures come from their traces
and not from rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

import pandas as pd
import pytest

from navviz.formats import open_results
from navviz.metrics.divergence import find_divergence
from navviz.metrics.score import RunScore, score_run
from navviz.metrics.walked import walked_graph
from navviz.runs.facts import WalkFacts, facts_of
from navviz.runs.index import build, indexed
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from navviz.runs.tables import drawn_outcome, episode_columns, episode_row, frame_of, outcome
from navviz.runs.walks import map_walk, renamed
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.graph import Graph


def large_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, walks: Iterable[tuple[str, Path]], least: int
) -> Path:
    """Copy traces under new names into a folder; runs of `least` traces count as large, and nothing
    is cached yet.
    """
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(indexed, "AT_ONCE", least - 1)
    build._LAST.clear()
    folder = tmp_path / "walks"
    folder.mkdir()
    for name, file in walks:
        (folder / name).write_bytes(file.read_bytes())
    return folder


class WholeRun(OpenRun):
    """A run that asks each trace itself: what rows are compared with."""

    def graph(self, episode_id: str | int) -> Graph:
        trace = self.outline(episode_id)
        return walked_graph(trace, self.graph_of(trace.episode.world))

    @cached_property
    def scores(self) -> RunScore:  # type: ignore[override]
        return score_run(self.run, self.graph_of)

    def listing(self) -> pd.DataFrame:
        rows = []
        for key, trace in self.outlines.items():
            graph = self.graph(key)
            divergence = find_divergence(trace, graph)
            rows.append(episode_row(trace, graph, self.scores.rows[key], divergence))
        columns = episode_columns().values()
        return frame_of({c.name: [c.value(row) for row in rows] for c in columns})

    @property
    def facts(self) -> Mapping[str, WalkFacts]:
        return {key: facts_of(trace) for key, trace in self.outlines.items()}

    @property
    def worlds(self) -> Mapping[str, int]:
        return dict(Counter(trace.episode.world for trace in self.outlines.values()).most_common())

    @property
    def instructions(self) -> Mapping[str, str]:
        return {key: trace.episode.instruction for key, trace in self.outlines.items()}

    @property
    def datasets(self) -> Mapping[str, str]:
        return {key: trace.episode.dataset for key, trace in self.outlines.items()}

    @property
    def has_tasks(self) -> bool:
        return any(trace.episode.tasks for trace in self.outlines.values())

    def starts(self, *, walked: bool = False) -> dict[str, str]:
        every = self.outlines.items()
        return {k: t.episode.start for k, t in every if t.steps or t.waypoints or not walked}

    def map_walks(self, world: str) -> tuple[Graph, list[AtlasWalk]]:
        walks = []
        for key, trace in self.outlines.items():
            ended = drawn_outcome(outcome(dict(self.scores.rows[key]), trace))
            own = {node: f"{key} {node}" for node in trace.poses}
            if trace.episode.world == world:
                walks.append(renamed(map_walk(trace, self.graph(key), ended), own))
        return self.graph_of(world), walks


def read_whole(path: Path, graph: Graph) -> list[WholeRun]:
    """Read each trace once, in the order of the files, and let figures come from the traces
    themselves.
    """
    source = Source(path.name, "opened", (), None, path)
    runs = open_results(path, graph)
    return [WholeRun(source, run, lambda _world: graph, run.problems) for run in runs]
