"""``fetch`` against a server on 127.0.0.1 that cuts, lies, refuses and resumes."""

from __future__ import annotations

import errno
import io
import shutil
import sys
import threading
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from navviz.cli import fetch as command
from navviz.datasets import fetching
from navviz.datasets.fetching import DATA_SETS, MARK, data_set, download, fetch, unpack
from navviz.errors import InputError, SettingsError, StoreError
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour"


def archive(**more: str) -> bytes:
    """A small world as a zip, incompressible enough to be cut somewhere."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as file:
        for path in sorted((HARBOUR / "osm" / "graph").glob("*.txt")):
            file.writestr(f"map2seq/osm/graph/{path.name}", path.read_text(encoding="utf-8"))
        for name, text in more.items():
            file.writestr(name, text)
    return packed.getvalue()


@dataclass
class Server:
    """What the server sends, and what it was asked for."""

    body: bytes
    cuts: list[int] = field(default_factory=list)
    """After how many bytes each coming reply is cut off."""
    status: int = 200
    ranges: bool = True
    tag: str = '"one"'
    length: int | None = None
    says_length: bool = True
    raw: list[tuple[str, str]] | None = None
    """Headers in place of all others, before the body as it is."""
    endless: bool = False
    range_headers: list[str] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(fetching, "_PAUSE_S", 0.0)
    state = Server(archive())

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            _answer(self, state)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        state.url = f"http://127.0.0.1:{http.server_address[1]}/map2seq_v1-0.zip"
        yield state
        http.shutdown()
        thread.join()


def _answer(handler: BaseHTTPRequestHandler, state: Server) -> None:
    if state.raw is not None:
        handler.send_response_only(state.status)
        for name, value in state.raw:
            handler.send_header(name, value)
        handler.end_headers()
        with suppress(OSError):
            handler.wfile.write(state.body)
            while state.endless:
                handler.wfile.write(bytes(1 << 16))
        return
    header = handler.headers.get("Range", "")
    state.range_headers.append(header)
    if state.status != 200:
        handler.send_error(state.status)
        return
    begin = 0
    if header and state.ranges and handler.headers.get("If-Range") == state.tag:
        begin = int(header.removeprefix("bytes=").rstrip("-"))
        if begin >= len(state.body):
            handler.send_error(416)
            return
        handler.send_response(206)
        handler.send_header(
            "Content-Range", f"bytes {begin}-{len(state.body) - 1}/{len(state.body)}"
        )
    else:
        handler.send_response(200)
    if state.tag:
        handler.send_header("ETag", state.tag)
    rest = state.body[begin:]
    if state.says_length:
        handler.send_header(
            "Content-Length", str(len(rest) if state.length is None else state.length)
        )
    handler.end_headers()
    handler.wfile.write(rest[: state.cuts.pop(0)] if state.cuts else rest)


# --- download


def test_a_whole_file_comes_with_progress(server, tmp_path):
    seen: list[tuple[int, int | None]] = []
    path = download(server.url, tmp_path / "a.zip", lambda done, total: seen.append((done, total)))
    assert path.read_bytes() == server.body
    assert seen[0] == (0, len(server.body))
    assert seen[-1] == (len(server.body), len(server.body))
    assert [p.name for p in tmp_path.iterdir()] == ["a.zip"]


def test_a_cut_connection_is_taken_up_where_it_was_cut(server, tmp_path):
    server.cuts = [1000, 500]
    path = download(server.url, tmp_path / "a.zip")
    assert path.read_bytes() == server.body
    assert server.range_headers == ["", "bytes=1000-", "bytes=1500-"]


def test_after_too_many_cuts_the_next_call_goes_on(server, tmp_path):
    server.cuts = [100] * 5
    with pytest.raises(InputError, match=r"cut after 500 bytes .*run the command again to go on"):
        download(server.url, tmp_path / "a.zip")
    path = download(server.url, tmp_path / "a.zip")
    assert path.read_bytes() == server.body
    assert server.range_headers[-1] == "bytes=500-"


def test_a_server_without_ranges_sends_it_whole_again(server, tmp_path):
    server.cuts, server.ranges = [1000], False
    assert download(server.url, tmp_path / "a.zip").read_bytes() == server.body


def test_another_version_of_the_file_is_not_glued_to_the_old_part(server, tmp_path):
    server.cuts = [1000] * 5
    with pytest.raises(InputError):
        download(server.url, tmp_path / "a.zip")
    server.body, server.tag = archive(more="new"), '"two"'
    assert download(server.url, tmp_path / "a.zip").read_bytes() == server.body


def test_a_server_that_names_no_version_is_asked_from_the_start(server, tmp_path):
    server.cuts, server.tag = [1000], ""
    assert download(server.url, tmp_path / "a.zip").read_bytes() == server.body
    assert server.range_headers == ["", ""]


def test_a_whole_part_that_was_not_renamed_is_loaded_again(server, tmp_path):
    (tmp_path / "a.zip.part").write_bytes(server.body)
    (tmp_path / "a.zip.part.tag").write_text(server.tag)
    assert download(server.url, tmp_path / "a.zip").read_bytes() == server.body


def test_a_length_that_is_never_reached_is_told(server, tmp_path):
    server.length, server.ranges = len(server.body) + 10, False
    with pytest.raises(
        InputError, match=r"the connection was cut after [\d,]+ bytes \(of [\d,]+\)"
    ):
        download(server.url, tmp_path / "a.zip")


def test_no_length_at_all_is_fine(server, tmp_path):
    server.says_length = False
    seen: list[int | None] = []
    assert (
        download(server.url, tmp_path / "a.zip", lambda _, total: seen.append(total)).read_bytes()
        == server.body
    )
    assert set(seen) == {None}


@pytest.mark.parametrize(
    ("status", "do"), [(404, "check the address"), (403, "check the address"), (503, "later")]
)
def test_a_refusal_says_what_to_do(server, tmp_path, status, do):
    server.status = status
    with pytest.raises(InputError, match=rf"the server answers {status} .*{do}") as caught:
        download(server.url, tmp_path / "a.zip")
    assert server.url in str(caught.value)


def test_no_network_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match=r"127\.0\.0\.1 cannot be reached .*check the network"):
        download("http://127.0.0.1:9/a.zip", tmp_path / "a.zip")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "map2seq.zip", "http://", "ftp://example.org/a.zip"]
)
def test_only_web_addresses_are_loaded(tmp_path, url):
    with pytest.raises(SettingsError, match="is no web address"):
        download(url, tmp_path / "a.zip")


def test_a_full_disk_is_told_before_loading(server, tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10))
    with pytest.raises(StoreError, match=r"MB left; free some space"):
        download(server.url, tmp_path / "a.zip")


def test_a_disk_that_fills_up_while_loading_is_told(server, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(fetching, "_copy", full)
    with pytest.raises(
        StoreError, match=r"the disk is full\); free some space, then run the command again"
    ):
        download(server.url, tmp_path / "a.zip")


def test_a_target_that_cannot_be_a_file_is_told(server, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be written"):
        download(server.url, tmp_path / "file" / "a.zip")


# --- unpack


def _zip(path: Path, member: zipfile.ZipInfo | str) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("good.txt", "good")
        file.writestr(member, "evil")
    return path


def _link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("link")
    info.external_attr = 0o120777 << 16
    return info


@pytest.mark.parametrize(
    "member",
    ["../out.txt", "/out.txt", "a/../../out.txt", "..\\out.txt", "C:\\out.txt", _link()],
    ids=str,
)
def test_members_that_lead_out_are_refused_and_nothing_is_unpacked(tmp_path, member):
    with pytest.raises(InputError, match="outside of the folder"):
        unpack(_zip(tmp_path / "a.zip", member), tmp_path / "in" / "a")
    assert [p.name for p in tmp_path.iterdir()] == ["a.zip"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "text"])
def test_a_broken_archive_leaves_nothing_behind(tmp_path, damage):
    whole = bytearray(archive())
    whole[200] ^= 0xFF
    broken = {"cut": bytes(whole[:-500]), "flipped": bytes(whole), "text": b"<html>moved</html>"}[
        damage
    ]
    (tmp_path / "a.zip").write_bytes(broken)
    with pytest.raises(InputError, match="is no whole zip archive"):
        unpack(tmp_path / "a.zip", tmp_path / "a")
    assert [p.name for p in tmp_path.iterdir()] == ["a.zip"]


def test_the_texts_of_navgpt_come_as_dropbox_packs_a_folder(server, tmp_path):
    wanted = data_set("navgpt-text")
    server.body = archive(**{"/": "", f"R2R/observations_summarized/{wanted.proof}": "{}"})
    fetched = fetch(wanted, tmp_path / "texts", server.url)
    assert (fetched.folder / "R2R" / "observations_summarized" / wanted.proof).read_text() == "{}"
    server.body = archive()
    with pytest.raises(InputError, match=f"holds no {wanted.proof}"):
        fetch(wanted, tmp_path / "other", server.url)


def test_a_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("navviz.datasets.fetching._LARGEST_BYTES", 7)
    with pytest.raises(InputError, match="far too large"):
        unpack(_zip(tmp_path / "a.zip", "b.txt"), tmp_path / "a")


# --- fetch and the command


def test_fetch_unpacks_once(server, tmp_path):
    folder = tmp_path / "data" / "map2seq"
    first = fetch(data_set("map2seq"), folder, server.url)
    assert (first.already_there, first.files) == (
        False,
        len(list((HARBOUR / "osm" / "graph").glob("*.txt"))),
    )
    assert (folder / "map2seq" / "osm" / "graph" / "nodes.txt").is_file()
    assert [p.name for p in folder.parent.iterdir()] == ["map2seq"]
    assert fetch(data_set("map2seq"), folder, server.url).already_there
    assert len(server.range_headers) == 1


def test_what_was_unpacked_by_hand_counts_as_there(server, tmp_path):
    shutil.copytree(HARBOUR / "osm", tmp_path / "osm")
    assert fetch(data_set("map2seq"), tmp_path, server.url).already_there
    assert server.range_headers == []


def test_a_folder_with_something_else_is_left_alone(server, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(StoreError, match="holds something else already"):
        fetch(data_set("map2seq"), tmp_path, server.url)
    assert (tmp_path / "thesis.txt").read_text() == "mine"
    assert server.range_headers == []


def test_a_folder_that_lost_files_is_not_called_whole(server, tmp_path):
    folder = tmp_path / "map2seq"
    fetch(data_set("map2seq"), folder, server.url)
    (folder / "map2seq" / "osm" / "graph" / "links.txt").unlink()
    with pytest.raises(StoreError, match="empty it"):
        fetch(data_set("map2seq"), folder, server.url)


def test_another_archive_is_refused(server, tmp_path):
    server.body = _zip(tmp_path / "other.zip", "b.txt").read_bytes()
    with pytest.raises(InputError, match=r"holds no nodes\.txt"):
        fetch(data_set("map2seq"), tmp_path / "map2seq", server.url)
    assert not (tmp_path / "map2seq").exists()
    assert not (tmp_path / "map2seq.zip").exists()


def test_an_unknown_name_says_which_there_are():
    with pytest.raises(SettingsError, match="choose one of: map2seq"):
        data_set("r2r")


@pytest.fixture
def app():
    app = typer.Typer()
    command.register(app)
    app.callback()(lambda: None)
    return app


def test_the_command_fetches_into_the_workspace_and_says_what_next(
    server, app, tmp_path, monkeypatch
):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "ws"))
    done = CliRunner().invoke(app, ["fetch", "map2seq", "--url", server.url])
    folder = tmp_path / "ws" / "data" / "map2seq"
    assert done.exit_code == 0, done.output
    assert f"navviz app {folder}" in done.output
    assert (folder / MARK).is_file()
    again = CliRunner().invoke(app, ["fetch", "map2seq", "--url", server.url])
    assert again.exit_code == 0
    assert "is already there" in again.output


@pytest.mark.parametrize(
    "arguments", [["fetch", "nothing"], ["fetch", "map2seq", "--url", "nowhere"]]
)
def test_the_command_fails_with_one_sentence(app, tmp_path, arguments):
    done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "x")])
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_the_help_says_where_files_go(app):
    said = " ".join(
        CliRunner().invoke(app, ["fetch", "--help"], env={"COLUMNS": "200"}).output.split()
    )
    assert "NAVVIZ_WORKSPACE" in said
    assert "--url" in said
    assert DATA_SETS["map2seq"].url == "https://map2seq-assets.schumann.pub/map2seq_v1-0.zip"


def test_an_address_names_the_package_that_reads_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    app = typer.Typer()
    command.register(app)
    done = CliRunner().invoke(app, ["s3://bucket/runs/mine", "--out", str(tmp_path / "mine")])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "not installed (Install s3fs to access S3)" in done.stderr
