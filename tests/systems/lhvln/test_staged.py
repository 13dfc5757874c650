"""``staged(NAVIGATOR)`` on the sample house and town."""

import json
import pickle

import pytest

from navviz.errors import SettingsError
from navviz.formats import open_worlds
from navviz.llm.scripted import Scripted
from navviz.metrics.score import score_trace
from navviz.metrics.stages import walk_stages
from navviz.records import EndEvent, Episode, Task, Trace, TraceHeader
from navviz.records.trace_files import fold
from navviz.runner.fork import fork
from navviz.systems.registry import get_navigator, settings_from
from navviz.world.graph import Graph
from tests.paths import SAMPLES
from tests.toys import past_events


@pytest.fixture(scope="module")
def house():
    return open_worlds(SAMPLES / "house")()


@pytest.fixture(scope="module")
def episode(house):
    far = sorted(house.ids, key=lambda node: house.geodesic_m(house.ids[0], node))
    goals = (far[len(far) // 2], far[-1], far[3])
    return Episode(
        id="staged",
        dataset="test",
        instruction="Go to the kitchen, then to the bedroom, then to the hall.",
        world=house.name,
        start=house.ids[0],
        start_heading_deg=0.0,
        success_radius_m=1.0,
        tasks=(
            Task(
                description="Move_to('kettle_1')",
                goals=(goals[0],),
                target="kettle",
                region="Region 1: Kitchen",
            ),
            Task(description="Walk to the bedroom and stop at the bed.", goals=(goals[1],)),
            Task(description="Move_to('lamp_3')", goals=(goals[2],), target="lamp"),
        ),
    )


def _walk(
    name: str, episode: Episode, graph: Graph, past: Trace | None = None, **settings: object
) -> Trace:
    navigator = get_navigator(name)
    header = TraceHeader(episode=episode, navigator=navigator.name)
    events = list(
        navigator.navigate(episode, graph, None, settings_from(navigator, settings), past)
    )
    return fold([header, *(past_events(past)), *events])


def test_the_oracle_by_stages_does_every_part(house, episode):
    trace = _walk("staged(shortest-path-oracle)", episode, house)
    assert trace.end is not None
    assert trace.end.status == "done"
    assert [step.index for step in trace.steps] == list(range(1, len(trace.steps) + 1))
    assert [stage.status() for stage in walk_stages(trace, house)] == ["reached"] * 3
    scores = score_trace(trace, house)
    assert [
        scores[name] for name in ("SR", "SPL", "ISR", "CSR", "CGT", "TAR", "contest")
    ] == pytest.approx([1.0] * 7)


def test_rules_by_stages_score_every_long_horizon_figure(house, episode):
    trace = _walk("staged(rules-indoors)", episode, house)
    stops = [step for step in trace.steps if step.decision is not None and step.decision.stop]
    assert len(stops) == 3
    scores = score_trace(trace, house)
    assert all(
        scores[name] is not None
        for name in ("ISR", "ISR_paper", "CSR", "CGT", "TAR", "contest", "NE")
    )
    texts = [row[1] for row in trace.plan_panels[0].data["rows"]]
    assert texts == [
        "Walk to the kettle in the kitchen and stop there.",
        "Walk to the bedroom and stop at the bed.",
        "Walk to the lamp and stop there.",
    ]
    assert [panel.title.partition(":")[0] for panel in trace.plan_panels[1:]] == [
        "Part 1",
        "Part 2",
        "Part 3",
    ]


def test_a_part_that_reaches_its_limit_stops_there(house, episode):
    trace = _walk("staged(rules-indoors)", episode, house, step_limit=1)
    reasons = [
        step.decision.reason or ""
        for step in trace.steps
        if step.decision is not None and step.decision.stop
    ]
    assert len(reasons) == 3
    assert any("The step limit is reached" in reason for reason in reasons)
    assert trace.end is not None
    assert trace.end.status == "done"


@pytest.mark.parametrize("name", ["staged(rules-indoors)", "staged(random-walker-indoors)"])
def test_a_fork_without_changes_goes_the_same_way(house, episode, name):
    trace = _walk(name, episode, house)
    for step in (2, len(trace.steps) // 2, len(trace.steps)):
        forked = fork(trace, step)
        again = _walk(name, forked.episode, house, forked.past)
        assert [s.index for s in again.steps] == list(range(1, len(again.steps) + 1))
        if name == "staged(rules-indoors)":
            assert again.path == trace.path
        assert sum(s.decision is not None and s.decision.stop for s in again.steps) == 3


def test_the_model_may_split_the_task(house, episode):
    navigator = get_navigator("staged(shortest-path-oracle)")
    navigator = get_navigator("staged(random-walker-indoors)")
    model = Scripted(
        [json.dumps({"parts": ["Go to the kitchen.", "Go to bed.", "Go out.", "Too many."]})]
    )
    header = TraceHeader(episode=episode, navigator=navigator.name)
    events = navigator.navigate(episode, house, model, settings_from(navigator, {"split": "model"}))
    trace = fold([header, *events])
    assert trace.plan_calls[0].purpose == "split"
    assert [row[1] for row in trace.plan_panels[0].data["rows"]] == [
        "Go to the kitchen.",
        "Go to bed.",
        "Go out.",
    ]
    forked = fork(trace, 4)
    again = list(
        navigator.navigate(
            episode, house, None, settings_from(navigator, {"split": "model"}), forked.past
        )
    )
    assert isinstance(again[-1], EndEvent)
    assert again[-1].status == "done"


def test_a_model_that_does_not_split_ends_the_walk_with_a_sentence(house, episode):
    navigator = get_navigator("staged(random-walker-indoors)")
    events = list(
        navigator.navigate(
            episode, house, Scripted(["no"]), settings_from(navigator, {"split": "model"})
        )
    )
    assert isinstance(events[-1], EndEvent)
    assert events[-1].reason is not None
    assert events[-1].reason.startswith("The model did not split the task")
    with pytest.raises(SettingsError, match="needs a language model"):
        list(navigator.navigate(episode, house, None, settings_from(navigator, {"split": "model"})))


def test_settings_are_the_inner_ones_and_travel_to_workers():
    navigator = get_navigator("staged(rules-indoors)")
    settings = settings_from(navigator, {"step_limit": 2, "split": "model"})
    assert pickle.loads(pickle.dumps(settings)) == settings
    assert pickle.loads(pickle.dumps(navigator)).name == "staged(rules-indoors)"
    with pytest.raises(SettingsError, match="staged"):
        settings_from(navigator, {"nonsense": 1})
    with pytest.raises(SettingsError, match="There is no navigator 'nobody'"):
        get_navigator("staged(nobody)")


def test_outdoors_each_part_is_walked_by_the_rules():
    town = open_worlds(SAMPLES / "harbour" / "osm" / "graph")()
    named = [poi for poi in town.pois.values() if "name" in poi.tags][:40]
    linked = {link.poi: node for node in town.ids for link in town.poi_links(node)}
    two = [poi for poi in named if poi.id in linked][:2]
    episode = Episode(
        id="town",
        dataset="test",
        instruction=f"Go to {two[0].name}, then to {two[1].name}.",
        world=town.name,
        start=town.ids[0],
        start_heading_deg=0.0,
        tasks=tuple(
            Task(
                description=f"Move_to('{poi.name}')",
                goals=(linked[poi.id],),
                target=poi.name,
                poi=poi.id,
            )
            for poi in two
        ),
    )
    trace = _walk("staged(rules)", episode, town)
    assert len([stage for stage in walk_stages(trace, town) if stage.ended == "stop"]) == 2
    assert score_trace(trace, town)["ISR"] is not None


def test_a_part_that_cannot_be_read_fails_alone():
    town = open_worlds(SAMPLES / "harbour" / "osm" / "graph")()
    tasks = (
        Task(description="Hm.", goals=(town.ids[1],)),
        Task(description="Turn left and stop.", goals=(town.ids[2],)),
    )
    episode = Episode(
        id="t",
        dataset="t",
        instruction="Hm. Turn.",
        world="t",
        start=town.ids[0],
        start_heading_deg=0.0,
        tasks=tasks,
    )
    stages = walk_stages(_walk("staged(rules)", episode, town), town)
    assert [stage.ended for stage in stages] == ["stop", "stop"]
    first = stages[0].steps[-1].decision
    assert first is not None
    assert "no directions" in (first.reason or "")
