"""A full disk: one sentence, what was there is whole, and no draft stays."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import Result
from PIL import Image
from typer.testing import CliRunner

import navviz
from navviz.cli import application
from navviz.errors import StoreError
from navviz.formats.osm.world import write_world
from navviz.records.trace_files import read_trace, write_trace
from navviz.views.player import film
from tests.cli.test_data_floor import house_with_mesh
from tests.paths import ROOT, SAMPLES
from tests.replays import full_trace

RUN = SAMPLES / "harbour" / "runs" / "rules"
TASKS = SAMPLES / "house"
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
    app = application(tuple(_commands()), ("navgen",))
    return CliRunner().invoke(app, [*map(str, arguments)])


def _commands() -> Iterator[str]:
    yield from ("atlas", "figure", "report", "table", "export", "publish", "data", "new_system")
    yield from ("run", "repair")


FILES: dict[str, Sequence[object]] = {
    "atlas.html": ("atlas", RUN),
    "figure.svg": ("figure", RUN, "1"),
    "figure.pdf": ("figure", RUN, "1", "2"),
    "table.tex": ("table", RUN, "--format", "tex"),
    "table.pdf": ("table", RUN, "--format", "pdf"),
    "steps.csv": ("export", RUN, "--format", "csv"),
    "spans.jsonl": ("export", RUN, "--format", "otel"),
    "atif.jsonl": ("export", RUN, "--format", "atif"),
    "tasks.jsonl": ("navgen", "forward", "--graphs", TASKS),
}


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


def test_a_site_stays_the_older_one(tmp_path: Path) -> None:
    out = tmp_path / "site"
    navviz.publish(navviz.open_run(RUN), out)
    before = _all_files(tmp_path)
    with full_disk():
        result = navviz_command("publish", RUN, "--out", out)
    assert result.exit_code == 1, result.output
    assert result.stderr.strip().splitlines()[-1].startswith(f"{out}: cannot be written (")
    assert _all_files(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    with full_disk():
        result = navviz_command("publish", RUN, "--out", tmp_path / "new")
    assert result.exit_code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_report_stays_the_older_one(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text(OLD)
    with full_disk():
        result = navviz_command("report", RUN, "--out", tmp_path)
    assert result.exit_code == 1, result.output
    assert ": cannot be written (" in result.stderr
    assert _all_files(tmp_path) == {"report.md": OLD.encode()}


def test_floors_of_a_house_leave_no_half_a_picture(tmp_path: Path) -> None:
    mesh, graphs = house_with_mesh(tmp_path)
    before = _all_files(tmp_path)
    with full_disk():
        result = navviz_command("data", "floor", mesh, "--graphs", graphs)
    assert result.exit_code == 1, result.output
    assert "floor1.png: cannot be written (" in result.stderr
    assert _all_files(tmp_path) == before


def _replay(folder: Path) -> None:
    navviz.replay(navviz.open_run(RUN), "1").save(folder / "old.html")


def _trace(folder: Path) -> None:
    write_trace(full_trace(), folder / "old.trace.jsonl")


def _world(folder: Path) -> None:
    graph = navviz.open_graph(SAMPLES / "harbour" / "osm" / "graph")
    write_world(graph, folder)


WRITERS: dict[str, Callable[[Path], None]] = {
    "old.html": _replay,
    "old.trace.jsonl": _trace,
    "nodes.txt": _world,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_function_leaves_the_old_file(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(OLD)
    with full_disk(), pytest.raises(StoreError) as caught:
        WRITERS[name](tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / name}: cannot be written (")
    assert _all_files(tmp_path) == {name: OLD.encode()}
    WRITERS[name](tmp_path)
    assert (tmp_path / name).read_text() != OLD


def _sentence(result: Result) -> str:
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    said = result.stderr.strip().splitlines()[-1]
    assert said.endswith("free some space or choose another folder."), said
    return said


def test_a_package_is_whole_or_not_there(tmp_path: Path) -> None:
    with full_disk(1_000):  # its first files are smaller
        result = navviz_command("new-system", "my-agent", "--out", tmp_path / "agent")
    assert _sentence(result).startswith(f"{tmp_path / 'agent'}: cannot be written (")
    assert list(tmp_path.iterdir()) == []
    again = navviz_command("new-system", "my-agent", "--out", tmp_path / "agent")
    assert again.exit_code == 0, again.output


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


def test_a_figure_of_repairs_stays_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the walks, which are paid for before it is drawn."""
    walked = Mock(**{"figure.return_value": b"x" * (ROOM_BYTES + 1)})
    monkeypatch.setattr("navviz.analysis.causes.counting.explained_run", Mock())
    monkeypatch.setattr("navviz.analysis.counterfactuals.trials.plan_repairs", Mock())
    monkeypatch.setattr("navviz.analysis.counterfactuals.report.walk_repairs", lambda *_: walked)
    figure = tmp_path / "repairs.svg"
    figure.write_text(OLD)
    with full_disk():
        result = navviz_command("repair", RUN, "--figure", figure)
    assert _sentence(result).startswith(f"{figure}: cannot be written (")
    assert _all_files(tmp_path) == {"repairs.svg": OLD.encode()}


@pytest.mark.parametrize("kind", ["mp4", "gif"])
def test_a_film_stays_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Without a browser, which a full disk of this kind would keep from starting."""
    pytest.importorskip("imageio_ffmpeg")
    pictures = [
        Image.new("RGB", (320, 240), colour) for colour in ("red", "green", "blue", "black")
    ]
    shown = Mock(**{"evaluate.return_value": [1] * 4})  # pages of each step
    monkeypatch.setattr(film, "_opened", lambda *_: nullcontext(shown))
    monkeypatch.setattr(film, "_pictures", lambda *_: iter(pictures))
    out = tmp_path / f"walk.{kind}"
    out.write_text(OLD)
    with full_disk(), pytest.raises(StoreError) as caught:
        film.film_replay("", out, film.Film((320, 240)), range(4))
    assert str(caught.value).startswith(f"{out}: cannot be written (")
    assert "\n" not in str(caught.value)
    assert _all_files(tmp_path) == {out.name: OLD.encode()}
    film.film_replay("", out, film.Film((320, 240)), range(4))
    assert out.stat().st_size > 1_000


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
