"""``staged(NAVIGATOR)``: any navigator on a task with several parts, each with a fresh memory."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import Field, create_model

from navviz.errors import InputError
from navviz.llm.base import Request
from navviz.records import (
    Call,
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    Message,
    MoveEvent,
    Panel,
    PlanEvent,
    StepEvent,
    Task,
    Trace,
)
from navviz.systems.asking import end_status, listen, needed
from navviz.systems.base import (
    MissingViews,
    NavigationTask,
    Navigator,
    Settings,
    TaskNavigator,
    declares_views,
    learned_from,
    missing_views,
)
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


SPLIT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"parts": {"type": "array", "items": {"type": "string"}}},
    "required": ["parts"],
}

SPLIT_TITLE = "The task in parts"

_TASK = (
    "You are given an instruction that sends a robot to several places, one after another. Split it"
    " into one short instruction for each place that must be reached, in order; leave out what is"
    " to be done there. Each must make sense by itself. Answer in JSON with the key parts."
)

_MOVE = re.compile(r"^Move_to\(")


@dataclass(frozen=True, slots=True)
class TaskPart:
    """One part of a task."""

    text: str
    """What the inner navigator is told."""
    goals: tuple[str, ...] = ()


def part_text(task: Task) -> str:
    """Return a sub-task's own words, or a sentence made of target and region."""
    # tasks written by people are sentences already
    if not _MOVE.match(task.description) or task.target is None:
        return task.description
    # places of a town have proper names, things of a house want an article
    name = task.target if task.target[:1].isupper() else f"the {task.target}"
    room = (task.region or "").partition(": ")[2].lower()
    if not room:
        return f"Walk to {name} and stop there."
    return f"Walk to {name} in the {room} and stop there."


def parts_of(episode: Episode) -> tuple[TaskPart, ...]:
    """Return the sub-tasks as parts; an episode without any is one part."""
    if not episode.tasks:
        return (TaskPart(episode.instruction, (episode.goal,) if episode.goal else ()),)
    return tuple(TaskPart(part_text(task), task.goals) for task in episode.tasks)


def split_panel(parts: tuple[TaskPart, ...], by: str) -> Panel:
    """Return the parts as a table; a fork reads them from it."""
    rows = [[k, part.text] for k, part in enumerate(parts, start=1)]
    return Panel(
        kind="table",
        title=f"{SPLIT_TITLE}, {by}",
        data={"columns": ["part", "what is walked"], "rows": rows},
    )


def split_by_model(
    episode: Episode, llm: LanguageModel | None, navigator: str
) -> Generator[Event, None, tuple[TaskPart, ...] | None]:
    """Let the model split the instruction; ``None`` after an `EndEvent` where it did not.

    Where it gives more parts than the episode has sub-tasks, the rest is left out; fewer stay
    fewer.
    """
    messages = Message(role="system", text=_TASK), Message(role="user", text=episode.instruction)
    call = yield from listen(
        needed(llm, navigator), Request(messages, purpose="split", schema=SPLIT_SCHEMA)
    )
    texts = _texts(call)
    if not texts:
        reason = (
            call.error
            or f"The model did not split the task: {call.parse_error or 'it named no part'}."
        )
        yield PlanEvent(calls=(call,))
        yield EndEvent(
            status=end_status(call) if call.error else "error", reason=reason, node=episode.start
        )
        return None
    count = len(episode.tasks) or len(texts)
    parts = tuple(TaskPart(text) for text in texts[:count])
    yield PlanEvent(calls=(call,), panels=(split_panel(parts, "by the model"),))
    return parts


def _texts(call: Call) -> list[str]:
    parts = (call.parsed or {}).get("parts")
    if not isinstance(parts, list):
        return []
    texts = [str(text).strip() for text in parts]
    return [text for text in texts if text]


class Renumbered:
    """Takes the events of one part."""

    def __init__(self, offset: int, part: int, node: str, heading_deg: float | None) -> None:
        self.offset, self.part = offset, part
        self.node, self.heading_deg = node, heading_deg
        self.index = offset
        self.stopped = False
        """Whether the last step ended with a stop."""

    def take(self, event: Event) -> Iterator[Event]:
        """One event, with its number in the whole walk."""
        match event:
            case StepEvent():
                self.index, self.stopped = event.index + self.offset, False
                # a navigator may leave the node out where it did not move
                self.node = event.node or self.node
                self.heading_deg = (
                    event.heading_deg if event.heading_deg is not None else self.heading_deg
                )
                yield event.model_copy(update={"index": self.index})
            case PlanEvent():
                yield event.model_copy(
                    update={"panels": tuple(self._named(panel) for panel in event.panels)}
                )
            case DecisionEvent():
                self.stopped = event.decision.stop
                yield event
            case MoveEvent():
                if event.path:
                    self.node = event.path[-1]
                self.heading_deg = (
                    event.heading_deg if event.heading_deg is not None else self.heading_deg
                )
                yield event
            case _:
                yield event

    def _named(self, panel: Panel) -> Panel:
        return panel.model_copy(update={"title": f"Part {self.part + 1}: {panel.title}"})


def stop_step(walk: Renumbered, reason: str | None) -> Iterator[Event]:
    """Yield a step that only stops, where the inner navigator ended without saying so."""
    walk.index += 1
    yield StepEvent(index=walk.index, node=walk.node, heading_deg=walk.heading_deg)
    yield DecisionEvent(decision=Decision(target=walk.node, stop=True, reason=reason))


class StagedSettings(Settings):
    """What `Staged` adds to the inner navigator's settings."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the inner settings: workers cannot import a class made on the fly."""
        return _rebuilt, (type(self).__mro__[2], self.model_dump())

    split: Literal["list", "model"] = Field(
        "list",
        description=(
            "Who splits the task: its list of sub-tasks, or the model that reads the instruction."
        ),
    )


@cache
def _settings_type(inner: type[Settings]) -> type[Settings]:
    """Return the inner navigator's settings with our own before them."""
    return create_model(
        f"Staged{inner.__name__}", __base__=(StagedSettings, inner), __doc__=inner.__doc__
    )


def _rebuilt(inner: type[Settings], values: dict[str, Any]) -> Settings:
    return _settings_type(inner).model_validate(values)


@dataclass
class _StagedPlace:
    """Where the walk stands between two parts."""

    node: str
    heading_deg: float | None
    index: int = 0
    """Steps so far."""
    part: int = 0
    past: Trace | None = field(default=None)
    """What the inner navigator has walked of the current part (a fork)."""


class Staged(TaskNavigator[StagedSettings]):
    """A navigator made of another one."""

    def __init__(self, inner: Navigator) -> None:
        self.inner = inner
        self.name = f"staged({inner.name})"
        self.summary = (
            f"The task is split into its parts, and {inner.name} walks each with a fresh memory;"
            f" the end of a part is its stop. {inner.summary}"
        )
        self.needs_model = inner.needs_model
        self.frames = inner.frames
        self.settings_type = _settings_type(inner.settings_type)
        self.learned_from = learned_from(inner)
        if declares_views(inner):
            self.missing_views = self._missing_views

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the inner navigator: workers cannot import settings made on the fly."""
        return Staged, (self.inner,)

    def _missing_views(self, graph: Graph, settings: StagedSettings) -> MissingViews | None:
        return missing_views(self.inner, graph, self._inner_settings(settings))

    def _inner_settings(self, settings: StagedSettings) -> Settings:
        values = settings.model_dump()
        del values["split"]
        return self.inner.settings_type.model_validate(values)

    def walk(self, task: NavigationTask[StagedSettings]) -> Iterator[Event]:
        """Walk the episode part by part; see `navviz.systems.base.Navigator`."""
        episode, graph, llm, past = task.episode, task.graph, task.llm, task.past
        split, options = task.settings.split, self._inner_settings(task.settings)
        parts = yield from self._parts(episode, llm, split, past)
        if parts is None:
            return
        place = _StagedPlace(episode.start, episode.start_heading_deg)
        if past is not None:
            _resume(place, past, graph)
        while place.part < len(parts):
            end = yield from self._walk(episode, parts[place.part], place, graph, llm, options)
            if end is not None:
                yield end
                return
        yield EndEvent(status="done", node=place.node)

    def _parts(
        self, episode: Episode, llm: LanguageModel | None, split: str, past: Trace | None
    ) -> Generator[Event, None, tuple[TaskPart, ...] | None]:
        # a fork keeps the split it was walked with: another one would number the parts anew
        if split == "model":
            former = _split_before(past)
            if former is not None:
                return former
            return (yield from split_by_model(episode, llm, self.name))
        parts = parts_of(episode)
        if past is None:
            yield PlanEvent(panels=(split_panel(parts, "by the list of sub-tasks"),))
        return parts

    def _walk(
        self,
        episode: Episode,
        part: TaskPart,
        place: _StagedPlace,
        graph: Graph,
        llm: LanguageModel | None,
        options: Settings,
    ) -> Generator[Event, None, EndEvent | None]:
        """Walk one part; gives the end where the whole walk ends with it."""
        # its goal is for oracles only, which say so in their name
        # of several things of one name the nearest is the goal, as in the simulator's measure
        reached = graph.geodesics_from(place.node) if part.goals and place.node in graph else {}
        goal = min(
            (node for node in part.goals if node in reached),
            key=lambda node: reached[node],
            default=None,
        )
        update = {
            "instruction": part.text,
            "start": place.node,
            "start_heading_deg": place.heading_deg,
            # that of the episode leads through all parts, from another start
            "reference_path": (),
            "goal": goal,
            "tasks": (),
            "sub_goals": (),
            "landmarks": (),
        }
        inner = episode.model_copy(update=update)
        numbered = Renumbered(place.index, place.part, place.node, place.heading_deg)
        end: EndEvent | None = None
        try:
            for event in self.inner.navigate(inner, graph, llm, options, place.past):
                # it ends a part, not the task, and is not passed on
                if isinstance(event, EndEvent):
                    end = event
                    break
                yield from numbered.take(event)
        except InputError as error:
            # a part that it cannot read has failed; the task goes on
            end = EndEvent(status="limit", reason=error.problem.what, node=numbered.node)
        # an error of the model or of the budget ends the whole walk, a lost part does not
        if end is None or end.status not in {"done", "limit"}:
            return end or EndEvent(
                status="unknown", reason=f"{self.inner.name} ended without saying why."
            )
        if not numbered.stopped:
            reason = None
            if end.status != "done":
                reason = f"{self.inner.name}: {end.reason}; the end of a part is its stop"
            yield from stop_step(numbered, reason)
        place.node, place.heading_deg = numbered.node, numbered.heading_deg
        place.index = numbered.index
        place.part, place.past = place.part + 1, None
        return None


def _resume(place: _StagedPlace, past: Trace, graph: Graph) -> None:
    """Find the part in which a past ends, and what the inner navigator has walked of it."""
    current: list[Any] = []
    for step in past.steps:
        current.append(step)
        place.index = step.index
        if len(step.path) > 1:
            place.node = step.path[-1]
            place.heading_deg = graph.heading_deg(step.path[-2], step.path[-1])
        if step.decision is not None and step.decision.stop:
            place.part, current = place.part + 1, []
    if current:
        # the inner navigator counts the steps of its part from 1
        first = current[0].index - 1
        steps = tuple(step.model_copy(update={"index": step.index - first}) for step in current)
        place.index = first
        place.node, place.heading_deg = current[0].node or place.node, current[0].heading_deg
        episode = past.episode.model_copy(
            update={"start": place.node, "start_heading_deg": place.heading_deg}
        )
        header = past.header.model_copy(update={"episode": episode})
        place.past = past.model_copy(
            update={
                "header": header,
                "steps": steps,
                "sub_goals": current[-1].plan,
                "plan_panels": (),
            }
        )


def _split_before(past: Trace | None) -> tuple[TaskPart, ...] | None:
    """Return the parts as a model split them in a past."""
    for panel in past.plan_panels if past is not None else ():
        if panel.title.startswith(SPLIT_TITLE):
            return tuple(TaskPart(str(row[1])) for row in panel.data.get("rows", []))
    return None


def staged(inner: Navigator) -> Navigator:
    """``staged(NAVIGATOR)`` as a navigator."""
    return cast("Navigator", Staged(inner))
