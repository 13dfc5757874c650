"""Kinds of logs by their public form, each spelled in several ways: one guess reads them all."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import InputError, Problems
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.geometry import decoded, points_in
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.guess_checks import checks_of
from navviz.formats.mapping.model import Mapping
from navviz.formats.mapping.structure import structure
from navviz.metrics.free_walks import free_scores
from navviz.records import Trace

STEPS = 12
SPELLINGS: dict[str, Callable[[str], bytes]] = {
    "plain": lambda text: text.encode(),
    "bom": lambda text: text.encode("utf-8-sig"),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "utf16": lambda text: text.encode("utf-16"),
    "no newline": lambda text: text.rstrip().encode(),
}


def _read(path: Path) -> tuple[Mapping, dict[str, Trace]]:
    mapping = guess(path)
    return mapping, dict(read_log(mapping, path, None, None, Problems()))


def _lengths_m(traces: dict[str, Trace]) -> list[float]:
    return [float(free_scores(trace)["TL"] or 0.0) for trace in traces.values()]


def _tum(first_s: float = 1.3e9, scale: float = 1.0, gap: str = " ") -> str:
    rows = []
    for k in range(STEPS):
        time = (
            f"{(first_s + k * 0.1) * scale:.4f}"
            if scale == 1.0
            else f"{int((first_s + k) * scale)}"
        )
        rows.append(gap.join([time, f"{k * 0.1:.4f}", "2.5", "1.0", "0", "0", "0", "1"]))
    return "\n".join(rows) + "\n"


def _kitti() -> str:
    rows = []
    for k in range(STEPS):
        # a camera that goes ahead along z and looks there: no turn
        rows.append(f"1 0 0 {k * 0.01:.3f} 0 1 0 {k * 1e-4:.5f} 0 0 1 {k * 0.5:.3f}")
    return "\n".join(rows) + "\n"


def _euroc(head: str) -> str:
    rows = [head] if head else []
    for k in range(STEPS):
        numbers = [1403636579763555584 + k * 5_000_000, 4.0 + 0.1 * k, -1.8, 0.78, 1, 0, 0, 0]
        rows.append(",".join(map(str, [*numbers, *[0.05 * k] * 9])))
    return "\n".join(rows) + "\n"


EUROC = (
    "#timestamp, p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [],"
    " q_RS_z [], v_RS_R_x [m s^-1], v_RS_R_y [m s^-1], v_RS_R_z [m s^-1], b_w_RS_S_x [rad s^-1],"
    " b_w_RS_S_y [rad s^-1], b_w_RS_S_z [rad s^-1], b_a_RS_S_x [m s^-2], b_a_RS_S_y [m s^-2],"
    " b_a_RS_S_z [m s^-2]"
)
TUM_HEAD = "# ground truth\n# timestamp tx ty tz qx qy qz qw\n"
TABLES = {
    "tum.txt": (_tum(), 1.1),
    "tum_head.txt": (TUM_HEAD + _tum(), 1.1),
    "tum_bare_head.txt": ("timestamp tx ty tz qx qy qz qw\n" + _tum(), 1.1),
    "tum_commas.csv": (_tum(gap=","), 1.1),
    "tum_tabs": (_tum(gap="\t"), 1.1),
    "tum_many_blanks.tum": (_tum(gap="   "), 1.1),
    "tum_comment_inside.txt": (_tum() + "# lost here\n" + _tum(1.4e9), None),
    "kitti_00.txt": (_kitti(), 5.5),
    "euroc.csv": (_euroc(EUROC), 1.1),
    "euroc_bare.csv": (_euroc(""), 1.1),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", TABLES)
def test_tables_of_poses_are_one_walk(name: str, spelling: str, tmp_path: Path) -> None:
    text, length_m = TABLES[name]
    path = tmp_path / name
    path.write_bytes(SPELLINGS[spelling](text))
    _, traces = _read(path)
    assert len(traces) == 1
    if length_m is not None:
        assert _lengths_m(traces) == pytest.approx([length_m], rel=2e-3)


def test_a_packed_table_opens_whatever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "walk.txt.gz"
    path.write_bytes(gzip.compress(_tum().encode()))
    assert _lengths_m(_read(path)[1]) == pytest.approx([1.1])


def test_quaternions_of_each_kind_look_where_the_robot_goes(tmp_path: Path) -> None:
    for name in ("tum.txt", "tum_head.txt", "kitti_00.txt", "euroc.csv", "euroc_bare.csv"):
        path = tmp_path / name
        path.write_text(TABLES[name][0])
        mapping, traces = _read(path)
        (trace,) = traces.values()
        # KITTI's camera goes ahead, which is north; the others go along x, which is east
        right_deg = 0.0 if name.startswith("kitti") else 90.0
        assert trace.steps[3].heading_deg == pytest.approx(right_deg, abs=0.1), name
        assert mapping.walk.frame == ("camera" if name.startswith("kitti") else "enu")


def _right_turn() -> list[tuple[float, float, float]]:
    """Return x to the right, z ahead and the heading in radians of a walk that turns right."""
    places, x, z, heading = [], 0.0, 0.0, 0.0
    for k in range(40):
        places.append((x, z, heading))
        heading += math.radians(9) * (14 <= k < 24)
        x, z = x + 0.1 * math.sin(heading), z + 0.1 * math.cos(heading)
    return places


def _posed(axes: str) -> list[list[float]]:
    """Return x, y, z and a quaternion x, y, z, w of that walk: ``camera`` and ``habitat`` have
    y upright, ``x up`` has x; ``mocap`` is a camera in a room whose z is upright.
    """
    rows = []
    for k, (right, ahead, heading) in enumerate(_right_turn()):
        half, jolt = heading / 2, 0.01 * math.sin(k)
        if axes == "camera":
            rows.append([right, jolt, ahead, 0, math.sin(half), 0, math.cos(half)])
        elif axes == "habitat":
            rows.append([right, jolt, -ahead, 0, -math.sin(half), 0, math.cos(half)])
        elif axes == "x up":
            yaw = math.pi / 4 - half
            rows.append([jolt, right, ahead, math.sin(yaw), 0, 0, math.cos(yaw)])
        else:
            # the camera's axes, first turned so that z leads north, then around what is upright
            c, s, r = math.cos(-half), math.sin(-half), math.sqrt(0.5)
            rows.append([right, ahead, jolt, -r * c, -r * s, r * s, r * c])
    return rows


def _pose_file(form: str, rows: list[list[float]]) -> str:
    cells = [[f"{each:.6f}" for each in row] for row in rows]
    if form == "tum":
        return "".join(f"{1.3e9 + k:.2f} {' '.join(row)}\n" for k, row in enumerate(cells))
    if form == "euroc":
        lines = [EUROC]
        for k, row in enumerate(cells):
            place, turn = row[:3], [row[6], *row[3:6]]
            lines.append(",".join([str(1403636579763555584 + k), *place, *turn, *["0.1"] * 9]))
        return "\n".join(lines) + "\n"
    if form == "ros":
        above = [f"position.{a}" for a in "xyz"] + [f"orientation.{a}" for a in "xyzw"]
        lines = [",".join(["%time", *(f"field.pose.pose.{name}" for name in above)])]
        lines += [",".join([str(16 * 10**17 + k), *row]) for k, row in enumerate(cells)]
        return "\n".join(lines) + "\n"
    poses = [{"position": row[:3], "rotation": row[3:]} for row in rows]
    return json.dumps([{"id": "a", "poses": poses}])


AXES = {"camera": ("camera", "y"), "habitat": ("habitat", "y"), "x up": ("enu", "x"), "mocap": ("enu", "z")}  # fmt: skip


FORMS = ("tum", "euroc", "ros", "json")
POSED = [(axes, form) for axes in AXES for form in FORMS if (axes, form) != ("x up", "json")]
"""The numbers of one list keep their order, so that their x is never upright."""


@pytest.mark.parametrize(("axes", "form"), POSED)
def test_the_axis_that_changes_least_is_upright(axes: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"walk.{form}"
    path.write_text(_pose_file(form, _posed(axes)))
    mapping, traces = _read(path)
    (trace,) = traces.values()
    assert mapping.walk.frame == AXES[axes][0]
    assert _lengths_m(traces) == pytest.approx([3.9], rel=0.01)
    for at in (5, 18, 33):
        right, ahead, heading = _right_turn()[at]
        step = trace.steps[at]
        assert step.position is not None
        assert step.position[:2] == pytest.approx((right, ahead), abs=1e-3)
        off_deg = (step.heading_deg or 0.0) - math.degrees(heading)
        assert abs((off_deg + 180) % 360 - 180) < 1.0
    said = checks_of(structure(path), mapping)
    assert any("is upright, as it changes least: walks span" in each for each in said)
    assert any(each.startswith("The agents go as they look") for each in said)


def test_two_columns_of_numbers_are_positions(tmp_path: Path) -> None:
    path = tmp_path / "xy.txt"
    path.write_text("\n".join(f"{3 + 0.2 * k:.2f} {1.5 + 0.01 * k * k:.3f}" for k in range(9)))
    assert len(_read(path)[1]) == 1
    assert _lengths_m(_read(path)[1])[0] == pytest.approx(1.75, rel=0.05)


def _plt(rows: int = STEPS) -> str:
    head = (
        "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0,0,2,1\n0\n"
    )
    lines = [
        f"39.9{k:02d},116.4,0,{[-777, 492][k > 3]},39744.1{k},2008-10-23,02:53:{k:02d}"
        for k in range(rows)
    ]
    return head + "\n".join(lines) + "\n"


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_tracks_of_geolife_begin_after_six_lines(spelling: str, tmp_path: Path) -> None:
    path = tmp_path / "20081023025304.plt"
    path.write_bytes(SPELLINGS[spelling](_plt()))
    mapping, traces = _read(path)
    assert mapping.walk.frame == "latlon"
    assert _lengths_m(traces) == pytest.approx([(STEPS - 1) * 111.195], rel=1e-3)


def _encoded(places: list[tuple[float, float]], digits: int) -> str:
    text, last = "", (0, 0)
    for place in places:
        here = (round(place[0] * 10**digits), round(place[1] * 10**digits))
        for now, before in zip(here, last, strict=True):
            bits = (now - before) << 1
            bits = ~bits if now < before else bits
            while bits >= 0x20:
                text += chr((0x20 | (bits & 0x1F)) + 63)
                bits >>= 5
            text += chr(bits + 63)
        last = here
    return text


LINE = [(48.1351, 11.5820), (48.1360, 11.5820), (48.1360, 11.5840), (48.1372, 11.5851)]
LENGTH_M = 404.92
TEXTS = ["Walk north on Alder Row.", "Turn right onto Birch Row.", "You have arrived."]


def _valhalla() -> Any:
    maneuvers = []
    for k, text in enumerate(TEXTS):
        maneuvers.append({
            "type": k, "instruction": text, "verbal_pre_transition_instruction": f"Soon: {text}",
            "time": 30.0, "length": 0.1, "begin_shape_index": k, "end_shape_index": k + 1,
        })  # fmt: skip
    leg = {"maneuvers": maneuvers, "summary": {"length": 0.406}, "shape": _encoded(LINE, 6)}
    ends = [{"type": "break", "lat": LINE[k][0], "lon": LINE[k][1]} for k in (0, -1)]
    trip = {"locations": ends, "legs": [leg], "summary": {"length": 0.406}, "units": "kilometers"}
    return {"trip": trip, "id": "my_route"}


def _osrm(geometry: Any) -> Any:
    places = [{"location": [LINE[k][1], LINE[k][0]], "name": "", "distance": 1.0} for k in (0, -1)]
    steps = [
        {"geometry": geometry, "maneuver": {"bearing_after": 90, "type": "depart"}, "name": "A"}
    ]
    leg = {"steps": steps, "distance": LENGTH_M, "summary": ""}
    return {
        "code": "Ok",
        "routes": [{"geometry": geometry, "legs": [leg], "distance": LENGTH_M}],
        "waypoints": places,
    }


def _google_new() -> Any:
    steps = []
    for k, text in enumerate(TEXTS):
        steps.append({
            "polyline": {"encodedPolyline": _encoded(LINE[k : k + 2], 5)},
            "navigationInstruction": {"maneuver": "DEPART", "instructions": text},
            "staticDuration": "10s", "distanceMeters": 100,
        })  # fmt: skip
    return {"routes": [{"legs": [{"steps": steps}], "distanceMeters": 406, "duration": "300s"}]}


GEOJSON = {"type": "LineString", "coordinates": [[lon, lat] for lat, lon in LINE]}
REPLIES = {
    "valhalla": (_valhalla(), " ".join(TEXTS)),
    "osrm polyline": (_osrm(_encoded(LINE, 5)), ""),
    "osrm polyline6": (_osrm(_encoded(LINE, 6)), ""),
    "osrm geojson": (_osrm(GEOJSON), ""),
    "google routes": (_google_new(), " ".join(TEXTS)),
}


@pytest.mark.parametrize("name", REPLIES)
def test_replies_of_routers_are_one_walk_with_their_texts(name: str, tmp_path: Path) -> None:
    reply, instruction = REPLIES[name]
    path = tmp_path / "reply.json"
    path.write_text(json.dumps(reply))
    _, traces = _read(path)
    (trace,) = traces.values()
    assert _lengths_m(traces) == pytest.approx([LENGTH_M], rel=2e-3)
    assert trace.episode.instruction == instruction


def test_polylines_near_the_first_meridian_are_told_apart_by_plain_numbers(tmp_path: Path) -> None:
    for digits in (5, 6):
        line = [(5.5601 + 0.001 * k, -0.2012 + 0.0005 * k) for k in range(5)]
        reply = {
            "id": 1,
            "start": {"lat": line[0][0], "lon": line[0][1]},
            "route": _encoded(line, digits),
        }
        path = tmp_path / "accra.json"
        path.write_text(json.dumps([reply]))
        mapping, traces = _read(path)
        assert mapping.walk.polyline_digits == digits
        assert _lengths_m(traces) == pytest.approx([497.0], rel=5e-3)


CELLS = {
    "json": json.dumps([[lon, lat] for lat, lon in LINE]),
    "objects": json.dumps([{"lat": lat, "lng": lon} for lat, lon in LINE]),
    "tuples": str([(lat, lon) for lat, lon in LINE]),
    "geojson": json.dumps(GEOJSON),
    "wkt": "LINESTRING (" + ", ".join(f"{lon} {lat}" for lat, lon in LINE) + ")",
    "ewkt": "SRID=4326;LINESTRING(" + ",".join(f"{lon} {lat}" for lat, lon in LINE) + ")",
    "wkt z": "LINESTRING Z (" + ", ".join(f"{lon} {lat} 5" for lat, lon in LINE) + ")",
    "polyline": _encoded(LINE, 5),
    "polyline6": _encoded(LINE, 6),
}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("kind", CELLS)
def test_a_line_in_a_cell_is_a_walk(kind: str, separator: str, tmp_path: Path) -> None:
    quoted = CELLS[kind].replace('"', '""')
    path = tmp_path / "routes.csv"
    rows = [f'{k}{separator}bus{separator}"{quoted}"' for k in range(7, 10)]
    path.write_text("\n".join([separator.join(["route_id", "mode", "geometry"]), *rows]) + "\n")
    mapping, traces = _read(path)
    assert list(traces) == ["7", "8", "9"]
    if kind == "tuples" and mapping.walk.frame == "lonlat":
        # Munich's two degrees may be either: the doubt is said
        return
    assert _lengths_m(traces) == pytest.approx([LENGTH_M] * 3, rel=2e-3)


def test_words_are_no_polylines() -> None:
    assert decoded("WALKING", 5) is None or max(map(abs, decoded("WALKING", 5)[0])) < 0.01  # type: ignore[index]
    assert points_in("Turn left", 5) is None
    assert points_in("", 5) is None


def test_kml_has_the_longitude_first(tmp_path: Path) -> None:
    path = tmp_path / "walk.kml"
    listed = " ".join(f"{lon},{lat},0" for lat, lon in LINE)
    path.write_text(
        '<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>a</name>'
        "<description>Walk to the tower.</description><LineString><coordinates>"
        f"{listed}</coordinates></LineString></Placemark></Document></kml>"
    )
    mapping, traces = _read(path)
    assert (mapping.format, mapping.walk.frame) == ("kml", "lonlat")
    assert _lengths_m(traces) == pytest.approx([LENGTH_M], rel=2e-3)
    assert traces["a"].episode.instruction == "Walk to the tower."


@pytest.mark.parametrize("code", ["urn:ogc:def:crs:EPSG::25832", "EPSG:25832"])
def test_a_declared_crs_is_believed_before_numbers(code: str, tmp_path: Path) -> None:
    lines = [[8.0 + 0.3 * k, 48.0 + 0.4 * k] for k in range(6)]
    feature = {
        "type": "Feature",
        "properties": {},
        "geometry": {"type": "LineString", "coordinates": lines},
    }
    crs = {"type": "name", "properties": {"name": code}}
    path = tmp_path / "plan.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "crs": crs, "features": [feature]}))
    mapping, traces = _read(path)
    assert mapping.walk.frame == "enu"
    assert _lengths_m(traces) == pytest.approx([2.5])


def test_points_of_geojson_are_grouped_by_a_property(tmp_path: Path) -> None:
    features = []
    for name in ("a", "b"):
        for k in range(6):
            place = {"type": "Point", "coordinates": [-1.5 + 0.001 * k, 53.8 + 0.1 * (name == "b")]}
            fields = {"traj_id": name, "driver": "x", "t": k}
            features.append({"type": "Feature", "properties": fields, "geometry": place})
    path = tmp_path / "points.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    mapping, traces = _read(path)
    assert mapping.walk.frame == "lonlat"
    assert list(traces) == ["a", "b"]
    assert _lengths_m(traces) == pytest.approx([328.4] * 2, rel=5e-3)


def _rows_of_trips(columns: str) -> str:
    rows = [columns]
    for trip in range(4):
        for k in range(10):
            rows.append(f"{trip % 2},{trip + 40},{k},{trip * 20 + k * 0.3:.2f},{trip * 5.0:.1f}")
    return "\n".join(rows)


@pytest.mark.parametrize("names", [("bus", "run"), ("driver_id", "drive"), ("robot_id", "bag")])
def test_the_column_whose_rows_lie_near_each_other_is_the_group(
    names: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(_rows_of_trips(f"{names[0]},{names[1]},frame,x,y"))
    mapping, traces = _read(path)
    assert tuple(mapping.group_by) == (names[1],)
    assert _lengths_m(traces) == pytest.approx([2.7] * 4)
    said = " ".join(checks_of(structure(path), mapping))
    assert f"Rows with the same {names[1]} make 4 walks" in said


def test_decimal_numbers_and_ids_are_never_actions(tmp_path: Path) -> None:
    steps = [{"commit": k % 3, "clause": 1, "z": float(k % 3), "action": 0.5 * k} for k in range(9)]
    path = tmp_path / "log.jsonl"
    entry = {"episode_id": [1, 2, 3], "success": True, "steps": steps}
    path.write_text(json.dumps(entry) + "\n" + json.dumps(entry | {"episode_id": [1, 1, 0]}) + "\n")
    mapping, traces = _read(path)
    assert not mapping.has_walks
    assert list(traces) == ["1_2_3", "1_1_0"]


def test_places_of_things_are_no_walk(tmp_path: Path) -> None:
    things = [
        {"name": f"t{k}", "position": {"x": k * 1.7 % 5, "y": 0.8, "z": -k * 2.3 % 4}}
        for k in range(9)
    ]
    path = tmp_path / "scene.json"
    path.write_text(
        json.dumps([{"id": "a", "text": "Go to the red mug now.", "objectPoses": things}])
    )
    assert not guess(path).has_walks


def test_yaw_tells_unity_from_habitat(tmp_path: Path) -> None:
    for frame, sign in (("habitat", -1), ("unity", 1)):
        x, z, yaw, steps = 0.0, 0.0, 0.0, []
        for k in range(14):
            steps.append({"x": x, "z": z, "yaw": yaw if frame == "unity" else -yaw})
            yaw += math.radians(25) * (k % 4 == 3)
            x, z = x + 0.25 * math.sin(yaw), z + sign * 0.25 * math.cos(yaw)
        path = tmp_path / "log.json"
        path.write_text(json.dumps([{"id": "a", "steps": steps}]))
        mapping, traces = _read(path)
        assert mapping.walk.frame == frame
        assert _lengths_m(traces) == pytest.approx([13 * 0.25])
        turned_deg = (traces["a"].steps[6].heading_deg or 0.0) - (
            traces["a"].steps[2].heading_deg or 0.0
        )
        assert turned_deg % 360 == pytest.approx(25.0)


def test_a_guess_says_what_it_checked(tmp_path: Path) -> None:
    path = tmp_path / "far.json"
    path.write_text(json.dumps([{"id": "a", "path": [[k * 9e4, 5.0] for k in range(5)]}]))
    said = " ".join(checks_of(structure(path), guess(path)))
    assert "9e+04 m apart" in said
    assert "no agent's steps are of such a length" in said


def _feature(k: int, indent: int | None) -> str:
    line = {"type": "LineString", "coordinates": [[11.57 + 0.001 * n, 48.13] for n in range(6)]}
    return json.dumps(
        {"type": "Feature", "properties": {"id": f"w{k}"}, "geometry": line}, indent=indent
    )


SEQUENCES: dict[str, Callable[[Sequence[str]], str]] = {
    "records": lambda texts: "".join(f"\x1e{text}\n" for text in texts),
    "records without line ends": lambda texts: "".join(f"\x1e{text}" for text in texts),
    "records with CRLF": lambda texts: "".join(f"\x1e{text}\n" for text in texts).replace(
        "\n", "\r\n"
    ),
    "one after the other": "\n".join,
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("form", SEQUENCES)
def test_a_text_sequence_of_geojson_is_lines(
    form: str, count: int, indent: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "walks.geojsons"
    path.write_bytes(SEQUENCES[form]([_feature(k, indent) for k in range(count)]).encode())
    mapping, traces = _read(path)
    assert mapping.walk.frame == "lonlat"
    if count > 1 or form.startswith("records"):
        assert list(traces) == [f"w{k}" for k in range(count)]
    assert _lengths_m(traces) == pytest.approx([371.1] * count, rel=1e-3)


def _arc() -> list[tuple[float, float, float]]:
    """Return x, y and the heading of a robot that turns left, 0.1 m a step."""
    places, x, y, heading = [], 0.0, 0.0, 0.0
    for k in range(20):
        places.append((x, y, heading))
        heading += 0.2 * (8 <= k < 14)
        x, y = x + 0.1 * math.cos(heading), y + 0.1 * math.sin(heading)
    return places


def _matrix(x: float, y: float, heading: float) -> list[list[float]]:
    c, s = math.cos(heading), math.sin(heading)
    return [[c, -s, 0, x], [s, c, 0, y], [0, 0, 1, 0.0], [0, 0, 0, 1]]


ARC = _arc()
E7 = [{"latE7": round(lat * 1e7), "lngE7": round(lon * 1e7)} for lat, lon in LINE]
TAKEOUT = [
    {"latitudeE7": each["latE7"], "longitudeE7": each["lngE7"], "accuracy": 9} for each in E7
]
FRAMES = [" ".join(f"{cell:.6f}" for row in _matrix(*each)[:3] for cell in row) for each in ARC]
PEDESTRIANS = [
    f"{k * 10}.0\t{p}.0\t{0.4 * k + 0.01:.2f}\t{p * 2.0:.2f}" for k in range(9) for p in (1, 2)
]
TAXI = [f"1,2008-02-02 15:{k:02}:08,{116.4 + 0.001 * k},{39.9}" for k in range(12)]
DISKS: dict[str, tuple[Any, list[float]]] = {
    "Records.json": ({"locations": TAKEOUT}, [LENGTH_M]),
    "2021_MAY.json": ({"timelineObjects": [{"activitySegment": {"waypointPath": {"waypoints": E7}}}] * 2},
                      [LENGTH_M] * 2),
    "Timeline.json": ([{"timelinePath": [{"point": f"geo:{lat},{lon}"} for lat, lon in LINE]}] * 2, [LENGTH_M] * 2),
    "degrees.json": ([{"timelinePath": [{"point": f"{lat}°, {lon}°"} for lat, lon in LINE]}] * 2, [LENGTH_M] * 2),
    "cm.csv": ("trial,x_cm,y_cm\n" + "".join(f"{e},{x * 100},{y * 100}\n" for e in "ab" for x, y, _ in ARC), [1.9] * 2),
    "mm.csv": ("trial,x [mm],y [mm]\n" + "".join(f"{e},{x * 1e3},{y * 1e3}\n" for e in "ab" for x, y, _ in ARC),
               [1.9] * 2),
    "tracks.csv": ("trackId,xCenter,yCenter,xVelocity\n" + "".join(f"{e},{x},{y},9\n" for e in "12" for x, y, _ in ARC),
                   [1.9] * 2),
    "kitti360.txt": ("\n".join(f"{k * 3} {row}" for k, row in enumerate(FRAMES)), [1.9]),
    "cam0_to_world.txt": ("\n".join(f"{k} {row} 0 0 0 1" for k, row in enumerate(FRAMES)), [1.9]),
    "transforms.json": ({"frames": [{"file_path": "a.png", "transform_matrix": _matrix(*each)} for each in ARC]}, [1.9]),
    "biwi_eth.txt": ("\n".join(PEDESTRIANS), [3.2] * 2),
    "366.txt": ("\n".join(TAXI), [938.3]),
    "states.json": ([{"id": e, "state": [list(each) for each in ARC]} for e in "ab"], [1.9] * 2),
    "numpy.csv": ("id,traj\n" + "".join(f'{e},"[{chr(10).join(f"[{x:.6f} {y:.6f}]" for x, y, _ in ARC)}]"\n' for e in "abc"),
                  [1.9] * 3),
    "trips.json": ([{"bus": k % 2, "run": k, "t": n, "lat": 48 + k / 50, "lng": 11 + n / 1000} for k in range(3)
                    for n in range(9)], [595.3, 595.0, 594.8]),
    "lists.csv": ("id,lats,lons\n" + "".join(f'{e},"{[a for a, _ in LINE]}","{[b for _, b in LINE]}"\n' for e in "abc"),
                  [LENGTH_M] * 3),
    "lists.json": ([{"id": e, "xs": [x for x, _, _ in ARC], "ys": [y for _, y, _ in ARC]} for e in "ab"], [1.9] * 2),
    "blanks.csv": ("id,path\n" + "".join(f'{e},"{" ".join(f"{lat},{lon}" for lat, lon in LINE)}"\n' for e in "abc"),
                   [LENGTH_M] * 3),
    "empty.csv": ("id,wkt\n" + "".join(f'{e},"{CELLS["wkt"]}"\n' for e in "ab") + "c,LINESTRING EMPTY\n",
                  [LENGTH_M] * 2),
    "feet.csv": ("run,x (ft),y (ft)\n" + "".join(f"{e},{x / 0.3048},{y / 0.3048}\n" for e in "ab" for x, y, _ in ARC),
                 [1.9] * 2),
    "names.csv": ("fahrt,breite,laenge\n" + "".join(f"{e},{48.13 + k / 1000:.3f},11.571\n" for e in (7, 8) for k in range(9)),
                  [889.6] * 2),
    "level.json": ([{"id": e, "poses": [[x, 0.5, -y] for x, y, _ in ARC]} for e in "ab"], [1.9] * 2),
    "beyond.json": ({"type": "LineString", "coordinates": [[179.997 + k / 1000, 0.0] for k in range(7)]}, [667.2]),
    "pairs.csv": ("id,path\n" + "".join(f"{e},{'|'.join(f'{lat};{lon}' for lat, lon in LINE)}\n" for e in "abc"),
                  [LENGTH_M] * 3),
}  # fmt: skip
"""What researchers have on their disks, by its public form."""


@pytest.mark.parametrize("name", DISKS)
def test_what_lies_on_disks_is_read_by_its_form(name: str, tmp_path: Path) -> None:
    content, lengths_m = DISKS[name]
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    mapping, traces = _read(path)
    assert _lengths_m(traces) == pytest.approx(lengths_m, rel=2e-3)
    if name == "states.json":
        assert traces["a"].steps[-1].heading_deg == pytest.approx(
            90 - math.degrees(ARC[-1][2]), abs=0.1
        )
        assert mapping.walk.headings == ("state[*][2]",)


def test_replies_in_one_list_are_an_episode_each(tmp_path: Path) -> None:
    path = tmp_path / "replies.json"
    path.write_text(json.dumps([_google_new(), _google_new()]))
    assert list(_read(path)[1]) == ["0_0", "1_0"]


def test_tracks_of_gpx_are_degrees_across_180(tmp_path: Path) -> None:
    points = "".join(f'<trkpt lat="0" lon="{lon}"/>' for lon in (179.999, -180.0, -179.999))
    path = tmp_path / "walk.gpx"
    path.write_text(f"<gpx><trk><name>a</name><trkseg>{points}</trkseg></trk></gpx>")
    mapping, traces = _read(path)
    assert mapping.walk.frame == "latlon"
    assert _lengths_m(traces) == pytest.approx([222.4], rel=1e-3)


def test_columns_that_no_name_calls_places_are_said_to_be_a_guess(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text(DISKS["names.csv"][0])
    said = " ".join(checks_of(structure(path), guess(path)))
    assert "No name says that rows[*].breite and rows[*].laenge are places" in said


def test_topojson_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text(json.dumps({"type": "Topology", "arcs": [[[0, 0], [1, 1]]], "objects": {}}))
    with pytest.raises(InputError, match="TopoJSON, whose lines are written as differences"):
        guess(path)


def test_the_instruction_is_no_line_of_a_cell(tmp_path: Path) -> None:
    path = tmp_path / "walks.csv"
    cell = CELLS["objects"].replace('"', '""')
    path.write_text(
        "walk,instruction,track\n" + "".join(f'{k},Go north.,"{cell}"\n' for k in range(3))
    )
    assert _read(path)[1]["0"].episode.instruction == "Go north."


def test_logs_lie_as_deep_as_alfred_has_them(tmp_path: Path) -> None:
    for k in range(2):
        path = tmp_path / "json_2.1.0" / "train" / f"pick{k}" / f"trial{k}" / "traj.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps([{"id": k, "track": [list(each[:2]) for each in ARC]}]))
    assert _lengths_m(_read(tmp_path)[1]) == pytest.approx([1.9] * 2)
