"""``navviz figure`` on the sample runs."""

from __future__ import annotations

import base64
import io
import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from navviz.runs.opened import open_run
from tests.command import invoke
from tests.paths import SAMPLES

RUN = SAMPLES / "harbour" / "runs" / "rules"


call = partial(invoke, "figure")


@pytest.fixture(scope="module")
def ids():
    return list(open_run(RUN).traces)[:3]


def words(path: Path) -> set[str]:
    return {element.text or "" for element in ET.parse(path).iter() if element.tag.endswith("text")}


def test_several_episodes_become_panels(ids, tmp_path):
    out = tmp_path / "new" / "three.svg"
    result = call(str(RUN), *ids, "--out", str(out), "--width", "double")
    assert result.exit_code == 0, result.output
    assert "7.16 x" in result.stdout
    assert {f"({letter}) {one}" for letter, one in zip("abc", ids, strict=True)} <= words(out)


def test_labels_can_be_left_out(ids, tmp_path):
    named, bare = tmp_path / "named.svg", tmp_path / "bare.svg"
    for out, labels in ((named, "landmarks"), (bare, "none")):
        result = call(str(RUN), ids[1], "--out", str(out), "--labels", labels)
        assert result.exit_code == 0, result.output
    assert "landmark" in words(named)
    assert "landmark" not in words(bare)
    assert words(bare) < words(named)


def test_chosen_steps_and_labels_stand_in_the_figure(tmp_path):
    out = tmp_path / "chosen.svg"
    result = call(str(RUN), "3", "--out", str(out), "--labels", "lobster pot", "--steps", "1,3")
    assert result.exit_code == 0, result.output
    assert {"Lobster Pot", "step", "1", "3"} <= words(out)
    assert not {"2", "Cod & Co", "Salt Cellar"} & words(out)


@pytest.mark.parametrize(("name", "begins"), [("a.pdf", b"%PDF"), ("a.PNG", b"\x89PNG")])
def test_the_ending_decides_the_format(ids, tmp_path, name, begins):
    assert call(str(RUN), ids[0], "--out", str(tmp_path / name)).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("{id}", "--out", "a.jpg"), "name a file that ends in .svg, .pdf or .png"),
        (("nobody", "--out", "a.svg"), "no such episode"),
        (("{id}", "--out", "a.svg", "--steps", "0"), "“0” names no steps: write them as 1,5,9"),
        (("{id}", "--out", "a.svg", "--steps", "3-x"), "“3-x” names no steps"),
        (
            ("{id}", "--out", "a.svg", "--steps", "99"),
            "Step 99 cannot be numbered: the walk of episode {id} has steps 1",
        ),
        (
            ("{id}", "--out", "a.svg", "--labels", "Atlantis"),
            "“Atlantis” is not in the figure of episode {id}",
        ),
    ],
)
def test_what_is_wrong_is_said(ids, given, message):
    result = call(str(RUN), *(text.format(id=ids[0]) for text in given))
    assert result.exit_code == 2
    assert message.format(id=ids[0]) in result.stderr


HOUSE = SAMPLES / "house"
SEEN = str(HOUSE / "runs" / "mapgpt-pictures-by-hand")


def test_views_of_steps_stand_in_a_row_beneath_the_map(tmp_path):
    for kind in ("svg", "pdf", "png"):
        plain, viewed = tmp_path / f"plain.{kind}", tmp_path / f"viewed.{kind}"
        for out, more in ((plain, ()), (viewed, ("--views", "1,3,5"))):
            place = ("--graphs", str(HOUSE / "connectivity"), "--out", str(out))
            result = call(SEEN, "101_0", *place, *more)
            assert result.exit_code == 0, result.output
        assert viewed.stat().st_size > plain.stat().st_size
    assert {"step 1", "step 3", "step 5", "1", "3", "5"} <= words(tmp_path / "viewed.svg")
    text = (tmp_path / "viewed.svg").read_text()
    images = re.findall(r'xlink:href="data:image/png;base64,([^"]+)"', text)
    sizes = [Image.open(io.BytesIO(base64.b64decode(code))).size for code in images]
    assert [size for size in sizes if 330 < size[0] < 360] == [sizes[-1]] * 3, "300 dpi of a third"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((SEEN, "101_0", "--views", "1-6"), "name at most 5 steps"),
        ((SEEN, "101_0", "--views", "99"), "99"),
        ((SEEN, "101_0", "108_0", "--views", "1"), "draw one figure for each"),
        ((str(RUN), "3", "--views", "1"), "Step 1 has no picture in the opened folders"),
    ],
)
def test_views_that_cannot_be_shown_are_refused_by_one_sentence(given, said, tmp_path):
    result = call(*given, "--out", str(tmp_path / "out.svg"))
    assert result.exit_code != 0
    assert said in result.output
    assert not (tmp_path / "out.svg").exists()
