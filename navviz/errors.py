"""Everything NavViz may raise on purpose.

::

    NavVizError                 one sentence a user can act on
    ├── InputError              a file, episode or field is not what it should be
    │   ├── RecordError         a record (Episode, EndEvent ...) cannot hold what it was given
    │   ├── NotFoundError       a world that is named is not among what was opened
    │   ├── UnknownNodeError    a node that is named is not in the graph
    │   └── UnknownFormatError  no reader recognises the file
    ├── SettingsError           an option, a key or a model name is wrong
    │   ├── MissingExtraError   an optional package is not installed
    │   └── PluginError         another package's navigator, format or model cannot be used
    ├── ModelError              a language model could not answer
    │   ├── ModelRefusedError   400, 401, 403, 404: a retry would not help
    │   └── BudgetError         the run's limit of tokens or money is used up
    ├── ReadingStoppedError     the user stopped the reading of files
    └── StoreError              a trace or an annotation could not be saved or read
        └── ConflictError       somebody, or another window, changed it in the meantime
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

_LINE = re.compile(r"(?::\d+|, entry \d+)$")
"""What follows a file's name where a problem lies."""
SENTENCE = 400
"""The most characters of a `Problem` as a sentence; one that quoted its file had 20 million."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that could not be read, in words with which a user can mend it.

    Printed as one sentence: *where*: *what is wrong*; *what to do*.
    """

    what: str
    """What is wrong, without a full stop: ``waypoint 3 is not in the graph``."""
    do: str = ""
    """What the user can do about it, without a full stop."""
    file: str = ""
    """File name, with a line number where that helps (``run.jsonl:12``)."""
    episode: str = ""
    field: str = ""
    times: int = 0
    """How often, where one entry stands for all places of a fault in a file; else 0."""
    usual: str = ""
    """What it is about, where published files of the kind are so: ``links of places``."""

    def __post_init__(self) -> None:
        """Cut a text that quotes the file: one fault must not keep 20 MB in memory."""
        # the only way to set a field of a frozen dataclass
        if len(self.what) > SENTENCE:
            object.__setattr__(self, "what", _cut(self.what, SENTENCE))

    def __str__(self) -> str:
        times = f" ({self.times:,} times)" if self.times > 1 else ""
        whole = self._sentence(self.file, self.episode, self.field, self.what + times, self.do)
        if len(whole) <= SENTENCE:
            return whole
        file = self.file
        if len(file) > 100:  # the end has the name and the line
            file = f"…{file[-99:]}"
        episode, name = _cut(self.episode, 50), _cut(self.field, 40)
        # a command stays whole: half of a path cannot be pasted
        lead, mark, command = self.do.rpartition("navviz data map ")
        whole_command = mark + command if len(command) < SENTENCE // 2 else ""
        do = _cut(lead if whole_command else self.do, 80) + whole_command
        # what to do stays readable: of all parts, what is wrong loses most
        room = max(SENTENCE - len(self._sentence(file, episode, name, times, do)), 0)
        return self._sentence(file, episode, name, _cut(self.what, room) + times, do)

    @property
    def fault(self) -> tuple[str, ...]:
        """What two places of one fault have in common: everything but the line."""
        return (self.what, self.do, _LINE.sub("", self.file), self.episode, self.field)

    @staticmethod
    def _sentence(file: str, episode: str, name: str, what: str, do: str) -> str:
        where = [file, f"episode {episode}" if episode else "", f"field {name}" if name else ""]
        head = ", ".join(part for part in where if part)
        sentence = f"{head}: {what}" if head else what
        return f"{sentence}; {do}." if do else f"{sentence}."


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: max(room - 1, 0)]}…"


class NavVizError(Exception):
    """Base of all errors that NavViz raises on purpose; its text is one sentence for the user."""


class InputError(NavVizError):
    """A file, an episode or a field is not what it should be."""

    def __init__(
        self, what: str, do: str = "", *, file: str | Path = "", episode: str = "", field: str = ""
    ) -> None:
        self.problem = Problem(what, do, str(file), episode, field)
        super().__init__(str(self.problem))


class RecordError(InputError, ValueError):
    """A record cannot hold what it was given: a field is missing, unknown or of a wrong type.

    It is a `ValueError`, too: pydantic takes one within a validator as a fault of the field.
    """


class NotFoundError(InputError):
    """A world (a map, a house) that an episode names is not among what was opened."""


class UnknownNodeError(InputError, KeyError):
    """A node is not in the graph; a `KeyError`, too, as of any mapping."""

    def __str__(self) -> str:
        """Return the sentence; a `KeyError` shows its key in quotation marks."""
        return str(self.problem)


class UnknownFormatError(InputError):
    """No reader recognises the file."""


class SettingsError(NavVizError):
    """An option, a key or a model name is wrong."""


class MissingExtraError(SettingsError):
    """An optional package is not installed; the sentence names the extra that brings it."""


class PluginError(SettingsError):
    """A navigator, format or model of another package cannot be used."""


class ModelError(NavVizError):
    """A language model could not answer, after the retries that make sense."""


class ModelRefusedError(ModelError):
    """The server refused for a reason that a retry would not mend (400, 401, 403, 404)."""


class BudgetError(ModelError):
    """The run's limit of tokens or money is used up."""


class ReadingStoppedError(NavVizError):
    """The user stopped the reading of files."""


class StoreError(NavVizError):
    """A trace or an annotation could not be saved or read."""


class ConflictError(StoreError):
    """Somebody, or another window, changed it in the meantime; nothing was overwritten."""


@dataclass(slots=True)
class Problems:
    """A growing list of problems, bounded in what it keeps, exact in what it counts."""

    kept: list[Problem] = field(default_factory=list)
    count: int = 0
    limit: int = 200
    skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Entries (items, lines, rows) that are not shown, by file and episode (empty if unknown)."""
    usual: Counter[str] = field(default_factory=Counter)
    """Those of them that files of the kind lack as published, by what they are."""
    _places: dict[tuple[str, ...], int] = field(default_factory=dict, repr=False, compare=False)
    """Index in `kept` of a fault that is named once for all its places; -1 without room."""

    def add(self, problem: Problem) -> None:
        """Count a problem and keep it while there is room; with `times` it counts once."""
        if problem.times:
            at = self._places.get(problem.fault)
            if at is not None:
                if at >= 0:
                    self.kept[at] = replace(
                        self.kept[at], times=self.kept[at].times + problem.times
                    )
                return
            self._places[problem.fault] = len(self.kept) if len(self.kept) < self.limit else -1
        self.count += 1
        if len(self.kept) < self.limit:
            self.kept.append(problem)

    def skip(self, problem: Problem, entries: int = 1) -> None:
        """Add the reason why entries are not shown; one reason may stand for a file's rest."""
        self.add(problem)
        self.skipped[_LINE.sub("", problem.file), problem.episode] += entries
        if problem.usual:
            self.usual[problem.usual] += entries

    @property
    def because(self) -> str:
        """The first problem in brackets, for the sentence of an error; empty without one."""
        return f" ({str(self.kept[0]).rstrip('.')})" if self.kept else ""

    def extend(self, others: Problems) -> None:
        """Add all of another list."""
        for problem in others.kept:
            self.add(problem)
        # problems that the other list counted without room to keep them
        self.count += others.count - len(others.kept)
        self.skipped.update(others.skipped)
        self.usual.update(others.usual)


def merged_problems(parts: Iterable[Problems]) -> Problems:
    """Put lists of problems together, each list once however often it is named."""
    merged = Problems()
    # by identity: two lists may hold equal problems of different files
    for part in {id(part): part for part in parts}.values():
        merged.extend(part)
    return merged
