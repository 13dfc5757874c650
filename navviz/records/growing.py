"""A trace file that another process writes: each look at it reads what is new."""

from __future__ import annotations

import io
import os
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Final

from pydantic import ValidationError

from navviz.records.event_lines import EVENT, EventReader
from navviz.records.folding import Folder
from navviz.records.trace import Trace
from navviz.records.trace_files import read_trace
from navviz.records.trace_lines import trace_lines
from navviz.support.guarded import opened_bytes

_PROOF_BYTES: Final = 4096
"""At the beginning and before what is new: if these are unchanged, so is what lies between."""

_BEGIN: Final = b'{"type":"header"'


class GrowingTrace:
    """What was read of a trace so far. One that was rewritten, cut or replaced is read anew."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._begin((0, 0))

    def _begin(self, file: tuple[int, int]) -> None:
        self._file = file
        self._head = self._tail = b""
        self._read_bytes = self._lines = 0
        self._is_over = False
        self._folder, self._reader = Folder(), EventReader(self._path)

    def look(self) -> Trace:
        """Return the trace as far as it is written; raises `InputError` as `read_trace` does."""
        with self._lock, opened_bytes(self._path) as file:
            state = os.fstat(file.fileno())
            if (state.st_dev, state.st_ino) != self._file:
                self._begin((state.st_dev, state.st_ino))
            file.seek(0)
            head = file.read(len(self._head))
            file.seek(self._read_bytes - len(self._tail))
            # one read, so that what is new belongs to what proves it
            raw = file.read()
            if head != self._head or not raw.startswith(self._tail):
                self._begin(self._file)
                file.seek(0)
                raw = file.read()
            if not self._folder.started and not raw.startswith(_BEGIN):
                return read_trace(self._path)
            self._take(raw, len(self._tail))
            return self._folder.trace

    def _take(self, raw: bytes, begin: int) -> None:
        """Fold the whole lines that begin at a place of what was read."""
        end = raw.rfind(b"\n", begin) + 1 or begin
        if _is_event(raw[end:]):
            end = len(raw)
        new = io.BytesIO(raw[begin:end])
        for line in trace_lines(new, first_number=self._lines + 1, first_byte=self._read_bytes):
            if not self._folder.started:
                self._folder.add(self._reader.header(line))
                continue
            # what follows belongs to another walk
            self._is_over = self._is_over or line.is_header
            if not self._is_over and (event := self._reader.event(line)) is not None:
                self._folder.add(event)
        self._lines += raw.count(b"\n", begin, end)
        self._read_bytes += end - begin
        self._head = self._head or raw[begin : min(end, begin + _PROOF_BYTES)]
        self._tail = raw[max(0, end - _PROOF_BYTES) : end]


def _is_event(raw: bytes) -> bool:
    """Whether a line that is not ended is whole; a writer may not end its last one."""
    try:
        EVENT.validate_json(raw)
    except ValidationError:
        return False
    return True


@lru_cache(maxsize=8)
def growing_trace(path: Path) -> GrowingTrace:
    """Return what all who watch a walk share."""
    return GrowingTrace(path)
