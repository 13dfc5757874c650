"""Which likely causes and hints vanished and which came between two runs, by episode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from navviz.analysis.causes.counting import NO_CAUSE_ID, cause_name, leading_ids
from navviz.analysis.causes.engine import NO_CAUSE, EpisodeCauses
from navviz.analysis.causes.registry import get_detector
from navviz.analysis.paired_tests import mcnemar
from navviz.errors import InputError
from navviz.metrics.intervals import holm


@dataclass(frozen=True, slots=True)
class CauseChange:
    """One likely cause, or first hint, in two runs of the same episodes."""

    id: str
    name: str
    vanished: tuple[str, ...]
    """Episodes that failed for it in the first run, and not in the second."""
    came: tuple[str, ...]
    """Episodes that failed for it in the second run, and not in the first."""
    stayed: tuple[str, ...]
    """Episodes that failed for it in both."""
    p: float
    """McNemar's exact test of vanished against came, two-sided."""
    p_holm: float
    """Adjusted over all causes of the table (Holm 1979)."""


@dataclass(frozen=True, slots=True)
class CauseChanges:
    """The likely causes of two runs, over the episodes that both walked."""

    episodes: tuple[str, ...]
    changes: tuple[CauseChange, ...]
    """The greatest change first."""


def cause_changes(
    before: Mapping[str, EpisodeCauses], after: Mapping[str, EpisodeCauses]
) -> CauseChanges:
    """Count for each likely cause and first hint in how many episodes it vanished, came and stayed.

    Episodes count that both runs walked and whose success is known in both. A failure with
    neither counts as one of its own, ``none-found``.

    Raises
    ------
    InputError
        When the runs share no such episode.
    """
    episodes = tuple(
        key for key in before if key in after and _have_outcomes(before[key], after[key])
    )
    if not episodes:
        raise InputError(
            "the runs share no episode whose success is known in both",
            "choose runs over the same episodes",
        )
    ids_before, ids_after = leading_ids(before), leading_ids(after)
    names: dict[str, None] = {}
    for key in episodes:
        for name in (ids_before[key], ids_after[key]):
            if name is not None:
                names.setdefault(name)
    raw = [(name, *_tested(name, episodes, ids_before, ids_after)) for name in names]
    adjusted = holm([row[-1] for row in raw])
    changes = []
    for (name, vanished, came, stayed, p), p_holm in zip(raw, adjusted, strict=True):
        changes.append(CauseChange(name, _name(name), vanished, came, stayed, p, p_holm))
    changes.sort(key=lambda change: (-len(change.vanished) - len(change.came), change.id))
    return CauseChanges(episodes, tuple(changes))


def _have_outcomes(before: EpisodeCauses, after: EpisodeCauses) -> bool:
    return before.success is not None and after.success is not None


def _name(name: str) -> str:
    if name == NO_CAUSE_ID:
        return NO_CAUSE.capitalize()
    return cause_name(get_detector(name))


def _tested(
    name: str,
    episodes: tuple[str, ...],
    before: Mapping[str, str | None],
    after: Mapping[str, str | None],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], float]:
    """Return the episodes that lost, got and kept a cause, and the p of the change."""
    had = [before[key] == name for key in episodes]
    has = [after[key] == name for key in episodes]
    groups: dict[tuple[bool, bool], list[str]] = {}
    for key, *pair in zip(episodes, had, has, strict=True):
        groups.setdefault((pair[0], pair[1]), []).append(key)
    vanished, came = groups.get((True, False), []), groups.get((False, True), [])
    stayed = groups.get((True, True), [])
    return tuple(vanished), tuple(came), tuple(stayed), mcnemar(had, has)
