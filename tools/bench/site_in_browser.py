"""What a published site takes in a real browser, from a disk.

From the command line: ``python -m tools.bench.site_in_browser SITE`` for a site that is there, and
``python -m tools.bench.site_in_browser RUN GRAPH`` for the list of a large run (of
``tools.bench.scale_run``), whose episodes are left out but for the first 40: all of 50,000 would
take 1.3 GB. It prints seconds until the browser paints first, the list shows, an episode shows.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

import navviz
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.site import publish
from navviz.runs.run import OpenRun

_CHROMIUM = "/usr/bin/chromium-headless-shell"
_TIMES = 5
_FIRST = 40
_PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
_LISTED = """async () => {
  while (!document.querySelector(".nl-row")) await new Promise((done) => requestAnimationFrame(done));
  return performance.now();
}"""
_EPISODE = """async (number) => {
  const begun = performance.now();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  document.querySelectorAll(".nl-row")[number].click();
  while (!document.querySelector(".nv-leaflet, .nv-player")) await frame();
  await frame();
  await frame();
  return performance.now() - begun;
}"""


def main(arguments: Sequence[str]) -> None:
    """Measure a site, or the list of a run."""
    with tempfile.TemporaryDirectory() as work:
        site = Path(arguments[0])
        if len(arguments) > 1:
            site = _list_of(Path(arguments[0]), Path(arguments[1]), Path(work) / "site")
        _measure(site)


def _list_of(run: Path, graph: Path, out: Path) -> Path:
    every = publish._Writing.documents

    def few(
        writing: Any, run: OpenRun, explained: Mapping[str, EpisodeCauses]
    ) -> Iterator[dict[str, Any]]:
        first = list(islice(every(writing, run, explained), _FIRST))
        yield from first
        # an entry for each episode, so that the chunks are counted as always
        yield from ({} for _ in range(len(run.traces) - len(first)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish._Writing, "documents", few)
        navviz.publish(navviz.open_run(run, graphs=graph), out)
    return out


def _measure(site: Path) -> None:
    address = f"{(site / 'index.html').resolve().as_uri()}#view=list"
    painted, listed, shown = list[float](), list[float](), list[float]()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        for number in range(_TIMES):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(address)
            listed.append(page.evaluate(_LISTED))
            painted.append(page.evaluate(_PAINTED))
            shown.append(page.evaluate(_EPISODE, number))
            page.close()
        browser.close()
    for name, spans in (("first paint", painted), ("list", listed), ("episode", shown)):
        print(f"{name}: median {statistics.median(spans):.0f} ms, most {max(spans):.0f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
