"""Walk a trace again from one step with one thing repaired, all else as it was recorded.

A prepared fork lies on disk as the beginning of a trace, so that the batch runner goes on with it
as with any walk that was cut off: in parallel, resumable, and without asking for older replies.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from navviz.errors import InputError
from navviz.llm.base import ModelDelta, Request, schema_note
from navviz.records import Call, Decision, Episode, Fork, Message, RepairPlan, Step, SubGoal, Trace
from navviz.records.trace_files import read_trace, write_trace
from navviz.runner.config import code_version, now
from navviz.runner.episode import has_begun, header_of, set_aside
from navviz.systems.base import Settings
from navviz.systems.indoors import plan_at
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class RepairName:
    """What a kind of repair and its placebo are called in tables."""

    repair: str
    placebo: str


REPAIR_NAMES = {
    "show_landmark": RepairName("with the landmark shown", "with another landmark shown"),
    "reopen_sub_goal": RepairName("with the sub-goal reopened", "with another sub-goal reopened"),
    "replace_plan_line": RepairName("with the plan's line replaced", "with another line replaced"),
    "swap_instruction_word": RepairName("with the word corrected", "with another word changed"),
    "unhide_way": RepairName("with the way shown", "with another way shown"),
    "take_link": RepairName("the right link once", "another link at another step"),
}


def repair_words(plan: RepairPlan) -> str:
    """Return what one repair changes, by name: ``with “BP gas station” shown``.

    Tables count repairs of one kind together, so that they name the kind alone (`REPAIR_NAMES`).
    """
    values = plan.parameters
    if plan.kind == "show_landmark":
        return f"with “{values['name']}” shown"
    if plan.kind == "reopen_sub_goal":
        return f"with sub-goal {int(values['sub_goal']) + 1} open again"
    if plan.kind == "replace_plan_line":
        return f"with “{values['line']}” as line {int(values['sub_goal']) + 1} of the plan"
    if plan.kind == "swap_instruction_word":
        return f"with “{values['word']}” in the instruction"
    return REPAIR_NAMES[plan.kind].repair


def repaired(trace: Trace, plan: RepairPlan | None, graph: Graph, step: int = 1) -> Trace:
    """Return the beginning of a trace up to where it is walked again, with one thing changed.

    Raises `InputError` when the trace has no such step, word, sub-goal or link.
    """
    first = step if plan is None else plan.step
    place = _place(trace, first)
    kept = _before(trace, place)
    if plan is None:
        return _forked(trace, kept, first, (), None)
    if plan.kind == "take_link":
        step_taken = _with_link(trace, trace.steps[place], plan, graph)
        kept = kept.model_copy(update={"steps": (*kept.steps, step_taken)})
        return _forked(trace, kept, first, (f"decision in step {first}",), plan)
    if plan.kind == "swap_instruction_word":
        text = trace.episode.instruction
        start, end = int(plan.parameters["start"]), int(plan.parameters["end"])
        # the plan is made from the instruction, so a changed word counts from the first step on
        if plan.step != 1 or not 0 <= start < end <= len(text):
            raise InputError(
                f"has no characters {start} to {end} to change from the first step on",
                "quote a word of the instruction",
                episode=trace.episode.id,
                field="instruction",
            )
        instruction = text[:start] + str(plan.parameters["word"]) + text[end:]
        episode = trace.episode.model_copy(update={"instruction": instruction})
        header = kept.header.model_copy(update={"episode": episode})
        update: dict[str, object] = {"header": header, "sub_goals": (), "landmarks": ()}
        update |= {"plan_panels": (), "plan_calls": ()}
        past = kept.model_copy(update=update)
        return _forked(trace, past, 1, ("instruction",), plan)
    if plan.kind == "replace_plan_line":
        number, line = int(plan.parameters["sub_goal"]), str(plan.parameters["line"])
        goals = list(kept.sub_goals)
        _check_goal(trace, goals, number)
        goals[number] = goals[number].model_copy(update={"description": line})
        past = kept.model_copy(update={"sub_goals": tuple(goals)})
        return _forked(trace, past, plan.step, ("plan",), plan)
    if plan.kind == "reopen_sub_goal":
        return _reopened(trace, plan)
    return _forked(trace, kept, first, (plan.kind,), plan)


def new_calls(trace: Trace) -> tuple[Call, ...]:
    """Return the model calls that a fork made itself; all calls of a trace that is none."""
    origin = trace.header.forked_from
    if origin is None:
        return tuple(trace.calls)
    calls: list[Call] = []
    # only another instruction has the plan made anew; other forks copy the calls of the plan
    if "instruction" in origin.changes:
        calls += trace.plan_calls
    for step in trace.steps:
        if step.index >= origin.step:
            calls += step.calls
    return tuple(calls)


def prepare(past: Trace, path: Path, run: str, settings: Settings) -> Episode:
    """Write the beginning of a fork as a trace to go on with; return the episode to be walked.

    A fork of another project's log becomes a trace of ours, with the settings that it goes on with.
    The same fork, begun or finished, is left as it is; another trace is moved aside.
    """
    header = header_of(path) if has_begun(path) else None
    origin = past.header.forked_from
    is_same = header is not None and (header.forked_from, header.episode) == (origin, past.episode)
    # the run may have been walked anew under its old name, with other replies before the step
    if is_same and _begins_with(path, past):
        return past.episode
    if header is not None:
        # aside and not deleted: its calls were paid for
        set_aside(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    update: dict[str, object] = {"run": run}
    if past.header.source is not None:
        update |= {"source": None, "settings": settings.model_dump(mode="json")}
    header = past.header.model_copy(update=update)
    write_trace(past.model_copy(update={"header": header}), path)
    return past.episode


def _begins_with(path: Path, past: Trace) -> bool:
    """Whether the fork of a file has the places and replies of a beginning."""
    try:
        begun = read_trace(path)
    except InputError:
        return False
    if len(begun.steps) < len(past.steps):
        return False
    for own, recorded in zip(begun.steps, past.steps, strict=False):
        replies = [call.reply for call in recorded.calls]
        # calls of a step that was cut off follow those of the step before it
        own_replies = [call.reply for call in own.calls][: len(replies)]
        if (own.node, own_replies) != (recorded.node, replies):
            return False
    return True


def _place(trace: Trace, index: int) -> int:
    for place, step in enumerate(trace.steps):
        if step.index == index:
            return place
    raise InputError(
        f"has no step {index}",
        "choose a step of the trace",
        episode=trace.episode.id,
        field="step",
    )


def _before(trace: Trace, place: int) -> Trace:
    """Return a trace up to a step, with the plan as it stood there."""
    update: dict[str, object] = {
        "steps": trace.steps[:place], "end": None, "waypoints": None, "streaming": {},
    }  # fmt: skip
    if place < len(trace.steps) and trace.steps[place].plan:
        update["sub_goals"] = trace.steps[place].plan
    return trace.model_copy(update=update)


def _forked(
    trace: Trace, past: Trace, step: int, changes: Sequence[str], plan: RepairPlan | None
) -> Trace:
    origin = Fork(
        run=trace.header.run,
        episode=trace.episode.id,
        step=step,
        changes=tuple(changes),
        repair=plan,
    )
    header = past.header.model_copy(
        update={"forked_from": origin, "created": now(), "code_version": code_version()}
    )
    return past.model_copy(update={"header": header})


def _with_link(trace: Trace, step: Step, plan: RepairPlan, graph: Graph) -> Step:
    """Return a step that follows its recorded way to the fork, then the given link."""
    # what it decided of its sub-goal stays, so that nothing but the link changes
    node, target = str(plan.parameters["node"]), str(plan.parameters["to"])
    start = step.node
    if start is None or node not in graph or not graph.has_link(node, target):
        raise InputError(
            f"no link leads from {node} to {target}",
            "choose a link of the map",
            episode=trace.episode.id,
            field="repair",
        )
    # the fork may lie in the middle of the way that one decision walked
    way: Sequence[str] | None = step.path
    if node in step.path:
        way = step.path[: step.path.index(node) + 1]
    elif start in graph:
        way = graph.hops(start, node)
    if way is None:
        raise InputError(
            f"no way leads from {start} to {node}",
            "choose a link near the step",
            episode=trace.episode.id,
            field="repair",
        )
    status = "IN_PROGRESS" if step.decision is None else step.decision.sub_goal_status
    decision = Decision(target=target, sub_goal_status=status, reason="link given by a repair")
    update = {"decision": decision, "path": (*(way or (start,)), target), "calls": ()}
    # what came of the other way, which is not taken here
    update |= {"end_heading_deg": None, "end_position": None, "end_quaternion": None}
    return step.model_copy(update=update)


def _reopened(trace: Trace, plan: RepairPlan) -> Trace:
    """Return the trace up to where a sub-goal was closed, with that sub-goal open again."""
    number = int(plan.parameters["sub_goal"])
    _check_goal(trace, trace.sub_goals, number)
    place = _place(trace, plan.step)
    while place < len(trace.steps) and not _is_closed(trace.steps[place], number):
        place += 1
    past = _before(trace, place)
    steps = list(past.steps)
    if steps and steps[-1].sub_goal == number and steps[-1].decision is not None:
        status = {"sub_goal_status": "IN_PROGRESS"}
        steps[-1] = steps[-1].model_copy(
            update={"decision": steps[-1].decision.model_copy(update=status)}
        )
    texts = [goal.description for goal in trace.sub_goals]
    goals = plan_at(texts, number)
    past = past.model_copy(update={"steps": tuple(steps), "sub_goals": goals})
    first = trace.steps[place].index if place < len(trace.steps) else trace.steps[-1].index + 1
    return _forked(trace, past, first, ("plan",), plan)


def _is_closed(step: Step, number: int) -> bool:
    return number < len(step.plan) and step.plan[number].status == "COMPLETED"


def _check_goal(trace: Trace, goals: Sequence[SubGoal], number: int) -> None:
    if not 0 <= number < len(goals):
        raise InputError(
            f"has no sub-goal {number + 1}",
            f"choose one up to {len(goals)}",
            episode=trace.episode.id,
            field="sub_goals",
        )


CUT_OFF = "(cut off)"
"""Ends the purpose of a call whose step was walked again (see `navviz.runner.episode.past_of`)."""


class OtherPrompt(Exception):  # noqa: N818 - no fault: it ends a walk, and no navigator may catch it as one
    """The walk asks something else than the trace holds."""

    def __init__(self, recorded: tuple[Message, ...], requested: tuple[Message, ...]) -> None:
        super().__init__("another prompt")
        self.recorded, self.requested = recorded, requested


class UsedUp(Exception):  # noqa: N818 - as above
    """The walk asks once more than the trace did."""


class Recorded:
    """A `navviz.llm.base.LanguageModel` that gives the recorded replies of a trace.

    Planning calls and calls of steps stand apart in a trace, so each request is answered by the
    head of either list whose prompt it equals.
    """

    def __init__(
        self,
        trace: Trace,
        past: Trace | None = None,
        without_order: Callable[[str], str] | None = None,
    ) -> None:
        self.name = trace.header.model or "recorded"
        self._without_order = without_order
        kept = len(past.steps) if past is not None else 0
        self._plans = _queue(trace.plan_calls)
        walked = chain.from_iterable(step.calls for step in trace.steps[kept:])
        self._steps = _queue(list(walked))
        # the plan calls of the old walk stand before those of the fork
        self._skips = past is not None
        self.answered = 0
        self.reordered = 0
        """Prompts that list the same in another order."""

    @property
    def left(self) -> int:
        """Recorded calls that the walk did not ask for, without a fork's old planning calls."""
        return len(self._steps) + (0 if self._skips else len(self._plans))

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Give the recorded call with this prompt; `OtherPrompt` or `UsedUp` without one."""
        del cancel
        call = self._take(request)
        self.answered += 1
        # the reply is read again
        yield call.model_copy(update={"parsed": None, "parse_error": None})

    def _take(self, request: Request) -> Call:
        for queue in (self._plans, self._steps):
            if queue and _prompt(queue[0]) == request.messages:
                return queue.popleft()
        if self._skips and any(_prompt(call) == request.messages for call in self._plans):
            while _prompt(self._plans[0]) != request.messages:
                self._plans.popleft()
            return self._plans.popleft()
        heads = [queue[0] for queue in (self._steps, self._plans) if queue]
        if not heads:
            raise UsedUp
        # of two heads, the call of the same kind is the one to show beside the new prompt
        likely = next((call for call in heads if call.purpose == request.purpose), heads[0])
        if self._same_but_for_order(_prompt(likely), request.messages):
            self.reordered += 1
            return next(
                queue for queue in (self._steps, self._plans) if queue and queue[0] is likely
            ).popleft()
        raise OtherPrompt(_prompt(likely), request.messages)

    def _same_but_for_order(
        self, messages: tuple[Message, ...], other: tuple[Message, ...]
    ) -> bool:
        bare = self._without_order
        if bare is None or [message.role for message in messages] != [
            message.role for message in other
        ]:
            return False
        return all(
            bare(old.text) == bare(new.text) for old, new in zip(messages, other, strict=True)
        )


def _queue(calls: Sequence[Call]) -> deque[Call]:
    return deque(call for call in calls if not call.purpose.endswith(CUT_OFF))


def _prompt(call: Call) -> tuple[Message, ...]:
    """Return the navigator's messages, without notes for servers that take no schema."""
    if call.response_schema is None:
        return call.messages
    note, kept = schema_note(call.response_schema), list(call.messages)
    # each looser try of the server's interface has added the note once more
    while kept and kept[-1] == note:
        kept.pop()
    return tuple(kept)
