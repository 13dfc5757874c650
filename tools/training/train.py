"""Learn the weights of the `rules` navigator from instructions with known routes.

Run ``python -m tools.training.train --data FOLDER`` with the folder of Map2Seq
(``osm/graph`` and ``splits/val.json``). Only the split `val` is read. Latent alignments are handled
by rounds: align every episode with the weights so far, keep the best walks, then maximise the
likelihood of stopping within the success radius (L-BFGS); mirror-image features (left and right)
share a weight. The result does not depend on chance.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from navviz.formats import open_episodes, open_graph
from navviz.language.grammar.grammar import Reading, read_instruction
from navviz.language.placing import features as f
from navviz.language.placing.alignment import Event, trace_back
from navviz.language.placing.routes import Search
from navviz.language.placing.scoring import (
    EXPECTED_OF_STOP,
    EXPECTED_OF_UNIT,
    FILE,
    Scored,
    stop_parts,
    unit_parts,
)
from navviz.language.placing.streets import Ints
from navviz.records import Episode
from navviz.support.guarded import write_whole
from navviz.systems.rules.search import Reach, search
from navviz.world.graph import Graph
from tools.training.train_local import imitate, local_table

WALKS_KEPT = 250
"""Endings an episode is learned from; those after them have no probability that matters."""
GOOD_KEPT = 40
"""Of these, endings near the goal."""
ROUNDS = 3
"""Alignments are latent: each round aligns with the weights so far, then learns anew."""
PRIOR_STRENGTH = 0.35
"""Strength with which weights are drawn to the hand-set ones (half its square is added to the
loss).
"""
LENGTH_PULL = 0.2
"""Share of that strength for the bins of length: their hand-set weights are guesses."""
SMOOTHNESS = 1.0
"""Draws neighbouring bins of length together, since each is met too seldom to stand alone."""
LONGEST_M = 700.0
"""As `rules` walks at most where nothing else is told."""


@dataclass(frozen=True)
class Sample:
    """The best walks of one episode as rows of features, and which of them end near the goal."""

    rows: csr_matrix
    good: NDArray[np.bool_]


def learn(
    graph: Graph,
    episodes: Sequence[Episode],
    *,
    length_prior: bool,
    rounds: int = ROUNDS,
    strength: float = PRIOR_STRENGTH,
    start: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Weights learned from episodes with a goal."""
    readings = [read_instruction(episode.instruction) for episode in episodes]
    weights = initial(length_prior=length_prior) if start is None else start
    for _ in range(rounds):
        samples = []
        for episode, reading in zip(episodes, readings, strict=True):
            example = sample(graph, episode, reading, weights, length_prior=length_prior)
            if example is not None:
                samples.append(example)
        weights = fit(samples, weights, strength, length_prior=length_prior)
    return weights


def initial(*, length_prior: bool) -> NDArray[np.float64]:
    """Where learning starts."""
    weights = f.initial_weights()
    if length_prior:
        for b in range(f.LENGTH_BINS):
            # no preference between 250 and 470 m, and ever less to both sides
            weights[f.INDEX[f"length:{b}"]] = -0.3 * max(0, 25 - b, b - 47)
    return weights


def sample(
    graph: Graph,
    episode: Episode,
    reading: Reading,
    weights: NDArray[np.float64],
    *,
    length_prior: bool,
) -> Sample | None:
    """Feature rows of the best walks, and of the best that end within the success radius of the
    goal.
    """
    result = _searched(graph, episode, reading, weights, length_prior=length_prior)
    goal = graph.metric_positions[graph.index[str(episode.goal)]]
    offset = graph.metric_positions[result.scored.area.target] - goal
    near = np.asarray(np.hypot(offset[:, 0], offset[:, 1]) <= episode.success_radius_m)
    total = result.total.ravel()
    links = result.total.shape[1]
    kept = _top(total, WALKS_KEPT)
    good = _top(np.where(np.tile(near, result.total.shape[0]), total, -np.inf), GOOD_KEPT)
    # the best endings near the goal stay even where many others score more: without them there is
    # nothing to learn towards; what is out of reach scores -1e9
    chosen = np.union1d(kept, good[total[good] > -1e6])
    chosen = chosen[total[chosen] > -1e6]
    is_good = near[chosen % links]
    if not is_good.any():
        return None
    return Sample(
        walk_features(result, chosen // links, chosen % links, length_prior=length_prior), is_good
    )


def _top(values: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    if len(values) <= count:
        return np.arange(len(values))
    # in no order: only which ones are kept matters
    return np.argpartition(-values, count)[:count]


def walk_features(
    result: Search, hops: NDArray[np.int64], links: NDArray[np.int64], *, length_prior: bool
) -> csr_matrix:
    """Feature counts of walks, shape ``(walks, features)``."""
    scored = result.scored
    rows = [np.repeat(np.arange(len(links)), scored.stop_slots.shape[1])]
    slots = [scored.stop_slots[links].ravel()]
    if length_prior:
        rows.append(np.arange(len(links)))
        slots.append(f.lookup("length:{}", range(f.LENGTH_BINS))[result.length_bins[hops]])
    for event in trace_back(result.lattice, hops, links):
        for walks, picked in _event_slots(scored, event):
            rows.append(np.repeat(walks, picked.shape[1]))
            slots.append(picked.ravel())
    row, slot = np.concatenate(rows), np.concatenate(slots)
    counts = slot > 0
    return csr_matrix(
        (np.ones(counts.sum()), (row[counts], slot[counts])), shape=(len(links), len(f.FEATURES))
    )


def _event_slots(scored: Scored, event: Event) -> Iterator[tuple[NDArray[np.int64], Ints]]:
    """Yield walks that took part in an event in the same manner, and the features it switched on
    for each.
    """
    used, skipped, seen = event.use >= 0, event.skip >= 0, np.flatnonzero(event.sight >= 0)
    yield event.walk[used], scored.use_slots[event.unit[used], event.use[used]]
    yield event.walk[skipped], scored.skip_slots[event.unit[skipped], event.skip[skipped]]
    if event.drop.any():
        yield event.walk[event.drop], scored.drop_slots[event.unit[event.drop]][:, None]
    for at in seen.tolist():
        sights = scored.model.seen[int(event.unit[at])]
        if sights is not None:
            yield event.walk[at : at + 1], sights.slots[event.sight[at : at + 1]]


def mirror_groups() -> NDArray[np.intp]:
    """For each feature the number of its group: a feature and its mirror image share one."""
    first = {}
    for number, name in enumerate(f.FEATURES):
        swapped = name.replace("left", "\0").replace("right", "left").replace("\0", "right")
        first[name] = min(number, f.INDEX[swapped])
    return np.unique([first[name] for name in f.FEATURES], return_inverse=True)[1]


def fit(
    samples: Sequence[Sample], start: NDArray[np.float64], strength: float, *, length_prior: bool
) -> NDArray[np.float64]:
    """Maximise the log probability of stopping near the goal, the weights drawn to the initial
    ones.
    """
    from scipy.sparse import vstack

    groups = mirror_groups()
    count = int(groups.max()) + 1
    # adds up the columns of a feature and its mirror image, so that one weight is learned for both
    tie = csr_matrix((np.ones(len(groups)), (np.arange(len(groups)), groups)))
    rows = (vstack([s.rows for s in samples]) @ tie).tocsr()
    # transposed once for all evaluations of the loss
    back = rows.T.tocsr()
    bounds = np.cumsum([0, *(len(s.good) for s in samples)])
    good = np.concatenate([s.good for s in samples])
    centre = np.zeros(count)
    centre[groups] = initial(length_prior=length_prior)
    lengths = groups[f.lookup("length:{}", range(f.LENGTH_BINS))]
    begin = np.zeros(count)
    begin[groups] = start

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, gradient = _likelihood(rows, back, bounds, good, w)
        pulled, pull = penalty(w, centre, lengths, strength)
        return value + pulled, gradient + pull

    best = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return np.asarray(best.x[groups])


def penalty(
    w: NDArray[np.float64], centre: NDArray[np.float64], lengths: NDArray[np.intp], strength: float
) -> tuple[float, NDArray[np.float64]]:
    """Return what draws weights to the initial ones and bins of length together, and its
    derivative.

    The weights in the repository were learned while the value had `LENGTH_PULL` squared and the
    derivative had it once. The derivative decides where the search ends: learned from the same
    walks, no weight differs by more than 0.02.
    """
    offset, bend = w - centre, np.diff(w[lengths])
    strengths = np.full(len(w), strength)
    strengths[lengths] *= LENGTH_PULL
    gradient = strengths * offset
    np.add.at(gradient, lengths[1:], SMOOTHNESS * bend)
    np.add.at(gradient, lengths[:-1], -SMOOTHNESS * bend)
    return float(strengths * offset @ offset + SMOOTHNESS * bend @ bend) / 2, gradient


def _likelihood(
    rows: csr_matrix,
    back: csr_matrix,
    bounds: NDArray[np.int64],
    good: NDArray[np.bool_],
    w: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64]]:
    score = rows @ w
    starts = bounds[:-1]
    sizes = np.diff(bounds)
    top = np.repeat(np.maximum.reduceat(score, starts), sizes)
    weight = np.exp(score - top)
    all_mass, good_mass = (
        np.add.reduceat(weight, starts),
        np.add.reduceat(np.where(good, weight, 0.0), starts),
    )
    good_mass = np.maximum(good_mass, 1e-30)
    value = -float(np.log(good_mass / all_mass).sum())
    share = weight / np.repeat(all_mass, sizes) - np.where(good, weight, 0.0) / np.repeat(
        good_mass, sizes
    )
    return value, back @ share


def expected_scores(
    graph: Graph, episodes: Sequence[Episode], weights: NDArray[np.float64], *, length_prior: bool
) -> dict[str, float]:
    """Return what each part of a plan scores on average where the search is right: what
    `rules-local` expects.
    """
    unit_rows, unit_scores, stop_rows, stop_scores = [], [], [], []
    for episode in episodes:
        reading = read_instruction(episode.instruction)
        result = _searched(graph, episode, reading, weights, length_prior=length_prior)
        if not _hit(graph, episode, result):
            continue
        *parts, last = scores_by_unit(result)
        for unit, score in zip(result.scored.units, parts, strict=True):
            counts = unit_parts(unit, reading)
            unit_rows.append([counts.get(name, 0) for name in EXPECTED_OF_UNIT])
            unit_scores.append(score)
        stop_rows.append([stop_parts(reading)[name] for name in EXPECTED_OF_STOP])
        stop_scores.append(last)
    table = dict(zip(EXPECTED_OF_UNIT, _regress(unit_rows, unit_scores), strict=True))
    return table | dict(zip(EXPECTED_OF_STOP, _regress(stop_rows, stop_scores), strict=True))


def _regress(rows: list[list[int]], values: list[float]) -> list[float]:
    # a ridge of strength 1, see MODEL.md, section 7
    a, b = np.array(rows, float), np.array(values)
    return [float(x) for x in np.linalg.solve(a.T @ a + np.eye(a.shape[1]), a.T @ b)]


def scores_by_unit(result: Search) -> list[float]:
    """Score of each unit, with the passages before it, on the most probable walk to the answer; the
    stop's last.
    """
    scored = result.scored
    links = np.flatnonzero(scored.area.target == result.node)
    hop, at = np.unravel_index(
        int(result.total[:, links].argmax()), (result.total.shape[0], len(links))
    )
    scores = np.zeros(len(scored.units) + 1)
    scores[-1] = scored.stop[links[at]]
    model = scored.model
    for event in trace_back(result.lattice, np.array([hop]), links[at : at + 1]):
        unit = int(event.unit[0])
        if event.use[0] >= 0:
            scores[unit] += model.use[unit, event.use[0]]
        elif event.skip[0] >= 0:
            scores[unit] += model.skip[unit, event.skip[0]]
        elif event.drop[0]:
            scores[unit] += model.drop[unit]
        elif (
            seen := model.seen[unit] if unit < len(model.seen) else None
        ) is not None and event.sight[0] >= 0:
            scores[unit] += seen.score[event.sight[0]]
    return scores.tolist()


def success(
    graph: Graph, episodes: Sequence[Episode], weights: NDArray[np.float64], *, length_prior: bool
) -> float:
    """Share of episodes whose answer is within the success radius of the goal."""
    hits = 0
    for episode in episodes:
        reading = read_instruction(episode.instruction)
        hits += _hit(
            graph, episode, _searched(graph, episode, reading, weights, length_prior=length_prior)
        )
    return hits / len(episodes)


def _hit(graph: Graph, episode: Episode, result: Search) -> bool:
    return graph.distance_m(graph.ids[result.node], str(episode.goal)) <= episode.success_radius_m


def _searched(
    graph: Graph,
    episode: Episode,
    reading: Reading,
    weights: NDArray[np.float64],
    *,
    length_prior: bool,
) -> Search:
    return search(
        graph,
        graph.index[episode.start],
        episode.start_heading_deg,
        reading,
        weights,
        reach=Reach(LONGEST_M, length_prior=length_prior),
        radius_m=episode.success_radius_m,
    )


def cross_validate(
    graph: Graph, episodes: Sequence[Episode], *, length_prior: bool, folds: int = 5
) -> list[float]:
    """Success rate on each fold of weights learned from the others; folds by position in the
    file.
    """
    rates = []
    for fold in range(folds):
        train = [e for k, e in enumerate(episodes) if k % folds != fold]
        test = [e for k, e in enumerate(episodes) if k % folds == fold]
        rates.append(
            success(
                graph,
                test,
                learn(graph, train, length_prior=length_prior),
                length_prior=length_prior,
            )
        )
    return rates


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn both sets of weights and write the weights file."""
    parser = argparse.ArgumentParser(
        description="Learn the weights of the rules navigator from Map2Seq's split val."
    )
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        help="folder of Map2Seq, with osm/graph and splits/val.json",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=FILE,
        help="file to write",
    )
    parser.add_argument(
        "--cross-validate",
        action="store_true",
        help="only print success rates of five-fold cross-validation",
    )
    options = parser.parse_args(arguments)
    graph = open_graph(options.data / "osm" / "graph")
    episodes = list(open_episodes(options.data / "splits" / "val.json").episodes.values())
    table: dict[str, dict[str, float]] = {}
    ahead: dict[str, dict[str, float]] = {}
    for name, length_prior in (("length-prior", True), ("no-length-prior", False)):
        if options.cross_validate:
            rates = cross_validate(graph, episodes, length_prior=length_prior)
            sys.stdout.write(
                f"{name}: {np.mean(rates):.1%} ({', '.join(f'{rate:.1%}' for rate in rates)})\n"
            )
            continue
        weights = learn(graph, episodes, length_prior=length_prior)
        named = zip(f.FEATURES, weights.tolist(), strict=True)
        table[name] = {n: round(w, 3) for n, w in named if abs(w) >= 5e-4}
        rate = success(graph, episodes, weights, length_prior=length_prior)
        scores = expected_scores(graph, episodes, weights, length_prior=length_prior)
        scores = imitate(graph, episodes, weights, local_table(scores), length_prior=length_prior)
        ahead[name] = {n: round(value, 3) for n, value in scores.items()}
        sys.stdout.write(f"{name}: {rate:.1%} on val itself; local: {ahead[name]}\n")
    if table:
        note = (
            "Learned by tools.training.train on the split val of Map2Seq; features"
            " as in features.py."
        )
        document = {"note": note, "weights": table, "expected": ahead}
        write_whole(options.out, json.dumps(document, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
