"""Causes that only NavGPT's text can have: a way that its code leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from navviz.records.finding import Explanation, Grade
from navviz.systems.base import CauseContext, Need, Precision, left_at
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
    precision: ClassVar[Precision] = Precision(read=0, right=0)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Explanation]:
        """Yield the steps that left the route where its next viewpoint was left out."""
        # other systems write their text by other code, without this gap
        if context.trace.header.navigator != NAVIGATOR:
            return
        hidden = hidden_steps(context.trace, context.graph)
        for left in left_at(context):
            due = hidden.get(left.step.index)
            if due is None or _was_written(context, left.step.index, due):
                continue
            heading_deg = context.graph.heading_deg(left.node, due) % 360.0
            yield left.cause(
                self,
                context,
                sentence=(
                    f"In step {left.step.index} the route's way lies at {heading_deg:.0f}°, which"
                    " NavGPT's code does not write."
                ),
                proof=f"the route goes on to {due} at {heading_deg:.1f}°",
            )


def _was_written(context: CauseContext, index: int, node: str) -> bool:
    """Whether a step's prompts name a viewpoint all the same, as our own complete text does."""
    step = context.step(index)
    if step is None or step.observation is None:
        return False
    return node in step.observation.text or node in step.observation.visible_nodes
