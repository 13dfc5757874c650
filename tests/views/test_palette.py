"""One palette: the player's style sheet and the Python figures give the same things the same
colours.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import navviz
from navviz.support.installation.files import assets_dir
from navviz.views import palette
from navviz.views.player.files import player_css

SHARED = {
    "reference": palette.REFERENCE,
    "agent": palette.AGENT,
    "bad": palette.BAD,
    "node": palette.NODE,
    "poi": palette.POI,
    "mute": palette.MUTE,
    "ink": palette.INK,
}


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
