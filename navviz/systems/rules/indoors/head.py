"""How both indoor navigators begin: the instruction is taken up, and where nothing of it is
understood they stop.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, TypeVar

from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    Event,
)
from navviz.systems.base import INDOORS, Frames, NavigationTask, Settings, TaskNavigator
from navviz.systems.indoors import see
from navviz.systems.rules.indoors.common import InstructionTask, take_up
from navviz.systems.rules.indoors.explain import Explainer
from navviz.world.graph import Graph

_Own = TypeVar("_Own", bound=Settings)


class IndoorRules(TaskNavigator[_Own]):
    """A navigator that follows the phrases of an instruction through a house; sub-classes choose
    the way.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    needs_model: ClassVar[bool] = False
    frames: ClassVar[Frames] = INDOORS
    settings_type: ClassVar[type[Settings]]
    learned_from: ClassVar[str] = "R2R train"

    @abstractmethod
    def follow(
        self, task: NavigationTask[_Own], standing: InstructionTask, explainer: Explainer
    ) -> Iterator[Event]:
        """Plan and walk, from where the instruction was taken up."""

    def walk(self, task: NavigationTask[_Own]) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        standing = take_up(task.episode, task.graph, task.past)
        if standing.explainer is None:
            yield from _nothing_understood(standing, task.graph)
            return
        yield from self.follow(task, standing, standing.explainer)


def _nothing_understood(standing: InstructionTask, graph: Graph) -> Iterator[Event]:
    """Stop at once: the instruction holds no word that was learned."""
    reason = "The instruction says nothing that the rules have learned to follow."
    node = graph.ids[standing.here]
    yield from see(graph, standing.index + 1, node, standing.heading_deg)
    yield DecisionEvent(decision=Decision(target=node, stop=True, reason=reason))
    yield EndEvent(status="done", reason=reason, node=node)
