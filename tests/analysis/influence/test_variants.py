"""Variants of an instruction: by hand, in the tiny world, and that none repeats another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.analysis.influence import instruction_variants
from navviz.formats import open_graph
from navviz.world.graph import Graph
from tests.grids import episode, grid
from tests.worlds import ROUTE, write_world

GRAPH = grid(3)
TEXT = "Walk to the light and turn right. Stop by the Blue Door Café."


def changed_texts(text: str, graph: Graph = GRAPH, **options):
    path = ROUTE if graph is not GRAPH else ("r0c0", "r0c1")
    return [
        (one.change, one.instruction)
        for one in instruction_variants(episode(path, instruction=text), graph, **options)
    ]


def test_phrases_landmarks_and_sides():
    variants = changed_texts(TEXT)
    assert ("phrase", "turn right. Stop by the Blue Door Café.") in [
        (change, text.removeprefix("and ")) for change, text in variants
    ]
    assert ("side", "Walk to the light and turn left. Stop by the Blue Door Café.") in variants
    assert ("landmark", "Walk to the and turn right. Stop by the Blue Door Café.") in variants
    assert not [change for change, _ in variants if change == "rival"]


def test_masks_stand_where_words_were():
    masked = changed_texts(TEXT, hidden="mask")
    assert (
        "landmark",
        "Walk to the the place and turn right. Stop by the Blue Door Café.",
    ) in masked
    assert any(change == "phrase" and "…" in text for change, text in masked)


def test_a_rival_is_the_nearest_of_its_kind(tmp_path):
    folder = write_world(tmp_path)
    with (folder / "pois.txt").open("a") as file:
        file.write('p2,54.0,10.002,{"amenity": "cafe", "name": "Green Gate"}\n')
        file.write('p3,54.0,10.02,{"amenity": "cafe", "name": "Far Away"}\n')
        file.write('p4,54.0,10.0015,{"amenity": "bank", "name": "Old Bank"}\n')
    rivals = [text for change, text in changed_texts(TEXT, open_graph(folder)) if change == "rival"]
    assert rivals == ["Walk to the light and turn right. Stop by the Green Gate."]


@pytest.mark.parametrize("text", ["", "Stop", "…"])
def test_a_short_text_has_none(text):
    assert changed_texts(text) == []


@given(st.text(alphabet="left right turn. go,the bank", max_size=60))
def test_each_variant_is_another_text(text):
    texts = [" ".join(one.split()) for _, one in changed_texts(text)]
    assert len(texts) == len(set(texts))
    assert " ".join(text.split()) not in texts
