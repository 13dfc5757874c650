"""Runs of a discrete and a continuous data set beside each other: R2R and VLN-CE.

The episodes of the second go by the ids of the first, so that pages, tables and the player find
both walks under one id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pyarrow as pa

from navviz.analysis.compare import Comparison, compare_scores
from navviz.formats import Run
from navviz.records import Episode
from navviz.records.lazy_traces import OnDemand
from navviz.runs.index.measuring import Measuring, Take
from navviz.runs.index.run_rows import RunRows
from navviz.runs.run import OpenRun, Pairing


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


class _PairedRows(Measuring):
    """The rows of some episodes of a run, under other ids."""

    def __init__(self, run: OpenRun, partners: Mapping[str, str]) -> None:
        self._run, self._partners = run, partners

    def first(self) -> RunRows:
        """Return what is known of them."""
        view = self._run.view
        places = [view.places[own] for own in self._partners.values()]
        rows = view.rows.take(pa.array(places, pa.int64()))
        at = rows.schema.get_field_index("episode")
        rows = rows.set_column(at, "episode", pa.array(self._partners, pa.string()))
        return replace(view, rows=rows)

    def finish(self, view: RunRows, take: Take) -> None:
        """Measure the run."""
        del view
        self._run.finish()
        take(self.first())


def paired_with(first: OpenRun, second: OpenRun) -> OpenRun:
    """Return the second run as it stands beside the first.

    It has `OpenRun.pairs` where they have no data set in common, and some episodes ask the same by
    path and instruction; else it is the second run itself.
    """
    too_many = max(len(first), len(second)) > MOST_PAIRED
    # runs of one data set have the same ids anyway
    if too_many or set(first.datasets.values()) & set(second.datasets.values()):
        return second
    pairing = pair_episodes(first.episodes, second.episodes)
    if not pairing.pairs:
        return second
    run = second.run
    partners = dict(pairing.pairs)
    traces = OnDemand(partners, lambda key: second.traces[partners[key]])
    paired = Run(run.name, run.navigator, run.method, traces, run.problems, run.source)
    return OpenRun(
        second.source,
        paired,
        second.graph_of,
        second.problems,
        second.episode_set,
        second.read_files,
        measuring=_PairedRows(second, partners),
        pairs=pairing,
    )


def compare_runs(named: Mapping[str, OpenRun]) -> Comparison:
    """Compare runs on their common episodes; those of R2R and VLN-CE are paired with the first's.

    Raises `InputError` see `compare_scores`.
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
        if other.pairs is not None:
            sentences.append(f"{first.name} beside {other.name}: {other.pairs.sentence}")
    return sentences
