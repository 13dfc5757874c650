"""Learn the weights of `rules-indoors` and `rules-indoors-map` from R2R's training split.

Run ``python -m tools.training.train_indoors --data FOLDER`` with a folder that holds
``r2r/R2R_train.json``, ``mp3d_all/connectivity`` and ``navgpt_text``. No other split is read. First
the weights learn to tell the route of an instruction from all routes of up to seven moves in the
house; then also to choose the next viewpoint on walks of their own, where the right choice is the
first viewpoint of the reference path that was not visited (imitation with aggregated states: Ross
et al. 2011). The order of paths and the start are drawn with a seed.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from navviz.systems.rules.indoors.deciding import (
    Choices,
    ExploredHouse,
    Floats,
    choices,
    judge_all,
    probabilities,
    terms_of,
    vectors_of,
)
from navviz.systems.rules.indoors.texts import read_phrases, texts_of
from navviz.systems.rules.indoors.weights import FILE, GAPS, ROLES, Weights, shapes
from tools.training.indoor_data import PathSample, samples_of, vocabulary
from tools.training.indoor_gradient import (
    Adam,
    Gradient,
    TrainingHouse,
    add_gradient,
)
from tools.training.indoor_rates import rates

WIDTH = 16
"""Length of a word's vector; small, since 14,000 instructions are all there is to learn from."""
RATE, DECAY, DROPPED = 0.01, 0.05, 0.35
BATCH = 4
"""Paths to an Adam step; a path already brings three instructions and all its routes."""
EPOCHS_OF_ROUTES, EPOCHS_OF_WALKS = 3, 2
EXACT = 0.3
"""How much of the aim is the very goal; the rest is anything within the success radius."""
WANDER = 0.15
"""How often a walk of the training takes a choice that is not the best one."""
LONGEST_WALK = 12
"""Moves of a training walk; reference paths of R2R have four to six."""
_LIKE = {"ahead": 0.5, "here": 0.5, "objects here": 0.5, "summary here": 0.5}


def begin(words: Sequence[str], tokens: Sequence[str], rng: Generator) -> Weights:
    """Where learning starts: a word means itself, in instructions and in texts; all else is
    open.
    """
    # sorted, since vectors are drawn in this order and that of a set changes from run to run
    names = sorted({*words, *tokens})
    vectors = {name: rng.normal(0, 1, WIDTH) / math.sqrt(WIDTH) for name in names}
    sizes = shapes(len(words), len(tokens), WIDTH)
    values = {name: np.zeros(shape, np.float32) for name, shape in sizes.items()}
    values["words"][:] = [vectors[name] for name in words]
    values["tokens"][:] = [vectors[name] for name in tokens]
    values["roles"][:] = [np.eye(WIDTH) * _LIKE.get(role, 0.2) for role, _ in ROLES]
    for name, slope in (("gap", -0.3), ("gap before", -0.3), ("gap after", -0.5)):
        values[name][:] = slope * np.arange(GAPS)
    return Weights(words, tokens, values)


@dataclass
class Trainer:
    """Weights that learn."""

    weights: Weights
    rng: Generator
    steps: int
    """How many steps there will be; the rate falls to 3 % over them."""
    adam: Adam = field(init=False)
    gradient: Gradient = field(init=False)
    tables: dict[str, tuple[Sequence[csr_matrix], Sequence[csr_matrix]]] = field(
        default_factory=dict
    )
    """Word counts of each house, and the same transposed: there are few houses and many paths."""

    def __post_init__(self) -> None:
        self.adam = Adam(dict(self.weights.values), DECAY)
        self._clear()

    def _clear(self) -> None:
        self.gradient = {name: np.zeros_like(value) for name, value in self.weights.values.items()}

    def step(self) -> None:
        """Change the weights by what was gathered."""
        done = self.adam.steps
        # a hundred steps to warm up: Adam's first step is as long as the rate, however small the
        # gradient is
        rate = RATE * min(1.0, (done + 1) / 100) * max(0.03, 1 - done / self.steps)
        self.adam.step(
            {name: slope / np.float32(BATCH) for name, slope in self.gradient.items()}, rate
        )
        self._clear()

    def phrases(self, instruction: str) -> list[list[int]]:
        """Known words of each phrase, some of them left out by chance."""
        rows = [words for words in self.weights.feature_rows(read_phrases(instruction)) if words]
        # one word stays, since a phrase without any would say nothing
        return [self._kept(words) or words[:1] for words in rows]

    def _kept(self, words: list[int]) -> list[int]:
        return [word for word in words if self.rng.random() > DROPPED]

    def house(self, sample: PathSample) -> TrainingHouse:
        """Return the texts of a house by the present weights."""
        name = sample.graph.name
        if name not in self.tables:
            tables = texts_of(sample.graph, self.weights.tokens).tables
            self.tables[name] = tables, [table.T.tocsr() for table in tables]
        counts, turned = self.tables[name]
        return TrainingHouse(turned, vectors_of(self.weights, counts))

    def learn_routes(self, sample: PathSample) -> None:
        """Gather the gradient of telling the right route from all others."""
        phrases: list[list[int]] = []
        sizes: list[int] = []
        for episode in sample.episodes:
            own = self.phrases(episode.instruction)
            if own:
                phrases += own
                sizes.append(len(own))
        if not phrases:
            return
        house, laid = self.house(sample), sample.laid_floats
        terms = terms_of(self.weights, phrases)
        judged = judge_all(self.weights, terms, house.vectors, laid, sizes, sample.routes)
        slopes = [_slope(each.scores, sample.near, sample.exact) for each in judged]
        add_gradient(self.gradient, self.weights, house, phrases, terms, judged, slopes)

    def learn_walk(self, sample: PathSample) -> None:
        """Gather the gradient of the choices of one walk."""
        house = self.house(sample)
        episode = sample.episodes[self.rng.integers(len(sample.episodes))]
        phrases = self.phrases(episode.instruction)
        if not phrases:
            return
        terms = terms_of(self.weights, phrases)
        explored, here = (
            ExploredHouse(sample.graph, sample.path[0], episode.start_heading_deg or 0.0),
            sample.path[0],
        )
        for _ in range(LONGEST_WALK):
            options = choices(
                self.weights, terms, explored, here, length_prior=True, texts=house.vectors
            )
            good = _good(options, sample, explored)
            if good.any():
                slope = _slope(options.values, good, good)
                add_gradient(
                    self.gradient, self.weights, house, phrases, terms, [options.judged], [slope]
                )
                self._add_stop(options, here, slope)
            pick = self._pick(options)
            if not options.opens[pick]:
                return
            here = options.judged.routes[pick].nodes[-1]
            explored.visit([here])

    def _add_stop(self, options: Choices, here: int, slope: Floats) -> None:
        closed = np.where(options.opens, 0, slope)
        at = np.array([route.nodes[-1] == here for route in options.judged.routes])
        self.gradient["stop"] += np.array([closed.sum(), closed[at].sum()], np.float32)

    def _pick(self, options: Choices) -> int:
        if self.rng.random() < WANDER and options.opens.any():
            # halved logarithms: a wandering step takes less likely ways, too
            share = np.where(options.opens, probabilities(options.values / np.float32(2)), 0.0)
            return int(self.rng.choice(len(share), p=share / share.sum()))
        return int(options.values.argmax())


def _slope(scores: Floats, good: NDArray[np.bool_], exact: NDArray[np.bool_]) -> Floats:
    """Return the derivative of the negative logarithm of being right."""
    share = probabilities(scores)
    aim = np.where(good, share, 0.0) / max(share[good].sum(), 1e-30)
    if exact.any():
        aim = (1 - EXACT) * aim + EXACT * exact / exact.sum()
    return np.asarray(share - aim, np.float32)


def _good(options: Choices, sample: PathSample, explored: ExploredHouse) -> NDArray[np.bool_]:
    """Which choices are right: to stop near the goal once it was visited, else the next viewpoint
    on the way there.
    """
    ends = [route.nodes[-1] for route in options.judged.routes]
    visited = explored.seen.ways
    if sample.path[-1] in visited:
        radius = sample.episodes[0].success_radius_m
        return np.array(
            [end in visited and sample.goal_m.get(end, np.inf) <= radius for end in ends]
        )
    following = next(node for node in sample.path if node not in visited)
    return np.array([end == following for end in ends])


def learn(samples: Sequence[PathSample], rng: Generator) -> Weights:
    """Weights learned from paths."""
    words, tokens = vocabulary(samples)
    epochs = EPOCHS_OF_ROUTES + EPOCHS_OF_WALKS
    trainer = Trainer(begin(words, tokens, rng), rng, epochs * len(samples) // BATCH)
    for epoch in range(epochs):
        for number, k in enumerate(rng.permutation(len(samples)).tolist(), start=1):
            trainer.learn_routes(samples[k])
            if epoch >= EPOCHS_OF_ROUTES:
                trainer.learn_walk(samples[k])
            # paths left over at the end of an epoch count in the first step of the next one
            if number % BATCH == 0:
                trainer.step()
        sys.stdout.write(f"epoch {epoch + 1} of {epochs}\n")
        sys.stdout.flush()
    return trainer.weights


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn and write the weights, or try them on paths and houses that were held out."""
    parser = argparse.ArgumentParser(
        description="Learn the weights of the indoor rules from R2R's training split."
    )
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with r2r, mp3d_all and navgpt_text"
    )
    parser.add_argument("--out", type=Path, default=FILE, help="file to write")
    parser.add_argument(
        "--held-out",
        action="store_true",
        help="hold out a tenth of the houses and of the paths, and print the rates there",
    )
    options = parser.parse_args(arguments)
    data = options.data
    samples = samples_of(
        data / "r2r" / "R2R_train.json", data / "mp3d_all" / "connectivity", data / "navgpt_text"
    )
    if options.held_out:
        scans = sorted({sample.graph.name for sample in samples})[::10]
        houses = [s for s in samples if s.graph.name in scans]
        rest = [s for s in samples if s.graph.name not in scans]
        weights = learn([s for k, s in enumerate(rest) if k % 16], default_rng(0))
        for name, part in (
            ("paths in known houses", rest[::16]),
            ("houses never seen", houses[:250]),
        ):
            sys.stdout.write(f"{name}: {rates(weights, part)}\n")
            sys.stdout.write(
                f"{name}, length_prior off: {rates(weights, part, length_prior=False)}\n"
            )
        return
    note = (
        "Learned by tools.training.train_indoors from R2R train; arrays as in indoors/weights.py."
    )
    learn(samples, default_rng(0)).write(options.out, note)


if __name__ == "__main__":
    main()
