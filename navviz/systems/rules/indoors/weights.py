"""The learned weights of the indoor rules, and their file.

They speak of words, of words in texts, of turns and stairs, never of a house or a viewpoint.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navviz.support.guarded import write_whole
from navviz.systems.rules.indoors.phrases import Phrase
from navviz.systems.rules.indoors.standpoints import FEATURES, PASSED, ROLES

FILE = Path(__file__).with_name("weights.json")
MOST_MOVES = 7
"""Routes of R2R have four to six moves; what was learned of longer ones is that there are none."""
GAPS = MOST_MOVES + 1
LENGTHS, LENGTH_STEP_M = 10, 2.0
PHRASES_LEFT = 12
"""Phrases that are counted singly; more count as this many."""
SIZES = 4
"""Classes of instructions by their number of phrases, three phrases a class."""


def shapes(words: int, tokens: int, width: int) -> dict[str, tuple[int, ...]]:
    """Shapes of all arrays.

    ``words``: vector of each word of an instruction; ``tokens``: of each word of a text; ``roles``:
    how the two are compared for each of `ROLES`; ``word features``: weight of each word with each
    of `FEATURES`; ``features``: of a feature with any phrase; ``passed``: of `PASSED` where no
    phrase speaks; ``gap``, ``gap before``, ``gap after``: of places passed between two phrases,
    before the first, after the last; ``moves``, ``length``, ``moves by size``: of how long routes
    are; ``left``: what is still to be expected where some phrases are not reached yet, by their
    number and by the moves so far; ``stop``: of stopping, and of stopping where one stands.
    """
    return {
        "words": (words, width),
        "tokens": (tokens, width),
        "roles": (len(ROLES), width, width),
        "word features": (words, len(FEATURES)),
        "features": (len(FEATURES),),
        "passed": (len(PASSED),),
        "gap": (GAPS,),
        "gap before": (GAPS,),
        "gap after": (GAPS,),
        "moves": (GAPS,),
        "length": (LENGTHS,),
        "moves by size": (GAPS, SIZES),
        "left": (PHRASES_LEFT, GAPS),
        "stop": (2,),
    }


@dataclass(frozen=True)
class Weights:
    """What was learned."""

    words: Sequence[str]
    """Words and pairs of words of instructions."""
    tokens: Sequence[str]
    """Words of texts."""
    values: Mapping[str, NDArray[np.float32]]
    """Arrays by the names of `shapes`."""

    @cached_property
    def word_index(self) -> dict[str, int]:
        """From a word of an instruction to its row."""
        return {word: k for k, word in enumerate(self.words)}

    def feature_rows(self, phrases: Sequence[Phrase]) -> list[list[int]]:
        """Rows of the features of each phrase that were learned."""
        index = self.word_index
        rows = []
        for phrase in phrases:
            names = [name for name in phrase.features if name in index]
            rows.append([index[name] for name in names])
        return rows

    def write(self, path: Path, note: str) -> None:
        """Write the file, in hundredths."""
        arrays = {
            name: np.rint(array * 100).astype(int).tolist() for name, array in self.values.items()
        }
        document = {
            "note": note,
            "words": list(self.words),
            "tokens": list(self.tokens),
            "hundredths": arrays,
        }
        write_whole(path, json.dumps(document, separators=(",", ":")) + "\n")


@lru_cache(maxsize=2)
def load_weights(path: Path = FILE) -> Weights:
    """Read a weights file."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    arrays = {}
    for name, array in document["hundredths"].items():
        arrays[name] = np.array(array, np.float32) / np.float32(100)
    return Weights(tuple(document["words"]), tuple(document["tokens"]), arrays)
