"""Which episodes of a run one looks at, in which order: filters and sort as one value, as a link,
as words.

Explore's table and gallery, its filters and Replay's Next and Previous all use the same
`EpisodeList`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from navviz.language.skills import skill_legs
from navviz.runs.run import OpenRun
from navviz.runs.tables import LIST_DIGITS, Column, episode_columns
from navviz.views.figures.overview import thumbnail_points
from navviz.views.palette import SKILL_COLOURS
from navviz.views.site import SiteColumn

if TYPE_CHECKING:
    from typing import Self


_SEARCH, _SORT = "q", "sort"

_SEPARATOR = ","

_NUMBER = re.compile(r"\d+")

_DIGITS = 20

"""To which numbers in texts are filled with zeros before they are compared."""

_NOUNS = {
    "success": ("success", "successes"),
    "failure": ("failure", "failures"),
}


Range = tuple[float, float]


@cache
def filtered_by(*kinds: str) -> tuple[str, ...]:
    """Return the columns that a list filters so, see `Column.filter`, in their order."""
    return tuple(name for name, column in episode_columns().items() if column.filter in kinds)


def list_keys() -> tuple[str, ...]:
    """Return the names of the parameters that a list takes in a link."""
    return (_SEARCH, *filtered_by("choice", "tags"), *filtered_by("range"), _SORT)


@dataclass(frozen=True, slots=True)
class ListPosition:
    """Where an episode stands in a list."""

    index: int | None
    """From 0; ``None`` where the list does not hold the episode."""
    count: int
    previous: str | None
    next: str | None


@dataclass(frozen=True, slots=True)
class EpisodeList:
    """Filters and sort of a run's episodes; the empty one shows all of them in file order."""

    search: str = ""
    """Words that instruction or id hold, in any case."""
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Values that pass, by column; a column without an entry passes whole."""
    ranges: tuple[tuple[str, Range], ...] = ()
    """Smallest and largest number that pass, by column; rows without a value do not."""
    sort: str | None = None
    """Column that sorts; ``None`` keeps the file's order."""
    descending: bool = False

    def choice(self, column: str) -> tuple[str, ...]:
        """Return the values of a column that pass; none where all do."""
        return dict(self.choices).get(column, ())

    def range(self, column: str) -> Range | None:
        """Return the limits of a column, if it has any."""
        return dict(self.ranges).get(column)

    def with_choice(self, column: str, values: Iterable[str]) -> Self:
        """Return the list with other values of one column."""
        kept = {**dict(self.choices), column: tuple(values)}
        names = filtered_by("choice", "tags")
        return replace(self, choices=tuple((name, kept[name]) for name in names if kept.get(name)))

    def with_range(self, column: str, limits: Range | None) -> Self:
        """Return the list with other limits of one column."""
        kept = {**dict(self.ranges), column: limits}
        ranges = ((name, kept.get(name)) for name in filtered_by("range"))
        return replace(
            self, ranges=tuple((name, both) for name, both in ranges if both is not None)
        )

    @property
    def filtered(self) -> bool:
        """Whether it may leave episodes out."""
        return bool(self.search or self.choices or self.ranges)

    # --- as a link

    def to_query(self) -> dict[str, str]:
        """Return the parameters of a link, only those that say something."""
        query = {_SEARCH: self.search}
        query |= {name: _SEPARATOR.join(values) for name, values in self.choices}
        query |= {name: f"{low:.12g}{_SEPARATOR}{high:.12g}" for name, (low, high) in self.ranges}
        if self.sort:
            sign = "-" if self.descending else ""
            query[_SORT] = f"{sign}{self.sort}"
        return {name: text for name, text in query.items() if text}

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> EpisodeList:
        """Return the list of a link's parameters; others and wrong ones are passed over."""
        made = cls(search=query.get(_SEARCH, "").strip())
        for name in filtered_by("choice", "tags"):
            made = made.with_choice(
                name, (part for part in query.get(name, "").split(_SEPARATOR) if part)
            )
        for name in filtered_by("range"):
            made = made.with_range(name, _limits(query.get(name, "")))
        column = query.get(_SORT, "")
        name = column.removeprefix("-")
        sortable = name in episode_columns() and episode_columns()[name].filter != "tags"
        return replace(made, sort=name, descending=column.startswith("-")) if sortable else made

    # --- on a table

    def apply(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return rows of `OpenRun.listing` that pass, in order; missing values sort last."""
        keep = pd.Series(data=True, index=table.index)
        words = self.search.lower().split()
        if words:
            matches = [_has_words(text, words) for text in _searched(table)]
            keep &= pd.Series(matches, index=table.index, dtype=bool)
        for name, values in self.choices:
            if name in filtered_by("tags"):
                # lists: a row passes that has every chosen value
                wanted = set(values)
                has_all = [isinstance(tags, list) and wanted <= set(tags) for tags in table[name]]
                keep &= pd.Series(has_all, index=table.index, dtype=bool)
            else:
                keep &= table[name].isin(values)
        for name, limits in self.ranges:
            keep &= _numbers(table[name]).between(*limits).fillna(value=False).astype(bool)
        rows = table[keep]
        if self.sort is None:
            return rows
        key = _numbers if pd.api.types.is_numeric_dtype(rows[self.sort]) else _natural
        return rows.sort_values(
            self.sort, ascending=not self.descending, kind="stable", na_position="last", key=key
        )

    def place(self, order: Sequence[str], episode: str) -> ListPosition:
        """Return where an episode stands among those of the list, and its neighbours."""
        if episode not in order:
            return ListPosition(None, len(order), None, order[0] if order else None)
        at = order.index(episode)
        return ListPosition(
            at,
            len(order),
            order[at - 1] if at else None,
            order[at + 1] if at + 1 < len(order) else None,
        )

    # --- in words

    def noun(self, count: int) -> str:
        """Return what the list holds: ``failures``, ``successes``, ``episodes``."""
        named = list(self.choice("outcome")) if len(self.choice("outcome")) == 1 else []
        if self.choice("act") or self.choice("cause"):
            named = ["failure"]
        singular, plural = next(
            (_NOUNS[name] for name in named if name in _NOUNS), ("episode", "episodes")
        )
        return singular if count == 1 else plural

    def order_in_words(self) -> str:
        """Return the order of the list: ``by NE, highest first``; empty for the file's order."""
        if self.sort is None:
            return ""
        label = episode_columns()[self.sort].label.partition(" (")[0]
        return f"by {label}, {'highest' if self.descending else 'lowest'} first"

    def describe(self, place: ListPosition) -> str:
        """Return a place in words: ``3 of 26 failures, by NE, highest first``."""
        order = self.order_in_words()
        tail = f", {order}" if order else ""
        if place.index is None:
            return f"not among the {place.count:,} {self.noun(place.count)}"
        return f"{place.index + 1:,} of {place.count:,} {self.noun(place.count)}{tail}"


def _limits(text: str) -> Range | None:
    parts = text.split(_SEPARATOR)
    try:
        low, high = (float(part) for part in parts)
    except ValueError:
        return None
    return (low, high) if math.isfinite(low) and math.isfinite(high) and low <= high else None


def _numbers(column: pd.Series) -> pd.Series:
    # as the browser's list has them: unrounded, ties would be others here than there
    return pd.to_numeric(column, errors="coerce").round(LIST_DIGITS)


def _searched(table: pd.DataFrame) -> Iterator[str]:
    # Python's own lower case: Arrow's goes letter by letter, and the browser's does not
    for text, key in zip(table["instruction"], table["episode"], strict=True):
        yield (f"{text} {key}" if isinstance(text, str) else f" {key}").lower()


def _has_words(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)


def _natural(column: pd.Series) -> pd.Series:
    """Sort key by which text is compared in any case, and episode 2 comes before episode 10."""
    # ``assets/player/src/list/rows.js`` has the same key
    return column.map(_natural_text, na_action="ignore")


def _natural_text(text: str) -> str:
    return _NUMBER.sub(lambda number: number[0].zfill(_DIGITS), str(text).lower())


_FIRST = ("episode", "outcome", "instruction")

"""Columns that stand first and always: what one looks for in a list."""

_IN_FRONT = ("episode", "outcome", "likeness", "instruction")

"""How like a row is to what somebody asked for would be out of sight behind the instruction."""

_HIDDEN = frozenset({"kind"})

"""How the reference path was left repeats how the episode failed; an old link may filter by it."""

_METRES = frozenset({"NE", "length_m"})

_LIST_DIGITS = re.compile(r"%\.(\d)f")


def list_columns(table: pd.DataFrame, also: Collection[str] = ()) -> dict[str, list[Any]]:
    """Return the columns of a list as JSON holds them, in their order; missing is ``None``."""
    columns: dict[str, list[Any]] = {}
    names = dict.fromkeys([*_IN_FRONT, *episode_columns()])
    for name in names:
        if name in _HIDDEN and name not in also:
            continue
        cells = _cells(table[name])
        if name in _FIRST or name in also or any(map(_is_value, cells)):
            columns[name] = cells
    return columns


def _cells(column: pd.Series) -> list[Any]:
    """Return a column's values; whole columns at once, since 50,000 rows have two million cells."""
    if not pd.api.types.is_numeric_dtype(column):
        # NaN and pandas' NA are no JSON
        objects = column.astype(object)
        cells: list[Any] = objects.where(objects.notna(), None).tolist()
        return cells
    numbers = column.to_numpy(dtype=float, na_value=np.nan).round(LIST_DIGITS)
    finite = np.isfinite(numbers)
    values = numbers.astype(object)
    # beyond 2**53 a float is not exact, and an integer would claim more than it knows
    whole = finite & (numbers == np.rint(numbers)) & (np.abs(numbers) < 2**53)
    values[whole] = numbers[whole].astype("int64").astype(object)  # shorter: 3, not 3.0
    values[~finite] = None
    listed: list[Any] = values.tolist()
    return listed


def _is_value(value: object) -> bool:
    return value is not None and value not in ("", [])


def column_entries(
    columns: Mapping[str, list[Any]],
    labels: Mapping[str, Mapping[str, str]] | None = None,
    *,
    near: bool = False,
) -> list[SiteColumn]:
    """Describe the columns of a list, in their order."""
    shown = labels or {}
    entries = []
    for name in columns:
        named = dict(shown[name]) if name in shown else None
        entries.append(_entry(episode_columns()[name], named, near=near))
    return entries


def _entry(column: Column, labels: dict[str, str] | None, *, near: bool) -> SiteColumn:
    match = _LIST_DIGITS.fullmatch(column.format or "")
    digits = int(match[1]) if match else None
    if near and column.name in _METRES:
        digits = 2
    kind = "number" if column.is_number else "text"
    return SiteColumn(
        name=column.name,
        label=column.label,
        help=column.help,
        kind="tags" if column.filter == "tags" else kind,
        digits=digits,
        filter=column.filter,
        labels=labels,
    )


def thumb_of(run: OpenRun, key: str, *, has_floor: bool = True) -> dict[str, object]:
    """Return an episode's paths as the list's gallery draws them, in the colours of its skills;
    with the picture of their floor, unless that shall be left out.
    """
    trace = run.outlines[key]
    legs = []
    for skill, nodes in skill_legs(trace):
        legs.append((SKILL_COLOURS[skill] if skill else None, nodes))
    return thumbnail_points(
        run.graph(key), trace.episode.reference_path, trace.path, legs, has_floor=has_floor
    )
