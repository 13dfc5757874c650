"""Causes that only GROKE's prompts can have: two ways under one word of direction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from navviz.metrics.departures import Departure
from navviz.records import Step
from navviz.records.finding import Explanation, Grade, Quote, RepairPlan
from navviz.systems.base import CauseContext, Need, Precision, cause_of, quote_of

__all__ = ["SameDirection"]

_CONNECTION: Final = re.compile(
    r'\{"target_node_id": ?"(?P<target>[^"]+)", ?"heading": ?(?P<heading>[\d.]+),'
    r' ?"direction": ?"(?P<direction>\w+)"\}'
)


class SameDirection:
    """The prompt gives the right way and the way that was taken the same word of direction."""

    id: ClassVar[str] = "same-direction"
    name: ClassVar[str] = "Two ways under one direction"
    summary: ClassVar[str] = (
        "Where the route was left, the prompt calls the link of the route and the link that was"
        " taken by the same word (Left, Right, Forward); proved by both entries of the prompt and"
        " their headings."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "prompts", "route", "links"})
    precision: ClassVar[Precision] = Precision(read=3, right=3, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the step that left the route at two ways of one direction."""
        route = context.episode.reference_path
        for departure in context.divergence.departures:
            step = context.step(departure.step)
            last = departure.place + 1 >= len(route)
            if step is None or last or route[departure.place] != departure.node:
                continue
            entries = _entries(step, departure, route[departure.place + 1])
            if entries is not None:
                yield self._cause(step, departure, route[departure.place + 1], *entries)

    def _cause(
        self, step: Step, departure: Departure, due: str, word: str, quotes: tuple[Quote, Quote]
    ) -> Explanation:
        return cause_of(
            self,
            sentence=(
                f"In step {step.index} the prompt calls both the route's way and the way that was"
                f" taken “{word}”."
            ),
            step=step.index,
            sub_goal=step.sub_goal,
            quotes=quotes,
            repair=RepairPlan(
                kind="take_link", step=step.index, parameters={"node": departure.node, "to": due}
            ),
        )


def _entries(step: Step, departure: Departure, due: str) -> tuple[str, tuple[Quote, Quote]] | None:
    """Return the common word of two links, and where the prompt names them."""
    # a step that was logged twice has several calls, and each of them may hold the map
    for number, call in enumerate(step.calls):
        for at, message in enumerate(call.messages):
            links = _links_at(message.text, departure.node)
            right, taken = links.get(due), links.get(departure.taken)
            if right is None or taken is None or right["direction"] != taken["direction"]:
                continue
            place = {"step": step.index, "call": number, "message": at}
            first = quote_of("prompt", message.text, right.span(), **place)
            second = quote_of("prompt", message.text, taken.span(), **place)
            return right["direction"], (first, second)
    return None


def _links_at(text: str, node: str) -> dict[str, re.Match[str]]:
    """Return the links that the list of nodes in a prompt gives a node, by where they lead."""
    # the prompt writes links under their node alone, so that they are cut out by the next node's id
    begin = text.find(f'"id": "{node}"')
    if begin < 0:
        return {}
    end = text.find('"id": "', begin + 1)
    area = _CONNECTION.finditer(text, begin, end if end > 0 else len(text))
    return {match["target"]: match for match in area}
