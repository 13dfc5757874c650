"""Tables for papers: comparisons as data frames, and data frames as text, CSV, Markdown, LaTeX (booktabs) or JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from navviz.records.plural import plural
from navviz.support.guarded import csv_text

if TYPE_CHECKING:
    import pandas as pd

    from navviz.analysis.significance import Inference
    from navviz.metrics.intervals import Interval
    from navviz.metrics.score import RunScore

__all__ = ["FAILED", "SUCCEEDED", "UNKNOWN", "Format", "aligned", "inference_frame", "inference_note", "latex_text"]
__all__ += ["outcome_matrix", "write_table"]

SUCCEEDED, FAILED, UNKNOWN = "✓", "✗", "–"


class Format(StrEnum):
    """How a table is written."""

    TABLE = "table"
    CSV = "csv"
    LATEX = "latex"
    MARKDOWN = "markdown"
    JSON = "json"


def outcome_matrix(scores: Mapping[str, RunScore], episodes: Sequence[str]) -> pd.DataFrame:
    """Tabulate which run succeeds on which episode: one row an episode, one column a run, cells ✓, ✗ or –."""
    import pandas as pd

    rows = {
        name: [
            UNKNOWN if (rate := score.rows[key].get("SR")) is None else SUCCEEDED if rate >= 0.5 else FAILED
            for key in episodes
        ]
        for name, score in scores.items()
    }
    return pd.DataFrame(rows, index=list(episodes))


def inference_frame(inference: Inference) -> pd.DataFrame:
    """Make a table of a comparison: one row a run; mean, episodes, interval and adjusted p of each metric."""
    import pandas as pd

    rows = {}
    for run in inference.comparison.runs:
        cells = {}
        for metric, runs in inference.means.items():
            interval, difference = runs[run], inference.difference(metric, run)
            star = "*" if difference is not None and difference.significant else ""
            cells[metric] = "–" if interval is None else f"{interval.mean:.3f}{star}"
            cells[f"{metric} n"] = "0" if interval is None else f"{interval.episodes}"
            cells[f"{metric} 95 %"] = _span(interval)
            cells[f"{metric} p"] = "" if difference is None else _p(difference.p_holm)
        rows[run] = cells
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("run")


def _span(interval: Interval | None) -> str:
    if interval is None or interval.low is None or interval.high is None:
        return "–"
    return f"{interval.low:.3f} … {interval.high:.3f}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def inference_note(inference: Inference) -> str:
    """Say how to read the table of a comparison."""
    from navviz.metrics.intervals import EXACT_BELOW  # numpy: each command that prints a table imports this module

    comparison = inference.comparison
    shared, elsewhere = plural(len(comparison.episodes), "shared episode"), len(comparison.elsewhere)
    left_out = f" ({elsewhere} more ids are of different data sets and left out)" if elsewhere else ""
    return (
        f"{shared}{left_out}; p against {inference.baseline}, two-sided, paired by "
        "episode (McNemar's exact test for SR and OSR, permutation for the rest), adjusted after Holm; * p < 0.05; "
        f"95 %: bootstrap over episodes, rates of n < {EXACT_BELOW} exact"
    )


def write_table(frame: pd.DataFrame, form: Format, note: str = "") -> str:
    """Write a table in one of the formats; `note` says how to read it."""
    table = frame.reset_index()
    if form is Format.CSV:
        return csv_text(
            [list(table.columns), *table.astype(object).where(table.notna(), "").to_numpy().tolist()]
        ).rstrip("\n")
    if form is Format.LATEX:
        return _latex(table, note)
    if form is Format.JSON:
        return str(table.to_json(orient="records", force_ascii=False))
    rows = [list(map(str, table.columns)), *([str(value) for value in row] for row in table.to_numpy().tolist())]
    if form is Format.MARKDOWN:
        rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|" + " --- |" * len(rows[0]))
        return "\n".join([*lines, *(["", note] if note else [])])
    return "\n".join([*aligned(rows), *(["", note] if note else [])])


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lay rows out as lines of text; the first `left` columns are aligned to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


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
    return " ".join(str(text).split()).translate(_SPECIAL)


def _latex(table: pd.DataFrame, note: str) -> str:
    """Write a booktabs table; all text is escaped."""
    lines = [f"% {note}"] if note else []
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}", r"\toprule"]
    lines.append(" & ".join(latex_text(name) for name in table.columns) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(latex_text(value) for value in row) + r" \\" for row in table.to_numpy().tolist()]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])
