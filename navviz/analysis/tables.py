"""Tables for papers: comparisons as data frames, and data frames as text, CSV, Markdown, LaTeX
(booktabs) or JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from navviz.records.plural import plural
from navviz.support.guarded import csv_text

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
    """Tabulate which run succeeds on which episode: one row an episode, one column a run, cells ✓,
    ✗ or –.
    """
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
        return str(table.to_json(orient="records", force_ascii=False))
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
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.splitlines()))


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lay rows out as lines of text; the first `left` columns are aligned to the left, the others
    to the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
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
