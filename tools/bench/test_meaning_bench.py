"""Search by meaning: 700 texts in 2 seconds of processor time, 50,000 in 60."""

from __future__ import annotations

import random
import time

import pytest

from navviz.analysis.meaning import Meaning, TextPassage

SYLLABLES = [first + last for first in "bcdfglmnprst" for last in ("an", "el", "il", "or", "um")]


def _texts(count):
    """Return texts like instructions: 45 words, a few of 6,000 far more often than others."""
    draw = random.Random(0)
    words = ["".join(draw.choices(SYLLABLES, k=3)) for _ in range(6000)]
    weights = [1 / (place + 5) for place in range(len(words))]
    for number in range(count):
        yield TextPassage(str(number), None, " ".join(draw.choices(words, weights, k=45)))


@pytest.mark.parametrize(("count", "limit_s"), [(700, 2.0), (50_000, 60.0)])
def test_texts_are_placed_searched_and_clustered_in_time(count, limit_s):
    passages = list(_texts(count))
    begun_s = time.process_time()
    meaning = Meaning(passages)
    hits = meaning.similar(passages[7].text, 5)
    clusters = meaning.clusters()
    taken_s = time.process_time() - begun_s
    assert hits[0].passage == passages[7]
    assert sum(len(cluster.passages) for cluster in clusters) == count
    assert taken_s < limit_s
