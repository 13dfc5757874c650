"""Explore's findings: words, places and transcripts among them, and the filter that each sets."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from navviz.ui.data.finding import cause_findings
from navviz.ui.data.marks import looks
from tests.pages.conftest import OpenPage, ran
from tests.pages.listed import listed


def _found(page: OpenPage, **query: str) -> AppTest:
    """Open Explore and wait for all that it finds, however busy the machine is."""
    at = page("explore", **query)
    for many in (cause_findings(), looks()):
        for search in list(many._by_run.values()):
            assert search.ended.wait(120)
        at = ran(at)
    return at


def _drawn(at: AppTest) -> str:
    [drawn] = [str(p.proto) for p in at.get("bidi_component") if "explore_found" in p.proto.id]
    return drawn


def test_one_list_has_acts_explanations_words_and_places(page):
    drawn = _drawn(_found(page, run="harbour/rules-local"))
    kinds = re.findall(r"class=\W+kind\W+>(\w+)<", drawn)
    assert kinds == ["Acts", "Explanations", "Words", "Places"]
    assert "may be chance" in drawn


def test_instructions_against_their_routes_are_findings_once_they_are_checked(page):
    at = _found(page, run="harbour/rules")
    ran(at.toggle(key="explore_route_check").set_value(True))
    assert list(listed(_found(page, run="harbour/rules"))["episode"])


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
