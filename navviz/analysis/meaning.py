"""Search and clusters by meaning, without a model: TF-IDF, then a truncated SVD of it.

Words that stand in the same texts come close together, so "thoughts like this one" are found that
share few words (latent semantic analysis, Deerwester et al. 1990,
doi:10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9). scipy holds all that is needed;
scikit-learn would bring 30 MB for the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

from navviz.analysis.slices import PLAIN_WORDS
from navviz.errors import InputError, SettingsError
from navviz.language.mentions import search_words
from navviz.records import Step
from navviz.runs.run import OpenRun

Source = Literal["thoughts", "replies", "instructions"]
_DIMENSIONS: Final = 64
"""On GROKE's 700 instructions more do not change which ten are nearest in nine of ten."""
_RARE: Final = 2
"""Words of fewer texts tell nothing of likeness."""
_COMMON: Final = 0.6
"""Words of a greater share of texts do not either."""
_MOST_WORDS: Final = 30_000
_LONGEST: Final = 20_000
"""Characters of a text that are read; longer ones repeat themselves."""
_TYPICAL: Final = 6
_SEED: Final = 0


@dataclass(frozen=True, slots=True)
class TextPassage:
    """One text of a run."""

    episode: str
    step: int | None
    """Index of its step; ``None`` for an instruction."""
    text: str


@dataclass(frozen=True, slots=True)
class TextHit:
    """A passage that is like what was looked for."""

    passage: TextPassage
    likeness: float
    """Cosine, from -1 to 1."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Passages that speak of the same."""

    words: tuple[str, ...]
    """What they say more often than the others, the most typical first."""
    passages: tuple[TextPassage, ...]
    """The most typical first."""


def cluster_name(words: Sequence[str], most: int | None = None) -> str:
    """Return the words of a cluster, or the first ones, as a list names it."""
    return ", ".join(words[:most]) or "No word that tells them apart"


@dataclass(frozen=True, slots=True)
class KeptMeaning:
    """What was worked out of texts."""

    words: Sequence[str]
    weights: NDArray[np.float64]
    axes: NDArray[np.float32]
    vectors: NDArray[np.float32]


class Meaning:
    """Texts placed by what they speak of.

    Raises `InputError` when no passage has a word that another one shares.
    """

    def __init__(self, passages: Iterable[TextPassage], kept: KeptMeaning | None = None) -> None:
        self.passages = tuple(passages)
        counts = [] if kept else [_counted(passage.text) for passage in self.passages]
        words, self._weights = (kept.words, kept.weights) if kept else _vocabulary(counts)
        self.words = tuple(words)
        if not words:
            raise InputError("holds no two texts that share a word", "choose a run with more texts")
        self._places = {word: place for place, word in enumerate(words)}
        self._table = self._weighted(counts)
        if kept is None:
            # half the size where they are kept, and no order of nearest passages changes by it
            self._axes = _axes(self._table).astype(np.float32)
            vectors = _unit(self._table @ self._axes.T).astype(np.float32)
        else:
            self._axes, vectors = kept.axes, kept.vectors
        self.vectors = vectors
        """One row a passage, of length 1 (0 without a known word)."""
        if self.vectors.shape != (len(self.passages), len(self._axes)):
            raise ValueError("vectors and passages differ in number")

    @property
    def kept(self) -> KeptMeaning:
        """What `similar` needs besides the passages."""
        return KeptMeaning(self.words, self._weights, self._axes, self.vectors)

    def similar(self, text: str, count: int = 10) -> list[TextHit]:
        """Return the passages nearest to a text, the nearest first; none without a known word."""
        vector = _unit(self._weighted([_counted(text)]) @ self._axes.T)[0]
        if not vector.any():
            return []
        likeness = self.vectors @ vector
        # stable: of equals the one that comes first in the run
        order = np.argsort(-likeness, kind="stable")[:count]
        return [TextHit(self.passages[place], float(likeness[place])) for place in order]

    def clusters(self, count: int | None = None) -> list[Cluster]:
        """Part the passages into clusters by k-means, the largest first.

        Passages without a word that another one shares come last, as one cluster without words.
        """
        rows = np.flatnonzero(self.vectors.any(axis=1))
        wanted = count or min(12, max(2, round(math.sqrt(len(rows)) / 3)))
        wanted = min(wanted, len(np.unique(self.vectors[rows].round(6), axis=0)))
        if wanted < 2:
            labels = np.zeros(len(rows), int)
        else:
            draw = np.random.default_rng(_SEED)
            _, labels = kmeans2(self.vectors[rows], wanted, minit="++", rng=draw)
        clusters = [self._cluster(rows[labels == label]) for label in np.unique(labels)]
        clusters.sort(key=lambda cluster: -len(cluster.passages))
        strange = np.flatnonzero(~self.vectors.any(axis=1))
        if len(strange):
            clusters.append(Cluster((), tuple(self.passages[row] for row in strange)))
        return clusters

    def _cluster(self, rows: NDArray[np.int64]) -> Cluster:
        inside = np.asarray(self._table[rows].mean(axis=0)).ravel()
        excess = inside - np.asarray(self._table.mean(axis=0)).ravel()
        typical: list[str] = []
        for place in np.argsort(-excess):
            if excess[place] <= 0 or len(typical) == _TYPICAL:
                break
            if self.words[place] not in PLAIN_WORDS:
                typical.append(self.words[place])
        middle = self.vectors[rows].mean(axis=0)
        order = np.argsort(-(self.vectors[rows] @ middle), kind="stable")
        passages = tuple(self.passages[row] for row in rows[order])
        return Cluster(tuple(typical), passages)

    def _weighted(self, counts: Sequence[Counter[str]]) -> csr_array:
        """Return TF-IDF, a row of length 1 for each text: (1 + log count) * weight of the word."""
        columns: list[int] = []
        values: list[float] = []
        ends = [0]
        for counted in counts:
            for word, times in counted.items():
                place = self._places.get(word)
                if place is not None:
                    columns.append(place)
                    values.append((1.0 + math.log(times)) * self._weights[place])
            ends.append(len(columns))
        shape = (len(counts), len(self.words))
        table = csr_array((values, columns, ends), shape=shape, dtype=np.float64)
        lengths = np.sqrt(table.multiply(table).sum(axis=1))
        lengths[lengths == 0] = 1.0
        return csr_array(table.multiply(1.0 / lengths[:, None]))


def passages_of(run: OpenRun, source: Source) -> list[TextPassage]:
    """Return the texts of a run, in file order."""
    passages: list[TextPassage] = []
    if source == "instructions":
        return [TextPassage(key, None, text) for key, text in run.instructions.items()]
    for key, trace in run.traces.items():
        for step in trace.steps:
            text = text_of_calls(step, source)
            if text:
                passages.append(TextPassage(key, step.index, text))
    return passages


def check_source(name: str) -> Source:
    """Return a source of texts by its name; raises `SettingsError` for another."""
    for source in get_args(Source):
        if name == source:
            return name  # type: ignore[return-value]
    raise SettingsError(f"There is no {name!r}; choose of: {', '.join(get_args(Source))}.")


def text_of_calls(step: Step, source: Source) -> str:
    """Return the thoughts, or the replies, of all calls of a step."""
    if source == "thoughts":
        parts = [call.thoughts or "" for call in step.calls]
    else:
        parts = [call.reply or "" for call in step.calls]
    return "\n".join(part for part in parts if part)


def _counted(text: str) -> Counter[str]:
    return Counter(search_words(text[:_LONGEST]))


def _vocabulary(counts: Sequence[Counter[str]]) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """Return the words that tell texts apart, and their weights log(texts / texts with it)."""
    texts: Counter[str] = Counter()
    for counted in counts:
        texts.update(counted.keys())
    most = max(_RARE, _COMMON * len(counts))
    kept = [(word, count) for word, count in texts.items() if _RARE <= count <= most]
    kept.sort(key=lambda item: (-item[1], item[0]))
    kept = kept[:_MOST_WORDS]
    weights = [math.log((1 + len(counts)) / (1 + count)) + 1.0 for _, count in kept]
    return tuple(word for word, _ in kept), np.array(weights)


def _axes(table: csr_array) -> NDArray[np.float64]:
    """Return the directions that hold most of a table, a row each."""
    rows, columns = table.shape
    count = min(_DIMENSIONS, rows - 1, columns - 1)
    if count < 1:
        return np.eye(columns)
    # a fixed start gives the same directions again; ARPACK draws one otherwise
    start = np.random.default_rng(_SEED).normal(size=min(rows, columns))
    _, _, axes = svds(table, k=count, v0=start)
    return np.asarray(axes)


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale rows to length 1; one of (nearly) no length stays 0."""
    rows = np.asarray(rows)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(lengths > 1e-9, rows / np.maximum(lengths, 1e-9), 0.0)
