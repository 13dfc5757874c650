"""A table as a figure for a paper: three rules, groups over their columns, text in the figures' own
type.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from navviz.support.installation.extras import needs_extra
from navviz.views import palette

with needs_extra("figures"):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from navviz.views.figures.print_type import FONT_PT, drawable, print_type

_DPI = 300
_ROW_IN, _GAP_IN, _EDGE_IN = 0.19, 0.14, 0.06
_RULE_PT, _THIN_PT = 0.9, 0.5


@dataclass(frozen=True)
class DrawnTable:
    """The texts of a table."""

    heads: Sequence[str]
    """One a column; the first `left` of them name the rows."""
    rows: Sequence[Sequence[str]]
    left: int = 1
    groups: Sequence[tuple[str, int]] = ()
    """Labels over the columns after the first `left`, with the number of columns each; empty for
    none.
    """
    bold: Collection[tuple[int, int]] = ()
    """Row and column, counted after the first `left`, of the figures to stand out."""
    breaks: Collection[int] = field(default=())
    """Rows with a thin rule above."""
    notes: Sequence[str] = ()


def table_figure(table: DrawnTable) -> Figure:
    """Draw a table as wide as its texts need, in 8 pt type; names left, figures right-aligned."""
    with print_type():
        # of any size: the texts are measured first, and say how large the table is
        figure = Figure(figsize=(1.0, 1.0), dpi=_DPI)
        FigureCanvasAgg(figure)
        columns = zip(table.heads, *table.rows, strict=False)
        widths = [_widest(figure, column) for column in columns]
        at = table.left
        for label, count in table.groups:
            inside = sum(widths[at : at + count]) + _GAP_IN * (count - 1)
            widths[at + count - 1] += max(0.0, _width(figure, label, bold=False) - inside)
            at += count
        heads = 2 if table.groups else 1
        notes: list[str] = []
        for note in table.notes:
            notes += _wrapped(note, sum(widths))
        height = 2 * _EDGE_IN + _ROW_IN * (heads + len(table.rows) + len(notes))
        if notes:
            height += 0.06
        width = sum(widths) + _GAP_IN * (len(widths) - 1) + 2 * _EDGE_IN
        figure.set_size_inches(width, height)
        _TableDrawing(figure, widths, width, height).draw(table, notes)
    return figure


def _widest(figure: Figure, column: Sequence[object]) -> float:
    # Bold, since any figure may stand out and the width must not depend on it.
    return max(_width(figure, str(text), bold=True) for text in column)


def _width(figure: Figure, text: str, *, bold: bool) -> float:
    drawn = figure.text(0, 0, drawable(text), weight="bold" if bold else "normal")
    width = float(drawn.get_window_extent().width) / _DPI
    drawn.remove()
    return width


def _wrapped(note: str, width: float) -> list[str]:
    import textwrap

    return textwrap.wrap(drawable(note), max(int(width * 72 / (0.6 * FONT_PT)), 24))


class _TableDrawing:
    """Places texts and rules by inches from the upper left corner."""

    def __init__(
        self, figure: Figure, widths: Sequence[float], width: float, height: float
    ) -> None:
        self.figure, self.widths, self.width, self.height = figure, widths, width, height
        self.lefts = [_EDGE_IN + sum(widths[:k]) + k * _GAP_IN for k in range(len(widths))]

    def draw(self, table: DrawnTable, notes: Sequence[str]) -> None:
        """Draw all of it."""
        y = _EDGE_IN
        self.rule(y, _RULE_PT)
        if table.groups:
            self.group_row(table, y)
            y += _ROW_IN
        self.row(table.heads, y, table.left)
        y += _ROW_IN
        self.rule(y, _THIN_PT)
        for k, row in enumerate(table.rows):
            if k in table.breaks:
                self.rule(y, _THIN_PT)
            self.row(row, y, table.left, {column for at, column in table.bold if at == k})
            y += _ROW_IN
        self.rule(y, _RULE_PT)
        for k, note in enumerate(notes):
            self.text(_EDGE_IN, y + 0.06 + k * _ROW_IN, note, "left", colour=palette.MUTE)

    def group_row(self, table: DrawnTable, y: float) -> None:
        """Draw the labels of the groups with a thin rule under each."""
        at = table.left
        for label, count in table.groups:
            left, right = self.lefts[at], self.lefts[at + count - 1] + self.widths[at + count - 1]
            self.text((left + right) / 2, y, label, "center")
            self.rule(y + _ROW_IN, _THIN_PT, left, right)
            at += count

    def row(self, texts: Sequence[str], y: float, left: int, bold: Collection[int] = ()) -> None:
        """Draw one row."""
        for k, text in enumerate(texts):
            x = self.lefts[k] if k < left else self.lefts[k] + self.widths[k]
            self.text(x, y, text, "left" if k < left else "right", bold=k - left in bold)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        align: str,
        *,
        bold: bool = False,
        colour: str = palette.INK,
    ) -> None:
        """Draw a text whose row begins at `y`."""
        self.figure.text(
            x / self.width,
            1 - (y + _ROW_IN / 2) / self.height,
            drawable(text),
            ha=align,
            va="center_baseline",
            weight="bold" if bold else "normal",
            color=colour,
        )

    def rule(
        self, y: float, points: float, left: float | None = None, right: float | None = None
    ) -> None:
        """Draw a rule, over the whole width where no ends are given."""
        from matplotlib.lines import Line2D

        ends = (
            left if left is not None else _EDGE_IN,
            right if right is not None else self.width - _EDGE_IN,
        )
        line = Line2D(
            [end / self.width for end in ends],
            [1 - y / self.height] * 2,
            transform=self.figure.transFigure,
            color=palette.INK,
            linewidth=points,
        )
        self.figure.add_artist(line)
