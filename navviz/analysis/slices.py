"""What goes wrong, and on what: slices of a run's episodes that fail more often than the rest.

Each episode has features: words and phrases of its instruction, its tags, the turns and junctions of its route, its
length, its number of sub-goals. For each feature the failures with it are compared with those without it: odds ratio
with a 95 % interval (a half added to each cell, Haldane 1956; on the log scale, Woolf 1955), Fisher's exact p, adjusted
over all features of the list (Benjamini and Hochberg 1995).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from scipy import stats

from navviz.observe.tags import instruction_tags
from navviz.records import Trace
from navviz.world.graph import Graph

__all__ = ["Slice", "episode_features", "failure_slices", "find_slices"]

_WORDS: Final = re.compile(r"(?<![\w'-])[a-z][a-z'-]+")
_PLAIN: Final = frozenset(
    {
        "the", "a", "an", "and", "of", "to", "in", "at", "on", "it", "is", "be", "will", "you", "your", "that", "this",
        "there", "as", "with", "for", "then", "so", "by", "are", "or", "if", "do", "not",
    }
)  # fmt: skip
"""Words that carry no direction."""
_LEAST: Final = 5
"""Episodes that a slice needs on either side: with fewer, no exact test can come below 0.05 after adjusting."""
_Z: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Slice:
    """One feature, and how the episodes that have it end."""

    feature: str
    """As `episode_features` names it: ``word: slight``, ``landmark not on the map``."""
    episodes: tuple[str, ...]
    """Ids of the episodes that have it."""
    failures: int
    """Of these, how many failed."""
    others: int
    """Episodes without it."""
    other_failures: int
    odds_ratio: float
    low: float
    high: float
    p: float
    p_adjusted: float

    @property
    def rate(self) -> float:
        """Share of failures with the feature."""
        return self.failures / len(self.episodes)

    @property
    def other_rate(self) -> float:
        """Share of failures without it."""
        return self.other_failures / self.others

    @property
    def sentence(self) -> str:
        """Say it in one sentence."""
        times = self.rate / self.other_rate if self.other_rate else math.inf
        often = f"{times:.1f} times as often" if math.isfinite(times) else "while the others never do"
        what = f"{self.failures} of {len(self.episodes)} against {self.other_failures} of {self.others}"
        return f"Episodes with {_quoted(self.feature)} fail {often}: {what}; adjusted p {_p(self.p_adjusted)}."


def _quoted(feature: str) -> str:
    kind, colon, value = feature.partition(": ")
    return f"the {kind} “{value}”" if colon else feature


def _p(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.3f}".rstrip("0").rstrip(".")


def episode_features(trace: Trace, graph: Graph) -> frozenset[str]:
    """List the features of one episode: what was known before anybody walked it.

    Parameters
    ----------
    trace
        Its instruction, plan and landmarks are used, never the walk: a feature must not be a consequence of failing.
    graph
        For the length of the reference path, and outdoors for its turns and junctions.
    """
    episode = trace.episode
    features = {f"word: {word}" for word in _words(episode.instruction)}
    features |= {f"phrase: {phrase}" for phrase in _phrases(episode.instruction)}
    features |= set(instruction_tags(episode.instruction))
    features |= set(_banded("sub-goals", len(trace.sub_goals or episode.sub_goals), (4, 6, 8)))
    features |= set(_banded("words", len(episode.instruction.split()), (30, 45, 60)))
    path = [node for node in episode.reference_path if node in graph]
    if len(path) > 1:
        steps = (200, 400, 600) if graph.frame == "geo" else (8, 10, 12)
        features |= set(_banded("metres", round(graph.path_length_m(path)), steps))
        features |= _turns(path, graph)
    return frozenset(features)


def _words(text: str) -> set[str]:
    return {word for word in _WORDS.findall(text.lower()) if word not in _PLAIN}


def _phrases(text: str) -> set[str]:
    """Two words in a row, both of some meaning."""
    words = _WORDS.findall(text.lower())
    return {f"{a} {b}" for a, b in pairwise(words) if a not in _PLAIN and b not in _PLAIN}


def _banded(name: str, value: int, edges: Sequence[int]) -> Iterable[str]:
    """Name the band of a number: ``4 to 5 sub-goals``."""
    if value <= 0:
        return
    below = [edge for edge in edges if edge <= value]
    above = [edge for edge in edges if edge > value]
    if not below:
        yield f"fewer than {above[0]} {name}"
    elif not above:
        yield f"{below[-1]} or more {name}"
    else:
        yield f"{below[-1]} to {above[0] - 1} {name}"


def _turns(path: Sequence[str], graph: Graph) -> set[str]:
    features = set()
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        degree = graph.degree(node)
        if degree > 4:
            features.add("a junction of five or more ways")
        turn = (graph.heading_deg(node, after) - graph.heading_deg(before, node) + 180.0) % 360.0 - 180.0
        if degree > 2 and abs(turn) > 45:
            features.add("a left turn" if turn < 0 else "a right turn")
            if degree == 3:
                features.add("a turn at a T-junction or side street")
    return features


Adjust = Literal["bh", "by"]


def find_slices(
    features: Mapping[str, Iterable[str]],
    failed: Mapping[str, bool],
    *,
    least: int = _LEAST,
    adjust: Adjust = "bh",
) -> list[Slice]:
    """Compare failures with and without each feature.

    Parameters
    ----------
    features
        By episode id.
    failed
        Whether each episode failed; episodes that are not in it are left out.
    least
        Episodes that a slice needs, and that must lack the feature.
    adjust
        ``bh`` (Benjamini and Hochberg) or ``by`` (valid under any dependence, and stricter).

    Returns
    -------
    Slices, the smallest adjusted p first; features that exactly the same episodes have stand once, the shortest name.
    """
    ids = [key for key in features if key in failed]
    members: dict[str, list[str]] = {}
    for key in ids:
        for name in features[key]:
            members.setdefault(name, []).append(key)
    total, all_failed = len(ids), sum(failed[key] for key in ids)
    chosen: dict[tuple[str, ...], str] = {}
    for name in sorted(members, key=lambda one: (len(one), one)):
        keys = tuple(members[name])
        if least <= len(keys) <= total - least:
            chosen.setdefault(keys, name)
    rows = [(name, keys, sum(failed[key] for key in keys)) for keys, name in chosen.items()]
    if not rows:
        return []
    p = [_fisher(count, len(keys), all_failed, total) for _, keys, count in rows]
    adjusted = stats.false_discovery_control(np.minimum(p, 1.0), method=adjust)
    slices = [
        Slice(
            name,
            keys,
            count,
            total - len(keys),
            all_failed - count,
            *_odds(count, len(keys), all_failed, total),
            raw,
            float(q),
        )
        for (name, keys, count), raw, q in zip(rows, p, adjusted, strict=True)
    ]
    return sorted(slices, key=lambda one: (round(one.p_adjusted, 9), round(one.p, 12), -one.odds_ratio, one.feature))


def failure_slices(
    traces: Mapping[str, Trace], failed: Mapping[str, bool], graph_of: Callable[[str], Graph]
) -> list[Slice]:
    """Find the slices of a run; see `find_slices`."""
    features = {key: episode_features(trace, graph_of(trace.episode.world)) for key, trace in traces.items()}
    return find_slices(features, failed)


def _fisher(count: int, size: int, all_failed: int, total: int) -> float:
    """Fisher's exact test, two-sided, by the hypergeometric distribution."""
    table = [[count, size - count], [all_failed - count, total - size - (all_failed - count)]]
    return float(stats.fisher_exact(np.array(table)).pvalue)


def _odds(count: int, size: int, all_failed: int, total: int) -> tuple[float, float, float]:
    """Odds ratio with its 95 % interval on the log scale (Woolf 1955), a half added to each cell."""
    a, b = count + 0.5, size - count + 0.5
    c, d = all_failed - count + 0.5, total - size - (all_failed - count) + 0.5
    ratio, spread = a * d / (b * c), _Z * math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return ratio, ratio * math.exp(-spread), ratio * math.exp(spread)
