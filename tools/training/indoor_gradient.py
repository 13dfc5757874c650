"""The gradient of route scores by the weights of the indoor rules, and Adam."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from navviz.systems.rules.indoors.deciding import Floats, Judged, PhraseLattice, Terms, shares
from navviz.systems.rules.indoors.weights import GAPS, LENGTH_STEP_M, PASSED, ROLE_TABLES, Weights

Gradient = dict[str, Floats]


@dataclass(frozen=True)
class TrainingHouse:
    """Texts of a house while weights change."""

    turned: Sequence[csr_matrix]
    """Word counts, shape of each table ``(tokens, rows)``."""
    vectors: Sequence[Floats]
    """By the present weights, see `navviz.systems.rules.indoors.deciding.vectors_of`."""


@dataclass
class Adam:
    """Steps of Adam (Kingma and Ba 2015) with decoupled decay (Loshchilov and Hutter 2019)."""

    values: Gradient
    decay: float
    mean: Gradient = field(init=False)
    square: Gradient = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.mean = {name: np.zeros_like(value) for name, value in self.values.items()}
        self.square = {name: np.zeros_like(value) for name, value in self.values.items()}

    def step(self, gradient: Gradient, rate: float) -> None:
        """Change the weights in place."""
        self.steps += 1
        for name, value in self.values.items():
            slope, mean, square = gradient[name], self.mean[name], self.square[name]
            # 0.9 and 0.99 keep the two running means, as in the corrections below
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope * slope - square)
            size = np.sqrt(square / (1 - 0.99**self.steps)) + 1e-6
            decay = 0.0 if name == "roles" else self.decay
            np.subtract(
                value, rate * (mean / (1 - 0.9**self.steps) / size + decay * value), out=value
            )


def add_gradient(
    gradient: Gradient,
    weights: Weights,
    house: TrainingHouse,
    phrases: Sequence[Sequence[int]],
    terms: Terms,
    judged: Sequence[Judged],
    slopes: Sequence[Floats],
) -> None:
    """Add the gradient of a loss."""
    laid, speaks, passed = judged[0].laid, [], np.zeros(judged[0].laid.walked.shape, np.float32)
    for each, slope in zip(judged, slopes, strict=True):
        parts = shares(each.lattice, each.alignment, slope)
        speaks.append(parts.speaks)
        _lengths(gradient, len(parts.speaks), each, slope)
        passed += _gaps(gradient, len(parts.speaks), each, parts)
    gradient["passed"] += np.einsum("kj,kjf->f", passed, laid.features[:, :, list(PASSED)])
    flat = np.concatenate(speaks).reshape(len(phrases), -1)
    by_feature = flat @ laid.features.reshape(flat.shape[1], -1)
    gradient["features"] += by_feature.sum(0)
    vectors = _roles(gradient, weights, house, terms, laid.rows.reshape(flat.shape[1], -1), flat)
    for phrase, feature, vector in zip(phrases, by_feature, vectors, strict=True):
        gradient["word features"][list(phrase)] += feature
        gradient["words"][list(phrase)] += vector / math.sqrt(max(len(phrase), 1))


def _lengths(gradient: Gradient, phrases: int, judged: Judged, slope: Floats) -> None:
    laid, closed = judged.laid, ~judged.laid.open
    size = min(phrases // 3, gradient["moves by size"].shape[1] - 1)
    lengths = np.minimum((laid.length_m / LENGTH_STEP_M).astype(int), len(gradient["length"]) - 1)
    # `add.at`, since many routes have as many moves: with += only one of them would count
    np.add.at(gradient["moves"], laid.last[closed], slope[closed])
    np.add.at(gradient["moves by size"], (laid.last[closed], size), slope[closed])
    np.add.at(gradient["length"], lengths[closed], slope[closed])


def _gaps(gradient: Gradient, phrases: int, judged: Judged, parts: PhraseLattice) -> Floats:
    """Gradient of the weights between phrases; gives that of passing each place, shape ``(K,
    J)``.
    """
    laid = judged.laid
    count, places = laid.walked.shape
    at, to = np.meshgrid(np.arange(places), np.arange(places), indexing="ij")
    onward = to >= at
    np.add.at(gradient["gap"], np.clip(to - at, 0, GAPS - 1)[onward], parts.steps.sum(0)[onward])
    gradient["gap before"][:places] += parts.begins.sum(0)
    closed = parts.leaves[-1] * ~laid.open[:, None]
    after = np.clip(laid.last[:, None] - np.arange(places), 0, GAPS - 1)
    np.add.at(gradient["gap after"], after, closed)
    left = np.minimum(phrases - np.arange(phrases + 1), len(gradient["left"]) - 1)
    open_leaves = parts.leaves.sum(2) * laid.open
    reached = np.concatenate([(parts.silent * laid.open)[None], open_leaves])
    np.add.at(gradient["left"], (left[:, None], laid.last[None]), reached)

    # scores take the places passed as differences of running sums; their gradient is a sum from the
    # end of the route
    before = np.zeros((count, places + 1), np.float32)
    over = np.where(to > at, parts.steps, 0)
    before[:, :-1] += over.sum(1) + parts.begins
    before[:, 1:] -= over.sum(2) + closed + (parts.leaves * laid.open[:, None]).sum(0)
    routes = np.arange(count)
    before[routes, laid.last + 1] += closed.sum(1)
    before[routes, laid.last] += reached.sum(0)
    return np.asarray(
        np.where(laid.walked, np.cumsum(before[:, :0:-1], axis=1)[:, ::-1], 0), np.float32
    )


def _roles(
    gradient: Gradient,
    weights: Weights,
    house: TrainingHouse,
    terms: Terms,
    rows: NDArray[np.int64],
    flat: Floats,
) -> Floats:
    """Gradient of the comparisons with texts; gives that of the phrases' vectors, shape ``(C,
    width)``.
    """
    vectors = np.zeros_like(terms.vectors)
    by_table = [np.zeros_like(table) for table in house.vectors]
    for role, table in enumerate(ROLE_TABLES):
        row, slope = _by_row(rows[:, role], flat)
        compared = slope @ house.vectors[table][row]
        by_table[table][row] += slope.T @ terms.compared[role]
        gradient["roles"][role] += terms.vectors.T @ compared
        vectors += compared @ weights.values["roles"][role].T
    for turned, slopes in zip(house.turned, by_table, strict=True):
        # the last row stands for texts that are not there, see `vectors_of`
        gradient["tokens"] += turned @ slopes[:-1]
    return vectors


def _by_row(rows: NDArray[np.int64], flat: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return the rows that are read, each once, and the slopes of the places that read them:
    ``(n,)``, ``(C, n)``.
    """
    read = np.flatnonzero(rows >= 0)
    order = read[np.argsort(rows[read], kind="stable")]
    unique, first = np.unique(rows[order], return_index=True)
    if not len(unique):
        return unique, flat[:, :0]
    return unique, np.add.reduceat(flat[:, order], first, axis=1)
