"""Live in a real browser: thoughts stream in, stop works at once, a reload finds the run again,
clicks draw an episode.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import TYPE_CHECKING

import pytest

from navviz.views.player.document import replay_document
from tests.browser.live_pages import (
    PLAN,
    RUN,
    SHARE,
    live_window,
    run_again,
    settled,
    tiny_app,
)
from tests.browser.waits import expect, rested, same, until
from tests.fake_servers import Answer, FakeOpenAI, Recorded
from tests.replays import full_trace, tiny_graph

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


VIEW = "(({ map }) => [map.getSize(), map.getCenter(), map.getZoom()])(navvizPlayer.map)"
COVERED = """(() => {
  const over = document.querySelector(".navviz-player .nv-legend").getBoundingClientRect();
  const goal = document.querySelector(".navviz-player .nv-sign-goal").getBoundingClientRect();
  return over.height > 0 && goal.left < over.right && goal.right > over.left && goal.top < over.bottom && goal.bottom > over.top;
})()"""
"""Whether the legend lies over the goal."""


def plans(request: Recorded) -> bool:
    """Whether the request asks for the plan."""
    return "sub_goals" in json.dumps(request.body.get("response_format"))


def slow(request: Recorded) -> Answer:
    """Plans at once, then thinks for a minute."""
    if plans(request):
        return Answer(PLAN, "Planning.")
    return Answer("{}", "The light must be ahead of me. " * 40, pieces=300, delay_s=0.2)


@pytest.fixture(scope="module")
def model():
    with FakeOpenAI(slow) as server:
        yield server


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with tiny_app(tmp_path_factory.mktemp("live")) as running:
        yield running


@pytest.fixture(scope="module")
def window(chromium, address):
    with live_window(chromium, address) as window:
        yield window


@pytest.fixture
def live(window, request):
    with window.window.lent(request.node):
        yield window


def test_edit_and_run(live):
    tab = live.open()
    box = tab.get_by_label("Instruction", exact=True)
    box.click()
    tab.keyboard.press("Control+Home")
    tab.keyboard.type("Turn right at the light. ", delay=10)
    tab.locator(RUN).click()  # straight from the text, as people do
    settled(tab, "Done")
    expect(tab.locator("ins").first).to_have_text("Turn right at the light.")
    until(tab, "document.querySelectorAll('.navviz-player').length === 1")


def test_thoughts_stream_in_stop_works_and_a_reload_finds_the_run(live, model):
    tab = live.open()
    tab.get_by_role("combobox", name=re.compile("Navigator")).click()
    tab.get_by_role("option", name="groke", exact=True).click()
    tab.get_by_role("button", name=re.compile("Model: ")).click()
    tab.get_by_role("combobox", name=re.compile("Model from")).click()
    tab.get_by_role("option", name="OpenAI-compatible server").click()
    tab.get_by_label("Address", exact=True).fill(model.url)
    tab.get_by_label("Address", exact=True).press("Enter")
    tab.get_by_placeholder("qwen3:8b").fill("toy")
    tab.get_by_placeholder("qwen3:8b").press("Enter")
    # Streamlit takes a field over some time after its last key
    tab.wait_for_url(re.compile("=toy(&|$)"))
    expect(tab.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')).to_have_count(
        1
    )
    tab.keyboard.press("Escape")  # closes the model's form
    tab.locator(RUN).click()
    tab.get_by_text("Running", exact=False).first.wait_for()
    thoughts = tab.locator(".navviz-player").get_by_text("The light must be ahead of me").first
    thoughts.wait_for()
    first = len(tab.locator(".navviz-player").inner_text())
    until(tab, "n => document.querySelector('.navviz-player').innerText.length > n", arg=first)
    tab.reload()
    tab.get_by_text("Running", exact=False).first.wait_for()
    tab.get_by_role("button", name="Model: toy").click()
    for field, kept in (("[placeholder='qwen3:8b']", "toy"), ("[aria-label='Address']", model.url)):
        until(
            tab,
            "([field, kept]) => document.querySelector(field)?.value === kept",
            arg=[field, kept],
        )
    tab.wait_for_url(re.compile("live_navigator_geo=groke"))
    assert "live_key" not in tab.url
    tab.get_by_role("button", name="Stop", exact=True).click()
    tab.get_by_text("Stopped").first.wait_for()
    tab.get_by_role("button", name="Stop", exact=True).wait_for(state="detached")


def test_a_walk_pauses_where_f9_says_takes_an_edit_and_goes_on(live):
    tab = live.open(1280, 720)
    _write(tab, "Turn right at the light. ")
    tab.keyboard.press("Escape")
    # leaving the field runs the page once more, and what the player says meanwhile may be lost
    tab.locator("ins").first.wait_for()
    rested(tab)
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("F9")
    tab.get_by_role("button", name="Breakpoints (1)").wait_for()
    tab.reload()  # the browser has kept it
    tab.get_by_role("button", name="Breakpoints (1)").wait_for()
    rested(tab)
    tab.keyboard.press("Control+Enter")
    tab.get_by_text("Paused in step 1, at a decision").wait_for()
    tab.reload()  # the walk waits on, and its breakpoints are known
    tab.get_by_text("Paused in step 1, at a decision").wait_for()
    tab.get_by_role("combobox", name="Decision").click()
    tab.get_by_role("option", name="stop", exact=True).click()
    tab.keyboard.press("F8")  # works from within the field
    settled(tab, "Done")
    expect(tab.locator(".navviz-player .nv-mark-edited")).to_have_count(1)
    # other tests share the session
    tab.get_by_role("button", name="Breakpoints (1)").click()
    tab.get_by_role("button", name="Remove").click()
    tab.get_by_role("button", name="Breakpoints", exact=True).wait_for()
    tab.keyboard.press("Escape")


def _write(tab: Page, text: str) -> None:
    tab.get_by_label("Instruction", exact=True).click()
    tab.keyboard.press("Control+Home")
    tab.keyboard.insert_text(text)


def test_one_run_after_another_leaves_one_page_with_one_wide_player(live):
    tab = live.open()
    _write(tab, "Turn right at the light. ")
    for _ in range(2):  # 50 times, with a model, at night
        run_again(tab)
        settled(tab, "Done")
        assert tab.locator(RUN).count() == 1
        assert tab.evaluate(SHARE) >= 0.6
    assert tab.evaluate("navvizMost") == 1


def test_a_newer_document_is_not_painted_over_by_an_older_one(open_player):
    graph, whole = tiny_graph(), full_trace()
    older = replay_document(whole.model_copy(update={"end": None, "steps": whole.steps[:2]}), graph)
    long = json.dumps([*older["strings"], "x" * 2_000_000]).encode()  # takes a while to unpack
    older["strings"] = {"gzip": base64.b64encode(gzip.compress(long)).decode("ascii")}
    page = open_player(older, "?step=2")
    page.evaluate(
        "([older, newer]) => Promise.all([navvizPlayer.update(older), navvizPlayer.update(newer)])",
        [older, replay_document(whole, graph)],
    )
    expect(page.locator(".navviz-player")).to_have_attribute("data-steps", "4")
    expect(page.locator(".nv-outcome.nv-live")).to_have_count(0)


@pytest.mark.nightly
def test_clicks_and_keys_draw_a_task_of_two_parts(live):
    tab = live.open()
    tab.get_by_text("New episode").click()
    tab.get_by_role("radio", name="2 goals", exact=True).click()
    streets = tab.locator('[aria-label^="Map: click"]')
    streets.wait_for()
    tab.get_by_text("Click where the walk starts").wait_for()
    box = same(tab, streets.bounding_box)
    for x, y, each in ((0.41, 0.9, "Click target 1 of 2"), (0.41, 0.37, "Click target 2 of 2")):
        tab.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
        tab.get_by_text(each).wait_for()
    streets.focus()
    # the first shows where the keys stand: at target 1
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        tab.keyboard.press(key)
    tab.get_by_text("Click to choose").wait_for()
    text = tab.get_by_label("Instruction", exact=True)
    text.click()
    tab.keyboard.insert_text("Walk to the light and stop. Then turn right and stop.")
    tab.locator(RUN).click()
    tab.get_by_text("Task in 2 parts").wait_for()
    tab.locator(".nv-band").first.wait_for()


def test_a_prompt_is_checked_kept_used_and_restored(live):
    tab = live.open(
        live_navigator_geo="groke", live_vendor="OpenAI-compatible server", live_server_model="toy"
    )
    opener = tab.locator(".st-key-live_prompt button").first
    opener.click()
    dialog = tab.get_by_role("dialog")
    field = dialog.get_by_label("What each step asks")
    expect(field).to_have_value(re.compile("{sub_goal}"))
    field.fill("Only {sub_gaol} and {map}")
    field.blur()
    expect(dialog.get_by_text("did you mean {sub_goal}?")).to_be_visible()
    expect(dialog.get_by_role("button", name="Use this prompt")).to_be_disabled()
    field.fill("Only {sub_goal} and {map}")
    field.blur()
    expect(dialog.get_by_text("did you mean")).to_have_count(0)
    dialog.get_by_role("button", name="Keep this version").click()
    expect(dialog.get_by_text("Kept as")).to_be_visible()
    dialog.get_by_role("button", name="Shipped text").click()
    expect(field).to_have_value(re.compile("{landmarks}"))
    dialog.get_by_role("button", name="Restore").click()
    expect(field).to_have_value("Only {sub_goal} and {map}")
    dialog.get_by_role("button", name="Use this prompt").click()
    expect(dialog).to_have_count(0)
    expect(opener).to_contain_text("edited")


def test_run_keeps_its_colour_when_it_is_pressed(live):
    tab = live.open(1280, 720, "dark")
    tab.get_by_label("Instruction", exact=True).fill(
        "Turn right at the light and stop after a few steps."
    )
    button = tab.locator(RUN)
    colour = "button => getComputedStyle(button).backgroundColor"
    before = button.evaluate(colour)
    run_again(tab)
    settled(tab, "Done")
    button.hover()
    handle = button.element_handle()
    until(tab, f"([button, before]) => ({colour})(button) === before", arg=[handle, before])


@pytest.mark.nightly
def test_the_path_answers_while_one_types_and_a_model_waits(live):
    tab = live.open(1280, 720)
    head, field = tab.locator(".st-key-live_head"), tab.get_by_label("Instruction", exact=True)
    field.click()
    tab.keyboard.press("Control+End")
    tab.keyboard.type(" Turn right at the light and stop after a few steps.", delay=10)
    head.filter(has_text="As you type").wait_for()
    east = tab.locator(".navviz-player[data-shows^='typing']").get_attribute("data-digest")
    tab.keyboard.press("Control+a")
    tab.keyboard.type("Walk to the light. Turn left and stop after a few steps.", delay=10)
    until(tab, "old => document.querySelector('.navviz-player').dataset.digest !== old", arg=east)
    assert field.evaluate("field => field === document.activeElement")
    assert field.input_value() == "Walk to the light. Turn left and stop after a few steps."
    run_again(tab)
    settled(tab, "Done")
    assert head.get_by_text("As you type").count() == 0
    assert tab.evaluate("navvizMost") == 1


@pytest.mark.nightly
def test_keys_alone_run_fork_and_go_on(live):
    tab = live.open(1280, 720)
    field = tab.get_by_label("Instruction", exact=True)
    field.focus()
    tab.keyboard.press("Control+a")
    tab.keyboard.type("Walk to the light. Turn left and stop after a few steps.", delay=10)
    tab.keyboard.press("Control+Enter")
    settled(tab, "Done")
    run = tab.evaluate("new URL(location.href).searchParams.get('live')")
    tab.locator(".nv-instruction").filter(has_text="Turn left and stop").wait_for()
    tab.keyboard.press("Escape")  # leaves the field, if it still has the focus
    tab.keyboard.press("End")
    tab.keyboard.press("b")
    tab.locator(".st-key-live_forked").filter(has_text="Fork from step").wait_for()
    tab.keyboard.press("Control+Enter")
    until(tab, "old => new URL(location.href).searchParams.get('live') !== old", arg=run)
    settled(tab, "Done")


def test_the_legend_leaves_the_goal_free_wherever_the_map_is_moved(open_player):
    tab = open_player(replay_document(full_trace(), tiny_graph()))
    tab.set_viewport_size({"width": 800, "height": 600})
    same(tab, lambda: tab.evaluate(VIEW))  # the map fits itself to a new size once that is told
    tab.evaluate(
        """() => {
          const { map, legend, goal, plan } = navvizPlayer.map;
          const home = plan.getBoundingClientRect(), over = legend.box.getBoundingClientRect();
          const at = map.latLngToContainerPoint(navvizPlayer.map.spotAt(goal));
          const to = [over.left + over.width / 2 - home.left, over.top + over.height / 2 - home.top];
          map.panBy([at.x - to[0], at.y - to[1]], { animate: false });
        }"""
    )
    tab.locator(".nv-legend.nv-legend-up").wait_for()
    assert not tab.evaluate(COVERED)


@pytest.mark.parametrize(
    "told",
    [
        "document.querySelector('#navviz').style.width = '500px'; map.resize();",
        "map.map.fire('moveend');",
    ],
    ids=["size", "move"],
)
def test_what_is_told_late_does_not_reach_a_map_that_has_gone(open_player, told):
    tab = open_player(replay_document(full_trace(), tiny_graph()))
    text = f"() => {{ const {{ map }} = navvizPlayer; navvizPlayer.destroy(); {told} return map.gone; }}"
    assert tab.evaluate(text)  # an error in it fails the test
