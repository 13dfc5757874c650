"""A navigator that keeps one bearing."""

from __future__ import annotations

from collections.abc import Iterator

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
)
from navviz.systems.base import Settings
from navviz.world.graph import Graph


class CompassSettings(Settings):
    """Where to, and how far."""

    bearing_deg: float = Field(
        0.0, ge=0, lt=360, description="Bearing to keep, in degrees clockwise from north."
    )
    steps: int = Field(5, ge=0, le=100, description="Links to walk.")


class Compass:
    """Takes the link nearest to one bearing, again and again."""

    name = "compass"
    summary = "Keeps one bearing; does not read the instruction."
    needs_model = False
    frames = frozenset({"geo", "metric"})
    settings_type = CompassSettings

    def navigate(
        self,
        episode: Episode,
        graph: Graph,
        llm: object,
        settings: CompassSettings,
        past: Trace | None = None,
    ) -> Iterator[Event]:
        """Walk `settings.steps` links, or until there is none."""
        node = past.path[-1] if past is not None else episode.start
        first = len(past.steps) + 1 if past is not None else 1
        for index in range(first, settings.steps + 1):
            links = graph.links(node)
            if not links:
                break
            target = min(
                links, key=lambda link: abs((link[1] - settings.bearing_deg + 180) % 360 - 180)
            )[0]
            yield StepEvent(index=index, node=node)
            yield DecisionEvent(
                decision=Decision(
                    target=target, reason=f"nearest to {settings.bearing_deg:g} degrees"
                )
            )
            yield MoveEvent(path=(node, target))
            node = target
        yield EndEvent(status="done", node=node)
