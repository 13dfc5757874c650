"""Causes of a run's failures, found once for all sessions in a thread of their own.

What was found stays in the cache on disk (`navviz.analysis.causes.kept`).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

import streamlit as st

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.kept import explained_run
from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity

_KEPT = 12
"""Runs whose causes stay in memory; each takes a few megabytes."""


class _StoppedError(NavVizError):
    """Somebody stopped the search."""


class Finding:
    """The causes of one run, while they are being found and afterwards.

    Parameters
    ----------
    run
        Complete: its walks are measured.
    """

    def __init__(self, run: OpenRun) -> None:
        self.total = len(run.traces)
        self.done = 0
        self.explained: Mapping[str, EpisodeCauses] | None = None
        self.fault: str | None = None
        self.ended = threading.Event()
        self._stop = threading.Event()
        name = f"navviz-causes-{run.name}"
        threading.Thread(target=self._work, args=(run,), name=name, daemon=True).start()

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped it."""
        return self._stop.is_set() and self.explained is None

    def stop(self) -> None:
        """End it after the episode that it is at."""
        self._stop.set()

    def _work(self, run: OpenRun) -> None:
        try:
            self.explained = explained_run(run, self._after)
        except _StoppedError:
            pass
        except NavVizError as error:
            self.fault = str(error)
        except Exception as error:  # a thread has nobody else to tell
            self.fault = f"Causes of {run.name} cannot be found ({type(error).__name__}: {error})."
            raise
        finally:
            # last: whoever waits for it finds what came of it
            self.ended.set()

    def _after(self, done: int) -> None:
        self.done = done
        if self._stop.is_set():
            raise _StoppedError("Finding causes was stopped.")


class Findings:
    """What is being found and was found, by what tells one version of a run from others."""

    def __init__(self) -> None:
        self._by_run: dict[Identity, Finding] = {}
        self._lock = threading.Lock()

    def begin(self, run: OpenRun) -> Finding:
        """Return the finding of a run; it begins now, unless it has begun before."""
        key = run.source.identity
        with self._lock:
            if key not in self._by_run:
                # only what has ended is forgotten: a search that goes on would begin a second time
                ended = [each for each, one in self._by_run.items() if one.ended.is_set()]
                for old in ended[: max(0, len(ended) - _KEPT + 1)]:
                    del self._by_run[old]
                self._by_run[key] = Finding(run)
            return self._by_run[key]

    def get(self, run: OpenRun) -> Finding | None:
        """Return the finding of a run, if it has begun."""
        return self._by_run.get(run.source.identity)

    def forget(self, run: OpenRun) -> None:
        """Let a run's causes be found again."""
        with self._lock:
            self._by_run.pop(run.source.identity, None)


@st.cache_resource(show_spinner=False)
def findings() -> Findings:
    """Return what all sessions share."""
    return Findings()


def found(run: OpenRun) -> Mapping[str, EpisodeCauses] | None:
    """Return the causes of every episode of a run by id; ``None`` until they are found."""
    finding = findings().get(run)
    return None if finding is None else finding.explained
