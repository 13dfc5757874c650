"""Links in a browser: reload, back and forward between views."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from navviz.annotation.exchange import load_sample_study
from navviz.annotation.records import Item, Queue
from navviz.annotation.store import FILE_NAME, AnnotationStore
from tests.browser.server import serving
from tests.browser.waits import expect, rested, same, soon
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

RUN = "harbour/groke-by-hand"


SCREEN = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  if (!main) return [];
  const texts = (css, read) => [...main.querySelectorAll(css)].filter((e) => e.checkVisibility()).map(read);
  return [
    location.pathname,
    ...texts("[role=radio][aria-checked=true], button[aria-pressed=true]", (e) => e.textContent),
    ...texts(".stSelectbox input, .stNumberInput input", (e) => e.value),
    ...texts(".stMultiSelect [data-tag]", (e) => e.textContent),
    ...texts("[role=tab][aria-selected=true], h1, h2, h3", (e) => e.textContent),
    ...texts(".navviz-player", (e) => `episode ${e.dataset.episode}`),
    ...texts(".navviz-desk", (e) => `item ${e.dataset.episode} ${e.dataset.position}`),
    ...texts(".nl-card", (e) => "card").slice(0, 1),
  ];
}"""
"""What a page shows, as far as somebody chose it."""


@dataclass(frozen=True)
class Journey:
    """A screen, and one act there that leads to another screen."""

    path: str
    act: Callable[[Page], None]
    sign: str
    """Stands in the second screen's address, and not in the first's."""


def _press(name: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.get_by_test_id("stMain").get_by_text(name, exact=True).first.click()

    return act


def _choose(label: str, option: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.get_by_role("combobox", name=label).first.click()
        page.get_by_role("option", name=option).first.click()

    return act


_EIGHT = "&".join(["run=walks/m1", *(f"other=walks/m{n}" for n in range(2, 9))])
JOURNEYS = {
    "explore": Journey(f"/?run={RUN}", _press("Gallery"), "view=gallery"),
    "explore's panels": Journey(f"/?run={RUN}", _press("What goes wrong"), "panel=wrong"),
    "replay": Journey("/replay?run=walks/m1&episode=1", _press("Next"), "episode=2"),
    "live": Journey("/live?run=walks/m1&episode=1", _press("Many episodes"), "part=many"),
    "many episodes": Journey(
        "/live?run=walks/m1&part=many", _choose("Run", "walks/m2"), "run=walks%2Fm2"
    ),
    "compare three": Journey(
        "/compare?run=walks/m1&other=walks/m2&other=walks/m3&episode=1",
        _press("differences"),
        "shown=differences",
    ),
    "compare eight": Journey(f"/compare?{_EIGHT}&episode=1", _press("Next"), "episode=2"),
    "annotate": Journey("/annotate?queue=q+one&item=1", _choose("Queue", "q two"), "queue=q+two"),
    "study's set-up": Journey("/study?part=progress&queue=q+one", _press("Set up"), "part=queues"),
    "study's progress": Journey(
        "/study?part=progress&queue=q+one", _choose("Queue", "q two"), "queue=q+two"
    ),
    "study's results": Journey("/study?part=agreement", _press("Difficulty"), "part=difficulty"),
    "study's tables": Journey("/study?part=agreement", _press("Tables"), "part=tables"),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the sample, eight runs of a tiny world, and two queues of its episodes."""
    folder = tmp_path_factory.mktemp("addresses")
    graph = write_world(folder)
    walks: dict[str, dict[str, list[str | None]]] = {}
    for key in ("1", "2", "3"):
        walks[key] = {f"m{n}": ["s1", "x", "w1"] for n in range(1, 9)}
    results = write_states(folder / "walks.json", walks, instruction="Walk to the light.")
    store = AnnotationStore(f"sqlite:///{folder / FILE_NAME}")
    items = tuple(Item(dataset="map2seq", episode=key) for key in walks)
    for name in ("q one", "q two"):
        queue = Queue(name=name, task="navigability", items=items, source="walks/m1")
        store.study().queues.create(queue)
    load_sample_study(store.study())
    store.close()
    with serving("--graphs", str(graph), str(results), workspace=folder) as running:
        yield running


@pytest.fixture(scope="module")
def visitor(chromium: Browser, address: str) -> Iterator[BrowserContext]:
    """A visitor who has signed in as an annotator."""
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{address}/annotate?queue=q+one")
    page.get_by_role("textbox", name="Pseudonym").fill("fox")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".navviz-desk[data-ready=true]")
    yield context
    context.close()


def _screen(page: Page, sign: str, *, there: bool) -> list[str]:
    """What stands on the page once it has come to rest, with or without a sign in its address."""
    soon(page, lambda: sign in page.url, lambda seen: seen is there)
    rested(page)
    return list(same(page, lambda: page.evaluate(SCREEN)))


@pytest.mark.nightly
@pytest.mark.parametrize("name", JOURNEYS)
def test_link_reload_back_and_forward_show_the_same_screen(
    visitor: BrowserContext, address: str, name: str
) -> None:
    journey, page = JOURNEYS[name], visitor.new_page()
    page.set_default_timeout(120_000)
    page.goto("about:blank")
    page.goto(f"{address}{journey.path}")
    first = _settled(page, journey.sign, there=False)
    entries = page.evaluate("history.length")
    assert entries == 2, "what a page fills in by itself is no entry of the history"
    journey.act(page)
    second = _settled(page, journey.sign, there=True)
    assert second != first
    assert page.evaluate("history.length") == entries + 1
    _shows(page, journey.sign, second, there=True)
    page.go_back()
    _shows(page, journey.sign, first, there=False)
    page.go_forward()
    _shows(page, journey.sign, second, there=True)
    # as fast as one presses
    page.go_back()
    page.go_forward()
    page.go_back()
    _shows(page, journey.sign, first, there=False)
    page.go_forward()
    page.go_back()
    page.go_forward()
    _shows(page, journey.sign, second, there=True)
    page.reload()
    _shows(page, journey.sign, second, there=True)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    page.close()
    guest = visitor.new_page()
    guest.goto(link)
    _shows(guest, journey.sign, second, there=True)
    guest.close()


def _settled(page: Page, sign: str, *, there: bool) -> list[str]:
    """The screen that a page shows twice: on a loaded machine it rests between two runs, too."""
    seen = _screen(page, sign, there=there)
    for _ in range(5):
        page.wait_for_timeout(1_000)
        before, seen = seen, _screen(page, sign, there=there)
        if seen == before:
            break
    return seen


def _shows(page: Page, sign: str, screen: list[str], *, there: bool) -> None:
    """Fail where the page comes to rest on another screen, and stays there."""
    for _ in range(3):
        seen = _screen(page, sign, there=there)
        if seen == screen:
            return
        page.wait_for_timeout(1_000)
    assert seen == screen
