"""A full disk: one sentence, what was there is whole, and no draft stays."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from navviz.cli import application
from navviz.records.trace_files import read_trace
from tests.paths import ROOT, SAMPLES

RUN = SAMPLES / "harbour" / "runs" / "rules"
ROOM_BYTES = 100
"""Less than any of these outputs takes, so that one begun in place would be left half."""
OLD = "what was here before"


@contextmanager
def full_disk(room: int = ROOM_BYTES) -> Iterator[None]:
    """Let no file of this process, or of one that it starts, grow beyond so many bytes."""
    size, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))


def navviz_command(*arguments: object) -> Result:
    app = application(("atlas", "figure", "export", "data", "run"))
    return CliRunner().invoke(app, [*map(str, arguments)])


FILES: dict[str, Sequence[object]] = {
    "atlas.html": ("atlas", RUN),
    "figure.pdf": ("figure", RUN, "1", "2"),
    "steps.csv": ("export", RUN, "--format", "csv"),
}
"""A text, what another library draws, and rows: `test_boundaries` holds that all files have one writer,
and `support/guarded/test_writing.py` what this one does.
"""


def _all_files(folder: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()
    }


@pytest.mark.parametrize("name", FILES)
def test_a_command_leaves_the_old_file_and_says_what_to_do(name: str, tmp_path: Path) -> None:
    out = tmp_path / name
    out.write_text(OLD)
    with full_disk():
        result = navviz_command(*FILES[name], "--out", out)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    sentence = result.stderr.strip().splitlines()[-1]
    assert sentence.startswith(f"{out}: cannot be written (")
    assert sentence.endswith("free some space or choose another folder.")
    assert _all_files(tmp_path) == {name: OLD.encode()}
    assert navviz_command(*FILES[name], "--out", out).exit_code == 0
    assert list(_all_files(tmp_path)) == [name]


def _sentence(result: Result) -> str:
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    said = result.stderr.strip().splitlines()[-1]
    assert said.endswith("free some space or choose another folder."), said
    return said


def test_a_world_is_whole_the_older_or_the_newer(tmp_path: Path) -> None:
    town = tmp_path / "town.osm"
    nodes = [f'<node id="{k}" lat="{54 + k / 9_000}" lon="10"/>' for k in range(20)]
    ways = "".join(f'<nd ref="{k}"/>' for k in range(20))
    street = f'<way id="1">{ways}<tag k="highway" v="footway"/></way>'
    town.write_text(f'<osm version="0.6">{"".join(nodes)}{street}</osm>')
    out = tmp_path / "world"
    assert navviz_command("data", "world", town, "--out", out).exit_code == 0
    before = _all_files(out)
    room = len(before["nodes.txt"]) + 100
    assert room < len(before["links.txt"]), "the first file has room, the second has none"
    town.write_text(town.read_text().replace('lon="10"', 'lon="11"'))
    with full_disk(room):
        result = navviz_command("data", "world", town, "--out", out)
    assert _sentence(result).startswith(f"{out / 'links.txt'}: cannot be written (")
    assert _all_files(out) == before
    assert navviz_command("data", "world", town, "--out", out).exit_code == 0
    assert _all_files(out).keys() == before.keys()
    assert _all_files(out)["nodes.txt"] != before["nodes.txt"]


@pytest.mark.parametrize("room", [ROOM_BYTES, 3_000])
def test_a_batch_goes_on_where_a_disk_was_full(tmp_path: Path, room: int) -> None:
    harbour = SAMPLES / "harbour"
    words = ["run", "mine", "--navigator", "rules", "--limit", "2", "--out", tmp_path]
    words += [
        "--graphs",
        harbour / "osm" / "graph",
        "--episodes",
        harbour / "splits" / "sample.json",
    ]
    with full_disk(room):
        result = navviz_command(*words)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert "cannot be written (File too large); free some space" in result.stderr
    assert navviz_command(*words).exit_code == 0
    traces = [*tmp_path.rglob("*.trace.jsonl")]
    assert len(traces) == 2
    assert all(read_trace(path).end is not None for path in traces)
    assert not [*tmp_path.rglob("*.part")]


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    """The same on a small file system of its own, where not a byte is free."""
    mount, out = tmp_path / "mount", tmp_path / "mount" / "atlas.html"
    mount.mkdir()
    command = f"{sys.executable} -m navviz atlas {RUN} --out {out}"
    script = (
        f"mount -t tmpfs -o size=64k tmpfs {mount} || exit 77;"
        f' printf old > {out}; {command}; echo "code $?"; ls {mount}; cat {out}'
    )
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare")
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    if done.returncode in {1, 77} and "code" not in done.stdout:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()[:80]}")
    assert done.stdout == "code 1\natlas.html\nold"
    assert f"{out}: cannot be written (No space left on device); free some space" in done.stderr
