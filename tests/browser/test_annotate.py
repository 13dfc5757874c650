"""Annotating in a real browser: by keyboard, by clicking on the map, saved at once, and nothing from data is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from navviz.annotation.records import Item, Queue, Rating, Task
from navviz.annotation.store import FILE_NAME, AnnotationStore
from tests.browser.server import serving
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hacked=1"> Walk to the light and turn right.'
TASKS: tuple[Task, ...] = ("navigability", "follow", "failure")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, AnnotationStore]]:
    """The app with one queue for each task."""
    folder = tmp_path_factory.mktemp("annotate")
    graph = write_world(folder)
    walks = {key: {"json": ["s1", "x", "w1"]} for key in ("1", "2")}
    results = write_states(folder / "walks.json", walks, instruction=HOSTILE)
    store = AnnotationStore(f"sqlite:///{folder / FILE_NAME}")
    items = tuple(Item(dataset="map2seq", episode=key) for key in walks)
    for task in TASKS:
        store.study().queues.create(Queue(name=f"q {task}", task=task, items=items, source="walks"))
    with serving("--graphs", str(graph), "--results", str(results), workspace=folder) as address:
        yield address, store
    store.close()


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    strangers: list[str] = []
    context.on(
        "request",
        lambda request: (
            strangers.append(request.url) if urlsplit(request.url).hostname not in {"127.0.0.1", None} else None
        ),
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_default_timeout(30_000)
    yield page
    context.close()
    assert not strangers
    assert not errors


def sit_down(tab: Page, address: str, queue: str) -> None:
    """Sign in and choose a queue; by way of the first page, as a user comes."""
    tab.goto(address)
    tab.get_by_role("link", name="Annotate").click()
    tab.get_by_role("textbox", name="Pseudonym").fill("fox")
    tab.get_by_role("button", name="Start").click()
    tab.get_by_role("combobox", name="Queue").click()
    tab.get_by_role("option", name=queue).click()
    tab.get_by_text("Not rated yet").wait_for()


def rated(store: AnnotationStore, task: Task) -> list[Rating]:
    return store.study().ratings(task)


def test_a_rating_by_keyboard_is_saved_at_once_and_undone(tab: Page, study: tuple[str, AnnotationStore]) -> None:
    address, store = study
    sit_down(tab, address, "q navigability")
    tab.locator(".js-plotly-plot .scatterlayer").wait_for()
    tab.get_by_text("How sure are you?").click()
    tab.keyboard.press("y")
    tab.get_by_text(re.compile(r"Saved at \d")).wait_for()
    assert rated(store, "navigability")[0].value.navigable
    tab.keyboard.press("4")
    tab.locator('[data-testid="stBaseButton-primary"]', has_text="Sure").wait_for()
    assert rated(store, "navigability")[0].value.confidence == 4
    tab.keyboard.press("j")
    tab.get_by_text("Episode 2 · map2seq").wait_for()
    tab.keyboard.press("u")
    tab.get_by_text("Episode 1 · map2seq").wait_for()
    tab.get_by_text("Undone").wait_for()
    assert rated(store, "navigability")[0].value.confidence is None
    assert tab.get_by_text("<img src=x").count() >= 1
    assert tab.evaluate("window.hacked") is None


def test_a_walk_by_clicking_on_the_map(tab: Page, study: tuple[str, AnnotationStore]) -> None:
    address, store = study
    sit_down(tab, address, "q follow")
    choices = tab.locator(".js-plotly-plot path.point.plotly-customdata")
    choices.first.wait_for()
    assert tab.get_by_text("goal", exact=True).count() == 0
    box = choices.first.bounding_box()
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.get_by_text("1 choices so far").wait_for()
    tab.get_by_role("button", name="Here: I have arrived").click()
    tab.get_by_text("kept as a trace").wait_for()
    [rating] = rated(store, "follow")
    assert rating.value.walk[0] == "s1"
    assert len(rating.value.walk) > 1


def test_a_label_from_the_step_that_the_player_shows(tab: Page, study: tuple[str, AnnotationStore]) -> None:
    address, store = study
    sit_down(tab, address, "q failure")
    tab.wait_for_selector('.navviz-player[data-ready="true"]')
    tab.locator(".navviz-player").press("ArrowRight")
    step = int(tab.locator(".navviz-player").get_attribute("data-step"))
    tab.get_by_role("button", name="Label this step").click()
    tab.get_by_role("combobox", name="Label").click()
    tab.keyboard.type("A3.1")
    tab.get_by_role("option", name="A3.1").click()
    tab.get_by_role("button", name="Add").click()
    tab.get_by_text(f"(step {step})").wait_for()
    [label] = rated(store, "failure")[0].value.labels
    assert (label.code, label.step) == ("A3.1", step)
