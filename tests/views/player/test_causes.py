"""Causes in the player's document: steps counted as the player counts, places with positions."""

from __future__ import annotations

from typing import Any

import pytest

from navviz.records.finding import Explanation, Quote
from navviz.views.player.document import causes_entry, replay_document
from tests.replays import full_trace, tiny_graph

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
