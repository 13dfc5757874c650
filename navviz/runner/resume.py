"""What is on disk of an episode that was walked before, and how to go on with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from navviz.errors import InputError
from navviz.records import Call, EndEvent, EndStatus, Step, SubGoal, Trace, TraceHeader
from navviz.records.trace_files import read_events, read_trace, write_trace
from navviz.support.guarded import parse_json, tail_bytes

_TAIL_BYTES = 1 << 18
"""Read from the end: the last event says whether a long trace is finished."""
FINISHED = frozenset({EndStatus.DONE, EndStatus.LIMIT, EndStatus.UNKNOWN})
"""Ends that another try would not change; ``error``, ``stopped`` and ``budget`` are gone on with.
"""


def has_begun(path: Path) -> bool:
    """Whether there is anything of a trace; a file of 0 bytes was made by a run that was killed
    before its header.
    """
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def end_of(path: Path) -> EndEvent | None:
    """Return the end that a trace file has, by its last line only; ``None`` where it has none."""
    lines = tail_bytes(path, _TAIL_BYTES).splitlines()
    try:
        last: Any = (
            parse_json(lines[-1].decode("utf-8", "replace"), path.name, lenient=True)
            if lines
            else None
        )
        return (
            EndEvent.model_validate(last)
            if isinstance(last, dict) and last.get("type") == "end"
            else None
        )
    except (InputError, ValueError):
        return None


def is_finished(path: Path) -> bool:
    """Whether the episode was walked to an end that another try would not change."""
    end = end_of(path)
    return end is not None and end.status in FINISHED


def past_of(path: Path) -> Trace | None:
    """Mend a cut trace, on disk too, and return its whole steps; ``None`` without any.

    Calls of a step that was cut off were paid for, so they are kept with the step before it, marked
    as cut off. A fork is gone on with even before its first step: its header says what it repairs.
    """
    try:
        trace = read_trace(path)
    except InputError:
        return None
    steps = list(trace.steps)
    cut = [] if not steps or _is_whole(steps[-1]) else [_marked(call) for call in steps.pop().calls]
    origin = trace.header.forked_from
    if not steps and not trace.sub_goals and origin is None:
        return None
    update: dict[str, object] = {"steps": tuple(steps), "end": None, "streaming": {}}
    if origin is not None and steps and steps[-1].index >= origin.step:
        # the states of a fork's plan are those of its first step, and it went on since
        goals = [SubGoal(description=goal.description) for goal in trace.sub_goals]
        update["sub_goals"] = tuple(goals)
    if cut and steps:
        steps[-1] = steps[-1].model_copy(update={"calls": (*steps[-1].calls, *cut)})
        update["steps"] = tuple(steps)
    elif cut:
        update["plan_calls"] = (*trace.plan_calls, *cut)
    past = trace.model_copy(update=update)
    # on disk too: what comes is appended, and would stand behind half a line
    write_trace(past, path)
    return past


def _is_whole(step: Step) -> bool:
    decision = step.decision
    if decision is None:
        return False
    # such a decision leads nowhere, so that a step without a way is whole all the same
    stays = decision.stop or not decision.legal or decision.target in {None, step.node}
    return stays or bool(step.path)


def _marked(call: Call) -> Call:
    return call.model_copy(update={"purpose": f"{call.purpose} (cut off)"})


def header_of(path: Path) -> TraceHeader | None:
    """Return the header of a trace file, by its first line; ``None`` where it cannot be read."""
    try:
        first = next(iter(read_events(path)), None)
    except InputError:
        return None
    return first if isinstance(first, TraceHeader) else None


def set_aside(path: Path, mark: str = "cut") -> None:
    """Move a trace that cannot be continued aside, so that nothing paid for is lost."""
    number = 1
    while (aside := path.with_name(f"{path.name}.{mark}{number}")).exists():
        number += 1
    path.replace(aside)
