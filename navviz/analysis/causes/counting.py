"""How often each cause was found in a run, in failures and successes side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from navviz.analysis.causes.engine import NO_CAUSE, EpisodeCauses
from navviz.analysis.causes.registry import get_detector
from navviz.metrics.intervals import Interval, interval_columns, interval_record, mean_interval
from navviz.records.cause import Cause, Grade
from navviz.records.plural import plural
from navviz.systems.causes import CauseDetector

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 5
"""Episodes of one reason that a sentence names; the rest is counted."""
NO_CAUSE_ID = "none-found"
"""Stands for no cause in a filter and in an address."""


@dataclass(frozen=True, slots=True)
class CauseCount:
    """One cause in a run."""

    id: str | None
    """``None`` counts the episodes without a cause."""
    name: str
    grade: Grade
    likely: int
    """Failures whose likely cause it is; 0 for a hint."""
    hinted: int
    """Failures without a likely cause whose first hint it is."""
    failed: Interval | None
    """Share of the failures that have it, with its interval; ``None`` without a failure."""
    succeeded: Interval | None


def about_errors(errors: Sequence[str]) -> str:
    """Say that episodes which a technical error ended are counted here, and part of no mean.

    Parameters
    ----------
    errors
        Their ids; see `navviz.metrics.score.RunScore`. Without any, nothing is said.
    """
    if not errors:
        return ""
    return (
        f"Here {plural(len(errors), 'episode')} of a technical error"
        f" {'counts' if len(errors) == 1 else 'count'}, too; means such as SR leave them out."
    )


def about_unanswered(explained: Mapping[str, EpisodeCauses]) -> str:
    """Say which episodes the service did not answer: they are counted apart, without a cause."""
    reasons: dict[str, list[str]] = {}
    for key, one in explained.items():
        if one.unanswered is not None:
            reasons.setdefault(one.unanswered, []).append(key)
    if not reasons:
        return ""
    parts = []
    for reason, keys in sorted(reasons.items(), key=lambda each: -len(each[1])):
        rest = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
        parts.append(f"{len(keys)} {reason}: {', '.join(keys[:_NAMED])}{rest}")
    count = sum(map(len, reasons.values()))
    return (
        f"The service did not answer in {plural(count, 'episode')} ({'; '.join(parts)}); that is no"
        " choice of the model, so they count neither as failures here nor as a cause."
    )


def about_successes(explained: Mapping[str, EpisodeCauses], counts: Iterable[CauseCount]) -> str:
    """Say how far causes of successes can be held against those of failures.

    Most detectors look only where a route was left. Without any success nothing is said.
    """
    succeeded = [one for one in explained.values() if one.success]
    failed = any(one.success is False for one in explained.values())
    if not succeeded or not failed:
        return ""
    left = sum(one.departure is not None for one in succeeded)
    text = (
        f"{left} of {plural(len(succeeded), 'successful walk')} left the route. Most kinds are"
        " looked for only where a walk left it, so that successes have fewer by construction."
    )
    alike = [f"“{count.name}”" for count in counts if _is_as_in_successes(count)]
    if not alike:
        return text
    return (
        f"{text} The share of successes that have it may be as high, so it explains little here:"
        f" {', '.join(alike)}."
    )


def _is_as_in_successes(count: CauseCount) -> bool:
    """Whether the share of failures lies within the interval of successes, or below it.

    One that no success has is left out: of a few successes the interval holds nearly every share.
    """
    if count.succeeded is None or not count.succeeded.mean or not _share(count):
        return False
    return _share(count) <= (count.succeeded.high or count.succeeded.mean)


def cause_counts(explained: Mapping[str, EpisodeCauses]) -> list[CauseCount]:
    """Count the causes of a run, the most frequent likely cause first, then the hints.

    Episodes of which nobody knows whether they succeeded are left out. A failure with neither a
    likely cause nor a hint counts under ``None``, last.
    """
    failed = [one for one in explained.values() if one.success is False]
    succeeded = [one for one in explained.values() if one.success]
    ids: dict[str, None] = {}
    for one in explained.values():
        for cause in one.causes:
            ids.setdefault(cause.id)
    counts = [_count(name, failed, succeeded) for name in ids]
    # before the row of those without a cause, which stays last
    counts.sort(key=_order)
    without = [one.leading is None for one in failed]
    if failed:
        share = mean_interval(without, yes_no=True)
        counts.append(CauseCount(None, NO_CAUSE, "cause", sum(without), 0, share, None))
    return counts


def _count(name: str, failed: list[EpisodeCauses], succeeded: list[EpisodeCauses]) -> CauseCount:
    detector = get_detector(name)
    likely = hinted = 0
    for one in failed:
        leading = one.leading
        if leading is None or leading.id != name:
            continue
        likely += leading is one.likely
        hinted += leading is not one.likely
    return CauseCount(
        name,
        detector.name,
        detector.grade,
        likely,
        hinted,
        _rate(name, failed),
        _rate(name, succeeded),
    )


def _order(count: CauseCount) -> tuple[int, int, float, str]:
    return (-count.likely, -count.hinted, -_share(count), count.id or "")


def _rate(name: str, episodes: Iterable[EpisodeCauses]) -> Interval | None:
    having = [name in one.ids for one in episodes]
    return mean_interval(having, yes_no=True) if having else None


def _share(count: CauseCount) -> float:
    return 0.0 if count.failed is None else count.failed.mean


def cause_name(kind: CauseDetector | Cause) -> str:
    """Return the name of a kind of cause for tables, which says so where it is a hint."""
    return f"{kind.name} (hint)" if kind.grade == "hint" else kind.name


def cause_labels(ids: Iterable[str | None]) -> dict[str, str]:
    """Return what people read for the ids of a list's causes."""
    labels = {}
    for cause in dict.fromkeys(ids):
        if cause is not None:
            labels[cause] = NO_CAUSE if cause == NO_CAUSE_ID else get_detector(cause).name
    return labels


def leading_ids(explained: Mapping[str, EpisodeCauses]) -> dict[str, str | None]:
    """Return the id of each failure's likely cause, else of its first hint.

    `NO_CAUSE_ID` stands for a failure with neither, ``None`` for what did not fail.
    """
    ids: dict[str, str | None] = {}
    for key, one in explained.items():
        ids[key] = None
        if one.success is False:
            leading = one.leading
            ids[key] = NO_CAUSE_ID if leading is None else leading.id
    return ids


def counts_frame(counts: Iterable[CauseCount]) -> pd.DataFrame:
    """Return one row a cause: how often it is the likely one or the first hint, and its share of
    failures and of successes, with n and 95 % interval.
    """
    import pandas as pd  # 0.4 s, which a command without a table need not wait for

    rows = []
    for count in counts:
        name = f"{count.name} (hint)" if count.grade == "hint" else count.name
        rows.append(
            (
                name,
                count.id or "",
                count.likely,
                count.hinted,
                share_text(count.failed),
                share_text(count.succeeded),
            )
        )
    columns = ["cause", "id", "likely", "first hint", "in failures", "in successes"]
    return pd.DataFrame(rows, columns=columns).set_index("cause")


COUNT_COLUMNS: Final = (
    "id",
    "cause",
    "grade",
    "likely",
    "first_hint",
    *interval_columns("in_failures"),
    *interval_columns("in_successes"),
)
"""The fields of `count_records`: shares as fractions, with n and 95 % interval."""


def count_records(counts: Iterable[CauseCount]) -> Iterator[dict[str, Any]]:
    """Yield one record a cause with the figures of `counts_frame` as numbers."""
    for count in counts:
        record: dict[str, Any] = {"id": count.id, "cause": count.name, "grade": count.grade}
        record |= {"likely": count.likely, "first_hint": count.hinted}
        record |= interval_record("in_failures", count.failed)
        yield record | interval_record("in_successes", count.succeeded)


def share_text(rate: Interval | None) -> str:
    """Write a share as ``7 of 26 (27 % [12, 48])``."""
    if rate is None:
        return "–"
    # an interval has the share alone; the number behind it is whole
    count = round(rate.mean * rate.episodes)
    text = f"{count} of {rate.episodes} ({100 * rate.mean:.0f} %"
    if rate.low is None or rate.high is None:
        return f"{text})"
    return f"{text} [{100 * rate.low:.0f}, {100 * rate.high:.0f}])"
