"""``navviz film`` on the sample runs, in a real Chromium without network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from navviz.errors import SettingsError
from navviz.views.player.film import Film, chromium_path
from tests.chromium import lacking
from tests.command import invoke
from tests.paths import ROOT, SAMPLES
from tests.zygote import forked

RUN = str(SAMPLES / "harbour" / "runs" / "groke-by-hand")


call = partial(invoke, "film")


def filmed(*given: str, said: list[str] | None = None) -> str:
    """Call it as a program: playwright allows one browser at a time in a process, and other tests
    have theirs.
    """
    command = [sys.executable, "-m", "navviz", "film", *given]
    done = forked(command, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    if said is not None:
        said.append(done.stderr)
    return done.stdout


def talkative(folder: Path) -> Path:
    """Write the sample's run with long thoughts, and letters that no font has."""
    harbour = folder / "harbour"
    shutil.copytree(ROOT / SAMPLES / "harbour" / "osm", harbour / "osm")
    run = harbour / "runs" / "talkative"
    run.mkdir(parents=True)
    lines = []
    for line in (Path(RUN) / "1.trace.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["type"] == "call":
            # each sentence on a line of its own, by number: a lost one would be a gap
            event["call"]["thoughts"] = "\n\n".join(f"Sentence {k:02d}." for k in range(40))
        if event["type"] == "header":
            event["episode"]["instruction"] += " \ue000"
        lines.append(json.dumps(event))
    (run / "1.trace.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return run


@pytest.fixture
def browser():
    pytest.importorskip("playwright", reason="playwright is not installed")
    if chromium_path() is None:
        lacking("no Chromium on this machine: install it, or name one in NAVVIZ_CHROMIUM")


@pytest.mark.browser
@pytest.mark.usefixtures("browser")
def test_an_mp4_has_the_size_the_frames_and_the_seconds_that_were_asked_for(tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    out = tmp_path / "new" / "walk.mp4"
    given = (
        "--out", str(out), "--size", "1280x720", "--seconds-per-step", "0.3", "--from", "1", "--to",
        "3",
    )  # fmt: skip
    assert "1280 x 720, 3 steps, 1.2 s" in filmed(RUN, "1", *given)
    # 3 + 3 + 6: the last step stands twice as long
    assert ffmpeg.count_frames_and_secs(str(out)) == (12, 1.2)
    raw = [
        ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(out), "-f", "rawvideo", "-pix_fmt",
        "gray", "-",
    ]  # fmt: skip
    frames = np.frombuffer(
        subprocess.run(raw, capture_output=True, check=True).stdout, np.uint8
    ).astype(int)
    frames = frames.reshape(12, 720, 1280)
    assert difference(frames[0], frames[2]) < 1 < difference(frames[2], frames[3]), (
        "a step is one picture"
    )


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.usefixtures("browser")
def test_a_gif_is_dark_where_that_was_asked_for(tmp_path):
    from PIL import Image

    out = tmp_path / "walk.GIF"
    given = (
        "--out", str(out), "--size", "1280x720", "--theme", "dark", "--from", "3",
        "--seconds-per-step", "0.5",
    )  # fmt: skip
    assert "2 steps" in filmed(RUN, "1", *given)
    with Image.open(out) as shown:
        assert (shown.size, shown.n_frames) == ((1280, 720), 2)  # type: ignore[attr-defined]
        assert [duration(shown, k) for k in range(2)] == [500, 1000]
        assert (
            max(shown.convert("L").getpixel((2, 100)), shown.convert("L").getpixel((400, 4))) < 80
        )


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.usefixtures("browser")
def test_long_thoughts_go_on_on_further_pages_and_the_film_lasts_as_long_as_asked(tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    pytest.importorskip("matplotlib")
    out, said = tmp_path / "walk.mp4", list[str]()
    run = str(talkative(tmp_path))
    given = ("--size", "640x360", "--seconds", "7", "--from", "1", "--to", "2")
    graph = str(tmp_path / "harbour" / "osm" / "graph")
    result = filmed(run, "1", "--out", str(out), "--graphs", graph, *given, said=said)
    match = re.search(r"2 steps, (\d+) pages, 7\.0 s", result)
    assert match is not None, result
    # 40 short paragraphs at 640 x 360 are more than three pages for each step
    assert int(match[1]) >= 8
    assert ffmpeg.count_frames_and_secs(str(out)) == (70, 7.0)
    [error] = said
    assert "No installed font has these letters, so a film shows boxes" in error
    assert "private use (U+E000)" in error


@pytest.mark.usefixtures("browser")
def test_a_chromium_that_does_not_start_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("NAVVIZ_CHROMIUM", str(tmp_path / "nothing"))
    command = [sys.executable, "-m", "navviz", "film", RUN, "1", "--out", str(tmp_path / "a.mp4")]
    done = forked(command, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert "Chromium does not start" in done.stderr
    assert "Traceback" not in done.stderr


def test_which_steps_are_shown_and_for_how_long():
    assert list(Film().steps(2)) == [0, 1, 2]
    assert list(Film(first=2, last=2).steps(2)) == [2]
    assert Film(step_s=0.25).frames(3) == [3, 2, 5], "rounded ends: 1 s in all, not 0.8"
    with pytest.raises(SettingsError):
        Film(last=3).steps(2)


@pytest.mark.parametrize(("film", "pages", "length_s"), [
    (Film(), 9, 15.0), (Film(step_s=0.25), 39, 10.0), (Film(step_s=0.33), 99, 33.0),
    (Film(length_s=15), 9, 15.0), (Film(length_s=15), 149, 15.0), (Film(length_s=15), 1, 15.0),
])  # fmt: skip
def test_a_film_lasts_as_long_as_its_pages(film, pages, length_s):
    frames = film.frames(pages)
    assert (len(frames), sum(frames) / 10) == (pages, length_s)
    assert min(frames) >= 1
    assert max(frames[:-1], default=0) - min(frames[:-1], default=0) <= 1, "shared evenly"


def test_a_film_that_is_too_short_for_its_pages_says_how_long_it_needs():
    with pytest.raises(SettingsError, match=r"1.5 s are too short for 30 pages: take 4 s or more"):
        Film(length_s=1.5).frames(30)


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Mean over the pixels of two frames, which compression leaves a little apart where they are
    equal.
    """
    return float(np.abs(one - other).mean())


def duration(image, k: int) -> int:
    image.seek(k)
    return image.info["duration"]
