"""Cells, null cells, stop cells and decisive steps, worked out by hand on a grid of streets."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice

import pytest

import navviz
from navviz.analysis.what_if.cube import WhatIf, forks_of
from navviz.analysis.what_if.document import what_if_document
from navviz.analysis.what_if.walking import Walker, _copied, _forked, cube_of, walker_of
from navviz.errors import InputError
from navviz.formats import open_episodes, open_graph
from navviz.runner.episode import walk_now
from navviz.runs.run import OpenRun
from navviz.systems.rules.local_navigator import RulesLocal, RulesLocalSettings
from tests.analysis.what_if.walkers import Ahead, AheadSettings, episode, walked
from tests.grids import SPACING_M, grid, name
from tests.paths import SAMPLES

NORTH = ((1, 3), (2, 3), (3, 3), (4, 3))
EAST = ((1, 3), (2, 3), (2, 4), (2, 5))
"""Two links east after one north: walking straight north misses it."""


def _cube(*reference: tuple[int, int], **settings: object) -> WhatIf:
    graph = grid()
    trace = walked(episode(*reference), graph, **settings)
    return cube_of(trace, graph, Walker(Ahead(), AheadSettings(**settings)))


def test_each_link_but_the_way_back_has_a_cell_and_the_one_taken_is_the_null_cell():
    cube = _cube(*NORTH)
    first = [(cell.link, cell.is_taken) for cell in cube.cells if cell.step == 2]
    assert first == [(name(3, 3), True), (name(2, 4), False), (name(2, 2), False)]
    # the null cell of the last step is the stop
    assert [cell.link for cell in cube.cells if cell.step == 4 and cell.is_taken] == [None]
    assert cube.success
    assert cube.ne_m == 0.0
    assert cube.decisive == ()


def test_a_cell_is_walked_to_the_end_of_the_same_navigator():
    cell = _cube(*NORTH).cell(2, name(2, 3), name(2, 4))
    assert cell is not None
    assert cell.tail == (name(2, 3), name(2, 4), name(2, 5))
    assert cell.ne_m == pytest.approx(SPACING_M * 8**0.5, rel=1e-3)
    assert not cell.success


def test_the_step_is_decisive_whose_reference_link_succeeds():
    cube = _cube(*EAST)
    assert not cube.success
    assert cube.decisive == cube.decisive_any == (2,)
    assert cube.best(2).link == name(2, 4)
    assert cube.blame_m(2) == pytest.approx(cube.ne_m)
    assert cube.ruining == ()


def test_another_link_may_mend_what_no_link_of_the_reference_does():
    # two links west of the start, by a detour that no walk straight on takes
    cube = _cube((1, 3), (2, 3), (2, 2), (1, 2), (1, 1), (1, 0))
    assert cube.decisive == ()
    assert cube.decisive_any == (1,)


def test_a_stop_cell_at_the_goal_proves_nothing():
    cube = _cube((1, 3), (2, 3), links=3)
    assert not cube.success
    assert [stop.node for stop in cube.stops if stop.ne_m == 0.0]
    assert cube.decisive == cube.decisive_any == ()


def test_where_the_null_cell_ends_otherwise_nothing_is_claimed():
    cube = _cube(*EAST, drift=True)
    # in step 3 one link less to walk is none: the forced link was the last one
    assert {step for step, _ in cube.unstable} == {1, 2}
    assert cube.decisive == cube.decisive_any == ()
    assert {cell.step for cell in cube.proven} == {3, 4}
    # the same cells with a null cell that ends as the walk did
    calm = tuple(replace(c, tail=(*c.tail, cube.end)) if c.is_taken else c for c in cube.cells)
    assert replace(cube, cells=calm).unstable == frozenset()


def test_a_success_counts_the_links_that_ruin_it():
    cube = _cube(*NORTH)
    # three at the start, where nothing lies behind, two at each crossing, three in place of the stop
    assert len(cube.ruining) == len(cube.others) == 3 + 2 + 2 + 3
    assert {cell.success for cell in cube.ruining} == {False}


def test_an_episode_without_a_goal_is_refused():
    graph = grid()
    trace = walked(episode(*NORTH).model_copy(update={"goal": "far away"}), graph)
    with pytest.raises(InputError, match="episode 1, field what if: it has no goal on this map"):
        cube_of(trace, graph, Walker(Ahead(), AheadSettings()))


@pytest.fixture(scope="module")
def local() -> OpenRun:
    return navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")


@pytest.mark.parametrize("key", ["1", "7"])
def test_copied_states_walk_as_forks_do(local, key):
    trace, graph = local.trace(key), local.graph(key)
    walker = walker_of(trace)
    copied, forked = _copied(trace, graph, walker), _forked(trace, graph, walker)
    assert copied is not None
    cells = [(fork, link) for fork in forks_of(trace, graph) for link in (fork.taken, *fork.others)]
    assert len(cells) > 5
    assert [copied(*cell) for cell in cells] == [forked(*cell) for cell in cells]


def test_what_other_episodes_saw_changes_no_cell(local):
    keys = list(local.traces)[:5]
    shared = walker_of(local.trace(keys[0]))
    together = [cube_of(local.trace(key), local.graph(key), shared) for key in keys]
    assert together == [cube_of(local.trace(key), local.graph(key)) for key in keys]


def test_a_walk_of_another_version_is_walked_by_forks(local):
    trace = local.trace("7")
    other = trace.model_copy(update={"steps": trace.steps[:-1]})
    assert _copied(other, local.graph("7"), walker_of(trace)) is None


@pytest.mark.nightly
@pytest.mark.data
def test_copied_states_walk_as_forks_do_in_manhattan(data_dir):
    graph = open_graph(data_dir / "map2seq" / "osm" / "graph")
    episodes = open_episodes(data_dir / "map2seq" / "splits" / "val.json").episodes.values()
    navigator, settings = RulesLocal(), RulesLocalSettings()
    walker, count = Walker(navigator, settings), 0
    for task in islice(episodes, 12):
        trace = walk_now(navigator, settings, task, graph)
        copied, forked = _copied(trace, graph, walker), _forked(trace, graph, walker)
        assert copied is not None
        for fork in forks_of(trace, graph):
            for link in (fork.taken, *fork.others):
                assert copied(fork, link) == forked(fork, link)
                count += 1
        part = json.dumps(what_if_document(cube_of(trace, graph, walker), trace, graph))
        assert len(part) <= 16_384
    assert count > 100
