"""A system of another package in the app: its page part, its walk in Replay, its navigator in Live."""

import json

import pytest

from navviz.runs.opened import OPEN_VARIABLE
from tests.worlds import write_world


@pytest.fixture
def run(beacon, tmp_path, monkeypatch):
    graph = write_world(tmp_path)
    log = tmp_path / "run.jsonl"
    log.write_text(json.dumps({"beacon": "1", "path": ["s1", "s0", "x"]}))
    episodes = tmp_path / "splits" / "tiny.json"
    place = {"graphs": str(graph), "results": str(log), "episodes": str(episodes)}
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps(place))
    assert beacon.is_dir()
    return "run"


def test_explore_shows_its_part(run, page):
    at = page("explore", run=run)
    assert "Beacon walked 1 of these episodes." in [caption.value for caption in at.caption]


def test_live_offers_its_navigator(run, page):
    at = page("live", run=run, episode="1")
    assert "beacon" in at.selectbox(key="live_navigator_geo").options
