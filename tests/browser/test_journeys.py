"""Ten journeys that cover every page, at 1280 x 720: clicks, keys and seconds of each.

Nightly. The table goes to the file that ``NAVVIZ_JOURNEYS`` names and to standard output; the one in
``docs/develop.md`` was printed by it. Seconds depend on the machine, so no test judges them; the
number of clicks and keys is a promise, and a journey that takes more fails.
"""

from __future__ import annotations

import os
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from navviz.annotation.claims import CauseClaim
from navviz.annotation.exchange import load_sample_study
from navviz.annotation.records import Item, Queue
from navviz.annotation.store import FILE_NAME, AnnotationStore
from navviz.records import Explanation, Quote
from tests.browser.server import serving
from tests.browser.waits import expect, rested
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

RUN = "harbour/groke-by-hand"
DESK = ".navviz-desk"
PLAYER = '.navviz-player[data-ready="true"]'
RATINGS, CAUSES = 60, 30
PAINT = """key => new Promise((done) => {
  const begun = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
})"""
"""Milliseconds from a key to the end of the frame that shows its answer."""


@dataclass
class Traveller:
    """A tab whose clicks and keys are counted."""

    page: Page
    clicks: int = 0
    keys: int = 0
    paints_ms: list[float] = field(default_factory=list)

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def press(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)
            self.keys += 1

    def write(self, text: str) -> None:
        self.page.keyboard.insert_text(text)
        self.keys += len(text)

    def menu(self, page: str) -> None:
        self.click(self.page.get_by_test_id("stTopNavLink").filter(has_text=page))

    def rate(self, key: str) -> None:
        """Press a key on the desk, and note how long the answer's frame took."""
        self.paints_ms.append(self.page.evaluate(PAINT, key))
        self.keys += 1


@dataclass(frozen=True)
class Row:
    """One journey as it was measured."""

    pages: str
    question: str
    clicks: int
    keys: int
    seconds: float
    note: str = ""

    @property
    def line(self) -> str:
        """The row of the table."""
        cells = (self.question, self.pages, self.clicks, self.keys, f"{self.seconds:.1f}")
        return f"| {' | '.join(map(str, cells))} | {self.note} |"


@dataclass
class Visit:
    """A server with the sample study, and what was measured on it."""

    address: str
    store: AnnotationStore
    browser: Browser
    rows: list[Row] = field(default_factory=list)

    @property
    def table(self) -> str:
        """All that was measured so far, as it stands in the docs."""
        head = "| question | pages | clicks | keys | seconds | |"
        lines = [head, "|---|---|---|---|---|---|", *(row.line for row in self.rows)]
        return "\n".join([*lines, "", f"Load average of the machine: {os.getloadavg()[0]:.1f}"])

    def travel(
        self,
        question: str,
        pages: str,
        path: str,
        way: Callable[[Traveller], str | None],
        most: tuple[int, int],
    ) -> None:
        """Walk one journey from a page that is open and at rest; `most` clicks and keys are
        promised.
        """
        page = self.browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(120_000)
        page.goto(f"{self.address}{path}")
        rested(page)
        traveller = Traveller(page)
        begun_s = time.monotonic()
        note = way(traveller) or ""
        seconds = time.monotonic() - begun_s
        self.rows.append(Row(pages, question, traveller.clicks, traveller.keys, seconds, note))
        page.close()
        # after each journey: one that fails, or is ended, does not take the others' figures along
        if place := os.environ.get("NAVVIZ_JOURNEYS"):
            Path(place).write_text(f"{self.table}\n", encoding="utf-8")
        assert traveller.clicks <= most[0]
        assert traveller.keys <= most[1]


@pytest.fixture(scope="module")
def visit(chromium, tmp_path_factory):
    folder = tmp_path_factory.mktemp("journeys")
    graph = write_world(folder)
    walks: dict[str, dict[str, list[str | None]]] = {
        str(number): {"json": ["s1", "x", "w1"]} for number in range(1, RATINGS + 1)
    }
    results = write_states(folder / "walks.json", walks, instruction="Walk to the light.")
    store = AnnotationStore(f"sqlite:///{folder / FILE_NAME}")
    load_sample_study(store.study())
    _make_queues(store, list(walks))
    with serving("--graphs", str(graph), str(results), workspace=folder) as address:
        made = Visit(address, store, chromium)
        yield made
    store.close()
    print(f"\n{made.table}")


def _make_queues(store: AnnotationStore, episodes: list[str]) -> None:
    """Make a queue of 60 ratings and one of 30 causes."""
    study = store.study()
    items = tuple(Item(dataset="map2seq", episode=key) for key in episodes)
    study.queues.create(
        Queue(name="q sixty", task="navigability", items=items, source="walks", annotators=("fox",))
    )
    claims = []
    for key in episodes[:CAUSES]:
        quote = Quote(source="instruction", text="Walk to the light")
        cause = Explanation(
            id="missed",
            name="Missed",
            sentence=f"In episode {key} the light was missed.",
            step=1,
            quotes=(quote,),
        )
        claims.append(CauseClaim(dataset="map2seq", episode=key, run="walks", cause=cause))
    study.claims.put(claims)
    judged = tuple(claim.item for claim in claims)
    study.queues.create(
        Queue(name="q causes", task="cause", items=judged, source="walks", annotators=("judge",))
    )


# --- the journeys


def test_why_did_this_run_fail(visit):
    def way(at: Traveller) -> None:
        at.click(at.page.get_by_role("button", name="Replay failures"))
        at.page.wait_for_selector(PLAYER)
        expect(at.page.locator(".nv-cause-sentence").first).to_be_visible()

    visit.travel("Why did this run fail?", "Explore, Replay", f"/?run={RUN}", way, (1, 0))


def test_what_happened_in_the_next_failures(visit):
    def way(at: Traveller) -> None:
        for _ in range(3):
            player = at.page.locator(PLAYER)
            before = player.get_attribute("data-episode")
            at.press("n")
            at.page.wait_for_selector(f'{PLAYER}:not([data-episode="{before}"])')

    path = f"/replay?run={RUN}&episode=7&outcome=failure"
    visit.travel("And the next three failures?", "Replay", path, way, (0, 3))


def test_which_episodes_have_this_cause(visit):
    def way(at: Traveller) -> None:
        findings = at.page.get_by_test_id("findings")
        at.click(findings.locator('button[data-value^="cause "]:visible').first)
        at.page.wait_for_url(re.compile("cause="))
        rested(at.page)

    visit.travel("Which episodes failed so?", "Explore", f"/?run={RUN}", way, (1, 0))


def test_run_it_again_with_another_word(visit):
    def way(at: Traveller) -> None:
        box = at.page.get_by_role("textbox", name="Instruction")
        at.click(box)
        at.press("Control+End")
        at.write(" Turn left.")
        at.press("Control+Enter")
        at.page.wait_for_url(re.compile("live="))
        at.page.get_by_text("What changed").wait_for()

    path = f"/live?run={RUN}&episode=7"
    visit.travel("What if it said another word?", "Live", path, way, (1, 13))


def test_does_the_word_help_elsewhere(visit):
    def way(at: Traveller) -> None:
        at.click(at.page.get_by_role("textbox", name="Instruction"))
        at.press("Control+End")
        at.write(" Turn left.")
        at.click(at.page.get_by_text("Try this edit on many episodes"))
        at.click(at.page.get_by_role("button", name=re.compile(r"^Try on \d+ episodes")))
        at.page.get_by_text("McNemar's exact test").wait_for()

    path = f"/live?run={RUN}&episode=7"
    visit.travel("Does it help other failures?", "Live", path, way, (3, 12))


def test_which_of_two_runs_is_better(visit):
    def way(at: Traveller) -> None:
        at.menu("Compare")
        expect(at.page.get_by_text("episodes flip").first).to_be_visible()

    visit.travel("Which of two runs is better?", "Compare", f"/?run={RUN}", way, (1, 0))


def test_how_far_are_my_annotators(visit):
    def way(at: Traveller) -> None:
        at.menu("Study")
        expect(at.page.get_by_test_id("stMetric").filter(has_text="Rated")).to_be_visible()

    visit.travel("How far are my annotators?", "Study", f"/?run={RUN}", way, (1, 0))


def test_do_they_agree(visit):
    def way(at: Traveller) -> None:
        at.click(at.page.get_by_text("Results", exact=True))
        expect(at.page.get_by_text("Rated by two or more")).to_be_visible()

    visit.travel("Do they agree?", "Study", "/study", way, (1, 0))


def test_sixty_ratings(visit):
    """One key an item: none is lost, none is doubled, all in order."""

    def way(at: Traveller) -> str:
        _sit_down(at, "fox")
        _rate(at, ["y" if number % 3 else "n" for number in range(RATINGS)])
        return _painted(at)

    visit.travel("60 ratings", "Annotate", "/annotate?queue=q+sixty", way, (1, RATINGS + 5))
    kept = [each for each in visit.store.study().ratings("navigability") if each.annotator == "fox"]
    answers = {each.item.episode: each.value.navigable for each in kept if each.value is not None}
    assert len(kept) == RATINGS
    assert answers == {str(number + 1): bool(number % 3) for number in range(RATINGS)}
    assert {each.revision for each in kept} == {1}


def test_thirty_causes(visit):
    def way(at: Traveller) -> str:
        _sit_down(at, "judge")
        _rate(at, ["y" if number % 2 else "p" for number in range(CAUSES)])
        return _painted(at)

    visit.travel(
        "30 times: is this the cause?", "Annotate", "/annotate?queue=q+causes", way, (1, CAUSES + 7)
    )
    kept = [each for each in visit.store.study().ratings("cause") if each.annotator == "judge"]
    answers = {each.item.episode: each.value.answer for each in kept if each.value is not None}
    assert len(kept) == CAUSES
    assert answers == {str(k + 1): "yes" if k % 2 else "partly" for k in range(CAUSES)}


def _sit_down(at: Traveller, name: str) -> None:
    at.click(at.page.get_by_role("textbox", name="Pseudonym"))
    at.write(name)
    at.press("Enter")
    at.page.wait_for_selector(f'{DESK}[data-ready="true"]')
    at.press("m")  # a whole rating leads on to the next item


def _rate(at: Traveller, keys: list[str]) -> None:
    for number, key in enumerate(keys, start=1):
        at.page.wait_for_selector(f'{DESK}[data-ready="true"][data-episode="{number}"]')
        at.rate(key)
    at.page.wait_for_selector(f'{DESK}[data-waiting="0"]')


def _painted(at: Traveller) -> str:
    median = statistics.median(at.paints_ms)
    return f"key to paint: median {median:.0f} ms of {len(at.paints_ms)} keys"
