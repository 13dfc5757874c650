"""Explore's part "What goes wrong": its views, and the filter that a sentence sets."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import OpenPage, ran
from tests.pages.listed import listed


def _opened(page: OpenPage, **query: str) -> AppTest:
    return page("explore", panel="wrong", **query)


def _captions(at: AppTest) -> str:
    return " ".join(caption.value for caption in at.caption)


def test_nothing_is_compared_before_it_is_opened(page):
    assert "features compared" not in _captions(page("explore", run="harbour/rules-local"))


def test_views_of_the_sample(page):
    at = _opened(page, run="harbour/rules-local")
    assert "features compared, none with an adjusted p below 0.05" in _captions(at)
    for view, says in (
        ("junctions", "Each junction of the route"),
        ("transcripts", "Rules that read each step"),
    ):
        ran(at.segmented_control(key="explore_wrong_view").set_value(view))
        assert says in _captions(at)
    at.segmented_control(key="explore_wrong_view").set_value("against").run()
    ran(at.selectbox(key="explore_wrong_other").set_value("harbour/regex-heuristic"))
    assert "it fails alone more often" in _captions(at) or "too little to compare" in _captions(at)


def test_a_mark_in_the_link_filters_and_can_be_taken_away(page):
    whole = len(listed(page("explore", run="harbour/groke-by-hand")))
    at = page("explore", run="harbour/groke-by-hand", feature="scan: unknown-id")
    assert list(listed(at)["episode"]) == ["10"]
    at.button(key="explore_mark_scan: unknown-id").click().run()
    assert len(listed(at)) == whole
    assert "feature" not in at.query_params


@pytest.mark.usefixtures("opened")
def test_a_word_filters_and_one_that_nobody_says_leaves_the_address(page):
    at = page("explore", run="walks/json", feature="word: light")
    assert list(listed(at)["episode"]) == ["1", "2"]
    other = page("explore", run="walks/json", feature="word: zebra")
    assert list(listed(other)["episode"]) == ["1", "2"]
    [note] = [info.value for info in other.info if "Removed from the list" in info.value]
    assert "zebra" in note
    assert "feature" not in other.query_params
