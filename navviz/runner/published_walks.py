"""Published walks of GROKE, made comparable with the same walk taken again."""

from __future__ import annotations

from itertools import chain, zip_longest

from navviz.records import Call, EndEvent, Step, Trace
from navviz.systems.groke.logs.log_walks import moves
from navviz.systems.groke.logs.order import without_order


def without_retries(trace: Trace) -> Trace:
    """Return a published walk without empty replies and the same prompts asked again."""
    kept = []
    for step, after in zip(trace.steps, (*trace.steps[1:], None), strict=True):
        if after is None or not _is_retry(step, after):
            kept.append(step.model_copy(update={"calls": _answered(step)}))
    return trace.model_copy(update={"steps": tuple(kept)})


def _answered(step: Step) -> tuple[Call, ...]:
    """Return the call of a step that counts: of several the last one with a reply."""
    replies = [call for call in step.calls if (call.reply or "").strip()]
    return (replies[-1],) if replies else step.calls[-1:]


def _is_retry(step: Step, after: Step) -> bool:
    empty = bool(step.calls) and not any((call.reply or "").strip() for call in step.calls)
    return empty and _prompts(step) == _prompts(after)


def _prompts(step: Step) -> list[str]:
    messages = chain.from_iterable(call.messages for call in step.calls)
    return [without_order(message.text) for message in messages]


def other_result(trace: Trace, again: Trace) -> tuple[str, str, str] | None:
    """Compare the state file of a published walk with the walk taken again.

    Returns the field that differs, as recorded and as walked: of the waypoints the first other one
    - a repeat of the place where the agent stands is none - and how many sub-goals were completed;
    ``None`` where all is the same.
    """
    decisions = [step.decision for step in again.steps if step.decision is not None]
    walked = moves([trace.episode.start, *(decision.target for decision in decisions)])
    # without a state file there is nothing to compare the places with
    recorded = walked if trace.waypoints is None else moves(trace.waypoints)
    for old, new in zip_longest(recorded, walked):
        if old != new:
            return "next_place", old or "nothing", new or "nothing"
    completed, completed_again = _completed(trace.end), _completed(again.end)
    if completed is not None and completed != completed_again:
        return "plan", f"{completed} completed", f"{completed_again} completed"
    return None


def _completed(end: EndEvent | None) -> int | None:
    """How many sub-goals were completed at the end; ``None`` where that is not known."""
    if end is None or not end.plan:
        return None
    return sum(goal.status == "COMPLETED" for goal in end.plan)
