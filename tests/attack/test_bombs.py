"""Small packed files that unpack to gigabytes: refused in one sentence, in little memory."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import navviz
from navviz.errors import NavVizError
from navviz.formats import open_episodes, open_graph
from tests.paths import SAMPLES

HEADER = (SAMPLES / "harbour" / "runs" / "rules" / "1.trace.jsonl").read_bytes().split(b"\n")[0]
BOMB_BYTES, MORE_MEMORY_BYTES = 300_000_000, 150_000_000
"""A whole copy of what unpacks would pass the limit of memory twice."""
PEAK = Path("/proc/self/clear_refs")


@contextmanager
def _in_little_memory() -> Iterator[None]:
    if not PEAK.exists():  # only Linux can set the peak back
        yield
        return
    PEAK.write_text("5")
    before = _peak_bytes()
    yield
    assert _peak_bytes() - before < MORE_MEMORY_BYTES


def _peak_bytes() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = next(line for line in lines if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024


def _packed(path: Path, head: bytes, filling: bytes) -> Path:
    piece = filling * (1_000_000 // len(filling))
    if path.suffix == ".bz2":
        # bzip2 packs 3 MB a second, so one part is packed once and stands there several times
        size = BOMB_BYTES // 15
        part = bz2.compress(piece, 1)
        path.write_bytes(bz2.compress(head, 1) + part * (size // len(piece)))
    else:
        size = BOMB_BYTES
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(head)
            for _ in range(size // len(piece)):
                file.write(piece)
    assert path.stat().st_size < size / 50
    return path


def _read_whole(opened: Callable[[Path], object], path: Path) -> None:
    result = opened(path)
    # a run is read when its walks are looked at
    list(getattr(result, "traces", ()))


NIGHT = pytest.mark.nightly
BOMBS = [
    pytest.param("walk.trace.jsonl.gz", HEADER + b"\n", b" ", navviz.open_run, id="trace-blanks"),
    pytest.param("walk.jsonl.gz", HEADER + b"\n", b"{}\n", navviz.open_run, id="trace-lines", marks=NIGHT),
    pytest.param("run.json.gz", b"[", b"0,", navviz.open_run, id="results", marks=NIGHT),
    pytest.param("val.json.gz", b'[{"path_id": "', b"x", open_episodes, id="episodes", marks=NIGHT),
    pytest.param("map.osm.bz2", b"<osm>", b"<!-- -->", open_graph, id="map", marks=NIGHT),
    pytest.param("graph.graphml.gz", b"<graphml>", b"<!-- -->", open_graph, id="graphml", marks=NIGHT),
]  # fmt: skip


# the limit is the same for all of them: `formats/test_guard.py` holds it for each packing
@pytest.mark.parametrize(("name", "head", "filling", "opened"), BOMBS)
def test_a_bomb_is_refused(
    name: str, head: bytes, filling: bytes, opened: Callable[[Path], object], tmp_path: Path
) -> None:
    path = _packed(tmp_path / name, head, filling)
    with _in_little_memory(), pytest.raises(NavVizError) as refused:
        _read_whole(opened, path)
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)
