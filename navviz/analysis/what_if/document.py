"""What-ifs as the player takes them: small, with each place's position once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from navviz.analysis.what_if.cube import WhatIf, WhatIfCell
from navviz.analysis.what_if.kept import EpisodeWhatIf
from navviz.analysis.what_if.tables import sentence_of
from navviz.records import Trace
from navviz.views.player.cut import PLACES
from navviz.world.graph import Graph

MOST_BYTES: Final = 16_000
"""Of an episode's what-ifs in its document."""
REFERENCE: Final = 1
UNSTABLE: Final = 2


def what_if_document(
    one: EpisodeWhatIf | None, trace: Trace, graph: Graph
) -> dict[str, Any] | None:
    """Return the fields of `WhatIfEntry` (`navviz.views.player`); ``None`` where nothing is said.

    Cells that would make it larger than `MOST_BYTES` are left out, those that end farthest from
    the goal first, and counted.
    """
    if one is None or not one.cells or (not isinstance(one, WhatIf) and one.until is None):
        return None
    unstable = one.unstable if isinstance(one, WhatIf) else frozenset()
    cells = list(one.others if isinstance(one, WhatIf) else one.cells)
    # the player counts steps from 1 in the order of the trace, whatever their indices are
    positions = {step: place for place, step in enumerate(one.steps, start=1)}
    entry: dict[str, Any] = {
        "who": one.navigator,
        "follows": not isinstance(one, WhatIf),
        "sentence": sentence_of(one),
        "ne_m": None if one.ne_m is None else round(one.ne_m, 1),
        "success": one.success,
        "decisive": [],
        "left_out": 0,
    }
    if isinstance(one, WhatIf):
        entry["decisive"] = [positions[step] for step in one.decisive]
    cells = [cell for cell in cells if cell.step in positions]
    farthest = sorted(cells, key=lambda cell: (cell.is_reference, -(cell.ne_m or 0.0)))
    while True:
        entry |= _cells(cells, graph, trace, positions, unstable)
        size = len(json.dumps(entry, separators=(",", ":")))
        if size <= MOST_BYTES:
            return entry
        # a tenth at once: each turn writes all of them
        dropped = set(map(id, farthest[: max(1, len(farthest) // 10)]))
        farthest = farthest[len(dropped) :]
        cells = [cell for cell in cells if id(cell) not in dropped]
        entry["left_out"] += len(dropped)


def _cells(
    cells: Sequence[WhatIfCell],
    graph: Graph,
    trace: Trace,
    positions: dict[int, int],
    unstable: frozenset[tuple[int, str]],
) -> dict[str, Any]:
    # numbers in the order of the walks, so that most of a walk is one run of numbers
    numbers = {node: number for number, node in enumerate(dict.fromkeys(trace.path))}
    rows = []
    for cell in cells:
        for node in cell.tail:
            numbers.setdefault(node, len(numbers))
        tail: list[int] = []
        for node in cell.tail:
            number = numbers[node]
            if tail and number == tail[-2] + tail[-1]:
                tail[-1] += 1
            else:
                tail += [number, 1]
        is_unstable = (cell.step, cell.fork) in unstable
        flags = REFERENCE * cell.is_reference + UNSTABLE * is_unstable
        ne_m = None if cell.ne_m is None else round(cell.ne_m, 1)
        rows.append([positions[cell.step], numbers[cell.fork], tail, ne_m, flags])
    scale, at, before = 10 ** PLACES[graph.frame], [], (0,) * graph.positions.shape[1]
    for node in numbers:
        place = tuple(round(value * scale) for value in graph.position(node))
        # as differences: neighbours lie near, so that their numbers are short
        at += [value - last for value, last in zip(place, before, strict=True)]
        before = place
    return {"at": at, "cells": rows}
