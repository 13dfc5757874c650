"""Causes as records: what they refuse, and that JSON gives back the same."""

import pytest

from navviz.errors import RecordError
from navviz.records import Explanation, Quote, RepairPlan


def _quote(**changes):
    return Quote(source="thoughts", text="not in view", step=2, call=0, start=4, end=15, **changes)


def _cause(*quotes):
    return Explanation(
        id="landmark-never-shown",
        name="Landmark never shown",
        sentence="The bakery, landmark of this turn, was never in the prompt.",
        step=2,
        sub_goal=1,
        quotes=quotes,
        repair=RepairPlan(kind="show_landmark", step=2, parameters={"name": "bakery"}),
    )


def test_json_gives_back_the_same_cause():
    place = Quote(source="map", text="bakery, 12 m", poi="p7", position=(40.7, -74.0))
    cause = _cause(_quote(), place)
    assert Explanation.model_validate_json(cause.model_dump_json()) == cause


def test_a_cause_without_a_quote_is_refused():
    with pytest.raises(RecordError, match="quotes"):
        _cause()


@pytest.mark.parametrize(("start", "end"), [(3, None), (None, 3), (5, 5), (-1, 3)])
def test_a_quote_needs_both_ends_in_order(start, end):
    with pytest.raises(RecordError, match="start and an end"):
        Quote(source="reply", text="x", start=start, end=end)


def test_a_quote_without_words_is_refused():
    with pytest.raises(RecordError, match="text"):
        Quote(source="reply", text="")
