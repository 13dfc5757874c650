"""Detectors of causes by id: NavViz's own, then those that systems bring."""

from __future__ import annotations

from collections.abc import Callable

from navviz.analysis.causes.progress import ClosedEarly, ClosedLate, Miscounted, Repeated
from navviz.analysis.causes.replies import (
    AgainstSubGoal,
    AgainstThoughts,
    IllegalReply,
    RuleNamed,
    StoodStill,
)
from navviz.analysis.causes.shown import (
    LandmarkBeyond,
    LandmarkNeverShown,
    LandmarkNodeTaken,
    LandmarkNotOnMap,
    LandmarkShown,
    WaitsFor,
    WayNeverShown,
)
from navviz.analysis.causes.things import Ambiguous, AnotherThing, ThingNeverShown
from navviz.analysis.causes.told import Contradicted, PlanLostLandmark, PlanWrong, WordOfTheWay
from navviz.errors import SettingsError
from navviz.support.systems import NAVVIZ, OfferedPart, offered, working
from navviz.systems.causes import CauseDetector

_CLASSES: tuple[Callable[[], CauseDetector], ...] = (
    IllegalReply,
    StoodStill,
    Contradicted,
    WordOfTheWay,
    WayNeverShown,
    PlanWrong,
    RuleNamed,
    LandmarkBeyond,
    Miscounted,
    Repeated,
    LandmarkNodeTaken,
    ClosedEarly,
    WaitsFor,
    ClosedLate,
    PlanLostLandmark,
    Ambiguous,
    AnotherThing,
    LandmarkNeverShown,
    ThingNeverShown,
    AgainstSubGoal,
    LandmarkShown,
    AgainstThoughts,
    LandmarkNotOnMap,
)
"""In this order explanations lead: what made the agent go wrong before what it did."""

NEVER_LEAD = frozenset({"landmark-not-on-map"})
"""What explains nothing by itself: it folds under what leads."""


def cause_parts() -> dict[str, OfferedPart]:
    """Return all detectors by id, in the order in which they lead.

    Those of systems come first: they know more of their own prompts.
    """
    parts = offered("causes", CauseDetector, {each().id: each for each in _CLASSES})
    return dict(sorted(parts.items(), key=lambda entry: entry[1].system is NAVVIZ))


def cause_ids() -> tuple[str, ...]:
    """Return all ids in the order of `cause_parts`."""
    return tuple(cause_parts())


def get_detector(name: str) -> CauseDetector:
    """Return the detector of an id.

    Raises `SettingsError` when there is none; `PluginError` when another package brings it, and it
    cannot be used.
    """
    parts = cause_parts()
    if name not in parts:
        raise SettingsError(f"There is no cause {name!r}; choose of: {', '.join(parts)}.")
    detector: CauseDetector = parts[name].load()
    return detector


def detectors() -> list[CauseDetector]:
    """Return all detectors that work; one of another package that does not is noted."""
    return [detector for _, detector in working(cause_parts().values())]
