"""Grouped tables: runs by difficulty, split, tag ... with any metrics, as papers print them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from navviz.analysis.measures import Cell, Measure, Treatment, cell_of, figures_of, measure
from navviz.analysis.walks import Group, Grouping, ScoredWalk, grouping
from navviz.errors import InputError, SettingsError
from navviz.records.base import plural
from navviz.support.systems import TablePreset, systems

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

    Raises `InputError` where no walk is in any group of the rows or of the columns; `SettingsError`
    for a table without rows or measures.
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
    """Return the walks of each combination of groups, by their numbers."""
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


_BENCHMARKS: Final = (
    TablePreset(
        "r2r",
        "Room-to-Room's standard table",
        ("run",),
        ("TL", "NE", "OSR", "SR", "SPL", "nDTW%", "SDTW%", "CLS%"),
        columns="split",
        totals=False,
        note="nDTW and SDTW after Ilharco et al. 2019, CLS after Jain et al. 2019",
    ),
    TablePreset(
        "reverie",
        "REVERIE's standard table: success by visible viewpoints",
        ("run",),
        ("TL", "SR_reverie", "OSR_reverie", "SPL_reverie%", "RGS", "RGSPL%"),
        columns="split",
        totals=False,
        note="success is REVERIE's: the last viewpoint sees the target object",
    ),
)


def presets() -> dict[str, TablePreset]:
    """Return all presets by name: those of the systems, then those of benchmarks."""
    chosen: dict[str, TablePreset] = {}
    for system in systems():
        for one in system.table_presets:
            chosen.setdefault(one.name, one)
    for one in _BENCHMARKS:
        chosen.setdefault(one.name, one)
    return chosen


def spec_of(chosen: TablePreset) -> TableSpec:
    """Resolve the names of a preset's groups and metrics.

    Raises `SettingsError` when NavViz knows no group or metric of such a name.
    """
    return TableSpec(
        rows=tuple(map(grouping, chosen.rows)),
        measures=tuple(map(measure, chosen.metrics)),
        columns=None if chosen.columns is None else grouping(chosen.columns),
        totals=chosen.totals,
        treatment=chosen.treatment,
    )


def preset(name: str) -> TablePreset:
    """Return a preset by its name; raises `SettingsError` for an unknown one."""
    by_name = presets()
    if name not in by_name:
        raise SettingsError(f"There is no preset {name!r}: choose one of {', '.join(by_name)}.")
    return by_name[name]


def preset_table(
    walks: Sequence[ScoredWalk], name: str, *, intervals: bool = False, notes: Sequence[str] = ()
) -> GroupedTable:
    """Compute a table of a paper; metrics that no run has are left out, and named in a note."""
    chosen = preset(name)
    spec = replace(spec_of(chosen), intervals=intervals)
    if spec.columns is not None and not any(spec.columns.of(walk) for walk in walks):
        notes = (*notes, f"no episode states its {spec.columns.label.lower()}")
        # a table refuses columns that no walk is in
        spec = replace(spec, columns=None)
    all_notes = (
        *([chosen.note] if chosen.note else []),
        *_left_out_of_table(walks, chosen),
        *notes,
    )
    table = grouped_table(walks, spec, chosen.title, all_notes)
    return without_empty(_with_printed(table, chosen) if spec.columns is None else table)


def _with_printed(table: GroupedTable, chosen: TablePreset) -> GroupedTable:
    """Add the rows that the paper prints, each named as such."""
    rows, cells = list(table.rows), list(table.cells)
    for name, figures in chosen.printed:
        line = []
        for shown, text in zip(table.measures, figures.split(), strict=True):
            # "~27,000" is a figure that the paper rounds
            number = text.strip("~").replace(",", "")
            value = None if text == "–" else float(number) / shown.scale
            line.append(Cell(value, 0, text=text))
        rows.append((f"paper: {name}", *[""] * (len(table.heads) - 1)))
        cells.append(tuple(line))
    eyes = (*table.eyes, *[""] * len(chosen.printed)) if table.eyes else ()
    return replace(table, rows=tuple(rows), cells=tuple(cells), eyes=eyes)


def _left_out_of_table(walks: Sequence[ScoredWalk], chosen: TablePreset) -> Iterator[str]:
    """Say of which runs GROKE's scripts leave episodes out of NE, and what NE is with them."""
    still = Counter(walk.run for walk in walks if walk.facts.never_moved)
    for run, count in still.items() if chosen.treatment == "authors" else ():
        every = cell_of([walk for walk in walks if walk.run == run], measure("NE"), {})
        sentence = f"{plural(count, 'episode')} never moved, which GROKE's scripts leave out of NE"
        yield f"{run}: {sentence} ({every.text} with them)"


def without_empty(table: GroupedTable) -> GroupedTable:
    """Leave out the metrics that no group has a figure for, and say which."""
    count = len(table.measures)
    has_value = [False] * count
    for row in table.cells:
        for k, cell in enumerate(row):
            if cell.value is not None:
                has_value[k % count] = True
    kept = [k for k in range(count) if has_value[k]]
    if len(kept) == count or not kept:
        return table
    out = ", ".join(shown.label for k, shown in enumerate(table.measures) if k not in kept)
    cells = []
    for row in table.cells:
        # the measures repeat in each group of a row
        left = [cell for at, cell in enumerate(row) if at % count in kept]
        cells.append(tuple(left))
    note = f"no run here has {out}"
    return replace(
        table,
        measures=tuple(table.measures[k] for k in kept),
        cells=tuple(cells),
        notes=(*table.notes, note),
    )
