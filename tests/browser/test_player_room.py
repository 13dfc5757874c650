"""Room for the thoughts, splits that stay, presenting, search, raw texts and copies."""

from __future__ import annotations

from typing import Any

import pytest

from navviz.records import Call, Episode, SubGoal
from navviz.views.player.document import replay_document
from navviz.views.player.html import document_page
from tests.browser.waits import at_step, expect, ready, same, soon, until
from tests.nights import by_day
from tests.replays import full_trace, tiny_graph

pytestmark = pytest.mark.browser

THOUGHTS = "I look around and weigh what stands in the instruction against what I see. " * 60
INSTRUCTION = (
    "Walk up the street with the water on your right until you come to the second set of lights. Turn left there, with "
    "the Blue Door Café on the corner, and go on past the small park. At the next light bear right, cross to the other "
    "side and keep going for two more blocks. Stop in front of the shop with the green awning, just before the bus stop."
)


def document(goals: int = 6, instruction: str = INSTRUCTION) -> dict[str, Any]:
    """Steps with long thoughts, a plan of some sub-goals and a long instruction."""
    trace = full_trace()
    plan = tuple(
        SubGoal(description=f"Go past crossing {k} and look for the next light")
        for k in range(1, goals + 1)
    )
    call = trace.steps[0].calls[0].model_copy(update={"thoughts": THOUGHTS})
    steps = tuple(step.model_copy(update={"plan": plan, "calls": (call,)}) for step in trace.steps)
    episode: Episode = trace.episode.model_copy(update={"instruction": instruction})
    header = trace.header.model_copy(update={"episode": episode})
    return replay_document(
        trace.model_copy(update={"header": header, "steps": steps, "sub_goals": plan}),
        tiny_graph(),
        metrics={"NE": 3.0},
    )


LINES = """() => {
  const body = document.querySelector(".nv-tab-body").getBoundingClientRect();
  const text = document.querySelector(".nv-prose"), line = parseFloat(getComputedStyle(text).lineHeight);
  const top = Math.max(body.top, text.getBoundingClientRect().top);
  return Math.floor((Math.min(body.bottom, innerHeight) - top) / line);
}"""
"""Lines of thought that can be read without scrolling."""


@pytest.mark.parametrize(
    "size", by_day([(1280, 568), (1280, 720), (1440, 748), (1920, 928)], [(1280, 568), (1920, 928)])
)
def test_ten_lines_of_thought_and_the_transport_bar_are_seen(open_player, page, size):
    """568 px is what the app's own head leaves at 1280x720."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_player(document())
    soon(page, lambda: page.evaluate(LINES), lambda lines: lines >= 10)
    bar = same(page, page.locator(".nv-transport").bounding_box)
    assert bar["y"] + bar["height"] <= size[1]
    expect(page.locator(".nv-plan li.nv-current")).to_be_visible()
    expect(page.locator(".nv-where")).to_be_visible()


def test_thoughts_get_the_height_that_plan_and_decision_do_not_need(open_player, page):
    open_player(document(goals=1, instruction="Stop."))
    height = "document.querySelector('.nv-tab-body').clientHeight"
    short = same(page, lambda: page.evaluate(height))
    open_player(document(goals=9))
    soon(page, lambda: page.evaluate(height), lambda height: short > height + 60)


@pytest.mark.parametrize(
    ("split", "by", "part"), [("column", (-150, 0), ".nv-map"), ("row", (0, 90), ".nv-pane-top")]
)
def test_a_split_is_dragged_and_remembered(open_player, page, split, by, part):
    size = f"(() => {{ const b = document.querySelector('{part}').getBoundingClientRect(); return b.width + 10000 * b.height; }})()"
    open_player(document())
    first = same(page, lambda: page.evaluate(size))
    bar = page.locator(f".nv-split-{split}").bounding_box()
    assert bar
    x, y = bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=4)
    page.mouse.up()
    expect(page.locator(f".nv-split-{split}[data-dragged]")).to_have_count(0)
    dragged = same(page, lambda: page.evaluate(size))
    assert dragged != first
    page.reload()
    ready(page)
    soon(page, lambda: page.evaluate(size), lambda shown: shown == pytest.approx(dragged, abs=10))
    page.locator(f".nv-split-{split}").dblclick()
    soon(page, lambda: page.evaluate(size), lambda shown: shown == pytest.approx(first, abs=10))


def test_a_split_is_remembered_while_it_is_dragged(open_player, page):
    """A page may be left before the pointer is let go, or the pointer taken away."""
    open_player(document())
    bar = page.locator(".nv-split-row").bounding_box()
    assert bar
    page.mouse.move(bar["x"] + 60, bar["y"] + 2)
    page.mouse.down()
    page.mouse.move(bar["x"] + 60, bar["y"] + 72, steps=4)
    until(page, "document.querySelector('.nv-pane').dataset.row === 'set'")
    shown = same(
        page,
        lambda: page.evaluate(
            "document.querySelector('.nv-pane').style.getPropertyValue('--nv-row')"
        ),
    )
    kept = page.evaluate("JSON.parse(localStorage.getItem('navviz.split.row'))")
    assert f"{100 * kept:.2f}%" == shown
    page.locator(".nv-split-row").dispatch_event("pointercancel")
    page.locator(".nv-split-row").dispatch_event("lostpointercapture")
    page.mouse.move(bar["x"] + 60, bar["y"] + 10, steps=2)
    assert (
        page.evaluate("document.querySelector('.nv-pane').style.getPropertyValue('--nv-row')")
        == shown
    )


@pytest.mark.parametrize(
    "size",
    by_day([(1280, 720), (1920, 1080), (1024, 768), (1600, 1200)], [(1024, 768), (1920, 1080)]),
)
def test_presenting_shows_instruction_and_plan_whole(open_player, page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_player(document())
    page.keyboard.press("f")
    page.wait_for_selector(".nv-present-text .nv-instruction")
    cropped = """[...document.querySelectorAll(".nv-present-text, .nv-present-text p, .nv-plan, .nv-plan li, .nv-decision, .nv-pane-top, .nv-transport")]
        .filter((e) => { const b = e.getBoundingClientRect();
          return e.scrollHeight > e.clientHeight + 2 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1; }).map((e) => e.className)"""
    soon(page, lambda: page.evaluate(cropped), lambda parts: parts == [])
    type_px = "parseFloat(getComputedStyle(document.querySelector('.nv-present-text p')).fontSize)"
    # type that the last row can read
    soon(page, lambda: page.evaluate(type_px), lambda px: px >= size[0] / 80)
    soon(page, lambda: page.evaluate(LINES), lambda lines: lines >= 3)
    expect(page.locator(".nv-unknown").locator("visible=true")).to_have_count(0)


def test_unknown_facts_are_hidden_when_presenting(open_player, page):
    open_player(
        replay_document(full_trace().model_copy(update={"plan_calls": ()}), tiny_graph()), "?step=0"
    )
    tally = page.locator(".nv-tally")
    expect(tally).to_contain_text("–", use_inner_text=True)
    page.keyboard.press("f")
    expect(tally).not_to_contain_text("–", use_inner_text=True)


def test_search_leads_to_the_step_the_tab_and_the_words(open_player, page):
    trace = full_trace()
    result = (
        trace.steps[2]
        .calls[0]
        .model_copy(update={"thoughts": "A **long** look at the zebra crossing."})
    )
    steps = (
        *trace.steps[:2],
        trace.steps[2].model_copy(update={"calls": (result,)}),
        trace.steps[3],
    )
    open_player(replay_document(trace.model_copy(update={"steps": steps}), tiny_graph()))
    page.click('[data-tab="reply"]')
    page.keyboard.press("Control+k")
    page.keyboard.type("ZEBRA")
    expect(page.locator(".nv-hit")).to_have_count(1)
    expect(page.locator(".nv-hit")).to_contain_text("step 3 · thoughts")
    expect(page.locator(".nv-hit mark")).to_have_text("zebra")
    page.keyboard.press("Enter")
    at_step(page, 3)
    expect(page.locator(".nv-tab.nv-open")).to_have_text("Thoughts")
    until(page, "getSelection().toString() === 'zebra'")
    expect(page.locator(".nv-search")).to_be_hidden()


def test_search_finds_landmarks_and_says_when_there_is_nothing(open_player, page):
    open_player(document())
    page.keyboard.press("/")
    page.keyboard.type("blue door")
    expect(page.locator(".nv-hits")).to_contain_text("landmark")
    page.locator(".nv-search-field").fill("no such words")
    expect(page.locator(".nv-search-note")).to_contain_text("Nothing in this episode says that.")
    expect(page.locator(".nv-search-note")).to_contain_text("This file holds one episode only")
    page.keyboard.press("Escape")
    expect(page.locator(".nv-search")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    at_step(page, 2)


def test_the_key_after_the_one_that_closes_the_search_is_the_players(open_player, page):
    """Both keys come before the next frame: until then a browser leaves the focus in the field that
    has just gone.
    """
    open_player(document())
    page.keyboard.press("/")
    expect(page.locator(".nv-search")).to_be_visible()
    page.evaluate(
        """() => ["Escape", "ArrowRight"].forEach((key) =>
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true })))"""
    )
    at_step(page, 2)
    expect(page.locator(".nv-search")).to_be_hidden()


def test_each_call_can_be_seen_raw_and_copied(chromium, tmp_path):
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    path = tmp_path / "replay.html"
    path.write_text(document_page(replay_document(full_trace(), tiny_graph())), encoding="utf-8")
    page.goto(path.as_uri())
    ready(page)
    page.click('[data-tab="prompt"]')
    call: Call = full_trace().steps[0].calls[0]
    whole = "\n\n".join(f"{message.role}:\n{message.text}" for message in call.messages)
    page.click("[data-call=raw]")
    raw = "document.querySelector('.nv-raw')?.textContent"
    soon(page, lambda: page.evaluate(raw), lambda text: text == whole)
    page.click("[data-call=copy]")
    page.wait_for_selector("[data-call=copy][data-done]")
    soon(page, lambda: page.evaluate("navigator.clipboard.readText()"), lambda text: text == whole)
    page.click('[data-tab="reply"]')
    soon(page, lambda: page.evaluate(raw), lambda text: text == call.reply)
    context.close()


def test_a_long_id_is_short_and_copies_whole(open_player, page):
    prefix = "0123456789abcdef0123456789"
    trace = full_trace(text=f"at {prefix}x then")
    open_player(replay_document(trace, tiny_graph(prefix=prefix)))
    mark = page.locator(".nv-instruction .nv-cut").first
    assert mark.get_attribute("title") == f"{prefix}x"
    box = mark.bounding_box()
    assert box
    assert box["width"] < 90
    copied = page.evaluate(
        """() => { const range = document.createRange(); range.selectNodeContents(document.querySelector(".nv-instruction p"));
        getSelection().removeAllRanges(); getSelection().addRange(range); return getSelection().toString(); }"""
    )
    assert f"at {prefix}x then" in copied


def test_a_part_of_the_page_that_is_scrolled_does_not_stretch_the_player(open_player):
    tab = open_player(document())
    heights = tab.evaluate(
        """() => {
          const { body, documentElement } = document, far = document.createElement("div");
          documentElement.style.overflow = "hidden";
          body.style.cssText = "height: 400px; overflow: auto";
          far.style.height = "3000px";
          body.append(far);
          navvizPlayer.options.height = "fill";
          navvizPlayer.takeHeight();
          return [0, 1500].map((scrolled) => {
            body.scrollTop = scrolled;
            window.dispatchEvent(new Event("resize"));
            return [body.scrollTop, navvizPlayer.root.style.height];
          });
        }"""
    )
    assert [scrolled for scrolled, _ in heights] == [0, 1500]
    assert heights[0][1] == heights[1][1]
