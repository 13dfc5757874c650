"""A file that changes at each moment at which NavViz looks at it: before its n-th stat or open.

`test_changing_files` lets a thread change a file at any moment, which finds few of these moments.
Here none is left to chance: 162 looks at a plain file, 126 at a packed one.
"""

from __future__ import annotations

import builtins
import gzip
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import navviz
from navviz.errors import NavVizError
from tests.nights import by_day
from tests.paths import SAMPLES

RUN = SAMPLES / "harbour" / "runs" / "rules"
GRAPH = navviz.open_graph(SAMPLES / "harbour" / "osm" / "graph")
Change = Callable[[Path], object]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _replace(path: Path) -> None:
    path.write_bytes(b'{"type": "walk", "sample": [' + b"1, " * 2000)


def _delete(path: Path) -> None:
    path.unlink()


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


CHANGES: list[Change] = [_cut, _empty, _replace, _delete, _make_folder]


class Looks:
    """Counts the looks at a file, and changes it before one of them."""

    def __init__(self, path: Path, change: Change, at: int) -> None:
        self.count, self._path, self._change, self._at = 0, str(path), change, at
        self._is_changing = False

    def before(self, look: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of the system that counts before it looks."""

        def counted(file: Any, *arguments: Any, **options: Any) -> Any:
            # a number is a file that is open already
            if not isinstance(file, int) and os.fspath(file) == self._path:
                self._count()
            return look(file, *arguments, **options)

        return counted

    def _count(self) -> None:
        if self._is_changing:
            return
        self.count += 1
        if self.count == self._at:
            self._is_changing = True
            self._change(Path(self._path))
            self._is_changing = False


@contextmanager
def _changed_at(path: Path, change: Change, at: int) -> Iterator[Looks]:
    looks = Looks(path, change, at)
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((os, "stat"), (os, "open"), (io, "open"), (builtins, "open")):
            patch.setattr(module, name, looks.before(getattr(module, name)))
        yield looks


def _refusal(path: Path, walks: Mapping[str, Sequence[str]]) -> str | None:
    """Read a run, each walk of which is one of `walks` or its beginning; return why it cannot be."""
    try:
        run = navviz.open_run(path, graphs=GRAPH)
        for name, trace in dict(run.traces).items():
            assert list(walks[name][: len(trace.path)]) == list(trace.path)
    except NavVizError as error:
        return str(error)
    return None


# each case is one open of the sample, 30 ms; by day each change comes at every sixteenth look
@pytest.mark.parametrize("every", by_day([16, 1], [16]))
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("packed", [False, True])
def test_a_change_at_any_look_shows_true_walks_or_one_sentence(
    tmp_path: Path, change: Change, every: int, *, packed: bool
) -> None:
    texts = [trace.read_text().rstrip("\n") for trace in sorted(RUN.glob("*.trace.jsonl"))]
    whole = "".join(f"{text}\n" for text in texts).encode()
    path = tmp_path / ("joined.jsonl.gz" if packed else "joined.jsonl")
    raw = gzip.compress(whole) if packed else whole
    path.write_bytes(raw)
    walks = {name: trace.path for name, trace in navviz.open_run(path, graphs=GRAPH).traces.items()}
    # each change begins at another look, so that together they meet more of them by day
    at, tried, is_late = 1 + CHANGES.index(change) % every, 0, False
    while not is_late:
        if path.is_dir():
            path.rmdir()
        path.write_bytes(raw)
        with _changed_at(path, change, at) as looks:
            sentence = _refusal(path, walks)
        if sentence is not None:
            assert path.name in sentence, f"look {at}"
            assert "\n" not in sentence, f"look {at}"
        # a later change comes after the last look
        is_late = looks.count < at
        at, tried = at + every, tried + 1
    assert tried * every >= 60
