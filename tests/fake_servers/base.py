"""An HTTP server in a thread; what it does next is a list of actions, or a function of the
request.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    """A whole answer, streamed in pieces."""

    text: str = ""
    thoughts: str = ""
    pieces: int = 3
    delay_s: float = 0.0
    """Wait before each piece."""
    finish: str | None = "STOP"
    """``None`` ends the stream without a reason, as a proxy that gave up would."""
    prompt_tokens: int = 100
    thoughts_tokens: int | None = 20
    output_tokens: int = 10
    cached_tokens: int | None = None
    usage: bool = True
    blocked: str | None = None
    broken: str | None = None
    """A chunk to send first, as it is."""
    raw: dict[str, Any] | None = None
    """A whole response body in the provider's own form, sent as one chunk."""


@dataclass(frozen=True)
class Cut:
    """An answer whose connection breaks after some of its pieces."""

    answer: Answer
    after: int = 1


@dataclass(frozen=True)
class Fault:
    """An HTTP error."""

    status: int
    message: str = "a fault on demand"
    headers: dict[str, str] = field(default_factory=dict)
    retry_delay: str | None = None
    """Gemini's RetryInfo, such as ``0.01s``."""
    reason: str | None = None
    """Gemini's ErrorInfo, such as ``API_KEY_INVALID``."""
    body: str | None = None
    """Another body than the provider's error form."""
    echo_key: bool = False
    """Repeat the key of the request in the message, as careless servers do."""


@dataclass(frozen=True)
class Silence:
    """Take the request and never answer (until the server closes)."""


Action = Answer | Cut | Fault | Silence


@dataclass(frozen=True)
class Recorded:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class FakeServer:
    """Base of the fake servers.

    Parameters
    ----------
    actions
        What to do with each request in order (the last one goes on for ever), or a function of the
        request.
    """

    def __init__(
        self, actions: Sequence[Action | str] | Callable[[Recorded], Action | str] = ("{}",)
    ) -> None:
        self._actions = actions
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self.requests: list[Recorded] = []
        self.parallel = self.most_parallel = 0
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(
            target=lambda: self._http.serve_forever(poll_interval=0.02), daemon=True
        )
        self._thread.start()

    @property
    def address(self) -> str:
        """``http://127.0.0.1:PORT``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def next_action(self, request: Recorded) -> Action:
        """Record a request and choose what to do with it."""
        with self._lock:
            place = len(self.requests)
            self.requests.append(request)
        if callable(self._actions):
            action = self._actions(request)
        else:
            action = self._actions[min(place, len(self._actions) - 1)]
        return Answer(action) if isinstance(action, str) else action

    def get(self, path: str) -> tuple[int, dict[str, Any]]:
        """Answer a request without a body."""
        return 404, {"error": {"code": 404, "message": f"nothing at {path}"}}

    def entered(self, by: int) -> None:
        with self._lock:
            self.parallel += by
            self.most_parallel = max(self.most_parallel, self.parallel)

    # --- the wire format
    # ---------------------------------------------------------------------------------------

    def key_of(self, request: Recorded) -> str:
        raise NotImplementedError

    def streams(self, request: Recorded) -> bool:
        raise NotImplementedError

    def chunks(self, answer: Answer, request: Recorded) -> Iterator[str]:
        """Server-sent events of an answer, without the ``data:``."""
        raise NotImplementedError

    def whole(self, answer: Answer, request: Recorded) -> dict[str, Any]:
        raise NotImplementedError

    def error(self, fault: Fault, message: str) -> dict[str, Any]:
        raise NotImplementedError


def in_pieces(text: str, count: int) -> Iterable[str]:
    """Cut a text into at most `count` pieces; none for an empty text."""
    size = max(1, -(-len(text) // max(1, count)))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _handler(server: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

        def do_GET(self) -> None:
            status, body = server.get(self.path)
            self._send(status, json.dumps(body), {})

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Recorded(self.path, headers, json.loads(self.rfile.read(size) or b"{}"))
            server.entered(1)
            try:
                self._act(server.next_action(request), request)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            finally:
                server.entered(-1)

        def _act(self, action: Action, request: Recorded) -> None:
            if isinstance(action, Silence):
                server.closing.wait(30)
                self.close_connection = True
            elif isinstance(action, Fault):
                message = action.message + (
                    f" (key {server.key_of(request)})" if action.echo_key else ""
                )
                body = (
                    action.body
                    if action.body is not None
                    else json.dumps(server.error(action, message))
                )
                self._send(action.status, body, action.headers)
            elif isinstance(action, Answer) and not server.streams(request):
                self._send(200, json.dumps(server.whole(action, request)), {})
            else:
                self._stream(action, request)

        def _send(self, status: int, body: str, headers: dict[str, str]) -> None:
            data = body.encode()
            self.send_response(status)
            for name, value in {
                "Content-Type": "application/json",
                **headers,
                "Content-Length": str(len(data)),
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, action: Answer | Cut, request: Recorded) -> None:
            answer = action.answer if isinstance(action, Cut) else action
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            first = [] if answer.broken is None else [answer.broken]
            for number, chunk in enumerate([*first, *server.chunks(answer, request)]):
                if isinstance(action, Cut) and number >= action.after:
                    self.close_connection = True
                    return
                if answer.delay_s and server.closing.wait(answer.delay_s):
                    self.close_connection = True
                    return
                data = f"data: {chunk}\r\n\r\n".encode()
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")

    return Handler
