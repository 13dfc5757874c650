"""The one check that every explanation passes before it is shown.

What a sentence says must not be contradicted by its own quotes, the prompts or the map: each quote
is found at its place, what is "in no prompt" is searched in the whole text of the prompts, and what
was counted is counted again on the map.
"""

from __future__ import annotations

import re
from typing import Final

from navviz.analysis.causes.texts import names_of, shown_texts, where_shown
from navviz.analysis.crossings import has_light, is_crossing, passed_things
from navviz.records import Call
from navviz.records.finding import Explanation, Quote
from navviz.systems.causes import CauseContext

_NEVER: Final = re.compile(
    r"“(?P<name>[^”]+)”[^“”]*?(?:\bno prompt\b|\bnever (?:shown|in the prompt)\b"
    r"|\bnot in (?:the|any) prompt\b|\bwas not shown\b)(?P<where>[^“”]*)"
)

_PASSED: Final = re.compile(r"\bpassed (?P<number>\d+)\b")

_NUMBERED: Final = re.compile(r"(?P<thing>light|intersection) (?P<number>\d+) on the way")


def contradiction_of(explanation: Explanation, context: CauseContext) -> str | None:
    """Return what contradicts an explanation; ``None`` where nothing does."""
    for quote in explanation.quotes:
        source = _source_of(quote, context) if quote.is_verbatim else None
        if quote.is_verbatim and (source is None or not _stands(quote, source)):
            return f"the quote “{quote.text[:60]}” does not stand at its place"
    for claim in _NEVER.finditer(explanation.sentence):
        steps = [step for step in context.trace.steps if step.index == explanation.step]
        if "up to" in claim["where"] or "never" in claim[0]:
            steps = list(context.trace.steps)
        elif "of its" in claim["where"]:
            due = explanation.sub_goal
            steps = [step for step in context.trace.steps if step.sub_goal == due]
        # a step whose prompt was not logged may have shown it
        if not steps or not all(any(shown_texts(context, [step])) for step in steps):
            return f"not every step that “{claim['name']}” is missed in has a prompt"
        shown = where_shown(context, names_of(context, claim["name"]), steps)
        if shown is not None:
            return f"step {shown.step} shows “{claim['name']}”: “{shown.text[:60]}”"
    return _miscounted(explanation, context)


def _source_of(quote: Quote, context: CauseContext) -> str | None:
    """Return the text in which a quote says that it stands."""
    if quote.source == "instruction":
        return context.episode.instruction
    step = None if quote.step is None else context.trace.step_at(quote.step)
    if quote.source == "plan":
        goals = (() if step is None else step.plan) or context.trace.sub_goals or context.goals
        lines = [goal.description for goal in goals[quote.sub_goal or 0 :]]
        return lines[0] if lines else None
    calls: tuple[Call, ...] = context.trace.plan_calls if step is None else step.calls
    if quote.call is None:
        return step.observation.text if step is not None and step.observation else None
    texts: list[str | None] = []
    for call in calls[quote.call : quote.call + 1]:
        if quote.source == "prompt":
            texts += [message.text for message in call.messages][quote.message or 0 :]
        else:
            texts = [call.thoughts if quote.source == "thoughts" else call.reply]
    return texts[0] if texts else None


def _stands(quote: Quote, source: str) -> bool:
    if quote.start is None or quote.end is None:
        return quote.text in source
    return source[quote.start : quote.end] == quote.text


def _miscounted(explanation: Explanation, context: CauseContext) -> str | None:
    """Count what the map quotes number once more, and compare it with the sentence."""
    numbered = []
    for quote in explanation.quotes:
        match = _NUMBERED.fullmatch(quote.text) if quote.source == "map" else None
        if match is not None and quote.node is not None:
            numbered.append((quote.node, match["thing"]))
    stated = _PASSED.search(explanation.sentence)
    if not numbered:
        return "what was counted has no place on the map" if stated else None
    is_thing = has_light if numbered[0][1] == "light" else is_crossing
    nodes, walk = [node for node, _ in numbered], list(context.whole)
    wrong = [node for node in nodes if not is_thing(context.graph, node)]
    if wrong:
        return f"the map has no {numbered[0][1]} at {wrong[0]}"
    first = next((k for k, node in enumerate(walk) if walk[k:] and node == nodes[0]), None)
    if first is None:
        return f"the walk did not come by {nodes[0]}"
    last = first
    for node in nodes:
        if node not in walk[last:]:
            return f"the walk did not come by {node}"
        last = walk.index(node, last)
    passed = passed_things(context.graph, walk[max(0, first - 1) : last + 1], is_thing)
    if stated is not None and not passed.least <= int(stated["number"]) <= passed.most:
        return f"the map has {passed.least} to {passed.most}, not {stated['number']}"
    return None
