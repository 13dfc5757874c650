"""Runs of a discrete and a continuous data set beside each other: R2R and VLN-CE.

The episodes of the second go by the ids of the first, so that pages, tables and the player find
both walks under one id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from navviz.analysis.compare import Comparison, compare_scores
from navviz.formats import Run
from navviz.metrics.score import RunScore
from navviz.records import Episode, Trace
from navviz.records.base import plural
from navviz.runs.opened import OpenRun
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which episodes of two runs ask the same."""

    pairs: tuple[tuple[str, str], ...]
    """Ids of the first and of the second run, in the order of the first."""
    only_first: tuple[str, ...]
    """Ids of the first run that have no partner."""
    only_second: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Say how many could be paired, and how many could not."""
        count = plural(len(self.pairs), "episode")
        rest = f"{len(self.only_first)} of the first and {len(self.only_second)} of the second"
        return f"{count} paired by path and instruction; {rest} run have no partner."


def pair_episodes(first: Mapping[str, Episode], second: Mapping[str, Episode]) -> Pairing:
    """Pair episodes by house, path and instruction text; blanks and capitals do not count.

    An episode without a path id has no partner. Of several episodes that ask the same, each has
    one partner at most.
    """
    waiting: dict[tuple[str, str, str], list[str]] = {}
    for name, episode in second.items():
        if episode.path_id is not None:
            waiting.setdefault(_question(episode), []).append(name)
    pairs, alone = list[tuple[str, str]](), list[str]()
    for name, episode in first.items():
        partners = waiting.get(_question(episode), []) if episode.path_id is not None else []
        if partners:
            pairs.append((name, partners.pop(0)))
        else:
            alone.append(name)
    taken = {partner for _, partner in pairs}
    left = tuple(name for name in second if name not in taken)
    return Pairing(tuple(pairs), tuple(alone), left)


def _question(episode: Episode) -> tuple[str, str, str]:
    text = " ".join(episode.instruction.casefold().split())
    return episode.world, episode.path_id or "", text


MOST_PAIRED = 20_000

"""Episodes; the texts of larger runs are not read only to find partners."""


class _PairedTraces(Mapping[str, Trace]):
    """Traces of a run by the ids of the run beside it."""

    def __init__(self, traces: Mapping[str, Trace], partners: Mapping[str, str]) -> None:
        self._traces, self._partners = traces, partners

    def __getitem__(self, key: str) -> Trace:
        return self._traces[self._partners[key]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._partners)

    def __len__(self) -> int:
        return len(self._partners)


@dataclass(repr=False)
class PairedRun(OpenRun):
    """A run whose episodes go by the ids of the run that it stands beside."""

    base: OpenRun = field(kw_only=True)
    pairing: Pairing = field(kw_only=True)

    @cached_property
    def partners(self) -> dict[str, str]:
        """Its own ids, by those of the other run."""
        return dict(self.pairing.pairs)

    def graph(self, episode_id: str | int) -> Graph:
        """Graph that an episode is walked on, with the poses of its trace where it has any."""
        # by its own id, since its files do not know the other run
        return self.base.graph(self.partners[str(episode_id)])

    @cached_property
    def scores(self) -> RunScore:
        """Metrics of the episodes that have a partner, by the other run's ids.

        Origins are left out, since the data sets differ on purpose.
        """
        return paired_scores(self.base.scores, self.partners)


def paired_scores(score: RunScore, partners: Mapping[str, str]) -> RunScore:
    """Return the scores of some episodes under other ids; means and counts are those of all."""
    rows = {key: score.rows[own] for key, own in partners.items()}
    errors = tuple(key for key, own in partners.items() if own in score.errors)
    counted = tuple(key for key, own in partners.items() if own in score.counted_errors)
    unfinished = tuple(key for key, own in partners.items() if own in score.unfinished)
    unanswered = {}
    for key, own in partners.items():
        if own in score.unanswered:
            unanswered[key] = score.unanswered[own]
    return replace(
        score,
        rows=rows,
        errors=errors,
        counted_errors=counted,
        unfinished=unfinished,
        unanswered=unanswered,
        origins={},
    )


def paired_with(first: OpenRun, second: OpenRun) -> OpenRun:
    """Return the second run as it stands beside the first.

    A `PairedRun` where they have no data set in common, and some episodes ask the same by path and
    instruction; else the second run itself.
    """
    too_many = max(len(first), len(second)) > MOST_PAIRED
    # runs of one data set have the same ids anyway
    if too_many or set(first.datasets.values()) & set(second.datasets.values()):
        return second
    pairing = pair_episodes(first.episodes, second.episodes)
    if not pairing.pairs:
        return second
    run = second.run
    traces = _PairedTraces(second.traces, dict(pairing.pairs))
    paired = Run(run.name, run.navigator, run.method, traces, run.problems, run.source)
    return PairedRun(
        second.source,
        paired,
        second.graph_of,
        second.problems,
        second.episode_set,
        second.read_files,
        base=second,
        pairing=pairing,
    )


def compare_runs(named: Mapping[str, OpenRun]) -> Comparison:
    """Compare runs on their common episodes; those of R2R and VLN-CE are paired with the first's.

    Raises
    ------
    InputError
        See `compare_scores`.
    """
    runs = list(named.values())
    partners = [paired_with(runs[0], other) for other in runs[1:]]
    scores = {}
    for name, run in zip(named, [*runs[:1], *partners], strict=True):
        scores[name] = run.scores
    comparison = compare_scores(scores)
    return replace(comparison, notes=tuple(pairing_sentences(runs[0], partners)))


def pairing_sentences(first: OpenRun, others: Iterable[OpenRun]) -> list[str]:
    """Say of each paired run how many episodes have a partner, and how many have none."""
    sentences = []
    for other in others:
        if isinstance(other, PairedRun):
            sentences.append(f"{first.name} beside {other.name}: {other.pairing.sentence}")
    return sentences
