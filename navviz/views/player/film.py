"""Film a replay for slides: the exported player in a real Chromium, one picture a page.

A step is one page, or several where its thoughts are too long for one. Playwright drives the
Chromium without network, imageio-ffmpeg brings the encoder for MP4, Pillow writes GIF. The player
is in its presentation mode, whose type is large; buttons are hidden.
"""

from __future__ import annotations

import errno
import io
import math
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, cast

from navviz.errors import MissingExtraError, NavVizError, SettingsError
from navviz.support.guarded import write_whole, writing
from navviz.support.installation.extras import extra_hint, needs_extra
from navviz.views.player.writer import unpacked

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Page


FilmTheme = Literal["light", "dark"]

FILM_KINDS = ("mp4", "gif")
"""Endings of the files that can be written."""

FPS = 10
"""Frames a second of an MP4.

A page is one picture that stands: more frames would only cost time.
"""

_LAST_STANDS = 2
"""The last page stands so many times as long, since a film in a loop would hide the end."""

_GIF_COLOURS = 255

_LEAST_WIDE = 960
"""The player in CSS pixels: below this width it has no room for its texts, and is drawn smaller."""

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


# Goes to a step and cuts its thoughts into pages, of which it shows the first.
_CUT = "navvizPlayer.go(step); const pages = navvizPlayer.presenter.pages.count();"

_COUNT = f"(steps) => steps.map((step) => {{ {_CUT} return pages; }})"

_GO = f"(step) => {{ {_CUT} navvizPlayer.map.settle(); return {_PAINTED}; }}"

_TURN = f"(page) => {{ navvizPlayer.presenter.pages.show(page); return {_PAINTED}; }}"


@dataclass(frozen=True, slots=True)
class Film:
    """How a film is made. Raises `SettingsError` for a size or a time that no film has."""

    size: tuple[int, int] = (1280, 720)
    """Width and height in pixels; even, since MP4's colours stand on every second pixel."""
    step_s: float = 1.5
    """How long each page stands, in seconds: a step, or a part of its thoughts."""
    length_s: float | None = None
    """How long the film lasts, where that matters more than how long a page stands."""
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
        if self.length_s is not None and not 1 <= self.length_s <= 3600:
            raise SettingsError(f"{self.length_s:g} seconds are no film: take 1 to 3600.")

    def steps(self, count: int) -> range:
        """Return the steps that are shown of a walk of `count` steps.

        Raises `SettingsError` where the walk has no such steps.
        """
        last = count if self.last is None else self.last
        if not 0 <= self.first <= last <= count:
            raise SettingsError(
                f"Steps {self.first} to {last} cannot be shown: take two of 0 to {count}, the"
                " earlier one first."
            )
        return range(self.first, last + 1)

    def frames(self, pages: int) -> list[int]:
        """Return for how many frames each page stands.

        Raises `SettingsError` where so many pages do not fit into the film's length.
        """
        each = self.step_s * FPS
        if self.length_s is not None:
            each = self.length_s * FPS / (pages - 1 + _LAST_STANDS)
            if each < 1:
                raise SettingsError(
                    f"{self.length_s:g} s are too short for {pages} pages: take"
                    f" {math.ceil((pages - 1 + _LAST_STANDS) / FPS)} s or more, or fewer steps."
                )
        # Rounded ends, not lengths: else 40 pages of 0.25 s would last 8 s instead of 10.
        ends = [math.floor(each * page + 0.5) for page in range(pages)]
        ends.append(math.floor(each * (pages - 1 + _LAST_STANDS) + 0.5))
        return [end - start for start, end in pairwise(ends)]


@dataclass(frozen=True, slots=True)
class Filmed:
    """What a film holds."""

    steps: int
    pages: int
    """Pictures: steps, and further pages of long thoughts."""
    length_s: float


def film_hint() -> str | None:
    """Say what a film (MP4) lacks on this machine; ``None`` where nothing is missing."""
    if hint := extra_hint("film"):
        return hint
    if not _has_encoder():
        return _NO_ENCODER
    return None if chromium_path() or _own_chromium() else _NO_CHROMIUM


def film_replay(
    page: str,
    out: Path,
    film: Film,
    steps: Sequence[int],
    on_step: Callable[[], object] | None = None,
) -> Filmed:
    """Film the steps of a replay, and say what the film holds.

    Raises `SettingsError` where the file's ending is neither ``.mp4`` nor ``.gif``, or the film is
    too short; `MissingExtraError` without playwright, a Chromium, or an encoder; `NavVizError`
    where the file cannot be written.
    """
    kind = check_encoder(out)
    with (
        tempfile.TemporaryDirectory(prefix="navviz-film-") as folder,
        _opened(page, film, Path(folder)) as shown,
    ):
        # Counted before the first picture is taken, since a film of fixed length shares its time.
        counts: list[int] = shown.evaluate(_COUNT, list(steps))
        frames = film.frames(sum(counts))
        pictures = _pictures(shown, film.size, steps, counts, on_step or (lambda: None))
        with writing(out) as part:
            if kind == "gif":
                from PIL import Image

                # No dither: type stays sharp, and areas that do not change are not stored again.
                drawn = [
                    picture.quantize(_GIF_COLOURS, dither=Image.Dither.NONE) for picture in pictures
                ]
                durations = [round(1000 * times / FPS) for times in frames]
                # `loop=0` means without end
                drawn[0].save(
                    part,
                    format="GIF",
                    save_all=True,
                    append_images=drawn[1:],
                    duration=durations,
                    loop=0,
                )
            else:
                _write_mp4(pictures, part, film.size, frames)
    return Filmed(len(steps), len(frames), sum(frames) / FPS)


def check_encoder(out: Path) -> str:
    """Return what a film is written as, before anything is started for it.

    Raises `SettingsError` where the file's ending is neither ``.mp4`` nor ``.gif``;
    `MissingExtraError` for an MP4 without its encoder.
    """
    kind = out.suffix.lower().removeprefix(".")
    if kind not in FILM_KINDS:
        raise SettingsError(f"{out.name} is no film: name a file that ends in .mp4 or .gif.")
    if kind == "mp4" and not _has_encoder():
        raise MissingExtraError(_NO_ENCODER)
    return kind


def _has_encoder() -> bool:
    try:
        return find_spec("imageio_ffmpeg") is not None
    except ModuleNotFoundError:  # of who hides packages
        return False


def _pictures(
    shown: Page,
    size: tuple[int, int],
    steps: Sequence[int],
    counts: Sequence[int],
    on_step: Callable[[], object],
) -> Iterator[Image]:
    """Yield a picture of each page of each step."""
    from PIL import Image

    for step, pages in zip(steps, counts, strict=True):
        shown.evaluate(_GO, step)
        for page in range(pages):
            if page:
                shown.evaluate(_TURN, page)
            picture = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
            # a size that is drawn smaller may come out a pixel larger
            yield picture if picture.size == size else picture.resize(size)
        on_step()


def _write_mp4(
    pictures: Iterator[Image], part: Path, size: tuple[int, int], frames: Sequence[int]
) -> None:
    # an extra: the encoder
    from imageio_ffmpeg import get_ffmpeg_exe

    # before the encoder starts: it writes a film of nothing when no picture comes
    first = next(pictures)
    read = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(FPS)]
    # the format is named, since a draft's name does not end in it
    written = ["-vcodec", "libx264", "-pix_fmt", "yuv420p", "-crf", "10", "-f", "mp4", str(part)]
    command = [get_ffmpeg_exe(), "-v", "error", "-y", *read, "-i", "-", *written]
    # `write_frames` of imageio_ffmpeg would keep half a film where a disk is full at its end
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as encoder:  # noqa: S603
        with suppress(BrokenPipeError):  # it says why when it ends
            for picture, times in zip(chain([first], pictures), frames, strict=True):
                content = picture.tobytes()
                for _ in range(times):
                    cast("IO[bytes]", encoder.stdin).write(content)
        message = encoder.communicate()[1].decode(errors="replace").strip()
    if encoder.returncode:
        reason = message.rpartition(": ")[2] or f"the encoder ended with {encoder.returncode}"
        raise OSError(errno.EIO, reason)


@contextmanager
def _opened(page: str, film: Film, folder: Path) -> Iterator[Page]:
    """Open a page in a Chromium of its own, without network, and let its player present."""
    with needs_extra("film"):
        from playwright.sync_api import Error, sync_playwright
    file = folder / "replay.html"
    write_whole(file, page)
    wide, high = film.size
    scale = min(1.0, wide / _LEAST_WIDE)
    with sync_playwright() as playwright:
        try:
            path = chromium_path()
            if path is None and Path(playwright.chromium.executable_path).exists():
                path = playwright.chromium.executable_path
            if path is None:
                raise MissingExtraError(_NO_CHROMIUM)
            browser = playwright.chromium.launch(executable_path=path, args=_LAUNCH)
        except Error as error:
            raise NavVizError(f"Chromium does not start: {str(error).splitlines()[0]}") from error
        try:
            context = browser.new_context(
                viewport={"width": round(wide / scale), "height": round(high / scale)},
                device_scale_factor=scale,
                color_scheme=film.theme,
                # without animations: a picture taken in the middle of one would show neither step
                reduced_motion="reduce",
                offline=True,
            )
            shown = context.new_page()
            shown.goto(file.as_uri())
            shown.wait_for_selector('.navviz-player[data-ready="true"]')
            # thoughts are cut at their lines, and these depend on the font
            shown.evaluate("document.fonts.ready.then(() => true)")
            shown.add_style_tag(content=_PLAYING)
            shown.evaluate(
                "() => { navvizPlayer.options.fullscreen = false; navvizPlayer.present(true);"
                f" return {_PAINTED}; }}"
            )
            yield shown
        finally:
            browser.close()


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


_FOREIGN: Final = re.compile("[^\\u0000-\\u024f\\u2000-\\u206f]")
"""Beyond Latin letters and dashes, which every font has: most replays have none, and to read fonts
costs the import of matplotlib."""

FILM: Final = "a film shows boxes in their place"

SAVED: Final = "the HTML file shows boxes in their place on computers without such a font"

FILM_AND_SAVED: Final = (
    "a film shows boxes in their place, and so does the HTML file on computers without such a font"
)


def undrawn_letters(document: Mapping[str, Any], effect: str) -> str:
    """Name letters of a document that no installed font has; empty where nothing is missing."""
    letters = "".join(dict.fromkeys(_FOREIGN.findall(" ".join(_texts(document)))))
    # the check reads fonts with matplotlib, and a film needs another extra
    if not letters or extra_hint("figures") is not None:
        return ""
    from navviz.views.figures.print_type import missing_letters, on_pages

    return missing_letters([letters], effect=effect, draws=on_pages)


def _texts(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a document: its packed table, and all that stands elsewhere in it."""
    packed = document["strings"]
    if isinstance(packed, Mapping):
        for pack in (packed["gzip"], *packed.get("more", ())):
            yield from unpacked(pack)
    yield from _texts_in({**document, "strings": () if isinstance(packed, Mapping) else packed})


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts_in(part)
    elif isinstance(value, Sequence):
        for part in value:
            yield from _texts_in(part)
