"""Logs of one line an episode: ``compass ID NODE NODE ...``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import Run
from navviz.records import Episode, Step, Trace, TraceHeader
from navviz.world.graph import Graph


class CompassLogs:
    """Reads ``*.compass``."""

    kind = "results"
    name = "compass logs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the file begins as such a log does."""
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(8) == b"compass "

    @classmethod
    def read(
        cls,
        path: Path,
        graph_of: Callable[[str], Graph],
        episodes: Mapping[str, Episode] | None = None,
    ) -> list[Run]:
        """Read all lines; needs the episodes, which the log only names."""
        problems = Problems()
        traces = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            _, key, *nodes = line.split()
            if episodes is None or key not in episodes:
                problems.add(
                    Problem(
                        f"episode {key} is unknown",
                        "give the episodes file",
                        f"{path.name}:{number}",
                    )
                )
                continue
            pairs = pairwise(nodes)
            steps = tuple(
                Step(index=i, node=a, path=(a, b)) for i, (a, b) in enumerate(pairs, start=1)
            )
            traces[key] = Trace(
                header=TraceHeader(run=path.stem, episode=episodes[key], navigator="compass"),
                steps=steps,
            )
        if not traces:
            raise InputError(
                "holds no episode that is known", "give the episodes file", file=path.name
            )
        return [Run(path.stem, "compass", None, traces, problems, path)]
