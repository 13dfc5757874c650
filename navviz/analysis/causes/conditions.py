"""Sub-goals whose condition cannot be seen in what the agent is shown at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

from navviz.analysis.causes.landmarks import named_span
from navviz.analysis.causes.progress import GoalStretch, stretches
from navviz.analysis.landmarks import own_words
from navviz.records.cause import Cause, Grade, Quote
from navviz.systems.causes import CauseContext, Need, Precision, cause_of, quote_of_sub_goal

_UNSEEN: Final = re.compile(
    r"\b(?:roads? merges?|merg(?:es?|ing)|bends?\b|curves?\b|veers?\b|bridges?|overpass(?:es)?"
    r"|tunnels?|underpass(?:es)?|buildings?|awnings?|murals?|scaffolding|hill|uphill|downhill|water|river"
    r"|walls?|fences?|gates?|trees?|statues?|mail ?(?:drop )?box(?:es)?|crosswalks?|medians?"
    r"|one[- ]way|cobblestones?|construction|flags?|steps? (?:up|down)|stop signs?)\b",
    re.IGNORECASE,
)
"""Words for what neither the links nor the tagged places of a street map say."""
_TRIES: Final = 3
"""One try more than the longest stretch that a count or a far landmark needs on the right way."""


class ConditionUnseen:
    """The sub-goal ends at something that the observation has no word for."""

    id: ClassVar[str] = "condition-unseen"
    name: ClassVar[str] = "Condition cannot be seen"
    summary: ClassVar[str] = (
        "A sub-goal that waits for something which the observation has no word for stayed in"
        " progress for three steps or more, and the route was left; proved by its words, the"
        " prompts searched and the tries."
    )
    needs: ClassVar[frozenset[Need]] = frozenset({"plan", "steps", "prompts"})
    precision: ClassVar[Precision] = Precision(read=2, right=1, mended=1, every=True)
    grade: ClassVar[Grade] = precision.grade

    def find(self, context: CauseContext) -> Iterator[Cause]:
        """Yield a cause for each sub-goal that waited in vain where the route was left."""
        for stretch in stretches(context):
            if len(stretch.steps) < _TRIES or context.departure is None:
                continue
            first, last = stretch.first.index, stretch.last.index
            match = _UNSEEN.search(stretch.text)
            # a wait that ended before the route was left did no harm
            if match is None or not first <= context.departure <= last:
                continue
            start, end = _whole_name(context, stretch.text, match)
            own = stretch.text[start : match.start()] + stretch.text[match.end() : end]
            # a place with a name of its own can be shown by it: "Jensen Lewis building"
            if own_words(own):
                continue
            if not _in_observation(stretch, match[0], context.departure):
                yield self._cause(context, stretch, match)

    def _cause(self, context: CauseContext, stretch: GoalStretch, match: re.Match[str]) -> Cause:
        step = stretch.first
        start, end = span = _whole_name(context, stretch.text, match)
        goal = quote_of_sub_goal(step.index, context.plan_at(step), stretch.sub_goal, span)
        tries = Quote(
            source="decision",
            text=f"due from step {step.index} to {stretch.last.index}",
            step=stretch.last.index,
        )
        return cause_of(
            self,
            sentence=(
                f"Sub-goal {stretch.sub_goal + 1} waits for “{stretch.text[start:end]}”, which"
                " nothing that the agent is shown can say; it was due for"
                f" {len(stretch.steps)} steps."
            ),
            step=step.index,
            sub_goal=stretch.sub_goal,
            quotes=(goal, tries),
        )


def _whole_name(context: CauseContext, text: str, match: re.Match[str]) -> tuple[int, int]:
    """Return the span of the landmark that a word belongs to, else of the word."""
    for place in context.landmarks:
        span = named_span(place.name, text)
        if span is not None and span[0] <= match.start() and match.end() <= span[1]:
            return span
    return match.span()


def _in_observation(stretch: GoalStretch, word: str, until: int) -> bool:
    """Whether the agent was shown, up to a step, a place whose name holds a word."""
    for step in stretch.steps:
        # what was shown only after the route was left could not be used
        if step.observation is None or step.index > until:
            continue
        for poi in step.observation.pois:
            if word.casefold() in poi.name.casefold():
                return True
    return False
