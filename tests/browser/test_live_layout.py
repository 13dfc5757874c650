"""Live's layout in a real browser: one wide player, whatever run is shown, and nothing that
jumps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import pytest

from navviz.views.player.document import replay_document
from tests.browser.conftest import OpenPlayer
from tests.browser.live_pages import (
    PLAN,
    RUN,
    SHARE,
    LiveWindow,
    live_window,
    model_query,
    run_again,
    settled,
    tiny_app,
)
from tests.browser.waits import same, until
from tests.fake_servers import Answer, FakeOpenAI, Recorded
from tests.nights import by_day
from tests.replays import full_trace, tiny_graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


TOP = "document.querySelector('.navviz-player').getBoundingClientRect().top + window.scrollY"
"""The player's upper edge on the page."""
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


def fast(request: Recorded) -> Answer:
    """Answers at once: one step, done."""
    return Answer(
        PLAN if plans(request) else json.dumps({"subplan_status": "COMPLETED", "next_place": "x"}),
        "So.",
    )


def slow(request: Recorded) -> Answer:
    """Plans at once, then thinks for a minute."""
    return (
        Answer(PLAN)
        if plans(request)
        else Answer("{}", "Where is the light? " * 40, pieces=300, delay_s=0.2)
    )


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with tiny_app(tmp_path_factory.mktemp("layout")) as running:
        yield running


@pytest.fixture(scope="module")
def window(chromium: Browser, address: str) -> Iterator[LiveWindow]:
    with live_window(chromium, address) as window:
        yield window


@pytest.fixture
def live(window: LiveWindow, request: pytest.FixtureRequest) -> Iterator[LiveWindow]:
    with window.window.lent(request.node):
        yield window


@pytest.mark.nightly  # by day `test_live.py` runs twice without a model
@pytest.mark.parametrize("times", [50])
def test_fast_runs_never_show_two_players_nor_a_narrow_one(live: LiveWindow, times: int) -> None:
    with FakeOpenAI(fast) as model:
        tab = live.open(1280, 720, **model_query(model.url))
        tab.get_by_role("button", name="Model: toy").wait_for()
        for _ in range(times):
            run_again(tab)
            settled(tab, "Done")
            assert tab.evaluate(SHARE) >= 0.6
        assert tab.locator(RUN).count() == 1
        assert tab.evaluate("navvizMost") == 1


@pytest.mark.nightly
@pytest.mark.parametrize("times", [1, 50])
def test_slow_runs_that_are_stopped_never_show_two_players(live: LiveWindow, times: int) -> None:
    with FakeOpenAI(slow) as model:
        tab = live.open(1280, 720, **model_query(model.url))
        tab.get_by_role("button", name="Model: toy").wait_for()
        top = tab.evaluate(TOP)
        for _ in range(times):
            run_again(tab)
            tab.locator(".navviz-player").get_by_text("Where is the light?").first.wait_for()
            assert tab.evaluate(TOP) == top
            tab.get_by_role("button", name="Stop", exact=True).click()
            settled(tab, "Stopped")
            # the page does not jump when a run ends
            until(tab, f"top => {TOP} === top", arg=top)
        assert tab.evaluate(SHARE) >= 0.6
        assert tab.evaluate("navvizMost") == 1


@pytest.mark.nightly
def test_the_path_answers_while_one_types_and_a_model_waits(live: LiveWindow) -> None:
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
def test_keys_alone_run_fork_and_go_on(live: LiveWindow) -> None:
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


def test_the_legend_leaves_the_goal_free_wherever_the_map_is_moved(open_player: OpenPlayer) -> None:
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


def test_a_size_that_is_told_late_does_not_reach_a_map_that_has_gone(
    open_player: OpenPlayer,
) -> None:
    tab = open_player(replay_document(full_trace(), tiny_graph()))
    text = """() => {
      const { map } = navvizPlayer;
      navvizPlayer.destroy();
      document.querySelector("#navviz").style.width = "500px";
      map.resize();
      return map.gone;
    }"""
    assert tab.evaluate(text)  # an error in it fails the test


def test_a_move_that_is_told_late_does_not_reach_a_map_that_has_gone(
    open_player: OpenPlayer,
) -> None:
    tab = open_player(replay_document(full_trace(), tiny_graph()))
    text = """() => {
      const { map } = navvizPlayer;
      navvizPlayer.destroy();
      map.map.fire("moveend");
      return map.gone;
    }"""
    assert tab.evaluate(text)  # an error in it fails the test


@pytest.mark.parametrize("scheme", by_day(["light", "dark"], ["dark"]))
def test_run_keeps_its_colour_when_it_is_pressed(
    live: LiveWindow, scheme: Literal["light", "dark"]
) -> None:
    tab = live.open(1280, 720, scheme)
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
