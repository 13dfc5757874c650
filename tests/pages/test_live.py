"""Live: what is edited is what is run; faults are sentences; forks and drawings become episodes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from navviz.formats import open_graph
from navviz.observations.pictures.films import PictureCache
from navviz.records import PlanEvent, SubGoalStatus
from navviz.records.trace_files import read_events, read_trace
from navviz.runs.opened import workspace_dir
from navviz.ui.live import draw, stage
from navviz.ui.live import start as live_cost
from navviz.ui.live import start as live_start
from navviz.ui.live.chosen import live_runs
from navviz.ui.state.session import Drawing, ForkPoint
from navviz.views.player.pictures import PictureTable
from tests.attack.reading import everything
from tests.cli.test_run import KEY, brain
from tests.fake_servers import FakeGemini, FakeOpenAI, Fault, Silence
from tests.pages.conftest import OpenPage, ran, stop_live_runs

pytestmark = pytest.mark.usefixtures("opened")


@pytest.fixture(autouse=True)
def _no_run_outlives_its_test():
    yield
    stop_live_runs()


def live_page(page: OpenPage, **query: str) -> AppTest:
    return page("live", **({"run": "walks/json", "episode": "2"} | query))


def choose(at: AppTest, navigator: str) -> None:
    at.selectbox(key="live_navigator_geo").set_value(navigator).run()


def press(at: AppTest) -> None:
    """Press Run and wait for the end of the run."""
    ran(at.button(key="live_start").click())
    names = live_runs().names()
    if names:
        live = live_runs().get(names[0])
        assert live is not None
        live.join(120)
        at.run()


def texts(at: AppTest) -> str:
    found = [
        element.value
        for kind in (at.text, at.caption, at.markdown, at.error, at.info)
        for element in kind
    ]
    return " ".join(str(value) for value in found)


def traces() -> list[Path]:
    return sorted((workspace_dir() / "live").glob("*/*.trace.jsonl"))


def test_with_no_key_a_navigator_without_a_model_is_ready(page):
    at = live_page(page)
    assert at.selectbox(key="live_navigator_geo").value == "rules"
    assert at.text_area[0].value.startswith("Walk to the <b>light</b>")
    press(at)
    assert "Done" in texts(at)
    assert "The navigator is rules instead of groke." in texts(at)
    assert read_trace(traces()[0]).episode.instruction == at.text_area[0].value


def test_a_walk_without_a_model_is_shown_whole_by_the_run_that_started_it(page, monkeypatch):
    monkeypatch.setattr(live_start, "_AT_ONCE_S", 120.0)  # a busy machine takes its time
    at = live_page(page)
    at.button(key="live_start").click().run()
    assert "Done" in texts(at)
    assert "**Figures**" in texts(at)


def test_an_edited_instruction_is_run_and_compared(page):
    at = live_page(page)
    choose(at, "random-walker")
    at.text_area[0].set_value("Walk to the <i>light</i>, turn left.").run()
    assert "Compared with the original" in texts(at)
    html = " ".join(str(element.proto.body) for element in at.get("html"))
    assert "&lt;" in html
    assert "<i>" not in html
    press(at)
    [trace] = [read_trace(path) for path in traces()]
    assert trace.episode.instruction == "Walk to the <i>light</i>, turn left."
    assert "**Instruction**" in texts(at)
    at.button(key="live_undo").click().run()
    assert at.text_area[0].value.startswith("Walk to the <b>light</b>")


def ask_server(at: AppTest, server: FakeOpenAI, key: str = "") -> None:
    choose(at, "groke")
    at.selectbox(key="live_vendor").set_value("OpenAI-compatible server").run()
    at.text_input(key="live_url").set_value(server.url)
    at.text_input(key="live_server_model").set_value("m")
    at.text_input(key="live_key_openai").set_value(key)
    at.run()


def test_a_model_walks_and_its_key_is_nowhere(page):
    with FakeOpenAI(brain()) as server:
        at = live_page(page)
        ask_server(at, server, KEY)
        press(at)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "2 calls" in texts(at)
    assert "260 tokens" in texts(at)
    assert "cost not known" in texts(at)
    assert "**Plan**" in texts(at)
    everything = "".join(path.read_text() for path in workspace_dir().rglob("*") if path.is_file())
    assert KEY not in everything + texts(at) + json.dumps(at.query_params)


def test_a_run_that_fails_before_its_first_step_is_not_compared(page, monkeypatch):
    # as after a call, tried six times
    monkeypatch.setattr("navviz.ui.live.stage._failed_to_begin", lambda _: False)
    with FakeOpenAI([Fault(400, "no such thing")]) as server:
        at = live_page(page)
        ask_server(at, server, KEY)
        press(at)
    assert "No step was walked" in texts(at)
    assert "The runs part" not in texts(at)
    assert "What changed" not in [box.label for box in at.expander]
    [row] = tree(at)[1:]
    assert row["outcome"] == "error"


def badges(at: AppTest) -> list[str]:
    return [str(mark.value) for mark in at.markdown if "→" in str(mark.value)]


def figures(at: AppTest) -> list[str]:
    [frame] = [frame.value for frame in at.dataframe if "figure" in frame.value.columns]
    return list(frame.columns)


def test_another_navigator_on_the_unedited_text_is_named_first_and_has_no_before(page):
    at = live_page(page)
    press(at)
    [headline] = [text.value for text in at.text if "instead of" in text.value]
    assert headline.startswith("The navigator is rules instead of groke. This walk stopped ")
    assert re.search(r"from the goal, groke \d+ m\.$", headline)
    assert "before" not in texts(at)
    assert not badges(at)
    assert figures(at) == ["figure", "before", "now"]  # names of the walkers head them


def test_an_edit_is_compared_with_the_same_navigator_on_the_unedited_text(page):
    at = live_page(page)
    at.text_area[0].set_value("Walk to the light and turn left. Stop there.").run()
    press(at)
    assert "The navigator is rules instead of groke. Before: rules on the unedited text." in texts(
        at
    )
    assert " m from the goal before, " in texts(at)
    assert "Before: rules on the unedited text. Now: rules." in texts(at)
    assert figures(at) == ["figure", "before", "now", "change"]
    document = at.session_state["navviz"].live.document[1]
    assert document["compare"]["label"] == "rules on the unedited text"
    assert document["compare"]["navigator"] == "rules"


def test_an_edit_that_changes_no_figure_has_no_badge(page):
    at = live_page(page)
    at.text_area[0].set_value(at.text_area[0].value + " ").run()
    press(at)
    assert "rules decides and walks as before" in texts(at)
    assert not badges(at)


def test_a_model_walks_the_unedited_text_only_when_it_is_asked_to(page):
    with FakeOpenAI(brain()) as server:
        at = live_page(page)
        ask_server(at, server)
        at.text_area[0].set_value("Walk to the light, turn left.").run()
        press(at)
        edited, paid = live_runs().names()[0], len(server.requests)
        assert "from the goal before" not in texts(at)
        assert not badges(at)
        assert figures(at) == ["figure", "now"]
        offer = at.button(key="live_unedited")
        assert re.fullmatch(
            r"Walk the unedited text too \(about 260 tokens, cost not known\)", offer.label
        )
        assert len(server.requests) == paid
        offer.click().run()
        live = live_runs().get(live_runs().names()[0])
        assert live is not None
        live.join(120)
        at.run()
        at.run()
    assert at.session_state["navviz"].live.run == edited, "the page comes back to the edited walk"
    assert live.episode.instruction.startswith("Walk to the <b>light</b>")
    assert at.text_area[0].value == "Walk to the light, turn left."
    assert "Before: groke on the unedited text. Now: groke." in texts(at)
    assert "live_unedited" not in [button.key for button in at.button]


def test_the_unedited_text_is_not_walked_by_another_navigator(page):
    with FakeOpenAI(brain()) as server:
        at = live_page(page)
        ask_server(at, server)
        at.text_area[0].set_value("Walk to the light, turn left.").run()
        press(at)
        at.number_input(key="live_set_groke_step_limit").set_value(7).run()
        at.button(key="live_unedited").click().run()
    assert "choose groke with openai\\:m@" in texts(at)
    assert len(live_runs().names()) == 1


def test_a_fork_is_compared_with_the_walk_it_came_from(page):
    at = live_page(page)
    at.text_area[0].set_value("Walk to the light, turn left.").run()
    press(at)
    parent = live_runs().names()[0]
    at.session_state["navviz"].live.fork = ForkPoint(parent, "2", 1, "walks/json")
    at.run()
    press(at)
    assert f"Before: {parent}. Now: rules." in texts(at)
    assert "Other navigator" not in texts(at)
    at.session_state["navviz"].live.fork = ForkPoint(parent, "2", 2, "walks/json")
    at.run()
    choose(at, "random-walker")
    press(at)
    assert "The navigator is random-walker instead of rules." in texts(at)
    assert not badges(at)


def test_no_key_is_told_beside_the_button(page):
    at = live_page(page)
    choose(at, "groke")
    press(at)
    assert "There is no key for Gemini" in texts(at)
    assert not traces()


def test_a_key_of_the_environment_is_used_but_not_shown(page, monkeypatch):
    with FakeGemini(brain()) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
        at = live_page(page)
        choose(at, "groke")
        assert at.text_input(key="live_key_gemini").placeholder == "Using the key in GEMINI_API_KEY"
        press(at)
    assert "Done" in texts(at)
    assert "$0.0" in texts(at)
    assert KEY not in texts(at)


def test_the_address_keeps_navigator_model_and_settings_but_no_key(page):
    fields = {
        "live_navigator_geo": "groke",
        "live_vendor": "OpenAI-compatible server",
        "live_server_model": "m",
        "live_set_groke_step_limit": "7",
        "live_model_thinking": "low",
        "live_key_openai": KEY,
    }
    at = live_page(page, **fields)
    assert at.selectbox(key="live_navigator_geo").value == "groke"
    assert at.selectbox(key="live_vendor").value == "OpenAI-compatible server"
    assert at.text_input(key="live_server_model").value == "m"
    assert at.number_input(key="live_set_groke_step_limit").value == 7
    assert at.selectbox(key="live_model_thinking").value == "low"
    assert at.text_input(key="live_key_openai").value == ""
    [episode] = [each for each in at.selectbox if each.label == "Episode"]
    ran(episode.set_value(next(option for option in ("1", "2") if option != episode.value)))
    assert at.selectbox(key="live_navigator_geo").value == "groke"


def test_a_stalled_stream_says_for_how_long_and_is_tried_again(page, monkeypatch):
    with FakeOpenAI([Silence()]) as server:
        at = live_page(page)
        ask_server(at, server)
        at.button(key="live_start").click().run()
        assert "Nothing has come" not in texts(at)
        monkeypatch.setattr("navviz.ui.live.stage._STALL_S", 0.0)
        at.run()
        assert re.search(r"Nothing has come for \d+ s\.", texts(at))
        [first] = live_runs().names()
        at.button(key="live_again").click().run()
        stalled = live_runs().get(first)
        assert stalled is not None
        stalled.join(120)
        ran(at)
        assert stalled.progress.end.status == "stopped"
        [second, old] = live_runs().names()
        assert old == first
        assert at.session_state["navviz"].live.run == second
        at.run()
        assert len(live_runs().names()) == 2


def test_a_run_of_an_earlier_server_is_read_from_disk(page):
    at = live_page(page)
    press(at)
    [path] = traces()
    live_runs.clear()
    at = live_page(page, live=path.parent.name)
    assert "read from disk" in texts(at)
    assert "no such" not in texts(live_page(page, live="../../etc/passwd"))


def test_a_kept_run_appears_in_explore(page):
    at = live_page(page)
    press(at)
    [field] = [element for element in at.text_input if (element.key or "").startswith("live_keep_")]
    field.set_value("my try").run()
    at.button(key="live_keep_button").click().run()
    assert not at.error
    assert (workspace_dir() / "runs" / "my try" / "2.trace.jsonl").exists()
    at = page("explore", run="my try")
    assert not at.warning
    assert any("Read 1 of 1 episode" in each.proto.popover.label for each in at.get("popover"))


def test_a_fork_goes_on_with_the_plan_as_edited(page):
    at = live_page(page)
    press(at)
    at.button(key="live_keep_button").click().run()
    at = page("live", fork_run="rules 2", fork_episode="2", fork_step="1")
    key = "live_plan_rules 2_2_1"
    old = read_trace(traces()[0])
    plan = old.steps[0].plan or old.sub_goals
    assert at.text_area(key=f"{key}_0").value == plan[0].description
    assert at.selectbox(key=f"{key}_0_state").options == list(get_args(SubGoalStatus))
    at.text_area(key=f"{key}_0").set_value("Walk on to the light").run()
    at.text_area(key=f"{key}_{len(plan)}").set_value("Stop there").run()
    at.selectbox(key=f"{key}_{len(plan)}_state").set_value("IN_PROGRESS").run()
    assert at.text_area(key=f"{key}_{len(plan) + 1}").value == ""
    press(at)
    [(path, forked)] = [
        (path, read_trace(path))
        for path in traces()
        if read_trace(path).header.forked_from is not None
    ]
    assert "plan" in forked.header.forked_from.changes
    goals = next(event for event in read_events(path) if isinstance(event, PlanEvent)).sub_goals
    assert goals[0].description == "Walk on to the light"
    assert (goals[-1].description, goals[-1].status, len(goals)) == (
        "Stop there",
        "IN_PROGRESS",
        len(plan) + 1,
    )


def test_a_fork_from_a_step_that_is_not_there_is_told(page):
    at = live_page(page)
    choose(at, "random-walker")
    press(at)
    at.button(key="live_keep_button").click().run()
    at = page("live", fork_run="random-walker 2", fork_episode="2", fork_step="99")
    assert "no step 99" in texts(at)


def test_an_episode_is_drawn_written_and_walked(page, opened):
    at = live_page(page)
    ran(at.segmented_control(key="live_part").set_value("new"))
    assert "Click a start and a goal" in texts(at)
    world = open_graph(opened.parent / "osm" / "graph").name
    # as two clicks on the map leave it
    at.session_state["navviz"].live.drawing = Drawing(world, "s1", "e1")
    at.run()
    assert at.text_area[0].value == ""
    press(at)
    assert "the instruction is empty" in texts(at)
    at.text_area[0].set_value("Go to the light and turn right.").run()
    press(at)
    [trace] = [read_trace(path) for path in traces()]
    assert (trace.episode.dataset, trace.episode.start, trace.episode.goal) == ("drawn", "s1", "e1")
    assert trace.episode.reference_path == ("s1", "s0", "x", "e0", "e1")
    assert "Done" in texts(at)
    at.button(key="live_draw_another").click().run()
    assert "Click a start and a goal" in texts(at)


def test_several_targets_are_drawn_and_walked_part_by_part(page, opened):
    at = live_page(page)
    at.segmented_control(key="live_part").set_value("new").run()
    at.segmented_control(key="live_draw_targets").set_value(2).run()
    world = open_graph(opened.parent / "osm" / "graph").name
    at.session_state["navviz"].live.drawing = Drawing(world, "s1", "x")
    at.run()
    assert "Click a start and a goal" in texts(at)  # the second target is still to be clicked
    at.session_state["navviz"].live.drawing = Drawing(world, "s1", "x", ("e1",))
    at.run()
    assert at.selectbox(key="live_navigator_geo_parts").value == "staged(rules)"
    at.text_area[0].set_value("Go straight to the light and stop. Then turn right and stop.").run()
    press(at)
    [trace] = [read_trace(path) for path in traces()]
    assert [task.goals for task in trace.episode.tasks] == [("x",), ("e1",)]
    assert trace.episode.tasks[0].description == "Go straight to the light and stop."
    assert trace.header.navigator == "staged(rules)"
    assert sum(step.decision is not None and step.decision.stop for step in trace.steps) == 2


def test_msnav_offers_its_settings(page):
    at = page("live", run="house/rules-indoors", episode="101_0")
    ran(at.selectbox(key="live_navigator_metric").set_value("msnav"))
    assert any("text variant" in caption.value for caption in at.caption)


def test_the_pictures_of_a_step_show_at_once_and_a_kept_run_has_them(page, monkeypatch):
    shown: list[tuple[dict[str, Any], PictureTable]] = []

    def player(document: dict[str, Any], *, pictures: PictureTable, **_: object) -> None:
        shown.append((document, pictures))

    monkeypatch.setattr(stage, "player", player)
    with FakeOpenAI(['Thought: Here.\nAction: Finish\nAction Input: "Finished!"']) as server:
        at = page("live", run="house/rules-indoors", episode="101_0")
        at.selectbox(key="live_navigator_metric").set_value("navgpt").run()
        at.selectbox(key="live_vendor").set_value("OpenAI-compatible server").run()
        at.text_input(key="live_url").set_value(server.url)
        at.text_input(key="live_server_model").set_value("m")
        at.selectbox(key="live_set_navgpt_views").set_value("pictures").run()
        press(at)
        sent = server.requests[0].body["messages"][-1]["content"]
    document, table = shown[-1]
    assert document["eyes"] == "pictures"
    prompts = document["pictures"]["prompts"]
    assert len(prompts) == sum(part["type"] == "image_url" for part in sent) == 24
    for number in {prompt["picture"] for prompt in prompts}:
        picture = table.files[number]
        assert picture is not None, document["pictures"]["all"][number]
        assert PictureCache().read(*picture)[0]
    # the cubes of the house: one looks around as in Replay
    assert document["pictures"]["places"]
    [field] = [element for element in at.text_input if (element.key or "").startswith("live_keep_")]
    field.set_value("seen").run()
    at.button(key="live_keep_button").click().run()
    views = workspace_dir() / "runs" / "seen" / "101_0.views"
    assert len(list(views.iterdir())) == 24


def tree(at: AppTest) -> list[dict[str, str]]:
    frames = [frame.value for frame in at.dataframe if "changed" in frame.value.columns]
    return frames[0].to_dict("records") if frames else []


def select_rows(at: AppTest, *rows: int) -> None:
    at.session_state["live_variants_table"] = {
        "selection": {"rows": list(rows), "columns": [], "cells": []}
    }
    at.run()


def test_a_tree_shows_every_try_and_two_open_in_compare(page, monkeypatch):
    # a page run alone has no others
    gone_to = _places(monkeypatch)
    at = live_page(page)
    assert not tree(at)
    original = at.text_area[0].value
    press(at)
    at.text_area[0].set_value("Walk to the light, turn left.").run()
    press(at)
    rows = tree(at)
    assert [row["variant"].strip().split(" ")[0] for row in rows] == ["Original", "└", "└"]
    assert rows[1]["changed"].startswith("navigator: rules instead of groke")
    assert "left" in rows[2]["changed"]
    assert all(row["outcome"].startswith(("success", "failure")) for row in rows)
    select_rows(at, 1)
    at.button(key="live_variants_show").click().run()
    assert at.text_area[0].value == original
    select_rows(at, 0, 2)
    ran(at.button(key="live_variants_compare").click())
    [(path, place)] = gone_to
    assert (path, place["other"]) == ("pages/compare.py", "walks/json")
    assert place["run"].startswith("rules-2")
    compare = page("compare", **place)
    assert ">left" in " ".join(str(element.proto.body) for element in compare.get("html"))


def _places(monkeypatch) -> list[tuple[str, dict[str, str]]]:
    """Note where buttons lead, with the address: a page whose fields stand in it cannot be left
    without another one.
    """
    places: list[tuple[str, dict[str, str]]] = []
    monkeypatch.setattr(
        "navviz.ui.live.variants.st.switch_page",
        lambda page, *, query_params: places.append((page, query_params)),
    )
    return places


def test_the_walk_above_is_compared_and_saved_with_no_row_chosen(page, monkeypatch):
    gone_to = _places(monkeypatch)
    at = live_page(page)
    at.text_area[0].set_value("Walk to the light, turn left.").run()
    press(at)
    at.button(key="live_variants_save").click().run()
    assert "Saved as episode 2-edit-1" in " ".join(each.value for each in at.success)
    again = page("live", run="edited", episode="2-edit-1")
    assert again.text_area[0].value == "Walk to the light, turn left."
    ran(at.button(key="live_variants_original").click())
    [(path, place)] = gone_to
    assert (path, place["other"]) == ("pages/compare.py", "walks/json")
    assert place["run"].startswith("rules-2")


def test_an_edited_text_is_walked_before_run_where_no_model_is_asked(page):
    at = live_page(page)
    assert "As you type" not in texts(at)
    at.text_area[0].set_value("Walk to the light, turn left. Stop after a few steps.").run()
    assert "As you type" in texts(at)
    assert not traces()
    at.text_area[0].set_value(" ").run()
    assert "the instruction is empty" in texts(at)
    at.text_area[0].set_value("Walk to the light, turn left.").run()
    choose(at, "groke")
    assert "As you type" not in texts(at)


def test_a_press_on_run_outlives_a_connection_that_is_lost_before_the_walk(page, monkeypatch):
    at = live_page(page)
    with monkeypatch.context() as lost:
        # a lost connection ends the script where it stands
        lost.setattr(live_cost, "show_estimate", lambda *_: st.stop())
        at.button(key="live_start").click().run()
    assert not live_runs().names()
    at.run()
    assert len(live_runs().names()) == 1
    at.run()
    assert len(live_runs().names()) == 1, "walked once"


def test_a_failed_instruction_is_repaired_by_one_click(page):
    at = live_page(page)
    at.text_area[0].set_value("Walk to the light and turn left. Stop by Blue Door Café.").run()
    press(at)
    at.button(key="live_repairs").click().run()
    assert "the route turns right there" in texts(at)
    at.button(key="live_repair_0").click().run()
    assert at.text_area[0].value == "Walk to the light and turn right. Stop by Blue Door Café."
    live = live_runs().get(live_runs().names()[0])
    assert live is not None
    live.join(30)
    at.run()
    assert live.episode.instruction == at.text_area[0].value
    assert len(live_runs().names()) == 2
    assert "success" in tree(at)[-1]["outcome"]
    assert not [button for button in at.button if button.key == "live_repairs"]


@pytest.mark.usefixtures("opened")
def test_of_a_house_one_draws_on_one_floor_at_a_time(page, monkeypatch):
    shown: list[tuple[dict[str, Any], str | None]] = []
    monkeypatch.setattr(
        draw, "pick_node", lambda document, *, words, **_: shown.append((document, words))
    )
    at = page("live", run="house/rules-indoors", episode="101_0")
    ran(at.segmented_control(key="live_part").set_value("new"))
    first = shown[-1][0]
    (choice,) = [
        control for control in at.segmented_control if control.key.startswith("live_draw_floor_")
    ]
    assert choice.options == ["Ground floor", "Upper floor"]
    world = choice.key.removeprefix("live_draw_floor_")
    at.session_state["navviz"].live.drawing = Drawing(world, first["ids"][0])
    at.run()
    ran(at.segmented_control(key=choice.key).set_value(1))
    other, words = shown[-1]
    assert not set(other["ids"]) & set(first["ids"])
    assert (other["start"], words) == (None, "Click the goal · the start is on the ground floor")


def test_what_a_run_would_cost_is_told_before_it_starts(page):
    at = live_page(page)
    assert "Costs nothing" in texts(at)
    choose(at, "groke")
    assert re.search(
        r"About \\\$\d+\.\d\d at list price: \d+ calls, [\d,]+ tokens of prompts", texts(at)
    )
    at.selectbox(key="live_vendor").set_value("OpenAI-compatible server").run()
    at.text_input(key="live_server_model").set_value("m").run()
    assert "Cost not known, the model has no list price: " in texts(at)
    ran(at.number_input(key="live_fan_samples").set_value(3))
    assert "3 walks; each cost not known, the model has no list price: " in texts(at)


def test_samples_and_models_walk_at_once_and_stand_in_one_table(page):
    with FakeOpenAI(brain()) as server:
        at = live_page(page)
        ask_server(at, server)
        at.number_input(key="live_fan_samples").set_value(2).run()
        at.multiselect(key="live_fan_models").set_value(["other"]).run()
        assert "4 walks" in texts(at)
        ran(at.button(key="live_start").click())
        for name in live_runs().names():
            live = live_runs().get(name)
            assert live is not None
            live.join(120)
        at.run()
        values = {request.body["model"] for request in server.requests}
    assert values == {"m", "other"}
    assert "4 of 4 walks" in texts(at)
    table = next(frame.value for frame in at.dataframe if "SR" in frame.value.columns)
    assert list(table["n"]) == [2, 2]
    assert list(table["Model"]) == ["openai:m", "openai:other"]
    fan = at.query_params["fan"]
    again = live_page(page, fan=fan[0] if isinstance(fan, list) else fan)
    assert "4 of 4 walks" in texts(again)
    gone = live_page(page, fan="fan-nobody")
    assert " of 4 walks" not in texts(gone)


def test_an_edited_prompt_is_walked_and_stands_in_the_header(page):
    with FakeOpenAI(brain()) as server:
        at = live_page(page)
        ask_server(at, server)
        at.button(key="live_prompt").click().run()
        assert "{sub_goal}" in at.text_area(key="live_prompt_user").value
        assert "`{map}` the visible area in the chosen format (needed)" in texts(at)
        at.session_state["navviz"].live.prompts["groke"] = "Only {sub_goal} and {map}"
        at.run()
        assert at.button(key="live_prompt").label.startswith("Prompt · edited")
        press(at)
        shown = [request.body["messages"][-1]["content"] for request in server.requests]
    assert any(str(text).startswith("Only ") for text in shown)
    [trace] = [read_trace(path) for path in traces()]
    assert trace.header.settings["prompt"] == "Only {sub_goal} and {map}"


def test_an_address_with_a_key_stands_nowhere(page):
    at = live_page(page)
    choose(at, "groke")
    ran(at.selectbox(key="live_vendor").set_value("OpenAI-compatible server"))
    at.text_input(key="live_server_model").set_value("m")
    for hidden in ("http://user:{}@h/v1", "http://h/v1?key={}", "http://h/{}/v1"):
        ran(at.text_input(key="live_url").set_value(hidden.format(KEY)))
        assert "The model's address holds" in at.error[0].value or "ends with" in at.error[0].value
        assert at.text_input(key="live_url").value == ""
        assert KEY not in str(at.query_params)
        assert KEY not in texts(at)


def test_only_a_listed_address_goes_into_a_link(page, monkeypatch):
    fields = {
        "live_navigator_geo": "groke",
        "live_vendor": "OpenAI-compatible server",
        "live_url": "http://evil.example/v1",
    }
    at = live_page(page, **fields)
    assert at.text_input(key="live_url").value == "http://evil.example/v1"
    assert "live_url" not in at.query_params
    monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", "https://lab.example/v1")
    ran(at.text_input(key="live_url").set_value("https://lab.example/v1"))
    assert "https://lab.example/v1" in str(at.query_params["live_url"])
    ran(at.text_input(key="live_url").set_value("http://10.0.0.1/v1"))
    assert "live_url" not in at.query_params


def test_a_server_refuses_an_address_when_it_is_typed(page, monkeypatch):
    monkeypatch.setenv("NAVVIZ_SERVER", '{"door": "open", "allow": ["models"]}')
    monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", "https://lab.example/v1")
    at = live_page(page, live_navigator_geo="groke", live_vendor="OpenAI-compatible server")
    assert at.text_input(key="live_url").value == ""
    ran(at.text_input(key="live_url").set_value("http://10.0.0.1/v1"))
    assert "its operator can allow it" in at.error[0].value
    ran(at.text_input(key="live_url").set_value("https://lab.example/v1"))
    ran(at.multiselect(key="live_fan_models").set_value(["openai:m@http://10.0.0.1/v1"]))
    assert at.multiselect(key="live_fan_models").value == []
    assert "its operator can allow it" in texts(at)
    ran(at.text_input(key="live_server_model").set_value("m@http://10.0.0.1/v1"))
    assert at.text_input(key="live_server_model").value == ""
    assert sum("its operator can allow it" in error.value for error in at.error) == 2


def test_a_fork_begins_with_the_walker_of_its_walk(page):
    at = page(
        "live",
        run="harbour/groke-by-hand",
        episode="1",
        fork_run="harbour/groke-by-hand",
        fork_episode="1",
        fork_step="2",
    )
    assert at.selectbox(key="live_navigator_geo").value == "groke"
    assert at.number_input(key="live_set_groke_retry_limit").value == 4
    assert at.number_input(key="live_set_groke_step_limit").value == 100
    # its replies were written by hand, which no form can ask
    assert "Not as it was recorded: the model scripted\\:written-by-hand" in texts(at)
    # what somebody changes stays, as long as it is the same fork
    at.number_input(key="live_set_groke_retry_limit").set_value(9).run()
    assert at.number_input(key="live_set_groke_retry_limit").value == 9


def test_a_walk_of_a_published_log_fills_the_form_in(page):
    at = live_page(page)
    assert at.selectbox(key="live_navigator_geo").value == "rules"
    at.button(key="live_as_walked").click().run()
    assert at.selectbox(key="live_navigator_geo").value == "groke"


def type_in(element: Any, text: str) -> None:
    """Type into a field, or a new option into a list, of which AppTest knows the offered ones."""
    if hasattr(element, "options"):
        element.options.append(text)
    ran(element.set_value(text))


TYPED_KEY = "xQ7vR2mK9tL4wZ8pB6nD1"


@pytest.mark.parametrize(
    ("vendor", "field"),
    [
        ("Gemini", "live_gemini_model"),
        ("OpenAI", "live_openai_model"),
        ("OpenAI-compatible server", "live_server_model"),
    ],
)
def test_a_key_is_no_name_of_a_model(page, vendor, field):
    typed = TYPED_KEY  # `llm/test_keys_hidden.py` has the shapes of all others
    at = live_page(page, **{field: typed})
    choose(at, "groke")
    ran(at.selectbox(key="live_vendor").set_value(vendor))
    kind = "text_input" if field == "live_server_model" else "selectbox"
    for _ in ("by a link", "typed"):
        assert "The model's name holds what looks like a key" in at.error[0].value
        assert not getattr(at, kind)(key=field).value
        for shown in (str(at.query_params), everything(at)):
            assert typed not in shown
        type_in(getattr(at, kind)(key=field), typed)
    type_in(getattr(at, kind)(key=field), "another-model")
    assert at.query_params[field] == "another-model"
    assert not at.error


def test_a_key_is_no_further_model(page):
    at = live_page(page)
    choose(at, "groke")
    typed = at.multiselect(key="live_fan_models").set_value([TYPED_KEY, "another-model"])
    ran(typed)
    assert "looks like a key" in at.error[0].value
    assert at.multiselect(key="live_fan_models").value == ["another-model"]
    assert TYPED_KEY not in everything(at)
