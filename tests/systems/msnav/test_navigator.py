"""MSNav, live, with scripted models."""

from __future__ import annotations

import json
import re

import pytest

from navviz.errors import InputError, SettingsError
from navviz.formats import open_episodes, open_graph
from navviz.llm.base import Request
from navviz.llm.scripted import Reply, Scripted
from navviz.records import Panel, RepairPlan, Trace, TraceHeader
from navviz.records.trace_files import fold
from navviz.runner.fork import fork
from navviz.runner.repairs import repaired
from navviz.systems.msnav.navigator import PLACEHOLDER, Msnav
from navviz.systems.msnav.place_map.memory import MapMemory
from navviz.systems.msnav.place_map.panels import MAP_TITLE, OPTIONS_TITLE
from navviz.systems.msnav.place_map.prompt import read_prompt
from navviz.systems.msnav.settings import MsnavSettings
from navviz.systems.spatial import SpatialReading
from navviz.world.graph import Graph
from tests.systems.msnav.scripts import LAYOUT, TOWN, follow, reply, walk


def panel(trace: Trace, step: int, title: str) -> Panel:
    return next(p for p in trace.steps[step].panels if p.title.startswith(title))


def user(trace: Trace, step: int) -> str:
    return trace.steps[step].calls[-1].messages[-1].text


def there_and_back(graph: Graph, start: str, steps: int) -> list[str]:
    """A long walk: to and fro along the first ways."""
    path, came = [start], {start}
    while len(path) <= steps:
        onward = [
            node for node in graph.neighbours(path[-1]) if node not in came
        ] or graph.neighbours(path[-1])
        path.append(onward[0])
        came.add(path[-1])
    return path


def test_it_asks_with_the_temperature_and_the_limit_of_its_code(episode, house):
    requests: list[Request] = []
    replies = follow(house, episode.reference_path)

    def recorded(request: Request) -> str | Reply:
        requests.append(request)
        return replies(request)

    walk(episode, house, recorded)
    decided = [
        (request.temperature, request.max_output_tokens)
        for request in requests
        if request.purpose == "decide"
    ]
    assert set(decided) == {(0.0, 1000)}
    spatial = [
        (request.temperature, request.max_output_tokens)
        for request in requests
        if request.purpose != "decide"
    ]
    assert set(spatial) == {(0.0, 512)}
    requests.clear()
    walk(episode, house, recorded, temperature=None, reply_limit=0)
    assert {(request.temperature, request.max_output_tokens) for request in requests} == {
        (None, None)
    }


def test_it_never_claims_to_be_the_papers_agent(episode, house):
    assert "text variant" in Msnav.summary
    assert "text variant" in MsnavSettings().model_dump()["variant"]
    assert "ours, not the paper's" in Msnav.summary
    trace = walk(episode, house, follow(house, episode.reference_path), preset="mapgpt")
    text = trace.plan_panels[0].data["text"]
    assert text.startswith("Text variant of MapGPT: no picture is shown.")


def test_the_preset_mapgpt_is_all_three_modules_off(episode, house):
    settings = MsnavSettings(preset="mapgpt", pruning=True, spatial="model")
    assert (settings.pruning, settings.spatial, settings.view_selection, settings.rules) == (
        False,
        "off",
        False,
        None,
    )
    trace = walk(episode, house, follow(house, episode.reference_path), preset="mapgpt")
    assert trace.plan_calls == ()
    assert "Possible Destination Info" not in user(trace, 0)
    assert "Possible Destination" not in trace.steps[0].calls[0].messages[0].text
    assert "taken off" not in trace.steps[0].calls[0].messages[0].text
    assert "switched off" in panel(trace, 0, "Pruning").data["text"]


@pytest.mark.parametrize(
    ("numbers", "young", "term"),
    [("own", 10, True), ("paper", 10, True), ("script", 10, False), ("parser", 13, False)],
)
def test_published_numbers_are_one_setting(numbers, young, term):
    rules = MsnavSettings(numbers=numbers).rules
    assert rules is not None
    assert (rules.keep_young, rules.distance_term) == (young, term)
    assert MsnavSettings(numbers=numbers).model_dump()["keep_young"] == young, (
        "the header tells what ran"
    )


@pytest.mark.parametrize(
    ("said", "stops", "rule"),
    [
        ({1: reply("Z")}, False, "the first move is taken"),
        ({1: "I go on."}, True, "a reply that is no JSON stops the walk"),
        ({4: reply("Z")}, True, "the walk stops"),
        ({4: "[]"}, True, "the walk stops"),
    ],
)
def test_forced_decisions_are_shown_with_their_rule(episode, house, said, stops, rule):
    step = next(iter(said))
    trace = walk(episode, house, follow(house, episode.reference_path, said), step_limit=step + 1)
    decision = trace.steps[step].decision
    assert decision is not None
    assert (decision.stop, decision.legal) == (stops, False)
    assert rule in (decision.reason or "")
    table = panel(trace, step, OPTIONS_TITLE)
    assert [row[1] for row in table.data["rows"] if row[1]] == ["forced"]
    assert table.data["rows"][table.data["chosen"]][1] == "forced"
    assert rule in table.data["note"]


@pytest.mark.parametrize(("index", "place"), [(15, "0"), (17, "8")])
def test_a_repair_keeps_a_pruned_place_with_its_ways_and_its_view(episode, house, index, place):
    path = there_and_back(house, episode.start, 19)
    trace = walk(episode, house, follow(house, path))
    unpruned = walk(episode, house, follow(house, path), pruning=False)
    entries = {node["label"]: node for node in panel(trace, index, MAP_TITLE).data["nodes"]}
    assert entries[place]["state"].startswith("pruned")
    parameters = {"node": trace.steps[index].node, "to": entries[place]["id"]}
    plan = RepairPlan(kind="unhide_way", step=index + 1, parameters=parameters)
    new = walk(episode, house, follow(house, path), past=repaired(trace, plan, house))
    assert new.steps[0].node == trace.steps[index].node
    line = f"Place {place} is connected"
    assert line not in user(trace, index)
    [shown] = [text for text in user(new, 0).splitlines() if text.startswith(line)]
    [never] = [text for text in user(unpruned, index).splitlines() if text.startswith(line)]
    # others may be taken off in its stead, and leave its line
    assert set(re.findall(r"\d+", shown)) <= set(re.findall(r"\d+", never))
    if entries[place]["id"] in house.neighbours(new.steps[0].node):
        assert f"Image {place}: {PLACEHOLDER}" in user(trace, index)
        assert f"Image {place}: {PLACEHOLDER}" not in user(new, 0)
    states = {node["label"]: node["state"] for node in panel(new, 0, MAP_TITLE).data["nodes"]}
    assert not states[place].startswith("pruned")
    assert f"{place} (shown by a repair)" in panel(new, 0, "Pruning").data["note"]
    assert "unhide_way" in Msnav.repairs


def test_too_many_pictures_stop_it_without_a_call(episode, house):
    trace = walk(episode, house, follow(house, episode.reference_path), image_limit=4)
    last = trace.steps[-1]
    assert last.calls == ()
    assert last.decision is not None
    assert "more than 4 places" in (last.decision.reason or "")
    assert (
        walk(episode, house, follow(house, episode.reference_path), image_limit=0).path
        == episode.reference_path
    )


def test_a_stop_at_a_look_alike_gets_a_hint(episode, house):
    early = {3: reply("A", "A sink by a stove: this is the kitchen, I stop.")}

    def answer(request: Request) -> str:
        if request.purpose == "objects":
            return '{"instruction": "x", "direct_obj": ["unicorn"], "potential_obj": ["sink"]}'
        return str(follow(house, episode.reference_path, early)(request))

    trace = walk(episode, house, answer)
    assert "unicorn" in panel(trace, 3, "Hint").data["text"]
    whole = walk(episode, house, follow(house, episode.reference_path))
    assert not [p for p in whole.steps[-1].panels if p.title.startswith("Hint")]


def test_a_failed_call_ends_the_walk(episode, house):
    trace = walk(episode, house, lambda _: Reply(error="the server is gone"), spatial="off")
    assert trace.end is not None
    assert (trace.end.status, trace.end.reason) == ("error", "the server is gone")
    with pytest.raises(InputError, match="could not be read for objects"):
        walk(episode, house, lambda _: Reply(error="the server is gone"))


def test_it_ends_at_the_step_limit(episode, house):
    trace = walk(
        episode, house, follow(house, there_and_back(house, episode.start, 40)), step_limit=5
    )
    assert trace.end is not None
    assert (trace.end.status, len(trace.steps)) == ("limit", 5)


@pytest.mark.parametrize("step", [1, 3, 16])
def test_a_fork_rebuilds_map_history_and_last_visits(episode, house, step):
    path = there_and_back(house, episode.start, 18)
    whole = walk(episode, house, follow(house, path))
    past = whole.model_copy(update={"steps": whole.steps[:step], "end": None})
    rest = walk(episode, house, follow(house, path), past)
    assert [s.index for s in rest.steps] == list(range(step + 1, len(whole.steps) + 1))
    assert rest.plan_calls == (), "the instruction is not read again"
    for new, old in zip(rest.steps, whole.steps[step:], strict=True):
        assert new.model_dump(exclude={"calls"}) == old.model_dump(exclude={"calls"})
        assert new.calls[-1].messages == old.calls[-1].messages


def test_a_fork_with_another_instruction_reads_it_anew(episode, house):
    whole = walk(episode, house, follow(house, episode.reference_path))
    past = whole.model_copy(
        update={"steps": whole.steps[:2], "end": None, "plan_panels": (), "landmarks": ()}
    )
    changed = episode.model_copy(update={"instruction": "Find the sink."})
    rest = walk(changed, house, follow(house, episode.reference_path), past)
    assert len(rest.plan_calls) == 2
    assert "Instruction: Find the sink." in user(rest, 0)


def test_a_fork_by_hand_may_pass_several_places(episode, house):
    path = episode.reference_path
    whole = walk(episode, house, follow(house, path))
    jumped = whole.steps[0].model_copy(update={"path": path[:4], "calls": ()})
    past = whole.model_copy(update={"steps": (jumped,), "end": None})
    rest = walk(episode, house, lambda _: reply("A"), past, step_limit=2)
    prompt = read_prompt(user(rest, 0))
    assert prompt is not None
    memory = MapMemory()
    from navviz.observations.discrete_views import candidate_views

    for node in path[:4]:
        memory.arrive(node, [way.node for way in candidate_views(house, node)])
    assert prompt.trajectory == memory.trajectory_text()


def test_objects_from_a_file(episode, house, tmp_path):
    file = tmp_path / "x_sr.json"
    file.write_text(
        json.dumps(
            [{"instruction": episode.instruction, "direct_obj": ["stove"], "potential_obj": []}]
        )
    )
    trace = walk(
        episode,
        house,
        follow(house, episode.reference_path),
        spatial="file",
        spatial_file=str(file),
    )
    assert trace.plan_calls == ()
    assert [mark.name for mark in trace.landmarks] == ["stove"]
    with pytest.raises(InputError, match="has no entry for this scan"):
        walk(
            episode.model_copy(update={"instruction": "Other."}),
            house,
            [],
            spatial="file",
            spatial_file=str(file),
        )
    with pytest.raises(InputError, match="needs a file of extended instructions"):
        walk(episode, house, [], spatial="file")


def test_view_texts_by_source(episode, house, tmp_path):
    captions = {
        episode.start: {str(v): {"global_cap": f"caption {v}", "dense_cap": []} for v in range(36)}
    }
    (tmp_path / f"{house.name}.json").write_text(json.dumps(captions))
    trace = walk(
        episode,
        house,
        follow(house, episode.reference_path),
        views="captions",
        view_files=str(tmp_path),
    )
    assert "Image 1: caption" in user(trace, 0)
    assert "way of" in user(trace, 1), "geometry where the source says nothing"
    assert trace.steps[0].observation is not None
    assert trace.steps[0].observation.format == "places-captions"
    with pytest.raises(InputError, match="there are no REVERIE's objects"):
        walk(episode, house, [], views="objects")
    assert (
        walk(episode, house, follow(house, episode.reference_path), views="geometry").path
        == episode.reference_path
    )


def test_what_it_needs_is_said(episode, house):
    with pytest.raises(SettingsError, match="needs a language model"):
        list(Msnav().navigate(episode, house, None, MsnavSettings()))
    with pytest.raises(InputError, match="is not in"):
        walk(episode.model_copy(update={"start": "nowhere"}), house, [])


def test_outdoors_it_walks_from_junction_to_junction():
    town = open_graph(TOWN / "osm" / "graph")
    splits = next((TOWN / "splits").glob("*.json"))
    episode = next(iter(open_episodes(splits).episodes.values()))
    path = [episode.start]
    from navviz.systems.msnav.ways import street_views

    for _ in range(4):
        ways = [way.node for way in street_views(town, path[-1]) if way.node not in path]
        path.append(ways[0])
    trace = walk(episode, town, follow(town, path), spatial="off")
    assert [step.node for step in trace.steps] == path
    assert trace.end is not None
    assert trace.end.status == "done"
    degrees = town.junction_degrees
    assert all(degrees[town.index[step.node or ""]] != 2 for step in trace.steps[1:])
    walked = [node for step in trace.steps for node in step.path]
    assert all(
        town.has_link(a, b)
        for step in trace.steps
        for a, b in zip(step.path, step.path[1:], strict=False)
    )
    assert len(walked) > len(path)
    assert "a street of" in user(trace, 0)
    assert "ours, not the paper's" in trace.plan_panels[0].data["text"]
    assert "town" in trace.steps[0].calls[0].messages[0].text


@pytest.mark.data
@pytest.mark.parametrize("views", ["captions", "sectors", "objects"])
def test_on_a_real_house_with_each_source(data_dir, views):
    folder = {
        "captions": data_dir / "langnav",
        "sectors": data_dir / "navgpt_text",
        "objects": data_dir / "reverie",
    }[views]
    house = open_graph(
        data_dir / "mp3d_all" / "connectivity",
        "1pXnuDYAj8r" if views == "objects" else "17DRP5sb8fy",
    )
    episodes = open_episodes(data_dir / "r2r" / "R2R_train.json").episodes.values()
    episode = next(e for e in episodes if e.world == house.name)
    trace = walk(
        episode, house, follow(house, episode.reference_path), views=views, view_files=str(folder)
    )
    assert trace.path == episode.reference_path
    assert "looking on heading" not in user(trace, 2), "every view is told by the source itself"
    if views == "objects":
        assert "oracle objects" in json.dumps([p.data for p in trace.plan_panels])


def test_a_served_reader_and_ones_own_views_fit(episode, house):
    class Served:
        def read(self, instruction: str) -> SpatialReading:
            assert instruction == episode.instruction
            return SpatialReading(("lamp",), (), "The destination is bright.", "Qwen-Sp, served")

    class Pictures:
        def of(self, viewpoint: str, view: int) -> str | None:
            return f"picture {view} with a lamp" if viewpoint == episode.start else None

    events = Msnav(Served(), Pictures()).navigate(
        episode, house, Scripted(follow(house, episode.reference_path)), MsnavSettings()
    )
    trace = fold([TraceHeader(episode=episode, navigator="msnav"), *events])
    assert trace.plan_calls == ()
    assert "with a *lamp*" in user(trace, 0)
    assert "looking on heading" in user(trace, 1), "geometry where the pictures tell nothing"
    assert "Qwen-Sp, served" in json.dumps([p.data for p in trace.plan_panels])
    assert "Pictures" in trace.plan_panels[0].data["text"]


def test_a_fork_by_the_runner_goes_on(episode, house):
    path = episode.reference_path
    whole = walk(episode, house, follow(house, path))
    other = next(node for node in house.neighbours(path[2]) if node not in path)
    forked = fork(whole, 3, target=other, graph=house)
    rest = walk(
        forked.episode, house, follow(house, [*path[:3], other, path[2], *path[3:]]), forked.past
    )
    assert rest.steps[0].index == 4
    assert rest.steps[0].node == other
    prompt = read_prompt(user(rest, 0))
    assert prompt is not None
    assert prompt.history.count("step ") == 3
    assert prompt.destination == LAYOUT, "the reading of the instruction is kept"
    again = fork(whole, 3, instruction="Find the sink.")
    renewed = walk(again.episode, house, follow(house, path), again.past)
    assert [call.purpose for call in renewed.plan_calls] == ["objects", "layout"]
