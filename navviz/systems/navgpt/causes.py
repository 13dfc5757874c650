"""Causes that only NavGPT's text can have: a way that its code leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from navviz.records.finding import Explanation
from navviz.systems.base import CauseContext, Need, hidden_way
from navviz.systems.navgpt.prompts.text import NAVIGATOR, hidden_steps

__all__ = ["LeftOutWay"]


class LeftOutWay:
    """NavGPT's published code writes no way whose heading lies between 337.5 and 345 degrees."""

    id: ClassVar[str] = "navgpt-left-out-way"
    name: ClassVar[str] = "Way left out of the text"
    summary: ClassVar[str] = (
        "Where the route was left, the next viewpoint lay at 337.5 to 345 degrees, which NavGPT's"
        " published code does not write; proved by the heading and the prompt searched."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"steps", "route", "links"})

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the way that was left out where the route was left."""
        step, node = context.step, context.act.node
        # other systems write their text by other code, without this gap
        if step is None or node is None or context.trace.header.navigator != NAVIGATOR:
            return
        due = hidden_steps(context.trace, context.graph).get(step.index)
        seen = step.observation
        # our own complete text names it all the same
        if due is None or seen is None or due in seen.text or due in seen.visible_nodes:
            return
        heading_deg = context.graph.heading_deg(node, due) % 360.0
        left = hidden_way(
            self,
            context,
            f"In step {step.index} the route's way lies at {heading_deg:.0f}°, which NavGPT's code"
            " does not write.",
            f"the route goes on to {due} at {heading_deg:.1f}°",
        )
        if left is not None:
            yield left
