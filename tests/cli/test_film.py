"""``navviz film`` on the sample runs, in a real Chromium without network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from navviz.cli import film
from navviz.errors import SettingsError
from navviz.views.player.film import Film, chromium_path
from tests.chromium import lacking
from tests.paths import ROOT, SAMPLES
from tests.zygote import forked

RUN = str(SAMPLES / "harbour" / "runs" / "groke-by-hand")


def call(*given: str):
    app = typer.Typer()
    film.register(app)
    app.command("other")(lambda: None)  # typer drops the name of an only command
    return CliRunner().invoke(app, ["film", *given])


def filmed(*given: str) -> str:
    """Call it as a program: playwright allows one browser at a time in a process, and other tests
    have theirs.
    """
    command = [sys.executable, "-m", "navviz", "film", *given]
    done = forked(command, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def browser() -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    if chromium_path() is None:
        lacking("no Chromium on this machine: install it, or name one in NAVVIZ_CHROMIUM")


@pytest.mark.browser
@pytest.mark.usefixtures("browser")
def test_an_mp4_has_the_size_the_frames_and_the_seconds_that_were_asked_for(tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    out = tmp_path / "new" / "walk.mp4"
    given = (
        "--out",
        str(out),
        "--size",
        "640x360",
        "--seconds-per-step",
        "0.3",
        "--from",
        "1",
        "--to",
        "3",
    )
    assert "640 x 360, 3 steps, 1.2 s" in filmed(RUN, "1", *given)
    # 3 + 3 + 6: the last step stands twice as long
    assert ffmpeg.count_frames_and_secs(str(out)) == (12, 1.2)
    raw = [
        ffmpeg.get_ffmpeg_exe(),
        "-v",
        "error",
        "-i",
        str(out),
        "-f",
        "rawvideo",
        "-pix_fmt",
        "gray",
        "-",
    ]
    frames = np.frombuffer(
        subprocess.run(raw, capture_output=True, check=True).stdout, np.uint8
    ).astype(int)
    frames = frames.reshape(12, 360, 640)
    assert difference(frames[0], frames[2]) < 1 < difference(frames[2], frames[3]), (
        "a step is one picture"
    )


@pytest.mark.browser
@pytest.mark.usefixtures("browser")
def test_a_gif_is_dark_where_that_was_asked_for(tmp_path: Path) -> None:
    from PIL import Image

    out = tmp_path / "walk.GIF"
    given = (
        "--out",
        str(out),
        "--size",
        "640x360",
        "--theme",
        "dark",
        "--from",
        "3",
        "--seconds-per-step",
        "0.5",
    )
    assert "2 steps" in filmed(RUN, "1", *given)
    with Image.open(out) as shown:
        assert (shown.size, shown.n_frames) == ((640, 360), 2)  # type: ignore[attr-defined]
        assert [duration(shown, k) for k in range(2)] == [500, 1000]
        assert (
            max(shown.convert("L").getpixel((2, 100)), shown.convert("L").getpixel((400, 4))) < 80
        )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("1", "--out", "a.avi"), "name a file that ends in .mp4 or .gif"),
        (("1", "--out", "a.mp4", "--size", "big"), "write it as 1280x720"),
        (("1", "--out", "a.mp4", "--size", "641x360"), "641x360 is no size of a film"),
        (("1", "--out", "a.mp4", "--seconds-per-step", "0"), "0 seconds a step cannot be shown"),
        (
            ("1", "--out", "a.mp4", "--from", "3", "--to", "2"),
            "Steps 3 to 2 cannot be shown: take two of 0 to 4",
        ),
        (("nobody", "--out", "a.mp4"), "no such episode"),
    ],
)
def test_what_is_wrong_is_said_before_anything_starts(given: tuple[str, ...], told: str) -> None:
    result = call(RUN, *given)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.usefixtures("browser")
def test_a_chromium_that_does_not_start_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NAVVIZ_CHROMIUM", str(tmp_path / "nothing"))
    command = [sys.executable, "-m", "navviz", "film", RUN, "1", "--out", str(tmp_path / "a.mp4")]
    done = forked(command, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert "Chromium does not start" in done.stderr
    assert "Traceback" not in done.stderr


def test_which_steps_are_shown_and_for_how_long() -> None:
    assert list(Film().steps(2)) == [0, 1, 2]
    assert list(Film(first=2, last=2).steps(2)) == [2]
    assert Film(step_s=0.25).frames(3) == [2, 2, 4]
    with pytest.raises(SettingsError):
        Film(last=3).steps(2)


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Mean over the pixels of two frames, which compression leaves a little apart where they are
    equal.
    """
    return float(np.abs(one - other).mean())


def duration(image, k: int) -> int:
    image.seek(k)
    return image.info["duration"]
