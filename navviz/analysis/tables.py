"""Tables for papers: comparisons as data frames, and data frames as text, CSV, Markdown, LaTeX
(booktabs) or JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, product
from typing import TYPE_CHECKING, Any, Final

from navviz.analysis.grouped import GroupedTable
from navviz.analysis.measures import Cell, Measure
from navviz.records.base import plural
from navviz.support.guarded import csv_text, escaped, json_text, visible
from navviz.views.figures.figure import FigureFormat, figure_bytes
from navviz.views.figures.table_figure import DrawnTable, table_figure

if TYPE_CHECKING:
    import pandas as pd

    from navviz.analysis.family import Difference
    from navviz.analysis.significance import Inference
    from navviz.metrics.intervals import Interval
    from navviz.metrics.score import RunScore


SUCCEEDED, FAILED, UNKNOWN = "✓", "✗", "–"


class Format(StrEnum):
    """How a table is written."""

    TABLE = "table"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"
    JSON = "json"


_CELLS = {"success": SUCCEEDED, "failure": FAILED, "unknown": UNKNOWN}


def outcome_matrix(scores: Mapping[str, RunScore], episodes: Sequence[str]) -> pd.DataFrame:
    """Tabulate which run succeeds on which episode: a row an episode, a column a run."""
    # pandas: each command that prints a table imports this module
    import pandas as pd

    from navviz.runs.tables import outcome

    rows = {}
    for name, score in scores.items():
        outcomes = [outcome(dict(score.rows[key])) for key in episodes]
        rows[name] = [_CELLS[each] for each in outcomes]
    return pd.DataFrame(rows, index=list(episodes))


def inference_frame(
    inference: Inference, eyes: Mapping[str, str | None] | None = None, *, near: bool = False
) -> pd.DataFrame:
    """Make a table of a comparison: one row a run; mean, episodes, interval and adjusted p of each
    metric.

    `eyes` says for runs by name whether their models were shown ``pictures``, or are a ``text
    variant`` (`OpenRun.eyes`): where one is known, it is the first column. `near` shows lengths
    with centimetres.
    """
    import pandas as pd

    # the registry knows every system, whose import costs more than most tables
    from navviz.metrics.registry import format_value

    rows = {}
    for run in inference.comparison.runs:
        cells = {"model saw": (eyes or {}).get(run) or ""} if any((eyes or {}).values()) else {}
        for metric, runs in inference.means.items():
            interval, difference = runs[run], inference.difference(metric, run)
            star = "*" if difference is not None and difference.significant else ""
            mean = None if interval is None else interval.mean
            cells[metric] = f"{format_value(metric, mean, near=near)}{star}"
            cells[f"{metric} n"] = "0" if interval is None else f"{interval.episodes}"
            cells[f"{metric} 95 %"] = _span(metric, interval, near=near)
            cells[f"{metric} p"] = "" if difference is None else _p(difference)
        rows[run] = cells
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("run")


INFERENCE_COLUMNS: Final = (
    *("run", "metric", "unit", "mean", "low", "high", "n", "baseline", "difference"),
    *("difference_low", "difference_high", "difference_n", "p", "p_adjusted", "test", "model_saw"),
)
"""The fields of `inference_records`: rates as fractions, lengths in metres; a mean with its 95 %
interval and n, and the paired difference from the baseline with its own.
"""


def inference_records(
    inference: Inference, eyes: Mapping[str, str | None] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield one record a run and metric with the figures of `inference_frame` as numbers."""
    from navviz.metrics.intervals import interval_record
    from navviz.metrics.registry import metric

    for name, runs in inference.means.items():
        for run, interval in runs.items():
            mean = interval_record("mean", interval)
            record: dict[str, Any] = {"run": run, "metric": name, "unit": metric(name).unit}
            record |= dict(zip(("mean", "low", "high", "n"), mean.values(), strict=True))
            difference = inference.difference(name, run)
            record["baseline"] = inference.baseline
            record |= interval_record(
                "difference", None if difference is None else difference.interval
            )
            for field in ("p", "p_holm", "test"):
                record[field] = getattr(difference, field, None)
            record["p_adjusted"] = record.pop("p_holm")
            yield record | {"model_saw": (eyes or {}).get(run)}


def _span(metric: str, interval: Interval | None, *, near: bool) -> str:
    from navviz.metrics.registry import format_value

    if interval is None or interval.low is None or interval.high is None:
        return "–"
    low, high = [format_value(metric, end, near=near) for end in (interval.low, interval.high)]
    return f"{low} … {high}"


def _p(difference: Difference) -> str:
    """Write the adjusted p; of a metric outside of the family its own."""
    value = difference.p if difference.p_holm is None else difference.p_holm
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def inference_note(inference: Inference) -> str:
    """Say how to read the table of a comparison."""
    # numpy: each command that prints a table imports this module
    from navviz.metrics.intervals import EXACT_BELOW

    outside = []
    for difference in inference.differences:
        if difference.p_holm is None:
            outside.append(difference.metric)
    unadjusted = f"; not adjusted: {', '.join(dict.fromkeys(outside))}" if outside else ""
    comparison = inference.comparison
    shared, elsewhere = (
        plural(len(comparison.episodes), "shared episode"),
        len(comparison.elsewhere),
    )
    left_out = (
        f" ({elsewhere} more ids are of different data sets and left out)" if elsewhere else ""
    )
    if comparison.unanswered:
        silent = plural(comparison.unanswered, "more episode")
        left_out += f" ({silent} without an answer of the service in one run, left out)"
    return (
        f"{shared}{left_out}; p against {inference.baseline}, two-sided, paired by episode"
        " (McNemar's exact test for rates, permutation for the rest);"
        f" {inference.family_note}{unadjusted}; * adjusted p < 0.05; 95 %: of each mean"
        f" alone, bootstrap over episodes, rates of n < {EXACT_BELOW} exact; such"
        " intervals may overlap where the paired p is small"
    )


def write_table(frame: pd.DataFrame, form: Format, note: str = "") -> str:
    """Write a table in one of the formats; `note` says how to read it."""
    table = frame.reset_index()
    if form is Format.CSV:
        # as objects: a column of numbers cannot hold an empty text for what is missing
        cells = table.astype(object).where(table.notna(), "").to_numpy().tolist()
        return csv_text([list(table.columns), *cells]).rstrip("\n")
    if form is Format.LATEX:
        return _latex(table, note)
    if form is Format.JSON:
        return escaped(str(table.to_json(orient="records", force_ascii=False)))
    raw: list[list[object]] = [list(table.columns), *table.to_numpy().tolist()]
    rows: list[list[str]] = [list(map(str, row)) for row in raw]
    if form is Format.MARKDOWN:
        lines = []
        for texts in rows:
            lines.append(f"| {' | '.join(map(markdown_cell, texts))} |")
        lines.insert(1, "|" + " --- |" * len(rows[0]))
        note = markdown_cell(note)
    else:
        lines = aligned(rows)
    return "\n".join([*lines, "", note] if note else lines)


_MARKUP = re.compile(r"[\\|]|\](?=[(\[:])|<(?=[A-Za-z/!?])")
"""What ends a cell, or makes a link, a picture or HTML of a text."""


def markdown_cell(text: str) -> str:
    """Return a text as a cell of a Markdown table that nothing of it leaves, fetches or runs."""
    return _MARKUP.sub(r"\\\g<0>", visible(" ".join(text.splitlines())))


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lay rows out as text; the first `left` columns are aligned to the left, others right."""
    shown = [list(map(visible, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = []
    for row in shown:
        cells = []
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            cells.append(cell.ljust(width) if column < left else cell.rjust(width))
        line = "  ".join(cells)
        lines.append(line.rstrip())
    return lines


_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "…": "--",
        "–": "--",
        "<": r"$<$",
        ">": r"$>$",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
        "✓": r"$\checkmark$",
        "✗": r"$\times$",
    }
)


def latex_text(text: object) -> str:
    """Escape text for LaTeX; a line break in it becomes a blank."""
    # in one pass, so that the braces of a replacement are not escaped again
    return " ".join(str(text).split()).translate(_SPECIAL)


def _latex(table: pd.DataFrame, note: str) -> str:
    """Write a booktabs table; all text is escaped."""
    # on one line, since the next is no comment
    lines = [f"% {' '.join(note.split())}"] if note else []
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}", r"\toprule"]
    lines.append(" & ".join(latex_text(name) for name in table.columns) + r" \\")
    lines.append(r"\midrule")
    for row in table.to_numpy().tolist():
        text = " & ".join(map(latex_text, row))
        lines.append(text + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


EYES: Final = "model saw"
"""Head of the column that says ``pictures`` or ``text variant``."""

_MOST_NAMED: Final = 4
"""Columns that a note names; the others are counted."""


def arrow(shown: Measure) -> str:
    """Say by an arrow which direction is better; empty where neither is."""
    return {"higher": " ↑", "lower": " ↓", None: ""}[shown.better]


def cell_text(cell: Cell, shown: Measure) -> str:
    """Return a figure as printed, with an interval where it has one: ``41.3 [29.9, 53.8]``."""
    if cell.low is None or cell.high is None:
        return cell.text
    return f"{cell.text} [{shown.text(cell.low)}, {shown.text(cell.high)}]"


def best_cells(table: GroupedTable) -> set[tuple[int, int]]:
    """Return row and column of the best figures, as printed; several where they are printed equal.

    Rows are compared that differ in their first label only (the runs in one band), only where one
    direction is better, and only where all of them are over the same episodes.
    """
    best = set()
    for column, peers in _peers(table):
        shown = table.measures[column % len(table.measures)]
        values = [cell.value for _, cell in peers if cell.value is not None]
        top = shown.text(max(values) if shown.better == "higher" else min(values))
        # where all print the same, none of them is the best
        if len({cell.of for _, cell in peers}) == 1 and len({cell.text for _, cell in peers}) > 1:
            best |= {(k, column) for k, cell in peers if cell.text == top}
    return best


def _peers(table: GroupedTable) -> Iterator[tuple[int, list[tuple[int, Cell]]]]:
    """Yield the cells that are compared with each other, by their rows, with their column."""
    for column in range(len(table.columns)):
        if table.measures[column % len(table.measures)].better is None:
            continue
        peers: dict[tuple[str, ...], list[tuple[int, Cell]]] = {}
        for k, row in enumerate(table.cells):
            if row[column].value is not None:
                peers.setdefault(table.rows[k][1:], []).append((k, row[column]))
        yield from ((column, cells) for cells in peers.values())


def _best_note(table: GroupedTable) -> list[str]:
    """Say where nothing is bold, since the figures are not over the same episodes."""
    unlike = set()
    for column, peers in _peers(table):
        bases = {cell.of for _, cell in peers}
        if len(bases) > 1:
            unlike.add(column)
    if not unlike:
        return []
    heads = ", ".join(table.columns[column] for column in sorted(unlike)[:_MOST_NAMED])
    more = f" and {len(unlike) - _MOST_NAMED} more" if len(unlike) > _MOST_NAMED else ""
    return [f"nothing is bold where rows are over different episodes: {heads}{more}"]


@dataclass(frozen=True)
class PrintedTable:
    """A table as texts: after the figures of each group stands how many episodes they are over."""

    heads: tuple[str, ...]
    """One a column; the first ones name the rows."""
    left: int
    """How many columns name the rows."""
    groups: tuple[tuple[str, int], ...]
    """Labels over the columns of figures, with the number of columns each; empty where there are
    none.
    """
    rows: tuple[tuple[str, ...], ...]
    bold: frozenset[tuple[int, int]]
    """Row and column, counted after the first `left`, of the best figures."""
    notes: tuple[str, ...]


def printed_table(table: GroupedTable, *, best: bool = False) -> PrintedTable:
    """Lay out a table as texts.

    The column ``n`` is the number of episodes that most figures of its group and row are over; a
    figure over another number carries its own: ``41.3 (n 12)``. `best` marks the best figures.
    """
    count, counted = len(table.measures), any(shown.name == "episodes" for shown in table.measures)
    width = count if counted else count + 1
    heads = [f"{shown.label}{arrow(shown)}" for shown in table.measures]
    if not counted:
        heads.append("n")
    rows = []
    for labels, cells in zip(table.rows, table.cells, strict=True):
        texts = list(labels)
        for at in range(0, len(cells), count):
            texts += _block(cells[at : at + count], table.measures, counted=counted)
        rows.append(tuple(texts))
    marked = best_cells(table) if best else set()
    # `marked` counts the cells alone, the printed table its columns "n", too
    bold = frozenset((row, column // count * width + column % count) for row, column in marked)
    return PrintedTable(
        heads=(*table.heads, *(heads * len(table.groups))),
        left=len(table.heads),
        groups=tuple((label, width) for label in table.groups) if table.groups != ("",) else (),
        rows=tuple(rows),
        bold=bold,
        notes=(*table.notes, *(_best_note(table) if best else [])),
    )


def _block(cells: Sequence[Cell], measures: Sequence[Measure], *, counted: bool) -> list[str]:
    """Return the texts of one group of a row, with the number of episodes."""
    bases = [cell.episodes for cell in cells if cell.value is not None]
    # of equally frequent numbers the greater one, since a set has no order
    usual = max(set(bases), key=lambda count: (bases.count(count), count), default=0)
    if counted:
        names = [shown.name for shown in measures]
        usual = cells[names.index("episodes")].episodes
    texts = []
    for cell, shown in zip(cells, measures, strict=True):
        own = "" if cell.value is None or cell.episodes == usual else f" (n {cell.episodes:,})"
        texts.append(f"{cell_text(cell, shown)}{own}")
    return texts if counted else [*texts, f"{usual:,}"]


def write_grouped(table: GroupedTable, form: Format, *, best: bool = False) -> str:
    """Write a table."""
    if form is Format.JSON:
        rows = list(grouped_records(table))
        document = {"title": table.title, "rows": rows, "notes": list(table.notes)}
        return json_text(document, ensure_ascii=False)
    if form is Format.CSV:
        return _csv(table)
    printed = printed_table(table, best=best and form in {Format.LATEX, Format.MARKDOWN})
    if form is Format.LATEX:
        return _grouped_latex(table, printed)
    if form is Format.MARKDOWN:
        return _markdown(table, printed)
    lines: list[Sequence[str]] = [printed.heads, *printed.rows]
    if printed.groups:
        names = [""] * printed.left
        for label, width in printed.groups:
            names += [label, *([""] * (width - 1))]
        lines.insert(0, names)
    text = aligned(lines, left=printed.left)
    if table.title:
        text = [table.title, "", *text]
    if printed.notes:
        text += ["", *(f"{note}." for note in printed.notes)]
    return "\n".join(text)


def grouped_records(table: GroupedTable) -> Iterator[dict[str, Any]]:
    """Yield a record for each row, with its figures as whole numbers."""
    count = len(table.measures)
    for at, (labels, cells) in enumerate(zip(table.rows, table.cells, strict=True)):
        row: dict[str, Any] = dict(zip(table.heads, labels, strict=True))
        if table.eyes:
            row[EYES] = table.eyes[at]
        row["figures"] = []
        for k, cell in enumerate(cells):
            figure = {
                "group": table.groups[k // count],
                "metric": table.measures[k % count].name,
                "value": cell.value,
                "low": cell.low,
                "high": cell.high,
                "episodes": cell.episodes,
                "printed": cell.text,
            }
            row["figures"].append(figure)
        yield row


def _csv(table: GroupedTable) -> str:
    spans = any(cell.low is not None for cell in chain.from_iterable(table.cells))
    ends = ("", " low", " high", " n") if spans else ("", " n")
    seen = [EYES] if table.eyes else []
    rows = [[*table.heads, *seen, *map("".join, product(table.columns, ends))]]
    for row, (labels, cells) in enumerate(zip(table.rows, table.cells, strict=True)):
        figures = [table.eyes[row]] if table.eyes else []
        for k, cell in enumerate(cells):
            shown = table.measures[k % len(table.measures)]
            values = (cell.value, cell.low, cell.high) if spans else (cell.value,)
            for value in values:
                # neither a comma of thousands nor a sign of money: a program reads it
                figures.append("" if value is None else f"{value * shown.scale:.{shown.digits}f}")
            figures.append(str(cell.episodes))
        rows.append([*labels, *figures])
    return csv_text(rows).rstrip("\n")


def _markdown(table: GroupedTable, printed: PrintedTable) -> str:
    left = printed.left
    heads = list(printed.heads)
    at = left
    # Markdown has no cells over several columns, so that the group stands in each
    for label, width in printed.groups:
        for k in range(at, at + width):
            heads[k] = f"{label} {heads[k]}".strip()
        at += width
    lines = [heads]
    for k, row in enumerate(printed.rows):
        texts = list(row)
        for column in range(len(row) - left):
            if (k, column) in printed.bold:
                texts[left + column] = f"**{row[left + column]}**"
        lines.append(texts)
    rows = []
    for line in lines:
        rows.append(f"| {' | '.join(map(markdown_cell, line))} |")
    rows.insert(1, "|" + " --- |" * left + " ---: |" * (len(heads) - left))
    if table.title:
        rows = [f"**{markdown_cell(table.title)}**", "", *rows]
    if printed.notes:
        rows += ["", " ".join(f"{markdown_cell(note)}." for note in printed.notes)]
    return "\n".join(rows)


def _grouped_latex(table: GroupedTable, printed: PrintedTable) -> str:
    r"""Write a booktabs tabular; groups stand over their columns with a ``\cmidrule``.

    All text is escaped.
    """
    left = printed.left
    comments = []
    for line in (table.title, *printed.notes):
        if line:  # on one line, since the next is no comment
            text = " ".join(line.split())
            comments.append(f"% {text}")
    comments.append(r"% \usepackage{booktabs}")
    columns = f"{'l' * left}{'r' * (len(printed.heads) - left)}"
    lines = [*comments, rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *_latex_groups(printed)]
    lines.append(" & ".join(latex_text(name) for name in printed.heads) + r" \\")
    lines.append(r"\midrule")
    before = ""
    for k, row in enumerate(printed.rows):
        again = left > 1 and k > 0 and before == row[0]
        if left > 1 and k > 0 and not again:
            lines.append(r"\midrule")
        names = [latex_text(label) for label in row[:left]]
        # the label stands at the first row of its group only
        if again:
            names[0] = ""
        lines.append(" & ".join([*names, *_latex_figures(printed, k)]) + r" \\")
        before = row[0]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _latex_groups(printed: PrintedTable) -> list[str]:
    if not printed.groups:
        return []
    names = [
        rf"\multicolumn{{{width}}}{{c}}{{{latex_text(label)}}}" for label, width in printed.groups
    ]
    spans, first = [], printed.left + 1
    for _, width in printed.groups:
        spans.append(rf"\cmidrule(lr){{{first}-{first + width - 1}}}")
        first += width
    return [" & ".join([*([""] * printed.left), *names]) + r" \\", " ".join(spans)]


def _latex_figures(printed: PrintedTable, row: int) -> list[str]:
    texts = []
    for at, text in enumerate(printed.rows[row][printed.left :]):
        escaped = latex_text(text)
        texts.append(rf"\textbf{{{escaped}}}" if (row, at) in printed.bold else escaped)
    return texts


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
