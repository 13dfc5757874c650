"""How well weights of the indoor rules do on paths that they did not learn from."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from navviz.systems.rules.indoors.deciding import (
    ExploredHouse,
    choices,
    judge_all,
    settle,
    terms_of,
    text_vectors,
)
from navviz.systems.rules.indoors.texts import read_phrases
from navviz.systems.rules.indoors.weights import Weights
from tools.training.indoor_data import PathSample

STEPS = 25
"""Looks before a walk has to stop, far beyond what a path of R2R needs."""


def rates(
    weights: Weights, samples: Sequence[PathSample], *, length_prior: bool = True
) -> dict[str, float]:
    """Success rates of the two navigators, and SPL of the walk, over all instructions of some
    paths.
    """
    totals = np.zeros(3)
    count = 0
    for sample in samples:
        for episode in sample.episodes:
            count += 1
            rows = weights.feature_rows(read_phrases(episode.instruction))
            phrases = [words for words in rows if words]
            if phrases:
                terms, here = terms_of(weights, phrases), sample.path[0]
                explored = ExploredHouse(
                    sample.graph, here, sample.episodes[0].start_heading_deg or 0.0
                )
                walked = 0.0
                for step in range(STEPS):
                    options = choices(weights, terms, explored, here, length_prior=length_prior)
                    values = options.values
                    # the last look must stop, as the navigator does at its limit
                    if step == STEPS - 1:
                        values = np.where(options.opens, -np.inf, values)
                    pick = int(values.argmax())
                    here = options.judged.routes[pick].nodes[-1]
                    walked += options.ways[here].length_m
                    if not options.opens[pick]:
                        break
                    explored.visit([here])
                # the ratio of SPL: a walk that ends short of the goal may be shorter than the path
                least = sample.goal_m[sample.path[0]]
                hit, ratio = (
                    sample.goal_m.get(here, math.inf) <= sample.episodes[0].success_radius_m,
                    least / max(walked, least),
                )
                totals += [
                    _map_hit(weights, sample, phrases, length_prior=length_prior),
                    hit,
                    hit * ratio,
                ]
    names = ("map SR", "walk SR", "walk SPL")
    return {name: round(float(total) / count, 4) for name, total in zip(names, totals, strict=True)}


def _map_hit(
    weights: Weights, sample: PathSample, phrases: list[list[int]], *, length_prior: bool
) -> bool:
    terms, texts = terms_of(weights, phrases), text_vectors(weights, sample.graph)
    sizes = [len(phrases)]
    (judged,) = judge_all(
        weights, terms, texts, sample.laid_floats, sizes, sample.routes, length_prior=length_prior
    )
    # `settle` reads positions alone, so any heading will do
    explored = ExploredHouse(sample.graph, sample.path[0], 0.0)
    return bool(sample.near[settle(explored, judged, sample.episodes[0].success_radius_m)[0]])
