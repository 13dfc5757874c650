"""A trace that another process writes is read as it grows, and never torn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from navviz.errors import InputError
from navviz.records import growing
from navviz.records.growing import GrowingTrace
from navviz.records.trace_files import read_trace
from tests.paths import SAMPLES

RUNS = SAMPLES / "harbour" / "runs" / "groke-by-hand"
WHOLE = (RUNS / "9.trace.jsonl").read_bytes()
LINES = WHOLE.splitlines(keepends=True)
OTHER = (RUNS / "1.trace.jsonl").read_bytes()


def test_each_state_is_what_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "9.trace.jsonl"
    path.write_bytes(LINES[0])
    trace = GrowingTrace(path)
    for line in LINES[1:]:
        # a look may come in the middle of a line, before its end, or after it
        for piece in (line[:50], line[50:-1], line[-1:]):
            with path.open("ab") as file:
                file.write(piece)
            assert trace.look() == read_trace(path)
    assert trace.look() == read_trace(RUNS / path.name)


def test_a_killed_writers_half_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "9.trace.jsonl"
    path.write_bytes(b"".join(LINES[:5]) + LINES[5][:80])
    trace = GrowingTrace(path)
    trace.look()
    with path.open("ab") as file:
        file.write(b"\n" + b"".join(LINES[6:]))
    assert trace.look() == read_trace(path)


@pytest.fixture
def read_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    counts: list[int] = []
    opened = growing.opened_bytes

    class Counting:
        def __init__(self, file: IO[bytes]) -> None:
            self.seek, self.fileno, self._read = file.seek, file.fileno, file.read

        def read(self, count: int = -1) -> bytes:
            raw = self._read(count)
            counts.append(len(raw))
            return raw

    @contextmanager
    def counted(path: Path) -> Iterator[Counting]:
        with opened(path) as file:
            yield Counting(file)

    monkeypatch.setattr(growing, "opened_bytes", counted)
    return counts


def test_only_what_is_new_is_read(tmp_path: Path, read_bytes: list[int]) -> None:
    path = tmp_path / "9.trace.jsonl"
    path.write_bytes(b"".join(LINES[:-4]))
    trace = GrowingTrace(path)
    trace.look()
    assert sum(read_bytes) == path.stat().st_size > 10 * growing._PROOF_BYTES
    for line in LINES[-4:]:
        read_bytes.clear()
        with path.open("ab") as file:
            file.write(line)
        trace.look()
        assert sum(read_bytes) <= len(line) + 2 * growing._PROOF_BYTES


def _replace(path: Path, raw: bytes) -> None:
    path.with_suffix(".part").write_bytes(raw)
    path.with_suffix(".part").replace(path)


@pytest.mark.parametrize("write", [Path.write_bytes, _replace])
@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(OTHER, id="another walk"),
        pytest.param(b"".join(LINES[:9]), id="cut"),
        # the same beginning, and longer than what was read
        pytest.param(b"".join([*LINES[:4], *LINES[8:], *LINES[8:-1]]), id="walked anew"),
    ],
)
def test_what_is_rewritten_cut_or_replaced_is_read_again(
    tmp_path: Path, raw: bytes, write: Callable[[Path, bytes], object]
) -> None:
    path = tmp_path / "9.trace.jsonl"
    path.write_bytes(b"".join(LINES[:20]))
    trace = GrowingTrace(path)
    trace.look()
    write(path, raw)
    assert trace.look() == read_trace(path)


def test_a_second_walk_in_the_file_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "9.trace.jsonl"
    path.write_bytes(b"".join(LINES[:9]))
    trace = GrowingTrace(path)
    first = trace.look()
    with path.open("ab") as file:
        file.write(OTHER)
    assert trace.look() == first == read_trace(path)


def test_what_is_spelled_otherwise_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "9.trace.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + WHOLE)
    assert GrowingTrace(path).look() == read_trace(path)


def test_a_file_without_a_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "9.trace.jsonl"
    path.write_bytes(b"")
    with pytest.raises(InputError, match="has no header"):
        GrowingTrace(path).look()
