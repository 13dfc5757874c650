"""The plan of a batch and its state: two small files, and a line for each episode."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.errors import StoreError
from navviz.records import EndStatus
from navviz.runner.config import RunSetup
from navviz.runner.episode import FINISHED
from navviz.runner.walk import Outcome
from navviz.support.guarded import write_whole

StateName = Literal[
    "waiting", "running", "estimated", "paused", "stopped", "budget", "failed", "done"
]

TallyKind = Literal["first", "sample", "again"]


class _BatchRecord(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class BatchPlan(RunSetup):
    """What is to be walked, by whom, and within which limits."""

    samples: int = 1
    """Walks an episode."""
    rerun_failures: int = 0
    workers: int = 1
    budget_usd: float | None = None
    budget_tokens: int | None = None
    borrow_tokens: int | None = None
    """Tokens that each session of a visitor's batch borrows of the visitor's share; ``None`` for
    all that are left.
    """
    engine: str | None = None
    batch_api: bool = False
    """Whether calls go as jobs of the provider's batch mode."""
    out: str = ""
    """Folder or address of runs, where traces go."""
    chosen: str = ""
    """Which episodes these are, in words: ``26 failures of harbour/rules``."""
    compare_with: str | None = None
    """Run that the episodes were chosen from."""
    baseline: str | None = None
    """Batch that walks the same episodes unedited, by the same walker, for a comparison."""
    created: str = ""


class RunTally(_BatchRecord):
    """What a run's walks came to: first tries, one more sample, or a round over the failures."""

    run: str
    kind: TallyKind = "first"
    total: int = 0
    done: int = 0
    judged: int = 0
    """Episodes with a success rate: those that have a goal, and did not end in an error."""
    successes: int = 0
    errors: int = 0
    unanswered: int = 0
    blind: int = 0
    cost_usd: float = 0.0
    tokens: int = 0
    calls: int = 0
    unpriced: int = 0

    def plus(self, outcome: Outcome) -> RunTally:
        """Return the tally with one more outcome."""
        success = (outcome.scores or {}).get("SR")
        return self.model_copy(
            update={
                "done": self.done + 1,
                "judged": self.judged + (success is not None),
                "successes": self.successes + int(success or 0),
                "errors": self.errors + (outcome.status == EndStatus.ERROR),
                "unanswered": self.unanswered + outcome.unanswered,
                "blind": self.blind + outcome.blind,
                "cost_usd": self.cost_usd + outcome.cost_usd,
                "tokens": self.tokens + outcome.tokens,
                "calls": self.calls + outcome.calls,
                "unpriced": self.unpriced + outcome.unpriced,
            }
        )

    def with_open(self, outcomes: Sequence[Outcome]) -> RunTally:
        """Return the tally with what was paid for walks that have not come to an end."""
        return self.model_copy(
            update={
                "cost_usd": self.cost_usd + sum(outcome.cost_usd for outcome in outcomes),
                "tokens": self.tokens + sum(outcome.tokens for outcome in outcomes),
                "calls": self.calls + sum(outcome.calls for outcome in outcomes),
                "unpriced": self.unpriced + sum(outcome.unpriced for outcome in outcomes),
            }
        )

    @property
    def success_rate(self) -> float | None:
        """Share of the judged episodes that succeeded."""
        return self.successes / self.judged if self.judged else None


class Estimate(_BatchRecord):
    """What the rest of a batch will cost, from a pilot; the limits hold in 95 of 100 cases."""

    pilot: int
    """Episodes that were walked; they are part of the batch."""
    rest: int
    """Walks that are left."""
    tokens: float
    tokens_low: float
    tokens_high: float
    usd: float | None = None
    """``None`` where the model has no known price."""
    usd_low: float | None = None
    usd_high: float | None = None
    seconds: float = 0.0
    """Time for the rest with the batch's workers."""

    @property
    def cost_words(self) -> str:
        """Money and tokens with their limits; one walk says nothing of the spread."""
        sure = self.pilot > 1
        money = ""
        if self.usd is not None:
            limits = f" (${self.usd_low:.2f} to ${self.usd_high:.2f})" if sure else ""
            money = f"${self.usd:.2f}{limits}, "
        limits = "one walk gives no limits"
        if sure:
            limits = f"{self.tokens_low:,.0f} to {self.tokens_high:,.0f}"
        return f"{money}{self.tokens:,.0f} tokens ({limits})"


class BatchState(_BatchRecord):
    """How far a batch is; its worker writes it as it goes."""

    schema_version: int = 1
    state: StateName = "waiting"
    tallies: tuple[RunTally, ...] = ()
    reason: str | None = None
    """Why it ended as it did, in one sentence."""
    estimate: Estimate | None = None
    begun_s: float = 0.0
    """When this session began, seconds since 1970."""
    updated_s: float = 0.0
    walked: int = 0
    """Episodes walked in this session, without those that were finished before."""
    left: int = 0
    """Walks that this session still has before it."""

    @property
    def seconds_left(self) -> float | None:
        """Time that the rest takes at this session's pace; ``None`` before an episode has ended."""
        if not self.walked:
            return None
        return max(0.0, self.left * (self.updated_s - self.begun_s) / self.walked)


def estimate(outcomes: Sequence[Outcome], rest: int, workers: int) -> Estimate:
    """Estimate what more walks cost from those of a pilot."""
    tokens = _predicted([float(outcome.tokens) for outcome in outcomes], rest)
    # one call without a price makes the sum too low, so that none is given
    priced = not any(outcome.unpriced for outcome in outcomes)
    usd = (
        _predicted([outcome.cost_usd for outcome in outcomes], rest)
        if priced
        else (None, None, None)
    )
    # skipped walks were finished before and took no time now
    times = [outcome.seconds for outcome in outcomes if not outcome.skipped]
    seconds = rest * sum(times) / len(times) / max(1, workers) if times else 0.0
    return Estimate(
        pilot=len(outcomes),
        rest=rest,
        tokens=tokens[0],
        tokens_low=tokens[1],
        tokens_high=tokens[2],
        usd=usd[0],
        usd_low=usd[1],
        usd_high=usd[2],
        seconds=seconds,
    )


def _predicted(values: Sequence[float], rest: int) -> tuple[float, float, float]:
    """Sum of `rest` more values like these, with the limits of a 95 % prediction interval."""
    from scipy import stats

    count = len(values)
    mean = sum(values) / count if count else 0.0
    if count < 2:
        return mean * rest, 0.0, mean * rest if count else 0.0
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    # two sources of chance: the scatter of the rest itself, and that of the pilot's mean
    half = float(stats.t.ppf(0.975, count - 1)) * math.sqrt(variance * (rest + rest**2 / count))
    return mean * rest, max(0.0, mean * rest - half), mean * rest + half


def write_record(path: Path, record: BaseModel) -> None:
    """Write one of the small files in one move; raises `StoreError` where that is not possible."""
    write_whole(path, record.model_dump_json(indent=1))


class _OutcomeLine(_BatchRecord):
    """One finished walk, as it stands in the list of outcomes."""

    episode: str
    status: EndStatus
    cost_usd: float = 0.0
    tokens: int = 0
    calls: int = 0
    unpriced: int = 0
    unanswered: bool = False
    blind: bool = False
    seconds: float = 0.0
    scores: dict[str, float | None] | None = None
    digest: str = ""
    """Of the episode as it was walked, see `navviz.runner.batch`."""


def note_outcome(path: Path, outcome: Outcome, digest: str = "") -> None:
    """Add a walk to the list of outcomes, with its episode's digest.

    Raises `StoreError` where it cannot be written.
    """
    line = _OutcomeLine(
        episode=outcome.episode,
        status=outcome.status,
        cost_usd=outcome.cost_usd,
        tokens=outcome.tokens,
        calls=outcome.calls,
        unpriced=outcome.unpriced,
        unanswered=outcome.unanswered,
        blind=outcome.blind,
        seconds=outcome.seconds,
        scores=None if outcome.scores is None else dict(outcome.scores),
        digest=digest,
    )
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(line.model_dump_json() + "\n")
    except OSError as error:
        raise StoreError(
            f"{path}: cannot be written ({error.strerror or error}); free some space."
        ) from error


def noted_outcomes(path: Path, episodes: Iterable[str]) -> dict[str, Outcome]:
    """Return the last outcome of each of these episodes; half lines are passed over."""
    wanted, outcomes = set(episodes), dict[str, Outcome]()
    for line in _outcome_lines(path):
        if line.episode in wanted:
            outcomes[line.episode] = Outcome(path=path, **line.model_dump(exclude={"digest"}))
    return outcomes


def noted_digests(path: Path) -> dict[str, str]:
    """Return the digests of the episodes that were walked, by id, as far as they were noted."""
    return {line.episode: line.digest for line in _outcome_lines(path) if line.digest}


def _outcome_lines(path: Path) -> Iterator[_OutcomeLine]:
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for text in file:
            try:
                yield _OutcomeLine.model_validate_json(text)
            except ValidationError:
                continue


_HALTED = frozenset({EndStatus.STOPPED, EndStatus.BUDGET})


class Tallies:
    """The tallies of one session of a batch."""

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
