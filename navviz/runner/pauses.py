"""Where a walk pauses, and what can be edited while it waits."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal, cast

from navviz.errors import InputError
from navviz.metrics.divergence import find_divergence
from navviz.records import Decision, EditKind, InputEdit, Message, Observation, Trace
from navviz.records.breakpoint import MOMENT_WORDS, Breakpoint, Moment
from navviz.runner.edited_texts import plan_of, plan_text, text_without, with_landmark, without
from navviz.world.graph import Graph

STOP = "stop"
"""Written for a place: the agent stops here."""

EDITED_AT: dict[EditKind, Moment] = {"reply": "reply", "decision": "decision"}


@dataclass(eq=False)
class Pause:
    """A walk that waits; ask for the next event, and it goes on with what was edited.

    No line of a trace: the edits are.
    """

    type: ClassVar[Literal["pause"]] = "pause"
    at: Moment
    trace: Trace
    """The walk so far."""
    graph: Graph
    reason: str = ""
    """Why it waits, in words."""
    call: int | None = None
    """Which call of the step, counted from 1."""
    messages: tuple[Message, ...] = ()
    """The prompt, as it will be sent or was sent."""
    purpose: str = ""
    reply: str | None = None
    decision: Decision | None = None
    tokens: int = 0
    """Tokens used so far; `cost_usd` is what they cost."""
    cost_usd: float = 0.0
    edits: list[InputEdit] = field(default_factory=list)
    stepping: bool = False
    """Whether it pauses again in the next step, whatever the breakpoints say."""
    answered: threading.Event = field(default_factory=threading.Event, repr=False)
    """Set by whoever answers from another thread."""

    @property
    def step(self) -> int | None:
        """Number of the step; ``None`` while the walk is planned."""
        return self.trace.steps[-1].index if self.trace.steps else None

    @cached_property
    def leaves_path(self) -> bool:
        """Whether the step before has left the reference path."""
        steps = self.trace.steps
        if len(steps) < 2:
            return False
        # as it was when that step began
        begun = steps[-2].model_copy(update={"path": (), "decision": None})
        then = self.trace.model_copy(update={"steps": (*steps[:-2], begun)})
        now, before = (find_divergence(trace, self.graph) for trace in (self.trace, then))
        return len(now.departures) > len(before.departures)

    @property
    def node(self) -> str | None:
        """Where the agent stands."""
        return self.trace.steps[-1].node if self.trace.steps else self.trace.episode.start

    @property
    def observation(self) -> Observation | None:
        """What the agent is shown, as edited so far."""
        seen = self.trace.steps[-1].observation if self.trace.steps else None
        for edit in self.edits:
            if seen is not None and edit.what == "observation":
                seen = observed(seen, edit)
        return seen

    @property
    def plan(self) -> str:
        """The plan, a sub-goal a line with its state in front; empty where there is none."""
        step = self.trace.steps[-1] if self.trace.steps else None
        return plan_text(self.trace.sub_goals if step is None else step.plan)

    @property
    def target(self) -> str:
        """The decision: a node, ``stop``, or nothing."""
        return target_of(self.decision)

    def go_on(self) -> None:
        """Go on to the next breakpoint."""
        self.stepping = False
        self.answered.set()

    def one_step(self) -> None:
        """Go on, and pause in the next step."""
        self.stepping = True
        self.answered.set()

    def text(self, what: EditKind, message: int | None = None) -> str:
        """Return what there is to edit, as edited so far.

        Raises `InputError` where there is no such input at this moment.
        """
        moment = EDITED_AT.get(what, "call")
        if moment != self.at or (what == "plan" and (self.call != 1 or not self.plan)):
            first = "before the first call of a step that has one" if what == "plan" else ""
            raise InputError(f"the {what} is edited {first or MOMENT_WORDS[moment]}", "pause there")
        if what == "observation":
            if self.observation is None:
                raise InputError("the agent is shown no observation here", "edit the prompt")
            return self.observation.text
        if what == "prompt":
            messages = edited_messages(self.messages, self.edits)
            if message is None or not 1 <= message <= len(messages):
                raise InputError(f"the prompt has no message {message}", "count them from 1")
            return messages[message - 1].text
        return {"plan": self.plan, "reply": self.reply or "", "decision": self.target}[what]

    def edit(self, what: EditKind, new: str, *, message: int | None = None, old: str = "") -> None:
        """Replace an input; the same text is no edit.

        `what`: ``observation``, ``prompt`` (`message` says which, from 1; without one the last),
        ``plan``, ``reply``, ``decision`` (a node, or ``stop``), or ``memory``: from now on,
        wherever a prompt contains `old`, it says `new`. `new`: the whole text. Of a plan: a
        sub-goal a line, as `plan` writes it. Raises `InputError` where there is no such input at
        this moment, or it cannot be so.
        """
        if what == "memory":
            if not old or not any(
                old in each.text for each in edited_messages(self.messages, self.edits)
            ):
                what_text = "the prompt does not contain what the memory is to lose"
                raise InputError(what_text, "copy it from the prompt")
        else:
            message = (message or len(self.messages)) if what == "prompt" else None
            old = self.text(what, message)
        if new == old:
            return
        if what == "plan":
            if any(edit.what != "plan" for edit in self.edits):
                raise InputError("the prompt is made anew with a plan", "edit the plan first")
            if not plan_of(new, ()):
                raise InputError("a plan has at least one sub-goal", "write one a line")
        if what == "observation" and not any(old in each.text for each in self.messages):
            wrong = "the prompt does not contain the observation word by word"
            raise InputError(wrong, "edit the prompt")
        if what == "decision":
            way_by_hand(self.graph, self.node, new)
        call = None if what == "decision" else self.call
        if what in {"reply", "decision", "plan"}:
            self.edits = [edit for edit in self.edits if edit.what != what]
        self.edits.append(InputEdit(what=what, old=old, new=new, call=call, message=message))

    def hide(self, name: str) -> None:
        """Take a landmark (by name) or a candidate (by node or label) out of what is shown.

        Raises `InputError` where it is not shown, or nothing is at this moment.
        """
        old = self.text("observation")
        seen = cast("Observation", self.observation)
        less = without(seen, name)
        gone = tuple(poi.name for poi in seen.pois if poi not in less.pois)
        gone += tuple(way.node for way in seen.candidates if way not in less.candidates)
        if any(old in each.text for each in self.messages):
            self.edits.append(
                InputEdit(what="observation", old=old, new=less.text, call=self.call, hidden=gone)
            )
            return
        # the prompt is not written in the observation's words: the same is done to its own
        for number, each in enumerate(edited_messages(self.messages, self.edits), start=1):
            shorter = text_without(each.text, gone)
            if shorter != each.text:
                self.edit("prompt", shorter, message=number)

    def show(self, name: str, like: str | None = None) -> None:
        """Show a landmark beside, written as the landmark `like` is (the first one if not given).

        Raises `InputError` where there is none, or nothing is shown at this moment.
        """
        old = self.text("observation")
        seen = cast("Observation", self.observation)
        more = with_landmark(seen, name, like)
        self.edit("observation", more.text)
        if more.text != old:
            self.edits[-1] = self.edits[-1].model_copy(update={"added": more.pois[-1:]})


def edited_messages(messages: Sequence[Message], edits: Iterable[InputEdit]) -> tuple[Message, ...]:
    """Return a prompt with the edits that it takes."""
    edited = list(messages)
    for edit in edits:
        for number, each in enumerate(edited):
            if edit.what in {"observation", "memory"}:
                edited[number] = _with_text(each, each.text.replace(edit.old, edit.new))
            elif edit.what == "prompt" and edit.message == number + 1:
                edited[number] = _with_text(each, edit.new)
    return tuple(edited)


def _with_text(message: Message, text: str) -> Message:
    if text == message.text:
        return message
    pictures = [
        part.model_copy(update={"at": min(part.at, len(text))}) for part in message.pictures
    ]
    return message.model_copy(update={"text": text, "pictures": tuple(pictures)})


def observed(seen: Observation, edit: InputEdit) -> Observation:
    """Return an observation with an edit."""
    pois = [poi for poi in seen.pois if poi.name not in edit.hidden]
    ways = [way for way in seen.candidates if way.node not in edit.hidden]
    update = {"text": edit.new, "pois": (*pois, *edit.added), "candidates": tuple(ways)}
    return seen.model_copy(update=update)


def target_of(decision: Decision | None) -> str:
    """Write a decision for editing: its node, ``stop``, or nothing."""
    if decision is None:
        return ""
    return STOP if decision.stop else decision.target or ""


def way_by_hand(graph: Graph, node: str | None, target: str) -> tuple[str, ...]:
    """Return the way to a node that was chosen by hand; `InputError` where there is none."""
    if target in {STOP, node}:
        return ()
    way = None
    if node is not None and node in graph and target in graph:
        way = graph.hops(node, target)
    if way is None:
        raise InputError(f"no way leads from {node} to {target}", "choose another node, or stop")
    return way


def holds(each: Breakpoint, pause: Pause) -> bool:
    """Whether everything but `finding` is so, at a moment at which a walk may pause."""
    step = pause.trace.steps[-1] if pause.trace.steps else None
    prompt = "\n".join(message.text for message in pause.messages).casefold()
    decision = pause.decision
    closed = None
    # a decision that cannot be carried out completes nothing
    legal = decision if decision is not None and decision.legal else None
    if step is not None and legal is not None and legal.sub_goal_status == "COMPLETED":
        closed = (step.sub_goal or 0) + 1
    return all(
        (
            # while it is planned, only calls and replies are waited for
            each.moment == pause.at or (each.moment is None and step is not None),
            each.step in {None, pause.step},
            each.node is None or (step is not None and step.node == each.node),
            not each.leaves_path or pause.leaves_path,
            each.prompt is None or each.prompt.casefold() in prompt,
            each.reply is None or each.reply.casefold() in (pause.reply or "").casefold(),
            each.tokens is None or pause.tokens > each.tokens,
            each.cost_usd is None or pause.cost_usd > each.cost_usd,
            each.closes is None or (closed is not None and each.closes in {0, closed}),
        )
    )
