"""A talk from a disk: the keys that clickers send lead from slide to slide, and no request leaves it."""

from __future__ import annotations

import pytest

import navviz
from navviz.analysis.site.talk import Slide, Talk, talk_html
from tests.browser.waits import at_step, expect

pytestmark = pytest.mark.browser


def test_one_key_leads_from_slide_to_slide_without_a_network(own_page, tmp_path):
    run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules-local")
    first, second = list(run.traces)[:2]
    captions = ["It turns <b>left</b> here.", "And then here.", "Another walk."]
    places = [(first, 1), (first, 2), (second, 1)]
    slides = [
        Slide(run=run.name, episode=key, step=step, caption=caption)
        for (key, step), caption in zip(places, captions, strict=True)
    ]
    path = tmp_path / "talk.html"
    path.write_text(talk_html(Talk(slides=tuple(slides)), lambda _: run), encoding="utf-8")
    elsewhere: list[str] = []
    own_page.on("request", lambda request: elsewhere.append(request.url))
    own_page.goto(path.as_uri())

    def shows(number: int) -> None:
        expect(own_page.locator("#navviz")).to_have_attribute("data-slide", str(number))
        player = own_page.locator(".navviz-player.nv-present")
        expect(player).to_have_count(1)
        expect(player).to_have_attribute("data-episode", places[number - 1][0])
        at_step(own_page, places[number - 1][1])
        expect(own_page.locator(".nv-caption p")).to_have_text(captions[number - 1])

    shows(1)
    for key, number in [
        *[("PageDown", 2), ("Space", 3), ("ArrowRight", 3), ("PageUp", 2)],
        *[("ArrowLeft", 1), ("PageUp", 1), ("ArrowRight", 2), ("PageDown", 3)],
    ]:
        own_page.keyboard.press(key)
        shows(number)
    # the audience asks: and if it had turned right here?
    own_page.keyboard.press("x")
    expect(own_page.locator(".nv-whatif-box")).to_be_visible()
    own_page.reload()
    shows(3)
    assert {url for url in elsewhere if not url.startswith(("file:", "data:"))} == set()
