"""MSNav's memory beside any indoor walk."""

from __future__ import annotations

from itertools import pairwise

import pytest

from navviz.formats import open_episodes, open_graph, open_worlds
from navviz.records import Decision, Episode, Panel, Step, Trace, TraceHeader
from navviz.systems.msnav.place_map.memory import SCRIPT, PruningRules
from navviz.systems.msnav.replayed import (
    EFFICIENCY_TITLE,
    can_show_memory,
    has_own_map,
    score_map,
    with_memory,
)
from navviz.views.player.html import replay_html
from navviz.world.graph import Graph
from tests.systems.msnav.scripts import TOWN, follow, walk
from tests.systems.msnav.test_navigator import there_and_back


def stepwise(episode: Episode, path: tuple[str, ...] | list[str]) -> Trace:
    """A walk of anybody, one link a step."""
    steps = [
        Step(index=k, node=a, path=(a, b), decision=Decision(target=b))
        for k, (a, b) in enumerate(pairwise(path), 1)
    ]
    steps.append(
        Step(index=len(path), node=path[-1], decision=Decision(target=path[-1], stop=True))
    )
    return Trace(header=TraceHeader(episode=episode, navigator="anybody"), steps=tuple(steps))


def panels(step: Step) -> dict[str, Panel]:
    return {panel.title.partition(" (")[0]: panel for panel in step.panels}


def test_panels_join_every_step(episode, house):
    trace = with_memory(stepwise(episode, episode.reference_path), house)
    for k, step in enumerate(trace.steps):
        shown = panels(step)
        assert shown["Map"].title == "Map (as MSNav)"
        assert f"not started (step {k} of 15)" in shown["Pruning"].data["text"]
    items = dict(panels(trace.steps[-1])[EFFICIENCY_TITLE].data["items"])
    scores = score_map(trace, house)
    assert items["ME"] == f"{100 * (scores['ME'] or 0):.1f} %"
    assert items["ME_explored"] == "80.0 %"
    assert items["|T ∩ T_exp|, reference viewpoints stood on"] == "6 of 6"


def test_without_a_reference_there_is_no_efficiency(episode, house):
    drawn = episode.model_copy(update={"reference_path": ()})
    trace = with_memory(stepwise(drawn, episode.reference_path), house)
    assert EFFICIENCY_TITLE not in panels(trace.steps[-1])
    assert "Map" in panels(trace.steps[-1])


def test_a_refused_move_is_no_arrival(episode, house):
    path = episode.reference_path
    walked = stepwise(episode, path)
    again = walked.steps[1].model_copy(update={"path": ()})
    trace = with_memory(
        walked.model_copy(update={"steps": (walked.steps[0], again, *walked.steps[1:])}), house
    )
    assert "(step 1 of 15)" in panels(trace.steps[2])["Pruning"].data["text"]
    assert trace.steps[1].panels == trace.steps[2].panels


def test_every_node_of_a_long_move_counts(episode, house):
    path = episode.reference_path
    one = Step(index=1, node=path[0], path=path[:4])
    two = Step(index=2, node=path[3])
    header = TraceHeader(episode=episode, navigator="anybody")
    trace = with_memory(Trace(header=header, steps=(one, two)), house)
    assert "(step 3 of 15)" in panels(trace.steps[1])["Pruning"].data["text"]


def test_a_walk_with_a_map_of_its_own_keeps_it(episode, house):
    ours = walk(episode, house, follow(house, episode.reference_path), numbers="script")
    assert has_own_map(ours)
    trace = with_memory(ours, house)
    for old, new in zip(ours.steps, trace.steps, strict=True):
        assert new.panels[: len(old.panels)] == old.panels
        assert [panel.title for panel in new.panels[len(old.panels) :]] == [EFFICIENCY_TITLE]


def test_a_walk_of_several_maps_has_no_efficiency(episode, house):
    ours = walk(episode, house, follow(house, episode.reference_path))
    staged = ours.model_copy(
        update={"header": ours.header.model_copy(update={"navigator": "staged(msnav)"})}
    )
    assert with_memory(staged, house) is staged


def test_a_log_is_measured_by_the_maps_that_it_prints(episode, house):
    path = there_and_back(house, episode.start, 18)
    for settings in ({"keep_young": 8, "remove": 2}, {"preset": "mapgpt"}):
        ours = walk(episode, house, follow(house, path), **settings)
        bare = ours.header.model_copy(update={"settings": {}})
        values = [panels(step)[EFFICIENCY_TITLE] for step in with_memory(ours, house).steps]
        logged = ours.model_copy(update={"header": bare})
        assert [
            panels(step)[EFFICIENCY_TITLE] for step in with_memory(logged, house).steps
        ] == values
        assert score_map(logged, house) == score_map(ours, house)
    assert (
        score_map(ours, house)["ME"]
        != score_map(walk(episode, house, follow(house, path), keep_young=8), house)["ME"]
    )


def test_outdoors_and_empty_walks_stay_as_they_are(episode, house):
    town = open_graph(TOWN / "osm" / "graph")
    walked = stepwise(episode, episode.reference_path)
    assert not can_show_memory(walked, town)
    assert with_memory(walked, town) is walked
    empty = Trace(header=walked.header)
    assert with_memory(empty, house) is empty


def test_it_stands_in_the_one_file_export(episode, house):
    page = replay_html(
        with_memory(stepwise(episode, episode.reference_path), house), house, scene=False
    )
    assert "Map (as MSNav)" in page
    assert EFFICIENCY_TITLE in page


@pytest.mark.data
def test_a_real_path_of_17_steps_equals_a_hand_computation(data_dir):
    """Walked there and back: at t = 15 and 16 each score is computed anew from the definition, with
    plain loops.
    """
    worlds = open_worlds(data_dir / "mp3d" / "connectivity")
    episodes = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes.values()
    episode = max(
        (e for e in episodes if e.world in worlds.names), key=lambda e: len(e.reference_path)
    )
    graph = worlds(episode.world)
    path = [*episode.reference_path, *episode.reference_path[-2::-1], *episode.reference_path[1:]][
        :20
    ]
    assert len(path) >= 18
    for rules in (
        PruningRules(keep_young=4),
        PruningRules(keep_young=4, distance_term=False),
        SCRIPT,
    ):
        trace = with_memory(stepwise(episode, path), graph, rules)
        expected = by_hand(graph, path, rules)
        total = 0
        for t, step in enumerate(trace.steps):
            table = panels(step)["Pruning"]
            if table.kind == "text":
                assert t < 15
                continue
            rows = [(row[1], *row[4:], row[2]) for row in table.data["rows"] if row[2] is not None]
            assert rows == expected[t]
            total += len(rows)
        assert total or rules is SCRIPT


def by_hand(graph: Graph, path: list[str], rules: PruningRules) -> dict[int, list[tuple]]:
    """The definition once more: linked lists as sets, hops by trying all walks, one removal a
    step.
    """
    near: dict[str, set[str]] = {}
    last: dict[str, int] = {}
    order: list[str] = []
    values: dict[int, list[tuple]] = {}
    for t, node in enumerate(path):
        if node not in near:
            near[node] = set(graph.neighbours(node))
            order = [*(n for n in order if n != node), node]
        last[node] = t
        if t < rules.start_step:
            continue
        reach, hops = {node}, {node: 0}
        for k in range(1, len(near)):
            reach = {b for a in reach for b in near[a] if b in near}
            for b in reach:
                hops.setdefault(b, k)
        rows = []
        for other in order:
            age = t - last[other]
            if other == node or age <= rules.keep_recent or age <= rules.keep_young:
                continue
            effective = max(1, age - rules.keep_young)
            unvisited = len([b for b in near[other] if b not in path[: t + 1]])
            far = hops.get(other) if rules.distance_term else None
            terms = (1.0 * effective, -2.0 * len(near[other]), -5.0 * unvisited, 0.5 * (far or 0))
            rows.append(
                (other, age, effective, len(near[other]), unvisited, far, *terms, sum(terms))
            )
        rows.sort(key=lambda row: -row[-1])
        values[t] = rows
        if rows:
            gone = rows[0][0]
            del near[gone], last[gone]
            order.remove(gone)
            for others in near.values():
                others.discard(gone)
    return values
