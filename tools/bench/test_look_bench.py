"""Looking around on software rendering: 640 x 360 pixels, drawn anew each frame, 60 times a second.

Baseline in the same page: the time between two frames while nothing is drawn. Other work on the
machine hits single frames, so the best of five seconds decides, and the time that a frame's drawing
takes by itself stands beside it: half of them have to fit into 16.7 ms.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import WalkPictures
from navviz.views.player.document import replay_document
from navviz.views.player.html import document_page
from navviz.views.player.pictures import PictureTable, with_data
from tests.grids import episode, grid, straight, trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
FRAMES = 300
FRAME_MS = 1000 / 60
SECONDS = 5
WAY = straight(0, 0, 3)
UPRIGHT = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0)

TURN = """async (frames) => {
  const frame = () => new Promise(requestAnimationFrame);
  const canvas = document.querySelector(".nv-look canvas");
  const key = () => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  const spans = async (act) => {
    const taken = [];
    let last = await frame();
    for (let k = 0; k < frames; k += 1) { act(); const now = await frame(); taken.push(now - last); last = now; }
    return taken;
  };
  const plain = await spans(() => {});
  const context = canvas.getContext("2d");
  const turned = await spans(key);
  // the pixels are read back, so that no drawing is put off
  const alone = [];
  for (let k = 0; k < frames / 3; k += 1) {
    key();
    await frame();
    const start = performance.now();
    navvizPlayer.look.draw();
    context.getImageData(0, 0, 1, 1);
    alone.push(performance.now() - start);
  }
  return { plain, turned, alone };
}"""


def _noise(path: Path, size: tuple[int, int], seed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    coarse = random.integers(0, 255, (32, 64, 3)).astype(np.uint8)
    Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC).save(path, quality=85)


def _document(folder: Path, kind: str) -> dict[str, Any]:
    for number, node in enumerate(WAY):
        if kind == "panorama":
            _noise(folder / "grid" / f"{node}.jpg", (4096, 2048), number)
        else:
            for face in range(6):
                name = f"grid/matterport_skybox_images/{node}_skybox{face}_sami.jpg"
                _noise(folder / name, (1024, 1024), face)
    walk = trace(episode(WAY, world="grid"), [WAY[:2], WAY[1:3], WAY[2:4]])
    rotations = dict.fromkeys(WAY, UPRIGHT)
    table = PictureTable(WalkPictures(PictureFolders((folder,)), walk, rotations))
    return with_data(replay_document(walk, grid(), pictures=table), table, 10**8)


@pytest.mark.parametrize("kind", ["cube", "panorama"])
def test_sixty_frames_a_second(
    kind: str, chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # in full size, as the app serves them: a file of one's own has 512 pixels
    monkeypatch.setattr("navviz.views.player.pictures.INLINE_PX", 4096)
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.set_content(document_page(_document(tmp_path, kind)))
    page.wait_for_selector('.navviz-player[data-ready="true"]')
    page.click("[data-tab=seen]")
    page.wait_for_selector('.nv-look[data-around="true"]')
    taken = page.evaluate(TURN, FRAMES)
    page.close()
    figures = {name: float(np.percentile(spans, 95)) for name, spans in taken.items()}
    each_s = np.array(taken["turned"]).reshape(SECONDS, -1).mean(axis=1)
    line = ", ".join(f"{name} p95 {value:.1f} ms" for name, value in figures.items())
    print(
        f"{kind}: {1000 / each_s.mean():.1f} frames a second, the best second"
        f" {1000 / each_s.min():.1f}; {line}; load {os.getloadavg()[0]:.1f}"
    )
    assert float(np.median(taken["alone"])) < FRAME_MS
    assert float(each_s.min()) < 1.1 * FRAME_MS
