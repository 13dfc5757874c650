"""Live with pictures in a real browser: each is fetched once, however often the page is drawn."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from navviz.records import Trace
from navviz.runs.opened import open_run
from tests.browser.live_pages import RUN
from tests.browser.server import serving
from tests.browser.waits import expect, ready, rested, until
from tests.fake_servers import Answer, FakeOpenAI, Recorded
from tests.paths import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

EPISODE = "101_0"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(workspace=tmp_path_factory.mktemp("live_pictures")) as running:
        yield running


def _opened() -> Trace:
    run = open_run(SAMPLES / "house/runs/rules-indoors", graphs=SAMPLES / "house")
    return run.trace(EPISODE)


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    """Follow the reference path for two moves, in many words, so that the page is drawn anew
    within a step.
    """
    way = list(_opened().episode.reference_path[:3])

    replies = [f'I go on.\nAction: action_maker\nAction Input: "{node}"' for node in way[1:]]
    replies.append("Here.\nFinal Answer: Finished!")
    left = iter(replies)

    def answer(request: Recorded) -> Answer:
        # a call between two decisions writes the history, and looks at nothing
        if "Navigable Viewpoints" not in json.dumps(request.body["messages"]):
            return Answer("A room.")
        return Answer(f"Thought: {'I look around. ' * 15}{next(left)}", pieces=4, delay_s=0.02)

    with FakeOpenAI(answer) as server:
        yield server


@contextmanager
def counted(page: Page) -> Iterator[Counter[str]]:
    """Count how often the browser asked the server for each picture: its own copies do not count."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    result: Counter[str] = Counter()

    def answered(event: dict[str, Any]) -> None:
        response = event["response"]
        if "/_navviz/pictures/" in response["url"] and not response.get("fromDiskCache"):
            result[re.sub(r".*/", "", response["url"])] += 1

    network.on("Network.responseReceived", answered)
    yield result
    network.detach()


@pytest.mark.nightly
def test_a_live_run_fetches_each_picture_once(
    chromium: Browser, address: str, model: FakeOpenAI
) -> None:
    query = {
        "run": "house/rules-indoors",
        "episode": EPISODE,
        "live_navigator_metric": "navgpt",
        "live_vendor": "OpenAI-compatible server",
        "live_url": model.url,
        "live_server_model": "toy",
        "live_set_navgpt_views": "pictures",
    }
    page = chromium.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"{address}/live?{urlencode(query)}")
    ready(page, EPISODE)
    rested(page)
    with counted(page) as requests:
        page.locator(RUN).click()
        page.wait_for_url(re.compile("[?&]live=navgpt"))
        until(
            page,
            "(({ shows = '', steps = 0 }) => shows.startsWith('navgpt') && Number(steps) > 0)"
            "(document.querySelector('.navviz-player')?.dataset ?? {})",
        )
        # what is drawn anew with each word of the model, and looks into six faces
        page.locator("[data-tab=seen]").click()
        expect(page.locator(".st-key-live_head")).to_contain_text("Done")
        rested(page)
        # the opened run stands beside it, with a view of its own
        expect(page.locator(".nv-look").first).to_have_attribute("data-around", "true")
    assert len(requests) > 3
    assert requests.most_common(1)[0][1] == 1, requests
    # under another name with each document, a picture would be a new one each time
    places = {*_opened().episode.reference_path, *_opened().path}
    assert len({name.partition("?")[0] for name in requests}) <= len(places)
    page.context.close()
