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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from navviz.formats.texts import Block, blocks
from navviz.systems.msnav.place_map.prompt import PlacePrompt, read_prompt

PROMPTS = " Environment Prompts "
_RULE = re.compile(r"^-{10,}(?P<name>[^-]*)-*\s*$")
_PRUNING = re.compile(r"^--- Pruning Scores Detail \(Step (\d+), Current VP: (\S+)\) ---")
_NODE = re.compile(r"^\s+Node (\S+):")
_VALUE = re.compile(r"\b(\w+)=(-?\d+(?:\.\d+)?|N/A)")
_TOTAL = re.compile(r"^\s+Total Score: (-?\d+(?:\.\d+)?)")
_TOKENS = re.compile(r"(prompt|completion)_tokens\W+(\d+)")
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


class _HeadKind(Enum):
    PRUNING = auto()
    PROMPT = auto()
    REPLY = auto()
    OUTPUT = auto()
    LIMIT = auto()
    FAULT = auto()
    CASE = auto()


@dataclass(frozen=True, slots=True)
class _Head:
    """A line that begins a block."""

    kind: _HeadKind
    line: str
    node: str = ""
    """The viewpoint that a pruning block names."""


class _OutputHeads:
    """Finds the lines that begin a block; between the quotes of a reply there are none."""

    def __init__(self) -> None:
        self._quotes_left = 0

    def __call__(self, line: str) -> _Head | None:
        text = line.rstrip("\n")
        if self._quotes_left and text.strip() == _QUOTES:
            self._quotes_left -= 1
            return None
        if self._quotes_left == 1:
            return None
        head = _head(text)
        if head is not None:
            self._quotes_left = 2 if head.kind is _HeadKind.REPLY else 0
        return head


def _head(text: str) -> _Head | None:
    pruning, rule = _PRUNING.match(text), _RULE.match(text)
    if pruning:
        return _Head(_HeadKind.PRUNING, text, pruning[2])
    named = _RULES.get(rule["name"].strip()) if rule else None
    if named is not None:
        return _Head(named, text)
    for kind, pattern in _MARKS.items():
        if pattern.match(text):
            return _Head(kind, text)
    return None


_RULES = {PROMPTS.strip(): _HeadKind.PROMPT, "Output": _HeadKind.OUTPUT}
_MARKS = {
    _HeadKind.REPLY: re.compile(r"DEBUG: Received nav_output"),
    _HeadKind.LIMIT: re.compile(r"Exceed image limit and stop!"),
    _HeadKind.FAULT: re.compile(r"(ERROR|WARN): "),
    _HeadKind.CASE: re.compile(r"(Current|All) cases?\s+-"),
}


def is_log(text: str) -> bool:
    """Whether the beginning of a file looks like such a log."""
    return any(PROMPTS in line and _RULE.match(line) for line in text.splitlines()) or bool(
        re.search(_PRUNING.pattern, text, re.MULTILINE)
    )


def read_output(lines: Iterable[str]) -> Iterator[LoggedStep | int]:
    """Read a log's steps in order; of a prompt that cannot be read, the number of its line."""
    step: LoggedStep | None = None
    scores, node = list[LoggedScore](), None
    for block in blocks(lines, _OutputHeads()):
        kind = block.head.kind
        if kind in {_HeadKind.PRUNING, _HeadKind.PROMPT} and step is not None:
            # a step is whole when the next one begins
            yield step
            step = None
        if kind is _HeadKind.PRUNING:
            scores, node = _scores(block.lines), block.head.node
        elif kind is _HeadKind.PROMPT:
            text = block.text
            prompt = read_prompt(text)
            if prompt is None:
                yield block.line
            else:
                step = LoggedStep(prompt, text, block.line, scores, node)
            # used up: a step without a pruning block must not get the scores of the step before
            scores, node = [], None
        elif step is not None:
            _add(step, block)
    if step is not None:
        yield step


def _add(step: LoggedStep, block: Block[_Head]) -> None:
    """Add a block behind the prompt to its step."""
    kind = block.head.kind
    lines = [line.rstrip("\n") for line in block.lines]
    if kind is _HeadKind.LIMIT:
        step.limit = True
    elif kind is _HeadKind.FAULT:
        step.faults.append(block.head.line)
    elif kind is _HeadKind.REPLY:
        quotes = [k for k, line in enumerate(lines) if line.strip() == _QUOTES]
        if quotes:
            # without the second quotes the log was cut off in the middle of a reply
            end = quotes[1] if len(quotes) > 1 else len(lines)
            step.reply = "\n".join(lines[quotes[0] + 1 : end])
            _tokens(step, lines[end + 1 :])
    elif kind is _HeadKind.OUTPUT:
        spoken = _tokens(step, lines)
        # MSNav prints its reply twice, and the raw one came first; MapGPT prints it here alone
        if step.reply is None:
            step.reply = "\n".join(spoken).strip() or None


def _tokens(step: LoggedStep, lines: Sequence[str]) -> list[str]:
    """Take the first counts of tokens; returns the lines without theirs."""
    others = []
    for line in lines:
        counts = {match[1]: int(match[2]) for match in _TOKENS.finditer(line)}
        if counts and not step.tokens:
            step.tokens = counts
        else:
            others.append(line)
    return others


def _scores(lines: Iterable[str]) -> list[LoggedScore]:
    """Return the scores of a pruning block, which a line of dashes ends."""
    scores: list[LoggedScore] = []
    for line in lines:
        if _RULE.match(line):
            break
        node, total = _NODE.match(line), _TOTAL.match(line)
        if node:
            scores.append(LoggedScore(node[1], {}))
        elif scores:
            values = scores[-1].values
            if total:
                values["score"] = float(total[1])
            # both kinds of lines say deg and dist, each for another figure
            names = _CONTRIB if "Contrib:" in line else {}
            if "Raw:" in line:
                names = _RAW
            for name, value in _VALUE.findall(line):
                if name in names:
                    values[names[name]] = None if value == "N/A" else float(value)
    return scores


_RAW = {"age": "age", "deg": "degree", "unexpl_neigh": "unvisited", "dist": "hops"}
_CONTRIB = {
    "time": "time",
    "eff_age": "effective_age",
    "deg": "degree_term",
    "front": "frontier",
    "dist": "distance",
}
