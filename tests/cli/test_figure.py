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


@pytest.mark.parametrize(("name", "begins"), [("a.pdf", b"%PDF"), ("a.PNG", b"\x89PNG")])
def test_the_ending_decides_the_format(ids, tmp_path, name, begins):
    assert call(str(RUN), ids[0], "--out", str(tmp_path / name)).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


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
