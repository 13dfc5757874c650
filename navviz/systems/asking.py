"""Ask a language model as part of a walk: its pieces and its answer become events.

::

    call = yield from ask(llm, request)
    if call.error is not None:
        yield EndEvent(status=end_status(call), reason=call.error, node=node)
        return

Outside of a walk, in a notebook or a test, ``call = ask_now(llm, request)`` does the same at once.

`Walk` and `StepNavigator` are the loop of navigators that decide step by step: begin, prepare, take
turns until the walk is over.
"""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, cast

from navviz.errors import ModelError, SettingsError
from navviz.llm.base import HOW_TO_ASK, ModelDelta, Request
from navviz.records import (
    Call,
    CallEvent,
    DeltaEvent,
    EndEvent,
    EndStatus,
    Event,
    Observation,
    ObservationEvent,
    StepEvent,
    SubGoal,
)
from navviz.records.provider_messages import calls_text
from navviz.support.guarded import decode_reply
from navviz.systems.base import NavigationTask, Settings, TaskNavigator, asks_model

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


def needed(llm: LanguageModel | None, navigator: str) -> LanguageModel:
    """Return the model, or `SettingsError` where there is none."""
    if llm is None:
        raise SettingsError(
            f"The navigator {navigator} needs a language model: choose one, or the navigator rules."
        )
    return llm


class NotAskedError(SettingsError, AttributeError):
    """What `ask` returned was used as a call; an `AttributeError`, so that `hasattr` says no."""


_Piece = TypeVar("_Piece", bound=DeltaEvent | CallEvent)


class Asking(Generator[_Piece, None, Call]):
    """A call that is made while ``yield from`` runs it."""

    def __init__(self, pieces: Generator[_Piece, None, Call]) -> None:
        self._pieces: Generator[_Piece, None, Call] = pieces

    def send(self, value: None) -> _Piece:
        """Return the next piece, as a generator does."""
        return self._pieces.send(value)

    def throw(
        self,
        kind: Any,  # noqa: ANN401 - an exception, or its class
        value: Any = None,  # noqa: ANN401
        traceback: TracebackType | None = None,
    ) -> _Piece:
        """Raise where the call stands, as a generator does."""
        return self._pieces.throw(kind if value is None else value.with_traceback(traceback))

    def close(self) -> None:
        """End the call, as a generator does."""
        self._pieces.close()

    def __getattr__(self, name: str) -> NoReturn:
        """Say what is missing where `Call.reply` and the like are read of what was never asked."""
        raise NotAskedError(f"The model was not asked, so there is no {name}: {HOW_TO_ASK}.")


def ask(
    llm: LanguageModel, request: Request, cancel: threading.Event | None = None
) -> Asking[DeltaEvent | CallEvent]:
    """Ask once: yield each piece as it streams in, then the whole call, and return that call.

    See `listen` for the call and the errors.
    """
    return Asking(_one_call(llm, request, cancel))


def _one_call(
    llm: LanguageModel, request: Request, cancel: threading.Event | None
) -> Generator[DeltaEvent | CallEvent, None, Call]:
    call = yield from listen(llm, request, cancel)
    yield CallEvent(call=call)
    return call


def ask_now(llm: LanguageModel, request: Request, cancel: threading.Event | None = None) -> Call:
    """Ask once and return the call, outside of a walk; nothing of it stands in a trace.

    See `listen` for the call and the errors.
    """
    pieces = listen(llm, request, cancel)
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            call: Call = end.value
            return call


def listen(
    llm: LanguageModel, request: Request, cancel: threading.Event | None = None
) -> Asking[DeltaEvent]:
    """Ask once: yield each piece as it streams in and return the call, without an event of it.

    Where the request has a schema, the reply is read as a JSON object: `Call.parsed`, or
    `Call.parse_error` with the reason. A call that failed is returned with its `error`; the
    navigator decides what to do with it. For planning, whose calls belong into `PlanEvent.calls`;
    in a step use `ask`. Raises `ModelError` when the backend ends without an answer; and whatever
    the backend raises (`ModelRefusedError`, `BudgetError`); `SettingsError` when `request` is no
    `Request`.
    """
    if not isinstance(request, Request):
        raise SettingsError(
            f"A model takes a Request, not {type(request).__name__}: write"
            ' Request((Message(role="user", text="..."),)) of navviz.llm.base.'
        )
    return Asking(_heard(llm, request, cancel))


def _heard(
    llm: LanguageModel, request: Request, cancel: threading.Event | None
) -> Generator[DeltaEvent, None, Call]:
    call: Call | None = None
    for piece in llm.stream(request, cancel):
        if isinstance(piece, ModelDelta):
            yield DeltaEvent(channel=piece.channel, text=piece.text)
        elif isinstance(piece, Call):
            call = piece
            break
        else:
            # pauses and edits of a debugger around the model
            yield piece
    if call is None:
        raise ModelError(
            f"The model {llm.name} ended without an answer; try again or choose another model."
        )
    return _read(call, request)


def end_status(call: Call) -> EndStatus:
    """How a walk ends whose call failed."""
    return EndStatus.STOPPED if call.error == EndStatus.STOPPED else EndStatus.ERROR


def _read(call: Call, request: Request) -> Call:
    # whatever backend it comes from, a refusal of the provider is no answer of the model
    if call.error is None and call.unanswered is not None:
        return call.model_copy(update={"error": call.why_unread})
    # a backend with a structured mode of its own has already parsed the reply
    is_read = call.parsed is not None or call.parse_error is not None
    if request.schema is None or call.error is not None or is_read:
        return call
    # the arguments of a function call may be what was asked for
    if call.tool_calls and call.reply == calls_text(call.tool_calls):
        arguments = call.tool_calls[-1].args
        if set(request.schema.get("required", ())) <= set(arguments):
            return call.model_copy(update={"parsed": arguments})
    try:
        return call.model_copy(update={"parsed": parse_object(call.reply)})
    except ValueError as error:
        empty = not (call.reply or "").strip()
        fault = call.why_unread if empty else call.shortfall or str(error)
        return call.model_copy(update={"parse_error": fault})


def parse_object(reply: str | None) -> dict[str, Any]:
    """Read a reply as one JSON object; a code fence or words around it are forgiven.

    Raises `ValueError` with the reason, for the trace and for the next message to the model.
    """
    if reply is None or not reply.strip():
        raise ValueError("the reply is empty")
    texts = [reply, *_FENCED.findall(reply)]
    first, last = reply.find("{"), reply.rfind("}")
    if 0 <= first < last:
        texts.append(reply[first : last + 1])
    reason = ""
    for text in texts:
        try:
            value = decode_reply(text, mend=False)
        except ValueError as error:
            reason = reason or f"the reply is no JSON ({error})"
            continue
        if isinstance(value, dict):
            return value
        reason = "the reply is no JSON object"
    raise ValueError(reason)


_Own = TypeVar("_Own", bound=Settings)

Turn = Generator[Event, None, EndEvent | None]
"""Events of one step; gives the end where the walk ends with it."""


class CallFailedError(Exception):
    """A call without which the walk cannot go on was not answered."""

    def __init__(self, call: Call) -> None:
        super().__init__(call.error)
        self.call = call


class Walk(ABC, Generic[_Own]):
    """Where an agent stands and what it remembers; a system's own walk says what it does."""

    def __init__(
        self, task: NavigationTask[_Own], node: str, heading_deg: float, index: int = 0
    ) -> None:
        self.task, self.node, self.heading_deg, self.index = task, node, heading_deg, index
        self.episode, self.graph, self.options = task.episode, task.graph, task.settings

    @property
    def model(self) -> LanguageModel:
        """The model; `StepNavigator` refuses to walk without one where these settings ask it."""
        return cast("LanguageModel", self.task.llm)

    @property
    def plan(self) -> tuple[SubGoal, ...]:
        """The plan as it stands now."""
        return ()

    def prepare(self) -> Turn:
        """Live through the past of the task, and yield what comes before the first step."""
        yield from ()
        return None

    @abstractmethod
    def turn(self) -> Turn:
        """Take the step `index`."""

    @abstractmethod
    def over(self) -> EndEvent | None:
        """Return the end where no step is left to take."""

    def events(self) -> Iterator[Event]:
        """Walk to the end; a failed call of `ask` is one."""
        try:
            end = yield from self.prepare()
            while end is None and (end := self.over()) is None:
                self.index += 1
                end = yield from self.turn()
        except CallFailedError as failed:
            end = self.end(end_status(failed.call), failed.call.error)
        yield end

    def begin(
        self, seen: Observation, *, heading_deg: float | None = None, sub_goal: int | None = None
    ) -> Iterator[Event]:
        """Begin the step with what the agent sees; `heading_deg` may stand in for its own."""
        yield StepEvent(
            index=self.index,
            node=self.node,
            heading_deg=self.heading_deg if heading_deg is None else heading_deg,
            plan=self.plan,
            sub_goal=sub_goal,
        )
        yield ObservationEvent(observation=seen)

    def ask(
        self, request: Request, understood: Callable[[Call], Call] = lambda call: call
    ) -> Generator[DeltaEvent | CallEvent, None, Call]:
        """Ask, and yield the call as it is understood; raises `CallFailedError`."""
        call = understood((yield from listen(self.model, request)))
        if call.parse_error is not None and not (call.reply or "").strip():
            call = call.model_copy(update={"parse_error": call.why_unread})
        yield CallEvent(call=call)
        if call.error is not None:
            raise CallFailedError(call)
        return call

    def end(self, status: EndStatus | str, reason: str | None = None) -> EndEvent:
        """Return the end here."""
        return EndEvent(status=EndStatus(status), reason=reason, node=self.node, plan=self.plan)


class StepNavigator(TaskNavigator[_Own]):
    """Base of a navigator that walks step by step."""

    @abstractmethod
    def begin(self, task: NavigationTask[_Own]) -> Walk[_Own]:
        """Return the walk before its first step, and before its past is lived through."""

    def walk(self, task: NavigationTask[_Own]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        if asks_model(self, task.settings):
            decides = task.settings.asks_model is not None
            needed(task.llm, f"{self.name} with these settings" if decides else self.name)
        yield from self.begin(task).events()
