"""Folders of visitors, as ZIP archives or as many files: they stay in their own place, or are
refused in one sentence and leave nothing.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.runs.sources import workspace_dir
from navviz.runs.uploads import save_folder, save_upload
from navviz.support.guarded import unpacked_bytes
from navviz.support.guarded.archives import MOST_FILES, folder_places

LOG = b'[{"id": 1, "path": [[0, 0, 0], [0, 0, -1]]}]'
OUTSIDE = ["../out.json", "a/../../out.json", "/etc/out.json", "..\\out.json", "C:\\out.json", "~/out.json", "a\x07b.json"]  # fmt: skip


def _zip(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    return packed.getvalue()


def _left() -> list[Path]:
    return [path for path in workspace_dir().rglob("*") if path.is_file()]


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    before = set(_left())
    yield
    assert set(_left()) == before


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_that_lead_out_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="outside of the folder"):
        save_upload("log.zip", _zip(("log.json", LOG), (name, b"x")), None)
    with pytest.raises(InputError, match="outside of the folder"):
        save_folder([("log.json", LOG), (name, b"x")], None)


@pytest.mark.parametrize("name", ["a/" * 20 + "x.json", "x" * 121, "ä" * 121])
def test_names_that_no_disk_takes_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="too deep or has too long a name"):
        save_upload("log.zip", _zip((name, LOG)), None)


def test_two_files_of_one_name_are_refused() -> None:
    """On Windows and macOS the second one would write over the first."""
    with pytest.raises(InputError, match="two files"):
        save_upload("log.zip", _zip(("a.json", LOG), ("A.json", LOG)), None)
    with pytest.raises(InputError, match="two files"):
        save_folder([("f/a.json", LOG), ("f/A.json", LOG)], None)
    with pytest.raises(InputError, match=r"ZIP archive|cannot be unpacked"):
        save_upload("log.zip", _zip(("a", LOG), ("a/b.json", LOG)), None)


@pytest.mark.parametrize(
    ("names", "root", "places"),
    [
        (["run/a.json", "run/seen/0.png"], "run", [("a.json",), ("seen", "0.png")]),
        (["a.json", "seen/0.png"], "", [("a.json",), ("seen", "0.png")]),
        (["run/a.json", "other/a.json"], "", [("run", "a.json"), ("other", "a.json")]),
        # what systems leave in a folder makes it no second one
        (["__MACOSX/x", "run/", r".\run\a.json"], "run", [(), (), ("a.json",)]),
        ([], "", []),
    ],
)
def test_the_folder_of_all_files_is_left_out(
    names: list[str], root: str, places: list[tuple[str, ...]]
) -> None:
    assert folder_places(names, "log.zip") == (root, places)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(kind: int) -> None:
    info = zipfile.ZipInfo("secret.json")
    info.external_attr = (kind | 0o777) << 16
    with pytest.raises(InputError, match="link or a device"):
        save_upload("log.zip", _zip(("log.json", LOG), (info, b"/etc/passwd")), None)


def test_bombs_are_refused() -> None:
    bomb = _zip(("log.json", b" " * 40_000_000))
    assert len(bomb) < 100_000
    assert unpacked_bytes("log.zip", io.BytesIO(bomb)) == 40_000_000
    with pytest.raises(InputError, match="far more"):
        save_upload("log.zip", bomb, None)
    many = _zip(*((f"{k}.json", b"") for k in range(MOST_FILES + 1)))
    with pytest.raises(InputError, match="more than 20,000 files"):
        save_upload("log.zip", many, None)


def test_a_size_that_is_a_lie_is_refused() -> None:
    """A visitor's share counts what members claim, so that none may give more."""
    packed = bytearray(_zip(("log.json", LOG * 1000)))
    at = packed.rfind(b"PK\x01\x02")
    struct.pack_into("<L", packed, at + 24, 10)
    assert unpacked_bytes("log.zip", io.BytesIO(bytes(packed))) < len(LOG) * 1000
    with pytest.raises(InputError, match="no ZIP archive that can be read"):
        save_upload("log.zip", bytes(packed), None)


def test_what_is_no_archive_is_one_sentence() -> None:
    locked = bytearray(_zip(("log.json", LOG)))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.find(mark) + flags] |= 1
    whole = _zip(("log.json", LOG * 100))
    broken = whole[:60] + b"\xff" * 20 + whole[80:]
    for content in (b"", b"PK\x03\x04", whole[:-30], broken, bytes(locked)):
        with pytest.raises(InputError, match="no ZIP archive that can be read"):
            save_upload("log.zip", content, None)


@pytest.mark.parametrize("content", [b"", b"{}", b"[[[["])
def test_folders_that_hold_nothing_are_refused(content: bytes) -> None:
    with pytest.raises(InputError):
        save_folder([("f/.DS_Store", content), ("f/__MACOSX/log.json", content)], None)
