"""How well does an extractor find the landmarks that people marked.

Precision, recall and F1 over names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

Matching = Literal["exact", "overlap"]
"""``exact``: the same words after `normal_name`; ``overlap``: at least one word in common."""

_ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True, slots=True)
class ExtractionScore:
    """Counts over all marked episodes, and what follows from them (micro-averaged)."""

    hits: int
    extracted: int
    marked: int
    episodes: int

    @property
    def precision(self) -> float | None:
        """Share of what was extracted that is marked; ``None`` where nothing was extracted."""
        return self.hits / self.extracted if self.extracted else None

    @property
    def recall(self) -> float | None:
        """Share of what is marked that was extracted; ``None`` where nothing is marked."""
        return self.hits / self.marked if self.marked else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean, ``2 * hits / (extracted + marked)``; ``None`` where both are empty."""
        total = self.extracted + self.marked
        return 2 * self.hits / total if total else None


def normal_name(name: str) -> str:
    """Return a name for comparison: lower case, words only, no articles."""
    words = re.findall(r"[\w']+", name.casefold())
    return " ".join(word for word in words if word not in _ARTICLES)


def match_names(
    marked: Sequence[str], extracted: Sequence[str], matching: Matching = "exact"
) -> tuple[int, int, int]:
    """``(hits, extracted, marked)`` of one episode, each counted over distinct names.

    Names are matched one to one; with ``overlap`` so that the shared words are as many as possible.
    """
    a = list(dict.fromkeys(filter(None, map(normal_name, marked))))
    b = list(dict.fromkeys(filter(None, map(normal_name, extracted))))
    if matching == "exact":
        return len(set(a) & set(b)), len(b), len(a)
    from scipy.optimize import linear_sum_assignment  # slow to import, and rarely needed

    shared = np.zeros((len(a), len(b)))
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            shared[i, j] = _jaccard(set(x.split()), set(y.split()))
    # the best pairs as a whole: one name after another could take the only partner of the next
    rows, columns = linear_sum_assignment(shared, maximize=True)
    # the assignment also pairs names that have no word in common
    return int((shared[rows, columns] > 0).sum()), len(b), len(a)


def _jaccard(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b)


def score_extractor(
    marked: Mapping[str, Sequence[str]],
    extracted: Mapping[str, Sequence[str]],
    matching: Matching = "exact",
) -> ExtractionScore:
    """Score an extractor against marks, over the episodes that are marked.

    `extracted`: the extractor's names by episode id; an episode that it lacks counts as nothing
    extracted.
    """
    hits = total = truth = 0
    for episode, names in marked.items():
        counts = match_names(names, extracted.get(episode, ()), matching)
        hits += counts[0]
        total += counts[1]
        truth += counts[2]
    return ExtractionScore(hits, total, truth, len(marked))
