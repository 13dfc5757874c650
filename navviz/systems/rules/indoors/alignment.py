"""Phrases laid along routes: sums and best ways over all alignments, for many routes at once.

A phrase speaks of one place of a route, and phrases follow the route in order; several may speak of
one place, and places may be passed without a word. This is a monotone alignment as of hidden Markov
models for text (Vogel et al. 1996); the sums are its forward and backward recursions, in
logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
NEVER = -1e9
"""The logarithm of what cannot be; finite, so that differences stay numbers."""


def log_sum(values: Floats, axis: int) -> Floats:
    """Logarithm of the sum of exponentials along an axis."""
    # the greatest is taken off, so that exp cannot overflow; were it -inf, this would give nan
    top = values.max(axis, keepdims=True)
    return np.asarray((top + np.log(np.exp(values - top).sum(axis, keepdims=True))).squeeze(axis))


@dataclass(frozen=True)
class PhraseLattice:
    """Scores of all parts of all alignments; C phrases, K routes, J places.

    Parameters
    ----------
    speaks
        Shape ``(C, K, J)``: phrase c speaks of place j of route k.
    begins
        Shape ``(K, J)``: the first phrase speaks of place j, those before it are passed.
    steps
        Shape ``(K, J, J)``: from a phrase at place i to the next one at place j.
    leaves
        Shape ``(C, K, J)``: phrase c at place j is the last one that the route has reached.
    silent
        Shape ``(K,)``: no phrase has been reached.
    """

    speaks: Floats
    begins: Floats
    steps: Floats
    leaves: Floats
    silent: Floats


@dataclass(frozen=True)
class Alignment:
    """The sum over alignments of each route, and how much each part takes of it."""

    scores: Floats
    """Shape ``(K,)``."""
    forward: Floats
    """Shape ``(C, K, J)``: the sum up to phrase c at place j."""


def align(lattice: PhraseLattice) -> Alignment:
    """Sum over all alignments (forward)."""
    forward = np.empty_like(lattice.speaks)
    forward[0] = lattice.speaks[0] + lattice.begins
    for c in range(1, len(forward)):
        forward[c] = lattice.speaks[c] + log_sum(forward[c - 1][:, :, None] + lattice.steps, 1)
    count = len(lattice.silent)
    ends = (forward + lattice.leaves).transpose(1, 0, 2).reshape(count, -1)
    return Alignment(log_sum(np.concatenate([ends, lattice.silent[:, None]], axis=1), 1), forward)


def shares(lattice: PhraseLattice, alignment: Alignment, weight: Floats) -> PhraseLattice:
    """How much each part of the lattice adds to the weighted sum of the scores: its gradient.

    Parameters
    ----------
    lattice, alignment
        A lattice and its alignment.
    weight
        Shape ``(K,)``: derivative of the loss by each route's score.
    """
    speaks, steps = np.zeros_like(lattice.speaks), np.zeros_like(lattice.steps)
    total = alignment.scores[:, None]
    leaves = _part(alignment.forward + lattice.leaves - total, weight[:, None])
    behind = lattice.leaves[-1]
    speaks[-1] = leaves[-1]
    for c in range(len(speaks) - 2, -1, -1):
        onward = lattice.steps + (lattice.speaks[c + 1] + behind)[:, None, :]
        steps += _part(
            alignment.forward[c][:, :, None] + onward - total[:, :, None], weight[:, None, None]
        )
        behind = np.logaddexp(lattice.leaves[c], log_sum(onward, 2))
        speaks[c] = _part(alignment.forward[c] + behind - total, weight[:, None])
    silent = _part(lattice.silent - alignment.scores, weight)
    # wherever the first phrase speaks the alignment begins, so both have one gradient
    return PhraseLattice(speaks, speaks[0], steps, leaves, silent)


def _part(logarithm: Floats, weight: Floats) -> Floats:
    # a part is never more than the whole, but rounding in float32 may make it so
    return np.asarray(np.exp(np.minimum(logarithm, 0.0)) * weight)


def best(lattice: PhraseLattice, route: int) -> tuple[list[int], float]:
    """Return the best alignment of one route: the place of each phrase that it has reached, and its
    score (Viterbi).
    """
    speaks, steps = lattice.speaks[:, route], lattice.steps[route]
    value, came = [speaks[0] + lattice.begins[route]], []
    for c in range(1, len(speaks)):
        reached = value[-1][:, None] + steps
        came.append(reached.argmax(0))
        value.append(speaks[c] + reached.max(0))
    ends = np.stack(value) + lattice.leaves[:, route]
    last, place = np.unravel_index(int(ends.argmax()), ends.shape)
    if lattice.silent[route] >= ends[last, place]:
        return [], float(lattice.silent[route])
    places = [int(place)]
    for c in range(int(last) - 1, -1, -1):
        places.append(int(came[c][places[-1]]))
    return places[::-1], float(ends[last, place])
