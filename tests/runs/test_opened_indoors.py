"""Opening houses: several graphs behind one file, some of them missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import open_graph
from navviz.runs.opened import Source, from_folder, load, open_run
from navviz.world.graph import Graph
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"


def test_episodes_in_missing_houses_are_left_out_and_named(tmp_path):
    entries = json.loads((HOUSE / "R2R_sample.json").read_text())
    elsewhere = [
        entry | {"scan": "Elsewhere", "path_id": entry["path_id"] + 500} for entry in entries[:2]
    ]
    path = tmp_path / "R2R_mixed.json"
    path.write_text(json.dumps(entries + elsewhere))
    run = load(Source("mixed", "opened", (HOUSE / "connectivity",), path, None))
    assert len(run.traces) == 10
    assert "scan Elsewhere not found (3 episodes are in it)" in str(run.problems.kept[0])
    assert len(run.table()) == 10


def test_no_house_at_all_is_said(tmp_path):
    entries = json.loads((HOUSE / "R2R_sample.json").read_text())
    path = tmp_path / "R2R_other.json"
    path.write_text(json.dumps([entry | {"scan": f"Other{k}"} for k, entry in enumerate(entries)]))
    with pytest.raises(InputError, match="none of its 8 houses is there"):
        load(Source("other", "opened", (HOUSE / "connectivity",), path, None))


def test_a_broken_house_is_not_a_missing_one(tmp_path):
    def broken(path: Path, world: str) -> Graph:
        raise InputError("its floor was not found", "get the file again", file=f"{world}.json")

    entries = json.loads((HOUSE / "R2R_sample.json").read_text())
    path = tmp_path / "R2R_other.json"
    path.write_text(json.dumps([entry | {"scan": f"Other{k}"} for k, entry in enumerate(entries)]))
    with pytest.raises(InputError, match="its floor was not found"):
        load(Source("other", "opened", (_houses(tmp_path, 3),), path, None), broken)


def _houses(folder: Path, count: int) -> Path:
    """Several houses with the names of the test above."""
    text = next((HOUSE / "connectivity").glob("*_connectivity.json")).read_text()
    for k in range(count):
        (folder / f"Other{k}_connectivity.json").write_text(text)
    return folder


@pytest.mark.data
def test_navgpts_log_opens_with_the_episodes_beside_it(data_dir):
    run = open_run(data_dir / "navgpt" / "detail_val_unseen.json", graphs=data_dir / "mp3d")
    assert (run.scores.means["SR"], run.scores.means["NE"]) == (1.0, 0.0)
    assert run.problems.count == 0


def test_maps_without_episodes_open_to_be_walked_on(tmp_path):
    nodes = "".join(f'<node id="{k}" lat="0" lon="{k * 0.001}"/>' for k in (1, 2, 3))
    street = '<way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="path"/></way>'
    (tmp_path / "town.osm").write_text(f"<osm>{nodes}{street}</osm>")
    (source,) = from_folder(tmp_path)
    run = load(source)
    (trace,) = run.traces.values()
    assert trace.steps == ()
    assert trace.episode.start in run.graph("town")
    assert len(run.table()) == 1
    assert run.scores.means["SR"] is None


@pytest.mark.data
def test_a_folder_of_houses_opens_with_one_entry_a_house(data_dir):
    (source,) = from_folder(data_dir / "mp3d")
    run = load(source)
    assert len(run.traces) == 41
    assert all(trace.episode.start in run.graph(key) for key, trace in run.traces.items())


def test_a_folder_of_a_log_and_its_details_opens_as_the_log():
    folder = HOUSE / "runs" / "skillnav-router-log"
    for given in (
        {},
        {"graphs": HOUSE / "connectivity"},
        {"graphs": open_graph(HOUSE / "connectivity")},
    ):
        run = open_run(folder, **given)
        assert (run.run.navigator, len(run.traces), run.problems.count) == ("skillnav", 3, 0)
    first, second = from_folder(HOUSE)[:2]
    names = (first.name, second.name)
    assert names == ("mapgpt-pictures-by-hand", "mgdm-scripted"), "the order of folders stays"
