"""The player in a real browser, from one HTML file, with no network."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from navviz.metrics.divergence import find_divergence
from navviz.records import SubGoal
from navviz.views.player.document import replay_document
from tests.browser.waits import at_step, expect, same, soon, until
from tests.nights import by_day
from tests.replays import full_trace, tiny_graph, waypoints_trace

pytestmark = pytest.mark.browser


def document(**more: Any) -> dict[str, Any]:
    trace, graph = full_trace(), tiny_graph()
    return replay_document(
        trace,
        graph,
        divergence=find_divergence(trace, graph),
        metrics={"SR": 0.0, "NE": 42.5, "SPL": None},
        **more,
    )


def test_keys_step_without_a_click_first(open_player):
    page = open_player(document())
    keys = (
        "ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home", "Shift+ArrowRight",
        "Shift+ArrowRight", "Home", "d",
    )  # fmt: skip
    for key, step in zip(keys, (2, 3, 2, 4, 0, 1, 2, 0, 2), strict=True):
        page.keyboard.press(key)
        at_step(page, step)
    # no key leads past an end: the one after it counts
    for past, key, step in (
        ("End ArrowRight", "ArrowLeft", 3),
        ("Home ArrowLeft", "ArrowRight", 1),
    ):
        for each in past.split():
            page.keyboard.press(each)
        page.keyboard.press(key)
        at_step(page, step)


@pytest.mark.parametrize("query", ["?step=99", "?step=-1", "?step=x", "?step="])
def test_a_step_that_does_not_exist_is_mended(open_player, query):
    shown = open_player(document(), query).get_attribute(".navviz-player", "data-step")
    assert shown in {"1", "4"}


def test_the_pane_tells_what_happened_in_the_step(open_player):
    page = open_player(document(), "?step=3")
    pane = page.locator(".nv-pane")
    assert "illegal" in pane.locator(".nv-decision").inner_text()
    assert pane.locator(".nv-foreign").first.inner_text() == "nowhere"
    assert [item.get_attribute("class") for item in pane.locator(".nv-plan li").all()] == [
        "nv-done",
        "nv-doing nv-current",
    ]
    assert pane.locator(".nv-prose h4").inner_text() == "Looking around"
    assert pane.locator(".nv-prose li").all_inner_texts() == ["go to e0", "or n0"]


def test_the_prompt_is_split_and_its_json_folds(open_player):
    page = open_player(document())
    page.click('[data-tab="prompt"]')
    expect(page.locator(".nv-part > summary")).to_have_text(["TASK", "Context:", "RULES"])
    legend = page.locator(".nv-json .nv-j-key", has_text="poi_legend")
    expect(legend).to_have_count(1)
    page.locator(".nv-json summary").first.click()
    expect(legend).to_be_hidden()
    page.keyboard.press("ArrowRight")
    at_step(page, 2)
    expect(legend).to_have_count(0)  # it stays folded in the next step


def test_what_was_spent_adds_up_and_missing_is_a_dash(open_player):
    page = open_player(document(), "?step=3")
    assert re.sub(r"\s+", " ", page.inner_text(".nv-tally")) == "tokens250+ time7.5 s cost$0.0030"
    bare = replay_document(waypoints_trace(), tiny_graph())
    page = open_player(bare)
    assert re.sub(r"\s+", " ", page.inner_text(".nv-tally")) == "tokens– time– cost–"


def test_pointing_at_an_id_lights_it_up_and_clicking_goes_there(open_player):
    page = open_player(document())
    ref = page.locator(".nv-prose .nv-ref", has_text="n0").first
    key = ref.get_attribute("data-ref")
    ref.hover()
    until(page, "navvizPlayer.map.groups.light.getLayers().length === 2")
    expect(ref).to_have_class(re.compile("nv-lit"))
    ref.click()
    node = int(str(key)[2:])
    gap = f"(() => {{ const m = navvizPlayer.map; const p = m.map.latLngToContainerPoint(m.spotAt({node})), s = m.map.getSize(); return Math.hypot(p.x - s.x / 2, p.y - s.y / 2); }})()"
    soon(page, lambda: page.evaluate(gap), lambda px: px < 3)


def test_pointing_at_the_map_lights_up_the_text(open_player):
    page = open_player(document())
    place = "(() => { const m = navvizPlayer.map, i = navvizPlayer.doc.nodes.ids.indexOf('n0'), p = m.map.latLngToContainerPoint(m.spotAt(i)), b = m.box.getBoundingClientRect(); return [p.x + b.x, p.y + b.y]; })()"
    x, y = same(page, lambda: page.evaluate(place))
    page.mouse.move(x + 60, y + 60)
    page.mouse.move(x, y)
    expect(page.locator(".nv-map-tip:not([hidden])")).to_contain_text("n0")
    expect(page.locator(".nv-prose .nv-ref.nv-lit")).to_have_text("n0")


def test_the_time_line_marks_and_seeks(open_player):
    page = open_player(document())
    kinds = {
        mark.get_attribute("data-mark"): mark.get_attribute("data-step")
        for mark in page.locator(".nv-mark[data-mark]").all()
    }
    assert kinds["divergence"] == "2"
    assert kinds["illegal"] == "3"
    assert kinds["retry"] == "2"
    assert kinds["stop"] == "4"
    assert page.locator(".nv-segment").count() == 2
    box = page.locator(".nv-track").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + 10)
    at_step(page, 3)


def test_every_panel_is_drawn_even_one_that_does_not_fit_its_kind(open_player):
    page = open_player(document())
    for title in ("Scores", "Table", "Facts", "Around", "Memory", "Notes", "Unknown", "Broken"):
        page.click(f'[data-tab="panel:{title}"]')
        expect(page.locator(f'[data-tab="panel:{title}"]')).to_have_class(re.compile("nv-open"))
        expect(page.locator(".nv-panel").first).to_have_text(re.compile(r"\S"), use_inner_text=True)


@pytest.mark.parametrize("theme", by_day(["light", "dark"], ["dark"]))
def test_the_theme_follows_the_system(open_player, theme):
    page = open_player(document())
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.wait_for_selector(f'.navviz-player[data-theme="{theme}"]')


@pytest.mark.parametrize("kind", ["no steps", "waypoints", "no reference", "running", "compared"])
def test_what_is_missing_is_no_trouble(open_player, kind):
    trace, graph = full_trace(), tiny_graph()
    bare = trace.episode.model_copy(update={"reference_path": (), "goal": None})
    documents = {
        "no steps": lambda: replay_document(
            trace.model_copy(update={"steps": (), "end": None}), graph
        ),
        "waypoints": lambda: replay_document(waypoints_trace(), graph),
        "no reference": lambda: replay_document(
            trace.model_copy(update={"header": trace.header.model_copy(update={"episode": bare})}),
            graph,
        ),
        "running": lambda: replay_document(full_trace(running=True), graph),
        "compared": lambda: document(
            compare=trace.model_copy(update={"steps": trace.steps[:2]}), compare_label="before"
        ),
    }
    page = open_player(documents[kind]())
    for key in ("Home", "ArrowRight", "ArrowRight", "End", "d"):
        page.keyboard.press(key)
    root = page.locator(".navviz-player")
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press("End")
    expect(root).to_have_attribute("data-step", str(root.get_attribute("data-steps")))


def test_a_live_run_is_followed_unless_the_user_looks_back(open_player):
    trace, graph = full_trace(running=True), tiny_graph()
    early = replay_document(trace.model_copy(update={"steps": trace.steps[:2]}), graph)
    late = replay_document(trace, graph)
    page = open_player(early)
    at_step(page, 2)
    expect(page.locator(".nv-streaming")).to_contain_text("Blue Door Café is")
    page.evaluate("doc => navvizPlayer.update(doc)", json.loads(json.dumps(late)))
    at_step(page, 4)
    page.keyboard.press("Home")
    at_step(page, 0)
    page.evaluate(
        "doc => navvizPlayer.update(doc)",
        json.loads(json.dumps(replay_document(full_trace(), graph))),
    )
    expect(page.locator(".nv-live")).to_have_count(0)
    at_step(page, 0)


def test_a_log_of_ends_alone_shows_at_its_end_which_sub_goal_was_given_up(open_player):
    trace = full_trace()
    plan = (
        SubGoal(description="Walk on", status="COMPLETED"),
        SubGoal(description="Turn", status="IN_PROGRESS", iteration=6),
    )
    assert trace.end is not None
    ends_alone = trace.model_copy(
        update={
            "sub_goals": tuple(
                goal.model_copy(update={"status": "TODO", "iteration": None}) for goal in plan
            ),
            "steps": tuple(
                step.model_copy(update={"plan": (), "sub_goal": None}) for step in trace.steps
            ),
            "end": trace.end.model_copy(update={"plan": plan}),
        }
    )
    page = open_player(replay_document(ends_alone, tiny_graph()))
    states = page.locator(".nv-plan li .nv-state")
    assert [state.get_attribute("aria-label") for state in states.all()] == ["to do", "to do"]
    page.keyboard.press("End")
    expect(states.nth(0)).to_have_attribute("aria-label", "completed")
    expect(states.nth(1)).to_have_attribute("aria-label", "in progress")
    expect(page.locator(".nv-plan li").nth(1)).to_contain_text("try 6")
