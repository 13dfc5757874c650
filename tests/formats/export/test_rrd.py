"""Recordings for Rerun: what is written for each step. The package itself reads them at night."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType
from typing import Any, ClassVar

import pytest

import navviz
from tests.command import invoke
from tests.paths import SAMPLES

RUNS = SAMPLES / "harbour" / "runs"


class _Stream:
    """Keeps what is logged; the file holds one byte, so that it is written as a whole."""

    made: ClassVar[list[_Stream]] = []

    def __init__(self, application: str, *, recording_id: str) -> None:
        self.name, self.step = recording_id, None
        self.logged: list[tuple[int | None, str, Any]] = []
        _Stream.made.append(self)

    def save(self, path, blueprint):
        path.write_bytes(b"r")

    def set_time(self, timeline, *, sequence):
        assert timeline == "step"
        self.step = sequence

    def log(self, entity, content, *, static=False):
        self.logged.append((None if static else self.step, entity, content))

    def send_recording_name(self, name):
        assert name == self.name

    def flush(self):
        pass

    disconnect = flush


def _kept(kind):
    return lambda *given, **named: (kind, given, named)


@pytest.fixture
def recordings(monkeypatch):
    rerun, blueprint = ModuleType("rerun"), ModuleType("rerun.blueprint")
    rerun.RecordingStream = _Stream  # type: ignore[attr-defined]
    for name in ("GeoLineStrings", "GeoPoints", "LineStrips3D", "Points3D", "TextDocument", "TextLog", "EncodedImage"):  # fmt: skip
        setattr(rerun, name, _kept(name))
    for name in ("MapView", "Spatial3DView", "Spatial2DView", "TextDocumentView", "Vertical", "Horizontal", "Tabs", "Blueprint"):  # fmt: skip
        setattr(blueprint, name, _kept(name))
    rerun.blueprint = blueprint  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "rerun", rerun)
    monkeypatch.setitem(sys.modules, "rerun.blueprint", blueprint)
    _Stream.made.clear()
    return _Stream.made


def _of(recording, entity):
    return [(step, content) for step, name, content in recording.logged if name == entity]


def test_each_step_has_its_path_and_its_texts(recordings, tmp_path):
    out = tmp_path / "new" / "2.rrd"
    invoke("export", RUNS / "groke-by-hand", "2", "--format", "rrd", "--out", out)
    assert out.read_bytes() == b"r"
    run = navviz.open_run(RUNS / "groke-by-hand")
    trace, graph = run.trace("2"), run.graph("2")
    (recording,) = recordings
    agents = _of(recording, "map/agent")
    assert [step for step, _ in agents] == list(range(len(trace.steps) + 1))
    # latitude first, as Rerun's map wants it
    (_, _, last) = agents[-1][1]
    assert tuple(last["lat_lon"][0]) == pytest.approx(graph.position(trace.path[-1]))
    (_, _, walked) = _of(recording, "map/walked")[-1][1]
    assert len(walked["lat_lon"][0]) == len(trace.path)
    thoughts = [named for _, (_, _, named) in _of(recording, "texts/thoughts")]
    assert len(thoughts) == len(trace.steps)
    assert _of(recording, "texts/thoughts")[0][1][1] == (trace.steps[0].calls[0].thoughts,)
    # a text of a log as Markdown could load a picture from elsewhere
    texts = [named for _, _, (kind, _, named) in recording.logged if kind == "TextDocument"]
    assert {named["media_type"] for named in texts} == {"text/plain"}
    (_, _, links) = _of(recording, "map/links")[0][1]
    assert 0 < len(links["lat_lon"]) <= len(graph.sources)


def test_a_house_has_its_pictures(recordings, tmp_path):
    run = SAMPLES / "house" / "runs" / "mapgpt-pictures-by-hand"
    invoke("export", run, "--format", "rrd", "--out", tmp_path / "rrd")
    assert len(recordings) == len(list((tmp_path / "rrd").glob("*.rrd"))) == 2
    views = _of(recordings[0], "view")
    assert views
    for _, (_, _, named) in views:
        assert named["contents"].startswith(b"\xff\xd8")
        assert named["media_type"] == "image/jpeg"
    assert _of(recordings[0], "map/agent")[0][1][0] == "Points3D"


def test_a_recording_needs_a_place(recordings):
    done = invoke("export", RUNS / "rules", "2", "--format", "rrd")
    assert "add --out FILE.rrd" in done.output
    assert not recordings


@pytest.mark.nightly
def test_rerun_reads_what_was_written(tmp_path):
    pytest.importorskip("rerun", reason="rerun is not installed: pip install rerun-sdk")
    for name, episode in (("harbour/runs/groke-by-hand", "2"), ("house/runs/mapgpt-pictures-by-hand", "101_0")):  # fmt: skip
        out = tmp_path / f"{episode}.rrd"
        invoke("export", SAMPLES / name, episode, "--format", "rrd", "--out", out)
        words = [sys.executable, "-m", "rerun", "rrd"]
        done = subprocess.run([*words, "verify", out], capture_output=True, text=True, check=True)
        assert "1 file verified without error" in done.stdout + done.stderr
        done = subprocess.run([*words, "stats", out], capture_output=True, text=True, check=True)
        assert "/map/walked: " in done.stdout
