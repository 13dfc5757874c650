"""``navviz fetch`` against a server that means harm, and archives that would write elsewhere or
fill the disk.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from navviz.datasets import fetching
from navviz.datasets.fetching import data_set, download, fetch, unpack
from navviz.errors import InputError, NavVizError
from tests.cli.test_fetch import Server, server  # noqa: F401 - a fixture


@pytest.fixture
def hostile(server):  # noqa: F811
    """A server that sends these headers and this body, and nothing else."""
    server.raw, server.body = [], b""
    return server


def _refused(url: str, folder: Path) -> str:
    with pytest.raises(NavVizError) as caught:
        download(url, folder / "a.zip", timeout_s=5)
    assert "\n" not in str(caught.value)
    assert not (folder / "a.zip").exists()
    return str(caught.value)


def test_a_body_that_never_ends_does_not_fill_the_disk(
    hostile: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile.endless = True
    monkeypatch.setattr(fetching, "LARGEST_BYTES", 1_000_000)
    assert "sends more than" in _refused(hostile.url, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_length_beyond_all_data_sets_is_refused_before_it_is_loaded(
    hostile: Server, tmp_path: Path
) -> None:
    hostile.raw = [("Content-Length", "9000000000")]
    assert "sends more than 8 GB" in _refused(hostile.url, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("length", ["\u00b2", "9" * 5_000, "-5", "0x10"])
def test_a_length_that_is_no_number_is_as_none(
    hostile: Server, tmp_path: Path, length: str
) -> None:
    hostile.raw, hostile.body = (
        [("Content-Length", length), ("Connection", "close")],
        b"content",
    )
    assert download(hostile.url, tmp_path / "a.zip", timeout_s=5).read_bytes() == b"content"


@pytest.mark.parametrize(
    "to", ["file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://x/", "//[", "http://[::1"]
)
def test_a_redirect_leaves_the_web_nowhere(hostile: Server, tmp_path: Path, to: str) -> None:
    hostile.status, hostile.raw = 302, [("Location", to)]
    _refused(hostile.url, tmp_path)


def test_a_redirect_without_end_is_one_sentence(hostile: Server, tmp_path: Path) -> None:
    hostile.status, hostile.raw = 302, [("Location", hostile.url)]
    assert "answers 302" in _refused(hostile.url, tmp_path)


def test_no_redirect_leaves_encryption() -> None:
    import urllib.request

    request = urllib.request.Request("https://here.example/a.zip")
    with pytest.raises(InputError, match="not followed"):
        fetching._WebOnly().redirect_request(
            request, io.BytesIO(), 302, "", {}, "http://here.example/a.zip"
        )


def test_a_tag_that_is_no_header_is_never_sent_back(hostile: Server, tmp_path: Path) -> None:
    hostile.raw = [("ETag", '"a\r\n X-Evil: 1"'), ("Content-Length", "100")]
    hostile.body = b"cut"
    assert "the connection was cut" in _refused(hostile.url, tmp_path)


def _archive(*members: zipfile.ZipInfo | str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for member in members:
            file.writestr(member, "evil")
    return packed.getvalue()


def _special(mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("special")
    info.external_attr = mode << 16
    return info


@pytest.mark.parametrize(
    "names",
    [("nodes.txt", "../../out"), ("nodes.txt", "/tmp/out"), ("nodes.txt", "a", "a/b")],
    ids=str,
)
def test_an_archive_from_a_hostile_server_writes_nowhere_else(
    hostile: Server, tmp_path: Path, names: tuple[str, ...]
) -> None:
    hostile.body = _archive(*names)
    hostile.raw = [("Content-Length", str(len(hostile.body)))]
    inner = tmp_path / "x" / "y"
    with pytest.raises(NavVizError):
        fetch(data_set("map2seq"), inner / "map2seq", hostile.url)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "mode", [0o020666, 0o060666, 0o010666, 0o140666], ids=["char", "block", "pipe", "socket"]
)
def test_a_device_in_an_archive_becomes_a_plain_file(tmp_path: Path, mode: int) -> None:
    (tmp_path / "a.zip").write_bytes(_archive(_special(mode)))
    unpack(tmp_path / "a.zip", tmp_path / "a")
    assert (tmp_path / "a" / "special").is_file()


def test_an_archive_of_endless_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_MOST_MEMBERS", 3)
    (tmp_path / "a.zip").write_bytes(_archive(*(f"{number}.txt" for number in range(4))))
    with pytest.raises(InputError, match="far too large"):
        unpack(tmp_path / "a.zip", tmp_path / "a")
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]
