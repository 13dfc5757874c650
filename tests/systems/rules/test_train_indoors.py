"""Learning the weights of the indoor rules, on the sample house."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng

from navviz.errors import InputError
from navviz.systems.rules.indoors.deciding import (
    ExploredHouse,
    choices,
    judge_all,
    probabilities,
    terms_of,
)
from navviz.systems.rules.indoors.weights import load_weights
from tests.paths import SAMPLES
from tools.training import indoor_data, train_indoors
from tools.training.indoor_data import PathSample, samples_of, vocabulary
from tools.training.indoor_gradient import add_gradient
from tools.training.indoor_rates import rates
from tools.training.train_indoors import Trainer, begin, learn

HOUSE = SAMPLES / "house"


@pytest.fixture(scope="module")
def samples():
    """The sample's paths of up to seven moves."""
    found = samples_of(HOUSE / "R2R_sample.json", HOUSE / "connectivity", HOUSE)
    return [sample for sample in found if sample.exact.any()]


@pytest.fixture
def all_words(monkeypatch):
    monkeypatch.setattr(indoor_data, "_WORD_COUNT", 1)
    monkeypatch.setattr(indoor_data, "_PAIR_COUNT", 2)


def test_a_sample_knows_which_routes_are_right(samples):
    assert samples
    for sample in samples:
        assert sample.exact.sum() == 1
        assert sample.near[sample.exact].all()
        assert {route.nodes[0] for route in sample.routes} == {sample.path[0]}
        assert (
            sample.routes[int(sample.exact.argmax())].length_m
            <= sample.goal_m[sample.path[0]] + 1e-6
        )


def loss_of(trainer: Trainer, sample: PathSample) -> float:
    """Of telling the routes, and of one choice with the first three viewpoints visited."""
    house = trainer.house(sample)
    texts = [trainer.phrases(episode.instruction) for episode in sample.episodes]
    terms = terms_of(trainer.weights, [phrase for text in texts for phrase in text])
    judged = judge_all(
        trainer.weights,
        terms,
        house.vectors,
        sample.laid_floats,
        [len(t) for t in texts],
        sample.routes,
    )
    loss = -sum(np.log(probabilities(one.scores)[sample.near].sum()) for one in judged)
    found, good = choice(trainer, sample)
    return float(loss - np.log(probabilities(found.values)[good].sum()))


def choice(trainer: Trainer, sample: PathSample):
    terms = terms_of(trainer.weights, trainer.phrases(sample.episodes[0].instruction))
    explored = ExploredHouse(sample.graph, sample.path[0], 0.0)
    explored.visit(sample.path[:3])
    texts = trainer.house(sample).vectors
    found = choices(
        trainer.weights, terms, explored, sample.path[1], length_prior=True, texts=texts
    )
    return found, train_indoors._good(found, sample, explored)


def test_the_gradient_is_the_slope_of_the_loss(samples, all_words, monkeypatch):
    monkeypatch.setattr(train_indoors, "DROPPED", 0.0)
    monkeypatch.setattr(train_indoors, "EXACT", 0.0)
    rng, sample = default_rng(0), samples[0]
    weights = begin(*vocabulary(samples), rng)
    for array in weights.values.values():
        np.add(array, rng.normal(0, 0.05, array.shape).astype(np.float32), out=array)
    trainer = Trainer(weights, rng, 10)
    trainer.learn_routes(sample)
    found, good = choice(trainer, sample)
    slope = train_indoors._slope(found.values, good, np.zeros_like(good))
    phrases = trainer.phrases(sample.episodes[0].instruction)
    terms = terms_of(weights, phrases)
    add_gradient(
        trainer.gradient, weights, trainer.house(sample), phrases, terms, [found.judged], [slope]
    )
    trainer._add_stop(found, sample.path[1], slope)
    for name, array in weights.values.items():
        at = np.unravel_index(int(np.abs(trainer.gradient[name]).argmax()), array.shape)
        before, step = float(array[at]), 3e-3
        array[at] = before + step
        above = loss_of(trainer, sample)
        array[at] = before - step
        below = loss_of(trainer, sample)
        array[at] = before
        assert trainer.gradient[name][at] == pytest.approx(
            (above - below) / (2 * step), rel=0.02, abs=2e-3
        ), name


def test_learning_learns_and_the_file_keeps_it(samples, all_words, monkeypatch, tmp_path):
    monkeypatch.setattr(train_indoors, "EPOCHS_OF_ROUTES", 12)
    monkeypatch.setattr(train_indoors, "EPOCHS_OF_WALKS", 4)
    monkeypatch.setattr(train_indoors, "BATCH", 1)
    before = rates(begin(*vocabulary(samples), default_rng(1)), samples)
    learned = learn(samples, default_rng(1))
    after = rates(learned, samples)
    assert after["map SR"] > before["map SR"]
    assert after["map SR"] >= 0.7
    learned.write(tmp_path / "weights.json", "a note")
    again = load_weights(tmp_path / "weights.json")
    assert again.words == tuple(learned.words)
    for name, array in learned.values.items():
        assert np.abs(again.values[name] - array).max() <= 0.00501
    assert rates(again, samples) == pytest.approx(after, abs=0.25)


def test_chance_is_drawn_with_a_seed(samples, all_words, monkeypatch):
    monkeypatch.setattr(train_indoors, "EPOCHS_OF_ROUTES", 1)
    monkeypatch.setattr(train_indoors, "EPOCHS_OF_WALKS", 1)
    first, second = (learn(samples[:3], default_rng(5)).values for _ in range(2))
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_houses_without_texts_are_told(tmp_path):
    with pytest.raises(InputError, match="holds no observations of scan NavVizHouse"):
        samples_of(HOUSE / "R2R_sample.json", HOUSE / "connectivity", tmp_path / "none")
