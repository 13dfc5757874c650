"""Causes outside of the model: a hidden way, an instruction that contradicts its route."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from navviz.analysis.causes.stops import node_in_prompt, target_quotes
from navviz.analysis.contradictions import Claim, contradictions
from navviz.analysis.turns import walked_turns
from navviz.metrics.departures import Departure
from navviz.records import Step
from navviz.records.finding import Explanation, Grade, RepairPlan
from navviz.systems.causes import CauseContext, Need, Precision, cause_of, quote_of, quote_of_node

_NEAR_LINKS: Final = 12
"""A contradiction further along the route from where the walk left it did not lead it astray."""

_WITHOUT_NODES: Final = frozenset({"grid"})
"""Formats that draw places without naming them; what they hold cannot be searched for a node."""


def decisive_departure(context: CauseContext) -> Departure | None:
    """Return the departure that decided the end; ``None`` where the end did."""
    for departure in context.divergence.departures:
        # by both, since a step of several links may leave the route twice
        if departure.step == context.departure and departure.node == context.divergence.node:
            return departure
    return None


def way_left(context: CauseContext) -> tuple[Departure, Step, str] | None:
    """Return the departure that decided the end, its logged step, and the route's next node there;
    ``None`` where the end decided, nothing was logged, or the route ended there.
    """
    departure = decisive_departure(context)
    step = None if departure is None else context.step(departure.step)
    route = context.episode.reference_path
    if departure is None or step is None or departure.place + 1 >= len(route):
        return None
    return departure, step, route[departure.place + 1]


class WayHidden:
    """The right way was not among what the agent was shown."""

    id: ClassVar[str] = "way-hidden"
    name: ClassVar[str] = "Right way hidden"
    summary: ClassVar[str] = (
        "Where the route was left, the next node of the route stood nowhere in the prompt, though"
        " the map links it; proved by the map and the candidates or prompts searched."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route", "links"})
    precision: ClassVar[Precision] = Precision(read=4, right=3, mended=1, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the step that left the route at a way that it was not shown."""
        left = way_left(context)
        if left is None:
            return
        departure, step, due = left
        # near the goal a walk may leave from a node off the route
        if context.episode.reference_path[departure.place] != departure.node:
            return
        if "prompts" not in context.has and context.graph.frame == "geo":
            return  # navigators without a model note what they chose from, not all that they saw
        # indoors only the ways from where one stands are shown: who walks back to another place
        # chooses there from what it was shown before
        if context.graph.frame != "geo" and departure.node != step.node:
            return
        shown = shown_nodes(step)
        # where the way that was taken is not listed either, the choice was not made from this list
        if shown is None or due in shown or departure.taken not in shown:
            return
        # a prompt may name nodes that the list of places lacks
        if node_in_prompt(step, due) is not None:
            return
        yield self._cause(context, step, departure, due, len(shown))

    def _cause(
        self, context: CauseContext, step: Step, departure: Departure, due: str, count: int
    ) -> Explanation:
        target = step.decision.target if step.decision is not None else None
        place = quote_of_node(
            context.graph,
            due,
            f"the route goes on to {due}, which none of the {count} places shown is",
            step.index,
        )
        quotes = (place, *target_quotes(step, target or ""))
        return cause_of(
            self,
            sentence=f"In step {step.index} the way that the route takes was not shown.",
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=quotes,
            repair=RepairPlan(
                kind="unhide_way",
                step=step.index,
                parameters={"node": departure.node, "to": due},
            ),
        )


def _turned_the_other_way(context: CauseContext, departure: Departure) -> bool:
    """Whether walk and route turn to opposite sides where the route was left.

    That is what obeying a wrong word comes to; comparing the texts takes 25 ms an episode.
    """
    route = context.episode.reference_path
    # `after` begins with the fork, with which `before` ends
    own = _turn_at((*departure.before[-12:], *departure.after[1:13]), departure, context)
    due = _turn_at(route[max(0, departure.place - 12) : departure.place + 13], departure, context)
    return own is not None and due is not None and own != due


def _turn_at(path: Sequence[str], departure: Departure, context: CauseContext) -> str | None:
    for turn in walked_turns(path, context.graph):
        if turn.node == departure.node:
            return turn.side
    return None


def shown_nodes(step: Step) -> frozenset[str] | None:
    """Return the places that a step was shown; ``None`` where that was not logged."""
    if step.observation is None or step.observation.format in _WITHOUT_NODES:
        return None
    nodes = set(step.observation.visible_nodes)
    for candidate in step.observation.candidates:
        nodes.add(candidate.node)
    return frozenset(nodes) or None


class Contradicted:
    """The instruction contradicts its own route where the walk left it."""

    id: ClassVar[str] = "instruction-contradicts-route"
    name: ClassVar[str] = "Instruction contradicts its route"
    summary: ClassVar[str] = (
        "Near where the route was left, the instruction says another side than the route and the"
        " map show; proved by its words and by the place on the route."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"route", "streets", "links"})
    precision: ClassVar[Precision] = Precision(read=3, right=3, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the contradictions near the departure that decided the end."""
        departure = decisive_departure(context)
        if departure is None or departure.kind != "wrong turn":
            return
        if not _turned_the_other_way(context, departure):
            return
        for claim in contradictions(context.episode, context.graph):
            if claim.kind == "turn" and self._near(context, departure, claim):
                yield self._cause(context, departure, claim)

    def _near(self, context: CauseContext, departure: Departure, claim: Claim) -> bool:
        place = context.episode.reference_path.index(claim.evidence.node)
        return abs(place - departure.place) <= _NEAR_LINKS

    def _cause(self, context: CauseContext, departure: Departure, claim: Claim) -> Explanation:
        start, end = claim.words or (0, 0)
        words = quote_of("instruction", context.episode.instruction, (start, end))
        node = claim.evidence.node
        place = quote_of_node(context.graph, node, f"the route shows {claim.shown} here")
        step = context.step(departure.step)
        parameters = {"start": start, "end": end, "word": claim.shown}
        return cause_of(
            self,
            sentence=claim.sentence,
            step=departure.step,
            sub_goal=None if step is None else step.sub_goal,
            quotes=(words, place),
            repair=RepairPlan(kind="swap_instruction_word", step=1, parameters=parameters),
        )
