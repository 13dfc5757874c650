"""Grouped tables as text, CSV, Markdown, LaTeX (booktabs) or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from navviz.analysis.grouped import GroupedTable
from navviz.analysis.measures import Cell, Measure
from navviz.analysis.tables import Format, aligned, latex_text
from navviz.guarded import csv_text

__all__ = ["arrow", "best_cells", "cell_text", "write_grouped"]


def arrow(shown: Measure) -> str:
    """Say by an arrow which direction is better; empty where neither is."""
    return {"higher": " ↑", "lower": " ↓", None: ""}[shown.better]


def cell_text(cell: Cell, shown: Measure) -> str:
    """Return a figure as it is printed, with its interval where it has one: ``41.3 [29.9, 53.8]``."""
    if cell.low is None or cell.high is None:
        return cell.text
    return f"{cell.text} [{shown.text(cell.low)}, {shown.text(cell.high)}]"


def best_cells(table: GroupedTable) -> set[tuple[int, int]]:
    """Return row and column of the best figures, as printed; several where they are printed equal.

    Rows are compared that differ in their first label only (the runs in one band), and only where one direction is
    better.
    """
    best = set()
    for column in range(len(table.columns)):
        shown = table.measures[column % len(table.measures)]
        peers: dict[tuple[str, ...], list[tuple[int, Cell]]] = {}
        for k, row in enumerate(table.cells):
            if row[column].value is not None:
                peers.setdefault(table.rows[k][1:], []).append((k, row[column]))
        for known in peers.values() if shown.better is not None else ():
            values = [cell.value for _, cell in known if cell.value is not None]
            top = shown.text(max(values) if shown.better == "higher" else min(values))
            if len({cell.text for _, cell in known}) > 1:
                best |= {(k, column) for k, cell in known if cell.text == top}
    return best


def write_grouped(table: GroupedTable, form: Format, *, best: bool = False) -> str:
    """Write a table.

    Parameters
    ----------
    table
        Computed by `navviz.analysis.grouped.grouped_table`.
    form
        Text, CSV, LaTeX, Markdown or JSON. Figures are written as they are printed; JSON has them whole, with the
        number of episodes and the interval.
    best
        Whether LaTeX and Markdown set the best figure of each column in bold.
    """
    if form is Format.JSON:
        return _json(table)
    if form is Format.CSV:
        return _csv(table)
    marked = best_cells(table) if best else set()
    if form is Format.LATEX:
        return _latex(table, marked)
    if form is Format.MARKDOWN:
        return _markdown(table, marked)
    return _text(table)


def _cells(table: GroupedTable, row: int) -> list[str]:
    count = len(table.measures)
    return [cell_text(cell, table.measures[k % count]) for k, cell in enumerate(table.cells[row])]


def _json(table: GroupedTable) -> str:
    count = len(table.measures)
    rows = [
        dict(zip(table.heads, labels, strict=True))
        | {
            "figures": [
                {"group": table.groups[k // count], "metric": table.measures[k % count].name, "value": cell.value,
                 "low": cell.low, "high": cell.high, "episodes": cell.episodes, "printed": cell.text}
                for k, cell in enumerate(cells)
            ]
        }
        for labels, cells in zip(table.rows, table.cells, strict=True)
    ]  # fmt: skip
    return json.dumps({"title": table.title, "rows": rows, "notes": list(table.notes)}, ensure_ascii=False)


def _csv(table: GroupedTable) -> str:
    spans = any(cell.low is not None for row in table.cells for cell in row)
    ends = ("", " low", " high") if spans else ("",)
    rows = [[*table.heads, *(f"{name}{end}" for name in table.columns for end in ends)]]
    for labels, cells in zip(table.rows, table.cells, strict=True):
        figures: list[str] = []
        for k, cell in enumerate(cells):
            shown = table.measures[k % len(table.measures)]
            values = (cell.value, cell.low, cell.high) if spans else (cell.value,)
            figures += ["" if value is None else shown.text(value).replace(",", "") for value in values]
        rows.append([*labels, *figures])
    return csv_text(rows).rstrip("\n")


def _heads(table: GroupedTable) -> list[str]:
    return [f"{one.label}{arrow(one)}" for one in table.measures] * len(table.groups)


def _text(table: GroupedTable) -> str:
    grouped = table.groups != ("",)
    count = len(table.measures)
    lines = [[*table.heads, *_heads(table)]]
    if grouped:
        names = [group if k == 0 else "" for group in table.groups for k in range(count)]
        lines.insert(0, [*([""] * len(table.heads)), *names])
    lines += [[*labels, *_cells(table, k)] for k, labels in enumerate(table.rows)]
    text = aligned(lines, left=len(table.heads))
    foot = [f"{note}." for note in table.notes]
    return "\n".join([*([table.title, ""] if table.title else []), *text, *(["", *foot] if foot else [])])


def _markdown(table: GroupedTable, best: set[tuple[int, int]]) -> str:
    heads = [*table.heads, *(f"{name}{mark}" for name, mark in zip(table.columns, _marks(table), strict=True))]
    lines = [heads]
    for k, labels in enumerate(table.rows):
        figures = [f"**{text}**" if (k, at) in best else text for at, text in enumerate(_cells(table, k))]
        lines.append([*labels, *figures])
    rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    rows.insert(1, "|" + " --- |" * len(table.heads) + " ---: |" * len(table.columns))
    foot = [f"{note}." for note in table.notes]
    title = [f"**{table.title}**", ""] if table.title else []
    return "\n".join([*title, *rows, *(["", " ".join(foot)] if foot else [])])


def _marks(table: GroupedTable) -> list[str]:
    return [arrow(one) for one in table.measures] * len(table.groups)


def _latex(table: GroupedTable, best: set[tuple[int, int]]) -> str:
    r"""Write a booktabs tabular; groups stand over their columns with a ``\cmidrule``. All text is escaped."""
    left, count = len(table.heads), len(table.measures)
    comments = [f"% {' '.join(line.split())}" for line in [*([table.title] if table.title else []), *table.notes]]
    comments.append(r"% \usepackage{booktabs}")
    lines = [*comments, rf"\begin{{tabular}}{{{'l' * left}{'r' * len(table.columns)}}}", r"\toprule"]
    if table.groups != ("",):
        names = [rf"\multicolumn{{{count}}}{{c}}{{{latex_text(group)}}}" for group in table.groups]
        lines.append(" & ".join([*([""] * left), *names]) + r" \\")
        spans = [(left + k * count + 1, left + (k + 1) * count) for k in range(len(table.groups))]
        lines.append(" ".join(rf"\cmidrule(lr){{{first}-{last}}}" for first, last in spans))
    lines.append(" & ".join(latex_text(name) for name in [*table.heads, *_heads(table)]) + r" \\")
    lines.append(r"\midrule")
    before: Sequence[str] | None = None
    for k, labels in enumerate(table.rows):
        if left > 1 and before is not None and before[0] != labels[0]:
            lines.append(r"\midrule")
        names = ["" if at == 0 and left > 1 and before is not None and before[0] == label else latex_text(label)
                 for at, label in enumerate(labels)]  # fmt: skip
        figures = [
            rf"\textbf{{{latex_text(text)}}}" if (k, at) in best else latex_text(text)
            for at, text in enumerate(_cells(table, k))
        ]
        lines.append(" & ".join([*names, *figures]) + r" \\")
        before = labels
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
