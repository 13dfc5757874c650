"""Text from data, models and users stays text: in the page, on the map, in the exported file."""

import pytest

from navviz.views.player.document import replay_document
from navviz.views.player.html import document_page
from tests.browser.waits import at_step, expect, soon
from tests.replays import HOSTILE, full_trace, tiny_graph

pytestmark = pytest.mark.browser

TABS = (
    "thoughts", "prompt", "reply", "seen", "panel:Scores", "panel:Table", "panel:Facts",
    "panel:Around", "panel:Notes", "panel:Unknown",
)  # fmt: skip


OPENED = """async (tabs) => {
  const shut = [];
  for (const tab of tabs) {
    document.querySelector(`[data-tab="${tab}"]`).click();
    const open = () => document.querySelector(`.nv-open[data-tab="${tab}"]`);
    for (let left = 600; left && !open(); left -= 1) await new Promise(requestAnimationFrame);
    if (!open()) shut.push(tab);
  }
  await new Promise(requestAnimationFrame);
  return shut;
}"""
"""Open tabs one after another; return those that did not open."""


def test_hostile_text_stays_text(open_player):
    text = " ".join(HOSTILE)
    made = replay_document(
        full_trace(text=text),
        tiny_graph(poi_name=text),
        title=text,
        notes=[text],
        compare=full_trace(text=text),
        compare_label=text,
    )
    page = open_player(made)
    for tab in TABS:
        page.click(f'[data-tab="{tab}"]')
        expect(page.locator(f'.nv-open[data-tab="{tab}"]')).to_be_visible()
    for step in (2, 3, 4, 4):
        # painted above: what is in a tab loads and runs without that
        assert page.evaluate(OPENED, TABS) == []
        page.keyboard.press("ArrowRight")
        at_step(page, step)
    page.mouse.move(400, 450)
    assert page.evaluate("window.pwned") is None
    assert (
        page.locator(
            ".navviz-player img, .navviz-player script, .navviz-player iframe, .navviz-player a"
        ).count()
        == 0
    )
    soon(page, page.title, lambda title: title.split() == text.split())
    shown = page.inner_text(".nv-instruction p")
    assert "".join(text.split()) in "".join(shown.split())


def test_the_file_forbids_scripts_that_are_not_ours():
    page = document_page(replay_document(full_trace(), tiny_graph()))
    assert "default-src &#x27;none&#x27;" in page
    assert "unsafe-eval" not in page
    assert page.count("<script") == 4
