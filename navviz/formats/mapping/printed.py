"""A printed log as a document: episodes with their parts and steps, found by the heads of lines.

``[{"id": "12", "instruction": "...", "steps": [{"number": "1", "thought": "..."}]}]``. Heads are
plain texts, not patterns: a mapping of a stranger can be slow at nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from navviz.formats.mapping.model import PrintedFields
from navviz.formats.printed import Block, blocks, message_of
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
        return None


def printed_document(lines: Iterable[str], fields: PrintedFields) -> list[Json]:
    """Return the episodes of a printed log.

    An episode that is printed again goes on (Open-Nav prints its head at each step). A step whose
    number comes again begins anew: the earlier one broke off, and so did what came after it.
    """
    episodes: dict[str, dict[str, Any]] = {}
    episode: dict[str, Any] | None = None
    target: dict[str, Any] = {}
    messages = (message_of(line) for line in lines)
    for block in blocks(messages, _Heads(fields)):
        head = block.head
        if head.kind == "episode":
            name = head.taken[0] if head.taken else str(len(episodes) + 1)
            episode = episodes.setdefault(name, {"id": name, "steps": []})
            target = episode
        elif episode is None:
            continue
        elif head.kind == "step":
            target = _begun(episode["steps"], head)
        else:
            _add(target, block)
    return list(episodes.values())


def _begun(steps: list[dict[str, Any]], head: _Found) -> dict[str, Any]:
    """Return a new step of an episode."""
    number = head.taken[0] if head.taken else str(len(steps) + 1)
    for k, step in enumerate(steps):
        if step["number"] == number:
            del steps[k:]
            break
    steps.append({"number": number})
    return steps[-1]


def _add(target: dict[str, Any], block: Block[_Found]) -> None:
    """Put a part where it belongs; one that comes again goes on."""
    head = block.head
    if len(head.taken) > 1 or (head.taken and not head.is_open):
        target[head.kind] = list(head.taken)
        return
    text = "\n".join([*head.taken, block.text]).strip()
    earlier = target.get(head.kind)
    # an episode's parts are printed again with each step, letter by letter
    if isinstance(earlier, str) and earlier and earlier != text:
        text = f"{earlier}\n\n{text}"
    target[head.kind] = text
