"""Pages under AppTest: through ``app.py`` and alone, on a tiny world of the test's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from navviz.annotation.store import AnnotationStore, database_url
from navviz.runs.opened import OPEN_VARIABLE, workspace_dir
from navviz.ui.live.chosen import live_runs
from tests.pages.streamlit_internals import made_once
from tests.paths import ROOT
from tests.worlds import write_states, write_world

OpenPage = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def _fresh_caches(request, monkeypatch):
    """What one test opened, the next one does not see; and a page does not stay the process's main
    module.

    Tests that ask for a page alone open the bundled samples, which nobody changes: what one of them
    has read and measured stays for the next, a third of their time.
    """
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    shared = _takes_pages_alone(request)
    if not shared:
        _forget()
    yield
    if not shared:
        _forget()


def _takes_pages_alone(request: pytest.FixtureRequest) -> bool:
    values = getattr(request.node, "callspec", None)
    given = set(values.params) if values is not None else set()
    return set(request.fixturenames) - given <= FOR_ALL


FOR_ALL = {
    "page", "request", "monkeypatch", "tmp_path_factory", "_fresh_caches", "_made_once",
    "_notices_stay_with_their_test", "_one_authority", "_own_workspace", "_workspaces",
}  # fmt: skip
"""Fixtures of every page test: a test with another one may have patched or written something."""


def _forget() -> None:
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture(scope="session", autouse=True)
def _made_once():
    with made_once():
        yield


@pytest.fixture
def store():
    """The ratings of the test's workspace."""
    store = AnnotationStore(database_url(workspace_dir()))
    yield store
    store.close()


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Two methods on two episodes of the tiny world, opened as the command line does."""
    graph = write_world(tmp_path)
    results = write_states(
        tmp_path / "walks.json",
        {
            "1": {"json": ["s1", "x", "e1"], "grid": ["s1", "n0"]},
            "2": {"json": ["s1", "x", "w1"], "grid": ["s1", "x", "e1"]},
        },
        instruction="Walk to the <b>light</b> and turn right.",
    )
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"graphs": str(graph), "results": str(results)}))
    return results


@pytest.fixture(params=["through app.py", pytest.param("alone", marks=pytest.mark.nightly)])
def page(request):
    """Opens a page by name, with query parameters, either way; fails on any exception in it.

    In the ordinary run pages are opened as users do, through ``app.py``; `test_alone` opens each of
    them alone.
    """

    def open_page(name: str, **query: str) -> AppTest:
        if request.param == "alone":
            at = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=300)
        else:
            at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
            at.switch_page(f"pages/{name}.py")
        for key, value in query.items():
            at.query_params[key] = value
        return ran(at)

    return open_page


WITHIN_APP = pytest.mark.parametrize("page", ["through app.py"], indirect=True)
"""For tests that go from one page to another: a page alone knows no other."""


def ran(what: Any) -> AppTest:
    """Run a page, or the page of a widget that was just set; it may not end in an exception."""
    at: AppTest = what.run()
    assert not at.exception, at.exception[0].message
    return at


def study_part(at: AppTest, name: str) -> AppTest:
    """Go to a part of Study by its address, as a link does."""
    for parameter in ("group", "part"):
        if parameter in at.query_params:
            del at.query_params[parameter]
    at.query_params["part"] = name
    return ran(at)


def press(at: AppTest, label: str) -> AppTest:
    """Click the button of a label; no page may end in an exception."""
    return ran(next(button for button in at.button if button.label == label).click())


def stop_live_runs() -> None:
    """Stop whatever walks, so that no run outlives its test."""
    runs = live_runs()
    for name in runs.names():
        live = runs.get(name)
        if live is not None:
            live.stop()
