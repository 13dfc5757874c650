"""Dynamic programming: the best alignment of the plan's units with every forward walk.

State: (links walked, link, units done). Forward walks from the start are a tree; two branches that arrive on the same
link after the same number of links with the same units done have the same future, so that only the better one is kept.
That makes the search exact for walks of any length, with no beam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navviz.navigators.rules.area import Area, Sightings

__all__ = ["NEVER", "Event", "Lattice", "Model", "align", "trace_back"]

NEVER = np.float32(-1e9)
_EPSILON = 1e-4
Scores = NDArray[np.float32]


@dataclass(frozen=True)
class Model:
    """Scores of everything that can happen to one plan in one area."""

    use: Scores
    """Shape ``(units, choices)``: a unit is done at a junction transition; `NEVER` for landmark units."""
    skip: Scores
    """Shape ``(units + 1, choices)``: a transition is made without a word, while the unit is next."""
    drop: Scores
    """Shape ``(units,)``: a unit finds no place."""
    seen: tuple[Sightings | None, ...]
    """Landmark units: where they are seen; ``None`` for junction units."""


@dataclass(frozen=True)
class Lattice:
    """Best scores: ``best[links walked - 1, units done, link]``."""

    area: Area
    model: Model
    best: Scores


def align(area: Area, model: Model, hops: int, *, begin: Scores | None = None, forced: Sequence[int] = ()) -> Lattice:
    """Fill the lattice.

    Parameters
    ----------
    hops
        The longest walk, in links.
    begin
        Scores by units done at the start; without it none is done.
    forced
        Links (of the area) that every walk begins with.
    """
    units, links = len(model.drop), len(area.links)
    best = np.full((hops, units + 1, links), NEVER, np.float32)
    if not links:
        return Lattice(area, model, best)
    best[0][:, area.first_links] = (
        np.where(np.arange(units + 1) == 0, 0.0, NEVER)[:, None] if begin is None else begin[:, None]
    )
    _sweep(best[0], model)
    for t in range(1, hops):
        _arrive(best[t - 1], best[t], area, model)
        if t < len(forced):
            best[t][:, np.arange(links) != forced[t]] = NEVER
        _sweep(best[t], model)
    return Lattice(area, model, best)


def _arrive(before: Scores, after: Scores, area: Area, model: Model) -> None:
    after[:, area.single_to] = before[:, area.single_from]
    if len(area.choice_from):
        gathered = before[:, area.choice_from]
        moved = gathered + model.skip
        np.maximum(moved[1:], gathered[:-1] + model.use, out=moved[1:])
        after[:, area.choice_to[area.groups]] = np.maximum.reduceat(moved, area.groups, axis=1)


def _sweep(best: Scores, model: Model) -> None:
    for k, seen in enumerate(model.seen):
        row = best[k] + model.drop[k]
        if seen is not None:
            row[seen.link] = np.maximum(row[seen.link], best[k, seen.link] + seen.score)
        np.maximum(best[k + 1], row, out=best[k + 1])


@dataclass(frozen=True)
class Event:
    """What happened in one backward step of several walks at once; all arrays have one entry a walk that took part."""

    walk: NDArray[np.intp]
    """Which of the traced walks."""
    hop: NDArray[np.int64]
    """Links walked, less one, when it happened."""
    link: NDArray[np.int64]
    """The link at whose target it happened."""
    unit: NDArray[np.int64]
    """The unit that was done, or that was next (``skip``)."""
    use: NDArray[np.int64]
    """Junction transition at which the unit was done, else -1."""
    skip: NDArray[np.int64]
    """Junction transition that was made without a word, else -1."""
    sight: NDArray[np.int64]
    """Index into the unit's sightings where a landmark was seen, else -1."""
    drop: NDArray[np.bool_]
    """The unit found no place."""


def trace_back(lattice: Lattice, hops: NDArray[np.int64], links: NDArray[np.int64]) -> list[Event]:
    """Undo the best alignments that end on `links` after `hops` + 1 links, all units done; the latest events first.

    The walk itself is in the events too: each carries the link, and plain transitions appear with no use, skip or drop.
    """
    area, model = lattice.area, lattice.model
    before_link, before_choice = _incoming(area)
    sight_at = _sight_index(model, len(area.links))
    hop, link = hops.astype(np.int64).copy(), links.astype(np.int64).copy()
    done = np.full(len(hop), lattice.best.shape[1] - 1, np.int64)
    walk = np.arange(len(hop))
    events = []
    while len(walk):
        raw, way, taken = _arrivals(lattice, before_link, before_choice, hop, link, done)
        swept = lattice.best[hop, done, link] > raw + _EPSILON
        swept &= done > 0
        finished = ~swept & (hop == 0)
        events.append(_event(lattice, sight_at, before_choice, (walk, hop, link, done), (swept, finished, way, taken)))
        choice = before_choice[link, way]
        new_done = np.where(swept, done - 1, np.where((choice >= 0) & taken, done - 1, done))
        new_link = np.where(swept, link, before_link[link, way])
        hop, link, done = np.where(swept, hop, hop - 1), new_link, new_done
        alive = ~finished
        walk, hop, link, done = walk[alive], hop[alive], link[alive], done[alive]
    return events


def _event(lattice: Lattice, sight_at, before_choice, state, outcome) -> Event:  # noqa: ANN001
    walk, hop, link, done = state
    swept, finished, way, taken = outcome
    unit = np.where(swept, done - 1, done)
    moved = ~swept & ~finished
    choice = np.where(moved, before_choice[link, way], -1)
    used = moved & (choice >= 0) & taken
    unit = np.where(used, done - 1, unit)
    sight = np.full(len(walk), -1, np.int64)
    for k, seen in enumerate(lattice.model.seen):
        here = np.flatnonzero(swept & (unit == k))
        if seen is None or not len(here):
            continue
        at = sight_at[k][link[here]]
        at = np.where((at >= 0) & (seen.score[at] > lattice.model.drop[k]), at, -1) if len(seen.score) else at
        sight[here] = at
    return Event(
        walk,
        hop,
        link,
        unit,
        np.where(used, choice, -1),
        np.where(moved & ~used, choice, -1),
        sight,
        swept & (sight < 0),
    )


def _incoming(area: Area) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Links that lead into each link and the junction transitions they use, padded with the link 0 and -2."""
    links = len(area.links)
    counts = np.bincount(area.choice_to, minlength=links)
    width = max(1, int(counts.max(initial=0)))
    before, choice = np.zeros((links, width), np.int64), np.full((links, width), -2, np.int64)
    before[area.single_to, 0], choice[area.single_to, 0] = area.single_from, -1
    slot = np.arange(len(area.choice_to)) - np.repeat(area.groups, np.diff(np.append(area.groups, len(area.choice_to))))
    before[area.choice_to, slot], choice[area.choice_to, slot] = area.choice_from, np.arange(len(area.choice_to))
    return before, choice


def _sight_index(model: Model, links: int) -> list[NDArray[np.int64]]:
    found = []
    for seen in model.seen:
        index = np.full(links, -1, np.int64)
        if seen is not None:
            index[seen.link] = np.arange(len(seen.link))
        found.append(index)
    return found


def _arrivals(lattice: Lattice, before_link, before_choice, hop, link, done):  # noqa: ANN001, ANN202
    """Best score on arrival, which way in gave it, and whether a unit was done at that transition."""
    model, best = lattice.model, lattice.best
    sources, choices = before_link[link], before_choice[link]
    at, state = np.maximum(hop - 1, 0)[:, None], done[:, None]
    plain = best[at, state, sources]
    less = best[at, np.maximum(state - 1, 0), sources]
    number = np.maximum(choices, 0)
    if model.skip.shape[1]:
        passed = plain + model.skip[state, number]
        units = max(len(model.drop), 1)
        used = (
            less + model.use[np.clip(state - 1, 0, units - 1), number]
            if len(model.drop)
            else np.full_like(plain, NEVER)
        )
    else:
        passed = used = np.full_like(plain, NEVER)
    used = np.where((state > 0) & (choices >= 0), used, NEVER)
    value = np.where(choices == -1, plain, np.where(choices >= 0, np.maximum(passed, used), NEVER * 2))
    way = value.argmax(axis=1)
    rows = np.arange(len(way))
    raw = np.where(hop == 0, np.where(done == 0, 0.0, NEVER), value[rows, way])
    return raw, way, (used > passed)[rows, way] & (choices[rows, way] >= 0)
