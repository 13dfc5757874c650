"""Damaged rows and tracks of mapped logs: named, and no episodes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import open_results
from navviz.formats.base import Run
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import as_toml, mapping_of, sidecar_of
from navviz.runs.account import check_folder
from navviz.world.scene_graph import bare_world
from tests.formats.mapping import test_kinds as kinds

FIGURES = {
    "name": "mine",
    "format": "csv",
    "episode": {"id": "ep", "instruction": "say"},
    "figures": {"success": "ok"},
}
ROWS = "ep,say,ok\ne1,Go,1\n{}\ne2,Go,0\n"
TRACK = (
    "<trk><name>{0}</name><desc>Go.</desc><trkseg><trkpt lat='48.1' lon='10.1'/>"
    "<trkpt lat='48.2' lon='10.1'/></trkseg></trk>"
)
GPX = f"<gpx xmlns='http://www.topografix.com/GPX/1/1'>{TRACK.format('a')}{TRACK.format('b')}</gpx>"


def _read(path: Path) -> Run:
    sidecar_of(path).write_text(as_toml(mapping_of(FIGURES, "mine.toml")))
    (run,) = open_results(path, bare_world)
    return run


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("@@@@", "has neither a walk nor a figure"),
        ("\x01\x02,x", "has neither a walk nor a figure"),
        ("9f,9f,9f", "has neither a walk nor a figure"),
        ("1,2,3,4,5,6", "1 row with more cells than the head's 3, first row 3"),
        (",,", "has no id"),
        ("e7,Go", "1 row with fewer cells than the head's 3, first row 3"),
    ],
)
def test_a_row_of_garbage_is_named_and_is_no_episode(tmp_path: Path, row: str, says: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(ROWS.format(row))
    run = _read(path)
    assert set(run.traces) == {"e1", "e2"}
    assert {key: trace.end.figures["success"] for key, trace in run.traces.items()} == {
        "e1": 1.0,
        "e2": 0.0,
    }
    assert says in " ".join(map(str, run.problems.kept))


@pytest.mark.parametrize("missing", ["", "nan", "n/a"])
def test_a_missing_figure_is_no_garbage(tmp_path: Path, missing: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(ROWS.format(f"e7,Go,{missing}"))
    assert set(_read(path).traces) == {"e1", "e7", "e2"}


def test_a_gpx_that_is_cut_gives_its_whole_tracks_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "walk.gpx"
    path.write_text(GPX[: GPX.rindex("<trkpt")])
    (run,) = open_results(path, bare_world)
    assert set(run.traces) == {"a"}
    assert "is no whole GPX" in str(run.problems.kept[0])
    assert "1 point and what follows are lost" in str(run.problems.kept[0])


@pytest.mark.parametrize("at", [0.05, 0.3, 0.5, 0.8, 0.99])
def test_a_gpx_cut_short_beside_a_whole_one_is_named(tmp_path: Path, at: float) -> None:
    (tmp_path / "a.gpx").write_text(GPX)
    (tmp_path / "cut.gpx").write_text(GPX[: int(len(GPX) * at)])
    account = check_folder(tmp_path)
    said = [str(problem) for problem in account.not_read]
    said += [str(problem) for part in account.parts for problem in part.problems.kept]
    assert [each for each in said if "cut.gpx" in each and "is no whole GPX" in each]
    assert account.named


KML = ("<kml xmlns='http://www.opengis.net/kml/2.2'><Document>{}</Document></kml>").format(
    "".join(
        f"<Placemark><name>{name}</name><LineString><coordinates>10.1,48.1 10.1,48.2"
        "</coordinates></LineString></Placemark>"
        for name in "ab"
    )
)


@pytest.mark.parametrize("at", [0.3, 0.5, 0.8, 0.99])
def test_a_kml_cut_short_is_named(tmp_path: Path, at: float) -> None:
    (tmp_path / "a.kml").write_text(KML)
    (tmp_path / "cut.kml").write_text(KML[: int(len(KML) * at)])
    account = check_folder(tmp_path)
    said = [str(problem) for problem in account.not_read]
    said += [str(problem) for part in account.parts for problem in part.problems.kept]
    assert [each for each in said if "cut.kml" in each and "is no whole KML" in each]
    assert account.named


PRINTED = """## 1
say Go on.
-- 1
thought: a
move: 1
-- 2
thought: b
move: 2
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (PRINTED, []),
        (PRINTED[:-1], ["ends within a line"]),
        (PRINTED.replace("move: 2\n", ""), ["ends within step 2, without move"]),
    ],
)
def test_a_printed_log_that_ends_within_a_step_is_named(
    tmp_path: Path, text: str, says: list[str]
) -> None:
    printed = {
        "episode": "## {}",
        "step": "-- {}",
        "episode_parts": {"instruction": "say {}"},
        "step_parts": {"thought": "thought: {}", "move": "move: {}"},
    }
    mapping = {
        "name": "mine",
        "format": "printed",
        "printed": printed,
        "episode": {"id": "id", "instruction": "instruction"},
        "walk": {"thoughts": "steps[*].thought", "forwards": "steps[*].move"},
    }
    path = tmp_path / "run.log"
    path.write_text(text)
    sidecar_of(path).write_text(as_toml(mapping_of(mapping, "mine.toml")))
    (run,) = open_results(path, bare_world)
    assert len(run.traces) == 1
    assert len(run.problems.kept) == len(says)
    for problem, part in zip(map(str, run.problems.kept), says, strict=True):
        assert part in problem


@pytest.mark.parametrize(
    ("name", "before", "after", "says"),
    [
        ("tum_head.txt", "", "twice", "repeats 1 row, with the same timestamp"),
        ("kitti_00.txt", "1 0 0 0.000", "100 0 0.000", "line 1, above the rows, is nearly one"),
        ("valhalla", '"Turn right onto Birch Row."', "7.5", "'7.5' is no text of a step"),
        ("polyline", '"\n', "", "a quotation mark in its last line that is not closed"),
    ],
)
def test_a_damage_of_the_last_kinds_is_named(
    name: str, before: str, after: str, says: str, tmp_path: Path
) -> None:
    texts = {key: text for key, (text, _) in kinds.TABLES.items()}
    cell = kinds.CELLS["polyline"].replace('"', '""')
    texts["valhalla"] = json.dumps(kinds.REPLIES["valhalla"][0])
    texts["polyline"] = "route_id,geometry\n" + "".join(f'{k},"{cell}"\n' for k in range(3))
    path = tmp_path / name
    path.write_text(texts[name])
    sidecar_of(path).write_text(as_toml(guess(path)))
    if after == "twice":
        lines = texts[name].splitlines(keepends=True)
        damaged = "".join([*lines[:5], lines[4], *lines[5:]])
    else:
        head, _, tail = texts[name].rpartition(before)
        damaged = head + after + tail
    path.write_text(damaged)
    (run,) = open_results(path, bare_world)
    assert says in " ".join(map(str, run.problems.kept))


def test_a_place_of_one_number_before_the_first_whole_one_is_no_start(tmp_path: Path) -> None:
    path = tmp_path / "osrm.json"
    path.write_text(json.dumps(kinds.REPLIES["osrm geojson"][0]))
    sidecar_of(path).write_text(as_toml(guess(path)))
    first = json.dumps(kinds.GEOJSON["coordinates"][0])
    path.write_text(path.read_text().replace(first, first.partition(",")[0] + "]"))
    with pytest.raises(InputError, match=r"1 of \d positions are no finite numbers"):
        open_results(path, bare_world)


def test_a_log_that_nobody_knows_is_not_read_and_named_with_the_command(tmp_path: Path) -> None:
    folder = tmp_path / "my runs"
    folder.mkdir()
    for name in ("a.tum", "b.tum"):
        (folder / name).write_text(kinds.TABLES["tum.txt"][0])
    (folder / "notes.txt").write_text("nothing of note")
    account = check_folder(folder)
    (said,) = map(str, account.not_read)
    assert "is a log of walks that no reader knows, and 1 more that end alike" in said
    assert said.endswith(f"navviz data map '{folder}'.")
    assert account.lost == 1
    assert account.others == {".txt": 1}
