"""The sentences of a reordered instruction as a plan: given out, due, skipped, still to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from navviz.language.reorder import sentences
from navviz.records import SubGoal
from navviz.systems.skillnav.panels import span_in


def plan_of(
    reordered: str, given: Sequence[str], current: str
) -> tuple[tuple[SubGoal, ...], int | None]:
    """Return the sentences of the reordered text as a plan, and the index of the one that is due.

    Given out before: completed; before the current one and never given out: skipped; the rest: to
    do.
    """
    spans = sentences(reordered)
    named = {k for part in given if (k := _sentence_at(reordered, spans, part)) is not None}
    now = _sentence_at(reordered, spans, current)
    latest = max(named | ({now} if now is not None else set()), default=-1)
    goals = []
    for k, (start, end) in enumerate(spans):
        if k == now:
            tries = sum(_sentence_at(reordered, spans, part) == k for part in given) or None
            goals.append(
                SubGoal(description=reordered[start:end], status="IN_PROGRESS", iteration=tries)
            )
        elif k in named:
            goals.append(SubGoal(description=reordered[start:end], status="COMPLETED"))
        else:
            goals.append(
                SubGoal(
                    description=reordered[start:end], status="SKIPPED" if k < latest else "TODO"
                )
            )
    return tuple(goals), now


def _sentence_at(text: str, spans: Sequence[tuple[int, int]], part: str) -> int | None:
    """Find the sentence in which a sub-instruction begins, or, where it is not verbatim, that holds
    its words.
    """
    span = span_in(text, part)
    if span is not None:
        return next((k for k, (start, end) in enumerate(spans) if start <= span[0] < end), None)
    words = set(re.findall(r"\w+", part.lower()))
    if not words:
        return None
    sentences = [set(re.findall(r"\w+", text[start:end].lower())) for start, end in spans]
    # the number is negative, so that of equal shares the first sentence is the greatest
    shares = [(len(words & sentence) / len(words), -k) for k, sentence in enumerate(sentences)]
    best, place = max(shares, default=(0.0, 0))
    return -place if best >= 0.6 else None
