"""Two ways that the navigator scored nearly alike: its own scores say so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from navviz.analysis.causes.ways import decisive_departure
from navviz.records import Candidate, Step
from navviz.records.cause import Cause, Grade, Quote, RepairPlan
from navviz.systems.causes import CauseContext, Need, Precision, cause_of, quote_of_node

_MARGIN: Final = 0.5
"""Share of the chosen way's score from which on a runner-up fits nearly as well: odds of 2 to 1."""


class Ambiguous:
    """The navigator scored the right way nearly as high as the one that it took."""

    id: ClassVar[str] = "ambiguous"
    name: ClassVar[str] = "Two ways scored alike"
    summary: ClassVar[str] = (
        "Where the route was left, the navigator scored a way that keeps to the route, or ends at"
        " the goal, within odds of 2 to 1 of the one it took; proved by both ways and their scores."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route"})
    precision: ClassVar[Precision] = Precision(read=117, right=110, mended=7)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Cause]:
        """Yield the step that left the route though the right way scored nearly as high."""
        # steps count from 1, so that 0 finds none
        step = context.step(context.departure or 0)
        if step is None or step.observation is None or context.divergence.kind == "none":
            return
        chosen = None
        for candidate in step.observation.candidates:
            if candidate.state == "chosen":
                chosen = candidate
        # half of a score of 0 or less is no nearness
        if chosen is None or not chosen.score or chosen.score < 0:
            return
        # who walks back to stop elsewhere chose that place; this way is only the first link there
        if _leads_elsewhere(step, chosen):
            return
        for candidate in step.observation.candidates:
            if candidate is chosen or not _is_alike(candidate.score, chosen.score):
                continue
            if _is_right(context, candidate):
                yield self._cause(context, step, chosen, candidate)
                return

    def _cause(
        self, context: CauseContext, step: Step, chosen: Candidate, right: Candidate
    ) -> Cause:
        quotes = (_drawn(context, step, chosen, "taken"), _drawn(context, step, right, "right"))
        text = context.episode.instruction
        words = Quote(source="instruction", text=text, start=0, end=len(text))
        return cause_of(
            self,
            sentence=(
                f"In step {step.index} the navigator scored the right way {right.score:.2f}, and"
                f" {chosen.score:.2f} the one that it took."
            ),
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=(*quotes, words),
            repair=_link_where_they_part(step, chosen, right),
        )


def _leads_elsewhere(step: Step, chosen: Candidate) -> bool:
    """Whether the decision names a place to which the chosen way does not lead."""
    target = step.decision.target if step.decision is not None else None
    return target is not None and target not in {chosen.node, *chosen.path}


def _is_alike(score: float | None, chosen: float) -> bool:
    """Whether two scores are within odds of 2 to 1, both ways: who explores may take a way that
    it scored far lower, and was not unsure.
    """
    return score is not None and _MARGIN * chosen <= score <= chosen / _MARGIN


def _link_where_they_part(step: Step, chosen: Candidate, right: Candidate) -> RepairPlan | None:
    """Return the link of the right way where both ways part; ``None`` where the right one is to
    stop on the same way.
    """
    for place, node in enumerate(right.path):
        if place and right.path[: place + 1] != chosen.path[: place + 1]:
            parameters = {"node": right.path[place - 1], "to": node}
            return RepairPlan(kind="take_link", step=step.index, parameters=parameters)
    return None


def _drawn(context: CauseContext, step: Step, candidate: Candidate, what: str) -> Quote:
    links = max(1, len(candidate.path) - 1)
    return quote_of_node(
        context.graph,
        candidate.node,
        f"the {what} way, score {candidate.score:.2f}, {links} links",
        step.index,
    )


def _is_right(context: CauseContext, candidate: Candidate) -> bool:
    """Whether a candidate keeps to the route where it was left, or ends at its goal."""
    route = context.episode.reference_path
    departure = decisive_departure(context)
    if departure is not None and departure.place + 1 < len(route):
        due = route[departure.place + 1]
        if due in {candidate.node, *candidate.path}:
            return True
    goal = context.episode.goal or route[-1]
    if candidate.node not in context.graph or len(candidate.path) < 2:
        return False
    away_m = context.graph.distance_m(candidate.node, goal)
    return float(away_m) <= context.episode.success_radius_m
