"""The check that every explanation passes: quotes, names that were shown, counts on the map."""

from __future__ import annotations

from dataclasses import replace

import pytest

from navviz.analysis.acts import decisive_act
from navviz.analysis.causes.check import contradiction_of
from navviz.analysis.causes.engine import context_of, explain_episode
from navviz.metrics.divergence import find_divergence
from navviz.records import Quote
from tests.analysis.causes.planted import city, faultless, trace_of
from tests.analysis.causes.plants import PLANTS


def _planted(kind, seed=1, **changes):
    walk = PLANTS[kind](faultless(seed))
    trace = trace_of(replace(walk, **changes), seed)
    divergence = find_divergence(trace, city())
    context = context_of(trace, city(), decisive_act(trace, city(), divergence), divergence)
    return context, explain_episode(trace, city()).leading


@pytest.mark.parametrize("kind", PLANTS)
def test_what_is_shown_holds(kind):
    context, leading = _planted(kind)
    assert leading is None or contradiction_of(leading, context) is None


def test_a_name_that_stands_in_the_prompt_in_any_format_was_shown():
    context, leading = _planted("waits-for")
    name = context.act.act.landmarks[0]
    assert f"“{name}”" in leading.sentence
    # neither a list of places nor an observation: a line of the prompt, in another spelling
    for spelled in (f"near: {name.upper()}", f'{{"poi": "{name.lower().replace(" ", "_")}"}}'):
        steps = []
        for step in context.trace.steps:
            calls = []
            for call in step.calls:
                text = f"{spelled}\n{call.messages[0].text}"
                message = call.messages[0].model_copy(update={"text": text})
                calls.append(call.model_copy(update={"messages": (message,)}))
            steps.append(step.model_copy(update={"calls": tuple(calls)}))
        trace = context.trace.model_copy(update={"steps": tuple(steps)})
        shown = replace(context, trace=trace)
        bare = leading.model_copy(update={"quotes": leading.quotes[-1:]})
        assert "shows" in contradiction_of(bare, shown)


def test_the_instruction_and_the_plan_in_a_prompt_show_nothing():
    context, leading = _planted("waits-for")
    steps = []
    for step in context.trace.steps:
        calls = []
        for call in step.calls:
            lines = [f"Instruction: {context.episode.instruction}", "Planning State:"]
            lines += [f"{k}. {goal.description}" for k, goal in enumerate(step.plan)]
            message = call.messages[0].model_copy(
                update={"text": "\n".join([*lines, call.messages[0].text])}
            )
            calls.append(call.model_copy(update={"messages": (message,)}))
        steps.append(step.model_copy(update={"calls": tuple(calls)}))
    trace = context.trace.model_copy(update={"steps": tuple(steps)})
    bare = leading.model_copy(update={"quotes": leading.quotes[-1:]})
    assert contradiction_of(bare, replace(context, trace=trace)) is None


@pytest.mark.parametrize(
    "quote",
    [
        Quote(source="instruction", text="Fly to the moon", start=0, end=15),
        Quote(source="thoughts", text="I am lost", step=2, call=0, start=0, end=9),
        Quote(source="reply", text="nowhere", step=99, call=0),
        Quote(source="prompt", text="x" * 9, step=1, call=0, message=7),
        Quote(source="plan", text="Turn", step=1, sub_goal=77),
    ],
)
def test_a_quote_that_does_not_stand_at_its_place_is_refused(quote):
    context, leading = _planted("miscounted")
    wrong = leading.model_copy(update={"quotes": (*leading.quotes, quote)})
    assert "does not stand" in contradiction_of(wrong, context)


def test_a_count_is_counted_again_on_the_map():
    context, leading = _planted("miscounted")
    places = [quote for quote in leading.quotes if quote.source == "map"]
    assert len(places) >= 3
    more = leading.sentence.replace(f"passed {len(places)}", f"passed {len(places) + 2}")
    assert "the map has" in contradiction_of(leading.model_copy(update={"sentence": more}), context)
    nowhere = leading.model_copy(
        update={"quotes": tuple(quote for quote in leading.quotes if quote.source != "map")}
    )
    assert "no place on the map" in contradiction_of(nowhere, context)
    dark = places[0].model_copy(update={"node": context.whole[1]})
    moved = leading.model_copy(update={"quotes": (dark, *places[1:])})
    assert "the map has no light" in contradiction_of(moved, context)
