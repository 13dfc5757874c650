"""The type of figures: the app's font, and installed ones for other scripts, which pages use too.

Source Sans has Latin, Greek and Cyrillic letters; DejaVu, which matplotlib carries, some more.
Names in Chinese, Hindi, Telugu or Arabic need a font of the machine. Letters that no font has are
left out, since they would print as boxes, and `missing_letters` names them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
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
PRIVATE: Final = "PRIVATE"
"""What stands for a script where a letter has none but a font's own."""
_EAST_ASIAN: Final = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")


@contextmanager
def print_type() -> Iterator[None]:
    """Set what is drawn inside in the figures' font, at the least size that publishers accept."""
    with mpl.rc_context(
        # text between two dollars is no formula
        {"font.family": list(_own_fonts()), "font.size": FONT_PT, "text.parse_math": False}
    ):
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
    return "".join(drawn).strip()


def on_paper(letter: str) -> bool:
    """Whether a figure can draw a letter."""
    return _family_with(letter) is not None


@cache
def on_pages(letter: str) -> bool:
    """Whether a browser of this machine can draw a letter: it has no font of matplotlib's."""
    code = ord(letter)
    return any(code in _characters(path) for path in _seen_by_browsers())


def missing_letters(
    texts: Iterable[str],
    *,
    effect: str = "figures leave them out",
    draws: Callable[[str], bool] = on_paper,
) -> str:
    """Name the scripts of letters that no installed font has; empty where nothing is missing."""
    scripts: dict[str, list[str]] = {}
    for letter in dict.fromkeys("".join(texts)):
        # a mark without a width (an accent, a joiner) is no letter that anybody would miss
        # "Co": letters of private use have a meaning, and a shape, in one font only
        category = unicodedata.category(letter)
        if (category[0] in "LN" or category == "Co") and not draws(letter):
            scripts.setdefault(script_of(letter), []).append(letter)
    if not scripts:
        return ""
    parts = [f"{_title(script)} ({_samples(letters)})" for script, letters in scripts.items()]
    packages: list[str] = []
    if any(script in _EAST_ASIAN for script in scripts):
        packages.append("fonts-noto-cjk")
    if any(script not in (*_EAST_ASIAN, PRIVATE) for script in scripts):
        packages.append("fonts-noto-core")
    named = f", such as {' and '.join(packages)} on Debian and Ubuntu" if packages else ""
    return (
        f"No installed font has these letters, so {effect}: {', '.join(parts)}."
        f" Install one that has them{named}."
    )


def _samples(letters: Sequence[str]) -> str:
    """Return some letters; those of private use, which no reader could see, by their numbers."""
    if script_of(letters[0]) == PRIVATE:
        return " ".join(f"U+{ord(letter):04X}" for letter in letters[:3])
    return "".join(letters[:6])


def script_of(letter: str) -> str:
    """Return a letter's script as the first word of its Unicode name, such as ``TELUGU``."""
    if unicodedata.category(letter) == "Co":
        return PRIVATE
    return unicodedata.name(letter, "UNKNOWN").split()[0]


def _title(script: str) -> str:
    return {"CJK": "Chinese characters", PRIVATE: "private use"}.get(script, script.capitalize())


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
    if near is not None and ord(letter) in _characters(dict(_installed())[near]):
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
def _seen_by_browsers() -> tuple[str, ...]:
    """Return the files of all fonts of the machine, in any style."""
    _add_installed()
    # what matplotlib and the app carry for figures lies where no browser looks
    carried = (mpl.get_data_path(), str(asset("fonts")))
    files = {entry.fname for entry in fontManager.ttflist if not entry.fname.startswith(carried)}
    return tuple(sorted(files))


@cache
def _installed() -> tuple[tuple[str, str], ...]:
    """Return families and files of the machine's upright fonts, Noto's first."""
    _add_installed()
    files: dict[str, str] = {}
    for entry in fontManager.ttflist:
        upright = entry.style == "normal" and entry.weight in {400, "normal", "regular"}
        if upright and not any(part in entry.name for part in _NO_LETTERS):
            files.setdefault(entry.name, entry.fname)
    return tuple(sorted(files.items(), key=lambda item: (not item[0].startswith("Noto"), item[0])))


@cache
def _add_installed() -> None:
    """Add fonts that were installed since matplotlib's first start, which it remembers."""
    listed = {entry.fname for entry in fontManager.ttflist}
    for path in sorted(set(findSystemFonts()) - listed):
        if Path(path).suffix.lower() in {".ttf", ".otf", ".ttc"}:
            # matplotlib cannot read all fonts, and left these out at its first start as well
            with suppress(OSError, RuntimeError):
                fontManager.addfont(path)


@cache
def _characters(path: str) -> frozenset[int]:
    return frozenset(get_font(path).get_charmap())
