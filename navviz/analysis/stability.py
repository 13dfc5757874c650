"""Tell how stable walks are: do the paths of several walks of one episode agree, and where do they
differ.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from statistics import fmean
from typing import Final

from navviz.analysis.compare import same_episode
from navviz.records import Trace

_STOP: Final = "stop"
"""The choice of a walk that ends at a node."""

_SAMPLE: Final = re.compile(r"(.+)-sample-\d+$")


@dataclass(frozen=True, slots=True)
class JunctionEntropy:
    """What several walks did at one node."""

    node: str
    bits: float
    """Shannon entropy of the ways taken on, in bits: 0 where all do the same, 1 where half of them
    do otherwise.
    """
    choices: tuple[tuple[str, int], ...]
    """Next nodes with how often each was taken, most often first; ``stop`` for ending there."""


@dataclass(frozen=True)
class Stability:
    """Several walks of one episode."""

    episode: str
    walks: int
    same_path: float
    """Share of pairs of walks with the very same path."""
    overlap: float
    """Mean over pairs of walks: links that both have of links that either has (Jaccard 1901)."""
    same_end: float
    """Share of pairs that end at the same node."""
    links: Mapping[tuple[str, str], int]
    """How many walks take each link, by its two nodes: the bundle."""
    junctions: tuple[JunctionEntropy, ...]
    """Nodes at which walks differ, the most uncertain first."""

    @property
    def bits(self) -> float:
        """Entropy of all junctions together, in bits."""
        return sum(junction.bits for junction in self.junctions)


def is_sample_of(name: str, run: str) -> bool:
    """Tell whether a run holds further walks (``RUN-sample-2``) of the episodes of another one."""
    match = _SAMPLE.fullmatch(name)
    return match is not None and match[1] == run


def stability(traces: Sequence[Trace]) -> Stability:
    """Compare several walks of one episode."""
    if len(traces) < 2:
        raise ValueError("stability needs at least two walks of an episode")
    paths = [trace.path for trace in traces]
    links = [frozenset(pairwise(path)) for path in paths]
    pairs = list(combinations(range(len(paths)), 2))
    return Stability(
        episode=traces[0].episode.id,
        walks=len(paths),
        same_path=fmean(paths[a] == paths[b] for a, b in pairs),
        overlap=fmean(_jaccard(links[a], links[b]) for a, b in pairs),
        same_end=fmean(paths[a][-1] == paths[b][-1] for a, b in pairs),
        links=Counter(chain.from_iterable(links)),
        junctions=tuple(_junctions(paths)),
    )


def _jaccard(a: frozenset[tuple[str, str]], b: frozenset[tuple[str, str]]) -> float:
    # two walks that never moved are the same
    return len(a & b) / len(a | b) if a | b else 1.0


def _junctions(paths: Iterable[Sequence[str]]) -> list[JunctionEntropy]:
    taken: dict[str, Counter[str]] = {}
    for path in paths:
        for node, after in pairwise([*path, _STOP]):
            taken.setdefault(node, Counter())[after] += 1
    rows = []
    for node, counts in taken.items():
        total = counts.total()
        bits = -sum(count / total * math.log2(count / total) for count in counts.values())
        if bits > 0:
            rows.append(JunctionEntropy(node, bits, tuple(counts.most_common())))
    return sorted(rows, key=lambda row: (-row.bits, row.node))


def _origin(trace: Trace) -> tuple[str, str]:
    return trace.episode.dataset, trace.episode.start


def stability_of_runs(runs: Sequence[Mapping[str, Trace]]) -> dict[str, Stability]:
    """Compare the walks of each episode that at least two of some runs hold, in the order of the
    first run.

    Where walks of an id are of different episodes (`same_episode`), those of the first run that has
    the id count.
    """
    walks: dict[str, list[Trace]] = {}
    for traces in runs:
        for key, trace in traces.items():
            own = walks.setdefault(key, [])
            if not own or same_episode(_origin(own[0]), _origin(trace)):
                own.append(trace)
    return {key: stability(own) for key, own in walks.items() if len(own) > 1}
