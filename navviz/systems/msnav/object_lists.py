"""How well the objects of an instruction were read: sets and order (Liu et al. 2025, MSNav, Table
4).

Per sample, then the mean; names count where they are the same text. The published script walks over
Python *sets*, so its ranks are arbitrary; here the order is the model's own.

References
----------
Liu et al., "MSNav: Zero-Shot Vision-and-Language Navigation with Dynamic Memory and LLM Spatial
Reasoning", 2025, arXiv:2508.16654, section on the I-O-S data; NDCG: Järvelin and Kekäläinen 2002,
doi:10.1145/582415.582418.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from navviz.errors import InputError
from navviz.records.trace_files import is_trace_name, read_trace
from navviz.support.guarded import is_folder
from navviz.systems.msnav.place_map.prompt import reading_of
from navviz.systems.spatial import read_extended

_LEAST = 1e-6
"""Least denominator of the published script."""
_DIRECT, _POTENTIAL = 2.0, 1.0
"""Relevance of a true direct and a true potential object."""


@dataclass(frozen=True, slots=True)
class ObjectLists:
    """Objects of one instruction, the most important first."""

    direct: tuple[str, ...] = ()
    """Those that it names."""
    potential: tuple[str, ...] = ()
    """Those that it lets one expect."""


@dataclass(frozen=True, slots=True)
class ObjectScore:
    """Figures of one sample, fractions; all 0 for a reply that could not be read."""

    f1_direct: float
    """F1_DO."""
    f1_potential: float
    """F1_IO."""
    f1: float
    """Of direct and potential objects together."""
    ndcg: float

    @property
    def weighted(self) -> float:
        """``0.4 F1_DO + 0.3 F1_IO + 0.3 NDCG``."""
        return 0.4 * self.f1_direct + 0.3 * self.f1_potential + 0.3 * self.ndcg


def overlap(predicted: Iterable[str], true: Iterable[str]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of two sets of names."""
    named, wanted = set(predicted), set(true)
    both = len(named & wanted)
    # two empty sets give 0, not 1, as in the published script
    precision, recall = both / max(len(named), 1), both / max(len(wanted), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, _LEAST)


def ndcg(predicted: ObjectLists, true: ObjectLists) -> float:
    """Normalised discounted cumulative gain of the predicted objects, direct ones first.

    ``DCG = sum rel / log2(rank + 2)`` with ranks from 0; a potential object that is also predicted
    as a direct one is passed over but keeps its rank. The ideal order is the true objects by
    falling relevance.
    """
    # direct objects last: a name in both lists has the higher relevance
    relevance = dict.fromkeys(true.potential, _POTENTIAL) | dict.fromkeys(true.direct, _DIRECT)
    direct = set(predicted.direct)
    gains = [relevance.get(name, 0.0) for name in predicted.direct]
    for name in predicted.potential:
        gain = 0.0 if name in direct else relevance.get(name, 0.0)
        gains.append(gain)
    return _dcg(gains) / max(_dcg(sorted(relevance.values(), reverse=True)), _LEAST)


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def score_objects(predicted: ObjectLists | None, true: ObjectLists) -> ObjectScore:
    """Score one reading; ``None`` is a reply that could not be read."""
    if predicted is None:
        return ObjectScore(0.0, 0.0, 0.0, 0.0)
    return ObjectScore(
        overlap(predicted.direct, true.direct)[2],
        overlap(predicted.potential, true.potential)[2],
        overlap((*predicted.direct, *predicted.potential), (*true.direct, *true.potential))[2],
        ndcg(predicted, true),
    )


def mean_objects(scores: Sequence[ObjectScore]) -> ObjectScore | None:
    """Return the mean over samples; ``None`` without any."""
    if not scores:
        return None
    count = len(scores)
    return ObjectScore(
        sum(score.f1_direct for score in scores) / count,
        sum(score.f1_potential for score in scores) / count,
        sum(score.f1 for score in scores) / count,
        sum(score.ndcg for score in scores) / count,
    )


def scored_objects(true: Path, given: Path) -> dict[str, float]:
    """Return F1 of direct and potential objects, and NDCG: means over the instructions of the true
    file; one that was not read scores 0, as in the paper.
    """
    truth, predictions = _lists(true), _lists(given)
    mean = mean_objects(
        [score_objects(predictions.get(text), lists) for text, lists in truth.items()]
    )
    if mean is None:
        raise InputError(
            "holds no objects", "name a file with direct_obj and potential_obj", file=true.name
        )
    return {
        "samples": len(truth),
        "unread": len(truth.keys() - predictions.keys()),
        "F1_DO": mean.f1_direct,
        "F1_IO": mean.f1_potential,
        "F1": mean.f1,
        "NDCG": mean.ndcg,
        "weighted": mean.weighted,
    }


def _lists(path: Path) -> dict[str, ObjectLists]:
    """Objects by instruction, of a file or of a folder of traces."""
    lists = {}
    if not is_folder(path):
        for key, entry in read_extended(path).entries.items():
            if entry.direct or entry.potential:
                lists[key[2]] = ObjectLists(entry.direct, entry.potential)
        return lists
    for place in sorted(place for place in path.iterdir() if is_trace_name(place.name)):
        trace = read_trace(place)
        reading = reading_of(trace)
        if reading is not None:
            text = " ".join(trace.episode.instruction.split())
            lists[text] = ObjectLists(reading.direct, reading.potential)
    return lists
