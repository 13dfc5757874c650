"""How often each cause was found in a run, in failures and successes side by side."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from navviz.analysis.causes.engine import NO_CAUSE, EpisodeCauses, explain_episode
from navviz.analysis.causes.grades import grade_of
from navviz.analysis.causes.registry import cause_ids, detectors, get_detector
from navviz.analysis.family import mcnemar
from navviz.analysis.slices import Slice, failed_episodes, find_slices, run_features
from navviz.errors import InputError
from navviz.metrics.intervals import (
    Interval,
    holm,
    interval_columns,
    interval_record,
    mean_interval,
)
from navviz.metrics.score import counted_only, score_trace
from navviz.records.base import plural
from navviz.records.finding import Explanation, Grade
from navviz.runs.content_cache import content_place, keep_if_possible
from navviz.runs.index.inputs import plugin_stamp
from navviz.runs.run import OpenRun
from navviz.runs.tables import outcome
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


def about_errors(errors: Sequence[str]) -> str:
    """Say that episodes which a technical error ended are counted here, and part of no mean."""
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


def cause_counts(explained: Mapping[str, EpisodeCauses]) -> list[CauseCount]:
    """Count the causes of a run, the most frequent likely cause first, then the hints.

    Episodes of which nobody knows whether they succeeded are left out. A failure with neither a
    likely cause nor a hint counts under ``None``, last.
    """
    failed = [one for one in explained.values() if one.success is False]
    ids: dict[str, None] = {}
    for one in explained.values():
        for cause in one.causes:
            ids.setdefault(cause.id)
    counts = [_count(name, failed) for name in ids]
    # before the row of those without a cause, which stays last
    counts.sort(key=_order)
    without = [one.leading is None for one in failed]
    if failed:
        share = mean_interval(without, yes_no=True)
        counts.append(CauseCount(None, NO_CAUSE, "likely", sum(without), 0, share))
    return counts


def _count(name: str, failed: list[EpisodeCauses]) -> CauseCount:
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
        grade_of(name),
        likely,
        hinted,
        _rate(name, failed),
    )


def _order(count: CauseCount) -> tuple[int, int, float, str]:
    return (-count.likely, -count.hinted, -_share(count), count.id or "")


def _rate(name: str, episodes: Iterable[EpisodeCauses]) -> Interval | None:
    having = [name in one.ids for one in episodes]
    return mean_interval(having, yes_no=True) if having else None


def _share(count: CauseCount) -> float:
    return 0.0 if count.failed is None else count.failed.mean


def cause_name(kind: CauseDetector | Explanation) -> str:
    """Return the name of a kind of cause for tables, which says so where it is a hint."""
    return f"{kind.name} (hint)" if grade_of(kind.id) == "hint" else kind.name


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
    failures, with n and 95 % interval.
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
            )
        )
    columns = ["cause", "id", "likely", "first hint", "in failures"]
    return pd.DataFrame(rows, columns=columns).set_index("cause")


COUNT_COLUMNS: Final = (
    "id",
    "cause",
    "grade",
    "likely",
    "first_hint",
    *interval_columns("in_failures"),
)

"""The fields of `count_records`: shares as fractions, with n and 95 % interval."""


def count_records(counts: Iterable[CauseCount]) -> Iterator[dict[str, Any]]:
    """Yield one record a cause with the figures of `counts_frame` as numbers."""
    for count in counts:
        record: dict[str, Any] = {"id": count.id, "cause": count.name, "grade": count.grade}
        record |= {"likely": count.likely, "first_hint": count.hinted}
        yield record | interval_record("in_failures", count.failed)


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


_ENDED = {"success": True, "failure": False}

COLUMNS = (
    "episode", "success", "act", "act_sentence", "cause", "name", "sentence", "step",
    "departure_step", "grade", "quotes", "likely",
)  # fmt: skip


def explain_run(
    run: OpenRun,
    after: Callable[[int], None] | None = None,
    known: Mapping[str, EpisodeCauses] | None = None,
) -> dict[str, EpisodeCauses]:
    """Find the causes of every episode of a run, by id, in file order; `known` are not found again.

    Of a run that grows these are the causes of walks that are as they were.
    """
    using, known = detectors(), known or {}
    explained: dict[str, EpisodeCauses] = {}
    for key in run.traces:
        if key in known:
            explained[key] = known[key]
        else:
            one = explain_episode(run.traces[key], run.graph(key), using=using)
            explained[key] = _as_listed(one, run.scores.rows.get(key, {}))
        if after is not None:
            after(len(explained))
    return explained


def explain_one(run: OpenRun, key: str) -> EpisodeCauses:
    """Find the causes of one episode of a run, as `explain_run` finds them."""
    trace = run.trace(key)
    one = explain_episode(trace, run.graph(key))
    # its own scores: those of a large run would have to be worked out for all walks
    scores = score_trace(trace, run.graph_of(trace.episode.world))
    return _as_listed(one, counted_only(trace, scores))


def _as_listed(one: EpisodeCauses, scores: Mapping[str, float | None]) -> EpisodeCauses:
    # as the list counts it: of free walks success is what the evaluator recorded
    if one.unanswered is not None:
        return one
    ended = _ENDED.get(outcome(dict(scores)))
    return one if one.success == ended else replace(one, success=ended)


def causes_table(explained: Mapping[str, EpisodeCauses]) -> pd.DataFrame:
    """Return one row a cause; an episode that went wrong without one has a row of its act alone,
    and so has a failure of which nobody knows where it went wrong.

    Columns are `COLUMNS`: ``act`` says how the decisive act was missed, ``quotes`` counts the
    places that prove a cause.
    """
    import pandas as pd  # 0.4 s, which commands that print no table need not wait for

    rows = []
    for key, one in explained.items():
        rows += [_row(key, one, number) for number in range(len(one.causes))]
        # a free walk without poses failed all the same, and the counts name it
        if one.leading is None and (one.departure is not None or one.success is False):
            none = (None, NO_CAUSE, "", None, one.departure, None, 0, False)
            rows.append((key, one.success, *_act_of(one), *none))
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame.astype({"step": "Int64", "departure_step": "Int64", "success": "boolean"})


def _row(key: str, one: EpisodeCauses, number: int) -> tuple[object, ...]:
    cause = one.causes[number]
    # by its place: what was kept on disk comes back with a likely cause that is an equal copy
    likely = None if one.likely is None else one.causes.index(one.likely)
    return (
        key,
        one.success,
        *_act_of(one),
        cause.id,
        cause.name,
        cause.sentence,
        cause.step,
        one.departure,
        cause.grade,
        len(cause.quotes),
        number == likely,
    )


def _act_of(one: EpisodeCauses) -> tuple[str | None, str | None]:
    return (None, None) if one.act is None else (one.act.slug, one.act.sentence)


CONFOUNDED: Final = (
    "Explanations are looked for in failures alone, so failures have more of them. These slices"
    " say how often an explanation comes with a failure, not that it makes agents fail."
)


def cause_features(explained: Mapping[str, EpisodeCauses]) -> dict[str, frozenset[str]]:
    """Return the decisive act and the causes of each episode as features, by its id."""
    features = {}
    for key, one in explained.items():
        own = {f"cause: {name}" for name in one.ids}
        features[key] = frozenset(own.union(() if one.act is None else one.act.features))
    return features


def slices_with_causes(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> list[Slice]:
    """Find on what a run fails more often, causes among the features; see `CONFOUNDED`."""
    features = run_features(run.traces, run.graph_of)
    causes = cause_features(explained)
    joined = {key: own | causes.get(key, frozenset()) for key, own in features.items()}
    return find_slices(joined, failed_episodes(run.scores))


_ADAPTER: Final = TypeAdapter(dict[str, EpisodeCauses])

_LAYOUT: Final = "15"

"""Counted up when a detector finds otherwise than before."""


def explained_run(
    run: OpenRun,
    after: Callable[[int], None] | None = None,
    known: Mapping[str, EpisodeCauses] | None = None,
) -> Mapping[str, EpisodeCauses]:
    """Return the causes of every episode of a run, by id, out of the cache where it has them."""
    # with other detectors other causes are found: those of other packages change unannounced
    detectors = [*cause_ids(), plugin_stamp()]
    path = content_place(run, "causes", ".json", _LAYOUT, detectors)
    if path is not None and path.is_file():
        # a file that was cut off is made anew
        with contextlib.suppress(OSError, ValidationError):
            return _ADAPTER.validate_json(path.read_bytes())
    explained = explain_run(run, after, known)
    keep_if_possible(path, lambda file: file.write(_ADAPTER.dump_json(explained)))
    return explained


@dataclass(frozen=True, slots=True)
class CauseChange:
    """One likely cause, or first hint, in two runs of the same episodes."""

    id: str
    name: str
    vanished: tuple[str, ...]
    """Episodes that failed for it in the first run, and not in the second."""
    came: tuple[str, ...]
    """Episodes that failed for it in the second run, and not in the first."""
    stayed: tuple[str, ...]
    """Episodes that failed for it in both."""
    p: float
    """McNemar's exact test of vanished against came, two-sided."""
    p_holm: float
    """Adjusted over all causes of the table (Holm 1979)."""


@dataclass(frozen=True, slots=True)
class CauseChanges:
    """The likely causes of two runs, over the episodes that both walked."""

    episodes: tuple[str, ...]
    changes: tuple[CauseChange, ...]
    """The greatest change first."""


def cause_changes(
    before: Mapping[str, EpisodeCauses],
    after: Mapping[str, EpisodeCauses],
    ids_of: Callable[[Mapping[str, EpisodeCauses]], Mapping[str, str | None]] = leading_ids,
    name_of: Callable[[str], str] | None = None,
) -> CauseChanges:
    """Count for each likely cause and first hint in how many episodes it vanished, came and stayed.

    Episodes count that both runs walked and whose success is known in both. A failure with neither
    counts as one of its own, ``none-found``. `ids_of` and `name_of` count something else of the
    failures. Raises `InputError` when the runs share no such episode.
    """
    episodes = tuple(
        key
        for key in before
        if key in after and (before[key].success is not None and after[key].success is not None)
    )
    if not episodes:
        raise InputError(
            "the runs share no episode whose success is known in both",
            "choose runs over the same episodes",
        )
    ids_before, ids_after = ids_of(before), ids_of(after)
    names: dict[str, None] = {}
    for key in episodes:
        for name in (ids_before[key], ids_after[key]):
            if name is not None:
                names.setdefault(name)
    raw = [(name, *_tested(name, episodes, ids_before, ids_after)) for name in names]
    adjusted = holm([row[-1] for row in raw])
    changes = []
    for (name, vanished, came, stayed, p), p_holm in zip(raw, adjusted, strict=True):
        words = (name_of or _name)(name)
        changes.append(CauseChange(name, words, vanished, came, stayed, p, p_holm))
    changes.sort(key=lambda change: (-len(change.vanished) - len(change.came), change.id))
    return CauseChanges(episodes, tuple(changes))


def _name(name: str) -> str:
    if name == NO_CAUSE_ID:
        return NO_CAUSE.capitalize()
    return cause_name(get_detector(name))


def _tested(
    name: str,
    episodes: tuple[str, ...],
    before: Mapping[str, str | None],
    after: Mapping[str, str | None],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], float]:
    """Return the episodes that lost, got and kept a cause, and the p of the change."""
    had = [before[key] == name for key in episodes]
    has = [after[key] == name for key in episodes]
    groups: dict[tuple[bool, bool], list[str]] = {}
    for key, *pair in zip(episodes, had, has, strict=True):
        groups.setdefault((pair[0], pair[1]), []).append(key)
    vanished, came = groups.get((True, False), []), groups.get((False, True), [])
    stayed = groups.get((True, True), [])
    return tuple(vanished), tuple(came), tuple(stayed), mcnemar(had, has)
