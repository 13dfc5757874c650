"""A word typed into Live on the real map of Manhattan: from its last key to the new path on the
screen.

The page waits 300 ms after a key before it tells the server (`TYPING_MS` in
``assets/player/src/streamlit/player.js``); the figures hold that pause and tell it apart. Baseline
in the same browser and session: the whole page runs again for the same text (leaving the field
hands it over at once), which is what an edit costs without the fragment around the player.

The goal holds for what comes after the pause, in processor time of server and page one after the
other, so that other work on the machine does not decide; the sum with the pause and the time by the
clock are recorded beside it.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.runner.episode import walk_now
from navviz.runs.opened import open_run
from navviz.systems.registry import get_navigator
from navviz.views.player.document import replay_document
from tests.browser.server import started
from tests.browser.waits import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

pytestmark = [pytest.mark.data, pytest.mark.browser]

GOAL_MS = 500.0
PAUSE_MS = 300.0
"""The page's own pause after a key."""
ROUNDS = 3
START = "Go straight to the light and turn right."
WORDS = (
    "Walk",
    "to",
    "the",
    "second",
    "light",
    "and",
    "turn",
    "left.",
    "Stop",
    "at",
    "the",
    "next",
    "corner.",
)

WATCH = """() => {
  window.navvizKey = 0;
  window.navvizPainted = [];
  document.addEventListener("input", () => { window.navvizKey = performance.now(); }, true);
  const note = () => {
    const key = window.navvizKey;
    const text = document.querySelector(".navviz-player .nv-instruction p").textContent.trim();
    requestAnimationFrame(() => requestAnimationFrame(() => window.navvizPainted.push({ text, ms: performance.now() - key })));
  };
  const player = document.querySelector(".navviz-player");
  new MutationObserver(note).observe(player, { attributes: true, attributeFilter: ["data-digest"] });
}"""
"""Notes the time from the last key to the second frame after the player has taken a new document.
"""


@dataclass(frozen=True)
class Live:
    """The page, and what its processor time is read from."""

    tab: Page
    session: CDPSession
    server: int

    def work_s(self) -> tuple[float, float]:
        """Processor time of the server's processes and of the page's main thread so far, in s."""
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                result = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if int(result[2]) == self.server:  # its process group
                ticks += int(result[11]) + int(result[12])
        metrics = {
            one["name"]: one["value"]
            for one in self.session.send("Performance.getMetrics")["metrics"]
        }
        return ticks / os.sysconf("SC_CLK_TCK"), float(metrics["TaskDuration"])


@pytest.fixture(scope="module")
def sources(data_dir: Path) -> tuple[Path, Path]:
    return (
        data_dir / "map2seq" / "osm" / "graph",
        data_dir / "groke" / "paper_results" / "main_test_seen.json",
    )


@pytest.fixture(scope="module")
def live(
    chromium: Browser, sources: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Live]:
    """Live on the first published episode, with `rules` chosen."""
    graphs, results = sources
    folder = tmp_path_factory.mktemp("typing")
    with started("--graphs", str(graphs), str(results), workspace=folder, cold=True) as (
        port,
        process,
    ):
        page = chromium.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(180_000)
        page.goto(f"http://127.0.0.1:{port}")
        page.get_by_role("link", name="Live").click()
        page.wait_for_selector('.navviz-player[data-ready="true"]')
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        yield Live(page, session, process.pid)
        page.close()


def _painted(tab: Page, text: str) -> float:
    """Wait until the path of a text has been painted; return the time since its last key, in ms."""
    script = "text => window.navvizPainted.find((one) => one.text === text)?.ms ?? null"
    until(tab, f"text => ({script})(text) !== null", arg=text)
    return float(tab.evaluate(script, text))


def _clear(tab: Page, start: str) -> int:
    """Put a text into the field and wait until nothing more comes; return how many documents were
    painted so far.
    """
    tab.keyboard.press("Control+a")
    tab.keyboard.insert_text(start)
    tab.wait_for_timeout(2 * PAUSE_MS)
    tab.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    last = -1
    while (count := int(tab.evaluate("window.navvizPainted.length"))) != last:
        last = count
        tab.wait_for_timeout(2 * PAUSE_MS)
    return last


def _type(tab: Page, *, whole_page: bool = False) -> list[float]:
    """Type one word after the other; return the time from each word's last key to the new path, in
    ms.
    """
    tab.evaluate("window.navvizPainted = []")
    text, taken = START, list[float]()
    for word in WORDS:
        text = f"{text} {word}"
        tab.keyboard.type(f" {word}", delay=20)
        if whole_page:
            field = tab.get_by_label("Instruction", exact=True)
            field.blur()
            field.focus()
        taken.append(_painted(tab, text))
        if whole_page:  # the pause ends later and runs the fragment, which changes nothing
            tab.wait_for_timeout(2 * PAUSE_MS)
    return taken


def _server_ms(sources: tuple[Path, Path]) -> dict[str, float]:
    """Median processor time of what the server computes for a word, in this process: walk,
    document, text.
    """
    run = open_run(sources[1], graphs=sources[0])
    key = next(iter(run.traces))
    graph, old, rules = run.graph(key), run.trace(key), get_navigator("rules")
    walk_now(
        rules, rules.settings_type(), old.episode, graph
    )  # what the rules keep with the map is not a word's
    figures: dict[str, list[float]] = {
        "walk_ms": [],
        "document_ms": [],
        "json_ms": [],
        "document_kb": [],
    }
    for last in range(1, len(WORDS) + 1):
        episode = old.episode.model_copy(update={"instruction": " ".join((START, *WORDS[:last]))})
        marks = [time.thread_time()]
        trace = walk_now(rules, rules.settings_type(), episode, graph)
        marks.append(time.thread_time())
        document = replay_document(trace, graph, compare=old, compare_label=run.name)
        marks.append(time.thread_time())
        text = json.dumps(document, ensure_ascii=False)
        marks.append(time.thread_time())
        for name, start, end in zip(
            ("walk_ms", "document_ms", "json_ms"), marks, marks[1:], strict=False
        ):
            figures[name].append(1000 * (end - start))
        figures["document_kb"].append(len(text.encode()) / 1000)
    return {name: statistics.median(values) for name, values in figures.items()}


def _measured(live: Live, *, whole_page: bool = False, rounds: int = ROUNDS) -> dict[str, float]:
    """Type so often; return the time by the clock, and the processor time a word, in ms."""
    every, server_s, page_s = list[float](), 0.0, 0.0
    for _ in range(rounds):
        _clear(live.tab, START)
        before = live.work_s()
        every += _type(live.tab, whole_page=whole_page)
        after = live.work_s()
        server_s, page_s = server_s + after[0] - before[0], page_s + after[1] - before[1]
    words = rounds * len(WORDS)
    return {
        "clock_p50_ms": statistics.median(every),
        "clock_p95_ms": statistics.quantiles(every, n=20)[-1],
        "server_ms": 1000 * server_s / words,
        "page_ms": 1000 * page_s / words,
    }


def test_the_path_follows_a_word_within_half_a_second(
    benchmark: BenchmarkFixture, live: Live, sources: tuple[Path, Path]
) -> None:
    live.tab.get_by_label("Instruction", exact=True).click()
    live.tab.evaluate(WATCH)
    _clear(live.tab, START)
    _type(live.tab)  # the rules derive once from the map what they keep with it
    word = benchmark.pedantic(lambda: _measured(live), rounds=1)
    page = _measured(live, whole_page=True, rounds=1)
    figures = {f"word_{name}": value for name, value in word.items()}
    figures |= {f"whole_page_{name}": value for name, value in page.items()}
    figures |= {f"computed_{name}": value for name, value in _server_ms(sources).items()}
    figures["work_ms"] = word["server_ms"] + word["page_ms"]
    figures["with_the_pause_ms"] = PAUSE_MS + figures["work_ms"]
    figures["ratio"] = (page["server_ms"] + page["page_ms"]) / figures["work_ms"]
    benchmark.extra_info.update(figures)
    print({name: round(value, 1) for name, value in figures.items()})
    assert figures["work_ms"] < GOAL_MS, figures
    assert figures["ratio"] > 1, figures
