"""Metrics of tasks with several sub-tasks in order (LH-VLN): ISR, CSR, CGT, TAR, contest.

A task has N sub-tasks. Sub-task i has ``s_i`` success, ``g_i`` steps of the ground truth, ``p_i``
steps walked, ``e_i`` distance to the target in metres when the sub-task ended, ``d_i`` distance in
metres from where it began. A sub-task that was never begun has no ``e``, ``p`` and ``d``; its ``s``
is 0. What is missing stays missing.

References
----------
.. [1] Song et al., "Towards Long-Horizon Vision-Language Navigation: Platform, Benchmark and
   Method", CVPR 2025,
   section 4.2 and the released ``utils/metrics.py``; where the two differ (ISR), both are given.
.. [2] LH-VLN contest page: TAR and the weights of the contest score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from navviz.metrics.registry import Metric

_S = "Song et al. 2025 (LH-VLN), section 4.2"
_C = "LH-VLN contest 2025"

METRICS: tuple[Metric, ...] = (
    Metric(
        "ISR",
        "independent success rate",
        "fraction",
        "higher",
        "sub-tasks done / all sub-tasks, pooled",
        _S,
        per_cent="in tables",
        help="Independent success rate: share of the parts that were done",
        shown={"task": 6, "head task": 3},
    ),
    Metric(
        "ISR_paper",
        "ISR by the paper's formula",
        "fraction",
        "higher",
        "mean over tasks of the share done",
        _S,
        per_cent="in tables",
        shown={"site": 7},
    ),
    Metric(
        "CSR",
        "conditional success rate",
        "fraction",
        "higher",
        "[s_0 N + sum s_i (1 + (N-1) s_(i-1))] / N^2; N = 1: s_0",
        _S,
        per_cent="in tables",
        help="Conditional success rate: a part counts more right after one that was done",
        shown={"task": 7, "head task": 4, "site": 8},
    ),
    Metric(
        "CGT",
        "CSR weighted by ground truth",
        "fraction",
        "higher",
        "[w_0 s_0 N + sum w_i s_i (1 + (N-1) s_(i-1))] / N, w_i = g_i / G",
        _S,
        per_cent="in tables",
        help="CSR weighted by the ground truth's length of each part",
        shown={"task": 8, "head task": 5},
    ),
    Metric(
        "TAR",
        "target approach rate",
        "fraction",
        "higher",
        "mean of 1 - max(e-1, 0) / max(e, d)",
        _C,
        help="Target approach rate: how near the stops came, 1 at the target",
        shown={"task": 9, "head task": 6},
    ),
    Metric(
        "contest",
        "contest score",
        "fraction",
        "higher",
        "0.4 TAR + 0.2 ISR + 0.2 CSR + 0.2 CGT",
        _C,
    ),
    Metric(
        "stops",
        "sub-tasks ended",
        "count",
        None,
        "sub-tasks that NE and TAR count: a low NE may mean few",
        _S,
    ),
)

CONTEST_WEIGHTS = {"TAR": 0.4, "ISR": 0.2, "CSR": 0.2, "CGT": 0.2}

_FREE_M = 1.0
"""TAR forgives an error of this many metres."""

POOLED = ("ISR", "TAR", "contest", "stops")
"""Counted over the sub-tasks of all tasks. The mean of the tasks' own figures would be another
figure, so it never stands under these names; that of ISR is ``ISR_paper``.
"""

_MEANS = ("SR", "OSR", "SPL", "ISR_paper", "CSR", "CGT")

Scores = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class SubtaskOutcome:
    """How one sub-task went; ``None`` is missing."""

    success: bool | None
    reference: float | None = None
    """``g``: steps (or metres) of the ground truth."""
    walked: float | None = None
    """``p``: steps (or metres) walked."""
    error_m: float | None = None
    """``e``; infinite where the target cannot be reached."""
    begin_m: float | None = None
    """``d``."""
    oracle: bool | None = None
    """Whether the agent came within the radius while the sub-task was on."""
    ended: bool = True
    """Whether it ended, by a stop or by the step limit; false where it was never begun."""


def isr(tasks: Iterable[Sequence[bool]]) -> float | None:
    """Sub-tasks done over all sub-tasks of all tasks; ``None`` without any."""
    pooled = list(chain.from_iterable(tasks))
    return sum(pooled) / len(pooled) if pooled else None


def csr_terms(successes: Sequence[bool]) -> tuple[float, ...]:
    """Terms of the CSR of one task; their sum is the task's CSR (Song et al. 2025, eq. 2)."""
    count = len(successes)
    if count < 2:
        return tuple(float(done) for done in successes)
    return tuple(_chained(successes, i) / count**2 for i in range(count))


def csr(successes: Sequence[bool]) -> float:
    """Conditional success rate of a task: a success right after another counts N times."""
    return math.fsum(csr_terms(successes))


def cgt_terms(
    successes: Sequence[bool], reference: Sequence[float | None]
) -> tuple[float, ...] | None:
    """Terms of a task's CGT, the CSR's weighted by ``g_i / G``; ``None`` without g or G."""
    lengths = [length for length in reference if length is not None]
    total = math.fsum(lengths)
    if len(lengths) != len(successes) or total <= 0:
        return None
    count = len(successes)
    if count == 1:
        return (float(successes[0]),)
    return tuple(lengths[i] / total * _chained(successes, i) / count for i in range(count))


def cgt(successes: Sequence[bool], reference: Sequence[float | None]) -> float | None:
    """CSR weighted by the length of the ground truth, of one task (Song et al. 2025, eq. 3)."""
    terms = cgt_terms(successes, reference)
    return None if terms is None else math.fsum(terms)


def _chained(successes: Sequence[bool], i: int) -> float:
    """``s_0 N`` for the first sub-task, ``s_i (1 + (N - 1) s_(i-1))`` for the others."""
    count = len(successes)
    # the first has none before it, and counts as if one before had succeeded
    weight = count if i == 0 else 1 + (count - 1) * successes[i - 1]
    return float(successes[i] * weight)


def tar_term(error_m: float | None, begin_m: float | None) -> float | None:
    """``1 - max(e - 1, 0) / max(e, d)``; 1 for e = d = 0, 0 for d = 0 < e or out of reach."""
    if error_m is None or begin_m is None:
        return None
    if error_m == 0 and begin_m == 0:
        return 1.0
    if begin_m == 0 or not math.isfinite(error_m) or not math.isfinite(begin_m):
        return 0.0
    return 1 - max(error_m - _FREE_M, 0.0) / max(error_m, begin_m)


def tar(outcomes: Iterable[SubtaskOutcome]) -> float | None:
    """Target approach rate over all sub-tasks that ended; ``None`` without any that has e and d."""
    return _mean([tar_term(each.error_m, each.begin_m) for each in outcomes if each.ended])


def contest_score(scores: Scores) -> float | None:
    """``0.4 TAR + 0.2 ISR + 0.2 CSR + 0.2 CGT``; ``None`` where one of them is missing."""
    parts = [(weight, scores.get(name)) for name, weight in CONTEST_WEIGHTS.items()]
    terms = [weight * value for weight, value in parts if value is not None]
    return math.fsum(terms) if len(terms) == len(parts) else None


def task_scores(outcomes: Sequence[SubtaskOutcome]) -> Scores:
    """All figures of one task.

    Returns ``SR`` (all sub-tasks done), ``OSR``, ``SPL``, ``NE`` (mean of e over the sub-tasks that
    ended), ``ISR``, ``ISR_paper``, ``CSR``, ``CGT``, ``TAR``, ``contest``, ``stops``; ``None``
    where something needed is missing.
    """
    scores: Scores = {
        "SR": _all_true([each.success for each in outcomes]),
        "OSR": _all_true([each.oracle for each in outcomes]),
    }
    scores["SPL"] = _spl(scores["SR"], outcomes)
    errors_m = [each.error_m for each in outcomes if each.ended and each.error_m is not None]
    scores["NE"] = _mean([error_m for error_m in errors_m if math.isfinite(error_m)])
    done = _known_successes(outcomes)
    scores["ISR"] = scores["ISR_paper"] = isr([done]) if done is not None else None
    scores["CSR"] = csr(done) if done is not None else None
    # the released code counts 0 for a task without sub-tasks, where the formula has no value
    scores["CGT"] = _cgt_counted(done, outcomes)
    scores["TAR"] = tar(outcomes)
    scores["contest"] = contest_score(scores)
    scores["stops"] = float(sum(each.ended and each.error_m is not None for each in outcomes))
    return scores


def group_scores(tasks: Sequence[Sequence[SubtaskOutcome]]) -> Scores:
    """All figures of a group of tasks, as the released code pools them.

    ISR is pooled over sub-tasks, TAR over all that ended; the others are means over tasks. A task
    without any ended sub-task counts NE 0, and one without sub-tasks CSR and CGT 0, as in the
    released code.
    """
    rows = [task_scores(task) for task in tasks]
    scores: Scores = {}
    for name in _MEANS:
        scores[name] = _mean([row[name] for row in rows])
    errors_m = []
    for task, row in zip(tasks, rows, strict=True):
        # a log that breaks off says of no sub-task how it ended
        is_known = _known_successes(task) is not None
        error_m = 0.0 if (not any(each.ended for each in task)) and is_known else row["NE"]
        errors_m.append(error_m)
    scores["NE"] = _mean(errors_m)
    successes = map(_known_successes, tasks)
    scores["ISR"] = isr(done for done in successes if done is not None)
    scores["TAR"] = tar(chain.from_iterable(tasks))
    scores["contest"] = contest_score(scores)
    scores["stops"] = float(sum(row["stops"] or 0.0 for row in rows)) if rows else None
    return scores


def by_group(
    tasks: Sequence[tuple[Sequence[SubtaskOutcome], str]], order: Callable[[str], object] = str
) -> dict[str, Scores]:
    """`group_scores` of each group; `tasks` are pairs of outcomes and the name of their group."""
    groups: dict[str, list[Sequence[SubtaskOutcome]]] = {}
    for outcomes, name in tasks:
        groups.setdefault(name, []).append(outcomes)
    names = sorted(groups, key=lambda name: str(order(name)))
    return {name: group_scores(groups[name]) for name in names}


def _known_successes(outcomes: Sequence[SubtaskOutcome]) -> list[bool] | None:
    successes = [each.success for each in outcomes if each.success is not None]
    return successes if len(successes) == len(outcomes) else None


def _all_true(values: Sequence[bool | None]) -> float | None:
    """1 where all are true, 0 where one is false; ``None`` where that is unknown."""
    if not values:
        return None
    # one failure decides, whatever the unknown ones are
    if any(value is False for value in values):
        return 0.0
    return None if any(value is None for value in values) else 1.0


def _spl(success: float | None, outcomes: Sequence[SubtaskOutcome]) -> float | None:
    """``SR * G / max(G, P)``, 0 where nothing was walked."""
    if success is None:
        return None
    lengths = [each.reference for each in outcomes if each.reference is not None]
    walked_of_all = all(each.walked is not None for each in outcomes if each.ended)
    if len(lengths) < len(outcomes) or not walked_of_all:
        return None
    # a sub-task that was never begun adds nothing to the walk
    total, walked = math.fsum(lengths), math.fsum(each.walked or 0.0 for each in outcomes)
    if walked <= 0:
        return 0.0
    return success * total / max(total, walked)


def _cgt_counted(done: list[bool] | None, outcomes: Sequence[SubtaskOutcome]) -> float | None:
    if done is None:
        return None
    return cgt(done, [each.reference for each in outcomes]) if done else 0.0


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return math.fsum(present) / len(present) if present else None
