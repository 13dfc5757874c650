"""Grouped tables as SVG, PDF or PNG."""

from __future__ import annotations

from navviz.analysis.grouped import GroupedTable
from navviz.analysis.table_text import arrow, best_cells, cell_text
from navviz.views.figures.figure import FigureFormat, figure_bytes
from navviz.views.figures.table_figure import DrawnTable, table_figure

__all__ = ["table_bytes"]


def table_bytes(table: GroupedTable, kind: FigureFormat, *, best: bool = False) -> bytes:
    """Draw a table; the same table gives the same bytes."""
    count, left = len(table.measures), len(table.heads)
    heads = [f"{one.label}{arrow(one)}" for one in table.measures] * len(table.groups)
    rows = [
        [*labels, *(cell_text(cell, table.measures[k % count]) for k, cell in enumerate(cells))]
        for labels, cells in zip(table.rows, table.cells, strict=True)
    ]
    groups = [(label, count) for label in table.groups] if table.groups != ("",) else []
    first = [labels[0] for labels in table.rows]
    breaks = {k for k in range(1, len(first)) if left > 1 and first[k] != first[k - 1]}
    drawn = DrawnTable(
        heads=[*table.heads, *heads],
        rows=rows,
        left=left,
        groups=groups,
        bold=best_cells(table) if best else set(),
        breaks=breaks,
        notes=[f"{note}." for note in table.notes],
    )
    return figure_bytes(table_figure(drawn), kind)
