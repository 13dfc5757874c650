"""How a study goes: how far each annotator got, how fast, what they skipped and said, who disagrees
with whom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from statistics import median
from typing import Final, Literal

from navviz.annotation.gold import Checked, checked, essence
from navviz.annotation.questions import Question, rating_table
from navviz.annotation.queues import progress_of
from navviz.annotation.records import (
    Edit,
    Follow,
    Item,
    Queue,
    QueueEvent,
    QueueItem,
    QueueProgress,
    Rating,
    Task,
)
from navviz.annotation.store import Study
from navviz.metrics.agreement import Weights, cohen_kappa_pairs
from navviz.metrics.intervals import StatisticInterval, mean_interval

BREAK_S = 15 * 60.0
"""A longer pause between two saves is a break: it is left out of the pace by the clock."""

LONG_FACTOR = 3.0
"""An item is a long one where it took so many times the annotator's median."""

FEW_ITEMS = 20
"""Fewer shared items than this make a statistic of agreement a first look and no more."""

_LEAST_LONG_S = 20.0


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """How far one annotator got in a queue, and how fast."""

    annotator: str
    entries: tuple[QueueItem, ...]
    ratings: tuple[Rating, ...]
    """Their ratings of these items that stand."""
    clock_s: float | None
    """From save to save, in s, breaks left out; ``None`` with fewer than two items saved here."""
    clock_items: int
    """Items that were first saved within that time."""
    checked: Checked
    """How often their first answers were the known ones."""

    @property
    def total(self) -> int:
        """Items of their part."""
        return len(self.entries)

    @property
    def rated(self) -> int:
        """Items that are rated."""
        return sum(entry.rated for entry in self.entries)

    @property
    def skipped(self) -> tuple[QueueItem, ...]:
        """Items that were skipped and are not rated."""
        return tuple(entry for entry in self.entries if entry.skipped and not entry.rated)

    @property
    def waiting(self) -> tuple[QueueItem, ...]:
        """Items that are neither rated nor skipped."""
        return tuple(entry for entry in self.entries if entry.is_open)

    @property
    def seconds(self) -> dict[Item, float]:
        """Time at work on each rated item whose time was measured, in s."""
        taken = {}
        for rating in self.ratings:
            if rating.seconds is not None and rating.seconds > 0:
                taken[rating.item] = rating.seconds
        return taken

    @property
    def median_s(self) -> float | None:
        """Median time at work on an item, in s."""
        return median(self.seconds.values()) if self.seconds else None

    @property
    def work_pace(self) -> float | None:
        """Items an hour of time at work; ``None`` where no time was measured."""
        return 3600 * len(self.seconds) / sum(self.seconds.values()) if self.seconds else None

    @property
    def clock_pace(self) -> float | None:
        """Items an hour by the clock, without breaks; ``None`` with fewer than two saved here."""
        return 3600 * self.clock_items / self.clock_s if self.clock_s else None

    @property
    def long_items(self) -> dict[Item, float]:
        """Items that took `LONG_FACTOR` times the median or more, the longest first, in s."""
        if self.median_s is None:
            return {}
        # quick raters have a median of a few seconds, of which three times is nothing remarkable
        least = max(LONG_FACTOR * self.median_s, _LEAST_LONG_S)
        long = {item: taken for item, taken in self.seconds.items() if taken >= least}
        return dict(sorted(long.items(), key=lambda pair: -pair[1]))


@dataclass(frozen=True, slots=True)
class QueueReport:
    """A queue and everybody who works in it."""

    queue: Queue
    annotators: tuple[AnnotatorProgress, ...]

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """All ratings of the queue that stand."""
        return tuple(chain.from_iterable(annotator.ratings for annotator in self.annotators))

    @property
    def compared(self) -> tuple[Rating, ...]:
        """Those whose agreement counts: of the queue's own items, without gold items."""
        own = set(self.queue.items)
        return tuple(rating for rating in self.ratings if rating.item in own)


@dataclass(frozen=True, slots=True)
class PairDisagreement:
    """How two annotators differ on the items that both rated."""

    first: str
    second: str
    shared: int
    different: tuple[Item, ...]
    kappa: StatisticInterval
    """Cohen's kappa, for numbers with quadratic weights; without value where it is not defined."""


def queue_report(study: Study, queue: Queue) -> QueueReport:
    """Read how a queue goes.

    Annotators who rated items of an open queue elsewhere (an import) count too, with all items of
    the queue as their part.
    """
    entries, ratings = _parts(study, queue)
    edits = study.history(task=queue.task)
    right = checked(entries, edits, study.known_answers.all(queue.task))
    reports = [
        _progress(name, part, ratings, edits, right[name]) for name, part in sorted(entries.items())
    ]
    return QueueReport(queue, tuple(reports))


def queue_counts(study: Study, queue: Queue) -> list[QueueProgress]:
    """Count how far everybody got in a queue, also who rated elsewhere; reads no history."""
    entries, _ = _parts(study, queue)
    return [progress_of(queue.name, name, part) for name, part in sorted(entries.items())]


def _parts(study: Study, queue: Queue) -> tuple[dict[str, list[QueueItem]], list[Rating]]:
    """Return everybody's items, and the ratings of them."""
    entries = study.queues.everyone(queue.name)
    items = set(queue.items)
    for part in entries.values():
        items.update(entry.item for entry in part)
    standing = study.ratings(queue.task, parts={"main", "gold"})
    ratings = [rating for rating in standing if rating.item in items]
    # a queue with parts counts those alone: others were never asked for its items
    if not queue.annotators:
        for name in dict.fromkeys(rating.annotator for rating in ratings):
            entries.setdefault(name, _as_rated(queue, name, ratings))
    return entries, ratings


def _as_rated(queue: Queue, name: str, ratings: Iterable[Rating]) -> list[QueueItem]:
    rated = {rating.item for rating in ratings if rating.annotator == name}
    return [
        QueueItem(position=i, item=item, rated=item in rated) for i, item in enumerate(queue.items)
    ]


def _progress(
    name: str, entries: list[QueueItem], ratings: list[Rating], edits: list[Edit], right: Checked
) -> AnnotatorProgress:
    items = {entry.item for entry in entries}
    mine = tuple(rating for rating in ratings if rating.annotator == name and rating.item in items)
    saves = []
    for edit in edits:
        own = edit.annotator == name == edit.who  # not an import by the lead
        if own and edit.action == "save" and edit.item in items:
            saves.append(edit)
    first: dict[Item, Edit] = {}
    for save in saves:
        # a second save of an item is a correction, and no further item
        first.setdefault(save.item, save)
    steps = [(later.at - earlier.at).total_seconds() for earlier, later in pairwise(first.values())]
    # steps between saves, so that the time before the first one is not known
    # a clock that was set back between two saves says nothing of the time between them: counted, it
    # would take that time from all other steps, and flag whoever worked then as too fast
    worked = [step for step in steps if 0 <= step <= BREAK_S]
    clock_s, count = (sum(worked), len(worked)) if worked and sum(worked) > 0 else (None, 0)
    return AnnotatorProgress(name, tuple(entries), mine, clock_s, count, right)


def disagreements(
    ratings: Iterable[Rating], question: Question, resamples: int = 0
) -> list[PairDisagreement]:
    """Who disagrees with whom on a question, the pair that differs most first.

    Without `resamples` kappas have no interval.
    """
    table = rating_table(ratings, question)
    weights: Weights = "quadratic" if question.level in {"ordinal", "interval"} else "none"
    kappas = cohen_kappa_pairs(table.raters, table.rows, weights=weights, resamples=resamples)
    places = combinations(range(len(table.raters)), 2)
    pairs = []
    for (i, k), agreement in zip(places, kappas, strict=True):
        rows = zip(table.items, table.rows[i], table.rows[k], strict=True)
        both = [(item, a, b) for item, a, b in rows if a is not None and b is not None]
        different = tuple(item for item, a, b in both if a != b)
        pairs.append(
            PairDisagreement(
                table.raters[i], table.raters[k], len(both), different, agreement.kappa
            )
        )
    return sorted(
        # pairs without a shared item come last
        pairs,
        key=lambda pair: -(len(pair.different) / pair.shared if pair.shared else -1),
    )


def is_done(entries: Mapping[str, Sequence[QueueItem]]) -> bool:
    """Whether somebody works in a queue and no item is left, by `Queues.everyone`."""
    parts = list(chain.from_iterable(entries.values()))
    return bool(parts) and not any(entry.is_open for entry in parts)


def is_news(events: Sequence[QueueEvent], who: str) -> bool:
    """Whether a researcher was not told yet that a queue is done, or was opened again."""
    # the latest of these events decides
    for event in reversed(events):
        if event.action == "see done" and event.who == who:
            return False
        if event.action in {"hand over", "open", "reopen"}:
            return True
    return True


FlagKind = Literal["speed", "constant", "gold"]

FASTEST_S: Final = 2.0
"""Nobody reads and judges an item in less, in s. The instructions of map2seq have 50 words; silent
reading takes 238 words a minute (Brysbaert 2019, doi 10.1016/j.jml.2019.104047), so 13 s.
"""

_LEAST_ITEMS: Final = 10
"""Of fewer items speed and constancy say little: a second window or two easy items explain them."""

_FAST_SHARE: Final = 0.2
"""Below this share of fast items, slips of a key and corrections explain them."""

CHANCE: Final = 0.01
"""A row of equal answers is flagged where chance alone would give it less often."""

_USUAL_SHARE: Final = 0.8
"""Share of the commonest answer that is assumed where nobody else rated: 21 equal answers then
come by chance in fewer than 1 of 100 studies.
"""

GOLD_LEAST: Final = 0.7
"""Least share of gold items answered as known: half would be chance for yes and no."""

_LEAST_GOLD: Final = 4


@dataclass(frozen=True, slots=True)
class Flag:
    """One reason to look at an annotator's ratings in a queue."""

    queue: str
    task: Task
    annotator: str
    kind: FlagKind
    n: int
    """Items that it is about."""
    sentence: str


def flags_of_study(study: Study) -> list[Flag]:
    """Return the flags of all queues."""
    flags: list[Flag] = []
    for queue in study.queues.all():
        flags += flags_of(queue_report(study, queue))
    return flags


def flags_of(report: QueueReport) -> list[Flag]:
    """Return the flags of a queue's annotators, by name; of one annotator at most one of a kind."""
    flags = []
    for person in report.annotators:
        reasons: dict[FlagKind, tuple[int, str] | None] = {
            "speed": _speed(person),
            "constant": _constant(person, report),
            "gold": _gold(person),
        }
        for kind, reason in reasons.items():
            if reason is not None:
                n, sentence = reason
                flags.append(
                    Flag(report.queue.name, report.queue.task, person.annotator, kind, n, sentence)
                )
    return flags


def _speed(person: AnnotatorProgress) -> tuple[int, str] | None:
    """Flag items rated faster than one can read them; by the clock where no time was measured."""
    taken = list(person.seconds.values())
    fast = sum(seconds < FASTEST_S for seconds in taken)
    if len(taken) >= _LEAST_ITEMS and fast > _FAST_SHARE * len(taken):
        pace = f" ({person.work_pace:,.0f} items an hour)" if person.work_pace else ""
        return len(taken), (
            f"{person.annotator} rated {fast} of {len(taken)} items in less than {FASTEST_S:.0f} s"
            f" each{pace}; reading the text alone takes longer."
        )
    clock_s = person.clock_s
    if taken or clock_s is None or person.clock_items < _LEAST_ITEMS:
        return None
    mean_s = clock_s / person.clock_items
    if mean_s >= FASTEST_S:
        return None
    return person.clock_items, (
        f"{person.annotator} saved {person.clock_items} items {mean_s:.1f} s after each other"
        f" ({3600 / mean_s:,.0f} an hour); reading the text alone takes longer."
    )


def _answers(person: AnnotatorProgress) -> dict[Item, Hashable]:
    """Return what an annotator answered, without confidence and comments."""
    answers: dict[Item, Hashable] = {}
    for rating in person.ratings:
        if rating.value is not None and not isinstance(rating.value, Follow):
            answers[rating.item] = essence(rating.value)
    return answers


def _constant(person: AnnotatorProgress, report: QueueReport) -> tuple[int, str] | None:
    """Flag one answer to all items, where chance would seldom give it."""
    own = _answers(person)
    if len(own) < _LEAST_ITEMS or len(set(own.values())) > 1:
        return None
    [answer] = set(own.values())
    others: Counter[Hashable] = Counter()
    for other in report.annotators:
        if other.annotator != person.annotator:
            others.update(_answers(other).values())
    share = _USUAL_SHARE
    if others:
        # Laplace's rule: an answer that nobody else gave is rare, not impossible
        share = (others[answer] + 1) / (others.total() + 2)
    if share ** len(own) >= CHANCE:
        return None
    rest = f"; others give it to {others[answer]} of {others.total()}" if others else ""
    return len(own), (
        f"{person.annotator} gave the same answer to all {len(own)} items{rest}. Chance alone"
        f" does that in fewer than {100 * CHANCE:.0f} of 100 studies."
    )


def _gold(person: AnnotatorProgress) -> tuple[int, str] | None:
    """Flag an annotator who misses gold items."""
    right, n = person.checked.gold_right, person.checked.gold
    if n < _LEAST_GOLD or right >= GOLD_LEAST * n:
        return None
    share = mean_interval([True] * right + [False] * (n - right), yes_no=True)
    low, high = share.low or 0.0, share.high or 0.0
    return n, (
        f"{person.annotator} has {right} of {n} gold items right ({100 * share.mean:.0f} %, 95 %"
        f" interval {100 * low:.0f} to {100 * high:.0f}), below {100 * GOLD_LEAST:.0f} %."
    )


def flagged(flags: Iterable[Flag]) -> dict[tuple[str, Task], str]:
    """Return the kinds of flags of each annotator and task, as tables write them."""
    kinds: dict[tuple[str, Task], dict[str, None]] = {}
    for flag in flags:
        kinds.setdefault((flag.annotator, flag.task), {})[flag.kind] = None
    return {key: " ".join(names) for key, names in kinds.items()}
