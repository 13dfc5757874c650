"""NavGPT's observation files, and the sample house that comes with them."""

from __future__ import annotations

import bz2
import gzip
import json
import math
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import Problems
from navviz.formats import discover, open_episodes, open_graph, open_results
from navviz.formats.houses import objects_of, read_observations
from navviz.formats.r2r import check_episode
from navviz.metrics.score import score_run
from navviz.world.floors import find_floors
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations, NearObject
from tests.paths import SAMPLES
from tests.zygote import forked

HOUSE = SAMPLES / "house"


def test_the_sample_house_has_two_floors_and_about_forty_viewpoints(house: Graph) -> None:
    floors = find_floors(house)
    assert floors.names == ("Ground floor", "Upper floor")
    assert floors.levels_m == (0.0, 3.0)
    assert 38 <= len(house) <= 46
    assert len(house.info.excluded) == 1
    assert floors.links_between(house)
    assert house.info.problems.count == 0
    assert all(len(node) == 32 for node in house.ids)


def test_every_viewpoint_of_the_house_is_described(house: Graph) -> None:
    seen: HouseObservations = house.info.observations
    assert set(seen.scenes) == set(seen.summaries) == set(seen.objects) == set(house.ids)
    assert all(len(scene) == 8 and all(scene) for scene in seen.scenes.values())
    for node in house.ids:
        for k, sector in enumerate(seen.objects[node]):
            assert all(int((thing.heading_deg + 22.5) // 45) % 8 == k for thing in sector)
            assert all(thing.distance_m <= 3.0 for thing in sector)


def test_the_ten_instructions_lie_in_the_house(house: Graph) -> None:
    found = open_episodes(HOUSE / "R2R_sample.json")
    assert len(found) == 10
    assert found.problems.count == 0
    assert len({episode.instruction for episode in found.episodes.values()}) == 10
    crossing = 0
    for episode in found.episodes.values():
        assert check_episode(episode, house) == []
        assert house.path_length_m(episode.reference_path) == pytest.approx(
            episode.extra["distance"], abs=0.01
        )
        floors = find_floors(house).of
        crossing += floors[episode.start] != floors[episode.goal]
    assert crossing >= 3


def test_objects_seen_from_several_viewpoints_are_one(house: Graph) -> None:
    names = [poi.name for poi in house.pois.values()]
    assert names.count("green sofa") == 1
    assert names.count("chair") == 2
    sofa = next(poi for poi in house.pois.values() if poi.name == "green sofa")
    assert sofa.position[:2] == pytest.approx((2.4, 0.6), abs=0.01)


def test_the_house_is_found_with_its_graph_and_episodes() -> None:
    found = discover(HOUSE)
    assert found.graphs == (HOUSE / "connectivity",)
    assert found.episodes[0] == HOUSE / "R2R_sample.json", (
        "the recorded runs hold their episodes too"
    )


def test_the_generator_writes_the_same_house(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(SAMPLES / 'build')!r}); import make_house, pathlib;"
        f"make_house.FOLDER = pathlib.Path({str(tmp_path)!r}); make_house.main()"
    )
    forked([sys.executable, "-c", code]).check_returncode()
    for path in tmp_path.rglob("*.json"):
        assert path.read_text() == (HOUSE / path.relative_to(tmp_path)).read_text()
    assert len(list(tmp_path.rglob("*.json"))) == 6


def write(folder: Path, name: str, content: object) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


def test_both_names_of_the_summaries_are_read_and_what_is_missing_is_absent(tmp_path: Path) -> None:
    write(tmp_path, "observations_summarized/X.json", {"a": "hall "})
    write(tmp_path, "observations_list_summarized/X.json", {"a": ["one"] * 8, "b": ["too", "few"]})
    seen = read_observations(tmp_path / "connectivity", "X", Problems())
    assert seen.summaries == {"a": "hall"}
    assert set(seen.scenes) == {"a"}
    assert seen.objects == {}
    assert not read_observations(tmp_path, "Y", Problems())


def test_a_damaged_file_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, "objects_list/X.json", "{broken")
    write(tmp_path, "observations_list_summarized/X.json", {"a": ["one"] * 8})
    problems = Problems()
    assert read_observations(tmp_path, "X", problems).scenes
    assert "objects_list/X.json: is no JSON object" in str(problems.kept[0])


def test_an_object_stands_where_heading_and_distance_point(house: Graph) -> None:
    node = house.ids[0]
    sectors = tuple((NearObject("cat_2", 90.0, 2.0),) if k == 2 else () for k in range(8))
    (poi,) = objects_of(house, HouseObservations("X", objects={node: sectors})).values()
    x, y, _ = house.position(node)
    assert poi.name == "cat"
    assert math.dist(poi.position[:2], (x + 2.0, y)) < 1e-9


@pytest.mark.parametrize(("run", "count", "success"), [
    ("shortest-path-oracle", 10, 1.0), ("random-walker-indoors", 10, 0.1),
    ("rules-indoors", 10, 0.3), ("rules-indoors-map", 10, 0.4), ("navgpt-by-hand", 3, 1.0),
])  # fmt: skip
def test_the_recorded_runs_open_and_score(
    house: Graph, run: str, count: int, success: float
) -> None:
    (found,) = open_results(HOUSE / "runs" / run, house)
    score = score_run(found, house)
    assert found.problems.count == 0
    assert len(found) == count
    assert score.means["SR"] == pytest.approx(success)


def _copied(folder: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    """Copy the house's graph and objects; return the folder of the graph."""
    shutil.copytree(HOUSE / "connectivity", folder / "connectivity")
    (path,) = (HOUSE / "objects_list").iterdir()
    write(folder / "objects_list", path.name, change(json.loads(path.read_text())))
    return folder / "connectivity"


def _reordered(value: Any, order: random.Random) -> Any:
    if isinstance(value, list):
        return [_reordered(item, order) for item in value]
    if not isinstance(value, dict):
        return value
    keys = list(value)
    order.shuffle(keys)
    return {key: _reordered(value[key], order) for key in keys}


@pytest.mark.parametrize("seed", range(4))
def test_objects_do_not_depend_on_the_order_of_keys(
    house: Graph, tmp_path: Path, seed: int
) -> None:
    mixed = open_graph(_copied(tmp_path, lambda raw: _reordered(raw, random.Random(seed))))
    assert dict(mixed.pois) == dict(house.pois)
    assert list(mixed.pois) == list(house.pois)


@pytest.mark.parametrize("wrong", [7, None, "chairs", [], [{}] * 9, {"chair": 1}])
def test_a_viewpoint_of_a_wrong_type_is_named_and_the_others_stay(
    house: Graph, tmp_path: Path, wrong: object
) -> None:
    first = house.ids[0]
    graph = open_graph(_copied(tmp_path, lambda raw: {**raw, first: wrong}))
    problems = graph.info.problems
    assert f"viewpoint {first} holds no objects" in str(problems.kept[0])
    assert sum(problems.skipped.values()) == 1
    assert graph.info.observations.objects.keys() == set(house.ids) - {first}


@pytest.mark.parametrize("wrong", [7, {"chair": 7}, {"chair": {"heading": "north", "distance": 1}}])
def test_an_object_of_a_wrong_type_is_named_and_the_others_stay(
    house: Graph, tmp_path: Path, wrong: object
) -> None:
    node = next(node for node in house.ids if house.info.observations.objects[node][3])
    before = house.info.observations.objects[node]

    def changed(raw: dict[str, Any]) -> dict[str, Any]:
        sector = {**raw[node][3], **wrong} if isinstance(wrong, dict) else wrong
        return {**raw, node: [*raw[node][:3], sector, *raw[node][4:]]}

    graph = open_graph(_copied(tmp_path, changed))
    said = [str(problem) for problem in graph.info.problems.kept]
    assert [part for part in said if f"viewpoint {node}: 1 of its objects" in part]
    after = graph.info.observations.objects[node]
    assert after[:3] + after[4:] == before[:3] + before[4:]
    if isinstance(wrong, dict):
        assert set(before[3]) <= set(after[3]) | {
            thing for thing in before[3] if thing.name == "chair"
        }


@pytest.mark.parametrize("suffix", [".gz", ".bz2"])
def test_all_files_of_a_house_may_be_packed(house: Graph, tmp_path: Path, suffix: str) -> None:
    pack = {".gz": gzip.compress, ".bz2": bz2.compress}[suffix]
    for path in HOUSE.rglob("*.json"):
        place = tmp_path / path.relative_to(HOUSE)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.with_name(place.name + suffix).write_bytes(pack(path.read_bytes()))
    packed = open_graph(tmp_path / "connectivity")
    assert dict(packed.pois) == dict(house.pois)
    assert packed.info.observations == house.info.observations
    assert packed.info.rooms == house.info.rooms
    assert packed.info.problems.count == 0
    assert discover(tmp_path).graphs == (tmp_path / "connectivity",)
