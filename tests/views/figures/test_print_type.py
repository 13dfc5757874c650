"""The type of figures: one font, installed ones for other scripts, and a word on what is missing."""

from pathlib import Path

import matplotlib as mpl
import pytest

from navviz.views.figures import print_type
from navviz.views.figures.print_type import drawable, missing_letters

LATIN = "Łódź, 12 m · Ελλάδα · Ж"
ARABIC = "شارع"
"""DejaVu, which comes with matplotlib, has these letters; Source Sans has not."""
BOLD = "𝐀𝐁"
"""Of all fonts that come with matplotlib, STIX alone has these."""


@pytest.fixture
def no_fonts(monkeypatch):
    """A machine without any font of its own."""
    searches = (print_type._search, print_type._family_for, print_type._family_with)
    monkeypatch.setattr(print_type, "_installed", tuple)
    for search in searches:
        search.cache_clear()
    yield
    for search in searches:
        search.cache_clear()


def test_latin_greek_and_cyrillic_take_the_app_s_font():
    with print_type.print_type():
        assert drawable(LATIN) == LATIN
        assert mpl.rcParams["font.family"] == ["Source Sans Pro", "DejaVu Sans"]
    assert mpl.rcParams["font.family"] != ["Source Sans Pro", "DejaVu Sans"]


def test_letters_that_only_an_installed_font_has_come_after_the_app_s():
    with print_type.print_type():
        assert drawable(f"{ARABIC} {BOLD}") == f"{ARABIC} {BOLD}"
        assert mpl.rcParams["font.family"][0] == "Source Sans Pro"
        assert len(mpl.rcParams["font.family"]) == 3
    assert missing_letters([LATIN, ARABIC, BOLD]) == ""


@pytest.mark.usefixtures("no_fonts")
def test_letters_without_a_font_are_left_out_and_named():
    with print_type.print_type():
        assert drawable("Rue 街 $5") == "Rue  $5"
    missing = missing_letters(["Rue 街道", "తెలుగు", "café"])
    assert "Chinese characters (街道), Telugu (తలగ)" in missing
    assert "fonts-noto-cjk and fonts-noto-core" in missing
    assert missing_letters(["Rue de la Paix", ARABIC]) == ""


def test_the_bundled_fonts_carry_their_licence():
    folder = Path(print_type.asset("fonts"))
    fonts = [path for path in folder.iterdir() if path.suffix in {".ttf", ".woff2"}]
    assert len(fonts) == 3
    assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / "OFL.txt").read_text()
