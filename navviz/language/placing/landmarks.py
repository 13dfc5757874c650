"""Which POI is meant: fuzzy names and a table of kinds.

A name is compared with the names of the POIs nearby (rapidfuzz); a common noun ("the bus stop") is
looked up in `categories.CATEGORIES`. The result says how sure the match is, as a class that the
scoring has a learned weight for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from navviz.language.grammar.categories import (
    CATEGORIES,
    CATEGORY_OF_WORD,
    PlaceCategory,
    has_category,
)
from navviz.language.grammar.grammar import PlaceMention
from navviz.world.graph import Poi

QUALITIES = ("exact", "good", "fair", "kind", "kind-in-name")
"""How a POI was matched, best first: by name in three grades, by its kind, by a kind that the name
tells.
"""

EXACT, GOOD, FAIR = 92.0, 82.0, 72.0


@dataclass(frozen=True)
class Matches:
    """POIs that one mention may mean."""

    pois: NDArray[np.int32]
    """Index into the order of `Graph.poi_ids`."""
    quality: NDArray[np.int8]
    """Index into `QUALITIES`."""
    similarity: NDArray[np.float32]
    """0 to 100; 100 for a match by kind."""

    @property
    def best(self) -> int:
        """The best quality there is; ``len(QUALITIES)`` where nothing matches."""
        return int(self.quality.min()) if len(self.quality) else len(QUALITIES)


_NOISE = re.compile(r"[^\w\s]+")
_EMPTY = Matches(np.empty(0, np.int32), np.empty(0, np.int8), np.empty(0, np.float32))


def normalise(name: str) -> str:
    """Lower case, without accents, apostrophes, punctuation and a leading article."""
    # a name in another script has no ASCII letter at all: it is compared as it is
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or name
    plain = _NOISE.sub(" ", plain.lower().replace("'s", "s").replace("'", "").replace("&", " and "))
    plain = " ".join(plain.split())
    return plain.removeprefix("the ")


class PoiNames:
    """Names and kinds of all POIs of a graph, prepared for matching."""

    def __init__(self, pois: Sequence[Poi]) -> None:
        self.names = [normalise(poi.tags.get("name", "")) for poi in pois]
        self.named = np.array([bool(name) for name in self.names])
        self.tags = [poi.tags for poi in pois]
        self._kinds: dict[str, NDArray[np.bool_]] = {}

    def of_kind(self, category: PlaceCategory) -> NDArray[np.bool_]:
        """Mask over POIs of this kind."""
        if category.name not in self._kinds:
            self._kinds[category.name] = np.array(
                [has_category(tags, category) for tags in self.tags], bool
            )
        return self._kinds[category.name]


def match_mentions(
    mentions: Sequence[PlaceMention], names: PoiNames, nearby: NDArray[np.int32]
) -> list[Matches]:
    """For each mention the POIs among `nearby` (indices) that it may mean."""
    if not len(nearby):
        return [_EMPTY for _ in mentions]
    by_name = [k for k, mention in enumerate(mentions) if mention.category is None]
    named = nearby[names.named[nearby]]
    scores = _similarities([mentions[k].text for k in by_name], [names.names[i] for i in named])
    rows = dict(zip(by_name, scores, strict=True))
    places = []
    for k, mention in enumerate(mentions):
        if k in rows:
            places.append(_by_name(mention, rows[k], named, names, nearby))
        else:
            category = CATEGORY_OF_WORD[mention.category or ""]
            places.append(_of_kind(category, names, nearby, QUALITIES.index("kind")))
    return places


def _similarities(texts: list[str], names: list[str]) -> NDArray[np.float32]:
    if not texts or not names:
        return np.zeros((len(texts), len(names)), np.float32)
    queries = [normalise(text) for text in texts]
    best = process.cdist(queries, names, scorer=fuzz.ratio, dtype=np.float32)
    tokens = process.cdist(queries, names, scorer=fuzz.token_set_ratio, dtype=np.float32)
    partial = process.cdist(queries, names, scorer=fuzz.partial_ratio, dtype=np.float32)
    lengths = np.array([len(name) for name in names])
    short = np.minimum.outer(np.array([len(query) for query in queries]), lengths)
    # both scores are 100 where the shorter name is a part of the longer one: short names do not say
    # enough for that, and a part counts less than the whole
    tokens = np.where(short >= 4, tokens * 0.95, 0.0)
    partial = np.where(short >= 6, partial * 0.88, 0.0)
    return np.asarray(np.maximum(best, np.maximum(tokens, partial)), np.float32)


def _by_name(
    mention: PlaceMention,
    scores: NDArray[np.float32],
    named: NDArray[np.int32],
    names: PoiNames,
    nearby: NDArray[np.int32],
) -> Matches:
    if len(scores) and scores.max() >= FAIR:
        keep = scores >= max(FAIR, float(scores.max()) - 12.0)
        quality = np.digitize(-scores[keep], [-EXACT, -GOOD]).astype(np.int8)
        return Matches(named[keep], quality, scores[keep])
    # what is no name as a whole ("Barnes and Noble") may be two places ("the Gap and Chase")
    parts = [part for part in re.split(r"(?<!\s)\s++(?:and|&|or)\s+", mention.text) if part]
    if len(parts) > 1:
        parts_matches = match_mentions([PlaceMention(part, None) for part in parts], names, nearby)
        return Matches(
            np.concatenate([m.pois for m in parts_matches]),
            np.concatenate([m.quality for m in parts_matches]),
            np.concatenate([m.similarity for m in parts_matches]),
        )
    # a name that the map lacks may still say what kind of place it is
    text = mention.text.lower()
    for category in CATEGORIES:
        if re.search(rf"\b(?:{category.words})\b", text):
            return _of_kind(category, names, nearby, QUALITIES.index("kind-in-name"))
    return _EMPTY


def _of_kind(
    category: PlaceCategory, names: PoiNames, nearby: NDArray[np.int32], quality: int
) -> Matches:
    pois = nearby[names.of_kind(category)[nearby]]
    return Matches(
        pois, np.full(len(pois), quality, np.int8), np.full(len(pois), 100.0, np.float32)
    )
