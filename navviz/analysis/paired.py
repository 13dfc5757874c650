"""What an edit did to the same episodes: rates before and after, flips both ways, and a test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from navviz.analysis.paired_tests import mcnemar
from navviz.metrics.intervals import Interval, difference_interval, mean_interval


@dataclass(frozen=True, slots=True)
class PairedResult:
    """Success of the same episodes in two runs."""

    before: Interval
    """Success rate of the baseline, 0 to 1."""
    after: Interval
    change: Interval
    """Mean of the paired differences."""
    gained: tuple[str, ...]
    """Ids that fail before and succeed after."""
    lost: tuple[str, ...]
    p: float
    """McNemar's exact test, two-sided."""
    unpaired: tuple[str, ...]
    """Ids that only one of the two has judged: no part of any figure here."""

    @property
    def n(self) -> int:
        """Number of pairs."""
        return self.before.episodes


def paired_result(
    before: Mapping[str, float | None], after: Mapping[str, float | None], ids: Iterable[str]
) -> PairedResult | None:
    """Compare success episode by episode; ``None`` where not one has both.

    Parameters
    ----------
    before, after
        Success (0 or 1) by episode id; ``None`` where it is not known.
    ids
        Episodes that the comparison is about, in order.
    """
    pairs: dict[str, tuple[float, float]] = {}
    unpaired = []
    for key in ids:
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            unpaired.append(key)
        else:
            pairs[key] = (old, new)
    if not pairs:
        return None
    old_values = [old for old, _ in pairs.values()]
    new_values = [new for _, new in pairs.values()]
    return PairedResult(
        before=mean_interval(old_values, yes_no=True),
        after=mean_interval(new_values, yes_no=True),
        change=difference_interval(old_values, new_values, yes_no=True),
        gained=tuple(key for key, (old, new) in pairs.items() if new > old),
        lost=tuple(key for key, (old, new) in pairs.items() if new < old),
        p=mcnemar(old_values, new_values),
        unpaired=tuple(unpaired),
    )
