"""One type scale: the player's style sheets, the atlas, the app's pages and Streamlit's theme."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.paths import ROOT

SCALE = {12, 13, 14, 16, 20, 32}
"""13 stands for what a failure's geometry and the labels of what is due have."""
SHEETS = sorted((ROOT / "assets" / "player" / "src" / "css").glob("*.css"))
SITE = {"site.css"}
"""The published site's pages are set apart from the player."""


def test_the_tokens_are_the_scale() -> None:
    text = (ROOT / "assets" / "tokens.css").read_text()
    sizes = {int(size) for size in re.findall(r"@property --nv-(\d+)", text)}
    assert sizes == SCALE
    for size in sizes - {14}:
        assert f"--nv-{size}: calc({size}em / 14);" in text


@pytest.mark.parametrize(
    "sheet", [path for path in SHEETS if path.name not in SITE], ids=lambda path: path.name
)
def test_the_player_takes_its_sizes_from_the_tokens(sheet: Path) -> None:
    sizes = re.findall(r"font-size: ([^;]+);", sheet.read_text())
    own = [size for size in sizes if not re.fullmatch(r"var\(--nv-\d+\)|inherit|clamp\(.*\)", size)]
    assert own == []


def test_pages_and_theme_write_the_same_sizes() -> None:
    written: dict[str, set[int]] = {}
    for path in (ROOT / "navviz" / "ui").rglob("*.py"):
        sizes = re.findall(r"font(?:-size)?: ?(?:\d{3} )?(\d+)px", path.read_text())
        if strange := {int(size) for size in sizes} - SCALE:
            written[path.name] = strange
    assert written == {}
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    assert theme["metricValueFontSize"] == "20px"
    assert theme["headingFontSizes"] == ["32px", "20px", "16px", "14px", "14px", "12px"]
