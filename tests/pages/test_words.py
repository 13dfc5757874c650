"""Replay's part "Which words mattered": the walks, the table, and the way to Compare."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import OpenPage, ran


def _opened(page: OpenPage) -> AppTest:
    at = page("replay", run="harbour/rules", episode="2")
    at.session_state["replay_words"] = True
    return ran(at)


def test_nothing_is_walked_before_it_is_asked_for(page):
    at = _opened(page)
    assert at.button(key="replay_words_start").label.startswith("Walk ")
    assert not at.dataframe


def test_the_parts_are_walked_and_ranked(page, tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    at = _opened(page)
    ran(at.button(key="replay_words_start").click())
    table = at.dataframe[0].value
    assert "landmark “Puppet Museum” left out" in list(table["change"])[:6]
    assert list(table["weight"]) == sorted(table["weight"], reverse=True)
    assert at.button(key="replay_words_compare").disabled
    assert not list(tmp_path.rglob("*.trace.jsonl"))  # only what is opened is kept


def test_a_model_has_its_price_on_the_button(page):
    at = _opened(page)
    ran(at.selectbox(key="replay_words_navigator").set_value("groke"))
    assert "(cost not known)" in at.button(key="replay_words_start").label
