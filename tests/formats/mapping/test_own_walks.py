"""GPX tracks and GeoJSON lines: people's own walks with an instruction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz import open_run
from navviz.errors import NavVizError

TRACK = "<trk><name>{name}</name><desc>Go &lt;b&gt;on.</desc><trkseg>{points}</trkseg></trk>"
POINTS = '<trkpt lat="48.1" lon="10.1"><ele>5</ele></trkpt><trkpt lat="48.101" lon="10.1"/>'
GPX = '<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">{}</gpx>'


def _gpx(folder: Path, *tracks: str) -> Path:
    path = folder / "walk.gpx"
    path.write_text(GPX.format("".join(tracks)), encoding="utf-8")
    return path


def _geojson(folder: Path, *features: object) -> Path:
    path = folder / "walk.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def _line(name: str, coordinates: object) -> dict[str, object]:
    geometry = {"type": "LineString", "coordinates": coordinates}
    return {"properties": {"id": name, "instruction": "Go on."}, "geometry": geometry}


def test_each_track_and_route_is_an_episode(tmp_path: Path) -> None:
    route = (
        '<rte><name>b</name><rtept lat="48.1" lon="10.1"/><rtept lat="48.1" lon="10.101"/></rte>'
    )
    run = open_run(_gpx(tmp_path, TRACK.format(name="a", points=POINTS), route))
    assert list(run.traces) == ["a", "b"]
    assert run.traces["a"].episode.instruction == "Go <b>on."
    assert run.scores.rows["a"]["TL"] == pytest.approx(111.2, abs=0.1)
    assert run.scores.rows["b"]["TL"] == pytest.approx(74.3, abs=0.1)


def test_a_point_without_a_place_loses_its_track_by_name(tmp_path: Path) -> None:
    broken = TRACK.format(name="c", points=POINTS + '<trkpt lat="north" lon="10.1"/>')
    run = open_run(_gpx(tmp_path, TRACK.format(name="a", points=POINTS), broken))
    assert list(run.traces) == ["a"]
    assert "episode c" in str(run.problems.kept[0])
    assert "1 of 3 positions are no finite numbers" in str(run.problems.kept[0])


BOMB = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{}]>'.format(
    "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
)


@pytest.mark.parametrize(
    "text",
    [
        "<gpx>", "<gpx><trk></gpx>", "<gpx/>", "<gpx><trk/></gpx>", f"{BOMB}<gpx><trk><desc>&i;</desc></trk></gpx>",
        '<!DOCTYPE gpx SYSTEM "file:///etc/passwd"><gpx><trk><trkseg/></trk></gpx>',
    ],
)  # fmt: skip
def test_damaged_and_hostile_files_are_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "walk.gpx"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NavVizError, match=r"walk\.gpx"):
        open_run(path)


def test_lines_are_walks_and_other_shapes_are_named(tmp_path: Path) -> None:
    point = {
        "properties": {"instruction": "x"},
        "geometry": {"type": "Point", "coordinates": [1, 2]},
    }
    run = open_run(_geojson(tmp_path, _line("a", [[10.1, 48.1], [10.1, 48.101]]), point))
    assert run.scores.rows["a"]["TL"] == pytest.approx(111.2, abs=0.1)
    assert run.problems.count == 1
    assert "entry 1" in str(run.problems.kept[0])
