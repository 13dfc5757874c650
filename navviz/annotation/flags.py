"""What the lead should look at: ratings faster than one can read, one answer to everything, gold
items missed.

A flag is a reason to look, not a verdict: it changes no rating and leaves none out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from navviz.annotation.gold import essence
from navviz.annotation.progress import AnnotatorProgress, QueueReport, queue_report
from navviz.annotation.records import Follow, Item, Task
from navviz.annotation.store import Study
from navviz.metrics.intervals import mean_interval

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
