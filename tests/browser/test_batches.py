"""The journey of a batch in a real browser: from Explore's failures to Compare, and over a stop, a
reload and a restart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from navviz.formats import open_episodes
from navviz.runner.batches import Batch
from navviz.runner.episode import is_finished
from navviz.runner.plan import BatchPlan, BatchState
from tests.browser.server import serving
from tests.browser.waits import expect
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

_SLOW_MS = 120_000
_PLAN = {
    "landmarks": [],
    "sub_goals": [{"action": "MOVE_FORWARD", "description": "Move on", "status": "TODO"}],
}
_ACT = {"subplan_status": "COMPLETED", "next_place": "x"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two walks that failed and one that did not; beside them a slow batch that an earlier server
    left.
    """
    folder = tmp_path_factory.mktemp("server")
    graph = write_world(folder)
    walks = {"1": ["s1", "x", "e1"], "2": ["s1", "n0"], "3": ["s1", "x", "w1"]}
    write_states(
        folder / "walks.json",
        {key: {"json": path} for key, path in walks.items()},
        "Turn right at the light.",
    )
    replies = [{"reply": json.dumps(each), "seconds": 0.3} for each in (_PLAN, _ACT)]
    (folder / "script.json").write_text(json.dumps({"replies": replies, "loop": True}))
    [episode] = open_episodes(folder / "splits" / "tiny.json").episodes.values()
    episodes = [episode.model_copy(update={"id": str(number)}) for number in range(1, 21)]
    plan = BatchPlan(
        run="slow", navigator="groke", model=f"scripted:{folder / 'script.json'}", graphs=(str(graph),),
        created="2001-01-01T00:00:00+00:00",
    )  # fmt: skip
    batch = Batch(folder / "runs", plan, episodes)
    batch.save()
    batch.note(BatchState(state="running"))
    return folder


@pytest.fixture(scope="module")
def address(world: Path) -> Iterator[str]:
    with serving(
        "--graphs",
        str(world / "osm" / "graph"),
        str(world / "walks.json"),
        workspace=world,
    ) as running:
        yield running


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.set_default_timeout(_SLOW_MS)
    yield page
    page.context.close()


def badge(card: Locator, word: str) -> Locator:
    """The badge that ends with a word; before it stands the name of its icon, which is text too."""
    return card.get_by_text(re.compile(rf"\b{word}$"))


def test_failures_are_walked_again_and_compared(tab: Page, address: str) -> None:
    tab.goto(f"{address}/?run=walks&outcome=failure")
    tab.get_by_role("button", name="Run over these episodes").click()
    expect(tab.get_by_text("filtered 2")).to_be_visible(timeout=_SLOW_MS)
    tab.get_by_role("button", name="Start").click()
    card = tab.locator(".st-key-batches_card")
    expect(badge(card, "Done")).to_be_visible(timeout=_SLOW_MS)
    expect(card.get_by_text("2 of 2 walks")).to_be_visible(timeout=_SLOW_MS)
    tab.reload()
    expect(card.get_by_text("rules-walks-failures")).to_be_visible(timeout=_SLOW_MS)
    tab.get_by_role("button", name="Compare with the original").click()
    tab.wait_for_url("**/compare?*other=walks*", timeout=_SLOW_MS)
    tab.wait_for_selector('.navviz-player[data-ready="true"]')


def test_a_batch_outlives_stop_and_reload(tab: Page, address: str, world: Path) -> None:
    tab.goto(f"{address}/live?part=many&run=walks&batch=slow")
    card = tab.locator(".st-key-batches_card")
    # its process went with the earlier server
    expect(card.get_by_text("Interrupted")).to_be_visible(timeout=_SLOW_MS)
    tab.get_by_role("button", name="Go on").click()
    expect(card.get_by_text("of 20 walks ·")).to_be_visible(timeout=_SLOW_MS)
    tab.get_by_role("button", name="Stop").click()
    expect(badge(card, "Stopped")).to_be_visible(timeout=_SLOW_MS)
    folder = world / "runs" / "slow"
    kept = {
        path: path.stat().st_mtime_ns for path in folder.glob("*.trace.jsonl") if is_finished(path)
    }
    assert kept
    tab.reload()
    expect(badge(card, "Stopped")).to_be_visible(timeout=_SLOW_MS)
    (world / "script.json").write_text((world / "script.json").read_text().replace("0.3", "0"))
    tab.get_by_role("button", name="Go on").click()
    expect(badge(card, "Done")).to_be_visible(timeout=_SLOW_MS)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert len(list(folder.glob("*.trace.jsonl"))) == 20
