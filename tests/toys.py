"""Toy navigators on the tiny world of `tests.worlds`: one that needs no model, one that asks a
model for each step.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from navviz.errors import InputError
from navviz.llm.base import Request
from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    Event,
    Message,
    MoveEvent,
    PlanEvent,
    StepEvent,
    SubGoal,
    Trace,
    TraceHeader,
)
from navviz.records.trace_files import unfold
from navviz.systems.asking import ask, end_status, needed
from navviz.systems.base import NavigationTask, Settings, TaskNavigator


class ToySettings(Settings):
    """Settings of both toys."""

    steps: int = Field(3, ge=0, description="Steps to walk.")
    trouble: Literal["none", "input", "bug", "silent", "hang"] = Field(
        "none", description="What goes wrong."
    )
    trouble_at: int = Field(2, description="In which step.")


class _Toy(TaskNavigator[ToySettings]):
    summary: ClassVar[str] = "Walks to the first neighbour it has not been at."
    frames: ClassVar[frozenset[Literal["geo", "metric"]]] = frozenset({"geo"})
    settings_type: ClassVar[type[Settings]] = ToySettings

    def places(self, task: NavigationTask[ToySettings]) -> Iterator[tuple[int, str, str]]:
        """Yield each step's number, its place and the next one."""
        episode, graph, settings, past = task.episode, task.graph, task.settings, task.past
        seen = list(past.path) if past is not None else [episode.start]
        first = past.steps[-1].index + 1 if past is not None and past.steps else 1
        for index in range(first, settings.steps + 1):
            here = seen[-1]
            there = next((n for n in graph.neighbours(here) if n not in seen), here)
            if index == settings.trouble_at:
                _make(settings.trouble)
            yield index, here, there
            seen.append(there)


def _make(trouble: str) -> None:
    if trouble == "input":
        raise InputError("the toy broke", "mend it")
    if trouble == "bug":
        raise ZeroDivisionError("toy fault with sk-verysecretkey99")
    if trouble == "hang":
        time.sleep(600)


class Walker(_Toy):
    """Needs no model."""

    name: ClassVar[str] = "walker"
    needs_model: ClassVar[bool] = False

    def walk(self, task: NavigationTask[ToySettings]) -> Iterator[Event]:
        node = task.episode.start
        for index, here, node in self.places(task):
            yield StepEvent(index=index, node=here)
            yield DecisionEvent(decision=Decision(target=node))
            yield MoveEvent(path=(here, node))
        if task.settings.trouble != "silent":
            yield EndEvent(status="done", node=node)


class Asker(_Toy):
    """Asks a model in every step and does not listen."""

    name: ClassVar[str] = "asker"
    needs_model: ClassVar[bool] = True

    def walk(self, task: NavigationTask[ToySettings]) -> Iterator[Event]:
        model, past = needed(task.llm, self.name), task.past
        plan = (SubGoal(description="walk on"),)
        yield PlanEvent(sub_goals=past.sub_goals if past is not None and past.sub_goals else plan)
        node = task.episode.start
        for index, here, node in self.places(task):
            yield StepEvent(index=index, node=here, plan=plan, sub_goal=0)
            call = yield from ask(
                model, Request((Message(role="user", text=f"step {index} of {task.episode.id}"),))
            )
            if call.error is not None:
                yield EndEvent(status=end_status(call), reason=call.error, node=here)
                return
            yield DecisionEvent(decision=Decision(target=node))
            yield MoveEvent(path=(here, node))
        yield EndEvent(status="done", node=node)


def past_events(past: Trace | None) -> Iterator[Event]:
    """Yield the events of a walk's recorded beginning, without its header and end."""
    for event in unfold(past) if past is not None else ():
        if not isinstance(event, TraceHeader | EndEvent):
            yield event
