"""Goal progress of NDH: by how much a walk came nearer to the place that the dialogue is about.

References
----------
Thomason et al., "Vision-and-Dialog Navigation", CoRL 2019, arXiv:1907.04957, section 5, and its
evaluation script (``dist_to_end_reductions``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from navviz.metrics.registry import Metric
from navviz.metrics.walked import Ruler, ScoredPath

METRICS: tuple[Metric, ...] = (
    Metric(
        "GP",
        "goal progress",
        "m",
        "higher",
        "d(start, nearest end) - d(last viewpoint, nearest end)",
        "Thomason et al. 2019 (CVDN), arXiv:1907.04957, section 5",
        label="Goal progress",
        help="Metres by which the walk came nearer to the place of the dialogue; below 0: away",
        shown={"dialogue": 2, "head dialogue": 1},
    ),
)


def score_walk(walk: ScoredPath) -> dict[str, float | None]:
    """Measure one walk; empty for an episode without end viewpoints."""
    ends = walk.trace.episode.extra.get("end_panos")
    if not isinstance(ends, list) or not walk.path:
        return {}
    present = [node for node in ends if isinstance(node, str) and node in walk.graph]
    if not present:
        return {"GP": None}
    return {"GP": goal_progress_m(walk.trace.episode.start, walk.path[-1], present, walk.ruler)}


def goal_progress_m(start: str, last: str, ends: Sequence[str], ruler: Ruler) -> float | None:
    """Return by how many metres `last` is nearer to the nearest of `ends` than `start` is.

    Negative where the agent went away from it; ``None`` where no way leads there. Distances are
    those of the ruler: over the links indoors.
    """
    # each distance to its own nearest end: after the walk it may be another one
    before_m = float(ruler.matrix_m([start], ends).min())
    after_m = float(ruler.matrix_m([last], ends).min())
    if not (math.isfinite(before_m) and math.isfinite(after_m)):
        return None
    return before_m - after_m
