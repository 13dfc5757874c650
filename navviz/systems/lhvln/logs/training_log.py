"""Training logs of LH-VLN: figures of validations and tests, and the simulator's own lines.

A block ``Type: result`` (or ``2``, ``3``, ``4`` sub-tasks, ``spot``, ``stretch``, ``step``) is
followed by lines ``  success_rate: 0.0000``; ``###### Epoch: n ######``, ``###### Validation
######`` and ``###### Test ######`` say when.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from navviz.errors import InputError, Problem, Problems
from navviz.formats.texts import blocks, whole_lines

FIGURES = {
    "success_rate": "SR",
    "oracle_success_rate": "OSR",
    "spl": "SPL",
    "navigation_error": "NE",
    "independent_success_rate": "ISR",
    "conditional_success_rate": "CSR",
    "conditional_path_length": "CGT",
    "tar": "TAR",
}
"""Our names of the log's figures."""

_HEAD = re.compile(r"######\s*(?:Epoch:\s*(\d+)|(\w+))\s*######")
_TYPE = re.compile(r"Type:\s*(\w+)\s*$")
_FIGURE = re.compile(
    rf"\b({'|'.join(FIGURES)}):\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?|nan|inf)\s*$", re.IGNORECASE
)
_OTHER = re.compile(r"\s{3,8}(\w{1,40})\W{1,3}\d.{0,30}$")
"""A line of a block, indented as figures are."""
_EVENTS = {
    "reached": re.compile(r"\*{5} nav to .+ success! \*{5}"),
    "failed": re.compile(r"\*{5} nav to .+ fail! \*{5}"),
    "finished": re.compile(r"navigation over!"),
    "cut off": re.compile(r"maximum step reached!"),
    "actions": re.compile(r"\baction: \w+, step: -?\d+"),
}
_GROUPS = {
    "result": "all",
    "step": "step tasks",
    "2": "2 sub-tasks",
    "3": "3 sub-tasks",
    "4": "4 sub-tasks",
}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """The figures of one group at one time."""

    epoch: int | None
    phase: str
    """``Validation``, ``Test``, or empty."""
    group: str
    figures: dict[str, float] = field(default_factory=dict)
    """By our names; NaN is left out."""


@dataclass(frozen=True, slots=True)
class TrainingLog:
    """What one log tells."""

    name: str
    entries: tuple[LogEntry, ...]
    events: dict[str, int]
    """How often the simulator said what: ``reached``, ``failed``, ``finished``, ``cut off``,
    ``actions``.
    """
    problems: Problems = field(default_factory=Problems, compare=False)
    """A log that ends within a line or a block."""

    def rows(self) -> list[dict[str, object]]:
        """One row an entry, as a table."""
        rows: list[dict[str, object]] = []
        for entry in self.entries:
            names = {"epoch": entry.epoch, "phase": entry.phase, "group": entry.group}
            rows.append({**names, **entry.figures})
        return rows


def parse_training_log(text: str, name: str) -> TrainingLog:
    """Read a log's text; raises `InputError` without figures or lines of the simulator."""
    problems = Problems()
    lines = [*whole_lines(text.splitlines(keepends=True), name, problems)]
    events: dict[str, int] = {}
    for what, pattern in _EVENTS.items():
        events[what] = sum(pattern.search(line) is not None for line in lines)
    entries = _entries(lines, name, problems)
    if not any(entry.figures for entry in entries) and not any(events.values()):
        raise InputError(
            "holds no figures of LH-VLN", "open a log of its training or evaluation", file=name
        )
    if entries:
        last = entries[-1]
        alike = [each.figures for each in entries if each.group == last.group]
        usual = set[str]().union(*alike)
        lacking = sorted(usual - last.figures.keys())
        if lacking or not last.figures:
            lacks = ", ".join(lacking) or "its figures"
            what = f"ends within a block: {last.group} lacks {lacks}"
            problems.add(Problem(what, "its other figures are shown; look for the rest", name))
    entries = [entry for entry in entries if entry.figures]
    return TrainingLog(name.rpartition(".")[0] or name, tuple(entries), events, problems)


def _entries(lines: list[str], name: str, problems: Problems) -> list[LogEntry]:
    entries: list[LogEntry] = []
    epoch: int | None = None
    phase = ""
    for block in blocks(lines, _head_of):
        head = block.head
        if head.re is _TYPE:
            entries.append(LogEntry(epoch, phase, _GROUPS.get(head[1], head[1])))
        elif head[1]:
            # a phase belongs to the epoch announced last; a new epoch begins without one
            epoch, phase = int(head[1]), ""
        else:
            phase = head[2]
        figures = _figures(block.lines)
        lines_left = [line.rstrip() for line in block.lines if not _FIGURE.search(line)]
        unknown = sorted({line[1] for each in lines_left if (line := _OTHER.search(each))})
        # other lines may stand between a group and its figures, a new phase among them
        known = entries[-1].figures if entries else {}
        if figures and (not entries or known.keys() & figures.keys()):
            what = f"figures of no group ({', '.join(figures)}) from line {block.line} on"
            problems.add(Problem(what, "look for a damaged Type: line above them", name))
            figures = {key: value for key, value in figures.items() if key not in known}
        if unknown:
            what = f"figures that are unknown or no numbers ({', '.join(unknown[:5])})"
            problems.add(Problem(what, "they are left out; look for damaged lines", name))
        if entries:
            known.update(figures)
    return entries


def _head_of(line: str) -> re.Match[str] | None:
    return _HEAD.search(line) or _TYPE.search(line)


def _figures(lines: list[str]) -> dict[str, float]:
    """Return the figures that lines name; the last one of a name counts."""
    figures: dict[str, float] = {}
    for line in lines:
        figure = _FIGURE.search(line)
        value = float(figure[2]) if figure is not None else math.nan
        if figure is not None and not math.isnan(value):
            figures[FIGURES[figure[1].lower()]] = value
    return figures
