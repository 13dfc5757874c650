"""What changed between two runs: words, plans, figures; and the map to pick nodes on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.formats import open_graph
from navviz.records import Call, Decision, Episode, Step, SubGoal, Trace, TraceHeader, Usage
from navviz.views.compare import (
    cost_rows,
    diff_html,
    first_difference,
    metric_changes,
    plan_html,
    summary_sentence,
    usage_in_words,
    word_diff,
)
from navviz.views.player.pick import pick_document
from navviz.world.floors import find_floors
from tests.paths import SAMPLES
from tests.worlds import write_world

EPISODE = Episode(id="1", dataset="tiny", instruction="Walk.", start="a")


def trace(*targets: str, calls: tuple[Call, ...] = ()) -> Trace:
    steps = tuple(
        Step(index=i, node="a", decision=Decision(target=target), calls=calls)
        for i, target in enumerate(targets, 1)
    )
    return Trace(header=TraceHeader(episode=EPISODE, navigator="n"), steps=steps)


@given(st.text(alphabet="ab .,\n<é", max_size=30), st.text(alphabet="ab .,\n<é", max_size=30))
def test_a_diff_tells_both_texts_whole(old, new):
    pieces = word_diff(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == new


def test_a_rewritten_phrase_reads_as_one_change():
    pieces = word_diff("Turn left at the bank, then stop.", "Turn right after the bank, then stop.")
    assert [(piece.kind, piece.text) for piece in pieces] == [
        ("same", "Turn "),
        ("removed", "left at"),
        ("added", "right after"),
        ("same", " the bank, then stop."),
    ]


def test_a_diff_is_escaped_and_does_not_speak_by_colour_alone():
    text = diff_html("go <b>left</b>", "go <script>x</script> right")
    assert "<b>" not in text
    assert "<script>" not in text
    assert "<del" in text
    assert "<ins" in text


def test_huge_texts_are_shown_as_a_whole():
    old, new = "walk " * 5000, "run " * 5000
    assert [piece.kind for piece in word_diff(old, new)] == ["removed", "added"]
    assert [piece.kind for piece in word_diff(old, old)] == ["same"]


def test_plans_line_by_line():
    old = [SubGoal(description=text) for text in ("go on", "turn <left>", "stop")]
    new = [SubGoal(description=text) for text in ("go on", "turn right", "wait", "stop")]
    text = plan_html(old, new)
    assert text.count("<li>") == 4
    assert "<left>" not in text
    assert "Neither" in plan_html([], [])


def test_figures_say_what_is_better_and_what_is_missing():
    changes = {
        c.name: c
        for c in metric_changes(
            {"NE": 50.0, "SR": 0.0, "SPL": None}, {"NE": 10.0, "SR": 0.0, "SPL": 0.5}
        )
    }
    assert changes["NE"].better is True
    assert changes["NE"].delta == -40
    assert changes["SR"].better is None
    assert (changes["SR"].old, changes["SR"].new) == ("no success", "no success")
    assert changes["SPL"].delta is None
    assert changes["SPL"].new.startswith("0.5")
    assert "nDTW" not in changes


@pytest.mark.parametrize(("old", "new", "step"), [
    ("bc", "bc", None), ("bc", "bd", 2), ("bc", "b", 2), ("b", "bc", 2), ("", "b", 1),
    ("", "", None),
])  # fmt: skip
def test_where_runs_part(old, new, step):
    assert first_difference(trace(*old), trace(*new)) == step


def test_one_sentence_for_all_of_it():
    sentence = summary_sentence(trace("b"), trace("c"), {"NE": 20.4}, {"NE": 3.0})
    assert sentence == "The runs part at step 1; 20 m from the goal before, 3 m now."
    assert (
        summary_sentence(trace(), trace("c"), {}, {"NE": None})
        == "There is no earlier walk to compare with."
    )


@pytest.mark.parametrize(
    ("before", "now", "message"),
    [
        ("rules", "groke", "rules and groke decide and walk alike"),
        ("rules", "rules", "rules decides and walks as before"),
        ("", "rules", "Both methods decide and walk alike"),
    ],
)
def test_walks_that_do_not_part_are_told_of_their_methods(before, now, message):
    def by(navigator: str) -> Trace:
        walk = trace("b")
        return walk.model_copy(
            update={"header": walk.header.model_copy(update={"navigator": navigator})}
        )

    assert summary_sentence(by(before), by(now), {}, {}) == f"{message}."


def test_costs_are_missing_where_they_are_not_known():
    known = Call(
        usage=Usage(prompt_tokens=1000, output_tokens=5, thoughts_tokens=3),
        cost_usd=0.5,
        seconds=1.5,
        retries=1,
    )
    rows = cost_rows(trace("b", "c", calls=(known,)))
    assert rows["prompt tokens"] == "2,000"
    assert (rows["cost"], rows["time"], rows["retries"]) == ("$1.0000", "3.0 s", "2")
    rows = cost_rows(trace("b", calls=(known, Call())))
    assert rows["prompt tokens"] == "1,000 in 1 of 2 calls"
    assert (rows["cost"], rows["time"]) == ("–", "–")
    assert cost_rows(trace()) == {"model calls": "0"}
    logged = trace()
    header = logged.header.model_copy(update={"source": "submit.json"})
    assert cost_rows(logged.model_copy(update={"header": header})) == {"model calls": "–"}
    assert usage_in_words([known, known]) == "2,016 tokens · $1.0000"
    assert (
        usage_in_words([known, Call()]) == "1,008 tokens in 1 of 2 calls · $0.5000 in 1 of 2 calls"
    )
    assert usage_in_words([Call()]) == "tokens not known · cost not known"


def test_the_map_to_pick_on_holds_what_is_near(tmp_path):
    graph = open_graph(write_world(tmp_path))
    reach_m = 1.5 * graph.distance_m("x", "n0")
    document = pick_document(graph, "x", reach_m, start="x", goal="e0", route=("x", "e0"))
    assert sorted(document["ids"]) == ["e0", "n0", "s0", "w0", "x"]
    assert len(document["links"]) == 4
    assert document["ids"][document["start"]] == "x"
    assert [len(line) for line in document["route"]] == [2]
    whole = pick_document(graph, "x")
    assert len(whole["ids"]) == 9
    assert [poi["name"] for poi in whole["pois"]] == ["Blue Door Café"]
    assert whole["goal"] is None


def test_of_a_house_one_floor_is_drawn_at_a_time():
    graph = open_graph(SAMPLES / "house" / "connectivity")
    floors = find_floors(graph)
    (down, up), *_ = [pair for pair in floors.links_between(graph) if floors.of[pair[0]] == 0]
    after = next(node for node in graph.neighbours(up) if floors.of[node] == 1)
    shown = [
        pick_document(graph, down, start=down, goal=after, route=(down, up, after), floor=k)
        for k in (0, 1)
    ]
    assert sum(len(document["ids"]) for document in shown) == len(graph)
    for floor, document in enumerate(shown):
        assert {floors.of[node] for node in document["ids"]} == {floor}
        assert document["rooms"], "the rooms of the floor"
        assert document["stairs"], "where one gets to the other floor"
    assert shown[0]["ids"][shown[0]["start"]] == down
    assert (shown[0]["goal"], shown[1]["start"]) == (None, None)
    assert [len(line) for line in shown[1]["route"]] == [3], "from the stairs on"
    assert [len(line) for line in shown[0]["route"]] == [2]
    assert pick_document(graph, after)["ids"] == shown[1]["ids"], "the floor of the place around"
