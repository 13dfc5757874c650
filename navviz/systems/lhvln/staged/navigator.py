"""``staged(NAVIGATOR)``: LH-VLN's baseline "GPT-4 + NaviLLM" with any navigator (Song et al. 2025,
section 6.1).

A task is split into its parts, by its list of sub-tasks or by a model; each is walked by the inner
navigator with a fresh memory, from where the one before ended. The end of a part is its stop,
whatever the inner navigator thought of it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import Field, create_model

from navviz.errors import InputError
from navviz.records import EndEvent, Episode, Event, PlanEvent, Trace
from navviz.systems.base import (
    MissingViews,
    NavigationTask,
    Navigator,
    Settings,
    TaskNavigator,
    learned_from,
)
from navviz.systems.lhvln.staged.events import Renumbered, stop_step
from navviz.systems.lhvln.staged.parts import (
    SPLIT_TITLE,
    TaskPart,
    parts_of,
    split_by_model,
    split_panel,
)
from navviz.systems.views_needed import declares_views, missing_views
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


class StagedSettings(Settings):
    """What `Staged` adds to the inner navigator's settings."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the inner navigator's settings: workers cannot import a class made on the
        fly.
        """
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
        inner = _inner_episode(episode, part, place, graph)
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


def _inner_episode(episode: Episode, part: TaskPart, place: _StagedPlace, graph: Graph) -> Episode:
    """Return the part as an episode of its own; its goal is for oracles only, which say so in their
    name.
    """
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
    return episode.model_copy(update=update)


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
