"""The bundled town: written by its generator, read without a problem, and described truly."""

from __future__ import annotations

import itertools
import json
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from navviz.formats import discover, open_episodes, open_graph
from navviz.records.trace_files import read_trace
from navviz.world.geometry import bearing_deg, great_circle_m, turn_deg
from navviz.world.graph import Graph, Poi
from tests.nights import by_day
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour"
BASELINES = ("action-sampling", "random-walker", "regex-heuristic")


@pytest.fixture(scope="module")
def graph():
    return open_graph(HARBOUR / "osm" / "graph")


@pytest.fixture(scope="module")
def episodes():
    return open_episodes(HARBOUR / "splits" / "sample.json").episodes


@pytest.fixture(scope="module")
def generator():
    sys.path.insert(0, str(SAMPLES / "build"))
    try:
        import make_harbour

        yield make_harbour
    finally:
        sys.path.remove(str(SAMPLES / "build"))


# --- the files


# the order of a set differs with either from that of any other seed
@pytest.mark.parametrize("hash_seed", by_day(["0", "4711"], ["4711"]))
def test_the_generator_writes_the_committed_files_byte_for_byte(tmp_path, hash_seed):
    subprocess.run(
        [sys.executable, str(SAMPLES / "build" / "make_harbour.py"), str(tmp_path)],
        check=True,
        capture_output=True,
        env={"PYTHONHASHSEED": hash_seed},
    )
    written = {
        path.relative_to(tmp_path): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert len(written) == 7
    assert written == {name: (HARBOUR / name).read_bytes() for name in written}


def test_everything_is_found_and_read_without_a_problem():
    found = discover(HARBOUR)
    assert [path.name for path in found.graphs] == ["graph"]
    assert HARBOUR / "splits" / "sample.json" in found.episodes
    episode_set = open_episodes(HARBOUR / "splits" / "sample.json")
    assert episode_set.problems.kept == []
    assert open_graph(found.graphs[0]).info.problems.kept == []


# --- the town


def test_a_backdrop_that_is_no_geojson_is_told_and_left_out(tmp_path):
    for name in ("nodes.txt", "links.txt", "pois.txt", "poi_links.txt"):
        (tmp_path / name).write_bytes((HARBOUR / "osm" / "graph" / name).read_bytes())
    for text in ("no json", "[]", '{"features": 3}'):
        (tmp_path / "backdrop.geojson").write_text(text, encoding="utf-8")
        graph = open_graph(tmp_path)
        assert graph.info.backdrop is None
        assert [problem.file for problem in graph.info.problems.kept] == ["backdrop.geojson"]


# --- the instructions


def test_routes_are_walkable_and_of_the_length_they_should(graph, episodes):
    assert len(episodes) == 14
    for episode in episodes.values():
        path = episode.reference_path
        assert all(graph.has_link(a, b) for a, b in itertools.pairwise(path)), episode.id
        assert len(set(path)) == len(path), episode.id
        assert 150 <= graph.path_length_m(path) <= 600, episode.id
        assert episode.start_heading_deg == dict(graph.links(path[0]))[path[1]], episode.id
    assert len({episode.start for episode in episodes.values()}) == 14


def test_turns_and_lights_on_the_way_are_those_that_are_claimed(graph, episodes, generator):
    for route in generator.ROUTES:
        path = episodes[str(route.id)].reference_path
        assert tuple(_turns(graph, path, _ring(generator, graph))) == route.turns, route.id
        assert sum(_is_light(graph, node) for node in path) == route.lights, route.id


def _ring(generator: ModuleType, graph: Graph) -> set[str]:
    """Nodes of the roundabout."""
    lat, lon = generator.degrees((254.0, 48.0))
    return set(graph.within((lat, lon), 23.0))


def _turns(graph: Graph, path: tuple[str, ...], ring: set[str]) -> Iterator[str]:
    """Turns of more than 40 degrees at intersections; a roundabout is one, from the street before
    to the one after.
    """
    i = 1
    while i < len(path) - 1:
        last = i
        while path[i] in ring and last < len(path) - 2 and path[last + 1] in ring:
            last += 1
        if graph.degree(path[i]) > 2:
            angle_deg = turn_deg(
                graph.heading_deg(path[i - 1], path[i]),
                graph.heading_deg(path[last], path[last + 1]),
            )
            if abs(angle_deg) > 40:
                yield "right" if angle_deg > 0 else "left"
        i = last + 1


def _is_light(graph: Graph, node: str) -> bool:
    return node in graph.pois and graph.pois[node].tags.get("highway") == "traffic_signals"


def test_landmarks_stand_by_the_route_on_the_side_that_is_claimed(graph, episodes, generator):
    for route in generator.ROUTES:
        path = episodes[str(route.id)].reference_path
        assert len(route.seen) >= 2
        walked = [_seen_from(graph, path, _poi(graph, seen.place)) for seen in route.seen]
        for seen, (_, distance_m, angle_deg) in zip(route.seen, walked, strict=True):
            assert distance_m <= 30, (route.id, seen.place)
            assert ("right" if angle_deg > 0 else "left") == seen.side, (route.id, seen.place)
            assert 20 < abs(angle_deg) < 160, (route.id, seen.place)


def test_landmarks_are_spoken_of_in_the_order_in_which_they_are_passed(graph, episodes, generator):
    for route in generator.ROUTES:
        said = [route.instruction.index(seen.words) for seen in route.seen]
        assert said == sorted(said), route.id
        path = episodes[str(route.id)].reference_path
        passed = [_seen_from(graph, path, _poi(graph, seen.place))[0] for seen in route.seen]
        assert all(b - a >= -2 for a, b in itertools.pairwise(passed)), (route.id, passed)


def test_the_goal_lies_where_the_instruction_stops(graph, episodes, generator):
    """The last landmark is the one to stop at; "just past" means within 30 m after it."""
    for route in generator.ROUTES:
        path = episodes[str(route.id)].reference_path
        _, distance_m, _ = _seen_from(graph, path[-4:], _poi(graph, route.seen[-1].place))
        assert distance_m <= 20, route.id


def test_sides_that_are_said_agree_with_those_that_are_claimed(generator):
    for route in generator.ROUTES:
        assert route.instruction == episodes_text()[str(route.id)]
        for seen in route.seen:
            assert seen.words in route.instruction
            said = re.findall(r"\b(left|right)\b", seen.words)
            assert not said or said[-1] == seen.side or "sharp right" in seen.words, (
                route.id,
                seen.words,
            )


def episodes_text() -> dict[str, str]:
    raw = json.loads((HARBOUR / "splits" / "sample.json").read_text(encoding="utf-8"))
    return {str(entry["instructions_id"]): entry["instructions"] for entry in raw}


def test_instructions_speak_of_what_people_speak_of(episodes):
    text = " ".join(episode.instruction for episode in episodes.values()).lower()
    for phrase in ("t-junction", "roundabout", "five", "lights", "side street", "corner", "just past", "opposite",
                   "in the middle of", "before", "bridge", "in front of"):  # fmt: skip
        assert phrase in text, phrase


def _poi(graph: Graph, name: str) -> Poi:
    (found,) = [poi for poi in graph.pois.values() if poi.tags.get("name") == name]
    return found


def _seen_from(graph: Graph, path: tuple[str, ...], poi: Poi) -> tuple[int, float, float]:
    """Where on the path one passes a POI: index, distance to its outline in metres, signed angle to
    its middle.
    """
    best = (0, math.inf, 0.0)
    for i, node in enumerate(path):
        for link in graph.poi_links(node):
            distance_m = float(great_circle_m(graph.position(node), link.position))
            if link.poi == poi.id and distance_m < best[1]:
                heading_deg = graph.heading_deg(
                    path[max(i - 1, 0)], path[min(i + 1, len(path) - 1)]
                )
                to_poi_deg = bearing_deg(graph.position(node), poi.position)  # type: ignore[arg-type]
                best = (i, distance_m, turn_deg(heading_deg, to_poi_deg))
    return best


# --- the recorded runs


@pytest.fixture(scope="module")
def newly_recorded(tmp_path_factory):
    """The baselines' runs as they are recorded today, which tests only read, and what was said of
    them.
    """
    folder = tmp_path_factory.mktemp("recorded")
    done = subprocess.run(
        [
            sys.executable,
            str(SAMPLES / "build" / "record_runs.py"),
            *BASELINES,
            "--out",
            str(folder),
        ],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONHASHSEED": "99"},
    )
    return folder, done.stdout


@pytest.mark.nightly
@pytest.mark.parametrize("name", BASELINES)
def test_recorded_runs_are_those_of_the_code(newly_recorded, name):
    folder, result = newly_recorded
    assert f"{name}: 14 episodes" in result
    recorded = {
        path.name: path.read_bytes() for path in (HARBOUR / "runs" / name).glob("*.trace.jsonl")
    }
    written = {path.name: path.read_bytes() for path in (folder / name).iterdir()}
    assert written.keys() == recorded.keys()
    stale = [key for key in written if written[key] != recorded[key]]
    assert not stale, (
        f"recorded by other code: run assets/samples/build/record_runs.py {name} and look at the difference"
    )


def test_all_runs_cover_all_episodes(episodes):
    folders = [
        path
        for path in (HARBOUR / "runs").iterdir()
        if path.is_dir() and path.name != "staged-rules"
    ]
    assert {path.name for path in folders} >= set(BASELINES)
    for folder in folders:
        traces = [read_trace(path) for path in folder.glob("*.trace.jsonl")]
        walked = {trace.episode.id for trace in traces}
        assert (
            walked == set(episodes)
            if not folder.name.endswith("-by-hand")
            else walked < set(episodes)
        )
        assert all(trace.end is not None for trace in traces)


@pytest.mark.parametrize(
    ("world", "runs"), [("harbour", ["staged-rules"]), ("house", ["staged-rules-indoors"])]
)
def test_each_world_has_five_tasks_of_several_parts_walked_by_parts(world, runs):
    (tasks,) = (SAMPLES / world / "tasks").glob("*.jsonl")
    found = open_episodes(tasks).episodes
    assert len(found) == 5
    assert {len(episode.tasks) for episode in found.values()} >= {2, 3}
    for run in runs:
        traces = [
            read_trace(path) for path in (SAMPLES / world / "runs" / run).glob("*.trace.jsonl")
        ]
        assert {trace.episode.id for trace in traces} == set(found)
        assert all(trace.episode == found[trace.episode.id] for trace in traces)


@pytest.mark.nightly
def test_the_tasks_and_the_scripted_run_are_those_of_the_code(tmp_path):
    script = SAMPLES / "build" / "make_tasks.py"
    command = f"import runpy; from pathlib import Path; runpy.run_path({str(script)!r})['main'](Path({str(tmp_path)!r}))"
    subprocess.run(
        [sys.executable, "-c", command],
        check=True,
        capture_output=True,
        env={"PYTHONHASHSEED": "7"},
    )
    for part in ("house/tasks", "harbour/tasks", "house/runs/mgdm-scripted"):
        recorded = {path.name: path.read_bytes() for path in (SAMPLES / part).iterdir()}
        written = {path.name: path.read_bytes() for path in (tmp_path / part).iterdir()}
        assert written == recorded, (
            f"{part} is of other code: run assets/samples/build/make_tasks.py and look at it"
        )
