"""Explore walks a run again when it is asked to, and tells where its figures come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages.conftest import ran


def test_nothing_is_walked_before_the_button_is_pressed(page, monkeypatch):
    walked: list[int] = []
    from navviz.ui.explore import trust

    real = trust.verify_run
    monkeypatch.setattr(trust, "verify_run", lambda *given: walked.append(1) or real(*given))
    at = page("explore", run="harbour/regex-heuristic")
    assert walked == []
    ran(at.button(key="explore_verify").click())
    assert walked == [1]
    assert [one.value for one in at.markdown if "reproduces 14 of 14" in one.value]
    at.run()
    assert walked == [1]
    assert at.button(key="explore_verify").disabled


@pytest.mark.usefixtures("opened")
def test_a_run_that_cannot_be_walked_says_so(page):
    at = page("explore")
    ran(at.button(key="explore_verify").click())
    values = [one.value for one in at.text]
    assert "reproduces 0 of 0; 2 cannot be walked here" in values
    assert any("log of another project" in text for text in values)


def test_the_provenance_names_settings_and_files(page, monkeypatch):
    from navviz.ui.explore import trust

    drawn: list[object] = []
    monkeypatch.setattr(trust, "_show_lines", drawn.append)
    page("explore", run="harbour/regex-heuristic")
    assert drawn == []
    monkeypatch.undo()
    from streamlit.testing.v1 import AppTest

    def script(folder: str) -> None:
        from navviz.runner.provenance import provenance_of
        from navviz.runs.opened import open_run
        from navviz.ui.explore import trust

        trust._show_lines(provenance_of(open_run(folder)))

    from tests.paths import SAMPLES

    folder = SAMPLES / "harbour" / "runs" / "regex-heuristic"
    at = ran(AppTest.from_function(script, args=(str(folder),), default_timeout=300))
    assert at.text[0].value.startswith("Navigator: regex-heuristic\n")
    files = {Path(name).name for name in at.dataframe[0].value["file"]}
    assert {"nodes.txt", "links.txt"} <= files
