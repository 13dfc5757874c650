"""Find the places that an instruction speaks of among the POIs of a map.

The method and its parameters are those that GROKE's published prompts were made with (Shami et al.
2026): the partial ratio of rapidfuzz between the landmark's name and a POI's text, case kept, has
to be *above* 70.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from navviz.world.graph import Graph, Poi

SIMILARITY_THRESHOLD = 70.0
"""A POI counts as a landmark above this partial ratio (0 to 100)."""

# the order counts: a partial ratio compares with one stretch of the text
_TAGS = ("name", "amenity", "cuisine", "leisure", "tourism", "shop", "highway")
_RESERVED = frozenset("SP")
"""S and P mark the start and the current place on the grid."""


@dataclass(frozen=True, slots=True)
class Match:
    """One POI that a landmark was found in."""

    poi: Poi
    score: float
    """Partial ratio, 0 to 100."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """A landmark with the POIs it may be, and the letter under which it is shown."""

    name: str
    matches: tuple[Match, ...]
    letter: str = "?"


def poi_text(poi: Poi) -> str:
    """Return a POI's name and tags as the text that a landmark's name is compared with.

    Underscores become blanks everywhere but in the name; an absent tag leaves its blank, as in the
    published prompts.
    """
    texts = (poi.tags.get(tag, "") for tag in _TAGS)
    name, *others = (str(text) for text in texts)
    return " ".join([name, *(text.replace("_", " ") for text in others)]).strip()


def linked_pois(graph: Graph) -> list[Poi]:
    """POIs that some node of the graph is linked with, in the order of the map's POI file."""
    ids = graph.poi_ids
    return [graph.pois[ids[i]] for i in sorted(set(graph.poi_link_pois.tolist()))]


def ground(
    pois: Sequence[Poi],
    landmarks: Iterable[str],
    threshold: float = SIMILARITY_THRESHOLD,
    queries: Mapping[str, str] | None = None,
) -> dict[str, Grounded]:
    """Match each landmark against the POIs; landmarks found nowhere are left out."""
    texts = [poi_text(poi) for poi in pois]
    grounded: dict[str, Grounded] = {}
    for name in dict.fromkeys(landmarks):
        query = (queries or {}).get(name.lower(), name)
        if not texts or not query:
            continue
        scores = process.cdist([query], texts, scorer=fuzz.partial_ratio, dtype=float)[0]
        matches = []
        for poi, score in zip(pois, scores, strict=True):
            # above, not at: the published prompts leave out a POI of exactly 70
            if score > threshold:
                matches.append(Match(poi, float(score)))
        if matches:
            grounded[name] = Grounded(name, tuple(matches))
    return grounded


def mentioned(grounded: Mapping[str, Grounded], text: str) -> tuple[Grounded, ...]:
    """Return the landmarks whose names stand in a text, in either case, with their letters."""
    lowered = text.lower()
    marks = [mark for name, mark in grounded.items() if name.lower() in lowered]
    letters = assign_letters([mark.name for mark in marks])
    return tuple(Grounded(mark.name, mark.matches, letters[mark.name]) for mark in marks)


def assign_letters(names: Sequence[str]) -> dict[str, str]:
    """Give each name its first unused letter, never S or P, else the first unused of the alphabet.

    After 24 names there is no letter left and the rest get ``?``.
    """
    letters: dict[str, str] = {}
    free = [letter for letter in string.ascii_uppercase if letter not in _RESERVED]
    for name in names:
        own = (char.upper() for char in name if char.isalpha())
        letter = next((char for char in own if char in free), free[0] if free else "?")
        letters[name] = letter
        if letter in free:
            free.remove(letter)
    return letters
