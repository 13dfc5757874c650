"""What MapGPT and MSNav print while they walk, as blocks: pruning scores, environment prompt,
reply, tokens, faults.

For each step, in this order: ``--- Pruning Scores Detail (Step N, Current VP: ID) ---`` with its
nodes (MSNav, if asked for); dashes around `` Environment Prompts `` and the prompt; ``DEBUG:
Received nav_output ...`` and the raw reply between lines of triple quotes, the tokens, dashes
around `` Output `` and the reply again. MapGPT prints the prompt and the output only. Read from the
published code (see `navviz.systems.msnav.logs`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from navviz.systems.msnav.place_map.prompt import PlacePrompt, read_prompt

PROMPTS = " Environment Prompts "
_RULE = re.compile(r"^-{10,}(?P<name>[^-]*)-*\s*$")
_PRUNING = re.compile(r"^--- Pruning Scores Detail \(Step (\d+), Current VP: (\S+)\) ---")
_NODE = re.compile(r"^\s+Node (\S+):")
_VALUE = re.compile(r"\b(\w+)=(-?\d+(?:\.\d+)?|N/A)")
_TOTAL = re.compile(r"^\s+Total Score: (-?\d+(?:\.\d+)?)")
_TOKENS = re.compile(r"(prompt|completion)_tokens\W+(\d+)")
_FAULT = re.compile(r"^(ERROR|WARN): ")
_CASE = re.compile(r"^(Current|All) cases?\s+-")
_LIMIT = "Exceed image limit and stop!"
_REPLY = "DEBUG: Received nav_output"
_QUOTES = "'''"


@dataclass(frozen=True, slots=True)
class LoggedScore:
    """The printed pruning score of one node; what a line lacks is ``None``."""

    node: str
    values: dict[str, float | None]
    """By name: ``age``, ``degree``, ``unvisited``, ``hops``, ``time``, ``effective_age``,
    ``degree_term``, ``frontier``, ``distance``, ``score``.
    """


@dataclass
class LoggedStep:
    """The blocks of one step."""

    prompt: PlacePrompt
    text: str
    """The environment prompt as printed."""
    line: int
    """Line of the file where it begins."""
    scores: list[LoggedScore] = field(default_factory=list)
    node: str | None = None
    """The viewpoint that the pruning block names."""
    reply: str | None = None
    tokens: dict[str, int] = field(default_factory=dict)
    limit: bool = False
    """Whether it stopped because there were too many pictures."""
    faults: list[str] = field(default_factory=list)


class _At(Enum):
    NOWHERE = auto()
    PRUNING = auto()
    PROMPT = auto()
    REPLY_HEAD = auto()
    REPLY = auto()
    TOKENS = auto()
    OUTPUT = auto()


def is_log(text: str) -> bool:
    """Whether the beginning of a file looks like such a log."""
    return any(PROMPTS in line and _RULE.match(line) for line in text.splitlines()) or bool(
        re.search(_PRUNING.pattern, text, re.MULTILINE)
    )


def read_output(lines: Iterable[str]) -> Iterator[LoggedStep | int]:
    """Read the steps of a log in order; for a prompt that cannot be read, the number of its
    line.
    """
    reader = _OutputReader()
    for number, line in enumerate(lines, start=1):
        yield from reader.take(number, line.rstrip("\n"))
    yield from reader.end()


class _OutputReader:
    """Takes a log line by line; a step is whole when the next one begins."""

    def __init__(self) -> None:
        self.at = _At.NOWHERE
        self.prompt: list[str] = []
        self.began = 0
        self.scores: list[LoggedScore] = []
        self.pruned_at: str | None = None
        self.lines: list[str] = []
        self.step: LoggedStep | None = None
        self.unread: int | None = None

    def take(self, number: int, line: str) -> Iterator[LoggedStep | int]:
        if self.at is _At.REPLY:
            self._reply_line(line)
            return
        head = _PRUNING.match(line)
        rule = _RULE.match(line)
        if head:
            yield from self._whole()
            self.at, self.pruned_at = _At.PRUNING, head[2]
        elif rule and rule["name"].strip() == PROMPTS.strip():
            yield from self._whole()
            self.at, self.began = _At.PROMPT, number
        elif rule and rule["name"].strip() == "Output":
            self._close_prompt()
            self.at, self.lines = _At.OUTPUT, []
        elif line.startswith((_REPLY, _LIMIT)) or _FAULT.match(line) or _CASE.match(line):
            self._close_prompt()
            self._mark(line)
        else:
            self._content(line, is_rule=rule is not None)

    def _mark(self, line: str) -> None:
        self._close_output()
        self.at = _At.REPLY_HEAD if line.startswith(_REPLY) else _At.NOWHERE
        if self.step is None or line.startswith(_REPLY) or _CASE.match(line):
            return
        if line.startswith(_LIMIT):
            self.step.limit = True
        else:
            self.step.faults.append(line)

    def _content(self, line: str, *, is_rule: bool) -> None:
        if self.at is _At.PROMPT:
            self.prompt.append(line)
        elif self.at is _At.PRUNING:
            if is_rule:
                self.at = _At.NOWHERE
            else:
                self._score_line(line)
        elif self.at is _At.REPLY_HEAD and line.strip() == _QUOTES:
            self.at, self.lines = _At.REPLY, []
        elif self.at is _At.OUTPUT:
            self.lines.append(line)
        if self.step is not None and self.at in {_At.TOKENS, _At.OUTPUT}:
            self._tokens(line)

    def _reply_line(self, line: str) -> None:
        if line.strip() != _QUOTES:
            self.lines.append(line)
            return
        if self.step is not None:
            self.step.reply = "\n".join(self.lines)
        self.at, self.lines = _At.TOKENS, []

    def _tokens(self, line: str) -> None:
        counts = {match[1]: int(match[2]) for match in _TOKENS.finditer(line)}
        if self.step is not None and counts and not self.step.tokens:
            self.step.tokens = counts
            if self.lines and self.lines[-1] == line:
                self.lines.pop()

    def _score_line(self, line: str) -> None:
        node, total = _NODE.match(line), _TOTAL.match(line)
        if node:
            self.scores.append(LoggedScore(node[1], {}))
        elif self.scores:
            values = self.scores[-1].values
            if total:
                values["score"] = float(total[1])
            names = _CONTRIB if "Contrib:" in line else {}
            if "Raw:" in line:
                names = _RAW
            for name, value in _VALUE.findall(line):
                if name in names:
                    values[names[name]] = None if value == "N/A" else float(value)

    def _close_prompt(self) -> None:
        """Make the step, as its prompt is whole now."""
        if self.at is not _At.PROMPT:
            return
        text = "\n".join(self.prompt).strip("\n")
        prompt = read_prompt(text)
        self.prompt = []
        self.at = _At.NOWHERE
        if prompt is None:
            self.unread = self.began
        else:
            self.step = LoggedStep(prompt, text, self.began, self.scores, self.pruned_at)
        self.scores, self.pruned_at = [], None

    def _close_output(self) -> None:
        if self.at is _At.OUTPUT and self.step is not None and self.step.reply is None:
            self.step.reply = "\n".join(self.lines).strip() or None
        self.lines = []

    def _whole(self) -> Iterator[LoggedStep | int]:
        """Hand on the step that has just ended."""
        self._close_prompt()
        self._close_output()
        self.at = _At.NOWHERE
        if self.unread is not None:
            yield self.unread
        if self.step is not None:
            yield self.step
        self.step = self.unread = None

    def end(self) -> Iterator[LoggedStep | int]:
        if self.at is _At.REPLY and self.step is not None:  # cut off in the middle of a reply
            self.step.reply = "\n".join(self.lines)
            self.at = _At.NOWHERE
        yield from self._whole()


_RAW = {"age": "age", "deg": "degree", "unexpl_neigh": "unvisited", "dist": "hops"}
_CONTRIB = {
    "time": "time",
    "eff_age": "effective_age",
    "deg": "degree_term",
    "front": "frontier",
    "dist": "distance",
}
