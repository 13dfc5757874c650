"""Where a free walk left the corridor around its reference path."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from navviz.metrics.free_walks import Line, apart_m, walk_line
from navviz.records import Episode, Trace

_SPACING_M = 0.25
"""Distance of the points that stand for a reference: one forward step of VLN-CE."""


class Excursion(NamedTuple):
    """A stretch of a walk outside of the corridor."""

    step: int
    """Index of the step that left, counted from 1."""
    node: str
    """The last place inside."""
    returned_step: int | None
    returned_node: str | None
    off_route_m: float
    """How far from the reference it got."""


def leaves_corridor(trace: Trace) -> Excursion | None:
    """Return the last stretch of a free walk farther from the reference than the success radius.

    Distances are straight lines to the expert's whole walk where it is known, else to the reference
    path. ``None`` for a walk that stayed, or that cannot be compared.
    """
    line, reference = walk_line(trace), _reference(trace.episode)
    if line is None or reference is None or reference.shape[1] != line.shape[1]:
        return None
    off_m = apart_m(line, reference).min(axis=1)
    outside = np.flatnonzero(off_m > trace.episode.success_radius_m)
    # a walk that begins outside of the corridor cannot leave it
    if len(outside) == 0 or outside[0] == 0:
        return None
    last = int(outside[-1])
    first = last
    # back to where the stretch began; earlier ones were repaired
    while first - 1 in outside:
        first -= 1
    path, arrivals = trace.path, _arrivals(trace)
    back = last + 1 if last + 1 < len(path) else None
    return Excursion(
        step=arrivals[first],
        node=path[first - 1],
        returned_step=None if back is None else arrivals[back],
        returned_node=None if back is None else path[back],
        off_route_m=float(off_m[first : last + 1].max()),
    )


def _arrivals(trace: Trace) -> list[int]:
    """Return the step that came to each place of the walk; 0 for the start."""
    steps, here = [0], trace.episode.start
    for step in trace.steps:
        for node in step.path:
            if node != here:
                steps.append(step.index)
                here = node
    return steps


def _reference(episode: Episode) -> Line | None:
    if episode.reference_positions:
        return np.asarray(episode.reference_positions, dtype=float)
    points = [episode.places.get(node) for node in episode.reference_path]
    placed = [point for point in points if point is not None]
    if not placed or len(placed) != len(points) or len({len(point) for point in placed}) != 1:
        return None
    return _densified(np.asarray(placed, dtype=float))


def _densified(line: Line) -> Line:
    """Return a polyline with a point at least every 0.25 m; one in degrees stays as it is."""
    if line.shape[1] == 2 or len(line) < 2:
        return line
    parts = [line[:1]]
    for start, end in pairwise(line):
        count = max(1, int(np.ceil(np.linalg.norm(end - start) / _SPACING_M)))
        # without its start, with which the part before ends
        shares = np.linspace(0, 1, count + 1)[1:, None]
        parts.append(start + shares * (end - start))
    return np.concatenate(parts)
