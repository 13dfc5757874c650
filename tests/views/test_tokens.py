"""One file of colours and sizes, and one palette."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import navviz
from navviz.support.installation.files import assets_dir
from navviz.views import palette
from navviz.views.player.files import player_css
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


SHARED = {
    "reference": palette.REFERENCE, "agent": palette.AGENT, "bad": palette.BAD,
    "node": palette.NODE, "poi": palette.POI, "mute": palette.MUTE, "ink": palette.INK,
}  # fmt: skip


def named(css: str, name: str) -> list[str]:
    """The colours that a style sheet gives a name, one a theme, written out."""
    values = re.findall(rf"--nv-{name}:\s*#([0-9a-fA-F]{{3,6}})\b", css)
    return [
        "#" + ("".join(2 * digit for digit in value) if len(value) == 3 else value).lower()
        for value in values
    ]


@pytest.mark.parametrize(("name", "colour"), SHARED.items())
def test_the_player_draws_in_the_same_colours(name, colour):
    light, *dark = named(player_css(), name)
    assert light == colour
    assert dark, "the dark theme has a colour of its own"


def test_ink_on_a_dark_ground_is_the_players():
    assert palette.INK_ON_DARK in named(player_css(), "ink")


def test_a_translucent_colour_keeps_its_hue():
    assert palette.translucent("#0072b2", 0.12) == "rgba(0,114,178,0.12)"


def test_no_figure_has_a_blue_or_an_orange_of_its_own():
    """There used to be four blues and two oranges for the reference path and the agent."""
    folder = Path(navviz.__file__).parent
    for path in sorted([*(folder / "views").rglob("*.py"), *(folder / "ui").rglob("*.py")]):
        for value in re.findall(r"#([0-9a-fA-F]{6})\b", path.read_text(encoding="utf-8")):
            red, green, blue = (int(value[k : k + 2], 16) for k in (0, 2, 4))
            strong = max(red, green, blue) - min(red, green, blue) > 90
            assert not strong or path.name == "palette.py", (
                f"{path}: #{value} belongs into the palette"
            )


def test_the_player_s_code_names_its_colours():
    """The map to pick nodes on used to have a palette of its own."""
    sources = sorted((assets_dir() / "player" / "src").rglob("*.js"))
    assert sources
    for path in sources:
        assert not re.findall(r"[\"'`]#[0-9a-fA-F]{3,8}[\"'`]", path.read_text(encoding="utf-8")), (
            path
        )
