"""Film a replay for slides: the exported player in a real Chromium, one picture a step.

Playwright drives the Chromium without network, imageio-ffmpeg brings the encoder for MP4, Pillow
writes GIF. The player is in its presentation mode, whose type is large; buttons are hidden.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from navviz.errors import MissingExtraError, NavVizError, SettingsError
from navviz.support.installation.extras import extra_hint, needs_extra

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Page, Playwright

FilmTheme = Literal["light", "dark"]

FILM_KINDS = ("mp4", "gif")
"""Endings of the files that can be written."""
FPS = 10
"""Frames a second of an MP4.

A step is one picture that stands: more frames would only cost time.
"""
_LAST_STANDS = 2
"""The last step stands so many times as long, since a film in a loop would hide the end."""
_GIF_COLOURS = 255
# hidden, not removed: what stands beside them keeps its place
_PLAYING = "[data-press], .nv-speed { visibility: hidden !important }"
"""Buttons look as if one could press them on a slide."""
# sRGB: else colours depend on the profile of the machine's screen
_LAUNCH = ["--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb"]
_NO_CHROMIUM = (
    "A film needs a Chromium, and there is none on this machine: install it (apt-get install"
    " chromium, or playwright install chromium), or name one in NAVVIZ_CHROMIUM."
)
_NO_ENCODER = (
    "MP4 needs a package that is not installed (imageio_ffmpeg): install it with pip install"
    " 'navviz-vln[film]', or write a .gif."
)
# Two frames: the first callback runs before the new content is painted.
_PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"

_GO = f"(step) => {{ navvizPlayer.go(step); navvizPlayer.map.settle(); return {_PAINTED}; }}"


@dataclass(frozen=True, slots=True)
class Film:
    """How a film is made.

    Raises
    ------
    SettingsError
        For a size or a time that no film has.
    """

    size: tuple[int, int] = (1280, 720)
    """Width and height in pixels; even, since MP4's colours stand on every second pixel."""
    step_s: float = 1.5
    """How long each step stands, in seconds."""
    theme: FilmTheme = "light"
    first: int = 0
    """Step of the first picture; 0 is before the first step."""
    last: int | None = None
    """Step of the last picture; ``None`` is the end."""

    def __post_init__(self) -> None:
        """Refuse what cannot be filmed."""
        wide, high = self.size
        if not (320 <= wide <= 3840 and 240 <= high <= 2160) or wide % 2 or high % 2:
            raise SettingsError(
                f"{wide}x{high} is no size of a film: take even numbers from 320x240 to 3840x2160."
            )
        if not 0.1 <= self.step_s <= 60:
            raise SettingsError(f"{self.step_s:g} seconds a step cannot be shown: take 0.1 to 60.")

    def steps(self, count: int) -> range:
        """Return the steps that are shown of a walk of `count` steps.

        Raises
        ------
        SettingsError
            Where the walk has no such steps.
        """
        last = count if self.last is None else self.last
        if not 0 <= self.first <= last <= count:
            raise SettingsError(
                f"Steps {self.first} to {last} cannot be shown: take two of 0 to {count}, the"
                " earlier one first."
            )
        return range(self.first, last + 1)

    def frames(self, pictures: int) -> list[int]:
        """Return for how many frames of an MP4 each picture stands."""
        each = max(1, round(self.step_s * FPS))
        return [each] * (pictures - 1) + [each * _LAST_STANDS]


def film_hint() -> str | None:
    """Say what a film (MP4) lacks on this machine; ``None`` where nothing is missing."""
    if hint := extra_hint("film"):
        return hint
    if find_spec("imageio_ffmpeg") is None:
        return _NO_ENCODER
    return None if chromium_path() or _own_chromium() else _NO_CHROMIUM


def film_pictures(page: str, film: Film, steps: Sequence[int]) -> Iterator[Image]:
    """Yield a picture of the player at each step.

    Parameters
    ----------
    page
        From `navviz.views.player.html.document_page`.
    film
        Its size and theme.
    steps
        Which steps; 0 is before the first.

    Raises
    ------
    MissingExtraError
        Without playwright, or without a Chromium.
    """
    from PIL import Image

    with (
        tempfile.TemporaryDirectory(prefix="navviz-film-") as folder,
        _opened(page, film, Path(folder)) as shown,
    ):
        for step in steps:
            shown.evaluate(_GO, step)
            yield Image.open(io.BytesIO(shown.screenshot())).convert("RGB")


def write_film(pictures: Iterator[Image], out: Path, film: Film, count: int) -> float:
    """Write `count` pictures as a film, and return how many seconds it lasts.

    Raises
    ------
    SettingsError
        Where the file's ending is neither ``.mp4`` nor ``.gif``.
    NavVizError
        Where the file cannot be written.
    """
    kind = out.suffix.lower().removeprefix(".")
    if kind not in FILM_KINDS:
        raise SettingsError(f"{out.name} is no film: name a file that ends in .mp4 or .gif.")
    frames = film.frames(count)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        if kind == "gif":
            _write_gif(pictures, out, frames)
        else:
            _write_mp4(pictures, out, film.size, frames)
    except OSError as error:
        raise NavVizError(f"{out} cannot be written ({error}): choose another place.") from error
    return sum(frames) / FPS


def _write_mp4(
    pictures: Iterator[Image], out: Path, size: tuple[int, int], frames: Sequence[int]
) -> None:
    try:
        from imageio_ffmpeg import write_frames
    except ImportError as error:
        raise MissingExtraError(_NO_ENCODER) from error
    # Before the encoder starts: it prints a long complaint when no picture comes.
    first = next(pictures)
    # 2, not ffmpeg's usual 16: 1080 is no multiple of 16, and a stretched picture is blurred.
    writer = write_frames(str(out), size, fps=FPS, codec="libx264", quality=8, macro_block_size=2)
    # the writer is a generator, which has to be started before it takes a frame
    writer.send(None)
    try:
        for picture, times in zip(chain([first], pictures), frames, strict=True):
            content = picture.tobytes()
            for _ in range(times):
                writer.send(content)
    finally:
        writer.close()


def _write_gif(pictures: Iterator[Image], out: Path, frames: Sequence[int]) -> None:
    from PIL import Image

    # No dither: type stays sharp, and areas that do not change are not stored again.
    drawn = [picture.quantize(_GIF_COLOURS, dither=Image.Dither.NONE) for picture in pictures]
    durations = [round(1000 * times / FPS) for times in frames]
    # `loop=0` means without end
    drawn[0].save(
        out, format="GIF", save_all=True, append_images=drawn[1:], duration=durations, loop=0
    )


@contextmanager
def _opened(page: str, film: Film, folder: Path) -> Iterator[Page]:
    """Open a page in a Chromium of its own, without network, and let its player present."""
    with needs_extra("film"):
        from playwright.sync_api import Error, sync_playwright
    file = folder / "replay.html"
    file.write_text(page, encoding="utf-8")
    wide, high = film.size
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=_executable(playwright), args=_LAUNCH
            )
        except Error as error:
            raise NavVizError(f"Chromium does not start: {str(error).splitlines()[0]}") from error
        try:
            context = browser.new_context(
                viewport={"width": wide, "height": high},
                color_scheme=film.theme,
                # without animations: a picture taken in the middle of one would show neither step
                reduced_motion="reduce",
                offline=True,
            )
            shown = context.new_page()
            shown.goto(file.as_uri())
            shown.wait_for_selector('.navviz-player[data-ready="true"]')
            shown.add_style_tag(content=_PLAYING)
            shown.evaluate(
                "() => { navvizPlayer.options.fullscreen = false; navvizPlayer.present(true);"
                f" return {_PAINTED}; }}"
            )
            yield shown
        finally:
            browser.close()


def _executable(playwright: Playwright) -> str:
    path = chromium_path()
    if path is None and Path(playwright.chromium.executable_path).exists():
        path = playwright.chromium.executable_path
    if path is None:
        raise MissingExtraError(_NO_CHROMIUM)
    return path


def chromium_path() -> str | None:
    """Return the machine's Chromium; ``NAVVIZ_CHROMIUM`` names another.

    Debian's headless shell comes first: the same engine without windows takes a fifth less
    processor time.
    """
    named = os.environ.get("NAVVIZ_CHROMIUM")
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return named or next(filter(None, map(shutil.which, names)), None)


def _own_chromium() -> bool:
    """Whether ``playwright install chromium`` was run; playwright would start a process to say."""
    folder = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    return find_spec("playwright") is not None and any(Path(folder).glob("chromium-*"))
