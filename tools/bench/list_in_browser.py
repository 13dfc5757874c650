"""What a list of many episodes takes in a real browser, and its server for one warm session.

From the command line: ``python -m tools.bench.list_in_browser FOLDER GRAPH``, with a run of
``tools.bench.scale_run``. It prints seconds until rows show, the frames of a scroll, and processor
seconds of the server a page.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.server import started

_CHROMIUM = "/usr/bin/chromium-headless-shell"
_PAGES = 5
_LIMIT_MS = 120_000
_SCROLL = """async () => {
  const rows = document.querySelector(".nl-rows");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const spans = [];
  let before = await frame();
  for (let k = 0; k < 120; k += 1) {
    rows.scrollTop += 900;
    const now = await frame();
    spans.push(now - before);
    before = now;
  }
  return spans;
}"""
"""Scroll by 120 steps of 28 rows, one a frame, and tell how long each frame took, in milliseconds."""


def main(folder: str, graph: str) -> None:
    """Open the run twice, as it is first seen and again, then scroll and search."""
    with tempfile.TemporaryDirectory() as work, sync_playwright() as play:
        os.environ["NAVVIZ_CACHE"] = str(Path(work) / "cache")
        with started(folder, "--graphs", graph, workspace=Path(work), cold=True) as (port, server):
            browser = play.chromium.launch(executable_path=_CHROMIUM)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            address = f"http://127.0.0.1:{port}/explore"
            print(f"until rows show, first: {_open(page, address):.1f} s", flush=True)
            print(f"until rows show, again: {_open(page, address):.1f} s", flush=True)
            spans = page.evaluate(_SCROLL)
            slow = sorted(spans)[int(0.95 * len(spans))]
            print(
                f"frames of a scroll: median {statistics.median(spans):.0f} ms, 95 % {slow:.0f} ms"
            )
            costs = [_cost(page, address, server.pid) for _ in range(_PAGES)]
            listed = ", ".join(f"{cost:.2f}" for cost in costs)
            print(f"processor of the server, a page: {statistics.median(costs):.2f} s ({listed})")
            browser.close()


def _open(page: Page, address: str) -> float:
    begun = time.perf_counter()
    page.goto(address)
    page.locator(".nl-row").first.wait_for(timeout=_LIMIT_MS)
    return time.perf_counter() - begun


def _cost(page: Page, address: str, server: int) -> float:
    """Processor seconds of the server itself; those who measure traces are other processes."""
    before = _processor_s(server)
    _open(page, address)
    page.wait_for_timeout(1000)
    return _processor_s(server) - before


def _processor_s(process: int) -> float:
    # after the name, which may hold blanks: user and system time are fields 14 and 15
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main(*sys.argv[1:])
