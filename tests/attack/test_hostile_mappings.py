"""Mappings of strangers do no harm: they lead nowhere else, and never run for long."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from navviz.errors import InputError, Problems
from navviz.formats.mapping import entries, tables, values, walks
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.model import as_toml, mapping_of, read_mapping, sidecar_of
from navviz.formats.mapping.printed import printed_document
from navviz.formats.mapping.structure import files_of
from navviz.records import Trace
from navviz.runs.opened import open_run
from navviz.runs.unknown_logs import ground_of
from navviz.views.player.document import replay_document
from navviz.views.player.html import document_page
from navviz.world.graph import Graph


@pytest.mark.parametrize(
    "files", ["../*.json", "/etc/*", "a/../../b", "~/x", "C:/x", "**/*", "*/*/*/*/*/*/*", "[a-z]*"]
)
def test_files_outside_of_the_folder_are_refused(files: str) -> None:
    for fields in ({"files": files}, {"join": {"files": files, "episode": {"id": "a"}}}):
        with pytest.raises(InputError, match="files"):
            mapping_of({"name": "m"} | fields, "m.toml")


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text("{}", encoding="utf-8")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.json").symlink_to(secret)
    (folder / "b.json").write_text("{}", encoding="utf-8")
    assert [file.name for file in files_of(folder, "*.json")] == ["b.json"]


@pytest.mark.parametrize("path", ["a." * 200 + "b", "[*]" * 90, "__class__[", "a[(.*)+]"])
def test_paths_that_are_none_are_refused(path: str) -> None:
    with pytest.raises(InputError):
        mapping_of({"name": "m", "episode": {"id": path}}, "m.toml")


def test_paths_reach_data_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps([{"id": "a", "p": [[0, 0, 0], [1, 0, 0]]}]), encoding="utf-8")
    fields = {"id": "id", "instruction": "__class__.__mro__", "world": "__dict__"}
    mapping = mapping_of(
        {"name": "m", "episodes": "[*]", "episode": fields, "walk": {"positions": "p"}}, "m.toml"
    )
    episode = read_log(mapping, path, None, None, Problems())["a"].episode
    assert (episode.instruction, episode.world) == ("", "")


@pytest.mark.parametrize(
    "text", ["name = ", "\x00", "a = " + "[" * 5000, 'name = "m"\nevil = 1', "x" * 200_000]
)
def test_damaged_mappings_are_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.json"
    path.write_text("[]", encoding="utf-8")
    sidecar_of(path).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"log\.json\.navviz\.toml"):
        read_mapping(sidecar_of(path))
    with pytest.raises(InputError, match=r"log\.json\.navviz\.toml"):
        open_run(path)


HOSTILE = "</script><img src=x onerror=alert(1)>"
LISTED = {"name": "m", "episodes": "[*]", "episode": {"id": "id", "instruction": "said"}}


def _read(
    folder: Path, fields: dict[str, Any], entries_: object
) -> tuple[dict[str, Trace], Problems]:
    path = folder / "log.json"
    path.write_text(json.dumps(entries_), encoding="utf-8")
    problems = Problems()
    return read_log(mapping_of(LISTED | fields, "m.toml"), path, None, None, problems), problems


@pytest.mark.parametrize(
    "means",
    [
        {"file": "../secret.json"},
        {"file": "{stem}", "replace": ["log", "../secret"]},
        {"file": "{stem}", "replace": ["log", "/etc/passwd"]},
        {"file": "{stem}", "replace": ["log", "..\\secret"]},
    ],
)
def test_means_and_parts_lie_beside_the_log(means: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="means"):
        mapping_of(LISTED | {"means": means}, "m.toml")
    with pytest.raises(InputError, match="parts"):
        mapping_of(LISTED | {"parts": "../{stem}_{part}_{count}"}, "m.toml")


@pytest.mark.parametrize("rest", ["", ".", ".."])
def test_a_name_of_means_may_come_to_nothing(tmp_path: Path, rest: str) -> None:
    fields = {"figures": {"ok": "ok"}, "means": {"file": "{stem}", "replace": ["log", rest]}}
    traces, _ = _read(tmp_path, fields, [{"id": 1, "ok": 1}])
    assert list(traces) == ["1"]


def test_joined_files_outside_of_the_folder_are_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps([{"id": 1, "said": "the secret"}]), encoding="utf-8")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "texts.json").symlink_to(secret)
    join = {"files": "texts.json", "episode": {"id": "id", "instruction": "said"}}
    traces, problems = _read(folder, {"figures": {"ok": "ok"}, "join": join}, [{"id": 1, "ok": 1}])
    assert "secret" not in traces["1"].episode.instruction
    assert "is not beside it" in str(problems.kept[0])


@pytest.mark.parametrize("text", ["(a+)+$", "(.*)*", "(x|x)*y", "a{1,9}{1,9}", ".*" * 40])
def test_patterns_are_plain_texts(tmp_path: Path, text: str) -> None:
    """Nothing in a mapping is a regular expression: a path is a key, a head of a log is a text."""
    walk = {"positions": "p[*]"}
    try:
        fields = LISTED | {"episode": {"id": text}, "walk": walk}
        mapping = mapping_of(fields, "m.toml")
    except InputError:
        pass  # no path
    else:
        (tmp_path / "a.json").write_text(json.dumps([{"id": 1, "p": [[0, 0, 0]]}]))
        with pytest.raises(InputError, match="has no id"):
            read_log(mapping, tmp_path / "a.json", None, None, Problems())
    printed = {"format": "printed", "printed": {"episode": f"{text}{{}}"}}
    fields_of_heads = mapping_of(LISTED | {"episodes": ""} | printed, "m.toml").printed
    assert fields_of_heads is not None
    assert printed_document(["a" * 5000 + "!"], fields_of_heads) == []
    assert printed_document([f"{text}7"], fields_of_heads) == [{"id": "7", "steps": []}]


def test_a_printed_log_is_read_in_one_pass() -> None:
    """Pieces are joined once; steps are found by number: many of each would else take hours."""
    heads = {"episode": "Episode {}", "step": "Step {}", "step_parts": {"steps": "Thought: {}"}}
    fields = mapping_of({"name": "m", "format": "printed", "printed": heads}, "m.toml").printed
    assert fields is not None
    count = 40_000
    steps = [f"Step {k}\n" for k in range(count)]
    thoughts = [f"Thought: {k}\n" for k in range(count)]
    (episode,) = printed_document(["Episode 1\n", *steps, *thoughts], fields)
    assert len(episode["steps"]) == count
    assert len(episode["steps"][-1]["steps"].split("\n\n")) == count
    (again,) = printed_document(["Episode 1\n", "Step 1\n", "Step 2\n", "Step 1\n"], fields)
    assert again["steps"] == [{"number": "1"}]


def test_rows_and_places_have_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_EPISODES", 10)
    monkeypatch.setattr(walks, "MOST_PLACES", 20)
    short, long = [[0, 0, k] for k in range(20)], [[0, 0, k] for k in range(21)]
    rows = [{"id": k, "p": short if k else long} for k in range(30)]
    traces, problems = _read(tmp_path, {"walk": {"positions": "p[*]"}}, rows)
    assert list(traces) == [str(k) for k in range(1, 10)]
    texts = " ".join(map(str, problems.kept))
    assert "more than 10 entries; the first ones are shown; cut the file up" in texts
    # rows of a table past the bound never become objects
    made: list[int] = []
    rows_of = tables.RowTable.rows
    monkeypatch.setattr(entries, "_BATCH", 5)
    monkeypatch.setattr(
        tables.RowTable, "rows", lambda table, *part: made.append(part[0]) or rows_of(table, *part)
    )
    path = tmp_path / "figures.csv"
    path.write_text("id,success\n" + "".join(f"{k},{k % 2}\n" for k in range(300)))
    mapping = mapping_of(
        {"name": "m", "format": "csv", "episode": {"id": "id"}, "figures": {"success": "success"}},
        "m",
    )
    bounded = Problems()
    assert len(read_log(mapping, path, None, None, bounded)) == 10
    assert (bounded.count, made) == (1, [0, 5, 10])
    assert "episode 0, field p[*]: the walk has 21 places, and at most 20 are read" in texts
    for field in ("nodes", "forwards"):
        rows = [{"id": 0, "p": [f"n{k}" for k in range(21)]}]
        with pytest.raises(InputError, match="21 places"):
            _read(tmp_path, {"walk": {field: "p[*]"}}, rows)


@pytest.mark.parametrize("value", [1e308, -1e308, 1e155])
def test_numbers_without_measure_are_left_out(tmp_path: Path, value: float) -> None:
    entry = {"id": 1, "p": [[0, 0, 0], [value, 0, 1]], "f": [value, 1], "t": [value, 1], "ok": 1}
    for walk in (
        {"positions": "p[*]"},
        {"positions": "p[*]", "frame": "latlon"},
        {"positions": "p[*]", "frame": "pixels", "metres_per_pixel": 1e6},
        {"forwards": "f[*]", "forward_step_m": 1e-6},
    ):
        with pytest.raises(InputError, match=r"1e9 m|longer than 1e"):
            _read(tmp_path, {"walk": walk}, [entry])
    turned = {"forwards": "p[*][1]", "turns": "t[*]", "heading_unit": "radians"}
    for number in (float("inf"), float("nan"), 0, -1):
        for field in ("metres_per_pixel", "forward_step_m"):
            with pytest.raises(InputError, match=field):
                mapping_of(LISTED | {"walk": {field: number}}, "m.toml")
    traces, _ = _read(tmp_path, {"walk": turned}, [entry])
    assert all(math.isfinite(step.heading_deg or 0.0) for step in traces["1"].steps)


def test_pictures_outside_of_the_log_are_not_shown(tmp_path: Path) -> None:
    """A log names any file it likes, and only those of its own folder are looked up."""
    secret = tmp_path / "secret.png"
    Image.new("RGB", (2, 2)).save(secret)
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "link.png").symlink_to(secret)
    names = ["../secret.png", str(secret), "link.png", "x/../../secret.png", "file://secret.png"]
    walk = {"positions": "p[*]", "pictures": "seen[*]"}
    entry = {"id": "../..", "p": [[0, 0, k] for k in range(5)], "seen": names}
    path = folder / "log.json"
    path.write_text(json.dumps([entry]), encoding="utf-8")
    for inner in ("", "{id}", "a/{id}"):
        fields = LISTED | {"walk": walk | {"picture_folder": inner}}
        sidecar_of(path).write_text(as_toml(mapping_of(fields, "m.toml")), encoding="utf-8")
        run = open_run(path)
        pictures = run.pictures("../..")
        for number, step in enumerate(run.traces["../.."].steps):
            for seen in pictures.of_step(step, number):
                assert not any(seen.files)
    for outside in ("..", "/etc", "a/../..", "~", "C:/x", "*", "a/b/c/d/e/f/g"):
        with pytest.raises(InputError, match="picture_folder"):
            mapping_of(LISTED | {"walk": {"picture_folder": outside}}, "m.toml")


def test_texts_in_the_place_of_pictures_stay_small(tmp_path: Path) -> None:
    entry = {"id": 1, "p": [[0, 0, 0], [0, 0, 1]], "seen": ["x" * 500, ["a.png"] * 1000]}
    walk = {"positions": "p[*]", "pictures": "seen[*]"}
    traces, _ = _read(tmp_path, {"walk": walk}, [entry])
    assert [len(step.views) for step in traces["1"].steps] == [0, values.MOST_PICTURES]


def _no_map(world: str) -> Graph:
    raise InputError("no map of it is open", file=world)


def test_names_and_texts_are_escaped(tmp_path: Path) -> None:
    entry = {"id": HOSTILE, "said": HOSTILE, "p": [[0, 0, 0], [0, 0, 1]], "t": [HOSTILE] * 2}
    fields = LISTED | {
        "name": HOSTILE,
        "dataset": HOSTILE,
        "walk": {"positions": "p[*]", "thoughts": "t[*]", "pose_source": HOSTILE},
        "figures": {HOSTILE: "id", "ok": "p[0][0]"},
    }
    path = tmp_path / "log.json"
    path.write_text(json.dumps([entry]), encoding="utf-8")
    sidecar_of(path).write_text(as_toml(mapping_of(fields, "m.toml")), encoding="utf-8")
    run = open_run(path)
    trace = run.traces[HOSTILE]
    page = document_page(replay_document(trace, ground_of(trace, _no_map)))
    for html in (page, run._repr_html_()):
        assert "<img" not in html
