"""Tables of papers by name: which rows, columns and metrics they have. No figure stands here: all are computed.

GROKE's tables compare runs of its ablations on 100 instructions by difficulty band (5, 7, 9, 10), the representations
(appendix A.1), and systems on a whole split (2); the effort of a run is told in steps, tokens, thoughts and cost. In
tables 5, 7, 9 and 10 the column that is headed nDTW holds SDTW; here it is headed SDTW. Their figures are those of the
authors' scripts, which leave episodes that never moved out of NE: the grid of table 5 has such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from navviz.analysis.grouped import GroupedTable, TableSpec, grouped_table
from navviz.analysis.measures import Cell, Treatment, cell_of, measure
from navviz.analysis.walks import ScoredWalk, grouping
from navviz.errors import SettingsError
from navviz.records.plural import plural

__all__ = ["PRESETS", "Preset", "preset", "preset_table", "without_empty"]

_GROKE: Final = ("NE", "SR", "OSR", "SDTW_groke")
_EFFORT: Final = ("steps", "tokens", "thoughts_tokens", "cost_usd")
_TABLE_10: Final = ("steps", "tokens", "thoughts_tokens", "prompt_tokens")
_OURS: Final = "SDTW is GROKE's"
_SDTW: Final = "SDTW is GROKE's; the paper's tables 5, 7, 9 and 10 head this column nDTW"


@dataclass(frozen=True, slots=True)
class Preset:
    """One table of a paper."""

    name: str
    title: str
    rows: tuple[str, ...]
    metrics: tuple[str, ...]
    columns: str | None = None
    treatment: Treatment = "own"
    totals: bool = True
    note: str = ""

    @property
    def spec(self) -> TableSpec:
        """What the table shows."""
        return TableSpec(
            rows=tuple(grouping(name) for name in self.rows),
            measures=tuple(measure(name) for name in self.metrics),
            columns=None if self.columns is None else grouping(self.columns),
            totals=self.totals,
            treatment=self.treatment,
        )


def _banded(number: int, *, effort: bool = False) -> Preset:
    metrics = (*_GROKE, *(_TABLE_10 if effort else ()))
    title = f"GROKE, table {number}: runs by difficulty band" + (" and effort" if effort else "")
    return Preset(f"groke-{number}", title, ("run", "difficulty"), metrics, treatment="authors", note=_SDTW)


PRESETS: Final[Mapping[str, Preset]] = {
    one.name: one
    for one in (
        Preset("groke-2", "GROKE, table 2: systems on a split", ("run",), _GROKE, note=_OURS),
        Preset("groke-3", "GROKE, table 3: runs with their effort", ("run",), (*_GROKE, *_EFFORT), note=_OURS),
        _banded(5),
        _banded(7),
        _banded(9),
        _banded(10, effort=True),
        Preset(
            "groke-a1",
            "GROKE, appendix A.1: representations",
            ("run",),
            ("NE", "SR", "OSR", "nDTW_groke", "SDTW_groke"),
            treatment="authors",
            note="nDTW and SDTW are GROKE's; episodes that never moved count as its scripts do: out of NE, 1 in nDTW",
        ),
        Preset(
            "r2r",
            "Room-to-Room's standard table",
            ("run",),
            ("TL", "NE", "OSR", "SR", "SPL", "nDTW%", "SDTW%", "CLS%"),
            columns="split",
            totals=False,
            note="nDTW and SDTW after Ilharco et al. 2019, CLS after Jain et al. 2019",
        ),
        Preset(
            "msnav",
            "MSNav: zero-shot agents with their map efficiency",
            ("run",),
            ("episodes", "SR", "SPL", "OSR", "NE:2", "ME%"),
            totals=False,
            note="ME counts explored and seen places still on the map; the paper does not say which",
        ),
        Preset(
            "reverie",
            "REVERIE's standard table: success by visible viewpoints",
            ("run",),
            ("TL", "SR_reverie", "OSR_reverie", "SPL_reverie%", "RGS", "RGSPL%"),
            columns="split",
            totals=False,
            note="success is REVERIE's: the last viewpoint sees the target object",
        ),
        Preset(
            "lhvln",
            "LH-VLN: by number of sub-tasks",
            ("run",),
            ("episodes", "SR:2", "NE:2", "ISR:2", "CSR:2", "CGT:2", "TAR%:2"),
            columns="sub-tasks",
            note="ISR and TAR are pooled over sub-tasks, as LH-VLN's code does",
        ),
    )
}  # fmt: skip
"""All presets by name; GROKE's figure 7 is `navviz.analysis.marginal`."""


def preset(name: str) -> Preset:
    """Return a preset by its name; raises `SettingsError` for an unknown one."""
    try:
        return PRESETS[name]
    except KeyError:
        raise SettingsError(f"There is no preset {name!r}: choose one of {', '.join(PRESETS)}.") from None


def preset_table(
    walks: Sequence[ScoredWalk], name: str, *, intervals: bool = False, notes: Sequence[str] = ()
) -> GroupedTable:
    """Compute a table of a paper; metrics that no run has are left out, and named in a note."""
    chosen = preset(name)
    spec = replace(chosen.spec, intervals=intervals)
    if spec.columns is not None and not any(spec.columns.of(walk) for walk in walks):
        notes = (*notes, f"no episode tells its {spec.columns.label.lower()}")
        spec = replace(spec, columns=None)
    told = (*([chosen.note] if chosen.note else []), *_left_out(walks, chosen), *notes)
    return without_empty(grouped_table(walks, spec, chosen.title, told))


def _left_out(walks: Sequence[ScoredWalk], chosen: Preset) -> Iterator[str]:
    """Say of which runs GROKE's scripts leave episodes out of NE, and what NE is with them."""
    still = Counter(walk.run for walk in walks if walk.facts.never_moved)
    for run, count in still.items() if chosen.treatment == "authors" else ():
        every = cell_of([walk for walk in walks if walk.run == run], measure("NE"), {})
        told = f"{plural(count, 'episode')} never moved, which GROKE's scripts leave out of NE"
        yield f"{run}: {told} ({every.text} with them)"


def without_empty(table: GroupedTable) -> GroupedTable:
    """Leave out the metrics that no group has a figure for, and say which."""
    count = len(table.measures)
    kept = [k for k in range(count) if any(_known(row[k::count]) for row in table.cells)]
    if len(kept) == count or not kept:
        return table
    out = ", ".join(one.label for k, one in enumerate(table.measures) if k not in kept)
    cells = tuple(tuple(row[at * count + k] for at in range(len(table.groups)) for k in kept) for row in table.cells)
    note = f"no run here tells {out}"
    return replace(table, measures=tuple(table.measures[k] for k in kept), cells=cells, notes=(*table.notes, note))


def _known(cells: Sequence[Cell]) -> bool:
    return any(cell.value is not None for cell in cells)
