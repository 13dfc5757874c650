"""A navigator of few rules on the grid, so that each cell can be worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import Field

from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    MoveEvent,
    StepEvent,
    Trace,
    TraceHeader,
)
from navviz.records.trace_files import fold
from navviz.systems.base import NavigationTask, Settings, TaskNavigator
from navviz.world.graph import Graph
from tests.grids import name


class AheadSettings(Settings):
    links: int = Field(3, description="Links to walk.")
    drift: bool = Field(default=False, description="Whether a fork of it walks one link less.")


class Ahead(TaskNavigator[AheadSettings]):
    """Walks straight on, one link a step, and stops after so many links."""

    name: ClassVar[str] = "ahead"
    summary: ClassVar[str] = "Walks straight on."
    needs_model: ClassVar[bool] = False
    frames: ClassVar[frozenset[Any]] = frozenset({"geo"})
    settings_type: ClassVar[type[Settings]] = AheadSettings

    def walk(self, task: NavigationTask[AheadSettings]) -> Iterator[Event]:
        walked = list(task.past.path) if task.past is not None else [task.episode.start]
        links = task.settings.links - (task.settings.drift and task.past is not None)
        heading_deg = task.episode.start_heading_deg or 0.0
        if len(walked) > 1:
            heading_deg = task.graph.heading_deg(walked[-2], walked[-1])
        index = task.past.steps[-1].index if task.past is not None and task.past.steps else 0
        while True:
            index += 1
            here, ways = walked[-1], task.graph.links(walked[-1])
            ahead = [
                to for to, way_deg in ways if abs((way_deg - heading_deg + 180) % 360 - 180) < 45
            ]
            stops = len(walked) > links or not ahead
            yield StepEvent(index=index, node=here)
            yield DecisionEvent(decision=Decision(target=here if stops else ahead[0], stop=stops))
            if stops:
                yield EndEvent(status="done", node=here)
                return
            yield MoveEvent(path=(here, ahead[0]))
            walked.append(ahead[0])


def episode(*reference: tuple[int, int], heading_deg: float = 0.0) -> Episode:
    """An episode along crossings of the grid; success within 15 m, less than a block."""
    nodes = tuple(name(*place) for place in reference)
    return Episode(
        id="1",
        dataset="grid",
        instruction="Go there.",
        start=nodes[0],
        start_heading_deg=heading_deg,
        reference_path=nodes,
        goal=nodes[-1],
        success_radius_m=15.0,
    )


def walked(task: Episode, graph: Graph, **settings: Any) -> Trace:
    """The walk of `Ahead`, as its trace."""
    navigator, own = Ahead(), AheadSettings(**settings)
    header = TraceHeader(navigator="ahead", settings=own.model_dump(mode="json"), episode=task)
    return fold([header, *navigator.navigate(task, graph, None, own)])
