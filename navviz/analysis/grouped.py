"""Grouped tables: runs by difficulty, split, tag ... with any metrics, as papers print them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from navviz.analysis.measures import Cell, Measure, Treatment, cell_of, figures_of
from navviz.analysis.walks import Group, Grouping, ScoredWalk
from navviz.errors import InputError, SettingsError

ALL = "all"
"""Label of the group of all walks."""
_MOST_CELLS = 20_000


@dataclass(frozen=True, slots=True)
class TableSpec:
    """What a table shall show."""

    rows: tuple[Grouping, ...]
    """One head column each; at least one."""
    measures: tuple[Measure, ...]
    columns: Grouping | None = None
    """Groups beside each other, each with all measures; ``None`` for all walks of a row."""
    totals: bool = True
    """Whether each grouping but the run gets a last group of all."""
    treatment: Treatment = "own"
    intervals: bool = False


@dataclass(frozen=True)
class GroupedTable:
    """A table as it is printed, with what it is made of."""

    heads: tuple[str, ...]
    """Heads of the columns that name the groups of a row."""
    rows: tuple[tuple[str, ...], ...]
    """For each row one label a head."""
    groups: tuple[str, ...]
    """Labels of the column groups; one empty label where there are none."""
    measures: tuple[Measure, ...]
    cells: tuple[tuple[Cell, ...], ...]
    """For each row, group after group, one cell a measure."""
    notes: tuple[str, ...] = ()
    """How to read it, one sentence each."""
    title: str = ""
    eyes: tuple[str, ...] = ()
    """For each row ``pictures`` or ``text variant``, as its runs' models saw; empty where none of
    them says it. The notes say it where a table is printed; data without notes have it in a column.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """One head a column of figures, in one line: ``easy NE (m)``."""
        return tuple(
            f"{group} {shown.label}".strip() for group, shown in product(self.groups, self.measures)
        )

    def cell(self, row: Sequence[str], measure: str, group: str = "") -> Cell:
        """Return one cell by its labels."""
        names = [shown.name for shown in self.measures]
        at = self.groups.index(group) * len(names) + names.index(measure)
        return self.cells[self.rows.index(tuple(row))][at]


def grouped_table(
    walks: Sequence[ScoredWalk], spec: TableSpec, title: str = "", notes: Sequence[str] = ()
) -> GroupedTable:
    """Compute a table.

    Parameters
    ----------
    walks
        Of all runs that it shows.
    spec
        Its rows, columns and measures.
    title, notes
        Printed with it.

    Raises
    ------
    InputError
        Where no walk is in any group of the rows or of the columns.
    SettingsError
        For a table without rows or measures.
    """
    if not spec.rows or not spec.measures:
        raise SettingsError(
            "A table needs something to make rows of, and a metric: choose one of each."
        )
    rows = _members(walks, spec.rows, totals=spec.totals)
    columns = _members(walks, () if spec.columns is None else (spec.columns,), totals=spec.totals)
    if len(rows) * len(columns) * len(spec.measures) > _MOST_CELLS:
        raise SettingsError(
            f"The table would have more than {_MOST_CELLS:,} cells: choose fewer groups or metrics."
        )
    opened = {id(walk.opened): walk.opened for walk in walks}
    near = any(run.is_near for run in opened.values())
    measures = tuple(shown.where(near=near) for shown in spec.measures)
    cells = []
    for members in rows.values():
        line: list[Cell] = []
        for others in columns.values():
            group = [walk for k, walk in members.items() if k in others]
            # once for all measures, since it may read the traces of the group
            figures = figures_of(group, spec.treatment)
            for shown in measures:
                cell = cell_of(group, shown, figures, intervals=spec.intervals)
                line.append(cell)
        cells.append(tuple(line))
    return GroupedTable(
        heads=tuple(by.label for by in spec.rows),
        rows=tuple(rows),
        groups=("",) if spec.columns is None else tuple(label[0] for label in columns),
        measures=measures,
        cells=tuple(cells),
        notes=(*notes, *_eyes(walks), *_left_out(walks, spec)),
        title=title,
        eyes=_eyes_of_rows(rows.values()),
    )


_Members = dict[tuple[str, ...], dict[int, ScoredWalk]]


def _members(walks: Sequence[ScoredWalk], by: Sequence[Grouping], *, totals: bool) -> _Members:
    """Return the walks of each combination of groups, by their numbers; empty combinations are left
    out.
    """
    numbered = dict(enumerate(walks))
    if not by:
        return {(): numbered}
    axes = [_groups(numbered, grouping, totals=totals) for grouping in by]
    members: _Members = {}
    for labels in product(*axes):
        inside = [axis[label] for axis, label in zip(axes, labels, strict=True)]
        shared = set(inside[0]).intersection(*inside[1:])
        if shared:
            # out of the first axis, since the set has lost the order of the walks
            members[labels] = {k: walk for k, walk in inside[0].items() if k in shared}
    return members


def _groups(
    numbered: Mapping[int, ScoredWalk], by: Grouping, *, totals: bool
) -> dict[str, dict[int, ScoredWalk]]:
    """Return the walks of each group, in order, with those of any group last."""
    members: dict[Group, dict[int, ScoredWalk]] = {}
    for k, walk in numbered.items():
        for group in by.of(walk):
            members.setdefault(group, {})[k] = walk
    if not members:
        label = by.label.lower()
        # "sub-goals" and "words" take no article
        noun = label if label.endswith("s") else f"a {label}"
        raise InputError(f"no episode has {noun}", _advice(by))
    ordered = sorted(members, key=lambda group: group.order)
    groups = {group.label: members[group] for group in ordered}
    # a walk may be in several groups, or in none
    if totals and by.name != "run":
        in_any = set().union(*groups.values())
        groups[ALL] = {k: walk for k, walk in numbered.items() if k in in_any}
    return groups


def _advice(by: Grouping) -> str:
    if by.name == "difficulty":
        return "give a file of ratings (--ratings), or rate them on the Annotate page"
    return "choose another grouping"


def _eyes(walks: Sequence[ScoredWalk]) -> list[str]:
    """Say which runs were shown pictures: their figures are those of another agent."""
    by_run = {walk.run: walk.opened.eyes for walk in walks}
    return [f"{label}: {eyes}" for label, eyes in by_run.items() if eyes]


def _eyes_of_rows(rows: Iterable[Mapping[int, ScoredWalk]]) -> tuple[str, ...]:
    """Name for each row what its runs' models were shown; nothing where no run says it."""
    lines = []
    for members in rows:
        runs = {id(walk.opened): walk.opened for walk in members.values()}
        eyes = {run.eyes for run in runs.values()}
        lines.append("; ".join(sorted(filter(None, eyes))))
    return tuple(lines) if any(lines) else ()


def _left_out(walks: Sequence[ScoredWalk], spec: TableSpec) -> list[str]:
    notes = []
    for by in (*spec.rows, *((spec.columns,) if spec.columns is not None else ())):
        out = sum(not by.of(walk) for walk in walks)
        if out:
            notes.append(f"{out} of {len(walks)} walks have no {by.label.lower()} and are left out")
    return notes
