"""Annotating in a real browser: by keyboard, by clicking on the map, saved at once, and nothing
from data is run.

One server and one window for all: each test is another annotator, who signs in where the one before
signed out, as at a machine of several annotators. All that the page keeps it keeps under the
annotator's name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from navviz.annotation.records import Item, Navigability, PictureBox, Queue, Rating, Task
from navviz.annotation.store import FILE_NAME, AnnotationStore
from tests.browser.conftest import FAILED
from tests.browser.server import serving
from tests.browser.waits import at_step, expect, kept_cookie, soon
from tests.observations.pictures.seen_runs import paint
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Request, ViewportSize

pytestmark = pytest.mark.browser

DESK = ".navviz-desk"
SIZE: ViewportSize = {"width": 1440, "height": 900}
HOSTILE = '<img src=x onerror="window.hacked=1"> Walk to the light and turn right.'
ANNOTATORS: dict[Task, tuple[str, ...]] = {
    "navigability": (
        "fox",
        "reloader",
        "skipper",
        "patient",
        "leaver",
        "quick",
        "careful",
        "drafter",
        "mapless",
        "even",
        "watched",
        "thumb",
    ),
    "difficulty": ("fox", "thumb"),
    "mentions": ("marker", "drawer"),
    "follow": ("walker",),
    "failure": ("labeller", "reader"),
}
"""Who rates what; a queue that is the annotator's only one is open at once."""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """The app with one queue for each task."""
    folder = tmp_path_factory.mktemp("annotate")
    graph = write_world(folder)
    for shade, place in enumerate(("s1", "s0", "x")):
        # where the walk begins one can look around
        paint(graph / f"{place}.jpg", (320, 160 if place == "s1" else 240), 60 + 60 * shade)
    walks = {key: {"json": ["s1", "x", "w1"]} for key in ("1", "2")}
    results = write_states(folder / "walks.json", walks, instruction=HOSTILE)
    store = AnnotationStore(f"sqlite:///{folder / FILE_NAME}")
    items = tuple(Item(dataset="map2seq", episode=key) for key in walks)
    for task, who in ANNOTATORS.items():
        store.study().queues.create(
            Queue(name=f"q {task}", task=task, items=items, source="walks", annotators=who)
        )
    with serving("--graphs", str(graph), str(results), workspace=folder) as address:
        yield address, store
    store.close()


@dataclass
class Window:
    """A browser whose tabs share what is loaded, and what has gone wrong in it since the last
    test.
    """

    context: BrowserContext
    seat: Page | None = None
    """The tab at which one annotator sits after the other."""
    heard: list[bytes] = field(default_factory=list)
    """All that the server has sent to the seat since somebody last left it."""
    strangers: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def take(self) -> Page:
        """Return the seat, or a new one that is heard from its first message on."""
        if self.seat is None:
            self.seat = self.context.new_page()
            self.seat.on("websocket", lambda socket: socket.on("framereceived", self.hear))
        return self.seat

    def hear(self, frame: str | bytes) -> None:
        self.heard.append(frame.encode() if isinstance(frame, str) else frame)

    def note(self, request: Request) -> None:
        if urlsplit(request.url).hostname not in {"127.0.0.1", None}:
            self.strangers.append(request.url)

    def take_faults(self) -> tuple[list[str], list[str]]:
        """Requests that left this machine, and errors, since it was last asked."""
        result, self.strangers, self.errors = (self.strangers, self.errors), [], []
        return result


@pytest.fixture(scope="module")
def window(chromium):
    context = chromium.new_context(viewport=SIZE)
    window = Window(context)
    context.on("request", window.note)
    context.on("weberror", lambda error: window.errors.append(str(error.error)))
    yield window
    context.close()


@pytest.fixture
def tab(window, request):
    """The tab of all tests, where nobody is signed in; after a failed test another one takes its
    place.
    """
    seat = window.take()
    yield seat
    window.seat = None
    if not request.node.stash.get(FAILED, False):
        leave(seat)
        window.seat = seat
    clear(window)


def leave(tab: Page) -> None:
    """Sign out, which leaves the form to sign in, and put the window's size back."""
    if (button := tab.get_by_role("button", name="Sign out")).count():
        button.click()
    tab.get_by_role("textbox", name="Pseudonym").wait_for()
    expect(tab.locator(DESK)).to_have_count(0)
    tab.evaluate("localStorage.clear(); sessionStorage.clear()")
    tab.set_viewport_size(SIZE)


def clear(window: Window) -> None:
    """Leave only the seat, and forget who rated; what went wrong in the window fails the test that
    was just run.
    """
    for page in window.context.pages:
        if page is not window.seat:
            page.close()
    window.context.clear_cookies()
    window.heard.clear()
    assert window.take_faults() == ([], [])


def sit_down(tab: Page, address: str, name: str) -> None:
    """Sign in; a tab that is new loads the page first."""
    if tab.url == "about:blank":
        tab.goto(f"{address}/annotate")
    tab.get_by_role("textbox", name="Pseudonym").fill(name)
    tab.get_by_role("button", name="Start").click()
    ready(tab)


def choose(tab: Page, queue: str) -> None:
    """Choose a queue, and wait for its desk: the desk of the queue before it stays ready until
    then.
    """
    box = tab.get_by_test_id("stSelectbox")
    stays = queue in box.evaluate(
        "box => [box.innerText, ...[...box.querySelectorAll('input')].map((i) => i.value)].join()"
    )
    tab.evaluate("document.querySelector('.navviz-desk').dataset.earlier = ''")
    tab.get_by_role("combobox").click()
    tab.get_by_role("option", name=queue).click()
    tab.wait_for_selector(f"""{DESK}{"" if stays else ":not([data-earlier])"}[data-ready="true"]""")
    expect(tab.locator(DESK)).to_have_count(1)


def ready(tab: Page) -> None:
    tab.wait_for_selector(f'{DESK}[data-ready="true"]')


def saved(tab: Page) -> None:
    """Wait until the server has everything."""
    tab.wait_for_selector(f'{DESK}[data-waiting="0"]')


def at_episode(tab: Page, episode: str) -> None:
    tab.wait_for_selector(f'{DESK}[data-episode="{episode}"]')


def rated(store: AnnotationStore, task: Task, name: str = "fox") -> list[Rating]:
    return [rating for rating in store.study().ratings(task) if rating.annotator == name]


def test_a_rating_by_keyboard_acts_at_once_and_is_undone(tab, study):
    address, store = study
    tab.goto(address)  # by way of the first page, as a user comes; all others take the link
    tab.get_by_role("link", name="Annotate").click()
    sit_down(tab, address, "fox")
    choose(tab, "q navigability")
    expect(tab.get_by_role("combobox")).to_be_focused()
    # the second item is rated only with its map
    tab.wait_for_selector(f'{DESK}[data-shelf~="1"]')
    for key in ("4", "y", "5", "j", "n"):
        tab.keyboard.press(key)
    at_episode(tab, "2")
    saved(tab)
    first, second = soon(tab, lambda: rated(store, "navigability"), lambda kept: len(kept) == 2)
    assert (first.value.navigable, first.value.confidence, second.value.navigable) == (
        True,
        5,
        False,
    )
    edits = [
        edit
        for edit in store.study().history(first.item, "navigability")
        if edit.annotator == "fox"
    ]
    assert [edit.after.confidence for edit in edits] == [4, 5]
    tab.keyboard.press("u")
    tab.keyboard.press("u")
    at_episode(tab, "1")
    saved(tab)
    soon(
        tab,
        lambda: [one.value.confidence for one in rated(store, "navigability")],
        lambda confidence: confidence == [4],
    )
    expect(tab.locator(".nv-desk-text")).to_contain_text("<img src=x")
    assert tab.evaluate("window.hacked") is None
    assert tab.locator(f"{DESK} img").count() == 0


def test_a_phone_rates_by_thumb_with_the_sentence_in_view(chromium, study):
    address, store = study
    phone = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    tab = phone.new_page()
    sit_down(tab, address, "thumb")
    text = tab.locator(".nv-desk-text")
    small = """() => [...document.querySelectorAll(".navviz-desk button")].filter((button) => {
      const { width, height } = button.getBoundingClientRect();
      return width > 0 && (width < 44 || height < 44);
    }).map((button) => button.outerHTML)"""

    def press(*names: str) -> None:
        for name in names:
            tab.locator(DESK).get_by_role("button", name=name, exact=True).tap()
            expect(text).to_be_in_viewport(ratio=0.9)

    choose(tab, "q navigability")
    assert tab.evaluate(small) == []
    expect(tab.locator(f"{DESK} kbd:visible")).to_have_count(0)
    press("Yes", "Sure", "Next")
    at_episode(tab, "2")
    press("No", "Certain")
    saved(tab)
    choose(tab, "q difficulty")
    assert tab.evaluate(small) == []
    expect(tab.locator(f"{DESK} kbd:visible")).to_have_count(0)
    axes = ("Linguistic intricacy", "Topological complexity", "Operational demand")
    press(*(f"{axis}: {level}" for axis, level in zip(axes, (2, 10, 6), strict=True)))
    press("Next")
    at_episode(tab, "2")
    press(*(f"{axis}: {level}" for axis, level in zip(axes, (1, 5, 9), strict=True)))
    saved(tab)
    phone.close()
    answers = [
        (one.value.navigable, one.value.confidence) for one in rated(store, "navigability", "thumb")
    ]
    assert answers == [(True, 4), (False, 5)]
    levels = [one.value.axes for one in rated(store, "difficulty", "thumb")]
    assert levels == [(2, 10, 6), (1, 5, 9)]


def test_a_reload_comes_back_to_the_same_item_without_asking_who(tab, study):
    address, _ = study
    sit_down(tab, address, "reloader")
    tab.keyboard.press("j")
    at_episode(tab, "2")
    kept_cookie(tab, "navviz_annotator_")
    tab.reload()
    at_episode(tab, "2")
    tab.get_by_role("button", name="Sign out reloader").click()
    tab.get_by_role("textbox", name="Pseudonym").wait_for()
    kept_cookie(tab, "navviz_annotator_", gone=True)
    tab.reload()
    tab.get_by_role("textbox", name="Pseudonym").wait_for()


def test_a_finished_rating_takes_a_key_to_change(tab, study):
    address, store = study
    sit_down(tab, address, "careful")
    for key in ("y", "j", "k", "n"):
        tab.keyboard.press(key)
    expect(tab.get_by_text("You rated this item before.")).to_be_visible()
    saved(tab)
    assert [one.value.navigable for one in rated(store, "navigability", "careful")] == [True]
    tab.get_by_role("button", name="No", exact=False).first.click()
    expect(tab.get_by_text("This item is rated. E changes it.")).to_be_visible()
    tab.keyboard.press("e")
    tab.keyboard.press("n")
    saved(tab)
    soon(
        tab,
        lambda: [one.value.navigable for one in rated(store, "navigability", "careful")],
        lambda answers: answers == [False],
    )


def test_drafts_survive_a_reload_and_undo_gives_them_back(tab, study):
    address, store = study
    sit_down(tab, address, "drafter")
    kept_cookie(tab, "navviz_annotator_")
    tab.keyboard.press("3")
    tab.keyboard.press("c")
    tab.keyboard.type("the sign is new")
    tab.reload()
    ready(tab)
    expect(tab.get_by_role("textbox", name="Comment")).to_have_value("the sign is new")
    for key in ("y", "u", "y"):
        tab.keyboard.press(key)
    saved(tab)
    kept = soon(
        tab, lambda: rated(store, "navigability", "drafter"), lambda kept: kept and kept[0].value
    )
    assert kept[0].value.confidence == 3


@pytest.mark.nightly
def test_without_its_map_an_item_is_rated_only_on_purpose(tab, study):
    address, store = study
    # maps never come: what asks for them is dropped
    other = tab.context.new_page()
    other.add_init_script(
        "const send = WebSocket.prototype.send;"
        "WebSocket.prototype.send = function (data) {"
        "  const text = new TextDecoder('latin1').decode(data);"
        "  if (!text.includes('positions')) send.call(this, data);"
        "};"
    )
    other.goto(f"{address}/annotate")
    other.get_by_role("textbox", name="Pseudonym").fill("mapless")
    other.get_by_role("button", name="Start").click()
    other.wait_for_selector(f'{DESK}[data-ready="false"]')
    other.keyboard.press("y")
    expect(other.get_by_text("The map of this item is not here")).to_be_visible()
    assert rated(store, "navigability", "mapless") == []
    other.keyboard.press("b")
    other.keyboard.press("y")
    saved(other)
    kept = soon(other, lambda: rated(store, "navigability", "mapless"), lambda kept: len(kept) == 1)
    assert kept[0].value.without_map
    other.close()


def test_skip_asks_why_in_one_key(tab, study):
    address, store = study
    sit_down(tab, address, "skipper")
    tab.keyboard.press("s")
    tab.keyboard.press("4")
    saved(tab)
    entry = soon(
        tab, lambda: store.sign_in("skipper").items("q navigability")[0], lambda entry: entry.reason
    )
    assert (entry.skipped, entry.reason) == (True, "I know this place")
    at_episode(tab, "2")


HOLD = """() => {
  const { send } = WebSocket.prototype, held = [];
  WebSocket.prototype.send = function (data) { held.push([this, data]); };
  window.others = () => { WebSocket.prototype.send = send; };
  window.release = () => { for (const [socket, data] of held) send.call(socket, data); };
}"""
"""Keep back what the window sends, as a slow network does, while what it sends after `others` goes
through.
"""


@pytest.mark.nightly
def test_what_was_sent_last_as_one_signs_out_does_not_bring_the_desk_back(tab, study):
    address, store = study
    sit_down(tab, address, "leaver")
    tab.wait_for_selector(f'{DESK}[data-shelf~="1"]')
    tab.evaluate(HOLD)
    tab.keyboard.press("y")
    tab.wait_for_selector(f'{DESK}[data-waiting="1"]')
    tab.evaluate("others()")
    tab.get_by_role("button", name="Sign out").click()
    tab.get_by_role("textbox", name="Pseudonym").wait_for()
    tab.evaluate("release()")
    sit_down(tab, address, "leaver")
    saved(tab)
    soon(tab, lambda: rated(store, "navigability", "leaver"), lambda kept: len(kept) == 1)


@pytest.mark.nightly
def test_difficulty_by_digits_alone(tab, study):
    address, store = study
    sit_down(tab, address, "fox")
    choose(tab, "q difficulty")
    for key in ("3", "0", "5"):
        tab.keyboard.press(key)
    saved(tab)
    soon(
        tab,
        lambda: [one.value.axes for one in rated(store, "difficulty")],
        lambda axes: axes == [(3, 10, 5)],
    )


@pytest.mark.nightly
def test_mentions_by_keys_and_their_links(tab, study):
    address, store = study
    sit_down(tab, address, "marker")
    tab.locator(".nv-word", has_text="light").click()
    tab.keyboard.press("1")
    saved(tab)
    [kept] = soon(
        tab,
        lambda: rated(store, "mentions", "marker"),
        lambda kept: kept and kept[0].value.mentions,
    )
    [mention] = kept.value.mentions
    assert (mention.text, HOSTILE[mention.start : mention.end]) == ("light", "light")
    assert mention.poi_id is not None
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press(" ")
    saved(tab)
    soon(
        tab,
        lambda: [one.text for one in rated(store, "mentions", "marker")[0].value.mentions],
        lambda words: words == ["light and"],
    )


@pytest.mark.nightly
def test_a_landmark_is_a_box_in_a_picture_by_keys_and_by_the_mouse(tab, study):
    address, store = study
    sit_down(tab, address, "drawer")
    tab.locator(".nv-word", has_text="light").click()
    tab.keyboard.press("x")
    dialog = tab.locator(".nv-box")
    expect(dialog).to_contain_text("Picture 1 of 3: place 1 of 5 of the route")
    expect(dialog.locator("img")).to_have_js_property("naturalWidth", 320)
    for key in ("PageDown", "ArrowLeft", "Shift+ArrowDown", "Enter"):
        tab.keyboard.press(key)
    expect(dialog).to_have_count(0)
    saved(tab)
    tab.get_by_text("Marked in graph/s0.jpg.").wait_for()

    def box() -> Any:
        [kept] = rated(store, "mentions", "drawer")
        return kept.value.mentions[0].box

    kept = soon(tab, box, bool)
    assert kept == PictureBox(picture="graph/s0.jpg", x=33, y=35, width=30, height=32)
    tab.get_by_role("button", name="Mark it in a picture").click()
    frame = tab.locator(".nv-box-frame").bounding_box()
    assert frame is not None
    tab.mouse.move(frame["x"] + 0.25 * frame["width"], frame["y"] + 0.5 * frame["height"])
    tab.mouse.down()
    tab.mouse.move(frame["x"] + 0.75 * frame["width"], frame["y"] + 2 * frame["height"])
    tab.mouse.up()
    tab.get_by_role("button", name="Keep the box").click()
    saved(tab)
    drawn = soon(tab, box, lambda one: one is not None and one.y > 40)
    assert (round(drawn.x), round(drawn.y)) == (25, 50)
    assert (round(drawn.width), round(drawn.height)) == (50, 50), "it ends at the picture's edge"
    tab.keyboard.press("x")
    tab.keyboard.press("Delete")
    saved(tab)
    soon(tab, box, lambda one: one is None)


def _click_a_disc(tab: Page) -> None:
    """Move over the picture until the cursor says that a click walks, and click."""
    canvas = tab.locator(".nv-desk-form .nv-look canvas")
    box = canvas.bounding_box()
    assert box is not None
    for row in range(3, 20):
        for column in range(1, 20):
            spot = (box["x"] + box["width"] * column / 20, box["y"] + box["height"] * row / 20)
            tab.mouse.move(*spot)
            if canvas.evaluate("canvas => canvas.style.cursor") == "pointer":
                tab.mouse.click(*spot)
                return
    raise AssertionError("no disc lies in the picture")


@pytest.mark.nightly
def test_a_walk_by_keys_and_by_clicking_tells_no_goal(tab, window, study):
    address, store = study
    sit_down(tab, address, "walker")
    tab.locator(".nv-desk-form", has_text="0 choices so far").wait_for()
    result = heard(window)
    assert b'"reference": []' in result, "the frames are read as they came"
    assert not any(word in result for word in (b'"reference": [0', b'"goal"'))
    assert tab.locator(".nv-sign-goal").count() == 0
    # what is seen from where one stands is a picture, and no place beside it is shown
    look = tab.locator(".nv-desk-form .nv-look")
    expect(look).to_have_attribute("data-around", "true")
    expect(look).to_contain_text("Where you stand")
    assert b"graph/s1.jpg" in result
    assert not re.search(rb"graph/(?!s1\.jpg)", result)
    look.locator("canvas").focus()
    tab.keyboard.press("Enter")
    tab.locator(".nv-desk-form", has_text="1 choice so far").wait_for()
    tab.keyboard.press("b")
    tab.locator(".nv-desk-form", has_text="0 choices so far").wait_for()
    expect(look).to_have_attribute("data-around", "true")
    _click_a_disc(tab)
    tab.locator(".nv-desk-form", has_text="1 choice so far").wait_for()
    tab.keyboard.press("h")
    saved(tab)
    tab.get_by_text("kept as a trace").wait_for()
    [rating] = soon(tab, lambda: rated(store, "follow", "walker"), bool)
    assert rating.value.walk[0] == "s1"
    assert len(rating.value.walk) > 1
    assert rating.seconds is not None


def heard(window: Window) -> bytes:
    """What came from the server, but for the components' code, which names all there is to know."""
    return b"".join(
        frame for frame in window.heard if b"if (!globalThis.NavVizStreamlit)" not in frame
    )


@pytest.mark.nightly
def test_a_label_from_the_step_that_the_player_shows(tab, study):
    address, store = study
    sit_down(tab, address, "labeller")
    tab.wait_for_selector('.navviz-player[data-ready="true"]')
    step = int(tab.get_attribute(".navviz-player", "data-step") or 0) + 1
    tab.keyboard.press("ArrowRight")
    at_step(tab, step)
    tab.keyboard.press("a")
    tab.keyboard.type("A3.1")
    tab.keyboard.press("Enter")
    tab.locator(".nv-given", has_text=f"(step {step})").wait_for()
    saved(tab)
    [rating] = soon(
        tab, lambda: rated(store, "failure", "labeller"), lambda kept: kept and kept[0].value.labels
    )
    [label] = rating.value.labels
    assert (label.code, label.step) == ("A3.1", step)


def test_the_next_item_is_there_with_the_key(tab, study):
    address, _ = study
    sit_down(tab, address, "quick")
    # fetched ahead: then the key itself, without a frame or a message between, shows text,
    # questions and map
    tab.wait_for_selector(f'{DESK}[data-shelf~="1"]')
    shown = tab.evaluate("""() => {
      const desk = document.querySelector(".navviz-desk");
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true, cancelable: true }));
      return [desk.dataset.episode, desk.dataset.ready, desk.querySelector(".nv-desk-item .nv-desk-hint").textContent];
    }""")
    assert shown == ["2", "true", "Episode 2 · map2seq"]


EVEN = """() => {
  const rows = [...document.querySelectorAll(".navviz-desk .nv-scale")].map((row) => [...row.children]);
  const even = (row) => row.every((one) => {
    const [a, b] = [one.getBoundingClientRect(), row[0].getBoundingClientRect()];
    return a.top === b.top && Math.abs(a.width - b.width) < 1 && one.scrollWidth <= one.clientWidth;
  });
  return rows.length === 2 && rows.every(even);
}"""


SHARE = "() => document.querySelector('.nv-desk-left').getBoundingClientRect().width / innerWidth"


@pytest.mark.nightly
def test_choices_stand_in_even_rows_at_every_width(tab, study):
    address, _ = study
    tab.set_viewport_size({"width": 1280, "height": 720})
    sit_down(tab, address, "even")
    soon(tab, lambda: tab.evaluate(SHARE), lambda share: share >= 0.6)
    for width in (1024, 1280, 1440):
        tab.set_viewport_size({"width": width, "height": 720})
        soon(tab, lambda: tab.evaluate(EVEN), bool)
    overflow = "() => document.documentElement.scrollWidth > innerWidth"
    assert not tab.evaluate(overflow)


@pytest.mark.nightly
def test_the_replay_beside_failure_labels_leaves_its_thoughts_room(tab, study):
    address, _ = study
    tab.set_viewport_size({"width": 1280, "height": 720})
    sit_down(tab, address, "reader")
    player = tab.locator(f"{DESK} .navviz-player")
    player.and_(tab.locator('[data-ready="true"]')).wait_for()
    expect(player.locator(".nv-instruction")).to_be_hidden()  # it stands beside the replay
    height = "box => box.getBoundingClientRect().height"
    soon(tab, lambda: player.locator(".nv-tab-body").evaluate(height), lambda pixels: pixels >= 120)


@pytest.mark.nightly
def test_progress_follows_what_is_saved(window, study):
    address, store = study
    desk = store.sign_in("watched")
    [first, *_] = desk.items("q navigability")
    lead = window.context.new_page()
    lead.goto(f"{address}/study?part=progress&queue=q%20navigability")
    tile = lead.get_by_test_id("stMetric").filter(has_text="Rated")
    expect(tile).to_contain_text(" of ")
    before = tile.text_content() or ""
    desk.save(first.item, Navigability(navigable=True), seen=0)
    expect(tile).not_to_have_text(before)
    lead.close()
