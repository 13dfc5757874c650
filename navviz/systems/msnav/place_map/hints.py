"""MSNav's main failure, seen in a trace: a stop too early, at a place that looks like the guessed destination."""

from __future__ import annotations

import re
from collections.abc import Iterable

from navviz.systems.msnav.marking import lemma
from navviz.systems.msnav.place_map.spatial import SpatialReading

__all__ = ["early_stop"]

_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = frozenset(
    """
    about above across against along also another area around before behind below beside between beyond center
    centre close contains corner destination directly each early features following from front have here include
    includes including inside instruction into just layout leading likely located location main middle near
    nearby next objects opposite other over place placed possibly probably right left room same side some space
    spatial standing stop that their them then there these thing this those through toward towards typically
    where which while will with within
    """.split()  # noqa: SIM905 - a list of 90 quoted words is no easier to read
)


def early_stop(
    reading: SpatialReading, read: Iterable[str], thoughts: Iterable[str], last: str
) -> tuple[list[str], list[str]]:
    """Return what speaks for a stop that came too early.

    Parameters
    ----------
    reading
        Objects and layout of the instruction.
    read
        Every view text of the walk.
    thoughts
        Every thought of the walk.
    last
        The thought with which it stopped.

    Returns
    -------
    Direct objects of which nothing spoke on the way, and words of the guessed destination in the last thought; the
    stop looks early where both are there.
    """
    met = " ".join([*read, *thoughts])
    said = {lemma(word) for word in _WORD.findall(met)}
    missing = [name for name in reading.direct if not {lemma(word) for word in _WORD.findall(name)} <= said]
    guessed = dict.fromkeys(word.lower() for word in _WORD.findall(f"{reading.layout} {' '.join(reading.potential)}"))
    named = {lemma(word) for name in reading.direct for word in _WORD.findall(name)}
    thought = {lemma(word) for word in _WORD.findall(last)}
    quoted = [word for word in guessed if word not in _COMMON and lemma(word) in thought and lemma(word) not in named]
    return missing, quoted
