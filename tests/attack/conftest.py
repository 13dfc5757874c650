"""A server with two visitors, each a session of their own, on a tiny world and a workspace of the
test's own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from navviz.support.installation.serving import SERVER_VARIABLE, Serving
from navviz.ui.state.session import Session
from tests.pages.conftest import _fresh_caches, _made_once, opened, ran
from tests.paths import ROOT

__all__ = ["_fresh_caches", "_made_once", "opened"]

OpenAs = Callable[..., AppTest]
Serve = Callable[..., None]
RIGHTS = frozenset({"models", "batches"})


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Make this process a server's; visitors may ask models and start batches where nothing else is
    said.
    """

    def begin(**rules: Any) -> None:
        fields = {"door": "tokens", "allow": RIGHTS} | rules
        monkeypatch.setenv(SERVER_VARIABLE, Serving.model_validate(fields).model_dump_json())

    return begin


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: Path) -> Path:
    """The server's workspace, with two methods on two episodes of the tiny world opened for all."""
    del opened
    folder = tmp_path / "workspace"
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(folder))
    monkeypatch.delenv("NAVVIZ_DB", raising=False)
    return folder


@pytest.fixture
def visit() -> OpenAs:
    """Open a page as somebody who came in by the door under a name: a session of its own."""

    def open_page(name: str, page: str, **query: str) -> AppTest:
        at = AppTest.from_file(str(ROOT / "pages" / f"{page}.py"), default_timeout=300)
        at.session_state["navviz"] = Session(admitted=True, visitor=name)
        for key, value in query.items():
            at.query_params[key] = value
        return ran(at)

    return open_page
