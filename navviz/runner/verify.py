"""Walk a trace again with its recorded replies, and say whether the same comes out.

What must be the same, in this order: the plan; in each step place, heading, plan, observation,
every prompt, decision and way; and how the walk ended. Words of explanation (`Decision.reason`,
panels) may change with a version.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, Literal, get_args

from navviz.errors import NavVizError, SettingsError
from navviz.records import Call, EndEvent, EndStatus, Message, Step, Trace, TraceHeader
from navviz.records.trace_files import Folder, unfold
from navviz.runner.config import parted_settings
from navviz.runner.debugging import Debugger, OtherInput
from navviz.runner.episode import check_episode
from navviz.runner.repairs import OtherPrompt, Recorded, UsedUp
from navviz.systems.base import Navigator, Settings, asks_model
from navviz.systems.published_runs import Published
from navviz.systems.registry import get_navigator, published_of, settings_from
from navviz.world.graph import Graph

_UNKNOWN = "it is the log of another project, which states neither settings nor prompt text"


def without_retries(trace: Trace, published: Published) -> Trace:
    """Return a published walk without empty replies and the same prompts asked again."""
    kept = []
    for step, after in zip(trace.steps, (*trace.steps[1:], None), strict=True):
        if after is None or not _is_retry(step, after, published):
            kept.append(step.model_copy(update={"calls": _answered(step)}))
    return trace.model_copy(update={"steps": tuple(kept)})


def _answered(step: Step) -> tuple[Call, ...]:
    """Return the call of a step that counts: of several the last one with a reply."""
    replies = [call for call in step.calls if (call.reply or "").strip()]
    return (replies[-1],) if replies else step.calls[-1:]


def _is_retry(step: Step, after: Step, published: Published) -> bool:
    empty = bool(step.calls) and not any((call.reply or "").strip() for call in step.calls)
    return empty and _prompts(step, published) == _prompts(after, published)


def _prompts(step: Step, published: Published) -> list[str]:
    messages = chain.from_iterable(call.messages for call in step.calls)
    return [published.without_order(message.text) for message in messages]


def other_result(trace: Trace, again: Trace, published: Published) -> tuple[str, str, str] | None:
    """Compare the state file of a published walk with the walk taken again.

    Returns the field that differs, as recorded and as walked: of the waypoints the first other one
    - a repeat of the place where the agent stands is none - and how many sub-goals were completed;
    ``None`` where all is the same.
    """
    decisions = [step.decision for step in again.steps if step.decision is not None]
    walked = published.moves([trace.episode.start, *(decision.target for decision in decisions)])
    # without a state file there is nothing to compare the places with
    recorded = walked if trace.waypoints is None else published.moves(trace.waypoints)
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


_OPEN = frozenset({EndStatus.STOPPED, EndStatus.BUDGET, EndStatus.ERROR, EndStatus.UNKNOWN})
"""Ends that came from outside: the walk is compared as far as it went."""

_TOLD = 90
"""Characters of each side of a difference that are told."""

_BEFORE = 30
"""Those of them that stand before it."""

State = Literal["reproduces", "other order", "differs", "not walked"]
"""``other order``: prompts of a published log came out with the same lists in another order, all
else is the same.
"""

STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first thing that is not the same."""

    step: int | None
    """Number of the step; ``None`` before the first one."""
    field: str
    """``prompt``, ``decision``, ``path``, ``end`` ..."""
    recorded: str
    walked: str

    @property
    def sentence(self) -> str:
        """The difference in words."""
        where = "before the first step" if self.step is None else f"step {self.step}"
        return f"{where}, {self.field}: recorded {self.recorded!r}, now {self.walked!r}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one episode."""

    episode: str
    state: State
    steps: int = 0
    """Steps that were walked again."""
    calls: int = 0
    """Recorded replies that were given."""
    difference: FirstDifference | None = None
    reason: str | None = None
    """Why it cannot be walked here, or how far it could."""

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        detail = self.difference.sentence if self.difference is not None else self.reason
        name = {
            "not walked": "cannot be walked here",
            "other order": "reproduces but for the order",
        }.get(self.state, self.state)
        return name if detail is None else f"{name}: {detail}"


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of a run."""

    verdicts: tuple[Verdict, ...]

    def count(self, state: State) -> int:
        """How many episodes came out so."""
        return sum(verdict.state == state for verdict in self.verdicts)

    @property
    def reproduces(self) -> bool:
        """Whether every episode does, and there is one."""
        return bool(self.verdicts) and self.count("reproduces") == len(self.verdicts)

    @property
    def sentence(self) -> str:
        """``reproduces 12 of 12``; what cannot be walked here is counted apart."""
        walked, apart = len(self.verdicts) - self.count("not walked"), self.count("not walked")
        order = self.count("other order")
        rest = f"; {order} more but for the order of what prompts list" if order else ""
        rest += f"; {apart} cannot be walked here" if apart else ""
        return f"reproduces {self.count('reproduces')} of {walked}{rest}"


class _CannotWalk(Exception):  # noqa: N818 - a result, no fault
    """Why a trace cannot be walked again here."""


@dataclass(frozen=True, slots=True)
class _WalkedAgain:
    navigator: Navigator
    settings: Settings
    published: Published | None = None
    """Where the trace was translated from a log: then only what the log itself holds is compared.
    """

    @property
    def foreign(self) -> bool:
        """Whether the trace was translated from a log."""
        return self.published is not None


def verify_run(
    traces: Mapping[str, Trace], graph_of: Callable[[str], Graph], results: Path | None = None
) -> Iterator[Verdict]:
    """Walk traces again, one after the other."""
    for key, trace in traces.items():
        try:
            graph = graph_of(key)
        except NavVizError as error:
            yield Verdict(key, "not walked", reason=str(error))
            continue
        yield verify_trace(trace, graph, results)


def verify_trace(trace: Trace, graph: Graph, results: Path | None = None) -> Verdict:
    """Walk one trace again with its recorded replies; see `verify_run`."""
    key = trace.episode.id
    try:
        walker = _walker(trace, results)
        return _compared(trace, graph, walker)
    except _CannotWalk as reason:
        return Verdict(key, "not walked", reason=str(reason))


def _walker(trace: Trace, results: Path | None) -> _WalkedAgain:
    header = trace.header
    if header.navigator == "human":
        raise _CannotWalk("a person walked")
    try:
        navigator = get_navigator(header.navigator)
        foreign = header.source is not None
        settings = _published(trace, results, navigator) if foreign else _own(trace, navigator)
    except NavVizError as error:
        raise _CannotWalk(str(error)) from error
    if asks_model(navigator, settings) and not trace.calls:
        raise _CannotWalk("the trace holds no recorded replies")
    return _WalkedAgain(navigator, settings, published_of(navigator.name) if foreign else None)


def settings_as_walked(trace: Trace, navigator: Navigator, results: Path | None = None) -> Settings:
    """Return the settings that a trace was walked with; of GROKE's step logs the published ones.

    Raises `SettingsError` when it is the log of another project, which does not tell them, or
    `navigator` has others.
    """
    if trace.header.source is None:
        return _own(trace, navigator)
    try:
        return _published(trace, results, navigator)
    except _CannotWalk as reason:
        raise SettingsError(
            f"Episode {trace.episode.id} cannot be walked again here: {reason}."
        ) from None


def _own(trace: Trace, navigator: Navigator) -> Settings:
    """Return the settings of our own trace; recorded replies need no model options."""
    return settings_from(navigator, parted_settings(trace.header.settings)[0])


def _published(trace: Trace, results: Path | None, navigator: Navigator) -> Settings:
    """Return the settings of a run that the system's authors published; other logs name none."""
    published = published_of(navigator.name)
    recorded = _UNKNOWN if published is None else published.settings_of_log(trace, results)
    if isinstance(recorded, str):
        raise _CannotWalk(recorded)
    return settings_from(navigator, recorded)


def _compared(trace: Trace, graph: Graph, walker: _WalkedAgain) -> Verdict:
    published = walker.published
    if published is not None:
        trace = without_retries(trace, published)
    past = _past(trace)
    model = Recorded(trace, past, published.without_order if published is not None else None)
    folder, parted = Folder(), None
    if past is None:
        folder.add(TraceHeader(episode=trace.episode, navigator="again"))
    else:
        for event in unfold(past):
            folder.add(event)
    try:
        check_episode(walker.navigator, trace.episode, graph)
        model_of_walk = model if asks_model(walker.navigator, walker.settings) else None
        events: Iterable[Any] = walker.navigator.navigate(
            trace.episode, graph, model_of_walk, walker.settings, past
        )
        if trace.edits:
            header = trace.header.model_copy(update={"navigator": walker.navigator.name})
            events = Debugger.again(trace, past).walk(
                header, graph, walker.navigator, model_of_walk, walker.settings, past
            )
        _walk(folder, events, trace)
    except OtherInput as other:
        wrong = _around(other.edit.old, other.text)
        parted = FirstDifference(_step(folder, trace), f"edited {other.edit.what}", *wrong)
    except OtherPrompt as other:
        bare = published.without_order if published is not None else str
        parted = FirstDifference(
            _step(folder, trace), "prompt", *_messages(other.recorded, other.requested, bare)
        )
    except UsedUp:
        if not _open(trace):
            parted = FirstDifference(
                _step(folder, trace), "calls", _ended(trace.end), "asks once more"
            )
    except NavVizError as error:
        if trace.end is None or trace.end.status != EndStatus.ERROR:
            raise _CannotWalk(str(error)) from error
        folder.add(EndEvent(status=EndStatus.ERROR, reason=str(error)))
    return _judged(trace, folder.trace, model, walker, parted)


def _walk(folder: Folder, events: Iterable[Any], trace: Trace) -> None:
    """Walk until the end, or where the recorded walk was cut off without asking a model."""
    most = len(trace.steps) if _open(trace) else None
    for event in events:
        folder.add(event)
        if isinstance(event, EndEvent) or (most is not None and len(folder.trace.steps) > most):
            return


def _past(trace: Trace) -> Trace | None:
    """Return the steps that a fork did not walk itself."""
    fork = trace.header.forked_from
    if fork is None:
        return None
    kept = tuple(step for step in trace.steps if step.index < fork.step)
    anew = "instruction" in fork.changes and "plan" not in fork.changes
    goals = () if anew else trace.sub_goals
    if not kept and not goals:
        return None
    return trace.model_copy(
        update={"steps": kept, "sub_goals": goals, "end": None, "waypoints": None}
    )


def _open(trace: Trace) -> bool:
    return trace.end is None or trace.end.status in _OPEN


def _step(folder: Folder, trace: Trace) -> int | None:
    """Return the number of the step that is walked now, as the trace counts them."""
    count = len(folder.trace.steps)
    if count <= len(trace.steps):
        return trace.steps[count - 1].index if count else None
    return trace.steps[-1].index + 1 if trace.steps else 1


def _judged(
    trace: Trace,
    again: Trace,
    model: Recorded,
    walker: _WalkedAgain,
    parted: FirstDifference | None,
) -> Verdict:
    first = _first_difference(trace, again, walker, parted)
    if first is None and parted is None:
        first = _ends(trace, again, model, walker)
    difference = first or parted
    state: State = "reproduces"
    how_far = None
    if difference is not None:
        state = "differs"
    elif model.reordered:
        state = "other order"
        how_far = f"{model.reordered} of {model.answered} prompts list the same in another order"
    elif _open(trace):
        how_far = f"as far as it went ({_ended(trace.end)})"
    return Verdict(trace.episode.id, state, len(again.steps), model.answered, difference, how_far)


def _plan(trace: Trace) -> str:
    return " | ".join(goal.description for goal in trace.sub_goals)


def _first_difference(
    trace: Trace, again: Trace, walker: _WalkedAgain, parted: FirstDifference | None
) -> FirstDifference | None:
    """Find the first difference in a walk; a prompt's comes before its consequences."""
    planned = parted is None or parted.step is not None
    if planned and not walker.foreign and trace.sub_goals != again.sub_goals:
        return FirstDifference(None, "plan", *_around(_plan(trace), _plan(again)))
    for old, new in zip(trace.steps, again.steps, strict=False):
        begun = parted is not None and parted.step == old.index
        cut = old is trace.steps[-1] and _open(trace)
        fields = _fields(old, new, foreign=walker.foreign, begun=begun, cut=cut)
        for name, recorded, walked in fields:
            if recorded != walked:
                return FirstDifference(old.index, name, *_around(str(recorded), str(walked)))
    return None


def _fields(
    old: Step, new: Step, *, foreign: bool, begun: bool, cut: bool
) -> Iterator[tuple[str, object, object]]:
    """Yield what is compared of a step; no more than the place where its prompt differs, or where
    it was cut off.
    """
    yield "place", old.node, new.node
    if not foreign:
        yield "heading", _rounded(old.heading_deg), _rounded(new.heading_deg)
        yield "plan", old.plan, new.plan
    if begun or (cut and old.decision is None):
        return
    if not foreign:
        yield "observation", _shown(old), _shown(new)
        yield "decision", _decided(old), _decided(new)
    if not (cut and not old.path):
        # a log names where the agent got to, and its reader the way there
        most = -1 if foreign else 0
        yield "path", " ".join(old.path[most:]), " ".join(new.path[most:])


def _shown(step: Step) -> str | None:
    return None if step.observation is None else step.observation.text


def _rounded(angle_deg: float | None) -> float | None:
    return None if angle_deg is None or not math.isfinite(angle_deg) else round(angle_deg, 6)


def _decided(step: Step) -> dict[str, Any] | None:
    return None if step.decision is None else step.decision.model_dump(exclude={"reason"})


def _ends(
    trace: Trace, again: Trace, model: Recorded, walker: _WalkedAgain
) -> FirstDifference | None:
    step = None
    if again.steps and trace.steps:
        step = trace.steps[min(len(again.steps), len(trace.steps)) - 1].index
    if model.left:
        return FirstDifference(step, "calls", f"{model.left} more replies", _ended(again.end))
    if _open(trace):
        return None
    if len(trace.steps) != len(again.steps):
        return FirstDifference(step, "steps", str(len(trace.steps)), str(len(again.steps)))
    if walker.published is not None:
        other = other_result(trace, again, walker.published)
        if other is not None:
            return FirstDifference(step, *other)
    ends = _ended(trace.end), _ended(again.end)
    if not walker.foreign:
        ends = f"{ends[0]} at {_place(trace)}", f"{ends[1]} at {_place(again)}"
    return None if ends[0] == ends[1] else FirstDifference(step, "end", *ends)


def _place(trace: Trace) -> str:
    return (trace.end.node if trace.end is not None else None) or "an unknown place"


def _ended(end: EndEvent | None) -> str:
    return f"the walk ended: {end.status}" if end is not None else "the walk has no end"


def _messages(
    recorded: tuple[Message, ...], sent: tuple[Message, ...], bare: Callable[[str], str]
) -> tuple[str, str]:
    """Excerpts of the first messages that are not the same, as `bare` writes their texts."""
    for old, new in zip(recorded, sent, strict=False):
        if old.role != new.role or bare(old.text) != bare(new.text):
            texts: tuple[str, str] = (old.role, new.role)
            if old.role == new.role:
                texts = _around(bare(old.text), bare(new.text))
            return f"{old.role}: {texts[0]}", f"{new.role}: {texts[1]}"
    return f"{len(recorded)} messages", f"{len(sent)} messages"


def _around(recorded: str, walked: str) -> tuple[str, str]:
    """Cut both texts around the first place where they part."""
    same = sum(1 for _ in islice(_common(recorded, walked), None))
    begin = max(0, same - _BEFORE)
    return tuple(_cut(text, begin) for text in (recorded, walked))  # type: ignore[return-value]


def _common(first: str, other: str) -> Iterator[str]:
    for left, right in zip(first, other, strict=False):
        if left != right:
            return
        yield left


def _cut(text: str, begin: int) -> str:
    end = begin + _TOLD
    return ("…" if begin else "") + text[begin:end] + ("…" if end < len(text) else "")
