"""Mappings that come with NavViz, on files made by what is known of their form; and real files."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import navviz
from navviz.errors import NotFoundError, Problems
from navviz.formats import format_of, open_results
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.reader import shipped_mappings
from navviz.runs.opened import open_run
from navviz.views.player.pictures import PictureTable
from navviz.world.floors import find_floors
from navviz.world.graph import Graph
from tests.command import invoke

SHIPPED = dict(shipped_mappings())
LINE = {"scene_id": "S1", "episode_id": 4, "success": 1.0, "spl": 0.5, "os": 1.0, "ne": 0.4}
EPISODE = {"success": 1.0, "spl": 0.5, "distance_to_goal": 1.5, "oracle_success": 1.0}


_map = partial(invoke, "data", "map")


def _written(path: Path, *values: Any) -> Path:
    path.write_text("\n".join(json.dumps(value) for value in values), encoding="utf-8")
    return path


def test_aerialvln(tmp_path: Path) -> None:
    entry = {"episode_id": "a1", "trajectory_id": "t", "is_collisioned": False, "success": 1}
    half = 0.7071067811865476
    entry["trajectory"] = [[0, 0, -5, 0, 0, 0, 1], [2, 0, -5, 0, 0, half, half]]
    path = _written(tmp_path / "a1.json", entry)
    assert format_of("results", path) == "AerialVLN walks"
    trace = open_results(path, _no_graph_there)[0].traces["a1"]
    assert trace.steps[0].end_position == (0.0, 2.0, 5.0)
    assert trace.steps[0].end_heading_deg == pytest.approx(90.0)
    assert trace.end is not None
    assert trace.end.figures["success"] == 1.0


def _no_graph_there(world: str) -> Graph:
    raise NotFoundError(f"world {world} not found")


def test_citynav(tmp_path: Path) -> None:
    logs = {"7": [[0, 0, 30, 0.0], [0, 10, 30, 1.5707963267948966]]}
    path = _written(tmp_path / "mgp_mturk.json", {"metrics": {}, "trajectory_logs": logs})
    assert format_of("results", path) == "CityNav walks"
    step = open_results(path, _no_graph_there)[0].traces["7"].steps[0]
    assert (step.position, step.end_position) == ((0.0, 0.0, 30.0), (0.0, 10.0, 30.0))
    assert (step.heading_deg, step.end_heading_deg) == pytest.approx((90.0, 0.0))


def test_openfly(tmp_path: Path) -> None:
    line = {"env_name": "env_gtav", "sample_idx": 3, "instruction": "Fly on.", "success": True}
    line |= {"start_position": [0, 0, 5], "end_position": [9, 0, 5], "final_position": [8, 0, 5]}
    line |= {"trajectory_length": 8.5, "spl": 0.9, "distance_to_goal": 1.0}
    path = _written(tmp_path / "eval.jsonl", line, line | {"sample_idx": 4})
    assert format_of("results", path) == "OpenFly figures"
    traces = open_results(path, _no_graph_there)[0].traces
    assert list(traces) == ["3", "4"]
    assert traces["3"].episode.places["goal"] == (9.0, 0.0, 5.0)


def test_every_shipped_mapping_runs(tmp_path: Path) -> None:
    """None stands behind a reader of code that always comes first."""
    lines = _written(tmp_path / "progress.json", LINE)
    keyed = _written(tmp_path / "stats_ep.json", {"1": EPISODE})
    folder = tmp_path / "log"
    folder.mkdir()
    _written(folder / "stats_1.json", EPISODE | {"id": "1"})
    named = {path: format_of("results", path) for path in (lines, keyed, folder)}
    figures = "VLN-CE figures"
    assert list(named.values()) == [
        f"{figures}, a line an episode",
        figures,
        f"{figures}, a file an episode",
    ]
    orders = [mapping.order for mapping in SHIPPED.values() if mapping.find_episodes]
    assert sorted(orders) == list(range(70, 77)), "each has a place of its own"


def test_a_real_log_opens_without_correction(data_dir: Path, tmp_path: Path) -> None:
    real = data_dir / "wild/habitat_vln/test_debate_v5.json"
    path = tmp_path / "log.json"
    path.write_bytes(real.read_bytes())
    mapping = guess(path)
    assert (mapping.episodes, mapping.walk.frame) == ("episodes[*]", "habitat")
    ran = _map(path, "--save")
    assert ran.exit_code == 0, ran.output
    assert "It reads 3 episodes, 3 of them with a walk; 0 left out or changed." in ran.output
    means = open_run(path).scores.means
    assert means["TL"] == pytest.approx(means["TL_rec"], abs=1e-5)


def test_a_correction_on_the_command_line(tmp_path: Path) -> None:
    path = _written(tmp_path / "odd.json", [{"q": "a", "zz": [[0, 0, 0], [0, 0, -1]]}])
    fields = ["--set", "episode.id=q", "--set", "walk.positions=zz", "--set", "walk.frame=habitat"]
    ran = _map(path, *fields, "--set", "episodes=[*]")
    assert "It reads 1 episode, 1 of them with a walk" in ran.output
    wrong = _map(path, "--set", "walk.frame=moon")
    assert wrong.exit_code != 0
    assert "field walk.frame" in wrong.output


@pytest.mark.parametrize(
    ("heights", "ends"), [([520.0, 523.5], (520.0, 523.5)), ([520.0, None], (0.0, 0.0))]
)
def test_heights_of_gpx_are_read_where_all_points_have_one(
    heights: list[float | None], ends: tuple[float, float], tmp_path: Path
) -> None:
    points = ""
    for k, height in enumerate(heights):
        inner = "" if height is None else f"<ele>{height}</ele>"
        points += f'<trkpt lat="48.13{k}" lon="10.0680">{inner}</trkpt>'
    path = tmp_path / "walk.gpx"
    for space in ('xmlns="http://www.topografix.com/GPX/1/1"', ""):
        text = f"<gpx {space}><trk><name>up</name><trkseg>{points}</trkseg></trk></gpx>"
        path.write_text(text, encoding="utf-8")
        mapping = dict(shipped_mappings())["gpx"]
        (trace,) = read_log(mapping, path, None, None, Problems()).values()
        (step,) = trace.steps
        assert (step.position[2], step.end_position[2]) == ends


def test_a_flight_has_no_storeys_and_is_drawn_from_its_trace_alone(tmp_path: Path) -> None:
    """A drone that hovers makes peaks of heights, as the floors of a house do."""
    heights = [8.0, 20.0, *[30.0] * 20, *[35.0] * 20, 12.0]
    track = [[3.0 * k, 1.0, -height, 0, 0, 0, 1] for k, height in enumerate(heights)]
    flight = {"episode_id": "1", "trajectory_id": "t", "trajectory": track, "success": 1.0}
    path = tmp_path / "1.json"
    path.write_text(json.dumps(flight | {"is_collisioned": False}), encoding="utf-8")
    run = open_run(path)
    assert len(find_floors(run.graph("1"))) == 1
    document = navviz.replay(run.traces["1"]).document(PictureTable())
    assert len(document["nodes"]["ids"]) == len(track)
    assert len(document["indoor"]["floors"]) == 1
