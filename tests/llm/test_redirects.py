"""No call of a model follows a redirect: its key and its prompt stay at the address that was
written.
"""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from navviz.errors import ModelError
from navviz.llm.base import Request
from navviz.llm.registry import close_model, make_model
from navviz.llm.retries import RetryPolicy
from navviz.llm.served import ask_served
from navviz.llm.streaming import ModelOptions
from navviz.records import Message

KEY = "canary-key-0123456789"


class _Thief(BaseHTTPRequestHandler):
    """Where redirects lead: it keeps all that comes."""

    heard: list[str]

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.heard.append(f"{self.path} {self.headers} {body!r}")
        self.send_response(200)
        self.end_headers()

    do_GET = do_POST = _answer

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _serve(handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture
def heard():
    return []


@pytest.fixture
def address(heard, request):
    """A server that sends everything on to another port."""
    thief = _serve(type("Thief", (_Thief,), {"heard": heard}))
    status = request.param

    class _Redirect(_Thief):
        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(status)
            self.send_header("Location", f"http://127.0.0.1:{thief.server_port}{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST = _answer

    first = _serve(_Redirect)
    yield f"http://127.0.0.1:{first.server_port}"
    for server in (first, thief):
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("address", [301, 302, 303, 307, 308], indirect=True)
@pytest.mark.parametrize("kind", ["gemini", "openai"])
def test_a_redirect_is_a_sentence_and_takes_no_key_along(address, heard, kind):
    options = ModelOptions(retry=RetryPolicy(attempts=2, first_wait_s=0.01), timeout_s=30.0)
    if kind == "gemini":
        llm = make_model("gemini:m", options.model_copy(update={"base_url": address}), KEY)
    else:
        llm = make_model(f"openai:m@{address}/v1", options, KEY)
    with pytest.raises(ModelError, match="follows no redirect") as refused:
        list(llm.stream(Request((Message(role="user", text="hello"),))))
    close_model(llm)
    assert heard == []
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("address", [301, 302, 303, 307, 308], indirect=True)
def test_a_served_part_is_asked_at_its_own_address_alone(address, heard):
    with pytest.raises(ModelError, match="follows no redirect"):
        ask_served(f"{address}/agent", {"prompt": "secret"}, "agent", 30.0)
    assert heard == []
