"""A plan that lost, added or moved a landmark where the walk went wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

import navviz
from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.causes.plans import PlanLandmarks
from navviz.analysis.counterfactuals.trials import Offer
from navviz.records import Explanation
from navviz.runner.repairs import repaired
from navviz.world.graph import Poi
from tests.analysis.causes.planted import Walk, city, faultless, trace_of
from tests.analysis.causes.plants import plan_landmarks

SEED = 4


def _found(walk: Walk) -> list[Explanation]:
    explained = explain_episode(trace_of(walk, SEED), city(), using=[PlanLandmarks()])
    return list(explained.causes)


def _past_the_goal() -> Walk:
    return plan_landmarks(faultless(SEED))


def test_a_lost_landmark_is_quoted_placed_and_written_into_the_last_line() -> None:
    walk = _past_the_goal()
    [cause] = _found(walk)
    name = walk.names[1]
    assert cause.sentence == f"The plan leaves out {name}, which stands where the route ends."
    words, place = cause.quotes
    assert walk.instruction[words.start : words.end] == name
    assert city().pois[place.poi or ""].name == name
    assert cause.repair is not None
    trace = trace_of(walk, SEED)
    past = repaired(trace, cause.repair, city())
    line = past.sub_goals[-1].description
    assert line == f"Walk on and end there. Walk on to {name} and end there."
    kept = [goal.description for goal in past.sub_goals[:-1]]
    assert kept == [goal.description for goal in trace.sub_goals[:-1]]
    assert Offer(cause.repair, cause.id).words == f"with “{line}” as line 5 of the plan"


@pytest.mark.parametrize(
    ("last", "found"),
    [
        ("Walk on to the {name}s and end there", False),
        ("Walk on to {first} and end there", False),
        ("Walk on past {name} and end there", False),
        ("Walk on and end there", True),
    ],
)
def test_any_of_its_words_in_the_plan_keeps_it(last: str, found: bool) -> None:
    walk = _past_the_goal()
    name = walk.names[1]
    line = last.format(name=name, first=name.split()[0])
    causes = _found(replace(walk, goals=[*walk.goals[:-1], line]))
    assert bool(causes) == found


def test_what_stands_beyond_the_goal_counts_only_where_the_walk_went_too_far() -> None:
    walk = _past_the_goal()
    name = walk.names[1]
    beyond = f"Walk on and end there. If you reach {name}, you've gone too far."
    text = walk.instruction.replace(f"Walk on to {name} and end there.", beyond)
    assert _found(replace(walk, instruction=text))
    short = replace(walk.moves[-1], path=walk.moves[-1].path[:2])
    assert not _found(replace(walk, instruction=text, moves=[*walk.moves[:-1], short]))
    short_without = replace(walk, moves=[*walk.moves[:-1], short])
    assert _found(short_without)


def test_a_name_that_the_plan_alone_has_is_added() -> None:
    walk = _past_the_goal()
    name = walk.names[1]
    text = walk.instruction.replace(f"Walk on to {name} and end there", "Walk on and end there")
    goals = [*walk.goals[:-1], f"MOVE_FORWARD to {name} and STOP"]
    [cause] = _found(replace(walk, instruction=text, goals=goals))
    assert cause.sentence == f"Sub-goal 5 names {name}, which the instruction does not."
    assert cause.quotes[0].text == goals[-1]


def test_another_order_counts_between_sentences_alone() -> None:
    walk = _past_the_goal()
    name = walk.names[1]
    graph = city.__wrapped__()
    at = graph.position(walk.route[-1])
    light = f"l{walk.route[-1]}"  # the map's list of places is made once, so that one changes
    graph.pois[light] = Poi(light, at, {"amenity": "bar", "name": "Velvet Otter"})
    goals = [*walk.goals[:-1], f"Walk on to {name}", "Walk past Velvet Otter and end there"]
    apart = replace(
        walk, goals=goals, instruction=f"Pass Velvet Otter on the left. Then end at {name}."
    )
    together = replace(apart, instruction=f"Pass Velvet Otter on the left, then end at {name}.")
    using = [PlanLandmarks()]
    [cause] = explain_episode(trace_of(apart, SEED), graph, using=using).causes
    assert cause.sentence == (
        f"The plan comes to {name} before Velvet Otter; the instruction names them the other way"
        " round."
    )
    assert [quote.source for quote in cause.quotes] == ["instruction"] * 2 + ["plan"] * 2 + ["map"]
    assert not explain_episode(trace_of(together, SEED), graph, using=using).causes


def test_a_line_that_never_became_due_did_no_harm() -> None:
    walk = _past_the_goal()
    early = [replace(walk.moves[-1], sub_goal=3, status="IN_PROGRESS")]
    assert not _found(replace(walk, moves=[*walk.moves[:-1], *early]))


def test_each_of_several_tasks_has_a_plan_of_its_own() -> None:
    run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "staged-rules")
    for key in run.traces:
        assert run.trace(key).episode.tasks
        found = explain_episode(run.trace(key), run.graph(key)).ids
        assert not found & {"plan-landmarks", "plan-turns"}
