"""Two walks beside each other: which steps belong together, and what each does where they part."""

from __future__ import annotations

import pytest

from navviz.analysis.moves import turns_apart
from navviz.records import Decision, Episode, Step, Trace, TraceHeader
from navviz.views.player.beside import partners
from navviz.views.player.document import replay_document
from tests.replays import full_trace, tiny_graph
from tests.worlds import ROUTE


def walk(*steps: str, start: str = "s1", stops: bool = False) -> Trace:
    """One step a text, of the nodes that it walks over."""
    episode = Episode(
        id="1",
        dataset="tiny",
        instruction="Go.",
        start=start,
        reference_path=tuple(ROUTE),
        success_radius_m=25,
    )
    made = []
    for number, nodes in enumerate(map(str.split, steps), 1):
        last = stops and number == len(steps)
        decision = Decision(target=nodes[-1], stop=last)
        made.append(Step(index=number, node=nodes[0], path=tuple(nodes), decision=decision))
    return Trace(header=TraceHeader(episode=episode, navigator="made"), steps=tuple(made))


@pytest.mark.parametrize(
    ("one", "other", "pairs", "parting"),
    [
        (["s1 s0", "s0 x", "x e0"], ["s1 s0 x w0", "w0 w1"], [1, 1, 1], 3),
        (["s1 s0 x w0", "w0 w1"], ["s1 s0", "s0 x", "x e0", "e0 e1"], [3, 4], 1),
        (["s1 s0", "s0 x"], ["s1 s0", "s0"], [1, 2], 2),
        (["s1 s0", "s0 x"], ["s1 s0 x"], [1, 1], None),
    ],
    ids=["leaps", "single steps", "one stops", "the same way"],
)
def test_steps_as_far_along_belong_together_and_those_that_part(one, other, pairs, parting):
    walks = walk(*one), walk(*other)
    assert partners(walks[0].steps, walks[1].steps, tiny_graph()) == (pairs, parting)


def test_a_log_without_ways_parts_at_the_step_before():
    """Where a step tells only where it stands, the step before it chose to go there."""
    bare, other = (
        [Step(index=k, node=node) for k, node in enumerate(nodes, 1)]
        for nodes in (("s1", "s0", "x", "e0"), ("s1", "s0", "x", "w0"))
    )
    assert partners(bare, other, tiny_graph()) == ([1, 2, 3, 4], 3)
    assert partners([], other, tiny_graph()) == ([], None)


def test_what_two_walks_do_where_they_part_is_told_in_turn_words():
    left, right = walk("s1 s0", "s0 x w0", "w0 w1"), walk("s1 s0 x", "x e0", "e0")
    assert turns_apart((left, right), tiny_graph()) == [
        ("w0", "turned left"),
        ("e0", "turned right"),
    ]
    assert turns_apart((left, walk("s1 s0 x")), tiny_graph())[1] == ("x", "stopped")
    assert turns_apart((left, left), tiny_graph()) == []


def test_a_document_holds_what_the_other_walk_thought_where_they_stand_beside_each_other():
    trace, graph = full_trace(), tiny_graph()
    plain = replay_document(trace, graph, compare=trace)
    assert "partners" not in plain["compare"]
    assert all("texts" not in step for step in plain["compare"]["steps"])
    made = replay_document(trace, graph, compare=trace, apart=[])
    assert made["compare"]["partners"] == [1, 2, 3, 4]
    said = made["compare"]["steps"][0]["texts"]
    thoughts = next(call["thoughts"] for call in made["steps"][0]["calls"][::-1])
    assert said["thoughts"] == thoughts
