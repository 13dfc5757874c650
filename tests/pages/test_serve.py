"""While the browser opens: what the server reads is what the first page shows."""

from __future__ import annotations

import asyncio
import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from navviz.support.installation.files import page_file
from navviz.ui.components.empty import first_look
from navviz.ui.data import cache
from navviz.ui.server import serve
from navviz.ui.server.history_entries import SCRIPT, HistoryEntries
from tests.paths import ROOT
from tests.zygote import forked


def _no_more(*_: object, **__: object) -> None:
    raise AssertionError("it was read before")


@pytest.mark.parametrize("first", ["sample", "named"])
def test_the_first_replay_is_ready_before_the_page_asks(first, request, page, monkeypatch):
    if first == "named":
        request.getfixturevalue("opened")
    else:
        monkeypatch.delenv("NAVVIZ_OPEN", raising=False)
    monkeypatch.setattr(sys, "argv", ["streamlit"])
    place = serve.warm()
    assert place is not None
    if first == "sample":
        assert place == first_look()
    for name in ("load", "replay_document", "open_graph"):
        monkeypatch.setattr(cache, name, _no_more)
    at = page("replay", **place)
    assert not at.error
    assert [box.value for box in at.selectbox if box.label == "Episode"] == [place["episode"]]


def test_what_cannot_be_opened_is_left_to_its_page(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_OPEN", f'{{"data": "{tmp_path / "gone"}"}}')
    monkeypatch.setattr(sys, "argv", ["streamlit"])
    assert serve.warm() is None


def test_what_a_page_imports_is_read_in_its_script():
    modules = set(serve.imports_of("replay"))
    assert {
        "navviz.ui.state.shell",
        "navviz.ui.components.pickers",
        "navviz.ui.replay.page",
    } <= modules
    assert "navviz.ui.components.browser" in modules
    assert not any(name.endswith(".copy_link.copy_link") for name in modules)


def test_every_page_is_among_them():
    assert {*serve.FIRST_PAGES, *serve.LATER_PAGES} == {
        path.stem for path in page_file("x").parent.glob("*.py")
    }


def test_no_component_is_registered_before_a_session_is_there():
    """Streamlit registers a component only within a session: one imported too early has no address
    to load from.
    """
    script = (
        "import sys; from importlib import import_module as take; from navviz.ui.server import serve as s; "
        "s._import_pages((*s.FIRST_PAGES, *s.LATER_PAGES)); [take(name) for name in s._LATER_MODULES]; "
        "sys.exit('streamlit_folium' in sys.modules)"
    )
    # the process that it is forked from has imported all modules but those that register
    # components: what any imports is seen
    completed = forked([sys.executable, "-c", script], cwd=ROOT, text=True)
    assert completed.returncode == 0, completed.stderr[-2000:]


def test_garbage_is_collected_again_even_where_the_server_never_came_up(monkeypatch):
    monkeypatch.setattr(serve, "_is_up", lambda _address: False)
    frozen = gc.get_freeze_count()
    gc.disable()
    try:
        serve._warm_once_up("http://127.0.0.1:9")
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("path", "kind", "gets_script"),
    [("/live", b"text/html; charset=utf-8", True), ("/x.js", b"text/javascript", False)],
)
def test_each_page_s_document_keeps_history_to_what_its_visitor_does(path, kind, gets_script):
    sent: list[dict[str, Any]] = []
    requests: list[tuple[bytes, bytes]] = []

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        requests.extend(scope["headers"])
        headers = [(b"content-type", kind), (b"content-length", b"19"), (b"ETag", b"1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"<head>", "more_body": True})
        await send({"type": "http.response.body", "body": b"</head><body>"})

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"If-None-Match", b"1"), (b"accept-encoding", b"gzip"), (b"cookie", b"a=1")]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    # in a thread of its own: a browser test of the same worker leaves a loop running in this one
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(HistoryEntries(app)(scope, None, send))).result()
    body = b"".join(message.get("body", b"") for message in sent)
    assert (SCRIPT in body) is gets_script
    assert body.replace(SCRIPT, b"") == b"<head></head><body>"
    assert requests == [(b"cookie", b"a=1")]
    values = {name.lower(): value for name, value in sent[0]["headers"]}
    assert int(values[b"content-length"]) == len(body)
    # a document with the script is no file of Streamlit's any more
    assert (b"etag" in values) is not gets_script
