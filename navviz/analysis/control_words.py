"""What the controls of a navigator say: rows of a table, sentences, and a record for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from navviz.analysis.controls import (
    CONTROLS,
    FALSE_REFERENCE,
    OTHER_TEXT,
    TRUE_TEXT,
    Control,
    Controls,
)
from navviz.analysis.measures import Measure, measure
from navviz.analysis.tables import inference_records
from navviz.metrics.intervals import Interval
from navviz.metrics.registry import format_value
from navviz.systems.base import Navigator, learned_from

_SHOWN: Final = ("SR", "NE", "SPL")
_NAMED = 5
"""Episodes that a sentence names; the others are counted."""


def control_table(controls: Controls) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the head of a table, a row for each control, and a note for each row."""
    present = [measure(name) for name in _SHOWN if name in controls.inference.means]
    shown = [each.where(near=controls.near) for each in present]
    head = ["control", "n"]
    for column in shown:
        head += [column.label, f"Δ {column.name}"]
    rows = [[CONTROLS[control], *_cells(controls, control, shown)] for control in controls.scores]
    notes = [_note(controls, control) for control in controls.scores]
    return [*head, "same walk"], rows, notes


def _cells(controls: Controls, control: Control, shown: list[Measure]) -> list[str]:
    cells = [str(len(controls.inference.comparison.episodes))]
    for column in shown:
        difference = controls.inference.difference(column.name, control)
        cells.append(_interval(column, controls.inference.means[column.name][control]))
        cells.append("" if difference is None else _interval(column, difference.interval, sign="+"))
    return [*cells, f"{controls.same_walks[control]} of {len(controls.scores[control].rows)}"]


def _interval(column: Measure, interval: Interval | None, sign: str = "") -> str:
    """Write a mean with its interval, in the column's unit."""
    if interval is None:
        return "–"
    mean = f"{interval.mean * column.scale:{sign}.{column.digits}f}"
    if interval.low is None or interval.high is None:
        return mean  # the episodes tell nothing of the spread
    low, high = [
        f"{end * column.scale:{sign}.{column.digits}f}" for end in (interval.low, interval.high)
    ]
    return f"{mean} [{low}, {high}]"


def _note(controls: Controls, control: Control) -> str:
    parts = []
    total = len(controls.scores[control].rows)
    # only where some texts stayed: that all change is what a control promises
    if control != TRUE_TEXT and 0 < controls.changed_texts[control] < total:
        parts.append(f"{controls.changed_texts[control]} texts changed")
    if controls.stayed[control]:
        parts.append(f"{controls.stayed[control]} ended at the start: nothing to follow")
    return "; ".join(parts)


def control_sentences(navigator: Navigator, controls: Controls) -> list[str]:
    """Say how to read the table, what survives without reading, and whether a walk leaks."""
    lines = [
        (
            "n: episodes that all controls walked; [95 % interval]; "
            "Δ: paired difference from the true text."
        )
    ]
    learned = learned_from(navigator)
    if learned is not None:
        lines.append(f"{navigator.name} has learned priors ({learned}).")
    if controls.surviving is not None:
        true, other = (
            format_value("SR", controls.mean(control, "SR")) for control in (TRUE_TEXT, OTHER_TEXT)
        )
        lines.append(
            f"Without reading: of {true} SR, {other} is reached with another episode's instruction "
            f"({100 * controls.surviving:.0f} % survives)."
        )
    elif OTHER_TEXT not in controls.scores:
        lines.append(
            "No episode has another one of its data set on another route, so no other instruction"
            " was tried."
        )
    if FALSE_REFERENCE not in controls.scores:
        # walks that were stopped before this control, and are read again
        sentence = "No false reference path was walked, so nobody knows whether it changes a walk."
        return [*lines, sentence]
    count = len(controls.scores[FALSE_REFERENCE].rows)
    # a script must notice that a navigator looks at the reference
    if controls.leaks:
        named = ", ".join(controls.leaks[:_NAMED])
        more = " ..." if len(controls.leaks) > _NAMED else ""
        lines.append(
            f"LEAK: a false reference path changed {len(controls.leaks)} of {count} walks"
            f" ({named}{more}): {navigator.name} looks at the reference."
        )
    else:
        lines.append(f"A false reference path changed none of {count} walks.")
    return lines


CONTROL_COLUMNS: Final = (
    *("control", "metric", "mean", "low", "high", "n", "difference", "difference_low"),
    *("difference_high", "difference_n", "p", "p_adjusted", "walks", "same_walks"),
    *("changed_texts", "stayed"),
)
"""The fields of `control_rows`: rates as fractions, lengths in metres; the paired difference is the
one from the true text.
"""


def control_rows(controls: Controls) -> Iterator[dict[str, Any]]:
    """Yield one record a control and metric."""
    for row in inference_records(controls.inference):
        control: Control = row["run"]
        counts = {
            "control": control,
            "walks": len(controls.scores[control].rows),
            "same_walks": controls.same_walks[control],
            "changed_texts": controls.changed_texts[control],
            "stayed": controls.stayed[control],
        }
        record = row | counts
        yield {name: record[name] for name in CONTROL_COLUMNS}


def control_record(controls: Controls, control: Control) -> dict[str, Any]:
    """Return the figures of a control as JSON holds them."""
    metrics: dict[str, Any] = {}
    for name, means in controls.inference.means.items():
        interval, difference = means[control], controls.inference.difference(name, control)
        metrics[name] = {
            "mean": None if interval is None else interval.mean,
            "interval": None if interval is None else [interval.low, interval.high],
            "difference": None if difference is None else difference.interval.mean,
            "difference_interval": (
                None if difference is None else [difference.interval.low, difference.interval.high]
            ),
            "p": None if difference is None else difference.p,
            "p_adjusted": None if difference is None else difference.p_holm,
        }
    return {
        "control": control,
        "n": len(controls.scores[control].rows),
        "changed_texts": controls.changed_texts[control],
        "same_walks": controls.same_walks[control],
        "stayed": controls.stayed[control],
        "metrics": metrics,
    }
