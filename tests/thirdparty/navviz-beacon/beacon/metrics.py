"""Metrics that only Beacon defines."""

from beacon.panels import sights
from navviz.metrics.registry import Metric

METRICS = (
    Metric(
        "new_beacon",
        "new places",
        "fraction",
        "higher",
        "places of the walk that it had not been at / places of the walk",
        "the tests of NavViz",
    ),
    Metric(
        "lit_beacon",
        "lit places",
        "fraction",
        "higher",
        "places of the walk with a landmark within 25 m / places of the walk",
        "the tests of NavViz",
    ),
)


def score_walk(walk):
    """Measure one walk: `walk` has trace, graph, path (node ids) and ruler (distances in metres)."""
    if not walk.path:
        return {"new_beacon": None, "lit_beacon": None}
    lit = [node for node in walk.path if sights(walk.graph, node)]
    return {
        "new_beacon": len(set(walk.path)) / len(walk.path),
        "lit_beacon": len(lit) / len(walk.path),
    }
