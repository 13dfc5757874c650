"""What a batch has come to, kept while it is walked: a tally a run, and the cost of walks that
have not ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from navviz.records import EndStatus
from navviz.runner.plan import BatchState, RunTally, StateName, TallyKind
from navviz.runner.resume import FINISHED
from navviz.runner.walk import Outcome

_HALTED = frozenset({EndStatus.STOPPED, EndStatus.BUDGET})


class Tallies:
    """The tallies of one session of a batch.

    Parameters
    ----------
    earlier
        What the last session told.
    """

    def __init__(self, earlier: BatchState) -> None:
        self.by_run: dict[str, RunTally] = {}
        self._earlier = {tally.run: tally for tally in earlier.tallies}
        self._open: dict[str, dict[str, Outcome]] = {}

    def add(self, run: str, kind: TallyKind, total: int) -> None:
        """Add a run that is to be walked."""
        self.by_run[run] = RunTally(run=run, kind=kind, total=total)

    def begin(self, run: str, noted: Mapping[str, Outcome]) -> None:
        """Begin with a run; what earlier sessions paid for its unfinished walks stays counted."""
        self._open[run] = {
            key: outcome for key, outcome in noted.items() if outcome.status not in FINISHED
        }

    def take(self, run: str, outcome: Outcome) -> None:
        """Count one more outcome."""
        # a walk that goes on brings its earlier calls along
        self._open[run].pop(outcome.episode, None)
        if outcome.status in _HALTED:
            self._open[run][outcome.episode] = outcome
        else:
            self.by_run[run] = self.by_run[run].plus(outcome)

    @property
    def left(self) -> int:
        """Walks that are still to be done."""
        return sum(tally.total - tally.done for tally in self.by_run.values())

    def current(self, state: StateName) -> Iterator[RunTally]:
        """Give the tallies with what unfinished walks have cost.

        While finished walks are still being counted, what the last session told stands.
        """
        before = dict(self._earlier)
        for run, tally in list(self.by_run.items()):
            earlier = before.pop(run, None)
            if state == "running" and earlier is not None and earlier.done > tally.done:
                yield earlier
            else:
                yield tally.with_open(list(self._open.get(run, {}).values()))
        if state == "running":
            yield from before.values()
