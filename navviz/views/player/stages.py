"""Show a long-horizon walk: sub-tasks as stages, step tasks as a second track, figures."""

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
from navviz.records import Episode, Panel, StepTask, Trace
from navviz.records.base import capital
from navviz.views.player.schema import StageEntry, StageState, StepTaskEntry
from navviz.world.graph import Graph


def stages_of(trace: Trace, graph: Graph) -> tuple[StageWalk, ...]:
    """Return the sub-tasks of a walk; empty without sub-tasks, and for a log without steps."""
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
    if stage.success():
        return "reached"
    return "missed" if stage.ended == "stop" else "cut"


def _rounded(value: float | None) -> float | None:
    return round(value, 2) if value is not None and math.isfinite(value) else None


def distances_to_targets(stages: Sequence[StageWalk], trace: Trace) -> list[float | None]:
    """Distance in metres to the target of the stage after each step."""
    distances: dict[int, float | None] = {}
    for stage in stages:
        for step, distance_m in zip(stage.steps, stage.to_target_m, strict=True):
            distances[step.index] = _rounded(distance_m)
    return [distances.get(step.index) for step in trace.steps]


def step_task_entries(episode: Episode, count: int) -> list[StepTaskEntry]:
    """Return the step tasks that lie within a walk of `count` steps."""
    return [_step_task(task, count) for task in episode.step_tasks if 1 <= task.first_step <= count]


def _step_task(task: StepTask, count: int) -> StepTaskEntry:
    segments = []
    for first, last, label in task.segments:
        if first <= count:
            segments.append((first, min(last, count), label))
    return StepTaskEntry(
        first=task.first_step,
        last=min(task.last_step, count),
        instruction=task.instruction,
        target=task.target,
        segments=segments,
    )


def pose_notes(trace: Trace, graph: Graph) -> list[str]:
    """Return a sentence on the source of poses and distances of a walk off the graph, if any."""
    clauses = []
    if trace.header.pose_source is not None and trace.steps:
        clauses.append(f"poses are {trace.header.pose_source}")
    if trace.is_free and len(graph) == len(graph.info.poses):
        lies_on = "lies on a picture" if graph.info.floor_pictures else "draws its own ground"
        clauses.append(f"no map of this world is open, so the walk {lies_on}")
    if trace.is_free and not trace.steps and trace.end is not None:
        clauses.append("its evaluator wrote figures and no walk; they are shown as recorded")
    if graph.info.distances is not None and trace.episode.tasks:
        if trace.end is not None and trace.end.stages:
            clauses.append("distances to targets are as logged")
        else:
            clauses.append(f"distances to targets: {graph.info.distances}")
    if not clauses:
        return []
    sentence = "; ".join(clauses)
    return [f"{capital(sentence)}."]


# --- figures written out


def stage_panels(stages: Sequence[StageWalk]) -> dict[int, list[Panel]]:
    """Return panels by the step at which a stage ends, as the trace counts steps.

    The last step has the panel of the whole task, too.
    """
    panels: dict[int, list[Panel]] = {}
    results = outcomes(stages)
    for stage in stages:
        if stage.ended is not None:
            outcome = results[stage.index]
            rows = [
                ["target", stage.task.target or stage.task.description],
                ["s (success)", _yes(outcome.success)],
                ["within reach at some time", _yes(outcome.oracle)],
                ["g (steps of the ground truth)", _number(outcome.reference)],
                ["p (steps walked)", _number(outcome.walked)],
                ["e (distance at the end)", _metres(outcome.error_m)],
                ["d (distance at the beginning)", _metres(outcome.begin_m)],
                *_terms_of_stage(stage.index, results),
                ["term of TAR", _tar(outcome.error_m, outcome.begin_m)],
            ]
            if stage.note is not None:
                rows.append(["distances", stage.note])
            title = f"Part {stage.index + 1}: {stage.status()}"
            panels.setdefault(stage.steps[-1].index, []).append(
                Panel(kind="keyvalue", title=title, data={"items": rows})
            )
    begun = [stage for stage in stages if stage.begun]
    if begun:
        panels.setdefault(begun[-1].steps[-1].index, []).append(_of_task(results))
    return panels


def _terms_of_stage(k: int, results: Sequence[SubtaskOutcome]) -> list[list[str]]:
    """Return the terms that the k-th part adds to CSR and CGT."""
    successes, count = [part.success for part in results], len(results)
    # A term depends on this part and the one before it, so later parts may still be undecided.
    if count < 2 or None in successes[max(k - 1, 0) : k + 1]:
        return []
    done = [bool(success) for success in successes]
    rows = [["term of CSR", f"{_csr_text(done, k)} / {count**2} = {csr_terms(done)[k]:.4f}"]]
    lengths = [part.reference for part in results]
    terms = cgt_terms(done, lengths)
    if terms is not None:
        rows.append(["term of CGT", f"{_cgt_text(done, lengths, k)} / {count} = {terms[k]:.4f}"])
    return rows


def _of_task(results: Sequence[SubtaskOutcome]) -> Panel:
    """Return all figures of the task with their terms, which show where a figure comes from."""
    scores = task_scores(results)
    rows = [["s", ", ".join(_yes(part.success) for part in results)]]
    done = [part.success for part in results if part.success is not None]
    # CSR and CGT tie each part to the one before: with one undecided they have no value
    if len(done) == len(results):
        lengths = [part.reference for part in results]
        count = len(done)
        csr_texts = [_csr_text(done, k) for k in range(count)]
        rows.append(["ISR", f"{sum(done)} / {count} = {sum(done) / count:.4f}"])
        rows.append(["CSR", _sum_text(csr_terms(done), csr_texts, count**2)])
        terms = cgt_terms(done, lengths)
        if terms is None:
            rows.append(["CGT", "no ground truth"])
        else:
            cgt_texts = [_cgt_text(done, lengths, k) for k in range(count)]
            rows.append(["CGT", _sum_text(terms, cgt_texts, count)])
    ended = [part for part in results if part.ended]
    tar_texts = []
    error_texts = []
    for part in ended:
        term = tar_term(part.error_m, part.begin_m)
        if term is not None:
            tar_texts.append(f"{term:.2f}")
        if part.error_m is not None and math.isfinite(part.error_m):
            error_texts.append(f"{part.error_m:.2f}")
    rows.append(["TAR", _mean_text(tar_texts, scores["TAR"])])
    rows.append(["contest score", _contest_text(scores)])
    rows.append(["NE", _mean_text(error_texts, scores["NE"], " m")])
    rows.append(["SPL", _spl_text(results, scores)])
    return Panel(kind="keyvalue", title="Whole task", data={"items": rows})


def _mean_text(texts: Sequence[str], mean: float | None, unit: str = "") -> str:
    """``(1.00 + 0.30) / 2 = 0.6500``: over the parts that ended."""
    if mean is None:
        return "–"
    if len(texts) > 1:
        return f"({' + '.join(texts)}) / {len(texts)} = {mean:.4f}{unit}"
    return f"{mean:.4f}{unit}"


def _contest_text(scores: Mapping[str, float | None]) -> str:
    score = contest_score(dict(scores))
    if score is None:
        return "–"
    parts = (f"{weight}·{scores[name] or 0.0:.2f}" for name, weight in CONTEST_WEIGHTS.items())
    return f"{' + '.join(parts)} = {score:.4f}"


def _spl_text(results: Sequence[SubtaskOutcome], scores: Mapping[str, float | None]) -> str:
    """``SR·G / max(G, P)`` in figures."""
    spl, success = scores["SPL"], scores["SR"]
    if spl is None or success is None:
        return "–"
    total = math.fsum(part.reference or 0.0 for part in results)
    walked = math.fsum(part.walked or 0.0 for part in results)
    return f"{success:.0f}·{total:g} / max({total:g}, {walked:g}) = {spl:.4f}"


def _sum_text(terms: Sequence[float], texts: Sequence[str], divisor: int) -> str:
    if len(terms) == 1:
        return f"s = {terms[0]:.2f}"
    return f"[{' + '.join(texts)}] / {divisor} = {math.fsum(terms):.4f}"


def _csr_text(done: Sequence[bool], k: int) -> str:
    """``1·2`` for the first, ``0·(1 + 1·1)`` for the others."""
    count = len(done)
    if k == 0:
        return f"{done[0]:d}·{count}"
    return f"{done[k]:d}·(1 + {count - 1}·{done[k - 1]:d})"


def _cgt_text(done: Sequence[bool], lengths: Sequence[float | None], k: int) -> str:
    total = math.fsum(length for length in lengths if length is not None)
    share = (lengths[k] or 0.0) / total if total else 0.0
    return f"{share:.2f}·{_csr_text(done, k)}"


def _yes(value: bool | None) -> str:
    if value is None:
        return "not known"
    return "1" if value else "0"


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
    # the term has a value there, but its formula would show infinity or a division by 0
    if not math.isfinite(error_m) or not math.isfinite(begin_m) or max(error_m, begin_m) == 0:
        return f"{term:.2f}"
    return f"1 - {max(error_m - 1, 0):.2f} / {max(error_m, begin_m):.2f} = {term:.2f}"
