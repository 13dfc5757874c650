"""Annotators at 8 keys a second, several at once, on each database: nothing lost, nothing doubled,
all in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from navviz.annotation.records import Item, Navigability, Queue
from navviz.annotation.store import FILE_NAME, AnnotationStore
from tests.annotation import postgres
from tests.browser.server import started
from tests.browser.waits import kept_cookie, until
from tests.conftest import missing
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

pytestmark = pytest.mark.browser

SIZE: ViewportSize = {"width": 1280, "height": 720}
EVERY_MS = 125
"""8 keys a second."""
NAMES = ("fox", "owl", "hare", "wren")
PRESS = """([keys, every]) => {
  window.pressed = 0;
  const timer = setInterval(() => {
    const key = keys[window.pressed];
    if (key === undefined) return clearInterval(timer);
    // an item is rated only with its map
    if (document.querySelector(".navviz-desk").dataset.ready !== "true") return;
    window.pressed += 1;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }, every);
}"""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / FILE_NAME}"
        return
    programs = postgres.binaries()
    if programs is None:
        missing("no PostgreSQL here: apt-get install postgresql to test annotations on it")
    with postgres.running(programs) as server:
        yield server.url


def answers(items: int, annotator: int) -> list[Navigability]:
    """What an annotator says of each item; no two annotators say the same."""
    return [
        Navigability(navigable=(i + annotator) % 2 == 0, confidence=1 + (i + annotator) % 5)
        for i in range(items)
    ]


def keys(values: list[Navigability]) -> list[str]:
    """An answer, a confidence, the next item."""
    return [
        key
        for value in values
        for key in ("y" if value.navigable else "n", str(value.confidence), "j")
    ]


def rate(
    seats: Iterable[BrowserContext],
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    items: int,
) -> None:
    """Let an annotator sit down in each of some browsers, and rate side by side."""
    monkeypatch.setenv("NAVVIZ_DB", url)
    graph = write_world(tmp_path)
    walks: dict[str, dict[str, list[str | None]]] = {
        str(i): {"json": ["s1", "x", "w1"]} for i in range(items)
    }
    results = write_states(
        tmp_path / "walks.json", walks, instruction="Walk to the light and turn right."
    )
    store = AnnotationStore(url)
    queued = tuple(Item(dataset="map2seq", episode=key) for key in walks)
    store.study().queues.create(Queue(name="q", task="navigability", items=queued, source="walks"))
    with started("--graphs", str(graph), str(results), workspace=tmp_path) as (port, _):
        tabs = {name: sit_down(seat, port, name) for seat, name in zip(seats, NAMES, strict=False)}
        for number, tab in enumerate(tabs.values()):
            tab.evaluate(PRESS, [keys(answers(items, number)), EVERY_MS])
        for tab in tabs.values():
            until(
                tab,
                "count => window.pressed === count",
                arg=3 * items,
                timeout=EVERY_MS * 12 * items + 60_000,
            )
            tab.wait_for_selector('.navviz-desk[data-waiting="0"]', timeout=180_000)
            tab.close()
    for number, name in enumerate(tabs):
        check(store, name, answers(items, number), queued)
    store.close()


def sit_down(browser: BrowserContext, port: int, name: str) -> Page:
    # a tab that was here before says who rates when it signs in, and not again
    browser.clear_cookies()
    tab = browser.new_page()
    tab.goto(f"http://127.0.0.1:{port}/annotate")
    tab.get_by_role("textbox", name="Pseudonym").fill(name)
    tab.get_by_role("button", name="Start").click()
    tab.wait_for_selector('.navviz-desk[data-ready="true"]')
    kept_cookie(tab, "navviz_annotator_")
    return tab


def check(
    store: AnnotationStore, name: str, expected: list[Navigability], queued: tuple[Item, ...]
) -> None:
    ratings = {
        rating.item: rating for rating in store.study().ratings() if rating.annotator == name
    }
    assert [ratings[item].value for item in queued] == expected, (
        "each item holds what was said last"
    )
    values = [edit for edit in store.study().history() if edit.annotator == name]
    pressed = [
        (item, answer)
        for item, value in zip(queued, expected, strict=True)
        for answer in (value.model_copy(update={"confidence": None}), value)
    ]
    assert [(edit.item, edit.after) for edit in values] == pressed, (
        "each key once, in the order of the keys"
    )
    assert all(rating.seconds is not None and rating.seconds >= 0 for rating in ratings.values())


@pytest.mark.nightly
def test_four_annotators_at_eight_keys_a_second(
    chromium: Browser, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browsers = [chromium.new_context(viewport=SIZE) for _ in NAMES]
    rate(browsers, url, tmp_path, monkeypatch, 200)
    for browser in browsers:
        browser.close()


@pytest.mark.nightly
def test_the_server_ends_and_comes_back(chromium: Browser, tmp_path: Path) -> None:
    graph = write_world(tmp_path)
    walks: dict[str, dict[str, list[str | None]]] = {
        str(i): {"json": ["s1", "x", "w1"]} for i in range(6)
    }
    results = write_states(
        tmp_path / "walks.json", walks, instruction="Walk to the light and turn right."
    )
    store = AnnotationStore(f"sqlite:///{tmp_path / FILE_NAME}")
    queued = tuple(Item(dataset="map2seq", episode=key) for key in walks)
    store.study().queues.create(Queue(name="q", task="navigability", items=queued, source="walks"))
    arguments = ("--graphs", str(graph), str(results))
    expected = answers(6, 0)
    with started(*arguments, workspace=tmp_path) as (port, _):
        tab = sit_down(chromium.new_context(viewport=SIZE), port, NAMES[0])
        for key in keys(expected[:3]):
            tab.keyboard.press(key)
        tab.wait_for_selector('.navviz-desk[data-waiting="0"]')
    tab.evaluate(PRESS, [keys(expected[3:]), EVERY_MS])
    tab.wait_for_selector('.navviz-desk[data-state="kept"]')
    with started(*arguments, workspace=tmp_path, port=port):
        tab.wait_for_selector('.navviz-desk[data-waiting="0"]', timeout=120_000)
    tab.context.close()
    check(store, NAMES[0], expected, queued)
    store.close()
