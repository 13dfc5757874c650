"""Detectors of causes by id: NavViz's own, then those that systems bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

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
from navviz.errors import PluginError, SettingsError
from navviz.support.installation.plugins import instance
from navviz.support.systems import System, is_own, load_part, systems
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
_OWN: Mapping[str, Callable[[], CauseDetector]] = {each().id: each for each in _CLASSES}
_PARTS = ("id", "name", "summary", "needs", "grade", "find")


def cause_ids() -> tuple[str, ...]:
    """Return all ids in the order in which causes of one step are listed.

    Those of systems come first: they know more of their own prompts.
    """
    return tuple(dict.fromkeys((*_targets(), *_OWN)))


def get_detector(name: str) -> CauseDetector:
    """Return the detector of an id.

    Raises
    ------
    SettingsError
        When there is none; `PluginError` when another package brings it, and it cannot be used.
    """
    # first, so that no package replaces a detector of NavViz's own
    if name in _OWN:
        return _OWN[name]()
    targets = _targets()
    if name not in targets:
        raise SettingsError(f"There is no cause {name!r}; choose of: {', '.join(cause_ids())}.")
    system, target = targets[name]

    def check(offered: object) -> str | None:
        return _unfit(name, offered)

    offered = load_part(system, target, check)
    return cast("CauseDetector", instance("navviz.systems", system.name, offered))


def detectors() -> list[CauseDetector]:
    """Return all detectors that work; one of another package that does not is noted."""
    working = []
    for name in cause_ids():
        try:
            working.append(get_detector(name))
        except PluginError:
            continue
    return working


def is_trusted(name: str) -> bool:
    """Whether a detector is NavViz's own, so that its failure is a fault of NavViz."""
    if name in _OWN:
        return True
    targets = _targets()
    return name in targets and is_own(targets[name][0])


def _targets() -> dict[str, tuple[System, str]]:
    """Return the system and the place of each detector that a system brings."""
    targets: dict[str, tuple[System, str]] = {}
    for system in systems():
        for name, target in system.causes.items():
            targets.setdefault(name, (system, target))
    return targets


def _unfit(name: str, offered: Any) -> str | None:  # noqa: ANN401 - whatever the package offers
    """Return what keeps an object from being a detector."""
    lacking = [part for part in _PARTS if not hasattr(offered, part)]
    if lacking:
        return f"is no detector of causes: it lacks {', '.join(lacking)}"
    if offered.id != name:
        return f"calls itself {offered.id!r}; name it the same in System.causes"
    return None
