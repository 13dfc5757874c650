"""Printed logs as blocks: a line that is a head, and the lines up to the next one.

What a program prints while it runs has no structure but its lines. Each reader says which lines
are heads; the way through the file, its limits and its line numbers are the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from navviz.formats.files import ITEM_BYTES

STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[,.]\d+)? - ")
"""What Python's ``logging`` puts before a message, where a program asks for the time."""
_LOGGED = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[,.]\d+)? - .{0,300}?(?:INFO|WARNING|ERROR): "
)
"""The same with the place in the code and the level, as Open-Nav prints to the screen."""
Head = TypeVar("Head")


@dataclass(slots=True)
class Block(Generic[Head]):
    """A head and what follows it."""

    head: Head
    """What the reader made of the line."""
    line: int
    """The number of the head's line."""
    lines: list[str] = field(default_factory=list)
    """The lines that follow, with their ends."""

    @property
    def text(self) -> str:
        """The lines that follow, without empty ones before and behind."""
        return "".join(self.lines).strip("\r\n")


def blocks(lines: Iterable[str], head_of: Callable[[str], Head | None]) -> Iterator[Block[Head]]:
    """Yield the blocks of a printed log; lines before the first head belong to none.

    Parameters
    ----------
    head_of
        Makes something of a line that is a head, and ``None`` of any other.
    """
    block: Block[Head] | None = None
    size = 0
    for number, line in enumerate(lines, start=1):
        head = head_of(line)
        if head is not None:
            if block is not None:
                yield block
            block, size = Block(head, number), 0
        elif block is not None and size < ITEM_BYTES:
            # a block without an end would be the rest of the file
            block.lines.append(line)
            size += len(line)
    if block is not None:
        yield block


def message_of(line: str) -> str:
    """Return a line without the stamp of ``logging``, if it has one."""
    stamp = _LOGGED.match(line)
    return line[stamp.end() :] if stamp is not None else line
