"""NavGPT's observation files, and the sample house that comes with them."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from navviz.errors import Problems
from navviz.formats import discover, open_episodes, open_results
from navviz.formats.house_observations import objects_of, read_observations
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


@pytest.mark.parametrize(
    ("run", "count", "success"),
    [
        ("shortest-path-oracle", 10, 1.0),
        ("random-walker-indoors", 10, 0.1),
        ("rules-indoors", 10, 0.3),
        ("rules-indoors-map", 10, 0.4),
        ("navgpt-by-hand", 3, 1.0),
    ],
)
def test_the_recorded_runs_open_and_score(
    house: Graph, run: str, count: int, success: float
) -> None:
    (found,) = open_results(HOUSE / "runs" / run, house)
    score = score_run(found, house)
    assert found.problems.count == 0
    assert len(found) == count
    assert score.means["SR"] == pytest.approx(success)
