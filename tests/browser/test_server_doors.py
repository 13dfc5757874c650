"""Two visitors of one server try each door."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

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
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NAVVIZ_PASSWORD", "open sesame")
        rules = "--address 0.0.0.0 --door password --upload-mb 1 --request-s 600"
        with serving(
            "--graphs", str(graph), str(results), *rules.split(), workspace=folder
        ) as running:
            yield running


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
