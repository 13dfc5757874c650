"""NavGen forward: scene dictionaries, tasks by rules, checks, and the expert's way."""

import random

import pytest

from navviz.errors import InputError
from navviz.formats import open_worlds
from navviz.systems.lhvln.logs.scenes import bare_scene
from navviz.systems.lhvln.navgen.backward import string_of
from navviz.systems.lhvln.navgen.checks import (
    Written,
    check_task,
    cut_end,
    portable,
    read_task,
    things_of,
)
from navviz.systems.lhvln.navgen.places import (
    DROPPED,
    MOST_OBJECTS,
    PlaceRegion,
    Places,
    Thing,
    mid_distance_regions,
    places_of,
    room_word,
    scene_dictionary,
    tags_at,
)
from navviz.systems.lhvln.navgen.tasks import episode_of_task, motions_of, write_task
from tests.paths import SAMPLES

HOUSE = Places(
    "house",
    {
        "1": PlaceRegion(
            "1",
            "Bedroom",
            things=(Thing("towel", ("a",)), Thing("bed", ("b",)), Thing("wall", ("a",))),
        ),
        "10": PlaceRegion(
            "10", "Kitchen", things=(Thing("kettle", ("c",)), Thing("table", ("d",)))
        ),
    },
)
GOOD = Written(
    "Take the kettle from the kitchen to the bed in the bedroom.",
    ("Move_to('kettle_10')", "Grab('kettle')", "Move_to('bed_1')", "Release('kettle')"),
)


@pytest.fixture(scope="module")
def house():
    return open_worlds(SAMPLES / "house")()


@pytest.fixture(scope="module")
def town():
    return open_worlds(SAMPLES / "harbour" / "osm" / "graph")()


def _failed(written: Written | None, *, required: bool = True) -> dict[str, str]:
    return {
        c.rule: c.detail
        for c in check_task(written, HOUSE)
        if not c.passed and c.required is required
    }


def test_a_good_task_keeps_every_rule():
    assert all(check.passed for check in check_task(GOOD, HOUSE))


@pytest.mark.parametrize(("subtasks", "rule", "detail"), [
    (("Move_to('kettle_99')",), "every region exists", "there is no region '99'"),
    (("Move_to('bed_10')",), "every object is in its region", "there is no 'bed' in Region 10: Kitchen"),
    (("Move_to('wall_1')",), "every object is in its region",
        "'wall' is none of the things that tasks are written about"),
    (("Open('kettle')",), "sub-tasks are Move_to, Grab or Release", "\"Open('kettle')\" is none of them"),
    (("Grab('kettle')",), "every region exists", "no sub-task moves"),
])  # fmt: skip
def test_what_navgen_rejects(subtasks, rule, detail):
    assert _failed(Written("Go.", subtasks))[rule] == detail


def test_region_ids_are_compared_exactly():
    """NavGen's own check finds ``1`` in ``Region 10``, and would accept a kettle in region 1."""
    assert _failed(Written("Go.", ("Move_to('kettle_1')",))) == {
        "every object is in its region": "there is no 'kettle' in Region 1: Bedroom"
    }


def test_words_and_replies_that_are_rejected():
    assert "it says 'region'" in _failed(Written("Go to Region 1.", GOOD.subtasks)).values()
    assert _failed(None) == {
        "can be read": "the reply is no dictionary with 'Task instruction' and 'Subtask list'"
    }
    assert read_task({"Task instruction": "x", "Subtask list": []}) is None
    assert read_task({"Task instruction": " x ", "Subtask list": ["Move_to('a_1')"]}) == Written(
        "x", ("Move_to('a_1')",)
    )


@pytest.mark.parametrize(("written", "detail"), [
    (Written("Grab it.", GOOD.subtasks), "it says 'grab'"),
    (Written("Go.", ("Move_to('bed_1')", "Grab('bed')")), "'bed' is not among the things that can be carried"
        ),
    (Written("Go.", ("Move_to('bed_1')", "Release('towel')")), "it puts down 'towel' without holding anything"
        ),
    (Written("Go.", ("Move_to('towel_1')", "Grab('towel')", "Grab('towel')")),
        "Grab 'towel' comes before any move"),
    (Written("Go.", ("Move_to('bed_1')",)), "there are 1"),
])  # fmt: skip
def test_rules_of_the_prompt_are_hints(written, detail):
    assert detail in _failed(written, required=False).values()
    assert _failed(written) == {}


def test_the_end_of_an_instruction_is_cut():
    assert [cut_end(text) for text in ("Go.", "Will you go?", "Go!")] == [
        "Go",
        "Will you go",
        "Go!",
    ]
    assert portable("tea towel")
    assert portable("books")
    assert not portable("wall")


def test_the_dictionary_drops_and_samples():
    many = tuple(Thing(f"thing {k}", ("a",)) for k in range(9))
    places = Places("w", {**HOUSE.regions, "3": PlaceRegion("3", "Hall", things=(*many, many[0]))})
    found = scene_dictionary(places, random.Random(3))
    assert found["Region 1: Bedroom"] == ["towel", "bed"]
    assert len(found["Region 3: Hall"]) == MOST_OBJECTS
    assert scene_dictionary(places, random.Random(3)) == found
    assert (
        len(scene_dictionary(places, random.Random(3), sample_objects=False)["Region 3: Hall"]) == 9
    )
    assert "wall" in DROPPED


def test_three_regions_at_middle_distances():
    middles = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (4.0, 0.0), "d": (10.0, 0.0)}
    # distances 1, 3, 4, 6, 9, 10: the fourth is c-d with 6 m; b is (3 + 9) / 2 = 6 m away in the
    # mean, a 7 m
    assert set(mid_distance_regions(middles)) == {"c", "d", "b"}
    assert mid_distance_regions({"a": (0.0,), "b": (1.0,)}) == ("a", "b")


@pytest.mark.parametrize("targets", [2, 3, 4])
def test_rules_write_tasks_that_navgen_accepts(house, town, targets):
    for graph in (house, town):
        places = places_of(graph)
        for seed in range(5):
            written = write_task(places, targets, random.Random(seed))
            assert write_task(places, targets, random.Random(seed)) == written
            assert [
                check
                for check in check_task(written, places)
                if check.required and not check.passed
            ] == []
            assert len(things_of(written, places)) == targets


def test_too_little_to_write_about_is_a_sentence():
    with pytest.raises(InputError, match="too few things for a task of 2 targets"):
        write_task(Places("empty", {"1": HOUSE.regions["1"]}), 2, random.Random(1))
    with pytest.raises(InputError, match="choose 2, 3 or 4"):
        write_task(HOUSE, 5, random.Random(1))


def test_a_task_becomes_an_episode_with_the_shortest_way(house):
    places = places_of(house)
    written = write_task(places, 3, random.Random(4))
    start = house.ids[0]
    episode = episode_of_task(written, places, house, start, author="rules", robot="spot")
    assert episode.reference_path[0] == start
    assert episode.goal == episode.reference_path[-1]
    assert len(episode.tasks) == 3
    assert sum(episode.extra["gt_step"]) == len(episode.reference_path) - 1
    assert episode.tasks[0].actions[0].startswith("Grab(")
    assert not episode.instruction.endswith(".")
    for task in episode.tasks:
        assert task.region in {region.label for region in places.regions.values()}
        assert all(goal in house for goal in task.goals)


def test_a_path_becomes_turns_of_30_degrees_and_steps_of_a_quarter_metre(house):
    a = house.ids[0]
    b = house.neighbours(a)[0]
    heading = house.heading_deg(a, b)
    motions = motions_of(house, [(a, b, a)], ["x"], heading - 61.0)
    ahead = "F" * round(house.distance_m(a, b) / 0.25)
    assert string_of(motions.actions) in {
        f"RR{ahead}{'R' * 6}{ahead}",
        f"RR{ahead}{'L' * 6}{ahead}",
    }
    assert set(motions.targets) == {"x"}
    assert motions.nodes[0] == b


def test_rooms_are_drawn_or_guessed(house):
    places = places_of(house)
    assert not any(region.guessed for region in places.regions.values())
    assert room_word("Scene of a large Living Room with a sofa") == "living room"
    assert room_word("nothing") is None
    assert "bench" in tags_at(house, house.ids[0])


def test_a_world_that_nobody_described_has_no_places(data_dir):
    graph = open_worlds(data_dir / "mp3d" / "connectivity")("QUCTc6BB5sX")
    assert places_of(graph).regions == {}
    assert places_of(bare_scene("hm3d:x")).walkable is False


def test_a_house_described_by_navgpt_has_guessed_rooms(data_dir, tmp_path):
    for name in ("observations_summarized", "observations_list_summarized", "objects_list"):
        (tmp_path / name).symlink_to(data_dir / "navgpt_text" / name)
    (tmp_path / "connectivity").symlink_to(data_dir / "mp3d" / "connectivity")
    graph = open_worlds(tmp_path)("QUCTc6BB5sX")
    places = places_of(graph)
    assert places.regions
    assert all(region.guessed for region in places.regions.values())
    written = write_task(places, 2, random.Random(1))
    episode = episode_of_task(written, places, graph, graph.ids[0], author="rules", robot="spot")
    assert episode.extra["rooms"] == "guessed"


def test_true_objects_come_with_the_viewpoints_that_see_them(data_dir, tmp_path):
    (tmp_path / "observations_summarized").symlink_to(
        data_dir / "navgpt_text" / "observations_summarized"
    )
    (tmp_path / "observations_list_summarized").symlink_to(
        data_dir / "navgpt_text" / "observations_list_summarized"
    )
    (tmp_path / "connectivity").symlink_to(data_dir / "mp3d_all" / "connectivity")
    (tmp_path / "BBox").symlink_to(data_dir / "reverie" / "BBox")
    graph = open_worlds(tmp_path)("1pXnuDYAj8r")
    seen = graph.info.visible_objects
    assert seen is not None
    places = places_of(graph)
    assert places.regions
    written = write_task(places, 3, random.Random(2))
    episode = episode_of_task(written, places, graph, graph.ids[0], author="rules", robot="stretch")
    for task in episode.tasks:
        for goal in task.goals:
            assert any(thing.name == task.target and thing.visible for thing in seen.at[goal])
