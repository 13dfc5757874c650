"""Pictures along a walk: guessed by their names, found beside the log, shown at their steps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import save_mapping
from navviz.runs.opened import open_run

PLACES = [[0.0, 0.5, -1.0], [0.0, 0.5, -2.0], [1.0, 0.5, -2.0]]


def _picture(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (4, 3), "teal").save(path)
    return path


def _log(folder: Path, names: list[object], field: str = "rgb") -> Path:
    steps = [{"pos": place, field: name} for place, name in zip(PLACES, names, strict=True)]
    path = folder / "log.json"
    path.write_text(json.dumps([{"id": "ep 7", "steps": steps}]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("names", "files", "folder"),
    [
        (["frames/0.png", "frames/1.png", "frames/2.png"], "frames", ""),
        (["/home/me/out/frames/0.png", "/home/me/out/frames/1.png", None], "frames", ""),
        (["0.png", "1.png", "2.png"], "seen/ep 7", "seen/{id}"),
        (["C:\\out\\0.png", "C:\\out\\1.png", "C:\\out\\2.png"], "shots", "shots"),
        (["rgb/0.png", "rgb/1.png", "rgb/2.png"], "x/ep 7/rgb", "x/{id}"),
    ],
)
def test_pictures_of_a_log_are_found_beside_it(
    names: list[object], files: str, folder: str, tmp_path: Path
) -> None:
    there = [_picture(tmp_path / files / f"{k}.png") for k in range(3)]
    path = _log(tmp_path, names)
    mapping = guess(path)
    assert (mapping.walk.pictures, mapping.walk.picture_folder) == ("steps[*].rgb", folder)
    save_mapping(mapping, path)
    run = open_run(path)
    walk = run.pictures("ep 7")
    steps = run.traces["ep 7"].steps
    for number, step in enumerate(steps[:2]):
        (seen,) = walk.of_step(step, number)
        assert [file.path for file in seen.files if file is not None] == [there[number]]


def test_texts_that_are_no_files_are_no_pictures(tmp_path: Path) -> None:
    assert guess(_log(tmp_path, ["a door", "b.png is open", "x"])).walk.pictures == ""
