"""What the atlas gathers of a run's walks, and the marks that a click on it tells."""

from dataclasses import replace

import navviz
from navviz.runs.walks import map_walk
from navviz.support.installation.files import samples_dir
from navviz.views.figures.atlas_walk import has_mark, mark_words
from tests.grids import episode, grid, route, trace

GRAPH = grid(9)
PATH = route(GRAPH, "r0c0", "r0c4", "r4c4")


def gather(**walks):
    return [replace(map_walk(walk, GRAPH, "failure"), episode=key) for key, walk in walks.items()]


def test_junctions_up_to_the_first_departure_are_passed_and_the_last_is_where_it_failed():
    (left, followed) = gather(
        left=trace(episode(PATH), [["r0c0", "r0c1", "r0c2"], ["r1c2", "r2c2"]]),
        followed=trace(episode(PATH), [PATH]),
    )
    assert left.departures == ("r0c2",)
    assert left.passed == ("r0c1", "r0c2")  # r0c0 is a corner of the grid: two ways only
    assert left.failed_at == "r0c2"
    assert followed.departures == ()
    assert followed.passed == tuple(PATH[1:-1])
    assert followed.failed_at is None


def test_a_walk_without_a_known_route_is_only_a_path():
    (bare,) = gather(bare=trace(episode(["r0c0"]), [["r0c0", "r0c1"]]))
    assert (bare.path, bare.departures, bare.passed) == (("r0c0", "r0c1"), (), ())


def test_marks_tell_which_walks_they_mean_whatever_signs_the_ids_have():
    (walk,) = gather(
        **{"a,b;c": trace(episode(PATH), [["r0c0", "r0c1", "r0c2"], ["r1c2", "r2c2"]])}
    )
    assert has_mark(walk, "episode: a%2Cb%3Bc")
    assert not has_mark(walk, "episode: a,b")
    assert has_mark(walk, "left here: r8c8;r0c2")
    assert not has_mark(walk, "left here: r0c1")
    assert has_mark(walk, "junction passed: r0c1")
    assert not has_mark(walk, "junction passed: r0c3")
    assert not has_mark(walk, "an easy one")
    assert mark_words("episode: a%2Cb%3Bc") == "episode a,b;c"
    assert mark_words("left here: r8c8;r0c2") == "a departure at one of 2 places"
    assert mark_words("left here: r8c8") == "a departure at r8c8"


def test_a_run_gives_the_walks_of_one_world():
    run = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    world = next(iter(run.episodes.values())).world
    graph, walks = run.map_walks(world)
    assert [walk.episode for walk in walks] == list(run.traces)
    assert {walk.outcome for walk in walks} == {"success", "failure"}
    assert all(node in graph for walk in walks for node in (*walk.departures, *walk.passed))
