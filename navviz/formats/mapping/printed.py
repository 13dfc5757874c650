"""A printed log as a document: episodes with their parts and steps, found by the heads of lines.

``[{"id": "12", "instruction": "...", "steps": [{"number": "1", "thought": "..."}]}]``. Heads are
plain texts, not patterns: a mapping of a stranger can be slow at nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from navviz.errors import Problem, Problems
from navviz.formats.mapping.model import PrintedFields
from navviz.formats.texts import Block, blocks, message_of
from navviz.records.base import plural
from navviz.support.guarded import Json


@dataclass(frozen=True, slots=True)
class _Found:
    """A head that a line is."""

    kind: str
    """``episode``, ``step``, or the name of a part."""
    taken: tuple[str, ...]
    """What stood in the places of ``{}``."""
    is_open: bool
    """Whether the last of them may go on in the lines that follow."""


@lru_cache(maxsize=256)
def _pieces(head: str) -> tuple[str, ...]:
    return tuple(head.split("{}"))


def _taken(line: str, head: str) -> tuple[str, ...] | None:
    """Return what a line has in the places of ``{}``; ``None`` where it is not this head."""
    first, *others = _pieces(head)
    if not line.startswith(first):
        return None
    taken: list[str] = []
    at = len(first)
    for k, piece in enumerate(others):
        last = k == len(others) - 1
        # the last piece ends the line: what is before it may hold the same letters
        begin = len(line) - len(piece) if last and line.endswith(piece) else line.find(piece, at)
        if begin < at or (last and not line.endswith(piece)):
            return None
        taken.append(line[at:begin].strip())
        at = begin + len(piece)
    return tuple(taken) if at == len(line) else None


_NEAR = 12
"""Characters that make a line look like a head."""


def _is_near(line: str, head: str) -> bool:
    pieces = [piece for piece in _pieces(head) if len(piece) >= _NEAR]
    return any(line.startswith(piece[:_NEAR]) or line.endswith(piece[-_NEAR:]) for piece in pieces)


class _Heads:
    """Finds heads line by line; parts of an episode count only before its first step.

    What a model wrote may begin a line with ``Actions:``, too.
    """

    def __init__(self, fields: PrintedFields) -> None:
        self._always = {"episode": fields.episode}
        if fields.step:
            self._always["step"] = fields.step
        self._of_episode, self._of_step = fields.episode_parts, fields.step_parts
        self._parts: Mapping[str, str] = {}
        self.near = 0
        """Lines that begin or end like a head, and are none."""

    def __call__(self, line: str) -> _Found | None:
        text = line.rstrip()
        for heads in (self._always, self._parts):
            for kind, head in heads.items():
                taken = _taken(text, head)
                if taken is None:
                    continue
                if kind == "episode":
                    self._parts = self._of_episode
                elif kind == "step":
                    self._parts = self._of_step
                return _Found(kind, taken, head.endswith("{}"))
        # a rule without words is no head
        is_near = any(
            _is_near(text, head) for head in (*self._always.values(), *self._parts.values())
        )
        self.near += is_near and any(map(str.isalnum, text))
        return None


@dataclass(slots=True)
class _Part:
    """An episode or a step with its texts, which may come in thousands of pieces."""

    head: dict[str, Json]
    texts: dict[str, list[str]] = field(default_factory=dict)
    """Pieces, joined once at the end: to add each to the text before it takes quadratic time."""
    lists: dict[str, list[Json]] = field(default_factory=dict)

    def add(self, block: Block[_Found]) -> None:
        """Take a part; a text that comes again goes on."""
        head = block.head
        if len(head.taken) > 1 or (head.taken and not head.is_open):
            self.texts.pop(head.kind, None)
            self.lists[head.kind] = list(head.taken)
            return
        self.lists.pop(head.kind, None)
        text = "\n".join([*head.taken, block.text]).strip()
        pieces = self.texts.setdefault(head.kind, [])
        # an episode's parts are printed again with each step, letter by letter
        if text and pieces != [text]:
            pieces.append(text)

    def as_json(self) -> dict[str, Json]:
        # a part of a stranger's mapping may be called "id" or "steps", too
        texts = {name: "\n\n".join(pieces) for name, pieces in self.texts.items()}
        return {**texts, **self.lists, **self.head}


@dataclass(slots=True)
class _PrintedEpisode:
    """An episode and its steps."""

    part: _Part
    steps: list[_Part] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    """Where in `steps` a number stands."""

    def begin(self, head: _Found) -> _Part:
        """Return a new step; one whose number comes again begins anew."""
        number = head.taken[0] if head.taken else str(len(self.steps) + 1)
        first = self.places.get(number, len(self.steps))
        for broken_off in self.steps[first:]:
            del self.places[str(broken_off.head["number"])]
        del self.steps[first:]
        self.places[number] = len(self.steps)
        self.steps.append(_Part({"number": number}))
        return self.steps[-1]

    def as_json(self) -> dict[str, Json]:
        return {**self.part.as_json(), "steps": [step.as_json() for step in self.steps]}


def printed_document(
    lines: Iterable[str], fields: PrintedFields, file: str = "", problems: Problems | None = None
) -> list[Json]:
    """Return the episodes of a printed log; `problems` takes lines that are nearly heads.

    An episode that is printed again goes on (Open-Nav prints its head at each step). A step whose
    number comes again begins anew: the earlier one broke off, and so did what came after it.
    """
    episodes: dict[str, _PrintedEpisode] = {}
    episode: _PrintedEpisode | None = None
    target = _Part({})
    messages = (message_of(line) for line in lines)
    heads = _Heads(fields)
    for block in blocks(messages, heads):
        head = block.head
        if head.kind == "episode":
            name = head.taken[0] if head.taken else str(len(episodes) + 1)
            episode = episodes.setdefault(name, _PrintedEpisode(_Part({"id": name})))
            target = episode.part
        elif episode is None:
            continue
        elif head.kind == "step":
            target = episode.begin(head)
        else:
            target.add(block)
    if heads.near and problems is not None:
        what = f"{plural(heads.near, 'line')} begin or end like the head of a part, and are none"
        do = "they are read as text; mend them, or name these heads in the mapping"
        problems.add(Problem(what, do, file))
    return [each.as_json() for each in episodes.values()]


def say_cut_step(listed: list[Json], file: str, problems: Problems) -> None:
    """Report a log that ends within a step: the last one lacks a part that all before it have."""
    steps: list[tuple[Json, Json]] = []
    for each in listed:
        steps += [(each["id"], step) for step in each["steps"]]
    if len(steps) > 1:
        name, last = steps.pop()
        usual = set.intersection(*(set(step) for _, step in steps))
        if lacking := sorted(usual - last.keys()):
            what = f"ends within step {last['number']}, without {', '.join(lacking)}"
            problems.add(Problem(what, "what is there is shown; look for the rest", file, name))
