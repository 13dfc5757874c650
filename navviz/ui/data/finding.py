"""Work over all walks of a run in a thread of its own, once for all sessions: a page shows how far
it is, and what came of it. So causes are found, and which failures are alike by their words.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Generic, TypeVar

import pandas as pd
import streamlit as st

from navviz.analysis.alike import AlikeFailures, LikeTarget, alike_failures, failed_keys
from navviz.analysis.causes.counting import explained_run
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.slices import failed_episodes
from navviz.analysis.what_if.kept import RunWhatIfs, is_quick, kept_what_ifs, what_ifs
from navviz.analysis.what_if.tables import WhatIfCounts, act_steps, count_what_ifs
from navviz.errors import NavVizError
from navviz.runs.episode_list import EpisodeList
from navviz.runs.index.files import FileState
from navviz.runs.index.inputs import plugin_stamp
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity

_MOST = 12
"""Runs of which what was found stays in memory; each takes a few megabytes."""

_T = TypeVar("_T")

_Work = Callable[[OpenRun, Callable[[int], None]], _T]
"""Takes a run, and what it calls after each episode with the number of those that are done."""


class _StoppedError(NavVizError):
    """Somebody stopped the search."""


class RunSearch(Generic[_T]):
    """What is found in one run, while it is being found and afterwards."""

    def __init__(
        self, run: OpenRun, work: _Work[_T], what: str, total: int | None = None, unit: str = ""
    ) -> None:
        self.what, self.unit = what, unit
        self.total = len(run.traces) if total is None else total
        self.done = 0
        self.result: _T | None = None
        self.fault: str | None = None
        self.ended = threading.Event()
        self._stop = threading.Event()
        name = f"navviz-{what}-{run.name}"
        threading.Thread(target=self._work, args=(run, work), name=name, daemon=True).start()

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped it."""
        return self._stop.is_set() and self.result is None

    def stop(self) -> None:
        """End it after the episode that it is at."""
        self._stop.set()

    def _work(self, run: OpenRun, work: _Work[_T]) -> None:
        try:
            self.result = work(run, self._after)
        except _StoppedError:
            pass
        except NavVizError as error:
            self.fault = str(error)
        except Exception as error:  # a thread has nobody else to tell
            named = f"{type(error).__name__}: {error}"
            self.fault = f"{self.what.capitalize()} of {run.name} cannot be found ({named})."
            raise
        finally:
            # last: whoever waits for it finds what came of it
            self.ended.set()

    def _after(self, done: int) -> None:
        self.done = done
        if self._stop.is_set():
            raise _StoppedError(f"Finding {self.what} was stopped.")


class Findings(Generic[_T]):
    """What is being found and was found, by what tells one version of a run from others."""

    def __init__(
        self,
        work: _Work[_T],
        what: str,
        total: Callable[[OpenRun], int] | None = None,
        unit: str = "episodes",
    ) -> None:
        self.what, self.unit = what, unit
        self._make, self._total = work, total
        self._by_run: dict[Identity, RunSearch[_T]] = {}
        self._lock = threading.Lock()

    def begin(self, run: OpenRun) -> RunSearch[_T]:
        """Return the finding of a run; it begins now, unless it has begun before."""
        key = run.source.identity
        with self._lock:
            if key not in self._by_run:
                # only what has ended is forgotten: a search that goes on would begin a second time
                ended = [each for each, one in self._by_run.items() if one.ended.is_set()]
                for old in ended[: max(0, len(ended) - _MOST + 1)]:
                    del self._by_run[old]
                total = None if self._total is None else self._total(run)
                self._by_run[key] = RunSearch(run, self._make, self.what, total, self.unit)
            return self._by_run[key]

    def get(self, run: OpenRun) -> RunSearch[_T] | None:
        """Return the finding of a run, if it has begun."""
        return self._by_run.get(run.source.identity)

    def forget(self, run: OpenRun) -> None:
        """Let it be found again."""
        with self._lock:
            self._by_run.pop(run.source.identity, None)


_EXPLAINED: dict[object, tuple[Mapping[str, FileState], Mapping[str, EpisodeCauses]]] = {}
"""The last causes of each run that may grow, with the files that they are of."""


def _explained(run: OpenRun, after: Callable[[int], None]) -> Mapping[str, EpisodeCauses]:
    """Find the causes of a run; of one that grows, only those of what is new."""
    columns = [run.view.by_episode(name) for name in FileState._fields]
    files = {key: FileState(*(column[key] for column in columns)) for key in columns[0]}
    # a log of another project is one file, which is read whole
    files = {key: file for key, file in files.items() if file.mtime_ns is not None}
    results, (name, method, stamps) = str(run.source.results), run.source.identity
    maps = tuple(each for each in stamps if each[0] != results)
    place = (name, method, results, maps, plugin_stamp())
    before, known = _EXPLAINED.get(place, ({}, {}))
    same = {key: known[key] for key, file in files.items() if before.get(key) == file}
    explained = explained_run(run, after, same)
    if files:
        if len(_EXPLAINED) >= _MOST:
            _EXPLAINED.clear()
        _EXPLAINED[place] = (files, explained)
    return explained


@st.cache_resource(show_spinner=False)
def cause_findings() -> Findings[Mapping[str, EpisodeCauses]]:
    """Return the causes of failures that all sessions share; they are kept on disk, too."""
    return Findings(_explained, "causes")


def found_causes(run: OpenRun) -> Mapping[str, EpisodeCauses] | None:
    """Return the causes of every episode of a run by id; ``None`` until they are found."""
    finding = cause_findings().get(run)
    return None if finding is None else finding.result


def _what_ifs(run: OpenRun, after: Callable[[int], None]) -> RunWhatIfs:
    return what_ifs(run, every=is_quick(run), after=after)


def _walked_on(run: OpenRun) -> int:
    return len(run) if is_quick(run) else sum(failed_episodes(run.scores).values())


@st.cache_resource(show_spinner=False)
def what_ifs_of() -> Findings[RunWhatIfs]:
    """Return how walks end after other links, for all sessions; they are kept on disk, too."""
    return Findings(_what_ifs, "what-ifs", _walked_on)


def what_if_counts(run: OpenRun, worked_out: RunWhatIfs | None = None) -> WhatIfCounts:
    """Count what was worked out, or what is kept on disk."""
    episodes = kept_what_ifs(run) if worked_out is None else worked_out.episodes
    return count_what_ifs(episodes, act_steps(run, episodes))


CLUSTER, LIKE, LIKENESS = "words", "like", "likeness"
"""Columns of the list: a failure's cluster, what it is near to, and how near."""

_WAIT_S = 10.0
"""700 failures take less than a second; who comes to a larger run by a link waits no longer."""


@st.cache_resource(show_spinner=False)
def alikes() -> Findings[AlikeFailures]:
    """Return what all sessions share."""
    return Findings(alike_failures, "alike failures", lambda run: len(failed_keys(run)))


def found(run: OpenRun) -> AlikeFailures | None:
    """Return the failures of a run by their words; ``None`` until they are found."""
    finding = alikes().get(run)
    return None if finding is None else finding.result


def is_wanted(episodes: EpisodeList) -> bool:
    """Tell whether a list cannot be shown without them."""
    return bool(episodes.choice(CLUSTER) or episodes.choice(LIKE))


def nearest_list(target: LikeTarget) -> EpisodeList:
    """Return the list of what is nearest to a target: without other filters, the nearest first."""
    near = EpisodeList().with_choice(LIKE, (target.value,))
    return replace(near, sort=LIKENESS, descending=True)


def with_alike(run: OpenRun, table: pd.DataFrame, episodes: EpisodeList) -> pd.DataFrame:
    """Fill the columns that tell of likeness, as far as it is found."""
    if run.complete and is_wanted(episodes):
        # Explore has waited for it; other pages take Next and Previous from the same list
        alikes().begin(run).ended.wait(_WAIT_S)
    alike = found(run)
    if alike is None:
        return table
    keys = table["episode"]
    if alike.clusters:
        table = table.assign(**{CLUSTER: keys.map(alike.ids).astype(object)})
    # one alone: an episode could be near to two, and would have two likenesses
    for value in episodes.choice(LIKE)[:1]:
        near = alike.near(run, LikeTarget.of(value))
        is_near = keys.isin(list(near))
        likeness = keys.map(near).astype("float64")
        marks = is_near.map({True: value, False: None}).astype(object)
        table = table.assign(**{LIKE: marks, LIKENESS: likeness})
    return table


def labels(run: OpenRun, targets: Iterable[str | None]) -> dict[str, dict[str, str]]:
    """Return what people read for the values of these columns."""
    alike = found(run)
    return {
        CLUSTER: {} if alike is None else alike.labels,
        LIKE: {value: LikeTarget.of(value).name for value in {*targets} if value is not None},
    }
