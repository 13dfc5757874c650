"""Own traces that were walked on no map: nothing is said of a map that they do not need."""

import gzip
import json
import math
from pathlib import Path

import pytest

from navviz.records import Episode
from navviz.records.trace_writer import TraceWriter
from navviz.runs.opened import load, open_run
from navviz.runs.sources import Source, graphs_of_run
from navviz.world.floors import find_floors


def test_a_walk_without_a_map_asks_for_none(tmp_path):
    episode = Episode(
        id="1",
        dataset="field",
        instruction="Go on.",
        world="meadow",
        start=(0.0, 0.0, 0.0),
        reference_path=[(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)],
    )
    folder = tmp_path / "run"
    folder.mkdir()
    with TraceWriter(folder / "1.trace.jsonl", episode, "agent", frame="matterport") as writer:
        writer.step(position=(0.0, 0.0, 0.0), heading_deg=90.0)
        writer.step(position=(4.0, 0.0, 0.0), heading_deg=90.0)
    graphs, folder_problems = graphs_of_run(folder)
    assert folder_problems, "a folder without run.json says that it names no map"
    source = Source(folder.name, "workspace", graphs, None, folder, folder_problems=folder_problems)
    run = load(source)
    assert run.graph("1").name == "meadow"
    assert [str(problem) for problem in run.problems.kept] == []


@pytest.mark.parametrize("packed", [False, True])
def test_a_track_without_a_map_has_its_own_ground(tmp_path, packed):
    points = "".join(
        f'<trkpt lat="{47 + k / 2000}" lon="8"><ele>{400 + 10 * k}</ele></trkpt>' for k in range(3)
    )
    text = (
        '<gpx version="1.1" creator="hand" xmlns="http://www.topografix.com/GPX/1/1">'
        f"<trk><name>hill</name><desc>Go up.</desc><trkseg>{points}</trkseg></trk></gpx>"
    )
    file = tmp_path / ("hill.gpx.gz" if packed else "hill.gpx")
    file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    run = open_run(file)
    assert run.source.graphs == ()
    assert run.graph("hill").frame == "metric", "heights need metres"
    assert [place[2] for place in run.trace("hill").poses.values()] == [400.0, 410.0, 420.0]


def test_a_path_over_a_hill_has_no_storeys(tmp_path):
    """At its foot and on its top it is as level as a floor."""
    points = "".join(
        f'<trkpt lat="{47 + k / 4000}" lon="8"><ele>{500 + 30 * math.sin(k / 5) + 3 * k}</ele></trkpt>'
        for k in range(40)
    )
    (tmp_path / "hill.gpx").write_text(
        '<gpx version="1.1" creator="hand" xmlns="http://www.topografix.com/GPX/1/1">'
        f"<trk><name>hill</name><desc>Go up.</desc><trkseg>{points}</trkseg></trk></gpx>"
    )
    graph = open_run(tmp_path / "hill.gpx").graph("hill")
    assert find_floors(graph).levels_m == (500.0,)


HARBOUR = Path(__file__).parents[2] / "assets/samples/harbour/osm/graph"


@pytest.mark.parametrize(("lat", "is_there"), [(54.7212, True), (48.1, False)])
def test_a_walk_of_another_town_is_not_on_the_map(tmp_path, lat, is_there):
    line = [[2.2944 + k / 10_000, lat] for k in range(4)]
    feature = {
        "type": "Feature",
        "properties": {"name": "w"},
        "geometry": {"type": "LineString", "coordinates": line},
    }
    file = tmp_path / "walk.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    (tmp_path / "walk.geojson.navviz.toml").write_text(
        'name = "lines"\nformat = "json"\nepisodes = "features[*]"\nepisode.id = "properties.name"\n'
        'walk.positions = ["geometry.coordinates[*]"]\nwalk.frame = "lonlat"\n'
    )
    run = open_run(file, graphs=HARBOUR)
    assert (run.graph("w").frame == "geo") == is_there
    assert run.table()["TL"].iloc[0] == pytest.approx(
        3 * 1e-4 * 111_195 * math.cos(math.radians(lat)), 1e-3
    )
    said = [str(problem) for problem in run.problems.kept]
    assert (
        said == [] if is_there else "more than 2 km from every place of the map harbour" in said[0]
    )
