"""Damaged files of every format: each is read, or refused in one sentence; nothing else happens.

Seeded, so that a case that fails once fails again: ``case(N)`` makes it.
"""

from __future__ import annotations

import json
import logging
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from navviz.annotation.extractions import read_extractions_text
from navviz.annotation.groke_ratings import read_groke_ratings
from navviz.annotation.label_studio import parse
from navviz.annotation.taxonomy import read_taxonomy
from navviz.errors import SENTENCE, InputError, Problems
from navviz.formats import discover, open_episodes, open_graph, open_results
from navviz.installation.files import samples_dir
from navviz.llm.prices import load_prices
from navviz.llm.scripted import Scripted
from tests.formats.lhvln.easi_run import write_run
from tests.grids import grid, split_item, state_item, straight, write_grid, write_json, write_lines

PATH = straight()
_VALUES = (
    None, True, -1, 10**400, 1e308, float("nan"), float("inf"), "", "9" * 400, "\ud83d", "<b>", "=1+1", "x" * 5000, [], {},
    [[]], {"a": {}}, [None], 0, -0.0, [1e999] * 3,
)  # fmt: skip
_SCRAPS = (b"\x00", b"\xff", b"NaN", b"-Infinity", b"1e999", b"\\ud83d", b"[" * 5000, b"9" * 5000, b'"', b"{", b"]", b"\r", b",")  # fmt: skip
Document = object


def _seeds(folder: Path) -> list[tuple[Path, Path]]:
    """Write a small file or folder of each format; ``(what is opened, file that is damaged)`` of each."""
    house, harbour = samples_dir() / "house", samples_dir() / "harbour"
    write_grid(folder / "town")
    write_json(folder / "split.json", [split_item(PATH, 1), split_item(PATH, 2)])
    states = {"5": state_item(PATH, ["r0c0", None, "r0c2", "r0c4"])}
    write_json(folder / "states.json", states)
    pano = {"id": 1, "route_panoids": list(PATH), "navigation_text": "Go.", "start_heading": 1}
    write_lines(folder / "pano.jsonl", [json.dumps(pano)] * 2)
    walk = {"instr_id": "1_0", "trajectory": [["a", 1.5, 0.0], ["b", 0.1, 0.0]]}
    write_json(folder / "submit.json", [walk, walk])
    ways = '<way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="footway"/></way>'
    nodes = '<node id="1" lat="48.0" lon="11.0"/><node id="2" lat="48.001" lon="11.0"/>'
    (folder / "town.osm").write_text(f"<osm>{nodes}{ways}</osm>")
    (folder / "easi").mkdir()
    write_run(folder / "easi")
    shutil.copytree(house / "connectivity", folder / "connectivity")
    for kind in ("objects_list", "observations_list_summarized", "observations_summarized", "rooms"):
        shutil.copytree(house / kind, folder / kind)
    shutil.copy(house / "R2R_sample.json", folder)
    runs = [next(run.glob("*.*")) for root in (house, harbour) for run in sorted((root / "runs").iterdir())]
    for k, path in enumerate(runs):
        (folder / f"run{k}").mkdir()
        if path.stat().st_size < 200_000:
            shutil.copy(path, folder / f"run{k}")
    shutil.copytree(harbour / "tasks", folder / "tasks")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [(_opened(path, folder), path) for path in files]


def _opened(path: Path, folder: Path) -> Path:
    parts = path.relative_to(folder).parts
    rooms = {"objects_list", "observations_list_summarized", "observations_summarized", "rooms"}
    return folder / "connectivity" if parts[0] in rooms else folder / parts[0]


def _damaged(raw: bytes, dice: random.Random) -> bytes:
    kind = dice.randrange(5)
    at = dice.randrange(len(raw)) if raw else 0
    if kind == 0:
        return raw[:at]
    if kind == 1:
        return raw[:at] + dice.choice(_SCRAPS) + raw[at:]
    if kind == 2:
        return raw[:at] + raw[min(len(raw), at + dice.randrange(1, 200)) :]
    if kind == 3 and raw:
        return raw[:at] + bytes([dice.randrange(256)]) + raw[at + 1 :]
    return _changed_json(raw, dice)


def _changed_json(raw: bytes, dice: random.Random) -> bytes:
    """Put a value of another type somewhere into the JSON of a file, or into one of its lines."""
    text = raw.decode(errors="replace")
    try:
        return json.dumps(_changed(json.loads(text), dice)).encode()
    except ValueError:
        lines = text.split("\n")
    at = dice.randrange(len(lines))
    try:
        lines[at] = json.dumps(_changed(json.loads(lines[at]), dice))
    except ValueError:
        parts = lines[at].split(",")
        parts[dice.randrange(len(parts))] = str(dice.choice(("", "nan", "1e999", "-1", "9" * 400)))
        lines[at] = ",".join(parts)
    return "\n".join(lines).encode(errors="surrogatepass")


def _changed(value: Document, dice: random.Random) -> Document:
    if isinstance(value, dict) and value and dice.random() < 0.9:
        key = dice.choice(list(value))
        return {**value, key: _changed(value[key], dice)}
    if isinstance(value, list) and value and dice.random() < 0.9:
        at = dice.randrange(len(value))
        return [*value[:at], _changed(value[at], dice), *value[at + 1 :]]
    return dice.choice(_VALUES)


def _readers(opened: Path, damaged: Path) -> dict[str, Callable[[], object]]:
    text = damaged.read_bytes().decode(errors="replace")
    return {
        "graph": lambda: open_graph(opened),
        "episodes": lambda: [each.model_dump_json() for each in open_episodes(opened).episodes.values()],
        "results": lambda: [t.model_dump_json() for run in open_results(opened, GRID) for t in run.traces.values()],
        "discover": lambda: discover(damaged.parent),
        "prices": lambda: load_prices(damaged),
        "script": lambda: Scripted.from_file(damaged),
        "taxonomy": lambda: read_taxonomy(damaged),
        "ratings": lambda: read_groke_ratings(text, damaged.name),
        "tasks": lambda: parse(text, damaged.name),
        "extractions": lambda: read_extractions_text(text, damaged.name, Problems()),
    }


GRID = grid()


def _said(read: Callable[[], object], case: str) -> str:
    try:
        read()
    except InputError as error:
        return str(error)
    except Exception as error:
        raise AssertionError(case) from error
    return ""


def _check(folder: Path, seeds: list[tuple[Path, Path]], number: int) -> None:
    dice = random.Random(number)
    opened, path = seeds[number % len(seeds)]
    raw = path.read_bytes()
    try:
        path.write_bytes(_damaged(raw, dice))
        for name, read in _readers(opened, path).items():
            said = _said(read, f"case {number}: {path.relative_to(folder)} as {name}")
            assert len(said) <= SENTENCE, (number, name, path)
    finally:
        path.write_bytes(raw)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def seeds(folder: Path) -> list[tuple[Path, Path]]:
    return _seeds(folder)


def test_the_files_that_are_damaged_are_read_while_they_are_whole(seeds: list[tuple[Path, Path]]) -> None:
    readable = set()
    for opened, path in seeds:
        for name, read in list(_readers(opened, path).items())[:3]:
            try:
                read()
            except InputError:
                continue
            readable.add((name, opened.name))
    assert {name for name, _ in readable} == {"graph", "episodes", "results"}
    assert len(readable) >= 12


@pytest.mark.parametrize("part", [0, *(pytest.param(k, marks=pytest.mark.nightly) for k in range(1, 50))])
def test_a_damaged_file_is_read_or_refused_in_one_sentence(
    folder: Path, seeds: list[tuple[Path, Path]], part: int, caplog: pytest.LogCaptureFixture
) -> None:
    """400 cases; 20,000 at night."""
    with caplog.at_level(logging.CRITICAL):
        for number in range(400 * part, 400 * (part + 1)):
            _check(folder, seeds, number)
