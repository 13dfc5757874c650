"""Mappings read logs: entries in equal entries out, and what is left out is named."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping as Pairs
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import InputError, Problems
from navviz.formats import kind_of, open_episodes, open_results
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.model import (
    Mapping,
    as_toml,
    first_value,
    mapping_of,
    parse_path,
    read_mapping,
    save_mapping,
    series,
)
from navviz.records import Trace
from navviz.runs.opened import open_run

STEPS = [
    {"pose": {"x": 1.0, "y": 0.2, "z": -3.0}, "yaw": 0.0, "act": 1, "llm": {"why": "A door."}},
    {"pose": {"x": 1.0, "y": 0.2, "z": -4.0}, "yaw": 1.5707963, "act": 2, "llm": {"why": "Left."}},
    {"pose": {"x": 0.0, "y": 0.2, "z": -4.0}, "yaw": 1.5707963, "act": 0, "llm": {}},
]
MAPPING: dict[str, Any] = {
    "name": "made",
    "episodes": "runs[*]",
    "skip_without": ["no"],
    "episode": {"id": "no", "world": "place", "instruction": "said"},
    "walk": {
        "positions": ["steps[*].pose.x", "steps[*].pose.y", "steps[*].pose.z"],
        "headings": "steps[*].yaw",
        "heading_unit": "radians",
        "heading_direction": "counter-clockwise",
        "actions": "steps[*].act",
        "thoughts": "steps[*].llm.why",
    },
    "figures": {"success": "ok", "ne": {"path": "left", "unit": "cm"}},
}


def _entry(**fields: Any) -> dict[str, Any]:
    entry = {"no": 7, "place": "hall.glb", "said": "Go on.", "steps": STEPS, "ok": True}
    return entry | {"left": 40} | fields


def _log(folder: Path, entries: list[Any]) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps({"runs": entries}), encoding="utf-8")
    return path


def _read(path: Path, **fields: Any) -> tuple[dict[str, Trace], Problems]:
    problems = Problems()
    mapping = mapping_of(MAPPING | fields, "made")
    return read_log(mapping, path, None, None, problems), problems


def test_poses_actions_thoughts_and_figures_of_steps(tmp_path: Path) -> None:
    traces, problems = _read(_log(tmp_path, [_entry()]))
    trace = traces["7"]
    assert trace.episode.world == "hall"
    assert [step.position for step in trace.steps] == [
        (1.0, 3.0, 0.2),
        (1.0, 4.0, 0.2),
        (0.0, 4.0, 0.2),
    ]
    headings = [step.heading_deg for step in trace.steps]
    assert headings == pytest.approx([0.0, 270.0, 270.0], abs=1e-5)
    actions = [step.decision.action for step in trace.steps if step.decision is not None]
    assert actions == ["move_forward", "turn_left", "stop"]
    assert [step.calls[0].thoughts for step in trace.steps[:2]] == ["A door.", "Left."]
    assert trace.end is not None
    assert trace.end.figures == {"success": 1.0, "ne": 0.4}
    assert problems.count == 0


def test_every_entry_is_read_or_named(tmp_path: Path) -> None:
    broken = [STEPS[0], {"pose": {"x": "north", "y": 0, "z": 0}}]
    entries = [_entry(), {"mean": 0.5}, _entry(no=8, steps=broken), _entry(no=9), _entry(ok=False)]
    traces, problems = _read(_log(tmp_path, entries))
    assert list(traces) == ["7", "9"]
    assert traces["7"].end is not None
    assert traces["7"].end.figures["success"] == 0.0, "the last line of an episode counts"
    said = [str(problem) for problem in problems.kept]
    assert len(said) == 3
    assert "entry 1, field no: is no episode" in said[0]
    assert "episode 8, field steps[*].pose.x: 1 of 2 positions are no finite numbers" in said[1]
    assert "1 entries repeat an episode; the last of each counts" in said[2]


@pytest.mark.parametrize(
    ("walk", "value", "position"),
    [
        ({"frame": "ned"}, [1.0, 2.0, -3.0], (2.0, 1.0, 3.0)),
        ({"frame": "enu"}, [1.0, 2.0, 3.0], (1.0, 2.0, 3.0)),
        ({"frame": "pixels", "metres_per_pixel": 0.5}, [10, 4], (5.0, -2.0, 0.0)),
    ],
)
def test_frames(
    tmp_path: Path, walk: Pairs[str, Any], value: list[float], position: tuple[float, ...]
) -> None:
    path = _log(tmp_path, [_entry(steps=[value, value])])
    traces, _ = _read(path, walk={"positions": "steps[*]"} | dict(walk))
    assert traces["7"].steps[0].position == position


def test_latitude_and_longitude_become_metres_where_no_map_is(tmp_path: Path) -> None:
    path = _log(tmp_path, [_entry(steps=[[60.0, 10.0], [60.001, 10.002]])])
    traces, _ = _read(path, walk={"positions": "steps[*]", "frame": "latlon"})
    end = traces["7"].steps[0].end_position
    assert end == pytest.approx((111.195, 111.195, 0.0), abs=0.01)


def test_rows_of_csv_are_grouped(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("ep,x,y,z\n1,0,0,0\n1,0,0,-1\n2,5,0,5\n2,5,0,6\n", encoding="utf-8")
    fields = {"positions": ["rows[*].x", "rows[*].y", "rows[*].z"]}
    mapping = mapping_of(
        {
            "name": "rows",
            "format": "csv",
            "group_by": "ep",
            "episode": {"id": "rows[0].ep"},
            "walk": fields,
        },
        "made",
    )
    traces = read_log(mapping, path, None, None, Problems())
    assert {key: len(trace.steps) for key, trace in traces.items()} == {"1": 1, "2": 1}


def test_a_second_file_gives_the_episodes(tmp_path: Path) -> None:
    tasks = [{"key": "a", "text": "Turn round.", "from": [0, 0, 0], "to": [0, 0, -2]}]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    path = tmp_path / "walks.json"
    path.write_text(json.dumps({"a": [[0, 0, 0], [0, 0, -2]]}), encoding="utf-8")
    fields = {"id": "key", "instruction": "text", "start": "from", "goal": "to"}
    mapping = mapping_of(
        {
            "name": "joined",
            "episodes": "{walk}",
            "episode": {"id": "{key}"},
            "walk": {"positions": "[*]"},
            "join": {"files": "tasks.json", "episode": fields},
        },
        "made",
    )
    episode = read_log(mapping, path, None, None, Problems())["a"].episode
    assert episode.instruction == "Turn round."
    assert episode.places[episode.goal or ""] == (0.0, 2.0, 0.0)


def test_a_saved_mapping_opens_its_file(tmp_path: Path) -> None:
    path = _log(tmp_path, [_entry()])
    with pytest.raises(InputError, match=r"navviz data map /.*/log\.json"):
        open_results(path, lambda _: pytest.fail("no graph is needed"))
    file = save_mapping(mapping_of(MAPPING, "made"), path)
    assert file.name == "log.json.navviz.toml"
    assert kind_of(path) == "results"
    assert open_run(path).traces["7"].steps[0].node == "pose 0"
    assert open_episodes(path).episodes["7"].instruction == "Go on."


def test_a_mapping_is_the_same_after_it_was_written(tmp_path: Path) -> None:
    mapping = mapping_of(MAPPING, "made")
    path = tmp_path / "m.toml"
    path.write_text(as_toml(mapping), encoding="utf-8")
    assert read_mapping(path) == mapping


def test_paths() -> None:
    document = {"a": [{"b.c": 1}, {}], "k": {"x1": [1, 2, 3]}}
    assert series(document, 'a[*]."b.c"') == [1, None]
    assert series(document, "k{id}") == [[1, 2, 3]]
    assert first_value(document, "k.x1[-1]") == 3
    assert first_value(document, "k.x1[0:2]") == [1, 2]
    for wrong in ("a..b", "a[", "a[x]", "a.", "{", '"a'):
        with pytest.raises(ValueError, match=r"."):
            parse_path(wrong)


def test_faults_of_a_mapping_name_their_field() -> None:
    with pytest.raises(InputError, match=r"made, field walk: the frame pixels|metres_per_pixel"):
        mapping_of({"name": "m", "walk": {"frame": "pixels"}}, "made")
    with pytest.raises(InputError, match=r"field walk\.positions"):
        mapping_of(tomllib.loads('name = "m"\n[walk]\npositions = "a["'), "made")
    assert Mapping(name="m").has_results is False


def test_rates_in_percent_of_a_guessed_mapping_are_fractions(tmp_path: Path) -> None:
    records = [{"id": k, "m": {"SR": 100 * (k % 2), "ne": 61.5}} for k in range(4)]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(records))
    figures = {"SR": "m.SR", "ne": "m.ne"}
    fields = {"name": "m", "format": "json", "episodes": "[*]", "episode": {"id": "id"}}
    said = Problems()
    traces = read_log(mapping_of({**fields, "figures": figures}, "m"), path, None, None, said)
    assert [trace.end.figures for trace in traces.values() if trace.end] == [
        {"SR": float(k % 2), "ne": 61.5} for k in range(4)
    ]
    [problem] = map(str, said.kept)
    assert "field m.SR: values up to 100 where a fraction is due" in problem
    chosen = {**figures, "SR": {"path": "m.SR", "unit": "fraction"}}
    kept = read_log(mapping_of({**fields, "figures": chosen}, "m"), path, None, None, Problems())
    assert kept["1"].end is not None
    assert kept["1"].end.figures["SR"] == 100.0, "a unit that somebody chose stands"
