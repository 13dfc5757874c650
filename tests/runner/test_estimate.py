"""What a run begins with: its cost, drawn episodes, variants, versions of prompts, the recorded walker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import navviz
from navviz.errors import SettingsError
from navviz.formats import open_episodes, open_graph, open_worlds
from navviz.records import Call, EndEvent, Fork, Price, Trace, TraceHeader, Usage
from navviz.records.trace_files import write_trace
from navviz.runner import RunConfig, write_config
from navviz.runner.drawn import clauses, drawn_episode, in_own_words, place_name
from navviz.runner.episode import trace_path
from navviz.runner.estimate import estimate_run
from navviz.runner.prompt_versions import keep_prompt, prompt_versions, prompts_folder
from navviz.runner.recorded_walker import recorded_walker
from navviz.runner.variants import Variant, keep_episode, recorded, variant_tree
from navviz.runs.owners import Viewer
from navviz.systems.base import shipped_prompt
from navviz.systems.prompts import prompt_hash
from navviz.systems.registry import get_navigator, settings_from
from navviz.views.compare import outcome_words, variant_words
from navviz.world.search import tour
from tests.paths import SAMPLES
from tests.replays import full_trace
from tests.worlds import tiny_episode, write_world

PRICE = Price(prompt_usd=2.0, output_usd=12.0)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("estimate")
    graph = open_graph(write_world(folder))
    [episode] = open_episodes(folder / "splits" / "tiny.json").episodes.values()
    return graph, episode


def counted(usage: Usage | None) -> Trace:
    """A finished walk of groke with one planning call and one call in each of two steps."""
    old = full_trace()
    call = Call(messages=(), reply="{}", usage=usage)
    steps = tuple(step.model_copy(update={"calls": (call,)}) for step in old.steps[:2])
    header = old.header.model_copy(update={"navigator": "groke"})
    end = EndEvent(status="done", node=old.episode.start)
    return old.model_copy(
        update={"header": header, "plan_calls": (call,), "steps": steps, "end": end}
    )


def test_prompts_make_an_estimate_where_nothing_was_run(world):
    graph, episode = world
    groke = get_navigator("groke")
    short = estimate_run(groke, settings_from(groke), episode, graph, price=PRICE)
    assert short is not None
    assert (short.runs, short.calls) == (0, 7)
    assert short.usd == pytest.approx((short.prompt_tokens * 2 + short.output_tokens * 12) / 1e6)
    told_more = episode.model_copy(update={"instruction": episode.instruction * 40})
    longer = estimate_run(groke, settings_from(groke), told_more, graph)
    assert longer is not None
    assert longer.prompt_tokens > short.prompt_tokens
    assert longer.usd is None


def test_counted_runs_of_the_same_navigator_are_better_witnesses(world):
    graph, episode = world
    groke = get_navigator("groke")
    known = [counted(Usage(prompt_tokens=100, output_tokens=10, thoughts_tokens=40)), counted(None)]
    estimate = estimate_run(groke, settings_from(groke), episode, graph, price=PRICE, earlier=known)
    assert estimate is not None
    assert (estimate.runs, estimate.calls, estimate.prompt_tokens, estimate.output_tokens) == (
        1,
        3,
        300,
        150,
    )
    assert estimate.usd == pytest.approx((300 * 2 + 150 * 12) / 1e6)


def test_steps_of_another_walk_tell_how_many_decisions_there_are(world):
    graph, episode = world
    navigator = get_navigator("groke")
    estimate = estimate_run(
        navigator, settings_from(navigator), episode, graph, earlier=[counted(None)]
    )
    assert estimate is not None
    assert estimate.calls == 3


def test_one_goal_is_an_episode_as_ever():
    graph = open_worlds(SAMPLES / "house")()
    a, b = graph.ids[0], graph.ids[7]
    legs = tour(graph, a, [(b,)])
    assert legs is not None
    episode = drawn_episode(graph, a, legs)
    assert (episode.start, episode.goal, episode.tasks, episode.success_radius_m) == (a, b, (), 3.0)
    assert episode.reference_path == graph.shortest_path(a, b)


def test_several_targets_are_sub_tasks_named_by_what_is_near():
    graph = open_worlds(SAMPLES / "harbour" / "osm" / "graph")()
    linked = [
        node
        for node in graph.ids
        if any("name" in graph.pois[link.poi].tags for link in graph.poi_links(node))
    ]
    start, first, second = graph.ids[0], linked[0], linked[-1]
    legs = tour(graph, start, [(first,), (second,)])
    assert legs is not None
    episode = drawn_episode(graph, start, legs)
    assert [task.goals for task in episode.tasks] == [(first,), (second,)]
    assert episode.goal == second
    assert episode.reference_path[0] == start
    name = place_name(graph, first)
    assert name is not None
    assert episode.tasks[0].description == f"Walk to {name} and stop there."
    assert drawn_episode(graph, start, legs) == episode


def test_the_instructions_clauses_tell_the_sub_tasks_where_they_are_as_many():
    graph = open_worlds(SAMPLES / "house")()
    legs = tour(graph, graph.ids[0], [(graph.ids[5],), (graph.ids[9],)])
    assert legs is not None
    episode = drawn_episode(graph, graph.ids[0], legs)
    draft = in_own_words(
        episode.model_copy(update={"instruction": "Go to the bench, then walk to the stove"})
    )
    assert [task.description for task in draft.tasks] == ["Go to the bench.", "Walk to the stove."]
    other = episode.model_copy(update={"instruction": "Go home."})
    assert in_own_words(other) == other
    assert clauses("Turn left. Then go on, and stop! ") == ("Turn left.", "Then go on", "Stop!")


def walk(run: str, text: str, created: str, fork: Fork | None = None) -> Trace:
    trace = full_trace()
    episode = trace.episode.model_copy(update={"instruction": text})
    header = trace.header.model_copy(
        update={"run": run, "episode": episode, "created": created, "forked_from": fork}
    )
    return trace.model_copy(update={"header": header})


def record(folder: Path, trace: Trace, came_from: str | None = None) -> None:
    run = trace.header.run
    write_config(folder / run, RunConfig(run=run, navigator="rules", came_from=came_from))
    write_trace(trace, trace_path(folder, run, trace.episode.id))


def test_edits_of_edits_and_forks_stand_below_what_they_came_from(tmp_path):
    fork = Fork(run="first", episode="1", step=2, changes=("instruction", "decision in step 2"))
    record(tmp_path, walk("second", "Go left now.", "2026-01-02"), came_from="first")
    record(tmp_path, walk("first", "Go left.", "2026-01-01"), came_from="published")
    record(tmp_path, walk("forked", "Go left.", "2026-01-03", fork))
    record(tmp_path, walk("lost", "Go on.", "2026-01-04"), came_from="a run that was deleted")
    original = Variant("published", full_trace())
    tree = variant_tree(original, recorded(tmp_path, original.trace.episode))
    assert [(one.name, one.depth) for one in tree] == [
        ("published", 0),
        ("first", 1),
        ("second", 2),
        ("forked", 2),
        ("lost", 1),
    ]


def test_walks_of_another_episode_and_broken_files_are_left_out(tmp_path):
    episode = full_trace().episode
    record(tmp_path, walk("good", "Go.", "2026"))
    other = full_trace()
    elsewhere = other.episode.model_copy(update={"dataset": "another"})
    record(
        tmp_path,
        other.model_copy(
            update={"header": other.header.model_copy(update={"run": "x", "episode": elsewhere})}
        ),
    )
    broken = trace_path(tmp_path, "broken", episode.id)
    broken.parent.mkdir()
    broken.write_text("no trace")
    assert [one.name for one in recorded(tmp_path, episode)] == ["good"]
    assert recorded(tmp_path / "nowhere", episode) == []


def test_walks_without_an_original_are_roots(tmp_path):
    record(tmp_path, walk("a", "Go.", "2026-1"))
    record(tmp_path, walk("b", "Go on.", "2026-2"), came_from="a")
    assert [
        (one.name, one.depth)
        for one in variant_tree(None, recorded(tmp_path, full_trace().episode))
    ] == [("a", 0), ("b", 1)]


def test_what_was_changed_is_told_in_words():
    before, after = (
        walk("a", "Turn left at the light.", ""),
        walk("b", "Turn right at the light.", ""),
    )
    assert variant_words(before, after) == "− left; + right"
    assert variant_words(before, before) == "nothing"
    fork = Fork(run="a", episode="1", step=2, changes=("instruction", "decision in step 2"))
    assert (
        variant_words(before, walk("c", "Turn left at the light.", "", fork))
        == "decision in step 2"
    )
    assert (
        outcome_words(before.model_copy(update={"end": None}), {"SR": 1.0, "NE": 8.2})
        == "success · 8 m"
    )


def test_an_instruction_becomes_an_episode_once(tmp_path):
    episode = full_trace().episode.model_copy(update={"instruction": "Turn <b>left</b>."})
    path, kept = keep_episode(episode, tmp_path, "my edits")
    again, same = keep_episode(episode, tmp_path, "my edits")
    _, second = keep_episode(
        episode.model_copy(update={"instruction": "Turn right."}), tmp_path, "my edits"
    )
    assert (again, same) == (path, kept)
    assert list(open_episodes(path).episodes) == [kept.id, second.id]
    assert open_episodes(path).episodes[kept.id].instruction == "Turn <b>left</b>."


@pytest.mark.parametrize("name", ["", "../up", ".hidden", "a/b"])
def test_a_name_that_is_none_is_refused(tmp_path, name):
    with pytest.raises(SettingsError, match="choose another"):
        keep_episode(full_trace().episode, tmp_path, name)


OPERATOR = Viewer(operator=True)


def test_a_version_is_kept_with_who_and_why(tmp_path):
    keep_prompt("groke", "A {map}", note=" first ", workspace=tmp_path)
    keep_prompt("groke", "A {map}", note="again", workspace=tmp_path)
    keep_prompt("groke", "B {map}", by="annotator:ann", workspace=tmp_path)
    keep_prompt("navgpt", "C", workspace=tmp_path)
    seen = prompt_versions("groke", OPERATOR, tmp_path)
    assert sorted((each.text, each.note, each.by) for each in seen) == [
        ("A {map}", "again", ""),
        ("B {map}", "", "annotator:ann"),
    ]
    assert all(each.sha256 == prompt_hash(each.text) for each in seen)
    assert all(each.created for each in seen)


def test_a_visitor_sees_their_own_alone(tmp_path):
    for name in ("annotator:ann", "annotator:bob", ""):
        keep_prompt("groke", "The same {map}", by=name, workspace=tmp_path)
    mine = prompt_versions("groke", Viewer("annotator:ann"), tmp_path)
    assert [each.by for each in mine] == ["annotator:ann"]
    assert prompt_versions("groke", Viewer("annotator:eve"), tmp_path) == []
    assert len(prompt_versions("groke", OPERATOR, tmp_path)) == 3


def test_what_cannot_be_read_is_left_out(tmp_path):
    keep_prompt("groke", "A", workspace=tmp_path)
    folder = prompts_folder("groke", tmp_path)
    (folder / "broken.json").write_text("{")
    (folder / "later.json").write_text('{"schema_version": 99}')
    assert [each.text for each in prompt_versions("groke", OPERATOR, tmp_path)] == ["A"]
    assert prompts_folder("staged(groke)/../x", tmp_path).parent == tmp_path / "prompts"


def test_a_note_has_a_length(tmp_path):
    with pytest.raises(SettingsError, match="200 characters"):
        keep_prompt("groke", "A", note="x" * 201, workspace=tmp_path)


def _walk(navigator: str = "groke", **header: Any) -> Trace:
    return Trace(header=TraceHeader(episode=tiny_episode(), navigator=navigator, **header))


def test_every_recorded_setting_comes_back():
    run = navviz.open_run(SAMPLES / "harbour" / "runs" / "groke-by-hand")
    trace = next(iter(run.traces.values()))
    walker = recorded_walker(trace, run.source.results)
    assert (walker.navigator, walker.model) == ("groke", "scripted:written-by-hand")
    assert dict(walker.settings) == trace.header.settings
    assert walker.settings["retry_limit"] == 4
    assert walker.sentence == ""


def test_prompt_model_and_its_options_come_back():
    groke = get_navigator("groke")
    prompt = f"{shipped_prompt(settings_from(groke))} Be brief."
    own = {"retry_limit": 3, "prompt": prompt, "model_options": {"thinking": "low"}}
    walker = recorded_walker(_walk(settings=own, model="gemini:m"))
    assert dict(walker.settings) == {"retry_limit": 3, "prompt": prompt}
    assert walker.sentence == ""
    assert dict(walker.model_options) == {"thinking": "low"}
    assert walker.model == "gemini:m"


@pytest.mark.parametrize(("navigator", "header", "said"), [
    ("nobody", {}, "the navigator nobody is not here"),
    ("groke", {"settings": {"wings": 2}, "model": "gemini:m"}, "the setting wings"),
    ("groke", {"settings": {"units": 99}, "model": "gemini:m"}, "the setting units=99"),
    ("groke", {"settings": {"model_options": {"top_k": 5}}, "model": "gemini:m"}, "the model's option top_k=5"
        ),
    ("groke", {}, "the model is not recorded"),
    ("groke", {"settings": {"prompt": "Go."}, "model": "gemini:m"}, "the setting prompt is"),
    ("rules", {"source": "a.log"}, "its settings are not known"),
])  # fmt: skip
def test_what_cannot_be_the_same_is_named(navigator, header, said):
    assert said in recorded_walker(_walk(navigator, **header)).sentence


def test_a_published_log_tells_its_model_and_its_options(tmp_path):
    config = {"temperature": 0.5, "maxOutputTokens": 900, "thinkingConfig": {"thinkingBudget": 128}}
    line = {"key": "1", "request": {"contents": [], "generationConfig": config}, "response": {}}
    (tmp_path / "step1_json.jsonl").write_text(json.dumps(line) + "\n")
    header = {"source": "logs", "settings": {"method": "json"}, "model": "gemini-3-pro-preview"}
    walker = recorded_walker(_walk(**header), tmp_path)
    assert walker.model == "gemini:gemini-3-pro-preview"
    assert dict(walker.model_options) == {
        "temperature": 0.5,
        "max_output_tokens": 900,
        "thinking": "low",
    }
