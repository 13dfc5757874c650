"""Explore's findings of what-ifs: decisive steps counted, a row filters the list, successes by fragility;
Replay brings what is quickly worked out, and asks for the rest.
"""

from __future__ import annotations

from html import unescape

from streamlit.testing.v1 import AppTest

import navviz
from navviz.analysis.what_if.kept import what_ifs
from navviz.ui.data import finding
from tests.pages.conftest import OpenPage
from tests.pages.listed import listed
from tests.paths import SAMPLES


def _asked(page: OpenPage, name: str) -> AppTest:
    """The view, once somebody has asked and all is worked out."""
    at = page("explore", run=name)
    for one in finding.cause_findings()._by_run.values():
        assert one.ended.wait(60)
    at = at.run()
    assert "other links ruin" not in _notes(at), "nothing is walked before somebody asks"
    at.button(key="explore_what_if_begin").click().run()
    for one in finding.what_ifs_of()._by_run.values():
        assert one.ended.wait(120)
    return at.run()


def _notes(at: AppTest) -> str:
    """What stands below the list of findings, with the list."""
    [drawn] = [str(p.proto) for p in at.get("bidi_component") if "explore_found" in p.proto.id]
    return unescape(drawn.replace("\\", ""))


def test_rows_count_decisive_steps_and_filter_the_list(page):
    at = _asked(page, "harbour/rules-local")
    captions = _notes(at)
    run = navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")
    counts = finding.what_if_counts(run, what_ifs(run, every=True))
    assert f"The act's step is a decisive one in {counts.agree} of {counts.acts}" in captions
    ruining = sum(ruin for ruin, _ in counts.fragile.values())
    assert f"{ruining} of 22 other links ruin one of 4 successes" in captions
    one = page("explore", run="harbour/rules-local", feature="what if: one")
    assert tuple(listed(one)["episode"]) == counts.one
    assert one.button(key="explore_mark_what if: one").label.endswith("one decisive step")


def test_of_a_run_that_asked_a_model_the_follower_speaks(page):
    captions = _notes(_asked(page, "harbour/groke-by-hand"))
    assert "`rules` reads on from each step: of 4 it says" in captions
    assert "never the agent's mistake" in captions
    assert "One step decides" not in captions
