"""A walk in pixels is drawn on the picture that its mapping names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from navviz.errors import InputError
from navviz.formats.mapping.model import mapping_of
from navviz.metrics.walked import walked_graph
from navviz.runs.opened import open_run
from navviz.views.player.document import replay_document

MAPPING = """
name = "pixels"
episodes = "[*]"

[episode]
id = "id"
world = "map"

[walk]
positions = "p[*]"
frame = "pixels"
metres_per_pixel = 0.05
picture = "plans/{world}.png"
"""


def _log(folder: Path, world: str = "flat") -> Path:
    log = folder / "log.json"
    entry = {"id": 1, "map": world, "p": [[40, 20], [80, 20], [80, 60]]}
    log.write_text(json.dumps([entry]), encoding="utf-8")
    log.with_name("log.json.navviz.toml").write_text(MAPPING, encoding="utf-8")
    (folder / "plans").mkdir()
    Image.new("RGB", (200, 100), "white").save(folder / "plans" / "flat.png")
    return log


def test_the_walk_lies_on_its_picture(tmp_path: Path) -> None:
    run = open_run(_log(tmp_path))
    trace = run.traces["1"]
    document = replay_document(trace, walked_graph(trace, run.graph_of("flat")))
    (floor,) = document["indoor"]["pictures"]
    # 200 x 100 pixels of 5 cm, from the top left corner: 10 m to the east, 5 m to the south
    assert floor["box_m"] == [0.0, -5.0, 10.0, 0.0]
    assert any("the walk lies on a picture" in note for note in document["notes"])
    places = [step.position for step in trace.steps]
    assert places[0] == pytest.approx((2.0, -1.0, 0.0))
    west, south, east, north = floor["box_m"]
    assert all(west < x < east and south < y < north for x, y, *_ in places)


@pytest.mark.parametrize("world", ["gone", "..", "../../etc/passwd"])
def test_a_picture_that_is_not_there_is_named(tmp_path: Path, world: str) -> None:
    run = open_run(_log(tmp_path, world))
    trace = run.traces["1"]
    graph = run.graph_of(trace.episode.world)
    assert not graph.info.floor_pictures
    assert graph.info.problems.count == 1
    assert ".png" in str(graph.info.problems.kept[0])


@pytest.mark.parametrize("name", ["../plan.png", "/plan.png", "plan*.png", "~/plan.png"])
def test_pictures_of_other_folders_are_refused(name: str) -> None:
    walk = {"positions": "p", "frame": "pixels", "metres_per_pixel": 1, "picture": name}
    with pytest.raises(InputError, match="picture"):
        mapping_of({"name": "m", "walk": walk}, "m.toml")
    with pytest.raises(InputError, match="frame pixels alone"):
        mapping_of({"name": "m", "walk": {"positions": "p", "picture": "a.png"}}, "m.toml")
