"""Two visitors of one server try each door."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from navviz.annotation.records import Item, Queue
from navviz.annotation.store import FILE_NAME, AnnotationStore
from tests.browser.server import serving
from tests.browser.waits import kept_cookie, rested
from tests.browser.windows import GO
from tests.worlds import write_states, write_world

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("doors")
    graph = write_world(folder / "world")
    walks = {key: {"json": ["s1", "e1"]} for key in ("1", "2")}
    results = write_states(folder / "harvest.json", walks)
    _make_study(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NAVVIZ_PASSWORD", "open sesame")
        rules = "--address 0.0.0.0 --door password --upload-mb 1 --request-s 600"
        with serving(
            "--graphs", str(graph), str(results), *rules.split(), workspace=folder
        ) as running:
            yield running


def _make_study(folder: Path) -> None:
    """Two queues, and a researcher whose token is written down for the tests."""
    store = AnnotationStore(f"sqlite:///{folder / FILE_NAME}")
    study = store.study()
    items = tuple(Item(dataset="map2seq", episode=key) for key in ("1", "2"))
    for task, name in (("difficulty", "hard"), ("navigability", "easy")):
        study.queues.create(
            Queue(name=name, task=task, items=items, source="harvest", annotators=("fox",))
        )
    study.annotators.add("lead", "researcher")
    (folder / "token").write_text(study.annotators.set_token("lead"))
    store.close()


@pytest.fixture
def token(tmp_path_factory):
    """Return the token of the study's researcher."""
    return (tmp_path_factory.getbasetemp() / "doors0" / "token").read_text()


@pytest.fixture(scope="module")
def windows(chromium):
    """Two browsers that keep the app's files: to load them anew costs as much as a test."""
    rights = ["clipboard-read", "clipboard-write"]
    first, second = (chromium.new_context(permissions=rights) for _ in range(2))
    yield first, second
    first.close()
    second.close()


@pytest.fixture
def visitors(windows):
    """Two browsers whom the server has never let in."""
    yield windows
    for context in windows:
        for page in context.pages:
            page.evaluate("localStorage.clear()")
            page.close()
        context.clear_cookies()


def _heard(tab: Page) -> list[str]:
    """Everything that the server sends this tab from now on."""
    frames: list[str] = []
    tab.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda frame: frames.append(_text(frame))),
    )
    return frames


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode("utf-8", "replace")


def _knock(tab: Page, password: str) -> None:
    tab.get_by_label("Password", exact=True).fill(password)
    tab.get_by_role("button", name="Come in").click()


def test_two_visitors_try_each_door(address, visitors, tmp_path):
    """They open the first page by its link, and go to the others from there, which loads no bundle
    anew.
    """
    mine, theirs = (context.new_page() for context in visitors)
    outside = _heard(theirs)
    doors = {
        "Explore": "/",
        "Replay": "/replay?run=harvest&episode=1",
        "Study": "/study",
        "Live": "/live",
    }
    for number, (title, path) in enumerate(doors.items()):
        if number == 0:
            theirs.goto(f"{address}{path}")
        else:
            theirs.evaluate(GO, path)
        expect(theirs).to_have_title(title)
        rested(theirs)
        expect(theirs.get_by_label("Password", exact=True)).to_be_visible()
    assert not [frame for frame in outside if "harvest" in frame], (
        "a run's name was sent through the closed door"
    )

    mine.goto(f"{address}/explore?run=harvest")
    _knock(mine, "open barley")
    expect(mine.get_by_text("That is not the password")).to_be_visible()
    _knock(mine, "open sesame")
    expect(mine.get_by_role("button", name="Open …")).to_be_visible()
    expect(mine.get_by_role("button", name="Run over these episodes")).to_have_count(0)

    own = write_states(tmp_path / "private.json", {"1": {"json": ["s1", "e1"]}})
    mine.get_by_role("button", name="Open …").click()
    expect(mine.get_by_role("tab", name="Folder or file on this computer")).to_have_count(0)
    mine.locator("input[type=file]").set_input_files(str(own))
    mine.get_by_role("dialog").get_by_test_id("stBaseButton-primary").click()
    mine.wait_for_url(lambda url: "private" in url)
    kept_cookie(mine, "navviz_door")
    kept_cookie(mine, "navviz_visitor")
    mine.reload()  # the ticket in the browser opens the door
    expect(mine.get_by_role("button", name="Open …")).to_be_visible()

    _knock(theirs, "open sesame")
    expect(theirs.get_by_label("Password", exact=True)).to_have_count(0)
    inside = "".join(outside)
    assert "private" not in inside, "one visitor was told of another's upload"


@pytest.mark.nightly
def test_links_of_annotate_and_study_open_cold_behind_the_door(address, visitors, token):
    """The door and the form to sign in keep what the link says: queue, item, part and choices."""
    tab = visitors[0].new_page()
    tab.goto(f"{address}/annotate?queue=hard&item=2")
    _knock(tab, "open sesame")
    tab.get_by_role("textbox", name="Pseudonym").fill("fox")
    tab.get_by_role("button", name="Start").click()
    desk = tab.locator('.navviz-desk[data-ready="true"][data-episode="2"]')
    expect(desk).to_have_count(1)
    expect(tab.locator(".nv-axis").first).to_be_visible()
    assert _copied(tab) == {"queue": ["hard"], "item": ["2"]}

    link = "part=tables&study_runs=harvest&study_intervals=true&study_best=true"
    tab.goto(f"{address}/study?{link}")
    tab.get_by_role("textbox", name="Pseudonym").fill("lead")
    tab.get_by_role("textbox", name="Token").fill(token)
    tab.get_by_role("button", name="Open the study").click()
    expect(tab.get_by_role("switch", name="Best in bold")).to_be_checked()
    copied = _copied(tab)
    assert (copied["part"], copied["study_best"]) == (["tables"], ["true"])
    assert copied["study_intervals"] == ["true"]
    tab.get_by_text("Progress", exact=True).first.click()
    expect(tab.get_by_label("Queue").first).to_be_visible()
    # the first queue is nobody's choice, but the link names it: a later queue does not take its place
    assert _copied(tab)["queue"] == ["easy"]


def _copied(tab: Page) -> dict[str, list[str]]:
    """Press Copy link; returns what the link says."""
    rested(tab)
    tab.get_by_role("button", name="Copy link").click()
    tab.get_by_text("Copied", exact=True).wait_for()
    tab.get_by_text("Copied", exact=True).wait_for(state="detached")
    return parse_qs(urlsplit(tab.evaluate("navigator.clipboard.readText()")).query)
