"""Parameters of which the ordinary run takes some, and the night all.

A repetition (another size, another theme, another spelling of the same file, the same journey on
another page) finds seldom what its first case does not, and costs as much. The ordinary run takes
the cases that differ most; the nightly run takes the others too, so that none goes untried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def by_day(values: Iterable[Any], day: Collection[Any]) -> list[Any]:
    """Return the values as parameters of one argument, each that is not of the day's nightly.

    Parameters
    ----------
    values
        All cases.
    day
        Those of the ordinary run; each stands among `values`, else a case that was renamed would
        quietly wait for the night.

    Examples
    --------
    >>> [one if isinstance(one, str) else one.values for one in by_day(["small", "large"], ["small"])]
    ['small', ('large',)]
    """
    cases = list(values)
    assert all(one in cases for one in day), "the day takes a case that does not exist"
    assert day, "something of it is tried by day"
    return [one if one in day else pytest.param(one, marks=pytest.mark.nightly) for one in cases]


def alternating(values: Iterable[Any]) -> list[Any]:
    """Return every second value, from the first on: a half of the day's own, where no case differs
    more than another.
    """
    return list(values)[::2]
