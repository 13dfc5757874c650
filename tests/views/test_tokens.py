"""One file of colours and sizes: nothing that draws has a colour or a size of its own."""

from __future__ import annotations

import re
import tomllib

import pytest

from navviz.views import palette
from tests.paths import ROOT

SCALE = {12, 13, 14, 16, 20, 32}
"""13 stands for what a failure's geometry and the labels of what is due have."""
SHEETS = [*sorted((ROOT / "assets" / "player" / "src" / "css").glob("*.css"))]
SHEETS += [ROOT / "assets" / "atlas.css", *sorted((ROOT / "assets" / "ui").glob("*.css"))]
DRAWING = sorted(
    [*(ROOT / "navviz" / "views").rglob("*.py"), *(ROOT / "navviz" / "ui").rglob("*.py")]
)
COLOUR = r"#[0-9a-fA-F]{3,8}\b(?!;)|rgba?\(\s*\d|rgb\(\d"
NO_COLOUR = "rgba(0,0,0,0)"
"""How plotly spells a ground that is not painted."""


def without_comments(css: str) -> str:
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)


def test_the_tokens_are_the_scale():
    text = (ROOT / "assets" / "tokens.css").read_text()
    assert set(palette.SIZES_PX) == SCALE
    for size in SCALE - {14}:
        assert f"--nv-{size}: calc({size}em / 14);" in text


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_sheets_take_sizes_and_colours_from_the_tokens(sheet):
    css = without_comments(sheet.read_text())
    sizes = re.findall(r"font-size: ([^;]+);", css)
    sizes += re.findall(r"font: (?:\d{3} )?([^ /;]+) ?/", css)
    # 14px is where the scale hangs: the sizes in em are counted from it
    allowed = r"var\(--nv-\d+\)|inherit|clamp\(.*\)|14px"
    assert [size for size in sizes if not re.fullmatch(allowed, size)] == []
    assert re.findall(COLOUR, css) == []
    assert "rgb(" not in css


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_name_that_a_sheet_uses_is_a_token(theme):
    given = (
        set(palette.THEMES[theme]) | {str(size) for size in SCALE} | {"font", "code-font", "space"}
    )
    # names that a sheet, splits.js or a script gives an element
    sheets = "".join(without_comments(sheet.read_text()) for sheet in SHEETS)
    scripts = "".join(path.read_text() for path in (ROOT / "assets/player/src").rglob("*.js"))
    splits = {"column", "beside", "row"}
    own = (
        splits
        | set(re.findall(r"--nv-([\w-]+):", sheets))
        | set(re.findall(r"--nv-([\w-]+)", scripts))
    )
    assert set(re.findall(r"var\(--nv-([\w-]+)", sheets)) - own <= given


@pytest.mark.parametrize("path", DRAWING, ids=lambda path: path.name)
def test_python_takes_sizes_and_colours_from_the_tokens(path):
    code = path.read_text().replace(NO_COLOUR, "")
    assert [colour for colour in re.findall(COLOUR, code) if not colour[1:].isdecimal()] == []
    assert re.findall(r"font(?:-size)?: ?(?:\d{3} )?\d+(?:\.\d+)?(?:px|rem|em)", code) == []
    assert re.findall(r"(?:font_?size|textfont=\{\"size\")[=:] ?\d+", code) == []


def test_the_theme_repeats_the_tokens():
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    assert theme["metricValueFontSize"] == "20px"
    assert theme["headingFontSizes"] == ["32px", "20px", "16px", "14px", "14px", "12px"]
    for name, colours in palette.THEMES.items():
        assert theme[name] == {
            "primaryColor": colours["accent"],
            "backgroundColor": colours["paper"],
            "secondaryBackgroundColor": colours["panel"],
            "textColor": colours["ink"],
            "borderColor": colours["rule"],
            "linkColor": colours["link"],
        }
