"""Dynamic programming: the best alignment of the plan's units with every forward walk.

State: (links walked, link, units done). Forward walks from the start are a tree; two branches that
arrive on the same link after the same number of links with the same units done have the same
future, so that only the better one is kept. That makes the search exact; where walks are so long
that there is no room, a beam first thins out the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navviz.language.placing.area import SearchArea, Sightings

# finite, so that sums and differences of it stay numbers
NEVER = np.float32(-1e9)
_EPSILON = 1e-4
"""Rounding of float32 sums; smaller differences decide nothing."""
Scores = NDArray[np.float32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class AlignmentModel:
    """Scores of everything that can happen to one plan in one area."""

    use: Scores
    """Shape ``(units, choices)``: a unit is done at a junction transition; `NEVER` for landmark
    units.
    """
    skip: Scores
    """Shape ``(units + 1, choices)``: a transition is made without a word, while the unit is next.
    """
    drop: Scores
    """Shape ``(units,)``: a unit finds no place."""
    seen: tuple[Sightings | None, ...]
    """Landmark units: where they are seen; ``None`` for junction units."""


@dataclass(frozen=True)
class Lattice:
    """Best scores: ``best[links walked - 1, units done, link]``."""

    area: SearchArea
    model: AlignmentModel
    best: Scores


def align(
    area: SearchArea,
    model: AlignmentModel,
    hops: int,
    *,
    begin: Scores | None = None,
    forced: Sequence[int] = (),
) -> Lattice:
    """Fill the lattice."""
    units, links = len(model.drop), len(area.links)
    best = np.empty((hops, units + 1, links), np.float32)
    if not links:
        return Lattice(area, model, best)
    best[0] = NEVER
    if begin is None:
        begin = np.where(np.arange(units + 1) == 0, 0.0, NEVER)
    best[0][:, area.first_links] = begin[:, None]
    _sweep(best[0], model)
    for t in range(1, hops):
        _arrive(best[t - 1], best[t], area, model)
        if t < len(forced):
            best[t][:, np.arange(links) != forced[t]] = NEVER
        _sweep(best[t], model)
    return Lattice(area, model, best)


def promising(
    area: SearchArea,
    model: AlignmentModel,
    hops: int,
    ahead: NDArray[np.float64],
    width: float,
    *,
    forced: Sequence[int] = (),
) -> NDArray[np.bool_]:
    """Links that a beam search passes: what to keep of an area too large for a lattice."""
    links = len(area.links)
    kept = np.zeros(links, bool)
    now = np.full((len(model.drop) + 1, links), NEVER, np.float32)
    now[0, area.first_links] = 0.0
    for t in range(hops):
        if 0 < t < len(forced):
            now[:, np.arange(links) != forced[t]] = NEVER
        _sweep(now, model)
        worth = now + ahead[:, None].astype(np.float32)
        now[worth < worth.max() - width] = NEVER
        # a state out of reach is `NEVER` plus some weights: far below half of it in any case
        kept |= (now > NEVER / 2).any(axis=0)
        after = np.empty_like(now)
        _arrive(now, after, area, model)
        now = after
    return kept


def _arrive(before: Scores, after: Scores, area: SearchArea, model: AlignmentModel) -> None:
    # `clip` writes straight into `after`, where NumPy's default has a buffer between; the columns
    # of -1, which it clips to 0, are set anew in the next line
    np.take(before, area.single_before, axis=1, out=after, mode="clip")
    after[:, area.no_single] = NEVER
    if len(area.choice_from):
        gathered = before[:, area.choice_from]
        moved = gathered + model.skip
        # row k takes the better one: k units were done before, or k - 1 and one is done here
        np.maximum(moved[1:], gathered[:-1] + model.use, out=moved[1:])
        # transitions are sorted by the link they lead to, so that each group is one run for
        # reduceat
        after[:, area.choice_to[area.groups]] = np.maximum.reduceat(moved, area.groups, axis=1)


def _sweep(best: Scores, model: AlignmentModel) -> None:
    # in the order of the units: one place may see, or drop, several of them in a row
    for k, seen in enumerate(model.seen):
        row = best[k] + model.drop[k]
        if seen is not None:
            row[seen.link] = np.maximum(row[seen.link], best[k, seen.link] + seen.score)
        np.maximum(best[k + 1], row, out=best[k + 1])


@dataclass(frozen=True)
class Event:
    """What happened in one backward step of several walks at once; all arrays have one entry a walk
    that took part.
    """

    walk: Numbers
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


@dataclass(frozen=True)
class _States:
    """Where several walks stand on their way back; all arrays have one entry a walk."""

    walk: Numbers
    hop: Numbers
    link: Numbers
    done: Numbers

    def only(self, keep: NDArray[np.bool_]) -> _States:
        return _States(self.walk[keep], self.hop[keep], self.link[keep], self.done[keep])


@dataclass(frozen=True)
class _Arrivals:
    """How the best walks came to where they stand, before anything was seen there."""

    score: NDArray[np.float32]
    link: Numbers
    choice: Numbers
    """Junction transition, -1 at plain nodes, -2 where nothing leads here."""
    taken: NDArray[np.bool_]
    """A unit was done at the transition."""


def trace_back(lattice: Lattice, hops: Numbers, links: Numbers) -> list[Event]:
    """Undo the best alignments that end on `links` after `hops` + 1 links, all units done; the
    latest events first.

    The walk itself is in the events too: each carries the link, and plain transitions appear with
    no use, skip or drop.
    """
    ways = _incoming(lattice.area)
    sight_at = _sight_index(lattice.model, len(lattice.area.links))
    done = np.full(len(hops), lattice.best.shape[1] - 1, np.int64)
    at = _States(np.arange(len(hops)), hops.astype(np.int64), links.astype(np.int64), done)
    events = []
    while len(at.walk):
        came = _arrivals(lattice, ways, at)
        # a score better than that of arriving came from the sweep: a unit was seen or dropped here
        swept = (lattice.best[at.hop, at.done, at.link] > came.score + _EPSILON) & (at.done > 0)
        finished = ~swept & (at.hop == 0)
        model = lattice.model
        moved = ~swept & ~finished
        choice = np.where(moved, came.choice, -1)
        used = moved & (choice >= 0) & came.taken
        unit = np.where(swept | used, at.done - 1, at.done)
        sight = np.full(len(at.walk), -1, np.int64)
        for k in set(unit[swept].tolist()):
            seen = model.seen[k]
            if seen is None or not len(seen.score):
                continue
            here = np.flatnonzero(swept & (unit == k))
            index = sight_at[k][at.link[here]]
            # the sweep took the better one of seeing and dropping, so comparing again says which
            sight[here] = np.where((index >= 0) & (seen.score[index] > model.drop[k]), index, -1)
        use, skip = np.where(used, choice, -1), np.where(moved & ~used, choice, -1)
        events.append(Event(at.walk, at.hop, at.link, unit, use, skip, sight, swept & (sight < 0)))
        undone = swept | ((came.choice >= 0) & came.taken)
        at = _States(
            at.walk, at.hop - ~swept, np.where(swept, at.link, came.link), at.done - undone
        )
        if finished.any():
            at = at.only(~finished)
    return events


def _incoming(area: SearchArea) -> tuple[Numbers, Numbers]:
    """Links that lead into each link, and their junction transitions, padded with 0 and -2."""
    links = len(area.links)
    counts = np.bincount(area.choice_to, minlength=links)
    width = max(1, int(counts.max(initial=0)))
    before, choice = np.zeros((links, width), np.int64), np.full((links, width), -2, np.int64)
    before[area.single_to, 0], choice[area.single_to, 0] = area.single_from, -1
    slot = np.arange(len(area.choice_to)) - np.repeat(
        area.groups, np.diff(np.append(area.groups, len(area.choice_to)))
    )
    before[area.choice_to, slot], choice[area.choice_to, slot] = (
        area.choice_from,
        np.arange(len(area.choice_to)),
    )
    return before, choice


def _sight_index(model: AlignmentModel, links: int) -> list[Numbers]:
    indices = []
    for seen in model.seen:
        index = np.full(links, -1, np.int64)
        if seen is not None:
            index[seen.link] = np.arange(len(seen.link))
        indices.append(index)
    return indices


def _arrivals(lattice: Lattice, ways: tuple[Numbers, Numbers], at: _States) -> _Arrivals:
    model, best = lattice.model, lattice.best
    links, choices = ways[0][at.link], ways[1][at.link]
    hop, done = np.maximum(at.hop - 1, 0)[:, None], at.done[:, None]
    plain = best[hop, done, links]
    passed = used = np.full_like(plain, NEVER)
    # padding and plain nodes read the number 0 here; both are masked below
    number = np.maximum(choices, 0)
    if model.skip.shape[1]:
        passed = plain + model.skip[done, number]
    if model.use.size:
        earlier = np.maximum(done - 1, 0)
        used = best[hop, earlier, links] + model.use[earlier, number]
    used = np.where((done > 0) & (choices >= 0), used, NEVER)
    # padding scores below every state that is out of reach, so that argmax never picks it
    score = np.where(
        choices == -1, plain, np.where(choices >= 0, np.maximum(passed, used), NEVER * 2)
    )
    way, rows = score.argmax(axis=1), np.arange(len(at.walk))
    at_start = np.where(at.done == 0, np.float32(0.0), NEVER)
    choice = choices[rows, way]
    return _Arrivals(
        np.where(at.hop == 0, at_start, score[rows, way]),
        links[rows, way],
        choice,
        (used > passed)[rows, way],
    )
