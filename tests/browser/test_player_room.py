"""Room for the thoughts, splits that stay, presenting, search, raw texts and copies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from navviz.records import Call, Episode, SubGoal
from navviz.views.player.document import replay_document
from navviz.views.player.html import document_page
from tests.browser.conftest import OpenPlayer
from tests.replays import full_trace, tiny_graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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
    plan = tuple(SubGoal(description=f"Go past crossing {k} and look for the next light") for k in range(1, goals + 1))
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


@pytest.mark.parametrize("size", [(1280, 568), (1280, 720), (1440, 748), (1920, 928)])
def test_ten_lines_of_thought_and_the_transport_bar_are_seen(
    open_player: OpenPlayer, page: Page, size: tuple[int, int]
) -> None:
    """568 px is what the app's own head leaves at 1280x720."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_player(document())
    assert page.evaluate(LINES) >= 10
    bar = page.locator(".nv-transport").bounding_box()
    assert bar
    assert bar["y"] + bar["height"] <= size[1]
    assert page.locator(".nv-plan li.nv-current").is_visible()
    assert page.locator(".nv-where").is_visible()


def test_thoughts_get_the_height_that_plan_and_decision_do_not_need(open_player: OpenPlayer, page: Page) -> None:
    open_player(document(goals=1, instruction="Stop."))
    short = page.evaluate("document.querySelector('.nv-tab-body').clientHeight")
    open_player(document(goals=9))
    assert short > page.evaluate("document.querySelector('.nv-tab-body').clientHeight") + 60


@pytest.mark.parametrize(("split", "by", "part"), [("column", (-150, 0), ".nv-map"), ("row", (0, 90), ".nv-pane-top")])
def test_a_split_is_dragged_and_remembered(
    open_player: OpenPlayer, page: Page, split: str, by: tuple[int, int], part: str
) -> None:
    size = f"(() => {{ const b = document.querySelector('{part}').getBoundingClientRect(); return b.width + 10000 * b.height; }})()"
    open_player(document())
    first = page.evaluate(size)
    bar = page.locator(f".nv-split-{split}").bounding_box()
    assert bar
    x, y = bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=4)
    page.mouse.up()
    dragged = page.evaluate(size)
    assert dragged != first
    page.reload()
    page.wait_for_selector('.navviz-player[data-ready="true"]')
    assert page.evaluate(size) == pytest.approx(dragged, abs=10)
    page.locator(f".nv-split-{split}").dblclick()
    assert page.evaluate(size) == pytest.approx(first, abs=10)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768), (1600, 1200)])
def test_presenting_shows_instruction_and_plan_whole(
    open_player: OpenPlayer, page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_player(document())
    page.keyboard.press("f")
    page.wait_for_selector(".nv-told .nv-instruction")
    cropped = page.evaluate(
        """[...document.querySelectorAll(".nv-told, .nv-told p, .nv-plan, .nv-plan li, .nv-decision, .nv-pane-top, .nv-transport")]
        .filter((e) => { const b = e.getBoundingClientRect();
          return e.scrollHeight > e.clientHeight + 2 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1; }).map((e) => e.className)"""
    )
    assert cropped == []
    type_px = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.nv-told p')).fontSize)")
    assert type_px >= size[0] / 80, "type that the last row can read"
    assert page.evaluate(LINES) >= 3
    assert page.locator(".nv-unknown").count() == 0 or not page.locator(".nv-unknown").first.is_visible()


def test_unknown_facts_are_hidden_when_presenting(open_player: OpenPlayer, page: Page) -> None:
    open_player(replay_document(full_trace().model_copy(update={"plan_calls": ()}), tiny_graph()), "?step=0")
    assert "–" in page.inner_text(".nv-tally")
    page.keyboard.press("f")
    assert "–" not in page.inner_text(".nv-tally")


def test_search_leads_to_the_step_the_tab_and_the_words(open_player: OpenPlayer, page: Page) -> None:
    trace = full_trace()
    told = trace.steps[2].calls[0].model_copy(update={"thoughts": "A **long** look at the zebra crossing."})
    steps = (*trace.steps[:2], trace.steps[2].model_copy(update={"calls": (told,)}), trace.steps[3])
    open_player(replay_document(trace.model_copy(update={"steps": steps}), tiny_graph()))
    page.click('[data-tab="reply"]')
    page.keyboard.press("Control+k")
    page.keyboard.type("ZEBRA")
    assert page.locator(".nv-hit").count() == 1
    assert "step 3 · thoughts" in page.inner_text(".nv-hit")
    assert page.locator(".nv-hit mark").inner_text() == "zebra"
    page.keyboard.press("Enter")
    assert page.get_attribute(".navviz-player", "data-step") == "3"
    assert page.locator(".nv-tab.nv-open").inner_text() == "Thoughts"
    assert page.evaluate("getSelection().toString()") == "zebra"
    assert page.locator(".nv-search").is_hidden()


def test_search_finds_landmarks_and_says_when_there_is_nothing(open_player: OpenPlayer, page: Page) -> None:
    open_player(document())
    page.keyboard.press("/")
    page.keyboard.type("blue door")
    assert "landmark" in page.inner_text(".nv-hits")
    page.locator(".nv-search-field").fill("no such words")
    assert "Nothing" in page.inner_text(".nv-search-note")
    page.keyboard.press("Escape")
    assert page.locator(".nv-search").is_hidden()
    page.keyboard.press("ArrowRight")
    assert page.get_attribute(".navviz-player", "data-step") == "2"


def test_each_call_can_be_seen_raw_and_copied(chromium: Browser, tmp_path: Path) -> None:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    path = tmp_path / "replay.html"
    path.write_text(document_page(replay_document(full_trace(), tiny_graph())), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector('.navviz-player[data-ready="true"]')
    page.click('[data-tab="prompt"]')
    call: Call = full_trace().steps[0].calls[0]
    whole = "\n\n".join(f"{message.role}:\n{message.text}" for message in call.messages)
    page.click("[data-call=raw]")
    assert page.evaluate("document.querySelector('.nv-raw').textContent") == whole
    page.click("[data-call=copy]")
    page.wait_for_selector("[data-call=copy][data-done]")
    assert page.evaluate("navigator.clipboard.readText()") == whole
    page.click('[data-tab="reply"]')
    assert page.evaluate("document.querySelector('.nv-raw').textContent") == call.reply
    context.close()


def test_a_long_id_is_short_and_copies_whole(open_player: OpenPlayer, page: Page) -> None:
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
