"""Pause a walk, change what goes into it, and go on: what a debugger does for a program.

A `Debugger` stands between a navigator and its model. Before each call, after each reply and at
each decision it looks for a `Breakpoint` that holds, and yields a `Pause`, which takes edits; asked
for the next event, the walk goes on with them. Navigators need to know nothing of it: a prompt and
a reply pass through the model that they ask, another plan or decision is a walk that goes on from
its past, as a fork does. Each edit is an `EditEvent` of the trace, so that the same walk can be
taken again (`Debugger.again`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any, cast

from navviz.llm.base import LanguageModel, ModelDelta, Request
from navviz.records import (
    Call,
    Decision,
    DecisionEvent,
    DeltaEvent,
    EditEvent,
    EndEvent,
    Event,
    Finding,
    InputEdit,
    Message,
    MoveEvent,
    ObservationEvent,
    Step,
    StepEvent,
    SubGoal,
    Trace,
    TraceHeader,
)
from navviz.records.base import Record
from navviz.records.breakpoint import Breakpoint, Moment
from navviz.records.trace_files import Folder, unfold
from navviz.runner.edited_texts import plan_of, plan_text
from navviz.runner.pauses import (
    EDITED_AT,
    STOP,
    Pause,
    edited_messages,
    holds,
    observed,
    target_of,
    way_by_hand,
)
from navviz.systems.base import Navigator, Settings
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

__all__ = ["Debugger", "OtherInput", "Pause", "Scan"]

Scan = Callable[[Trace, Graph], Iterable[Finding]]


class OtherInput(Exception):  # noqa: N818 - no fault: it ends a walk, and no navigator may catch it
    """A walk that is taken again shows another text than the one that was edited."""

    def __init__(self, edit: InputEdit, text: str) -> None:
        super().__init__("another input")
        self.edit, self.text = edit, text


class Debugger:
    """Watches one walk at a time; `walk` gives its events.

    `breakpoints`: where it pauses; the list may be changed while the walk goes on. `scan`: finds
    what `Breakpoint.finding` waits for (`navviz.analysis.scanners`). `edits`: made without a pause
    where they were made before, each with the number of its step.
    """

    def __init__(
        self,
        breakpoints: Iterable[Breakpoint] = (),
        *,
        scan: Scan | None = None,
        edits: Iterable[tuple[int | None, InputEdit]] = (),
    ) -> None:
        self.breakpoints = list(breakpoints)
        self.stepping = False
        self._scan, self._known = scan, list(edits)
        self._folder = Folder()
        self._graph: Graph
        self._past: Trace | None = None
        """Where the walk goes on from, in place of the one that is walked."""
        self._call = self._tokens = 0
        self._cost_usd = 0.0
        self._fired: set[tuple[Breakpoint, object]] = set()
        self._shown: list[InputEdit] = []
        """Edits that hold for further calls: of the observation in its step, of memory for good."""

    @classmethod
    def again(cls, trace: Trace, past: Trace | None = None) -> Debugger:
        """Return what makes the edits of a trace, but those of its `past`, without a pause."""
        kept = len(past.edits) if past is not None else 0
        return cls(edits=trace.edits[kept:])

    def walk(
        self,
        header: TraceHeader,
        graph: Graph,
        navigator: Navigator,
        llm: LanguageModel | None,
        settings: Settings,
        past: Trace | None = None,
    ) -> Iterator[Event | Pause]:
        """Walk an episode; see `navviz.systems.base.Navigator` for the events."""
        self._graph, self._folder = graph, Folder()
        for event in () if past is None else unfold(past):
            self._folder.add(event)
        self._folder.add(header)
        self._shown = [edit for _, edit in self._trace.edits if edit.what == "memory"]
        model = None if llm is None else _DebuggedModel(llm, self)
        while True:
            self._past = None
            walk = navigator.navigate(header.episode, graph, model, settings, past)
            try:
                for event in walk:
                    if isinstance(event, DecisionEvent):
                        yield from self._decided(event)
                    else:
                        self._see(event)
                        yield event
                    if self._past is not None or isinstance(event, EndEvent):
                        break
            finally:
                close = getattr(walk, "close", None)
                if close is not None:
                    close()
            if self._past is None:
                return
            past = self._past

    @property
    def _trace(self) -> Trace:
        return self._folder.trace

    @property
    def _step(self) -> Step | None:
        steps = self._trace.steps
        return steps[-1] if steps else None

    def _see(self, event: Event | Pause) -> None:
        # what a broken navigator yields is named by whoever asked for its events
        if isinstance(event, Pause | DeltaEvent | TraceHeader) or not isinstance(event, Record):
            return
        self._folder.add(event)
        if isinstance(event, StepEvent):
            self._call = 0
            self._shown = [edit for edit in self._shown if edit.what == "memory"]

    # --- the moments

    def before(self, request: Request) -> Generator[Event | Pause, None, Request]:
        """Pause before a call, and return it as edited."""
        self._call += 1
        request = replace(request, messages=edited_messages(request.messages, self._shown))
        edits = yield from self._edits("call", request.messages, request.purpose)
        for edit in edits:
            old = self._old(edit, request.messages)
            if old != edit.old:
                raise OtherInput(edit, old)
            if edit.what == "plan":
                trace = self._trace
                goals = plan_of(edit.new, trace.steps[-1].plan if trace.steps else trace.sub_goals)
                self._past = trace.model_copy(
                    update={"steps": trace.steps[:-1], "sub_goals": goals, "end": None}
                )
            elif edit.what == "observation":
                seen = self._step.observation if self._step is not None else None
                if seen is not None:
                    yield ObservationEvent(observation=observed(seen, edit))
            # with another plan the walk ends here, and goes on from its past
            yield EditEvent(edit=edit)
            if edit.what in {"observation", "memory"}:
                self._shown.append(edit)
            request = replace(request, messages=edited_messages(request.messages, [edit]))
        return request

    def after(self, call: Call) -> Generator[Event | Pause, None, Call]:
        """Pause after a reply, and return it as edited."""
        self._tokens += call.tokens or 0
        self._cost_usd += call.cost_usd or 0.0
        # a recorded reply is the edited one; the walk that is taken again hears what was edited
        reply = call.reply or ""
        edits = yield from self._edits("reply", call.messages, call.purpose, reply=reply)
        for edit in edits:
            if reply not in {edit.old, edit.new}:
                raise OtherInput(edit, reply)
            yield EditEvent(edit=edit)
            reply = edit.new
        if not edits:
            return call
        return call.model_copy(
            update={"reply": reply, "parsed": None, "parse_error": None, "tool_calls": ()}
        )

    def _decided(self, event: DecisionEvent) -> Iterator[Event | Pause]:
        """Pause at a decision; another one is carried out here, and the walk goes on from there."""
        self._see(event)
        edits = yield from self._edits("decision", decision=event.decision)
        edit = edits[-1] if edits else None
        if edit is None:
            yield event
            return
        target = target_of(event.decision)
        if edit.old != target:
            raise OtherInput(edit, target)
        step = cast("Step", self._step)
        path = way_by_hand(self._graph, step.node, edit.new)
        decision = event.decision.model_copy(
            update={
                "target": step.node if edit.new == STOP else edit.new,
                "stop": edit.new == STOP,
                "legal": True,
                "action": None,
                "sub_goal_status": event.decision.sub_goal_status or "IN_PROGRESS",
                "reason": "chosen by hand",
            }
        )
        events: list[Event] = [
            EditEvent(edit=edit),
            event.model_copy(update={"decision": decision}),
        ]
        if len(path) > 1:
            heading_deg = arrival_deg(self._graph, path[-2], path[-1])
            events.append(MoveEvent(path=path, heading_deg=heading_deg))
        if edit.new == STOP:
            events.append(EndEvent(status="done", reason="Stopped by hand.", node=step.node))
        for each in events:
            self._see(each)
            yield each
        if edit.new != STOP:
            self._past = self._trace.model_copy(update={"sub_goals": self._goals(decision)})

    def _goals(self, decision: Decision) -> tuple[SubGoal, ...]:
        """Return the plan after a decision that was made by hand."""
        step = cast("Step", self._step)
        goals = list(step.plan or self._trace.sub_goals)
        number = step.sub_goal
        if decision.sub_goal_status == "COMPLETED" and number is not None and number < len(goals):
            goals[number] = goals[number].model_copy(update={"status": "COMPLETED"})
        return tuple(goals)

    # --- pauses

    def _edits(
        self,
        at: Moment,
        messages: tuple[Message, ...] = (),
        purpose: str = "",
        reply: str | None = None,
        decision: Decision | None = None,
    ) -> Generator[Event | Pause, None, list[InputEdit]]:
        """Return what is changed at a moment: as it was before, or by whoever answers the pause."""
        step, call = self._step, None if at == "decision" else self._call
        place = (None if step is None else step.index, call)
        known = []
        for each in self._known:
            if (each[0], each[1].call) == place and EDITED_AT.get(each[1].what, "call") == at:
                known.append(each)
        if known:
            # with another plan the step begins again, and the rest is changed then
            if known[0][1].what == "plan":
                del known[1:]
            self._known = [each for each in self._known if each not in known]
            return [edit for _, edit in known]
        # most walks pause nowhere, and putting a trace together takes longer the longer it is
        if not self.breakpoints and not self.stepping:
            return []
        pause = Pause(
            at=at,
            trace=self._trace,
            graph=self._graph,
            call=call,
            messages=messages,
            purpose=purpose,
            reply=reply,
            decision=decision,
            tokens=self._tokens,
            cost_usd=self._cost_usd,
        )
        pause.reason = self._reason(pause)
        if not pause.reason:
            return []
        yield pause
        self.stepping = pause.stepping
        self._fired.add((_STEPPED, place[0]))
        if any(edit.what == "plan" for edit in pause.edits):
            # the prompt is made anew: it is worth another look
            self.stepping = True
            self._fired.discard((_STEPPED, place[0]))
        return pause.edits

    def _old(self, edit: InputEdit, messages: tuple[Message, ...]) -> str:
        """Return the text that an edit replaces, as it stands in this walk."""
        step = self._step
        if edit.what == "plan":
            return plan_text(self._trace.sub_goals if step is None else step.plan)
        if edit.what == "observation":
            return step.observation.text if step is not None and step.observation else ""
        if edit.what == "memory":
            return edit.old if any(edit.old in each.text for each in messages) else ""
        number = (edit.message or len(messages)) - 1
        return messages[number].text if number < len(messages) else ""

    def _reason(self, pause: Pause) -> str:
        """Return why the walk pauses, in words; empty where it does not."""
        reasons = []
        for each in self.breakpoints:
            # a breakpoint pauses once in the whole walk, at each of its moments, or once a step
            mark: object = pause.step
            if each.tokens is not None or each.cost_usd is not None:
                mark = None
            elif each.moment is not None:
                mark = (pause.step, pause.at, pause.call)
            if (each, mark) in self._fired or not holds(each, pause):
                continue
            if each.finding is None or self._finds(each.finding, pause):
                self._fired.add((each, mark))
                reasons.append(each.words)
        if not reasons and self.stepping and (_STEPPED, pause.step) not in self._fired:
            reasons.append("one step")
        return "; ".join(reasons)

    def _finds(self, name: str, pause: Pause) -> bool:
        findings = () if self._scan is None else self._scan(pause.trace, pause.graph)
        return any(each.step == pause.step and name in {"", each.id} for each in findings)


_STEPPED = Breakpoint(at="call", step=0)
"""Stands for one step among the breakpoints that have held; no step has its number."""


class _DebuggedModel:
    """A model between whose prompts and replies a debugger stands.

    Beside its pieces it yields events and pauses, which `navviz.systems.asking` hands on.
    """

    def __init__(self, model: LanguageModel, debugger: Debugger) -> None:
        self.name = model.name
        self._model, self._debugger = model, debugger

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Stream as the model does, with pauses before and after."""
        # `asking` alone tells the pieces apart; to a navigator they are what its events are
        request = yield from cast("Any", self._debugger.before(request))
        for piece in self._model.stream(request, cancel):
            if isinstance(piece, Call):
                yield (yield from cast("Any", self._debugger.after(piece)))
            else:
                yield piece

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what the model has
        return getattr(self._model, name)
