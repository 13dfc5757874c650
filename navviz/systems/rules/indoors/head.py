"""How both indoor navigators begin: the instruction is taken up, and where nothing of it is
understood they stop.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from navviz.records import (
    Decision,
    DecisionEvent,
    EndEvent,
    Episode,
    Event,
    Trace,
)
from navviz.systems.base import INDOORS, Frames, Navigator, Settings, own_settings
from navviz.systems.indoors import see
from navviz.systems.rules.indoors.common import InstructionTask, take_up
from navviz.systems.rules.indoors.explain import Explainer
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


class IndoorRules(Navigator, ABC):
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
        self,
        task: InstructionTask,
        explainer: Explainer,
        episode: Episode,
        settings: Settings,
        past: Trace | None,
    ) -> Iterator[Event]:
        """Plan and walk, from where the task stands."""

    def navigate(
        self,
        episode: Episode,
        graph: Graph,
        llm: LanguageModel | None,  # noqa: ARG002 - needs none
        settings: Settings,
        past: Trace | None = None,
    ) -> Iterator[Event]:
        """Walk the episode; see `navviz.systems.base.Navigator`."""
        # wrong ones are refused before anything is told
        own_settings(settings, self.settings_type, self.name)
        task = take_up(episode, graph, past)
        if task.explainer is None:
            yield from _nothing_understood(task, graph)
            return
        yield from self.follow(task, task.explainer, episode, settings, past)


def _nothing_understood(task: InstructionTask, graph: Graph) -> Iterator[Event]:
    """Stop at once: the instruction holds no word that was learned."""
    reason = "The instruction says nothing that the rules have learned to follow."
    yield from see(graph, task.index + 1, graph.ids[task.here], task.heading_deg)
    yield DecisionEvent(decision=Decision(target=graph.ids[task.here], stop=True, reason=reason))
    yield EndEvent(status="done", reason=reason, node=graph.ids[task.here])
