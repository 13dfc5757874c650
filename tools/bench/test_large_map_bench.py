"""The map of a walk in a city of 1,000,000 nodes: how much of it the replay holds, and how it pans.

Baseline in the same browser: the same walk in a city of 10,000 nodes. Goal: the same document and
the same frames, since only the streets around the walk are drawn.
"""

from __future__ import annotations

import statistics
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import navviz
from navviz.formats import open_graph
from tests.browser.waits import ready
from tools.bench.test_large_world_bench import write_city

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

MOVES = 120
COUNT_FRAMES = """() => {
  window.spans = [];
  let last = performance.now();
  const count = (now) => { window.spans.push(now - last); last = now; requestAnimationFrame(count); };
  requestAnimationFrame(count);
}"""


def _replay(folder: Path, side: int) -> Path:
    """Walk 20 links east from the middle of a city; return the replay as a file."""
    graph = open_graph(write_city(folder / f"city-{side}", side))
    first = side // 2 * side + side // 2
    route = graph.ids[first : first + 21]
    episode = navviz.Episode(
        id="1", dataset="city", instruction="Walk on.", start=route[0], reference_path=tuple(route)
    )
    run = folder / f"run-{side}"
    with navviz.TraceWriter(run / "1.trace.jsonl", episode, navigator="straight") as trace:
        for here, there in pairwise(route):
            trace.step(here, there, prompt="Where to?", thoughts="On.", reply=there)
    page = folder / f"{side}.html"
    navviz.replay(navviz.open_run(run, graphs=graph), "1").save(page)
    return page


def _pan_ms(chromium: Browser, file: Path) -> list[float]:
    """Drag the map; return how long each frame stood, in ms, the shortest first."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto(file.as_uri())
    ready(page, "1")
    page.evaluate(COUNT_FRAMES)
    page.mouse.move(400, 400)
    page.mouse.down()
    for k in range(MOVES):
        page.mouse.move(400 + 4 * abs(k % 60 - 30), 400 + k)
    page.mouse.up()
    spans = page.evaluate("window.spans")
    page.close()
    return sorted(spans)


def test_a_map_of_a_million_nodes_pans_as_a_small_one(
    chromium: Browser, tmp_path: Path, record_property
) -> None:
    small, large = _replay(tmp_path, 100), _replay(tmp_path, 1000)
    base_ms, spans_ms = _pan_ms(chromium, small), _pan_ms(chromium, large)
    figures = {
        "document_kb": large.stat().st_size / 1000,
        "document_ratio": large.stat().st_size / small.stat().st_size,
        "frame_p50_ms": statistics.median(spans_ms),
        "frame_p95_ms": spans_ms[int(0.95 * len(spans_ms))],
        "baseline_p95_ms": base_ms[int(0.95 * len(base_ms))],
    }
    for name, value in figures.items():
        record_property(name, round(value, 2))
    assert figures["document_ratio"] < 1.2
    assert len(spans_ms) > MOVES / 2
    assert figures["frame_p95_ms"] < 2 * figures["baseline_p95_ms"]
