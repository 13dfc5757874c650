"""Scanners: of instructions, by a model, by rules."""

from __future__ import annotations

import json

import pytest

from navviz.analysis.contradictions import contradictions
from navviz.analysis.scanners.model import kappa_against, label_failures, model_prompt
from navviz.analysis.scanners.registry import (
    DroppedTurn,
    OtherSide,
    SamePlace,
    TextAgainstRoute,
    UnknownId,
    WordsRemain,
    get_scanners,
    scan_run,
)
from navviz.annotation.records import FailureLabel, Failures, Item
from navviz.annotation.store import AnnotationStore
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import ModelError
from navviz.formats import open_graph, open_results
from navviz.llm.scripted import Reply, Scripted
from navviz.records import Call, Candidate, Decision, Message, Observation, Step, SubGoal, Trace
from tests.grids import episode, grid, route, straight, trace

GRAPH = grid(9)


def test_a_hit_is_a_claim_with_its_code():
    text = "Go through three intersections. Turn right at the fourth intersection. Stop there."
    path = route(GRAPH, "r0c0", "r0c4", "r4c4")
    own_episode = episode(path, instruction=text, start_heading_deg=90.0)
    (claim,) = contradictions(own_episode, GRAPH)
    (hit,) = TextAgainstRoute().scan(trace(own_episode, [path[1:]]), GRAPH)
    assert (hit.episode, hit.step, hit.sentence) == ("e1", None, claim.sentence)
    assert hit.code is not None
    assert bundled_taxonomy().label(hit.code).titles[-1] == "Against the route"


TAXONOMY = bundled_taxonomy()
WALK = trace(episode(straight()), [straight()])


def said(*labels: dict) -> Scripted:
    return Scripted([json.dumps({"labels": list(labels)})])


def test_the_prompt_holds_codes_directions_and_end():
    system, user = model_prompt(WALK, "It stopped too early.", TAXONOMY)
    assert "E2.1: Execution / Stopping / Stopped too early." in system.text
    assert "Directions: Walk to the end." in user.text
    assert user.text.endswith("End: It stopped too early.")


def test_labels_are_taken_and_unknown_codes_named():
    model = said({"code": "E2.1", "step": 1, "why": "short"}, {"code": "Z9"}, {"code": "E2.1"})
    labelled = label_failures(WALK, "It stopped too early.", model, TAXONOMY)
    assert labelled.failures.labels == (FailureLabel(code="E2.1", step=1, note="short"),)
    assert labelled.unknown == ("Z9",)
    assert labelled.call.purpose == "label failures"


@pytest.mark.parametrize(
    "reply", ["I do not know", '{"codes": []}', '{"labels": [1]}', Reply(error="busy")]
)
def test_a_reply_without_labels_is_one_sentence(reply):
    with pytest.raises(ModelError, match=r"^Episode e1: "):
        label_failures(WALK, "It stopped.", Scripted([reply]), TAXONOMY)


def _failures(*codes: str) -> Failures:
    labels = tuple(FailureLabel(code=code) for code in codes)
    return Failures(taxonomy=TAXONOMY.name, taxonomy_version=TAXONOMY.version, labels=labels)


def test_kappa_against_annotators(tmp_path):
    store = AnnotationStore(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    study = store.study()
    items = [Item(dataset="grid", episode=str(k), run="r") for k in range(4)]
    model = dict(
        zip(
            items,
            (_failures("E2.1"), _failures("E1.1"), _failures("A3.1"), _failures("E2.2")),
            strict=True,
        )
    )
    # equal as categories
    same = (_failures("E2.3"), _failures("E1.2"), _failures("A3.4"), _failures("E2.1"))
    half = (_failures("E2.1"), _failures("E1.1"), _failures("L1.1"), _failures("T1.1"))
    for name, given in (("ann", same), ("bob", half)):
        for item, failures in zip(items, given, strict=True):
            study.take_in(item, name, failures)
    people = study.ratings("failure")
    store.close()
    ann, bob = kappa_against(model, people, TAXONOMY, codes=("E1", "E2", "A3", "L1", "T1"))
    assert (ann.annotator, ann.kappa, ann.walks) == ("ann", 1.0, 4)
    # 20 pairs; both use 4: 2 together, so agreement 16 of 20; by chance 0.04 + 0.64
    assert bob.kappa == pytest.approx((0.8 - 0.68) / (1 - 0.68))
    assert kappa_against({}, people, TAXONOMY) == []


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
