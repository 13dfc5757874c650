"""Metrics of tasks with several sub-tasks in order (LH-VLN): ISR, CSR, CGT, TAR and the contest score.

A task has N sub-tasks. For sub-task i: ``s_i`` success, ``g_i`` steps of the ground truth, ``p_i`` steps walked,
``e_i`` distance to the target in metres when the sub-task ended, ``d_i`` distance in metres from where it began. A
sub-task that was never begun has no ``e``, ``p`` and ``d``; its ``s`` is 0. What is missing stays missing.

References
----------
.. [1] Song et al., "Towards Long-Horizon Vision-Language Navigation: Platform, Benchmark and Method", CVPR 2025,
   section 4.2 and the released ``utils/metrics.py``; where the two differ (ISR), both are given.
.. [2] LH-VLN contest page: TAR and the weights of the contest score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from navviz.metrics.registry import Metric

__all__ = [
    "CONTEST_WEIGHTS",
    "METRICS",
    "SubtaskOutcome",
    "by_group",
    "cgt",
    "cgt_terms",
    "contest_score",
    "csr",
    "csr_terms",
    "group_scores",
    "isr",
    "tar",
    "tar_term",
    "task_scores",
]

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
    ),
    Metric(
        "ISR_paper",
        "ISR by the paper's formula",
        "fraction",
        "higher",
        "mean over tasks of the share done",
        _S,
        per_cent="in tables",
    ),
    Metric(
        "CSR",
        "conditional success rate",
        "fraction",
        "higher",
        "[s_0 N + sum s_i (1 + (N-1) s_(i-1))] / N^2; N = 1: s_0",
        _S,
        per_cent="in tables",
    ),
    Metric(
        "CGT",
        "CSR weighted by ground truth",
        "fraction",
        "higher",
        "[w_0 s_0 N + sum w_i s_i (1 + (N-1) s_(i-1))] / N, w_i = g_i / G",
        _S,
        per_cent="in tables",
    ),
    Metric("TAR", "target approach rate", "fraction", "higher", "mean of 1 - max(e-1, 0) / max(e, d)", _C),
    Metric("contest", "contest score", "fraction", "higher", "0.4 TAR + 0.2 ISR + 0.2 CSR + 0.2 CGT", _C),
    Metric("stops", "sub-tasks ended", "count", None, "sub-tasks that NE and TAR count: a low NE may mean few", _S),
)

CONTEST_WEIGHTS = {"TAR": 0.4, "ISR": 0.2, "CSR": 0.2, "CGT": 0.2}

_FREE_M = 1.0
"""TAR forgives an error of this many metres."""

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
    pooled = [done for task in tasks for done in task]
    return sum(pooled) / len(pooled) if pooled else None


def csr_terms(successes: Sequence[bool]) -> tuple[float, ...]:
    """Terms of the CSR of one task; their sum is the task's CSR (Song et al. 2025, eq. 2)."""
    count = len(successes)
    if count < 2:
        return tuple(float(done) for done in successes)
    return tuple(_chained(successes, i) / count**2 for i in range(count))


def csr(successes: Sequence[bool]) -> float:
    """Conditional success rate of one task: a success counts N times as much right after a success; 0 for N = 0."""
    return math.fsum(csr_terms(successes))


def cgt_terms(successes: Sequence[bool], reference: Sequence[float | None]) -> tuple[float, ...] | None:
    """Terms of the CGT of one task, the CSR's weighted by ``g_i / G``; ``None`` where g is missing or G is 0."""
    known = [length for length in reference if length is not None]
    total = math.fsum(known)
    if len(known) != len(successes) or total <= 0:
        return None
    count = len(successes)
    if count == 1:
        return (float(successes[0]),)
    return tuple(known[i] / total * _chained(successes, i) / count for i in range(count))


def cgt(successes: Sequence[bool], reference: Sequence[float | None]) -> float | None:
    """CSR weighted by the length of the ground truth, of one task (Song et al. 2025, eq. 3)."""
    terms = cgt_terms(successes, reference)
    return None if terms is None else math.fsum(terms)


def _chained(successes: Sequence[bool], i: int) -> float:
    """``s_0 N`` for the first sub-task, ``s_i (1 + (N - 1) s_(i-1))`` for the others."""
    count = len(successes)
    weight = count if i == 0 else 1 + (count - 1) * successes[i - 1]
    return float(successes[i] * weight)


def tar_term(error_m: float | None, begin_m: float | None) -> float | None:
    """``1 - max(e - 1, 0) / max(e, d)``; 1 where e = d = 0, 0 where d = 0 < e or the target cannot be reached."""
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
    known = [weight * value for weight, value in parts if value is not None]
    return math.fsum(known) if len(known) == len(parts) else None


def task_scores(outcomes: Sequence[SubtaskOutcome]) -> Scores:
    """All figures of one task.

    Returns
    -------
    ``SR`` (all sub-tasks done), ``OSR``, ``SPL``, ``NE`` (mean of e over the sub-tasks that ended), ``ISR``,
    ``ISR_paper``, ``CSR``, ``CGT``, ``TAR``, ``contest``, ``stops``; ``None`` where something needed is missing.
    """
    scores: Scores = {"SR": _all([each.success for each in outcomes]), "OSR": _all([each.oracle for each in outcomes])}
    scores["SPL"] = _spl(scores["SR"], outcomes)
    scores["NE"] = _error_m(outcomes)
    done = _known_successes(outcomes)
    scores["ISR"] = scores["ISR_paper"] = isr([done]) if done is not None else None
    scores["CSR"] = csr(done) if done is not None else None
    scores["CGT"] = _cgt_counted(done, outcomes)
    scores["TAR"] = tar(outcomes)
    scores["contest"] = contest_score(scores)
    scores["stops"] = float(sum(each.ended and each.error_m is not None for each in outcomes))
    return scores


def group_scores(tasks: Sequence[Sequence[SubtaskOutcome]]) -> Scores:
    """All figures of a group of tasks, as the released code pools them.

    ISR is pooled over sub-tasks, TAR over all that ended; the others are means over tasks. A task without any ended
    sub-task counts NE 0, and one without sub-tasks CSR and CGT 0, as in the released code.
    """
    rows = [task_scores(task) for task in tasks]
    scores: Scores = {
        name: _mean([row[name] for row in rows]) for name in ("SR", "OSR", "SPL", "ISR_paper", "CSR", "CGT")
    }
    scores["NE"] = _mean([0.0 if _nothing_ended(task) else row["NE"] for task, row in zip(tasks, rows, strict=True)])
    known = [done for task in tasks if (done := _known_successes(task)) is not None]
    scores["ISR"] = isr(known)
    scores["TAR"] = tar(each for task in tasks for each in task)
    scores["contest"] = contest_score(scores)
    scores["stops"] = float(sum(row["stops"] or 0.0 for row in rows)) if rows else None
    return scores


def by_group(
    tasks: Sequence[tuple[Sequence[SubtaskOutcome], str]], order: Callable[[str], object] = str
) -> dict[str, Scores]:
    """`group_scores` of each group; `tasks` are pairs of outcomes and the name of their group."""
    names = sorted({name for _, name in tasks}, key=lambda name: str(order(name)))
    return {name: group_scores([outcomes for outcomes, group in tasks if group == name]) for name in names}


def _nothing_ended(task: Sequence[SubtaskOutcome]) -> bool:
    return not any(each.ended for each in task)


def _known_successes(outcomes: Sequence[SubtaskOutcome]) -> list[bool] | None:
    known = [each.success for each in outcomes if each.success is not None]
    return known if len(known) == len(outcomes) else None


def _all(values: Sequence[bool | None]) -> float | None:
    """1 where all are true, 0 where one is false; ``None`` without any, or where it depends on a missing one."""
    if not values:
        return None
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
    total, walked = math.fsum(lengths), math.fsum(each.walked or 0.0 for each in outcomes)
    if walked <= 0:
        return 0.0
    return success * total / max(total, walked)


def _error_m(outcomes: Sequence[SubtaskOutcome]) -> float | None:
    """Mean error of the sub-tasks that ended; a target out of reach has none."""
    return _mean(
        [each.error_m for each in outcomes if each.ended and each.error_m is not None and math.isfinite(each.error_m)]
    )


def _cgt_counted(done: list[bool] | None, outcomes: Sequence[SubtaskOutcome]) -> float | None:
    if done is None:
        return None
    return cgt(done, [each.reference for each in outcomes]) if done else 0.0


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None
