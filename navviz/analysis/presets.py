"""Tables of papers by name: those that systems bring, and those of benchmarks.

No figure stands here: all are computed. GROKE's figure 7 is `navviz.analysis.marginal`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from navviz.analysis.grouped import GroupedTable, TableSpec, grouped_table
from navviz.analysis.measures import cell_of, measure
from navviz.analysis.walks import ScoredWalk, grouping
from navviz.errors import SettingsError
from navviz.records.plural import plural
from navviz.support.systems import TablePreset, systems

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

    Raises
    ------
    SettingsError
        When NavViz knows no group or metric of such a name.
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
    all_notes = (*([chosen.note] if chosen.note else []), *_left_out(walks, chosen), *notes)
    return without_empty(grouped_table(walks, spec, chosen.title, all_notes))


def _left_out(walks: Sequence[ScoredWalk], chosen: TablePreset) -> Iterator[str]:
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
