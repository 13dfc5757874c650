"""How much of a text is looked at for words.

A search for words may take time that grows with the square of a text's length where it holds a long
run of blanks or dots, and Python cannot end it before it is through. Instructions of the data sets
have at most 1,500 characters.
"""

from __future__ import annotations

from typing import Final

from navviz.records import Call, Trace
from navviz.support.cut_texts import cut_text

LONGEST_INSTRUCTION: Final = 4_000
"""The worst pattern takes a second for it."""
LONGEST_REPLY: Final = 20_000
"""Of a model; what it decided stands long before."""

LONGEST_ANSWER: Final = 50_000
"""Of the thoughts or the reply of one call, where a finished walk is analysed."""


def readable_trace(trace: Trace) -> Trace:
    """Return a trace whose thoughts and replies are of a length that can be analysed.

    It is the trace itself where nothing is longer; the record keeps the whole texts.
    """
    plan_calls = _readable_calls(trace.plan_calls)
    steps = []
    for step in trace.steps:
        calls = _readable_calls(step.calls)
        steps.append(step if calls is step.calls else step.model_copy(update={"calls": calls}))
    pairs = zip((plan_calls, *steps), (trace.plan_calls, *trace.steps), strict=True)
    if all(read is whole for read, whole in pairs):
        return trace
    return trace.model_copy(update={"plan_calls": plan_calls, "steps": tuple(steps)})


def _readable_calls(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Return calls with bounded texts; the same tuple where none is too long."""
    read = []
    for call in calls:
        texts = {"thoughts": call.thoughts or "", "reply": call.reply or ""}
        long = {name: text for name, text in texts.items() if len(text) > LONGEST_ANSWER}
        cut = {name: cut_text(text, LONGEST_ANSWER) for name, text in long.items()}
        read.append(call.model_copy(update=cut) if cut else call)
    return calls if all(a is b for a, b in zip(calls, read, strict=True)) else tuple(read)


def readable(text: str, most: int = LONGEST_INSTRUCTION) -> str:
    """Return the beginning of a text, as far as it is searched for words."""
    return text[:most]
