"""A step with pictures, from the key press to the painted frame: 200 steps of 640 x 480 pixels.

The pictures come over HTTP from a server on this machine, as the app sends them, and no step shows
a picture that another has shown. Baseline in the same browser and the same run: the same walk
without pictures, walked in turn with it, so that other work on the machine falls on both. The goal
of one frame (34 ms: a step is counted to the second frame after its key, 33.3 ms at the least)
holds for the p95 over the steps of each step's best round. The page's own processor time, and the
load of the machine, stand beside it.
"""

from __future__ import annotations

import io
import os
import statistics
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image
from pytest_benchmark.fixture import BenchmarkFixture

from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import WalkPictures
from navviz.records import Candidate, Observation, Step, StepView, Trace
from navviz.views.player.document import replay_document
from navviz.views.player.html import document_page
from navviz.views.player.pictures import PictureTable
from tests.grids import episode, grid, straight, trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

pytestmark = pytest.mark.browser

STEPS = 200
ROUNDS = 3
GOAL_P95_MS = 34.0
MOST_RATIO = 1.5
"""Of the page's processor time with pictures to that without."""
PIXELS = (640, 480)

WALK = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const player = navvizPlayer, taken = [];
  let blank = 0;
  player.go(1);
  for (let wait = 0; wait < 40; wait += 1) await frame();
  for (let i = 2; i <= player.count; i += 1) {
    await frame();
    const start = performance.now();
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
    await frame();
    taken.push(performance.now() - start);
    const image = document.querySelector(".nv-seen-picture img");
    if (image && !image.naturalWidth) blank += 1;
  }
  return { taken, blank };
}"""
"""Walk all steps; `blank` counts the steps whose picture was not there with the second frame."""


def _photo(number: int) -> bytes:
    """Return a picture with as much detail as a photo: smooth shapes and some noise."""
    random = np.random.default_rng(number)
    coarse = random.integers(0, 255, (30, 40, 3)).astype(np.uint8)
    shapes = np.asarray(Image.fromarray(coarse).resize(PIXELS, Image.Resampling.BICUBIC), np.int16)
    noisy = shapes + random.integers(-12, 12, shapes.shape)
    buffer = io.BytesIO()
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(buffer, "JPEG", quality=85)
    return buffer.getvalue()


SIDE = 15


def _walks() -> dict[bool, Trace]:
    """Return a walk to and fro over a small town, with pictures and without."""
    path = []
    for row in range(SIDE):
        there = straight(row, 0, SIDE - 1)
        path.extend(there if row % 2 == 0 else there[::-1])
    path = path[: STEPS + 1]
    plain = trace(episode(path), [path[k : k + 2] for k in range(STEPS)])
    steps = {True: list[Step](), False: list[Step]()}
    for number, step in enumerate(plain.steps):
        ahead = Candidate(node=path[number + 1], state="chosen", heading_deg=90.0)
        back = Candidate(node=path[max(0, number - 1)], state="rejected", heading_deg=60.0)
        seen = Observation(format="text", candidates=(ahead, back))
        shown = step.model_copy(update={"heading_deg": 90.0, "observation": seen})
        view = StepView(source=f"{number}.jpg", heading_deg=90.0, field_deg=60.0)
        steps[False].append(shown)
        steps[True].append(shown.model_copy(update={"views": (view,)}))
    return {kind: plain.model_copy(update={"steps": tuple(kept)}) for kind, kept in steps.items()}


class Served(BaseHTTPRequestHandler):
    """The two pages and their pictures, as an app would send them."""

    pages: dict[str, bytes]
    photos: list[bytes]

    def do_GET(self) -> None:
        """Answer with a page, or with a picture by its number."""
        name = self.path.partition("?")[0].strip("/")
        is_photo = name.startswith("pictures/")
        body = self.photos[int(name.rpartition("/")[2])] if is_photo else self.pages[name]
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg" if is_photo else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "private, max-age=600")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("photos")
    Served.photos = [_photo(number) for number in range(STEPS)]
    for number, raw in enumerate(Served.photos):
        (folder / f"{number}.jpg").write_bytes(raw)
    Served.pages = {}
    for pictured, walk in _walks().items():
        table = PictureTable(WalkPictures(PictureFolders((folder,)), walk))
        document = replay_document(walk, grid(SIDE), pictures=table if pictured else None)
        if pictured:
            assert len(document["pictures"]["all"]) == STEPS
            document["pictures"]["at"] = "/pictures"
            for number, entry in enumerate(document["pictures"]["all"]):
                entry["key"] = str(number)
        page = document_page(document).replace("img-src data:", "img-src 'self' data:")
        Served.pages["with" if pictured else "without"] = page.encode()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Served)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@dataclass
class Walked:
    """What a page took for the same walk, round by round."""

    page: Page
    session: CDPSession
    taken_ms: list[float] = field(default_factory=list)
    work_ms: list[float] = field(default_factory=list)
    blank: int = 0

    def walk(self) -> None:
        """Walk once; note the time of each step and the page's processor time for all."""
        self.page.bring_to_front()
        before = self._busy_s()
        steps = self.page.evaluate(WALK)
        self.work_ms.append(1000 * (self._busy_s() - before) / len(steps["taken"]))
        self.taken_ms.extend(steps["taken"])
        self.blank += steps["blank"]

    def _busy_s(self) -> float:
        """Processor time of the page's main thread so far."""
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return float({one["name"]: one["value"] for one in metrics}["TaskDuration"])

    def best_p95_ms(self) -> float:
        """p95 over the steps of each step's best round: other work on the machine hits one."""
        count = STEPS - 1
        return _p95([min(self.taken_ms[step::count]) for step in range(count)])


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def test_a_step_with_a_picture_costs_little_more_than_one_without(
    benchmark: BenchmarkFixture, chromium: Browser, address: str
) -> None:
    walks = {}
    for name in ("with", "without"):
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}/{name}?step=1")
        page.wait_for_selector('.navviz-player[data-ready="true"]')
        page.click("[data-tab=seen]")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        walks[name] = Walked(page, session)

    def both() -> None:
        for walked in walks.values():
            walked.walk()

    benchmark.pedantic(both, rounds=ROUNDS)
    figures: dict[str, float] = {"load": os.getloadavg()[0], "blank": walks["with"].blank}
    for name, walked in walks.items():
        figures[f"{name}_best_p95_ms"] = walked.best_p95_ms()
        figures[f"{name}_p95_ms"] = _p95(walked.taken_ms)
        figures[f"{name}_p50_ms"] = statistics.median(walked.taken_ms)
        figures[f"{name}_work_ms"] = min(walked.work_ms)
        walked.page.close()
    figures["work_ratio"] = figures["with_work_ms"] / figures["without_work_ms"]
    figures["p95_ratio"] = figures["with_p95_ms"] / figures["without_p95_ms"]
    benchmark.extra_info |= {name: round(value, 2) for name, value in figures.items()}
    assert figures["blank"] == 0, figures
    assert figures["work_ratio"] < MOST_RATIO, figures
    # where other work stretches the frames of the plain walk, too, it decides instead of the goal
    most_ms = max(GOAL_P95_MS, 1.25 * figures["without_best_p95_ms"])
    assert figures["with_best_p95_ms"] <= most_ms, figures
