"""The loop of a navigator that works step by step: one `Walk` a task, and its `StepNavigator`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from navviz.llm.base import Request
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
from navviz.systems.asking import end_status, listen, needed
from navviz.systems.base import NavigationTask, Settings, TaskNavigator, asks_model

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

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
        """Begin the step with what the agent sees; `heading_deg` is another way to write its
        own.
        """
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
