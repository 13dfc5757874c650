"""A place that was shown and taken for the landmark, while the landmark stands elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from navviz.analysis.causes.landmarks import has_own_name, named_span, nearest_m, searched_quotes
from navviz.analysis.causes.stops import target_quotes
from navviz.analysis.causes.ways import decisive_departure
from navviz.analysis.landmarks import fate_of_landmarks
from navviz.analysis.turns import walked_turns
from navviz.records import Landmark, SeenPoi, Step
from navviz.records.cause import Cause, Grade, Quote, RepairPlan
from navviz.systems.causes import (
    CauseContext,
    LandmarkPlace,
    Need,
    Precision,
    cause_of,
    due_sub_goal,
    quote_of_node,
)
from navviz.world.graph import Poi

_APART_M: Final = 60.0
"""Two places nearer than this may be one: a place is attached to a node up to 50 m away."""


class AnotherTaken:
    """A place that answers to the landmark's name was shown, and it was the wrong one."""

    id: ClassVar[str] = "another-taken"
    name: ClassVar[str] = "Another place taken for the landmark"
    summary: ClassVar[str] = (
        "The walk turned or stopped at a place that answers to the due landmark's name, and another"
        " that answers to it stands where the route turns or ends; proved by the prompt, the reply"
        " and both places on the map."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "places", "route"})
    precision: ClassVar[Precision] = Precision(read=6, right=3, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Cause]:
        """Yield the place that was taken in the step that left the route, or that stopped."""
        step = context.step(context.departure or 0)
        goal = None if step is None else due_sub_goal(context, step)
        due = _due_place(context)
        if step is None or goal is None or due is None or step.observation is None:
            return
        for place in context.landmarks:
            if named_span(place.name, goal.description) is None or not has_own_name(place):
                continue
            taken = _taken(step, place)
            right = _answering(context, place.name, due)
            if taken is None or taken.node is None or right is None:
                continue
            if taken.node in context.graph and _apart(context, taken, right):
                yield self._cause(context, step, place, taken, right)

    def _cause(
        self,
        context: CauseContext,
        step: Step,
        place: LandmarkPlace,
        taken: SeenPoi,
        right: Poi,
    ) -> Cause:
        node = taken.node or ""
        away_m = nearest_m(context, right.id, [node])
        letter = f" ({taken.letter})" if taken.letter else ""
        target = step.decision.target if step.decision is not None else None
        quotes = [
            quote_of_node(
                context.graph, node, f"{taken.name}{letter}, the one that was taken", step.index
            ),
            Quote(
                source="map",
                text=f"{right.name}, the one of the route, {away_m:.0f} m away",
                poi=right.id,
                position=right.position,
            ),
        ]
        quotes += searched_quotes(step)
        quotes += target_quotes(step, target or "")
        return cause_of(
            self,
            sentence=(
                f"In step {step.index} another {place.name}{letter} was taken for the one of the"
                f" route, which stands {away_m:.0f} m away."
            ),
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=tuple(quotes),
            repair=RepairPlan(
                kind="show_landmark",
                step=step.index,
                parameters={"name": place.name, "poi": right.id},
            ),
        )


def _due_place(context: CauseContext) -> str | None:
    """Return the node where the route turns next after it was left, or where it ends."""
    route = context.episode.reference_path
    if context.divergence.kind in {"undershoot", "overshoot"}:
        return context.episode.goal or route[-1]
    departure = decisive_departure(context)
    if departure is None:
        return None
    for turn in walked_turns(route, context.graph):
        # the fork itself is where the walk left, not where it was to go
        if turn.place >= departure.place and turn.node != departure.node:
            return turn.node
    return None


def _taken(step: Step, place: LandmarkPlace) -> SeenPoi | None:
    """Return the shown place that the reply went to: it is attached to a node of the step's way."""
    if step.observation is None or step.decision is None:
        return None
    target = step.decision.target
    for poi in step.observation.pois:
        if poi.name.casefold() == place.name.casefold() and target in {poi.node, poi.poi_id}:
            return poi
    # a reply may name the node behind the corner at which the place stands
    ends = set(step.path[-3:])
    for poi in step.observation.pois:
        if poi.name.casefold() == place.name.casefold() and poi.node in ends:
            return poi
    return None


def _answering(context: CauseContext, name: str, node: str) -> Poi | None:
    """Return the place near a node that answers to a name best."""
    # a route of this one node: the usual search for landmarks then looks near it alone
    episode = context.episode.model_copy(update={"reference_path": (node,), "start": node})
    header = context.trace.header.model_copy(update={"episode": episode})
    update = {"header": header, "steps": (), "waypoints": None, "landmarks": (Landmark(name=name),)}
    fates = fate_of_landmarks(context.trace.model_copy(update=update), context.graph)
    return context.graph.pois[fates[0].poi] if fates and fates[0].poi is not None else None


def _apart(context: CauseContext, taken: SeenPoi, right: Poi) -> bool:
    return nearest_m(context, right.id, [taken.node or ""]) > _APART_M
