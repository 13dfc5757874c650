"""What the rest of a plan is expected to score, so that walks compare that have done more and less
of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from navviz.systems.rules.grammar.reading import Reading, Unit

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
    """Return what the expected score of a unit is made of: how often each of `EXPECTED_OF_UNIT`
    counts.
    """
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
