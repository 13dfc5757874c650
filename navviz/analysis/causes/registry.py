"""Detectors of causes by id: NavViz's own, then those that systems bring."""

from __future__ import annotations

from collections.abc import Callable

from navviz.analysis.causes.counts import CountLost
from navviz.analysis.causes.landmarks import (
    AnotherTaken,
    LandmarkNeverShown,
    LandmarkNotOnMap,
    SaidMissing,
)
from navviz.analysis.causes.plans import ConditionUnseen, PlanLandmarks, PlanTurns
from navviz.analysis.causes.stops import (
    BackOnPath,
    NoLegalMove,
    PassedGoal,
    RanOut,
    StoodStill,
    StoppedEarly,
)
from navviz.analysis.causes.sub_goals import AgainstSubGoal, ClosedEarly, ClosedLate
from navviz.analysis.causes.things import AgainstThoughts, Ambiguous, AnotherThing, ThingNeverShown
from navviz.analysis.causes.ways import Contradicted, WayHidden
from navviz.errors import SettingsError
from navviz.support.systems import NAVVIZ, Part, offered, working
from navviz.systems.causes import CauseDetector

_CLASSES: tuple[Callable[[], CauseDetector], ...] = (
    Contradicted,
    PlanTurns,
    PlanLandmarks,
    WayHidden,
    Ambiguous,
    NoLegalMove,
    StoodStill,
    ClosedEarly,
    CountLost,
    ClosedLate,
    AnotherTaken,
    AnotherThing,
    LandmarkNeverShown,
    ThingNeverShown,
    AgainstSubGoal,
    AgainstThoughts,
    LandmarkNotOnMap,
    ConditionUnseen,
    SaidMissing,
    StoppedEarly,
    BackOnPath,
    RanOut,
    PassedGoal,
)
"""In this order causes of one step are listed: what made the agent go wrong before what it did."""


def cause_parts() -> dict[str, Part]:
    """Return all detectors by id, in the order in which causes of one step are listed.

    Those of systems come first: they know more of their own prompts.
    """
    parts = offered("causes", CauseDetector, {each().id: each for each in _CLASSES})
    return dict(sorted(parts.items(), key=lambda entry: entry[1].system is NAVVIZ))


def cause_ids() -> tuple[str, ...]:
    """Return all ids in the order of `cause_parts`."""
    return tuple(cause_parts())


def get_detector(name: str) -> CauseDetector:
    """Return the detector of an id.

    Raises
    ------
    SettingsError
        When there is none; `PluginError` when another package brings it, and it cannot be used.
    """
    parts = cause_parts()
    if name not in parts:
        raise SettingsError(f"There is no cause {name!r}; choose of: {', '.join(parts)}.")
    detector: CauseDetector = parts[name].load()
    return detector


def detectors() -> list[CauseDetector]:
    """Return all detectors that work; one of another package that does not is noted."""
    return [detector for _, detector in working(cause_parts().values())]
