"""The notebook's widget in a page, with a model as anywidget makes one, and no kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import navviz
from navviz.support.installation.files import asset
from tests.browser.conftest import page_of
from tests.paths import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MODEL = """
async ([code, state]) => {
  const { default: widget } = await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const heard = {};
  const model = globalThis.model = {
    state, sent: [], saved: 0,
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const call of heard[`change:${name}`] ?? []) call();
    },
    save_changes: () => { model.saved += 1; },
    on: (name, call) => { (heard[name] ??= []).push(call); },
    off: (name, call) => { heard[name] = (heard[name] ?? []).filter((each) => each !== call); },
    send: (message) => model.sent.push(message),
    custom: (message) => { for (const call of heard["msg:custom"] ?? []) call(message); },
  };
  const el = document.body.appendChild(document.createElement("div"));
  el.id = "widget";
  globalThis.end = await widget.render({ model, el });
}
"""
READY = '.navviz-player[data-ready="true"]'


@pytest.fixture
def page(chromium):
    with page_of(chromium) as page:
        yield page


def rendered(page: Page, replay: navviz.Replay, output: str = "") -> None:
    """Render the widget of a replay in a page that may hold an output of it."""
    page.set_content(f"<!DOCTYPE html><body>{output}")
    widget = replay.widget
    if not output:
        widget._show()
    names = ("episode", "step", "playing", "selection", "height_px", "_frame", "_page", "_title")
    state = {name: getattr(widget, name) for name in names}
    page.evaluate(MODEL, [asset("notebook.js").read_text(encoding="utf-8"), state])


def state(page: Page) -> dict[str, Any]:
    whole = page.evaluate("model.state")
    return {name: whole[name] for name in ("step", "playing", "selection")}


def town(step: int | None = None) -> navviz.Replay:
    return navviz.replay(
        navviz.open_run(SAMPLES / "harbour" / "runs" / "groke-by-hand"), 1, step=step
    )


@pytest.mark.parametrize(
    "kept",
    [False, pytest.param(True, marks=pytest.mark.nightly)],
    ids=["own frame", "frame of an output"],
)
def test_step_selection_and_playing_go_both_ways(page, kept):
    replay = town(step=2)
    output = replay._html(replay.widget.frame_name).replace('loading="lazy"', "") if kept else ""
    rendered(page, replay, output)
    assert page.locator("#widget iframe").count() == (0 if kept else 1)
    frame = page.frame_locator("iframe")
    frame.locator(READY).wait_for()
    assert frame.locator(".navviz-player").get_attribute("data-step") == "2"
    frame.locator('[data-press="next"]').click()
    page.wait_for_function("model.state.step === 3")
    frame.locator(".nv-pane [data-ref]", has_text="traffic lights").first.click()
    page.wait_for_function("model.state.selection === 'traffic lights' && model.saved > 1")
    page.evaluate("model.set('step', 1)")
    frame.locator('.navviz-player[data-step="1"]').wait_for()
    page.evaluate("model.set('playing', true)")
    frame.locator('.navviz-player[data-playing="true"]').wait_for()
    page.wait_for_function("model.state.step === 4 && !model.state.playing")
    page.evaluate("model.set('selection', 'pharmacy')")
    frame.locator(".nv-ref.nv-lit", has_text="pharmacy").first.wait_for()
    assert state(page) == {"step": 4, "playing": False, "selection": "pharmacy"}
    frame.locator(".navviz-player").press("n")
    page.wait_for_function("model.sent.length === 1")
    assert page.evaluate("model.sent") == [{"navviz": "next"}]


@pytest.mark.nightly
def test_another_page_replaces_the_frame_and_a_widget_that_went_away_hears_nothing(page):
    replay = town()
    rendered(page, replay)
    frame = page.frame_locator("iframe")
    frame.locator(READY).wait_for()
    replay.widget.episode = "2"
    page.evaluate(
        "page => { model.set('step', 1); model.set('_page', page); }", replay.widget._page
    )
    frame.locator('.navviz-player[data-episode="2"][data-ready="true"]').wait_for()
    frame.locator('[data-press="last"]').click()
    page.wait_for_function("model.state.step > 1")
    page.evaluate("end()")
    assert page.locator("iframe").count() == 0
    saved = page.evaluate("model.saved")
    page.evaluate("postMessage({ navviz: 'state', step: 1, playing: false, selection: '' }, '*')")
    assert page.evaluate("new Promise((go) => setTimeout(() => go(model.saved)))") == saved


def test_only_its_frame_is_heard_and_only_what_fits(page):
    rendered(page, town(step=2))
    frame = page.frame_locator("iframe")
    frame.locator(READY).wait_for()
    page.evaluate("postMessage({ navviz: 'state', step: 4, playing: false, selection: '' }, '*')")
    inside = page.frames[1]
    for wrong in ({"step": "4"}, {"step": -1}, {"step": 4.5}, {"playing": 1}, {"selection": {}}):
        message = {"navviz": "state", "step": 4, "playing": False, "selection": ""} | wrong
        inside.evaluate("message => parent.postMessage(message, '*')", message)
    inside.evaluate("parent.postMessage({ navviz: 'episode', to: 'delete' }, '*')")
    inside.evaluate(
        "parent.postMessage({ navviz: 'state', step: 3, playing: false, selection: 'x'.repeat(9999) }, '*')"
    )
    page.wait_for_function("model.state.step === 3")
    assert page.evaluate("model.state.selection.length") == 500
    assert page.evaluate("model.sent") == []


@pytest.mark.nightly
def test_a_house_asks_the_kernel_for_plotly_once(page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    house = navviz.replay(navviz.open_run(SAMPLES / "house" / "runs" / "navgpt-by-hand"))
    rendered(page, house)
    frame = page.frame_locator("iframe")
    frame.locator(READY).wait_for()
    frame.get_by_role("button", name="Plan and 3-D scene").click()
    page.wait_for_function("model.sent.length === 1")
    assert page.evaluate("model.sent") == [{"navviz": "plotly?"}]
    answers: list[dict[str, str]] = []
    house.widget.send = answers.append
    house.widget._answer(house.widget, {"navviz": "plotly?"}, None)
    page.evaluate("answer => model.custom(answer)", answers[0])
    frame.locator('.nv-scene[data-ready="true"]').wait_for()
