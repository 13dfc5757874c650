"""Learn what `rules-local` expects of the unseen, by imitation of known routes.

At each step of a route of the split `val` the walker chooses among the stops and streets in sight.
The score of going on holds an expectation of what comes (`local.expected`) and a bonus for the way;
both are learned by maximising the likelihood of the choices that follow the route. Weights of what
is in sight stay those of `train`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from navviz.language.grammar.grammar import read_instruction
from navviz.language.placing.scoring import (
    EXPECTED_OF_STOP,
    EXPECTED_OF_UNIT,
    stop_parts,
    unit_parts,
)
from navviz.records import Episode
from navviz.systems.rules.local import (
    WAYS,
    LocalWalk,
    StepOption,
    see,
    since_crossing,
)
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

NAMES = (*EXPECTED_OF_UNIT, *EXPECTED_OF_STOP, *WAYS, "stop-bonus")
STRENGTH = 0.5
"""Strength with which the numbers are drawn to the averages they start from."""


@dataclass(frozen=True)
class _Moment:
    """One choice on the way: every choice as rows of parts by units done, and which are right."""

    fits: list[NDArray[np.float64]]
    """Per choice the scores by units done; one number for a stop."""
    parts: list[NDArray[np.float64]]
    """Per choice shape ``(units done, names)``."""
    right: NDArray[np.bool_]


def local_table(averages: dict[str, float]) -> dict[str, float]:
    """Where learning starts: average scores, and no bonus but one for stops."""
    return {**dict.fromkeys(WAYS, 0.0), **averages, "stop-bonus": 3.0}


def imitate(
    graph: Graph,
    episodes: Sequence[Episode],
    weights: NDArray[np.float64],
    start: dict[str, float],
    *,
    length_prior: bool,
) -> dict[str, float]:
    """Numbers for `rules-local`, learned from the choices along the reference paths."""
    moments: list[_Moment] = []
    for episode in episodes:
        moments += _moments(graph, episode, weights, start, length_prior=length_prior)
    centre = np.array([start[name] for name in NAMES])

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, gradient = 0.0, np.zeros(len(w))
        for moment in moments:
            scores, slopes = np.empty(len(moment.fits)), np.empty((len(moment.fits), len(w)))
            for k, (fits, parts) in enumerate(zip(moment.fits, moment.parts, strict=True)):
                # the score is a maximum over units done, so its gradient is that of the best one
                totals = fits + parts @ w
                best = int(totals.argmax())
                scores[k], slopes[k] = totals[best], parts[best]
            share = np.exp(scores - scores.max())
            share /= share.sum()
            good = np.where(moment.right, share, 0.0)
            mass = max(float(good.sum()), 1e-30)
            cost, slope = -float(np.log(mass)), (share - good / mass) @ slopes
            value, gradient = value + cost, gradient + slope
        offset = w - centre
        return value + STRENGTH / 2 * float(offset @ offset), gradient + STRENGTH * offset

    best = minimize(loss, centre, jac=True, method="L-BFGS-B", options={"maxiter": 60})
    return {name: float(value) for name, value in zip(NAMES, best.x, strict=True)}


def _moments(
    graph: Graph,
    episode: Episode,
    weights: NDArray[np.float64],
    table: dict[str, float],
    *,
    length_prior: bool,
) -> list[_Moment]:
    """Return the choices along the reference path, each made as the path goes."""
    reading = read_instruction(episode.instruction)
    walk = LocalWalk.begin(reading, weights, table, length_prior=length_prior)
    rows = np.zeros((len(reading.units) + 1, len(NAMES)))
    for k, unit in enumerate(reading.units):
        for name, times in unit_parts(unit, reading).items():
            rows[: k + 1, NAMES.index(name)] += times
    for name, times in stop_parts(reading).items():
        rows[:, NAMES.index(name)] += times
    parts = rows
    path, at, moments = episode.reference_path, 0, []
    heading_deg = episode.start_heading_deg or 0.0
    while True:
        trail = list(path[: at + 1])
        choices = walk.choices(
            see(graph, path[at], heading_deg, since_crossing(graph, trail)),
            graph.path_length_m(trail),
        )
        right = np.array([_is_right(graph, episode, choice, at) for choice in choices], bool)
        onward = [c for c, good in zip(choices, right, strict=True) if good and not c.stop]
        # where every choice is right, or none is, there is nothing to learn
        if right.any() and not right.all():
            moments.append(_moment(choices, right, parts))
        if not onward:
            return moments
        # not `take`: a stop that was passed must not end a walk that follows the path
        walk.fits = onward[0].fits
        at += len(onward[0].path) - 1
        heading_deg = arrival_deg(graph, path[at - 1], path[at])


def _is_right(graph: Graph, episode: Episode, choice: StepOption, at: int) -> bool:
    path = episode.reference_path
    if choice.stop:
        return graph.distance_m(choice.node, path[-1]) <= episode.success_radius_m
    return path[at : at + len(choice.path)] == choice.path and at + len(choice.path) <= len(path)


def _moment(
    choices: Sequence[StepOption], right: NDArray[np.bool_], remaining: NDArray[np.float64]
) -> _Moment:
    fits, parts = [], []
    for choice in choices:
        rows = np.zeros((1, len(NAMES))) if choice.stop else remaining.copy()
        rows[:, NAMES.index("stop-bonus" if choice.stop else choice.way)] += 1
        fits.append(
            np.zeros(1) + choice.fixed if choice.stop else choice.fits.astype(float) + choice.fixed
        )
        parts.append(rows)
    return _Moment(fits, parts, right)
