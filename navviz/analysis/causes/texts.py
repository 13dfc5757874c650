"""What the prompts up to a step hold of names and places, searched in their whole text.

Instruction and plan stand in nearly every prompt, and so does what the planner asks to look for:
these name a landmark without showing it. They are left out; all else of a prompt counts as shown,
in any format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from navviz.analysis.landmarks import own_words
from navviz.records import Quote, Step
from navviz.systems.causes import CauseContext, quote_of

_LOOKED_FOR: Final = re.compile(
    r'"poi_legend": ?(?:\{[^}]*\}|null)'
    r"|^(?:[^\w\n]|_)*(?:current |due |next |active )?"
    r"(?:sub-?goals?|landmarks?|instructions?|tasks?|targets?"
    r"|plan|(?:poi[ _])?legend|looking for)\b[^:\n]{0,24}:.*$",
    re.IGNORECASE | re.MULTILINE,
)

"""What a prompt says of the task, and no place."""

_STREET_NAMES: Final = r"(?:street|st|avenue|av|ave|road|rd|row|place|pl|lane|ln|drive|alley|slip)"

_QUOTED: Final = 400
_ENTRY: Final = 80
"""Letters of a prompt from a node's name to the word that stands for its way, at most."""

_LIST_OF_PLACES: Final = re.compile(r'"pois": ?\[[^\]]*\]')


@dataclass(frozen=True, slots=True)
class ShownText:
    """One text that the agent was shown, without what it was task to do."""

    step: int
    call: int | None
    message: int | None
    whole: str
    text: str
    """As long as `whole`, with blanks for what was left out."""

    def quote(self, span: tuple[int, int]) -> Quote:
        """Quote some characters of it."""
        return quote_of(
            "prompt", self.whole, span, step=self.step, call=self.call, message=self.message
        )


def shown_texts(context: CauseContext, steps: Iterable[Step]) -> Iterator[ShownText]:
    """Yield the texts of some steps: prompts, and observations that stand in none."""
    for step in steps:
        messages = []
        for number, call in enumerate(step.calls):
            for at, message in enumerate(call.messages):
                messages.append(message.text)
                # what the agent wrote itself shows it nothing
                if message.role == "assistant":
                    continue
                yield ShownText(
                    step.index, number, at, message.text, _shown(context, step, message.text)
                )
        seen = "" if step.observation is None else step.observation.text
        if seen and not any(seen in text for text in messages):
            yield ShownText(step.index, None, None, seen, _shown(context, step, seen))


def _shown(context: CauseContext, step: Step, text: str) -> str:
    """Return a prompt with blanks for instruction, plan and what is looked for."""
    kept = context.once(_blanked)
    if text not in kept:
        task = [context.episode.instruction]
        task += [goal.description for goal in (*step.plan, *context.trace.sub_goals)]
        words = sorted({part.strip() for part in task if part.strip()}, key=len, reverse=True)
        blanked = text
        for word in words:
            blanked = re.sub(re.escape(word), " " * len(word), blanked, flags=re.IGNORECASE)
        kept[text] = _LOOKED_FOR.sub(lambda part: " " * len(part[0]), blanked)
    return kept[text]


def _blanked(context: CauseContext) -> dict[str, str]:
    del context
    return {}


def name_pattern(name: str) -> re.Pattern[str] | None:
    """Return a pattern that finds a landmark's name in any format, without its article;
    ``None`` for a name without a word.
    """
    bare = re.sub(r"^(?:the|a|an)\s+", "", name.strip(), flags=re.IGNORECASE)
    words = re.findall(r"[^\W_]+", bare)
    if not words:
        return None
    joined = r"[\W_]{0,3}".join(map(re.escape, words))
    # "Park Avenue" is no park, and "Church Street" no church
    street = "" if own_words(bare) else rf"(?![ _-]{{1,2}}{_STREET_NAMES}(?![^\W_]))"
    # not `\b`, which finds no edge between a letter and an underscore
    return re.compile(rf"(?<![^\W_]){joined}(?:e?s)?(?![^\W_]){street}", re.IGNORECASE)


def where_shown(context: CauseContext, names: Iterable[str], steps: Iterable[Step]) -> Quote | None:
    """Quote the first place where a prompt of some steps shows one of some names."""
    patterns = [pattern for name in names if (pattern := name_pattern(name)) is not None]
    for shown in shown_texts(context, steps):
        for pattern in patterns:
            match = pattern.search(shown.text)
            if match is not None:
                return shown.quote(match.span())
    for step in steps:
        for poi in () if step.observation is None else step.observation.pois:
            if any(pattern.search(poi.name) for pattern in patterns):
                return Quote(source="decision", text=f"shown: {poi.name}", step=step.index)
    return None


def names_of(context: CauseContext, name: str) -> list[str]:
    """Return a landmark's name, that of its place on the map, and its own words without kinds."""
    names = [name]
    names += [p.poi_name for p in context.landmarks if p.name == name and p.poi_name]
    own = " ".join(own_words(name))
    return [*names, own] if own else names


def node_quote(step: Step, node: str, word: str = "") -> Quote | None:
    """Quote the first place where a step's prompts name a node; ``None`` where none does.

    With the `word` that the prompt has for it, up to that word, where it follows at once.
    """
    for number, call in enumerate(step.calls):
        for at, message in enumerate(call.messages):
            start = message.text.find(node)
            if start >= 0:
                end = start + len(node)
                of_word = message.text.find(word, end, end + _ENTRY) if word else -1
                span = (start, end if of_word < 0 else of_word + len(word))
                return quote_of(
                    "prompt", message.text, span, step=step.index, call=number, message=at
                )
    return None


def shown_nodes(step: Step) -> frozenset[str] | None:
    """Return the places that a step was shown; ``None`` where that was not logged."""
    # a grid draws places without naming them
    if step.observation is None or step.observation.format == "grid":
        return None
    nodes = set(step.observation.visible_nodes)
    for candidate in step.observation.candidates:
        nodes.add(candidate.node)
    return frozenset(nodes) or None


def searched_quotes(step: Step) -> Iterator[Quote]:
    """Quote what a step's prompt lists, in which something does not stand."""
    seen = "" if step.observation is None else step.observation.text
    for number, call in enumerate(step.calls):
        for at, message in enumerate(call.messages):
            lists = list(_LIST_OF_PLACES.finditer(message.text))
            start = message.text.find(seen) if seen else -1
            if lists:
                span = lists[-1].span()
            elif start >= 0:
                span = (start, start + min(len(seen), _QUOTED))
            else:
                continue
            yield quote_of("prompt", message.text, span, step=step.index, call=number, message=at)
            return


def thoughts_quote(step: Step, span: tuple[int, int], text: str) -> Quote | None:
    """Quote characters of a step's joined thoughts (`CauseContext.thoughts`) where they stand."""
    words = text[slice(*span)].strip()
    for number, call in enumerate(step.calls):
        at = (call.thoughts or "").find(words)
        if words and at >= 0 and call.thoughts is not None:
            return quote_of(
                "thoughts", call.thoughts, (at, at + len(words)), step=step.index, call=number
            )
    return None
