"""What goes wrong, and on what: slices of a run that fail more often than the rest.

The features of an episode are told here, those of a junction that an agent came to in
`navviz.analysis.departure_slices`. For each feature the failures with it are compared with those
without it: odds ratio (a half added to each cell) with an exact 95 % interval, Fisher's exact p of
the same kind (`navviz.metrics.intervals`), adjusted over all features of the list (Benjamini and
Hochberg 1995; scipy's, equal to statsmodels' to the last digit).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Literal

import numpy as np

from navviz.analysis.landmarks import fate_of_landmarks
from navviz.language.reorder import instruction_tags, tagged_text
from navviz.metrics.intervals import odds_ratio_ends, odds_ratio_p
from navviz.metrics.score import RunScore
from navviz.records import Trace
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph, Poi

_WORDS: Final = re.compile(r"(?<![\w'-])[a-z][a-z'-]+")

PLAIN_WORDS: Final = frozenset(
    {
        "the", "a", "an", "and", "of", "to", "in", "at", "on", "it", "is", "be", "will", "you",
        "your", "that", "this", "there", "as", "with", "for", "then", "so", "by", "are", "or",
        "if", "do", "not",
    }
)  # fmt: skip
"""Words that carry no direction."""

_AREA_LINKS: Final = 20
"""Links around the route that count as its area: GROKE's published runs cut their map so."""

_KIND_TAGS: Final = (
    "amenity",
    "shop",
    "leisure",
    "tourism",
    "highway",
    "railway",
    "public_transport",
    "cuisine",
    "building",
)
"""Tags of OpenStreetMap that say what a place is, the most telling first."""

_SLIGHT_DEG: Final = 20.0
"""Streets of a grid bend by less at a junction where one goes straight on."""

_TURN_DEG: Final = 45.0
"""Half of a right angle."""

_BACK_DEG: Final = 150.0
"""The reverse of the slightest turn that still leads on (180 - 30 degrees)."""


def run_features(
    traces: Mapping[str, Trace], graph_of: Callable[[str], Graph]
) -> dict[str, frozenset[str]]:
    """List the features of each episode, by id; areas are cut in three by the run's own."""
    graphs = {key: graph_of(trace.episode.world) for key, trace in traces.items()}
    areas = {key: area_nodes(trace, graphs[key]) for key, trace in traces.items()}
    # 0 stands for an unknown route, which must not move the thirds
    edges = third_edges([area for area in areas.values() if area])
    features = {}
    for key, trace in traces.items():
        area = set(banded("nodes around the route", areas[key], edges))
        features[key] = episode_features(trace, graphs[key]) | area
    return features


def third_edges(areas: Sequence[int]) -> list[int]:
    """Return where areas are cut into thirds: two edges, fewer where they fall together."""
    if not areas:
        return []
    return sorted({int(edge) for edge in np.quantile(areas, (1 / 3, 2 / 3))})


def area_nodes(trace: Trace, graph: Graph) -> int:
    """Count the map's nodes within 20 links of the reference path; 0 where that is unknown."""
    path = [node for node in trace.episode.reference_path if node in graph]
    return len(graph.hop_ball(path, _AREA_LINKS)) if path else 0


def episode_features(trace: Trace, graph: Graph) -> frozenset[str]:
    """List the features of one episode that need no look at the others."""
    episode = trace.episode
    features = {f"word: {word}" for word in content_words(episode.instruction)}
    features |= {f"phrase: {phrase}" for phrase in _phrases(episode.instruction)}
    features |= set(instruction_tags(tagged_text(episode)))
    features |= set(banded("sub-goals", len(trace.sub_goals or episode.sub_goals), (4, 6, 8)))
    features |= set(banded("words", len(episode.instruction.split()), (30, 45, 60)))
    path = [node for node in episode.reference_path if node in graph]
    if len(path) > 1:
        steps = (200, 400, 600) if graph.frame == "geo" else (8, 10, 12)
        features |= set(banded("metres", round(graph.path_length_m(path)), steps))
        features |= _turns(path, graph)
    # the agent's own way must not decide which landmarks are on the map
    fates = fate_of_landmarks(trace.model_copy(update={"steps": (), "waypoints": None}), graph)
    kinds = {
        f"landmark: {poi_kind(graph.pois[fate.poi])}" for fate in fates if fate.poi is not None
    }
    missing = any(fate.poi is None and not fate.of_the_street for fate in fates)
    features |= kinds
    if missing:
        features.add("a landmark not on the map")
    return frozenset(features)


def content_words(text: str) -> set[str]:
    """Words of a text in lower case, without those that carry no direction."""
    return {word for word in _WORDS.findall(text.lower()) if word not in PLAIN_WORDS}


def _phrases(text: str) -> set[str]:
    """Two words in a row, both of some meaning."""
    words = _WORDS.findall(text.lower())
    return {f"{a} {b}" for a, b in pairwise(words) if a not in PLAIN_WORDS and b not in PLAIN_WORDS}


def banded(name: str, value: int, edges: Sequence[int]) -> Iterable[str]:
    """Name the band of a number: ``4 to 5 sub-goals``; none for 0."""
    if value <= 0 or not edges:
        return
    below = [edge for edge in edges if edge <= value]
    above = [edge for edge in edges if edge > value]
    if not below:
        yield f"fewer than {above[0]} {name}"
    elif not above:
        yield f"{below[-1]} or more {name}"
    else:
        last = above[0] - 1
        yield f"{below[-1]} {name}" if last == below[-1] else f"{below[-1]} to {last} {name}"


def _turns(path: Sequence[str], graph: Graph) -> set[str]:
    features = set()
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        degree = graph.degree(node)
        if degree > 4:
            features.add(degree_feature(degree))
        turn = turn_feature(graph, before, node, after)
        if degree > 2 and turn not in {"a way straight on", "a slight turn"}:
            features.add(turn)
            if degree == 3:
                features.add("a turn at a T-junction or side street")
    return features


def degree_feature(degree: int) -> str:
    """Name the number of ways that meet at a junction."""
    return (
        "a junction of five or more ways"
        if degree > 4
        else f"a junction of {('three', 'four')[degree > 3]} ways"
    )


def turn_feature(graph: Graph, before: str, node: str, after: str) -> str:
    """Name how a path turns at a node."""
    turn = turn_deg(graph.heading_deg(before, node), graph.heading_deg(node, after))
    if abs(turn) <= _TURN_DEG:
        return "a slight turn" if abs(turn) > _SLIGHT_DEG else "a way straight on"
    if abs(turn) > _BACK_DEG:
        return "a turn back"
    return "a left turn" if turn < 0 else "a right turn"


def poi_kind(poi: Poi) -> str:
    """Say what a place is: ``bank``, ``traffic signals``; ``place`` where its tags do not tell."""
    return next(
        (str(poi.tags[tag]).replace("_", " ") for tag in _KIND_TAGS if poi.tags.get(tag)), "place"
    )


_LEAST: Final = 5
"""Episodes that a slice needs on either side: with fewer, no exact test can come below 0.05 after
adjusting.
"""

Unit = Literal["episode", "junction", "pair"]
"""What is counted: episodes that fail; junctions at which the agent leaves the route; of two runs,
the episodes in which one of them fails (``failures``: the first one).
"""


@dataclass(frozen=True, slots=True)
class Slice:
    """One feature, and how the episodes that have it end."""

    feature: str
    """As `episode_features` names it: ``word: slight``, ``a landmark not on the map``."""
    episodes: tuple[str, ...]
    """Ids of the episodes that have it; of junctions, the episode's id, a blank and the place on
    its route.
    """
    failures: int
    """Of these, how many failed."""
    others: int
    """Episodes without it."""
    other_failures: int
    odds_ratio: float
    p: float
    p_adjusted: float
    unit: Unit = "episode"
    runs: tuple[str, str] = ("", "")
    """Of a pair: the run that fails, and the run it is compared with."""

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval of the odds ratio; computed for what is shown only."""
        return _odds_ends(self._cells)[0]

    @property
    def high(self) -> float:
        """Upper end; infinite where no count bounds it."""
        return _odds_ends(self._cells)[1]

    def record(self) -> dict[str, Any]:
        """Return its figures by `SLICE_COLUMNS`; `runs` is missing but of a pair."""
        figures = asdict(self) | {"n": len(self.episodes), "low": self.low, "high": self.high}
        figures |= {"share": self.rate, "other_share": self.other_rate}
        if math.isinf(self.high):
            figures["high"] = None
        if self.unit != "pair":
            figures["runs"] = None
        return {name: figures[name] for name in SLICE_COLUMNS}

    @property
    def _cells(self) -> tuple[int, int, int, int]:
        size = len(self.episodes)
        return (
            self.failures,
            size - self.failures,
            self.other_failures,
            self.others - self.other_failures,
        )

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
        if self.unit == "pair":
            first, second = self.runs
            size, rest = len(self.episodes) - self.failures, self.others - self.other_failures
            return (
                f"{_subject(self.feature, self.unit)}: {first} fails where {second} succeeds"
                f" {_times(self.failures)}, the other way round {_times(size)}; elsewhere"
                f" {self.other_failures} and {rest}; adjusted p {_p(self.p_adjusted)}."
            )
        what = (
            f"{self.failures} of {len(self.episodes)} against {self.other_failures} of"
            f" {self.others}"
        )
        return f"{self.claim}: {what}; adjusted p {_p(self.p_adjusted)}."

    @property
    def claim(self) -> str:
        """Say it without the figures, of episodes and of junctions."""
        times = self.rate / self.other_rate if self.other_rate else math.inf
        # one decimal would write "0.0 times" of what does happen
        often = f"{times:.{1 if times >= 0.1 else 2}f} times as often"
        if f"{times:.1f}" == "1.0":
            often = "about as often"
        elif not self.failures:
            often = "in no case"
        elif not math.isfinite(times):
            rest = "the others" if self.unit == "episode" else "elsewhere they"
            often = f"and {rest} never do"
        does = " fail" if self.unit == "episode" else ", agents leave the route"
        return f"{_subject(self.feature, self.unit)}{does} {often}"


SLICE_COLUMNS: Final = (
    *("feature", "unit", "failures", "n", "share", "other_failures", "others", "other_share"),
    *("odds_ratio", "low", "high", "p", "p_adjusted", "runs", "episodes"),
)
"""What is told of a slice: how many of its n episodes fail, the same of the others, the odds ratio
with its 95 % interval, p before and after adjusting, the two runs of a pair, and the episodes.
"""

_SUBJECTS: Final[Mapping[str, str]] = {
    "word": "Instructions with “{}”",
    "phrase": "Instructions with “{}”",
    "skill": "Instructions that ask for the skill “{}”",
    "temporal": "Instructions with the temporal relation “{}”",
    "landmark": "Instructions with a landmark of the kind “{}”",
    "sub-goal word": "In sub-goals with “{}”",
    "sub-goal skill": "In sub-goals that ask for the skill “{}”",
    "landmark there": "At a named landmark of the kind “{}”",
}


def _subject(feature: str, unit: Unit) -> str:
    kind, colon, value = feature.partition(": ")
    if colon and kind in _SUBJECTS:
        return _SUBJECTS[kind].format(value)
    if unit != "junction":
        return f"Episodes with {feature}"
    if feature.startswith(("a ", "no ")):
        return f"At {feature}"
    return f"In {feature}" if " third of " in feature else f"With {feature}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _p(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.3f}".rstrip("0").rstrip(".")


Adjust = Literal["bh", "by"]


def find_slices(
    features: Mapping[str, Iterable[str]],
    failed: Mapping[str, bool],
    *,
    least: int = _LEAST,
    adjust: Adjust = "bh",
) -> list[Slice]:
    """Compare failures with and without each feature."""
    from scipy import stats

    ids = [key for key in features if key in failed]
    members: dict[str, list[str]] = {}
    for key in ids:
        for name in features[key]:
            # in the order of the run, so that features of the same episodes have equal keys
            members.setdefault(name, []).append(key)
    total, all_failed = len(ids), sum(failed[key] for key in ids)
    chosen: dict[tuple[str, ...], str] = {}
    # the shortest name first: of features with the same episodes the first one stays
    for name in sorted(members, key=lambda name: (len(name), name)):
        keys = tuple(members[name])
        if least <= len(keys) <= total - least:
            chosen.setdefault(keys, name)
    rows = []
    for keys, name in chosen.items():
        count = sum(failed[key] for key in keys)
        rows.append((name, keys, count))
    if not rows:
        return []
    p = [_fisher(count, len(keys), all_failed, total) for _, keys, count in rows]
    # SciPy refuses a p that rounding has put above 1
    adjusted = stats.false_discovery_control(np.minimum(p, 1.0), method=adjust)
    slices = []
    for (name, keys, count), raw, q in zip(rows, p, adjusted, strict=True):
        # odds ratio, a half added to each cell (Haldane 1956)
        size = len(keys)
        a, b = count + 0.5, size - count + 0.5
        c, d = all_failed - count + 0.5, total - size - (all_failed - count) + 0.5
        odds = a * d / (b * c)
        others = total - len(keys)
        other_failures = all_failed - count
        slices.append(Slice(name, keys, count, others, other_failures, odds, raw, float(q)))
    return sorted(slices, key=_rank)


def _rank(row: Slice) -> tuple[float, float, float, str]:
    # rounded: equal p from another order of sums must not decide the order
    return round(row.p_adjusted, 9), round(row.p, 12), -row.odds_ratio, row.feature


def failed_episodes(scores: RunScore) -> dict[str, bool]:
    """Tell which episodes of a run failed; those without a goal, with a technical error or without
    an answer of the service are left out.
    """
    out = {*scores.errors, *scores.unanswered}
    rates = {key: row.get("SR") for key, row in scores.rows.items() if key not in out}
    return {key: rate < 0.5 for key, rate in rates.items() if rate is not None}


def worse_slices(
    features: Mapping[str, Iterable[str]],
    failed: Mapping[str, bool],
    other_failed: Mapping[str, bool],
    runs: tuple[str, str],
) -> list[Slice]:
    """Find on what a run is worse than another one, compared with how the two do elsewhere.

    Only episodes that one of the two fails and the other does not tell anything about this (McNemar
    1947). Among them a slice counts as worse where the first run fails more often with the feature
    than without it.
    """
    differing = {
        key: bad for key, bad in failed.items() if key in other_failed and bad != other_failed[key]
    }
    return [replace(row, unit="pair", runs=runs) for row in find_slices(features, differing)]


@lru_cache(maxsize=65536)
def _fisher(count: int, size: int, all_failed: int, total: int) -> float:
    """Fisher's exact test, two-sided; many slices have equal counts."""
    others = all_failed - count
    return odds_ratio_p((count, size - count, others, total - size - others))


_odds_ends = lru_cache(maxsize=4096)(odds_ratio_ends)
"""Slices of equal counts have equal intervals; a list draws each twice."""
