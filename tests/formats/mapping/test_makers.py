"""Logs of makers whom nobody asked: each is read right after at most three corrections.

A case writes its files, names the corrections that a person has to make, and says what must be read
then: the ids, and of the first episode its world, text, places and headings in NavViz's frame.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from navviz.cli.data_map import corrected
from navviz.errors import InputError, Problems
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import mapping_of, save_mapping
from navviz.runs.opened import open_run
from navviz.runs.unknown_logs import is_unknown_log
from tests.grids import write_json

TEXT = "Leave the room, turn left at the lamp and wait by the sofa."
#: Three strides north, a turn, three strides east; in metres, z up.
PLACES = [(2.0, 1.0, 0.5), (2.0, 1.5, 0.5), (2.0, 2.0, 0.5), (2.0, 2.5, 0.5), (2.5, 2.5, 0.5), (3.0, 2.5, 0.5), (3.5, 2.5, 0.5)]  # fmt: skip
LOOKS_DEG = [0.0, 0.0, 0.0, 90.0, 90.0, 90.0, 90.0]
Y_UP = [[x, z, -y] for x, y, z in PLACES]
IDS = ["a1", "a2", "a3"]


@dataclass(frozen=True)
class Case:
    """A log as its maker wrote it."""

    path: Path
    corrections: tuple[str, ...] = ()
    ids: Sequence[str] = tuple(IDS)
    places: Sequence[Sequence[float]] = tuple(PLACES)
    world: str = ""
    text: str = TEXT
    headings: Sequence[float] | None = None
    problems: tuple[str, ...] = ()
    """What is said of the file, in order."""


def _table(rows: Sequence[Sequence[object]], separator: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(rows)
    return out.getvalue()


def _steps(ids: Sequence[str] = IDS) -> list[list[object]]:
    return [[name, *place] for name in ids for place in PLACES]


def scenes(folder: Path) -> Case:
    episodes = [{"nr": k, "task": TEXT, "track": Y_UP} for k in (1, 2)]
    path = write_json(folder / "log.json", {"hall": episodes, "attic": episodes[:1], "yard": []})
    # numbers that begin anew in each house look like no ids
    fix = ("episode.id=nr",)
    return Case(path, corrections=fix, ids=["hall-1", "2", "attic-1"], world="hall")


def wide(folder: Path) -> Case:
    head = ["id", "text", *(f"{axis}_{k}" for axis in "xyz" for k in range(8))]
    cells = [[place[axis] for place in PLACES] + [""] for axis in range(3)]
    rows = [[name, TEXT, *cells[0], *cells[1], *cells[2]] for name in IDS]
    path = folder / "wide.csv"
    path.write_text(_table([head, *rows]), encoding="utf-8")
    return Case(path)


def lists(folder: Path) -> Case:
    columns = dict(zip(("px", "py", "pz"), map(list, zip(*PLACES, strict=True)), strict=True))
    rows = [{"uuid": name, "lang": TEXT, "when": b"\x00", **columns} for name in IDS]
    path = folder / "lists.parquet"
    parquet.write_table(pa.Table.from_pylist(rows), path)
    return Case(path, corrections=("episode.instruction=lang",))


def actions(folder: Path) -> Case:
    acts = ["forward"] * 6 + ["right"] * 6 + ["forward"] * 6 + ["stop"]
    entry = {"origin": [2.0, 0.5, -1.0], "start_yaw": 0.0, "command": TEXT, "actions": acts}
    path = write_json(folder / "acts.json", [{"uid": name, **entry} for name in IDS])
    # a quarter of a metre each: 6 strides of it are one and a half metres
    ahead = [(2.0, 1.0 + 0.25 * k, 0.5) for k in range(7)]
    aside = [(2.0 + 0.25 * k, 2.5, 0.5) for k in range(1, 7)]
    return Case(path, places=[*ahead, *aside])


def swapped(folder: Path) -> Case:
    """Longitude first: nothing in 11.5 and 48.1 says so, and a person has to."""
    track = [[11.5755 + x * 1e-4, 48.1374 + y * 1e-4] for x, y, _ in PLACES]
    path = write_json(folder / "walks.json", [{"id": n, "text": TEXT, "track": track} for n in IDS])
    east_m = 111_195.0 * math.cos(math.radians(track[0][1])) * 1e-4
    places = [((x - 2.0) * east_m, (y - 1.0) * 11.1195, 0.0) for x, y, _ in PLACES]
    return Case(path, corrections=("walk.frame=lonlat",), places=places)


def far_east(folder: Path) -> Case:
    """A longitude beyond 90 can be no latitude; a yaw of mathematics is told by the walk."""
    yaw = [math.radians(90.0 - look) for look in LOOKS_DEG]
    steps = [
        {"at": [139.7 + p[0] * 1e-4, 35.6 + p[1] * 1e-4], "yaw": y}
        for p, y in zip(PLACES, yaw, strict=True)
    ]
    path = write_json(folder / "tokyo.json", [{"id": n, "text": TEXT, "log": steps} for n in IDS])
    east_m = 111_195.0 * math.cos(math.radians(35.6001)) * 1e-4
    places = [((x - 2.0) * east_m, (y - 1.0) * 11.1195, 0.0) for x, y, _ in PLACES]
    return Case(path, places=places, headings=LOOKS_DEG)


def far_west(folder: Path) -> Case:
    """A longitude of New York would be a latitude of Antarctica."""
    track = [[-73.9855 + x * 1e-4, 40.7484 + y * 1e-4] for x, y, _ in PLACES]
    path = write_json(folder / "york.json", [{"id": n, "text": TEXT, "track": track} for n in IDS])
    east_m = 111_195.0 * math.cos(math.radians(track[0][1])) * 1e-4
    places = [((x - 2.0) * east_m, (y - 1.0) * 11.1195, 0.0) for x, y, _ in PLACES]
    return Case(path, places=places)


def few_degrees(folder: Path) -> Case:
    """Degrees that stay small look like radians; the way the agent goes says what they are."""
    steps = [
        {"X": p[0], "Y": p[1], "Z": p[2], "bearing": look / 30}
        for p, look in zip([(2.0 + k * math.sin(math.radians(k)), 1.0 + k, 0.5) for k in range(7)], [30.0 * k * 1.75 for k in range(7)], strict=True)
    ]  # fmt: skip
    path = write_json(folder / "small.json", [{"id": n, "text": TEXT, "log": steps} for n in IDS])
    places = [(2.0 + k * math.sin(math.radians(k)), 1.0 + k, 0.5) for k in range(7)]
    return Case(path, places=places, headings=[1.75 * k for k in range(7)])


def by_file(folder: Path) -> Case:
    """A table for each episode, whose name has the id, and a list of the episodes beside them."""
    for name in IDS:
        rows = [[p[0], p[1], p[2], 90.0 - look] for p, look in zip(PLACES, LOOKS_DEG, strict=True)]
        path = folder / "run" / "steps" / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_table([["x", "y", "z", "theta"], *rows]), encoding="utf-8")
    write_json(folder / "run" / "tasks.json", [{"id": name, "text": TEXT} for name in IDS])
    return Case(folder / "run", headings=LOOKS_DEG)


def by_folder(folder: Path) -> Case:
    for name in IDS:
        path = folder / "out" / name / "log.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({"pos": p, "thought": "Go on."}) for p in Y_UP]
        path.write_text("\n".join(lines), encoding="utf-8")
    return Case(folder / "out", text="")


def holes(folder: Path) -> Case:
    """Python writes NaN and Infinity, which JSON has not."""
    broken = [[float("nan"), 0.5, -1.0], *Y_UP[1:]]
    far = [[float("inf"), 0.5, -1.0], *Y_UP[1:]]
    none = [None, *Y_UP[1:]]
    tracks = [Y_UP, broken, far, none, Y_UP]
    entries = [{"id": f"b{k}", "said": TEXT, "track": track} for k, track in enumerate(tracks)]
    said = tuple(f"episode b{k}, field track[*]: 1 of 7 positions" for k in (1, 2, 3))
    return Case(write_json(folder / "holes.json", entries), ids=["b0", "b4"], problems=said)


def commented(folder: Path) -> Case:
    head = "# robot 7, run of May\n# frame: map\n#\n"
    rows = [["episode", "x", "y", "z"], *_steps()]
    path = folder / "commented.csv"
    path.write_text(head + _table(rows), encoding="utf-8")
    return Case(path, text="")


def numpy_head(folder: Path) -> Case:
    rows = [[k, *place] for k in range(3) for place in PLACES]
    path = folder / "saved.csv"
    path.write_text("# ep,x,y,z\n" + _table(rows), encoding="utf-8")
    return Case(path, ids=["0", "1", "2"], text="")


def utf16(folder: Path) -> Case:
    text = "Geh über den Flur bis zum Sofa."
    rows = [["trial", "task", "x", "y", "z"], *([n, text, *place] for n, *place in _steps())]
    path = folder / "excel.csv"
    path.write_bytes(_table(rows, "\t").encode("utf-16"))
    return Case(path, text=text)


def decimal_commas(folder: Path) -> Case:
    lines = ["versuch;trial;x;y;z"]
    for name, *place in _steps():
        cells = [f"{value:.3f}".replace(".", ",") for value in place]
        lines.append(";".join(["1,0", str(name), *cells]))
    path = folder / "messung.csv"
    path.write_text("\n".join(lines), encoding="latin-1")
    return Case(path, text="")


def comma_lines(folder: Path) -> Case:
    lines = [json.dumps({"id": name, "said": TEXT, "path": Y_UP}) for name in IDS]
    path = folder / "lines.jsonl"
    path.write_text(",\n".join(lines) + ",\n", encoding="utf-8")
    return Case(path)


def garbage(folder: Path) -> Case:
    lines = [json.dumps({"id": name, "said": TEXT, "path": Y_UP}) for name in IDS]
    lines[1] += " <<< done in 3.2 s"
    path = folder / "out.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    said = "out.jsonl:2: goes on after its JSON ends, with 17 characters"
    return Case(path, problems=(said,))


MAKERS = (
    scenes, wide, lists, actions, swapped, far_east, far_west, few_degrees, by_file, by_folder, holes,
    commented, numpy_head, utf16, decimal_commas, comma_lines, garbage,
)  # fmt: skip
Make = Callable[[Path], Case]


def _places_of(trace: Any) -> list[tuple[float, ...]]:
    places = [trace.steps[0].position]
    for step in trace.steps:
        if step.end_position != places[-1]:
            places.append(step.end_position)
    return places


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_a_log_opens_after_few_corrections(make: Make, tmp_path: Path) -> None:
    case = make(tmp_path)
    assert is_unknown_log(case.path)
    assert len(case.corrections) <= 3
    mapping = corrected(guess(case.path), case.corrections)
    problems = Problems()
    traces = read_log(mapping, case.path, None, None, problems)
    assert sorted(traces) == sorted(case.ids)
    trace = traces[case.ids[0]]
    assert trace.episode.instruction == case.text
    assert trace.episode.world == case.world
    places = _places_of(trace)
    assert len(places) == len(case.places)
    for place, right in zip(places, case.places, strict=True):
        assert place == pytest.approx(right, abs=1e-2 if mapping.in_degrees else 1e-6)
    if case.headings is not None:
        headings = [step.heading_deg for step in trace.steps]
        assert headings == pytest.approx(case.headings[: len(headings)], abs=1e-6)
    said = [str(problem) for problem in problems.kept]
    assert len(said) == len(case.problems)
    for sentence, right in zip(said, case.problems, strict=True):
        assert right in sentence


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_what_was_corrected_is_kept_beside_the_log(make: Make, tmp_path: Path) -> None:
    case = make(tmp_path)
    mapping = corrected(guess(case.path), case.corrections)
    save_mapping(mapping, case.path)
    assert sorted(open_run(case.path).traces) == sorted(case.ids)


def test_most_of_these_logs_need_no_correction(tmp_path: Path) -> None:
    counts = []
    for make in MAKERS:
        folder = tmp_path / make.__name__
        folder.mkdir()
        counts.append(len(make(folder).corrections))
    assert sum(counts) <= 3


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"walk": {"positions": "nowhere[*]"}}, "has neither a walk nor a figure"),
        ({"walk": {"positions": "said"}}, "has neither a walk nor a figure"),
        ({"episode": {"id": "number"}, "walk": {"positions": "track[*]"}}, "field number: has no id"),
        ({"walk": {"positions": "track[*]", "frame": "ned"}}, "1 of 1 positions are no finite numbers"),
        ({"walk": {"actions": "track[*]"}}, "field track[*]: '[1, 2]' is no action"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_one_true_sentence(
    fields: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    path = write_json(tmp_path / "log.json", [{"id": "a", "said": TEXT, "track": [[1.0, 2.0]]}])
    whole = {"name": "m", "episodes": "[*]", "episode": {"id": "id"}, "figures": {"none": "none"}}
    with pytest.raises(InputError) as caught:
        read_log(mapping_of(whole | fields, "m"), path, None, None, Problems())
    assert sentence in str(caught.value)


def test_actions_that_nobody_named_are_said(tmp_path: Path) -> None:
    path = write_json(tmp_path / "log.json", [{"id": "a", "acts": ["go", "hop", "stop"]}])
    walk = {"actions": "acts[*]", "moved_m": {"go": 2.0}, "turned_deg": {"left": -90.0}}
    fields = {"name": "m", "episodes": "[*]", "episode": {"id": "id"}, "walk": walk}
    problems = Problems()
    (trace,) = read_log(mapping_of(fields, "m"), path, None, None, problems).values()
    assert [step.end_position for step in trace.steps] == [(0.0, 2.0, 0.0)] * 3
    assert "do not say what hop does" in str(problems.kept[0])
