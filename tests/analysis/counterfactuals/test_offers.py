"""What the player offers to repair: of the likely cause, else the right link once."""

from __future__ import annotations

from itertools import pairwise

import pytest

import navviz
from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.counterfactuals.trials import causes_and_repairs, offer_for, repairs_estimate
from navviz.metrics.divergence import find_divergence
from navviz.records import Call, Usage
from tests.paths import SAMPLES


@pytest.fixture(scope="module")
def run():
    return navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")


def test_the_leading_explanation_with_a_repair_comes_first(run):
    trace, graph = run.trace("8"), run.graph("8")
    leading = explain_episode(trace, graph).leading
    offer = offer_for(trace, graph)
    assert (offer.plan, offer.cause) == (leading.repair, "ambiguous")
    document = causes_and_repairs(trace, graph)
    assert document["repair"] == offer.words == "the right link once"
    assert document["repairs"] == [offer.words]
    assert offer_for(trace, graph, 0) == offer
    assert offer_for(trace, graph, 1) is None


def test_without_a_cause_the_right_link_is_offered_where_the_route_was_left(run):
    graph = run.graph("7")
    # what the navigator noted of its ways explains this walk; without it nothing does
    steps = [step.model_copy(update={"observation": None}) for step in run.trace("7").steps]
    trace = run.trace("7").model_copy(update={"steps": tuple(steps)})
    assert explain_episode(trace, graph).leading is None
    offer = offer_for(trace, graph)
    departure = find_divergence(trace, graph)
    assert (offer.cause, offer.plan.kind, offer.plan.step) == (None, "take_link", departure.step)
    node, to = offer.plan.parameters["node"], offer.plan.parameters["to"]
    assert (node, to) in set(pairwise(trace.episode.reference_path))


def test_a_success_has_no_repair_and_no_causes(run):
    successes = [
        key for key in run.traces if explain_episode(run.trace(key), run.graph(key)).success
    ]
    trace, graph = run.trace(successes[0]), run.graph(successes[0])
    assert causes_and_repairs(trace, graph) is None
    assert offer_for(trace, graph) is None


def test_a_log_that_does_not_tell_its_settings_offers_none(run):
    trace, graph = run.trace("8"), run.graph("8")
    header = trace.header.model_copy(update={"source": "walks.json"})
    other = trace.model_copy(update={"header": header})
    assert offer_for(other, graph) is None
    document = causes_and_repairs(other, graph)
    assert document["repair"] is None
    assert document["repairs"] == [None]


def test_the_estimate_is_what_the_same_steps_took(run):
    trace = run.trace("8")
    call = Call(reply="left")
    usage = Usage(prompt_tokens=10, output_tokens=2)
    priced = call.model_copy(update={"usage": usage, "cost_usd": 0.5})
    steps = [step.model_copy(update={"calls": (priced, priced)}) for step in trace.steps]
    walk = trace.model_copy(update={"steps": tuple(steps)})
    left = len(trace.steps) - 1
    assert repairs_estimate(walk, 2) == (2 * left, 24 * left, pytest.approx(left))
    unpriced = steps[-1].model_copy(update={"calls": (call,)})
    walk = walk.model_copy(update={"steps": (*steps[:-1], unpriced)})
    assert repairs_estimate(walk, 2)[2] is None
