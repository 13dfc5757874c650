"""What is written about the places of a house, as rows of counted words that a model can weigh.

The sources are NavGPT's files (Zhou et al. 2023): scene sentences, objects within 3 m, summaries.
Each is one table of rows; a direction takes half of what its two neighbours say, since a door is
often described beside where it leads.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
from scipy.sparse import csr_matrix, diags_array, identity, kron

from navviz.world.graph import Graph
from navviz.world.house import SECTORS, HouseObservations

LONGEST_TEXT = 4000
"""Text past this many characters is not read."""

MOST_PHRASES = 14
"""What comes after this many phrases is read as part of the last one."""


# "next to the" and "close to the" belong to what they follow, "to the left" and "to the end" are
# movements: no phrase begins there; the last alternative takes no text, so that its word stays at
# the head of the phrase
_SPLIT = re.compile(
    r"[.;!?\n]+|,|\b(?:and then|then|and)\b|(?<!next )(?<!close )\bto (?=the"
    r" (?!left|right|end|top|bottom|far)\b)"
    r"|\b(?=(?:until|into|through|past|passed|toward|towards)\b)",
    re.IGNORECASE,
)

_WORD = re.compile(r"[a-z]+(?:'s)?")

_ALONE = frozenset({"the", "go", "walk", "it", "you"})
"""Words that say nothing alone: they belong to the phrase before."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One piece of an instruction."""

    text: str
    stems: tuple[str, ...]

    @property
    def features(self) -> tuple[str, ...]:
        """Its stems, and each two that follow one another; in order, each once."""
        pairs = (f"{a} {b}" for a, b in pairwise(self.stems))
        return tuple(dict.fromkeys((*self.stems, *pairs)))


def stems(text: str) -> list[str]:
    """Words in lower case, without the ending of the plural and the possessive."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    # "bus" and "glass" keep their s
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def read_phrases(instruction: str) -> tuple[Phrase, ...]:
    """Part an instruction into phrases; pieces without a word are dropped."""
    phrases: list[Phrase] = []
    for piece in _SPLIT.split(instruction[:LONGEST_TEXT]):
        words = tuple(stems(piece))
        joined = len(phrases) >= MOST_PHRASES or (len(words) == 1 and words[0] in _ALONE)
        if words and joined and phrases:
            phrases[-1] = Phrase(f"{phrases[-1].text} {piece.strip()}", phrases[-1].stems + words)
        elif words:
            phrases.append(Phrase(piece.strip(), words))
    return tuple(phrases)


TABLES = ("ahead scene", "scene", "ahead objects", "objects", "summary")
"""Tables of rows: ``ahead`` ones have a row for each viewpoint and sector, 8 a viewpoint; the
others one.
"""

_DULL_WORDS = """\
a an the of and with in on is are it to that has view as its by at from for there be into various including different
    series or"""  # noqa: E501

_DULL = frozenset(_DULL_WORDS.split())

_NUMBER = re.compile(r"_\d+$")

_SIDEWAYS = 0.5
"""What a direction takes over of the text of the two beside it."""

_MOST_OBJECTS = 2.0
"""More than two chairs around one say no more than two."""


@dataclass(frozen=True)
class HouseTexts:
    """Word counts of a house, scaled near one; shape of each table ``(rows, tokens)``."""

    tables: tuple[csr_matrix, ...]
    """In the order of `TABLES`."""


_KNOWN: WeakKeyDictionary[Graph, tuple[Sequence[str], HouseTexts]] = WeakKeyDictionary()


def texts_of(graph: Graph, tokens: Sequence[str]) -> HouseTexts:
    """Return the texts that a house was opened with; computed once for each graph that is alive."""
    kept = _KNOWN.get(graph)
    if kept is None or kept[0] is not tokens:
        kept = _KNOWN[graph] = tokens, build_texts(graph.ids, graph.info.observations, tokens)
    return kept[1]


def build_texts(
    ids: Sequence[str], seen: HouseObservations | None, tokens: Sequence[str]
) -> HouseTexts:
    """Count the known `tokens` of each viewpoint's texts; a house without texts has empty rows."""
    index = {token: k for k, token in enumerate(tokens)}
    observed = seen or HouseObservations("")
    # one row a viewpoint and sector, in this order
    sectors = list(itertools.product(ids, range(SECTORS)))
    scenes = _counted([_scene(observed, node, k) for node, k in sectors], index)
    objects = _counted([_near(observed, node, k) for node, k in sectors], index)
    count = len(ids)
    ring = np.eye(SECTORS, dtype=np.float32)
    ring += _SIDEWAYS * (np.roll(ring, 1, 0) + np.roll(ring, -1, 0))
    near_sectors = csr_matrix(kron(identity(count, np.float32, format="csr"), ring, format="csr"))
    ones = np.ones((1, SECTORS), np.float32)
    all_sectors = csr_matrix(kron(identity(count, np.float32, format="csr"), ones, format="csr"))
    around = all_sectors @ objects
    around.data = np.minimum(around.data, _MOST_OBJECTS)
    summaries = _counted([set(stems(observed.summaries.get(node, ""))) for node in ids], index)
    scene_means = all_sectors @ scenes * (3.0 / SECTORS)
    tables = (near_sectors @ scenes, scene_means, near_sectors @ objects, around, summaries)
    return HouseTexts(tuple(_scaled(csr_matrix(table)) for table in tables))


def token_counts(houses: Iterable[HouseObservations]) -> dict[str, int]:
    """How often a word stands in scenes and objects' names; joining words are left out."""
    counts: dict[str, int] = {}
    for seen in houses:
        for node in seen.scenes:
            for k in range(SECTORS):
                for token in {*_scene(seen, node, k), *_near(seen, node, k)} - _DULL:
                    counts[token] = counts.get(token, 0) + 1
    return counts


def _scene(seen: HouseObservations, node: str, k: int) -> set[str]:
    scene = seen.scenes.get(node)
    return set(stems(scene[k])) if scene is not None else set()


def _near(seen: HouseObservations, node: str, k: int) -> list[str]:
    sectors = seen.objects.get(node)
    tokens: list[str] = []
    for thing in sectors[k] if sectors is not None else ():
        # a word counts once for each object: two chairs are two, but a name that repeats a word
        # says no more
        tokens += set(stems(_NUMBER.sub("", thing.name)))
    return tokens


def _counted(texts: Sequence[Iterable[str]], index: Mapping[str, int]) -> csr_matrix:
    rows: list[int] = []
    columns: list[int] = []
    for row, text in enumerate(texts):
        own_columns = [index[token] for token in text if token in index]
        columns += own_columns
        rows += [row] * len(own_columns)
    ones = np.ones(len(rows), np.float32)
    return csr_matrix((ones, (rows, columns)), shape=(len(texts), len(index)))


def _scaled(table: csr_matrix) -> csr_matrix:
    """Rows over the square root of their sums: long texts shout less."""
    sums = np.maximum(np.asarray(table.sum(axis=1)).ravel(), 1.0)
    return csr_matrix(diags_array(1 / np.sqrt(sums)) @ table).astype(np.float32)
