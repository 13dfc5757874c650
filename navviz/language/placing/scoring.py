"""From a reading and an area to scores: which features each possible event switches on, times their
weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navviz.language.grammar.grammar import Reading, Unit
from navviz.language.placing import features as f
from navviz.language.placing.alignment import NEVER, AlignmentModel
from navviz.language.placing.area import SearchArea, Sightings, Surroundings, along_bin
from navviz.language.placing.features import lookup
from navviz.language.placing.landmarks import QUALITIES, Matches
from navviz.language.placing.streets import ANGLES, CLOSE_M, SHAPES, Ints, Streets

Weights = NDArray[np.float64]

_CORNER_REACH_M = 45.0
"""From a junction's node across the widest avenue to a corner building's outline."""

_PASS_REACH_M = 40.0
"""A place that one passes, on either side of the street."""

_MAX_CORNERS = 3
"""Landmarks at a junction that are weighed; instructions rarely name more."""

_MAX_STOP_MENTIONS = 4
"""Landmarks of the stop that are weighed; each costs four features a place."""

FILE = Path(__file__).with_name("weights.json")
"""Written by ``tools/training``."""


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return document


def load_expected(name: str) -> dict[str, float]:
    """Load what each kind of unit and the stop score on the right route on average."""
    scores: dict[str, float] = _file()["expected"][name]
    return scores


@lru_cache(maxsize=4)
def load_weights(name: str) -> Weights:
    """Learned weights of a set (see `train`); features that the file lacks count zero."""
    table = _file()["weights"][name]
    weights = np.zeros(len(f.FEATURES))
    for feature, value in table.items():
        if feature in f.INDEX:
            weights[f.INDEX[feature]] = value
    return weights


@dataclass(frozen=True)
class Scored:
    """A plan scored in an area, with the feature slots that explain and train the scores."""

    reading: Reading
    units: tuple[Unit, ...]
    """The reading's units without the landmarks that nothing nearby could be."""
    area: SearchArea
    model: AlignmentModel
    use_slots: Ints
    """Shape ``(units, choices, slots)``; feature 0 is no feature."""
    skip_slots: Ints
    drop_slots: Ints
    stop_slots: Ints
    """Shape ``(links, slots)``: stopping at a link's target."""
    stop: NDArray[np.float64]
    corners: dict[int, Sightings]
    """Landmarks at junctions, by mention."""
    stops: dict[int, Sightings]
    """Landmarks of the stopping phrase, by mention."""
    matches: list[Matches]


def score_plan(
    streets: Streets,
    area: SearchArea,
    around: Surroundings,
    reading: Reading,
    matches: list[Matches],
    weights: Weights,
    *,
    keep_all: bool = False,
) -> Scored:
    """Score every event that could be part of an alignment.

    Landmarks that no POI of the area could be are left out of the plan, unless `keep_all`: what is
    not in sight yet may come.
    """
    units = reading.units
    if not keep_all:
        sighted = {k for k, match in enumerate(matches) if len(match.pois)}
        units = tuple(
            u for u in units if u.kind == "junction" or not sighted.isdisjoint(u.mentions)
        )
    corners, seen = _landmarks_on_the_way(around, reading, units, matches, weights)
    use_slots = _use_slots(streets, area, units, corners)
    skip_slots = _skip_slots(streets, area, units, reading)
    slots = []
    for unit in units:
        if unit.kind == "junction":
            slots.append(f.INDEX[f"drop:{unit.turn}"])
            continue
        mention = unit.mentions[0]
        best = matches[mention].best
        # nothing in sight: as dear as what such a mention usually matches
        if best == len(QUALITIES):
            best = QUALITIES.index("good" if reading.mentions[mention].category is None else "kind")
        slots.append(f.INDEX[f"drop-landmark:{QUALITIES[best]}"])
    drop_slots = np.array(slots, np.int32)
    stops: dict[int, Sightings] = {}
    stop_slots = _stop_slots(streets, area, around, reading, matches, weights, stops)
    use = weights[use_slots].sum(axis=2).astype(np.float32)
    # landmarks are seen, never done at a junction; their slots are all 0 there, which would be free
    use[[k for k, u in enumerate(units) if u.kind == "landmark"]] = NEVER
    model = AlignmentModel(
        use,
        weights[skip_slots].sum(axis=2).astype(np.float32),
        weights[drop_slots].astype(np.float32),
        seen,
    )
    return Scored(
        reading,
        units,
        area,
        model,
        use_slots,
        skip_slots,
        drop_slots,
        stop_slots,
        weights[stop_slots].sum(axis=1),
        corners,
        stops,
        matches,
    )


def _landmarks_on_the_way(
    around: Surroundings,
    reading: Reading,
    units: tuple[Unit, ...],
    matches: list[Matches],
    weights: Weights,
) -> tuple[dict[int, Sightings], tuple[Sightings | None, ...]]:
    """Sightings of landmarks at junctions, by mention, and of those passed by, by unit."""

    def pick(mention: int, context: str, reach_m: float) -> Sightings:
        return around.pick(reading.mentions[mention], matches[mention], context, weights, reach_m)

    at_junctions: set[int] = set()
    seen: list[Sightings | None] = []
    for unit in units:
        if unit.kind == "junction":
            at_junctions.update(unit.mentions[:_MAX_CORNERS])
        is_passed = unit.kind == "landmark"
        seen.append(pick(unit.mentions[0], "pass", _PASS_REACH_M) if is_passed else None)
    placed = [m for m in sorted(at_junctions) if len(matches[m].pois)]
    corners = {m: pick(m, "corner", _CORNER_REACH_M) for m in placed}
    return corners, tuple(seen)


@dataclass(frozen=True)
class _Junctions:
    angle: Ints
    shape: Ints
    lit: NDArray[np.int64]
    """0 lit, 1 dark."""
    close: NDArray[np.int64]
    best: NDArray[np.bool_]


def _junctions(streets: Streets, area: SearchArea) -> _Junctions:
    steps = area.choice_step
    node = area.target[area.choice_from]
    return _Junctions(
        streets.step_angle[steps],
        streets.step_shape[steps],
        np.where(streets.lit[node], 0, 1),
        (streets.back_m[area.links[area.choice_from]] < CLOSE_M).astype(np.int64),
        streets.step_best[steps],
    )


def _use_slots(
    streets: Streets, area: SearchArea, units: tuple[Unit, ...], corners: dict[int, Sightings]
) -> Ints:
    at = _junctions(streets, area)
    fixed = 5
    slots = np.zeros((len(units), len(area.choice_from), fixed + 3 * _MAX_CORNERS), np.int32)
    lit = f.LIGHTS
    for k, unit in enumerate(units):
        if unit.kind == "landmark":
            continue
        # columns of `step_best`: the leftmost, the straightest, the rightmost way out
        column = 2 if "right" in unit.turn else 1
        if "left" in unit.turn:
            column = 0
        turning = "straight" if unit.turn == "straight" else "turn"
        if unit.double:
            turning = "double"
        slots[k, :, 0] = lookup("turn:{}>{}", (unit.turn,), ANGLES)[0][at.angle]
        slots[k, :, 1] = lookup("best:{}>{}", (unit.turn,), "01")[0][at.best[:, column].astype(int)]
        slots[k, :, 2] = lookup("place:{}>{}", (unit.place,), lit)[0][at.lit]
        slots[k, :, 3] = lookup("place:{}>{}", (unit.place,), SHAPES)[0][at.shape]
        slots[k, :, 4] = lookup("close:{}>{}", (turning,), "01")[0][at.close]
        for number, mention in enumerate(unit.mentions[:_MAX_CORNERS]):
            if mention in corners:
                seen = corners[mention]
                index = np.full(len(area.links), -1, np.int64)
                index[seen.link] = np.arange(len(seen.link))
                rows = index[area.choice_from]
                corner = slots[k, :, fixed + 3 * number : fixed + 3 * number + 3]
                corner[rows >= 0] = seen.slots[rows[rows >= 0]]
    return slots


def _pending(unit: Unit) -> str:
    if unit.kind == "landmark":
        return "landmark"
    return f"{unit.place}{'!' if unit.next else ''}"


def _pending_stop(reading: Reading) -> str:
    kinds = reading.stop.kinds
    if any(kind in ("at-junction", "before-junction", "end", "almost") for kind in kinds):
        return "stop-junction"
    if "after-junction" in kinds:
        return "stop-after"
    return "stop-steps" if any(kind in ("steps", "building-1") for kind in kinds) else "stop"


def _skip_slots(
    streets: Streets, area: SearchArea, units: tuple[Unit, ...], reading: Reading
) -> Ints:
    at = _junctions(streets, area)
    lit = f.LIGHTS
    slots = np.zeros((len(units) + 1, len(area.choice_from), 6), np.int32)
    slots[:, :, 0] = lookup("skip:{}>{}", ANGLES, lit)[at.angle, at.lit]
    slots[:, :, 1] = lookup("skip-best:{}", "01")[at.best[:, 1].astype(int)]
    slots[:, :, 2] = lookup("skip:{}", SHAPES)[at.shape]
    slots[:, :, 3] = lookup("skip-close:{}>{}", "01", lit)[at.close, at.lit]
    for k in range(len(units) + 1):
        pending = _pending(units[k]) if k < len(units) else _pending_stop(reading)
        slots[k, :, 4] = lookup("skip-pending:{}>{}", (pending,), lit)[0][at.lit]
        slots[k, :, 5] = lookup("skip-pending:{}>{}", (pending,), SHAPES)[0][at.shape]
    return slots


def _stop_slots(
    streets: Streets,
    area: SearchArea,
    around: Surroundings,
    reading: Reading,
    matches: list[Matches],
    weights: Weights,
    stops: dict[int, Sightings],
) -> Ints:
    back, forward = streets.back_m[area.links], streets.forward_m[area.links]
    columns = []
    kinds = reading.stop.kinds[:3] or ("none",)
    for kind in kinds:
        b, w, r = len(f.BACK_BINS_M) + 1, len(f.FORWARD_BINS_M) + 1, len(f.SHARE_BINS) + 1
        columns.append(
            np.column_stack(
                [
                    lookup("stop:{}>back{}", (kind,), range(b))[0][
                        np.digitize(back, f.BACK_BINS_M)
                    ],
                    lookup("stop:{}>forward{}", (kind,), range(w))[0][
                        np.digitize(forward, f.FORWARD_BINS_M)
                    ],
                    lookup("stop:{}>share{}", (kind,), range(r))[0][
                        np.digitize(back / (back + forward + 1e-6), f.SHARE_BINS)
                    ],
                ]
            ).astype(np.int32)
        )
    if "at-junction" in kinds:
        at = streets.junction[area.target]
        place = lookup("stop-place:{}>{}", (reading.stop.place,), f.LIGHTS)[0]
        columns.append(
            np.where(at, place[np.where(streets.lit[area.target], 0, 1)], 0).astype(np.int32)[
                :, None
            ]
        )
    for mention, relation in reading.stop.mentions:
        if len(stops) >= _MAX_STOP_MENTIONS:
            break
        if len(matches[mention].pois):
            seen = _stop_sightings(around, reading, matches, weights, mention, relation)
            stops[mention] = seen
            block = np.zeros((len(area.links), seen.slots.shape[1]), np.int32)
            block[seen.link] = seen.slots
            columns.append(block)
    return np.hstack(columns)


def _stop_sightings(
    around: Surroundings,
    reading: Reading,
    matches: list[Matches],
    weights: Weights,
    mention: int,
    relation: str,
) -> Sightings:
    """Return the best sighting of a stop landmark from each link's target."""
    # all POIs of a link, not its best one: which one that is depends on the metres ahead, whose
    # weights come only below
    all_seen = around.pick(
        reading.mentions[mention], matches[mention], "stop", weights, 60.0, best=False
    )
    # features of a family stand in the order of `QUALITIES`: the first three are matches by name
    named = all_seen.slots[:, 0] < f.INDEX[f"stop-match:{QUALITIES[3]}"]
    bins = along_bin(all_seen.along_m)
    table = lookup("stop-{}:{}>{}", ("name", "kind"), (relation,), range(len(f.ALONG_BINS_M) + 1))[
        :, 0
    ]
    slots = np.column_stack([all_seen.slots, table[np.where(named, 0, 1), bins]]).astype(np.int32)
    score = weights[slots].sum(axis=1)
    order = np.lexsort((-score, all_seen.link))
    order = order[np.flatnonzero(np.diff(all_seen.link[order], prepend=-1))]
    return Sightings(
        all_seen.link[order],
        all_seen.poi[order],
        slots[order],
        score[order].astype(np.float32),
        all_seen.along_m[order],
        all_seen.lateral_m[order],
    )


EXPECTED_OF_UNIT = (
    "straight",
    "turn",
    "turn-next",
    "any",
    "landmark-name",
    "landmark-kind",
    "corner-name",
    "corner-kind",
)

EXPECTED_OF_STOP = ("stop", "stop-part", "stop-name", "stop-kind", "stop-junction")


def unit_parts(unit: Unit, reading: Reading) -> dict[str, int]:
    """Return what a unit's expected score is made of: counts of `EXPECTED_OF_UNIT`."""
    named = sum(reading.mentions[m].category is None for m in unit.mentions)
    if unit.kind == "landmark":
        return {"landmark-name": named, "landmark-kind": len(unit.mentions) - named}
    head = "turn-next" if unit.next else "turn"
    if unit.turn in {"straight", "any"}:
        head = unit.turn
    return {head: 1, "corner-name": named, "corner-kind": len(unit.mentions) - named}


def stop_parts(reading: Reading) -> dict[str, int]:
    """Return the same for the stop, of `EXPECTED_OF_STOP`."""
    # at most as many mentions, and kinds below, as `scoring` weighs
    mentions = [reading.mentions[m] for m, _ in reading.stop.mentions[:4]]
    named = sum(mention.category is None for mention in mentions)
    at_junction = any(kind in {"at-junction", "end"} for kind in reading.stop.kinds)
    return {
        "stop": 1,
        "stop-part": len(reading.stop.kinds[:3]),
        "stop-name": named,
        "stop-kind": len(mentions) - named,
        "stop-junction": int(at_junction),
    }


def expected(
    units: Sequence[Unit], reading: Reading, table: Mapping[str, float]
) -> NDArray[np.float64]:
    """Return the expected score of what remains of a plan, by units done.

    `units` are the plan (`reading.units`, or fewer of them), `table` is as `scoring.load_expected`
    gives it.
    """
    parts = [_summed(unit_parts(unit, reading), table) for unit in units]
    stop = _summed(stop_parts(reading), table)
    # summed from the end: entry k is for units k and later, the last one for the stop alone
    return np.append(np.cumsum(parts[::-1])[::-1], 0.0) + stop


def _summed(parts: Mapping[str, int], table: Mapping[str, float]) -> float:
    return sum(table[name] * times for name, times in parts.items())
