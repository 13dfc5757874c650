"""Grouped tables as SVG, PDF or PNG."""

from __future__ import annotations

from navviz.analysis.grouped import GroupedTable
from navviz.analysis.table_text import printed_table
from navviz.views.figures.figure import FigureFormat, figure_bytes
from navviz.views.figures.table_figure import DrawnTable, table_figure


def table_bytes(table: GroupedTable, kind: FigureFormat, *, best: bool = False) -> bytes:
    """Draw a table; the same table gives the same bytes."""
    printed = printed_table(table, best=best)
    first = [row[0] for row in printed.rows]
    # a line where the first label changes, as in the LaTeX table
    breaks = {k for k in range(1, len(first)) if printed.left > 1 and first[k] != first[k - 1]}
    drawn = DrawnTable(
        heads=printed.heads,
        rows=printed.rows,
        left=printed.left,
        groups=printed.groups,
        bold=printed.bold,
        breaks=breaks,
        notes=[f"{note}." for note in printed.notes],
    )
    return figure_bytes(table_figure(drawn), kind)
