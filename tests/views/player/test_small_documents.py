"""Parts of the player's document: walks beside each other, causes, letters, houses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from navviz.analysis.moves import turns_apart
from navviz.formats import open_episodes, open_worlds
from navviz.records import Decision, EndEvent, Episode, Step, Trace, TraceHeader
from navviz.records.finding import Explanation, Quote
from navviz.support.installation import extras
from navviz.views.player.beside import partners
from navviz.views.player.cut import cut_graph
from navviz.views.player.document import causes_entry, replay_document
from navviz.views.player.film import FILM, FILM_AND_SAVED, undrawn_letters
from navviz.views.player.floor_plan import house_of
from tests.paths import SAMPLES
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


@pytest.mark.parametrize(("one", "other", "pairs", "parting"), [
    (["s1 s0", "s0 x", "x e0"], ["s1 s0 x w0", "w0 w1"], [1, 1, 1], 3),
    (["s1 s0 x w0", "w0 w1"], ["s1 s0", "s0 x", "x e0", "e0 e1"], [3, 4], 1),
    (["s1 s0", "s0 x"], ["s1 s0", "s0"], [1, 2], 2),
    (["s1 s0", "s0 x"], ["s1 s0 x"], [1, 1], None),
], ids=["leaps", "single steps", "one stops", "the same way"])  # fmt: skip
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


TRACE, GRAPH = full_trace(), tiny_graph()
LAST = TRACE.steps[-1]


def _causes(*quotes: Quote, step: int = LAST.index) -> dict[str, Any]:
    cause = Explanation(
        id="never-shown", name="Never shown", sentence="X.", step=step, quotes=quotes
    )
    return {"causes": [cause.model_dump(mode="json", exclude_none=True)], "likely": 0}


def test_steps_are_counted_as_the_player_counts():
    quote = Quote(source="reply", text="b", step=LAST.index, call=0)
    entry = causes_entry(_causes(quote), TRACE, GRAPH)
    assert entry is not None
    assert (entry.likely, entry.all[0].step) == (0, len(TRACE.steps))
    assert entry.all[0].quotes[0].step == len(TRACE.steps)


def test_a_place_has_its_position_and_what_is_no_place_has_none():
    node = TRACE.episode.start
    quotes = (Quote(source="map", text="the start", node=node), Quote(source="plan", text="go"))
    entry = causes_entry(_causes(*quotes), TRACE, GRAPH)
    assert entry is not None
    place, plan = entry.all[0].quotes
    assert place.at == pytest.approx(list(GRAPH.position(node)), abs=1e-5)
    assert plan.at is None


def test_no_search_is_not_the_same_as_no_cause():
    assert "causes" not in replay_document(TRACE, GRAPH)
    document = replay_document(TRACE, GRAPH, causes={"causes": [], "likely": None})
    assert document["causes"] == {"all": []}


pytest.importorskip("matplotlib")
PRIVATE = "\ue000"
"""A letter of private use: only the font that made it up has it."""


def document(text: str) -> dict[str, Any]:
    return replay_document(full_trace(text=text), tiny_graph())


def test_a_letter_without_a_font_is_named_once_and_said_in_one_sentence():
    said = undrawn_letters(document(f"Rue {PRIVATE}{PRIVATE} café"), FILM)
    assert said == (
        "No installed font has these letters, so a film shows boxes in their place:"
        " private use (U+E000). Install one that has them."
    )
    assert "so does the HTML file" in undrawn_letters(document(PRIVATE), FILM_AND_SAVED)


def test_texts_that_the_document_packs_are_read_too():
    packed = document(PRIVATE + "".join(f"word {k} " for k in range(60_000)))
    assert "gzip" in packed["strings"]
    assert "U+E000" in undrawn_letters(packed, FILM)


def test_latin_letters_dashes_and_drawn_ones_need_no_word():
    assert undrawn_letters(document("Łódź – “café” … 12 m²"), FILM) == ""


def test_a_font_that_only_matplotlib_has_is_none_of_a_browser():
    from matplotlib import get_data_path

    from navviz.views.figures import print_type

    assert not any(path.startswith(get_data_path()) for path in print_type._seen_by_browsers())


def test_without_matplotlib_nothing_is_claimed(monkeypatch):
    monkeypatch.setitem(extras.EXTRAS, "figures", ("no_such_package", "figures"))
    assert undrawn_letters(document(PRIVATE), FILM) == ""


HOUSE = SAMPLES / "house"


@pytest.fixture
def episode():
    return open_episodes(HOUSE / "R2R_sample.json").episodes["102_0"]


def jumping(episode: Episode) -> Trace:
    step = Step(index=1, node=episode.start, path=(episode.start, episode.goal))
    end = EndEvent(status="done", node=episode.goal)
    return Trace(header=TraceHeader(episode=episode, navigator="walk"), steps=(step,), end=end)


def test_the_document_tells_floors_stairs_rooms_and_doors(house, episode):
    document = replay_document(jumping(episode), house)
    inside = document["indoor"]
    assert [floor["name"] for floor in inside["floors"]] == ["Ground floor", "Upper floor"]
    assert len(inside["floor_of"]) == len(document["nodes"]["ids"]) == len(house)
    assert all(document["nodes"]["at"][3 * k + 2] > 1.0 for k in inside["stairs"])
    assert {room["name"] for room in inside["rooms"]} >= {"hall", "kitchen", "bathroom"}
    assert all(door["floor"] in {0, 1} for door in inside["doors"])
    assert document["steps"][0]["jumps"] == [0]
    assert document["steps"][0]["to_goal_m"] == 0.0


def test_the_distance_to_the_goal_is_walked_not_flown(house, episode):
    step = Step(index=1, node=episode.start)
    trace = Trace(
        header=TraceHeader(episode=episode, navigator="w"),
        steps=(step,),
        end=EndEvent(status="done"),
    )
    value = replay_document(trace, house)["steps"][0]["to_goal_m"]
    assert value == pytest.approx(house.geodesic_m(episode.start, episode.goal), abs=0.06)
    assert value > house.distance_m(episode.start, episode.goal) + 5


def test_drawings_that_do_not_fit_are_passed_over(house):
    graph = house.subgraph(house.ids)
    bad = {
        "rooms": [{"name": "x", "floor": 9, "box_m": [0, 0, 1, 1]}, {"floor": 0}, 3],
        "doors": "none",
    }
    graph.info = replace(house.info, rooms=bad)
    inside = house_of(graph, cut_graph(graph, []))
    assert inside is not None
    assert inside.rooms == []
    assert inside.doors == []


@pytest.mark.data
def test_all_scans_become_documents(data_dir):
    worlds = open_worlds(data_dir / "mp3d")
    for scan in worlds.names:
        graph = worlds(scan)
        episode = Episode(
            id="1", dataset="R2R", instruction="Look.", world=scan, start=graph.ids[0]
        )
        document = replay_document(
            Trace(header=TraceHeader(episode=episode, navigator="none")), graph
        )
        assert len(document["indoor"]["floor_of"]) == len(graph)
        assert len(document["links"]) == len(graph.targets)
