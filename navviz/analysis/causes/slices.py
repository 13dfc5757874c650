"""Causes as features of slices.

A cause is found in the walk, while every other feature was known before. So failures have more of
them by construction: most detectors speak up only where the route was left. `CONFOUNDED` says so,
and belongs beside every such slice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.slice_features import run_features
from navviz.analysis.slices import Slice, failed_episodes, find_slices
from navviz.runs.run import OpenRun

CONFOUNDED: Final = (
    "Causes were found in the walks, so failures have more of them by construction: these slices"
    " say how often a cause comes with failure, not that it makes agents fail."
)


def cause_features(explained: Mapping[str, EpisodeCauses]) -> dict[str, frozenset[str]]:
    """Return the causes of each episode as features, by its id.

    Parameters
    ----------
    explained
        From `navviz.analysis.causes.table.explain_run`.

    Returns
    -------
    ``cause: count-lost`` and the like; hints too, an empty set for an episode without a cause.
    """
    features = {}
    for key, one in explained.items():
        features[key] = frozenset(f"cause: {name}" for name in one.ids)
    return features


def slices_with_causes(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> list[Slice]:
    """Find on what a run fails more often, causes among the features; see `CONFOUNDED`."""
    features = run_features(run.traces, run.graph_of)
    causes = cause_features(explained)
    joined = {key: own | causes.get(key, frozenset()) for key, own in features.items()}
    return find_slices(joined, failed_episodes(run.scores))
