"""The rule scanners: by hand, and on GROKE's published logs."""

from __future__ import annotations

import pytest

from navviz.analysis.scanners.registry import (
    DroppedTurn,
    OtherSide,
    SamePlace,
    UnknownId,
    WordsRemain,
    get_scanners,
    scan_run,
)
from navviz.formats import open_graph, open_results
from navviz.records import Call, Candidate, Decision, Message, Observation, Step, SubGoal, Trace
from tests.grids import episode, grid, trace

GRAPH = grid(9)
EAST = tuple(f"r3c{k}" for k in range(4))
NORTH, SOUTH = ("r3c3", "r4c3", "r5c3"), ("r3c3", "r2c3", "r1c3")


def walked(
    instruction: str, *moves: tuple[str, ...], plan: tuple[str, ...] = (), **changes
) -> Trace:
    own_trace = trace(episode(EAST).model_copy(update={"instruction": instruction}), moves)
    goals = tuple(SubGoal(description=text) for text in plan)
    steps = tuple(
        step.model_copy(update={"sub_goal": min(k, len(goals) - 1) if goals else None} | changes)
        for k, step in enumerate(own_trace.steps)
    )
    return own_trace.model_copy(update={"sub_goals": goals, "steps": steps})


def test_said_left_chose_right():
    plan = ("Go ahead", "Turn left at the bank")
    (hit,) = OtherSide().scan(walked("Turn left.", EAST, SOUTH, plan=plan), GRAPH)
    assert (hit.step, hit.code) == (2, "A3.1")
    assert hit.sentence == "The sub-goal “Turn left at the bank” said left, the move turned right."
    assert not list(OtherSide().scan(walked("Turn left.", EAST, NORTH, plan=plan), GRAPH))
    both = ("Go ahead", "Turn left, then turn right")
    assert not list(OtherSide().scan(walked("Turn left.", EAST, SOUTH, plan=both), GRAPH))


def test_thoughts_count_where_the_plan_is_silent():
    call = Call(thoughts="I will turn left here.")
    (hit,) = OtherSide().scan(
        walked("Walk.", (*EAST, *SOUTH[1:]), plan=("Go ahead",), calls=(call,)), GRAPH
    )
    assert hit.sentence.startswith("The thoughts said left")


def test_an_id_that_was_not_in_the_prompt():
    def trace_of(target: str, observation: Observation | None = None) -> Trace:
        call = Call(messages=(Message(role="user", text="You may go to r3c1."),))
        return walked(
            "Walk.", EAST, calls=(call,), decision=Decision(target=target), observation=observation
        )

    assert not list(UnknownId().scan(trace_of("r3c1"), GRAPH))
    (hit,) = UnknownId().scan(trace_of("r9c9"), GRAPH)
    assert hit.sentence == "The reply names r9c9, which the prompt does not hold."
    offered = Observation(format="panorama", candidates=(Candidate(node="r9c9", label="A"),))
    assert not list(UnknownId().scan(trace_of("r9c9", offered), GRAPH))
    # a log without prompts tells nothing
    assert not list(UnknownId().scan(walked("Walk.", EAST), GRAPH))


def test_the_same_place_three_times():
    there, back = ("r3c0", "r3c1"), ("r3c1", "r3c0")
    assert [
        hit.step
        for hit in SamePlace().scan(walked("Walk.", there, back, there, back, there), GRAPH)
    ] == [4]
    assert [hit.step for hit in SamePlace().scan(walked("Walk.", EAST, (), (), ()), GRAPH)] == [4]
    assert not list(SamePlace().scan(walked("Walk.", EAST, NORTH), GRAPH))


def test_stopped_although_words_remain():
    text = "Go ahead and turn left. Then turn right and stop."
    (hit,) = WordsRemain().scan(walked(text, EAST, NORTH), GRAPH)
    assert (hit.step, hit.code) == (2, "A4.1")
    assert "never turned right" in hit.sentence
    assert not list(WordsRemain().scan(walked(text, EAST, NORTH, ("r5c3", "r5c4", "r5c5")), GRAPH))
    cut = walked(text, EAST).model_copy(update={"end": None})
    assert not list(WordsRemain().scan(cut, GRAPH))  # it did not stop, the log ends


def test_the_plan_dropped_a_turn():
    text = "Turn left at the bank. Turn right at the light and stop with a church on the left."
    (hit,) = DroppedTurn().scan(walked(text, EAST, plan=("Turn left at the bank", "Stop")), GRAPH)
    assert (hit.step, hit.sentence) == (None, "The plan has 0 turns right, the instruction 1.")
    whole = ("MOVE_FORWARD and left at the bank", "TURN_RIGHT at the light")
    assert not list(DroppedTurn().scan(walked(text, EAST, plan=whole), GRAPH))
    assert not list(DroppedTurn().scan(walked(text, EAST), GRAPH))


@pytest.mark.nightly
@pytest.mark.data
def test_the_published_logs(data_dir):
    graph = open_graph(data_dir / "map2seq" / "osm" / "graph")
    (run,) = open_results(data_dir / "groke" / "paper_results" / "ablation_study_json", graph)
    hits = scan_run(run.traces, lambda _world: graph, get_scanners())
    assert {name: len(own) for name, own in hits.items()} == {
        "other-side": 0,
        "unknown-id": 0,
        "same-place": 2,
        "words-remain": 6,
        "dropped-turn": 0,
        "text-against-route": 1,
    }
    swapped = {key: _mirrored(one) for key, one in run.traces.items()}
    assert len(scan_run(swapped, lambda _world: graph, [OtherSide()])["other-side"]) == 168


def _mirrored(one: Trace) -> Trace:
    """The same walk with left and right swapped in its plan."""

    def swap(goals: tuple[SubGoal, ...]) -> tuple[SubGoal, ...]:
        texts = [
            goal.description.replace("LEFT", "\0")
            .replace("left", "\1")
            .replace("RIGHT", "LEFT")
            .replace("right", "left")
            for goal in goals
        ]
        texts = [text.translate({0: "RIGHT", 1: "right"}) for text in texts]
        return tuple(
            goal.model_copy(update={"description": text})
            for goal, text in zip(goals, texts, strict=True)
        )

    steps = tuple(
        Step.model_validate(step.model_dump() | {"plan": swap(step.plan), "calls": ()})
        for step in one.steps
    )
    return one.model_copy(update={"sub_goals": swap(one.sub_goals), "steps": steps})
