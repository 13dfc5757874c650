"""The type of figures on paper: the app's font, and installed fonts for the scripts that it lacks.

Source Sans has Latin, Greek and Cyrillic letters; DejaVu, which matplotlib carries, some more.
Names in Chinese, Hindi, Telugu or Arabic need a font of the machine. Letters that no font has are
left out, since they would print as boxes, and `missing_letters` names them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from navviz.support.installation.extras import needs_extra
from navviz.support.installation.files import asset
from navviz.views import palette

with needs_extra("figures"):
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties, findSystemFonts, fontManager, get_font

FONT_PT = palette.PRINT_PT
FAMILY: Final = "Source Sans Pro"
_SECOND: Final = "DejaVu Sans"
_FILES: Final = ("SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf")
_NO_LETTERS: Final = ("Last Resort", "Mono", "Serif", "Italic", "Condensed")
"""Parts of names of fonts that are not asked; the first has a box for every letter there is."""
_EAST_ASIAN: Final = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")


@contextmanager
def print_type() -> Iterator[None]:
    """Set what is drawn inside in the figures' font, at the least size that publishers accept."""
    with mpl.rc_context({"font.family": list(_own_fonts()), "font.size": FONT_PT}):
        yield


def drawable(text: str) -> str:
    """Return a text without letters that no font has, ready for matplotlib.

    Within `print_type`, the font of a script that is met for the first time joins the families.
    """
    drawn = []
    for letter in text:
        family = "" if letter == "\n" else _family_with(letter)
        if family is None:
            continue
        # matplotlib searches in this order, so that a foreign font never draws Latin letters.
        if family and family not in mpl.rcParams["font.family"]:
            mpl.rcParams["font.family"] = [*mpl.rcParams["font.family"], family]
        drawn.append(letter)
    # matplotlib would read text between two dollars as a formula.
    return "".join(drawn).strip().replace("$", r"\$")


def missing_letters(texts: Iterable[str]) -> str:
    """Name the scripts of letters that no installed font has; empty where nothing is missing."""
    scripts: dict[str, list[str]] = {}
    for letter in dict.fromkeys("".join(texts)):
        # a mark without a width (an accent, a joiner) is no letter that anybody would miss
        if unicodedata.category(letter)[0] in "LN" and _family_with(letter) is None:
            scripts.setdefault(script_of(letter), []).append(letter)
    if not scripts:
        return ""
    parts = [f"{_title(script)} ({''.join(letters[:6])})" for script, letters in scripts.items()]
    packages: list[str] = []
    if any(script in _EAST_ASIAN for script in scripts):
        packages.append("fonts-noto-cjk")
    if any(script not in _EAST_ASIAN for script in scripts):
        packages.append("fonts-noto-core")
    return (
        f"No installed font has these letters, so figures leave them out: {', '.join(parts)}."
        f" Install one that has them, such as {' and '.join(packages)} on Debian and Ubuntu."
    )


def script_of(letter: str) -> str:
    """Return a letter's script as the first word of its Unicode name, such as ``TELUGU``."""
    return unicodedata.name(letter, "UNKNOWN").split()[0]


def _title(script: str) -> str:
    return {"CJK": "Chinese characters"}.get(script, script.capitalize())


@cache
def _own_fonts() -> tuple[str, str]:
    # once, by the cache: each `addfont` adds one more entry to matplotlib's list
    for name in _FILES:
        fontManager.addfont(asset(f"fonts/{name}"))
    return FAMILY, _SECOND


@cache
def _family_with(letter: str) -> str | None:
    """Return the family that draws a letter; ``None`` where no font has it."""
    for family in _own_fonts():
        if ord(letter) in _characters(fontManager.findfont(FontProperties(family=family))):
            return family
    # ASCII control characters and the like have no name, and no font draws them.
    if not unicodedata.name(letter, ""):
        return None
    near = _family_for(script_of(letter))
    if near is not None and ord(letter) in _characters(_file_of(near)):
        return near
    return _search(ord(letter))


@cache
def _family_for(script: str) -> str | None:
    """Return an installed family for a whole script, so that one word is set in one font."""
    samples = {"CJK": "街", "DEVANAGARI": "क", "TELUGU": "క", "ARABIC": "ع", "HANGUL": "한"}
    sample = samples.get(script)
    return _search(ord(sample)) if sample else None


@cache
def _search(code: int) -> str | None:
    """Return the first installed family with a character, Noto's before others."""
    for name, path in _installed():
        if code in _characters(path):
            return name
    return None


@cache
def _installed() -> tuple[tuple[str, str], ...]:
    """Return families and files of the machine's upright fonts, Noto's first."""
    listed = {entry.fname for entry in fontManager.ttflist}
    # matplotlib remembers the fonts of its first start; those installed since are added.
    for path in sorted(set(findSystemFonts()) - listed):
        if Path(path).suffix.lower() in {".ttf", ".otf", ".ttc"}:
            fontManager.addfont(path)
    files: dict[str, str] = {}
    for entry in fontManager.ttflist:
        upright = entry.style == "normal" and entry.weight in {400, "normal", "regular"}
        if upright and not any(part in entry.name for part in _NO_LETTERS):
            files.setdefault(entry.name, entry.fname)
    return tuple(sorted(files.items(), key=lambda item: (not item[0].startswith("Noto"), item[0])))


def _file_of(family: str) -> str:
    return dict(_installed())[family]


@cache
def _characters(path: str) -> frozenset[int]:
    return frozenset(get_font(path).get_charmap())
