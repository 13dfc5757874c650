"""A long-horizon walk for the player: its sub-tasks as stages, step tasks as a second track, figures written out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from navviz.metrics.long_horizon import (
    CONTEST_WEIGHTS,
    SubtaskOutcome,
    cgt_terms,
    contest_score,
    csr_terms,
    tar_term,
    task_scores,
)
from navviz.metrics.stages import StageWalk, outcomes, walk_stages
from navviz.records import Episode, Panel, Trace
from navviz.views.player.schema import StageEntry, StageState, StepTaskEntry
from navviz.world.graph import Graph

__all__ = ["distances_to_targets", "stage_entries", "stage_panels", "stages_of", "step_task_entries", "told_of_poses"]


def stages_of(trace: Trace, graph: Graph) -> tuple[StageWalk, ...]:
    """Sub-tasks of a walk; empty for an episode without any, and for one that nobody walked step by step."""
    return walk_stages(trace, graph) if trace.episode.tasks and trace.steps else ()


def stage_entries(stages: Sequence[StageWalk], trace: Trace) -> list[StageEntry]:
    """Return the stages by position in the trace's steps, counted from 1."""
    place = {step.index: k for k, step in enumerate(trace.steps, start=1)}
    entries = []
    for stage in stages:
        first = place[stage.steps[0].index] if stage.steps else None
        last = place[stage.steps[-1].index] if stage.steps else None
        oracle = stage.oracle_step
        entries.append(
            StageEntry(
                first=first,
                last=last,
                state=_state(stage),
                status=stage.status(),
                stops=stage.ended == "stop",
                oracle=place[oracle] if oracle is not None else None,
                moves=stage.moves,
                reference_moves=stage.reference_moves,
                nearest_m=_rounded(stage.nearest_m),
                error_m=_rounded(stage.error_m),
            )
        )
    return entries


def _state(stage: StageWalk) -> StageState:
    if not stage.begun:
        return "none"
    if stage.ended is None:
        return "now"
    return "reached" if stage.success() else "missed" if stage.ended == "stop" else "cut"


def _rounded(value: float | None) -> float | None:
    return round(value, 2) if value is not None and math.isfinite(value) else None


def distances_to_targets(stages: Sequence[StageWalk], trace: Trace) -> list[float | None]:
    """Distance in metres to the target of the stage after each step."""
    distances: dict[int, float | None] = {}
    for stage in stages:
        distances |= {step.index: _rounded(d) for step, d in zip(stage.steps, stage.to_target_m, strict=True)}
    return [distances.get(step.index) for step in trace.steps]


def step_task_entries(episode: Episode, count: int) -> list[StepTaskEntry]:
    """Step tasks that lie within the walk."""
    return [
        StepTaskEntry(
            first=task.first_step,
            last=min(task.last_step, count),
            instruction=task.instruction,
            target=task.target,
            segments=[(first, min(last, count), label) for first, last, label in task.segments if first <= count],
        )
        for task in episode.step_tasks
        if 1 <= task.first_step <= count
    ]


def told_of_poses(trace: Trace, graph: Graph) -> list[str]:
    """Return what a user must know of the poses and distances of a walk off the graph."""
    told = []
    if trace.header.pose_source is not None and trace.steps:
        told.append(f"poses are {trace.header.pose_source}")
    if graph.info.distances is not None and trace.episode.tasks:
        logged = trace.end is not None and trace.end.stages
        told.append("distances to targets are as logged" if logged else f"distances to targets: {graph.info.distances}")
    return [f"{told[0][0].upper()}{'; '.join(told)[1:]}."] if told else []


# --- figures written out --------------------------------------------------------------------------------------------


def stage_panels(stages: Sequence[StageWalk]) -> dict[int, list[Panel]]:
    """Panels by the step (as counted in the trace) at which a stage ends; the last has the whole task's too."""
    panels: dict[int, list[Panel]] = {}
    told = outcomes(stages)
    for stage in stages:
        if stage.ended is not None:
            panels.setdefault(stage.steps[-1].index, []).append(_of_stage(stage, told))
    begun = [stage for stage in stages if stage.begun]
    if begun:
        panels.setdefault(begun[-1].steps[-1].index, []).append(_of_task(told))
    return panels


def _of_stage(stage: StageWalk, told: Sequence[SubtaskOutcome]) -> Panel:
    outcome = told[stage.index]
    rows = [
        ["target", stage.task.target or stage.task.description],
        ["s (success)", _yes(outcome.success)],
        ["within reach at some time", _yes(outcome.oracle)],
        ["g (steps of the ground truth)", _number(outcome.reference)],
        ["p (steps walked)", _number(outcome.walked)],
        ["e (distance at the end)", _metres(outcome.error_m)],
        ["d (distance at the beginning)", _metres(outcome.begin_m)],
        *_terms_of_stage(stage.index, told),
        ["term of TAR", _tar(outcome.error_m, outcome.begin_m)],
    ]
    if stage.note is not None:
        rows.append(["distances", stage.note])
    return Panel(kind="keyvalue", title=f"Part {stage.index + 1}: {stage.status()}", data={"items": rows})


def _terms_of_stage(k: int, told: Sequence[SubtaskOutcome]) -> list[list[str]]:
    """Return what the k-th part gives to CSR and CGT; a part depends on the one before alone."""
    done, count = [each.success for each in told], len(told)
    needed = done[max(k - 1, 0) : k + 1]
    if count < 2 or None in needed:
        return []
    known = [bool(value) for value in done]
    rows = [["term of CSR", f"{_csr_text(known, k)} / {count**2} = {csr_terms(known)[k]:.4f}"]]
    lengths = [each.reference for each in told]
    weighted = cgt_terms(known, lengths)
    if weighted is not None:
        rows.append(["term of CGT", f"{_cgt_text(known, lengths, k)} / {count} = {weighted[k]:.4f}"])
    return rows


def _of_task(told: Sequence[SubtaskOutcome]) -> Panel:
    """All figures of the task with their terms, so that one sees where a figure comes from."""
    done = [each.success for each in told]
    scores = task_scores(told)
    rows = [["s", ", ".join(_yes(value) for value in done)]]
    known = [value for value in done if value is not None]
    if len(known) == len(done):
        rows.append(["ISR", f"{sum(known)} / {len(known)} = {sum(known) / len(known):.4f}"])
        texts = [_csr_text(known, k) for k in range(len(known))]
        rows.append(["CSR", _sum_text(csr_terms(known), texts, len(known) ** 2)])
        lengths = [each.reference for each in told]
        terms = cgt_terms(known, lengths)
        if terms is None:
            rows.append(["CGT", "no ground truth"])
        else:
            texts = [_cgt_text(known, lengths, k) for k in range(len(known))]
            rows.append(["CGT", _sum_text(terms, texts, len(known))])
    approach = [term for each in told if each.ended and (term := tar_term(each.error_m, each.begin_m)) is not None]
    rows.append(["TAR", _mean_text([f"{term:.2f}" for term in approach], scores["TAR"])])
    rows.append(["contest score", _contest_text(scores)])
    errors = [each.error_m for each in told if each.ended and each.error_m is not None and math.isfinite(each.error_m)]
    rows.append(["NE", _mean_text([f"{error:.2f}" for error in errors], scores["NE"], " m")])
    rows.append(["SPL", _spl_text(told, scores)])
    return Panel(kind="keyvalue", title="Whole task", data={"items": rows})


def _mean_text(texts: Sequence[str], mean: float | None, unit: str = "") -> str:
    """``(1.00 + 0.30) / 2 = 0.6500``: over the parts that ended."""
    if mean is None:
        return "–"
    return f"({' + '.join(texts)}) / {len(texts)} = {mean:.4f}{unit}" if len(texts) > 1 else f"{mean:.4f}{unit}"


def _contest_text(scores: Mapping[str, float | None]) -> str:
    score = contest_score(dict(scores))
    if score is None:
        return "–"
    parts = (f"{weight}·{scores[name] or 0.0:.2f}" for name, weight in CONTEST_WEIGHTS.items())
    return f"{' + '.join(parts)} = {score:.4f}"


def _spl_text(told: Sequence[SubtaskOutcome], scores: Mapping[str, float | None]) -> str:
    """``SR·G / max(G, P)`` in figures."""
    spl, success = scores["SPL"], scores["SR"]
    if spl is None or success is None:
        return "–"
    total = math.fsum(each.reference or 0.0 for each in told)
    walked = math.fsum(each.walked or 0.0 for each in told)
    return f"{success:.0f}·{total:g} / max({total:g}, {walked:g}) = {spl:.4f}"


def _sum_text(terms: Sequence[float], texts: Sequence[str], divisor: int) -> str:
    if len(terms) == 1:
        return f"s = {terms[0]:.2f}"
    return f"[{' + '.join(texts)}] / {divisor} = {math.fsum(terms):.4f}"


def _csr_text(done: Sequence[bool], k: int) -> str:
    """``1·2`` for the first, ``0·(1 + 1·1)`` for the others."""
    count = len(done)
    return f"{done[0]:d}·{count}" if k == 0 else f"{done[k]:d}·(1 + {count - 1}·{done[k - 1]:d})"


def _cgt_text(done: Sequence[bool], lengths: Sequence[float | None], k: int) -> str:
    total = math.fsum(length for length in lengths if length is not None)
    share = (lengths[k] or 0.0) / total if total else 0.0
    return f"{share:.2f}·{_csr_text(done, k)}"


def _yes(value: bool | None) -> str:
    return "not known" if value is None else "1" if value else "0"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"


def _metres(value: float | None) -> str:
    if value is None:
        return "–"
    return "cannot be reached" if math.isinf(value) else f"{value:.2f} m"


def _tar(error_m: float | None, begin_m: float | None) -> str:
    term = tar_term(error_m, begin_m)
    if term is None or error_m is None or begin_m is None:
        return "–"
    if not math.isfinite(error_m) or not math.isfinite(begin_m) or max(error_m, begin_m) == 0:
        return f"{term:.2f}"
    return f"1 - {max(error_m - 1, 0):.2f} / {max(error_m, begin_m):.2f} = {term:.2f}"
