"""A step of the player, from the key press to the painted frame, on a real episode in Chromium.

Baseline in the same browser: building the player anew for each step, which is what a step through
the server does to the page at the least (a whole round trip through Streamlit was measured at 345
ms, up to 820). The goal holds for the p95 over all steps of each step's best of nine walks, so that
other work on the machine does not decide; the p95 of all frames is recorded too. Two frames at 60
Hz, 33.3 ms, is the least that can be measured.
"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.records import Trace
from navviz.runs.opened import OpenRun, open_run
from navviz.views.player.document import replay_document
from navviz.views.player.html import document_json, document_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.data, pytest.mark.browser]

GOAL_P95_MS = 50.0

STEP = """async ({ key, back }) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const player = navvizPlayer, taken = [];
  for (let i = 0; i < player.count; i += 1) {
    await frame();
    const start = performance.now();
    window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await frame();
    taken.push(performance.now() - start);
  }
  window.dispatchEvent(new KeyboardEvent("keydown", { key: back, bubbles: true, cancelable: true }));
  return taken;
}"""

REBUILD = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const doc = JSON.parse(document.getElementById("navviz-document").textContent), root = document.getElementById("navviz");
  const taken = [];
  for (let step = 1; step <= doc.steps.length; step += 1) {
    await frame();
    const start = performance.now();
    navvizPlayer.destroy();
    globalThis.navvizPlayer = await NavVizPlayer.mount(root, JSON.parse(document.getElementById("navviz-document").textContent), { step, deepLink: false });
    await frame();
    taken.push(performance.now() - start);
  }
  return taken;
}"""


@pytest.fixture(scope="module")
def run(data_dir: Path) -> OpenRun:
    published = data_dir / "groke" / "paper_results"
    splits = data_dir / "map2seq" / "splits" / "test_seen.json"
    return open_run(
        published / "ablation_study_json",
        graphs=data_dir / "map2seq" / "osm" / "graph",
        episodes=splits,
    )


@pytest.fixture(scope="module")
def longest(run: OpenRun) -> Trace:
    """The episode with the most steps."""
    return max(run.traces.values(), key=lambda trace: len(trace.steps))


def _page(chromium: Browser, run: OpenRun, trace: Trace, folder: Path, tab: str) -> Page:
    key = trace.episode.id
    document = replay_document(trace, run.graph(key), divergence=run.divergence(key))
    (folder / "replay.html").write_text(document_page(document), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto((folder / "replay.html").as_uri() + "?step=0")
    page.wait_for_selector('.navviz-player[data-ready="true"]')
    if tab != "thoughts":
        page.keyboard.press("ArrowRight")
        page.click(f'[data-tab="{tab}"]')
        page.keyboard.press("Home")
    page.wait_for_timeout(500)
    return page


def _p95(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=20)[-1]


@pytest.mark.parametrize("tab", ["thoughts", "prompt"])
def test_a_step_is_painted_within_50_ms(
    benchmark: BenchmarkFixture,
    chromium: Browser,
    run: OpenRun,
    longest: Trace,
    tmp_path: Path,
    tab: str,
) -> None:
    page = _page(chromium, run, longest, tmp_path, tab)
    taken: list[float] = []
    ask = {"key": "ArrowRight", "back": "Home"}
    benchmark.pedantic(lambda: taken.extend(page.evaluate(STEP, ask)), rounds=8, warmup_rounds=1)
    baseline = page.evaluate(REBUILD)
    page.close()
    count = len(longest.steps)
    each = [min(taken[step::count]) for step in range(count)]
    figures = {
        "p95_of_steps_ms": _p95(each),
        "p50_ms": statistics.median(taken),
        "p95_ms": _p95(taken),
        "steps": len(taken),
        "baseline_p50_ms": statistics.median(baseline),
    }
    benchmark.extra_info.update(figures | {"ratio": figures["baseline_p50_ms"] / figures["p50_ms"]})
    assert figures["p95_of_steps_ms"] < GOAL_P95_MS, figures
    assert figures["p50_ms"] < figures["baseline_p50_ms"], figures


def test_a_document_is_made_at_once_and_is_small(
    benchmark: BenchmarkFixture, run: OpenRun, longest: Trace
) -> None:
    """Baseline: the whole graph as a document, which a map drawn by Python would send."""
    key = longest.episode.id
    graph = run.graph(key)
    made = benchmark.pedantic(
        lambda: document_json(replay_document(longest, graph)), rounds=5, warmup_rounds=1
    )
    whole = sum(len(node) + 24 for node in graph.ids) + 12 * len(graph.targets)
    benchmark.extra_info.update(
        {"document_bytes": len(made), "whole_graph_bytes": whole, "ratio": whole / len(made)}
    )
    assert len(made) < 1_500_000
