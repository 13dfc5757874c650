"""Failures that are alike by words: parted into clusters, and searched for those nearest to a text.

A failure counts by the thoughts and replies of the step that decided its end, else of its last
step. Where too few failures of a run have any, all count by their instructions: thoughts and
instructions in one table would part by who wrote them. A cluster is a grouping and no cause.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain
from typing import Final, Literal
from urllib.parse import quote, unquote

import numpy as np

from navviz.analysis.meaning import (
    Cluster,
    KeptMeaning,
    Meaning,
    TextPassage,
    cluster_name,
    text_of_calls,
)
from navviz.errors import InputError, NavVizError
from navviz.metrics.divergence import find_divergence
from navviz.metrics.intervals import Interval, mean_interval
from navviz.records import Trace
from navviz.records.base import plural
from navviz.runs.content_cache import content_place, keep_if_possible
from navviz.runs.run import OpenRun
from navviz.runs.tables import outcome
from navviz.support.guarded import natural, opened_bytes

LEAST: Final = 10
"""Failures that are parted into clusters: fewer are sooner read one by one."""
NEAREST: Final = 10
Basis = Literal["said", "instructions"]
"""What failures count by: what the model wrote, or what it was to do."""
_LEAST_LIKENESS: Final = 0.05
"""Below it texts share next to nothing, and their order is chance."""
_EXCERPT: Final = 240
"""Characters of each text that are kept, to be shown."""
_LAYOUT: Final = 2
"""Counted up when texts are parted or kept otherwise than before."""


@dataclass(frozen=True, slots=True)
class FailureCluster:
    """Failures that use the same words."""

    id: str
    """Its first words, so that a link never leads to another cluster of a run that has changed."""
    words: tuple[str, ...]
    """The most typical first; none where all words are those of one text, or of most."""
    episodes: tuple[str, ...]
    """The most typical first."""
    excerpt: str
    """How the text of the first one begins."""


@dataclass(frozen=True, slots=True)
class LikeTarget:
    """What failures are compared with: a step of an episode, or some words."""

    episode: str | None
    step: int | None = None
    """``None`` for the one that decided its end."""
    text: str = ""

    @property
    def value(self) -> str:
        """As an address has it: without a comma, which parts values there."""
        if self.episode is None:
            return quote(self.text, safe="")
        return f"{quote(self.episode, safe='')};{'' if self.step is None else self.step}"

    @classmethod
    def of(cls, value: str) -> LikeTarget:
        """Return the target that `value` tells."""
        episode, semicolon, step = value.rpartition(";")
        if not semicolon:
            return cls(None, text=unquote(value))
        return cls(unquote(episode), natural(step))

    @property
    def name(self) -> str:
        """In words."""
        if self.episode is None:
            return f"“{self.text}”"
        return self.episode if self.step is None else f"{self.episode}, step {self.step}"


@dataclass(frozen=True)
class AlikeFailures:
    """The failures of a run by their words."""

    basis: Basis
    failures: int
    """Of the run."""
    silent: tuple[str, ...]
    """Failures whose log has no words at the step that counts; they are in no cluster."""
    clusters: tuple[FailureCluster, ...]
    """The largest first; none for fewer than `LEAST` failures with words."""
    meaning: Meaning | None
    """``None`` where no two failures share a word."""

    @cached_property
    def ids(self) -> dict[str, str]:
        """The cluster of each failure, by episode."""
        ids: dict[str, str] = {}
        for cluster in self.clusters:
            ids.update(dict.fromkeys(cluster.episodes, cluster.id))
        return ids

    @property
    def labels(self) -> dict[str, str]:
        """What people read for the id of a cluster."""
        return {cluster.id: cluster_name(cluster.words, 4) for cluster in self.clusters}

    def near(self, run: OpenRun, target: LikeTarget) -> dict[str, float]:
        """Return the failures nearest to a target with their likeness (cosine), the nearest first.

        An episode that is compared stands first, as like itself as can be. Nothing comes back for
        an episode that the run does not have, or for words that no failure uses.
        """
        key = target.episode
        if self.meaning is None or (key is not None and key not in run.traces):
            return {}
        text = target.text if key is None else _text_of(run, key, target.step, self.basis)
        hits = self.meaning.similar(text, NEAREST + 1)
        others = [
            hit for hit in hits if hit.likeness >= _LEAST_LIKENESS and hit.passage.episode != key
        ]
        near = {} if key is None or not hits else {key: 1.0}
        return near | {hit.passage.episode: hit.likeness for hit in others[:NEAREST]}


@dataclass(frozen=True, slots=True)
class AlikeGroup:
    """A cluster as a list shows it."""

    id: str
    words: str
    count: int
    share: Interval
    """Of the failures that have words."""
    example: str
    """The most typical episode, and how its text begins."""


def alike_groups(alike: AlikeFailures) -> list[AlikeGroup]:
    """Return the clusters as a list shows them, the largest first."""
    spoken = alike.failures - len(alike.silent)
    groups = []
    for cluster in alike.clusters:
        count = len(cluster.episodes)
        share = mean_interval([1.0] * count + [0.0] * (spoken - count), yes_no=True)
        words = cluster_name(cluster.words)
        example = f"{cluster.episodes[0]}: {cluster.excerpt}"
        groups.append(AlikeGroup(cluster.id, words, count, share, example))
    return groups


def alike_sentence(alike: AlikeFailures) -> str:
    """Say what is compared and how far that goes."""
    failures = plural(alike.failures, "failure")
    if not alike.failures:
        return "no episode of this run is known to have failed, so there is nothing to compare."
    if alike.failures == 1:
        return "one failure alone cannot be compared."
    if alike.meaning is None:
        return f"no two of {failures} share a word."
    spoken = alike.failures - len(alike.silent)
    if not alike.clusters:
        return (
            f"{plural(spoken, 'failure')} with words are too few for groups; {LEAST} are needed."
            " Read them one by one, or search for words."
        )
    text = f"{failures} grouped by what the model wrote in the step that decided the end."
    if alike.basis == "instructions":
        text = (
            f"{failures} grouped by their instructions, since too few have thoughts or replies in"
            " the log."
        )
    elif alike.silent:
        text += f" In {len(alike.silent)} nothing was logged there; they are in no group."
    return f"{text} A group shares words; it is no cause, and a small one may be chance."


def alike_failures(run: OpenRun, after: Callable[[int], None] | None = None) -> AlikeFailures:
    """Return the failures of a run by their words, out of the cache where it has them."""
    path = content_place(run, "alike", ".npz", _LAYOUT)
    if path is not None and path.is_file():
        # a file that was cut off, or that somebody else wrote, is made anew
        try:
            with opened_bytes(path) as file, np.load(file, allow_pickle=False) as arrays:
                return _unpacked({name: arrays[name] for name in arrays.files})
        except (InputError, OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            pass
    alike = _parted(run, after)
    keep_if_possible(path, lambda file: np.savez(file, allow_pickle=False, **_packed(alike)))
    return alike


def cluster_failures(run: OpenRun, count: int | None = None) -> list[Cluster]:
    """Part the failures of a run by their words, the largest cluster first.

    Failures of which nothing was logged come last, in the cluster without words. Raises
    `InputError` when fewer than two failures have words in common.
    """
    _, passages = _passages(run, None)
    spoken = [passage for passage in passages if passage.text]
    if len(passages) < 2:
        raise InputError("has fewer than two failures", "choose a run that failed", file=run.name)
    clusters = Meaning(spoken).clusters(count)
    silent = tuple(passage for passage in passages if not passage.text)
    if silent and not clusters[-1].words:
        silent = clusters.pop().passages + silent
    return [*clusters, Cluster((), silent)] if silent else clusters


def _parted(run: OpenRun, after: Callable[[int], None] | None) -> AlikeFailures:
    basis, passages = _passages(run, after)
    spoken = [passage for passage in passages if passage.text]
    silent = tuple(passage.episode for passage in passages if not passage.text)
    meaning = None
    clusters: tuple[FailureCluster, ...] = ()
    try:
        meaning = Meaning(spoken)
    except NavVizError:  # the page says so
        return AlikeFailures(basis, len(passages), silent, (), None)
    if len(spoken) >= LEAST:
        clusters = _named(meaning.clusters())
    return AlikeFailures(basis, len(passages), silent, clusters, meaning)


def _named(clusters: Sequence[Cluster]) -> tuple[FailureCluster, ...]:
    named: dict[str, FailureCluster] = {}
    for cluster in clusters:
        name = "-".join(cluster.words[:4]) or "no-telling-word"
        number, own = 2, name
        # two may have the same four words in front
        while own in named:
            own, number = f"{name}-{number}", number + 1
        episodes = tuple(passage.episode for passage in cluster.passages)
        text = cluster.passages[0].text
        words = " ".join(text.replace("**", "").split())  # models write headings in Markdown
        excerpt = words if len(words) <= _EXCERPT else f"{words[:_EXCERPT]}…"
        named[own] = FailureCluster(own, cluster.words, episodes, excerpt)
    return tuple(named.values())


def _passages(run: OpenRun, after: Callable[[int], None] | None) -> tuple[Basis, list[TextPassage]]:
    """Return a passage for each failure, empty where nothing was logged."""
    failures = failed_keys(run)
    passages: list[TextPassage] = []
    for number, key in enumerate(failures, start=1):
        passages.append(_said_passage(run, key))
        if after is not None:
            after(number)
    spoken = sum(bool(passage.text) for passage in passages)
    # half of a small run, or enough of a large one of which a part has logs
    if spoken >= LEAST or (spoken and 2 * spoken >= len(failures)):
        return "said", passages
    instructions = run.instructions
    return "instructions", [TextPassage(key, None, instructions[key]) for key in failures]


def _said_passage(run: OpenRun, key: str) -> TextPassage:
    trace = run.trace(key)
    # where nothing was written no step counts, and the departure takes longer than the reading
    calls = chain.from_iterable(step.calls for step in trace.steps)
    if not any(call.thoughts or call.reply for call in calls):
        return TextPassage(key, None, "")
    step = find_divergence(trace, run.graph(key)).step
    return TextPassage(key, step, _text_at_step(trace, step))


def failed_keys(run: OpenRun) -> list[str]:
    """Return the ids of the episodes that failed, in file order, as Explore's list counts them."""
    rows = run.scores.rows
    judged = [key for key in run.traces if key in rows and key not in run.scores.unanswered]
    return [key for key in judged if outcome(dict(rows[key])) == "failure"]


def _text_of(run: OpenRun, key: str, step: int | None, basis: Basis) -> str:
    if basis == "instructions":
        return run.instructions[key]
    return _text_at_step(run.trace(key), run.divergence(key).step if step is None else step)


def _text_at_step(trace: Trace, index: int | None) -> str:
    """Return what was written in a step; in the last one where there is none of that number."""
    chosen = trace.steps[-1:]
    for step in trace.steps:
        if step.index == index:
            chosen = (step,)
    parts = []
    for step in chosen:
        parts += [text_of_calls(step, "thoughts"), text_of_calls(step, "replies")]
    return "\n".join(part for part in parts if part)


def _packed(alike: AlikeFailures) -> dict[str, np.ndarray]:
    """Return all of it as arrays: texts as JSON, since a pickle would run code when it is read."""
    passages = () if alike.meaning is None else alike.meaning.passages
    head = {
        "basis": alike.basis,
        "failures": alike.failures,
        "silent": alike.silent,
        "clusters": [asdict(cluster) for cluster in alike.clusters],
        "words": () if alike.meaning is None else alike.meaning.words,
        "passages": [(passage.episode, passage.step) for passage in passages],
    }
    packed = np.frombuffer(json.dumps(head).encode(), np.uint8)
    arrays: dict[str, np.ndarray] = {"head": packed}
    if alike.meaning is not None:
        kept = alike.meaning.kept
        arrays |= {"weights": kept.weights, "axes": kept.axes, "vectors": kept.vectors}
    return arrays


def _unpacked(arrays: dict[str, np.ndarray]) -> AlikeFailures:
    head = json.loads(arrays["head"].tobytes())
    clusters = []
    for one in head["clusters"]:
        lists = {name: tuple(one[name]) for name in ("words", "episodes")}
        clusters.append(FailureCluster(**{**one, **lists}))
    meaning = None
    if head["words"]:
        passages = [TextPassage(episode, step, "") for episode, step in head["passages"]]
        kept = KeptMeaning(head["words"], arrays["weights"], arrays["axes"], arrays["vectors"])
        meaning = Meaning(passages, kept)
    return AlikeFailures(
        head["basis"], head["failures"], tuple(head["silent"]), tuple(clusters), meaning
    )
