"""Browsers that ask for much and read little of it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from websockets.sync.client import connect

from navviz.ui.server.serve import _bounded
from navviz.ui.server.slow_readers import BoundedRequests, BoundedSocket, Unsent

MB = 1_000_000
ONE, ALL = 6 * MB, 9 * MB


class Pages:
    """Stands for Streamlit: sends each socket so many megabytes as its path says, one a message."""

    config: uvicorn.Config

    def __init__(self) -> None:
        self.ended: dict[str, int] = {}
        """Messages that were taken for a socket, by its path."""
        self.most = 0
        self.one_ended = threading.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        if scope["type"] == "http":
            await self._file(scope, send)
            return
        await send({"type": "websocket.accept"})
        sent, count = 0, int(scope["path"].rpartition("/")[2])
        # `OSError` is what uvicorn says to an app whose browser has gone
        with contextlib.suppress(OSError):
            for _ in range(count):
                await send({"type": "websocket.send", "bytes": bytes(MB)})
                sent += 1
                self.most = max(self.most, Bounded.unsent.total())
                await asyncio.sleep(0)
        if sent == count:
            await receive()
        self._end(scope, sent)

    async def _file(self, scope: Any, send: Any) -> None:
        """Send so many megabytes at once, as Streamlit sends what a page lets one download."""
        body = bytes(int(scope["path"].rpartition("/")[2]) * MB)
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        self._end(scope, len(body) // MB)

    def _end(self, scope: Any, sent: int) -> None:
        self.ended[scope["path"]] = sent
        self.one_ended.set()


class Bounded(BoundedSocket):
    unsent = Unsent(ALL)
    one_bytes = ONE


class BoundedFiles(BoundedRequests):
    unsent = Bounded.unsent
    still_s = 0.1


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def port(pages: Pages) -> Iterator[int]:
    options: Any = {"ws": Bounded, "http": BoundedFiles}
    config = uvicorn.Config(pages, port=0, log_level="critical", lifespan="off", **options)
    pages.config = config
    server = uvicorn.Server(config)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()


def _never_reads(port: int, path: str) -> socket.socket:
    """Ask for a socket by hand; nothing of what comes is read."""
    asking = socket.create_connection(("127.0.0.1", port))
    asking.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return asking


def test_who_never_reads_is_cut_and_who_reads_gets_everything(port: int, pages: Pages) -> None:
    """Measured before: 20 sockets that never read took the server from 337 to 664 MB."""
    with _never_reads(port, "/never/60"), connect(f"ws://127.0.0.1:{port}/reads/15") as reader:
        assert sum(len(reader.recv(timeout=20)) for _ in range(15)) == 15 * MB
        assert pages.one_ended.wait(20)
    # what the kernels of both sides hold is not the server's memory
    assert pages.ended["/never/60"] < 40
    assert pages.most <= ALL + MB


def test_many_who_never_read_are_bounded_together(port: int, pages: Pages) -> None:
    with contextlib.ExitStack() as stack:
        for number in range(8):
            stack.enter_context(_never_reads(port, f"/{number}/7"))
        assert pages.one_ended.wait(20)
    assert pages.most <= ALL + MB


@pytest.mark.parametrize("by", ["ping", "time"])
def test_a_socket_that_stands_still_ends_with_what_waits(
    port: int, pages: Pages, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """uvicorn closes it only when everything was read, that is never."""
    if by == "ping":
        pages.config.ws_ping_interval = pages.config.ws_ping_timeout = 0.1
    else:
        monkeypatch.setattr(Bounded, "still_s", 0.1)
    with _never_reads(port, "/one/5"):
        assert pages.one_ended.wait(20)
    assert pages.ended == {"/one/5": 5}
    assert not sum(each.waiting() for each in Bounded.unsent._open)


# --- plain requests


def _asks(port: int, head: str) -> socket.socket:
    asking = socket.create_connection(("127.0.0.1", port))
    asking.settimeout(20)
    asking.sendall(head.encode())
    return asking


def test_who_never_reads_a_file_is_cut_and_who_reads_gets_all_of_it(
    port: int, pages: Pages
) -> None:
    """Without it uvicorn lets the whole file wait, for every request and without end."""
    one = "GET /{}/20 HTTP/1.1\r\nHost: here\r\n{}\r\n"
    # also what is asked for in one go, and what shall be closed when everything was read
    heads = [one.format(0, ""), one.format(1, "") * 3, one.format(2, "Connection: close\r\n")]
    with contextlib.ExitStack() as stack:
        never = [stack.enter_context(_asks(port, head)) for head in heads]
        # each is cut alone by its time, whatever waits for the others
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/reads/20", timeout=20) as reader:
            assert len(reader.read()) == 20 * MB
        # a busy machine reads all in the tenth of a second before the cut
        _all_are_cut()
        for socket_ in never:
            _is_cut(socket_)
    assert not Bounded.unsent._open


def test_many_who_never_read_a_file_are_bounded_together(
    port: int, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None has stood still for long: what all of them hold is what cuts the first."""
    monkeypatch.setattr(BoundedFiles, "still_s", 60)
    with contextlib.ExitStack() as stack:
        for number in range(8):
            head = f"GET /{number}/7 HTTP/1.1\r\nHost: here\r\n\r\n"
            stack.enter_context(_asks(port, head))
        assert pages.one_ended.wait(20)
        assert Bounded.unsent.total() <= ALL + MB


def _all_are_cut() -> None:
    """Wait until the server holds no connection any more."""
    late_s = time.monotonic() + 20
    while Bounded.unsent._open:
        assert time.monotonic() < late_s, "the end of all connections never came true"
        time.sleep(0.01)


def _is_cut(asking: socket.socket) -> None:
    """Read what the kernels of both sides hold, until the connection ends without the rest."""
    count = 0
    with contextlib.suppress(ConnectionError):
        while part := asking.recv(MB):
            count += len(part)
    assert count < 20 * MB


@pytest.mark.parametrize("head", ["", "GET / HTTP/1.1\r\nHost: here\r\nX-Slow: "])
def test_a_connection_that_asks_for_nothing_ends(
    port: int, pages: Pages, monkeypatch: pytest.MonkeyPatch, head: str
) -> None:
    monkeypatch.setattr(BoundedFiles, "silent_s", 0.1)
    with _asks(port, head) as asking:
        _is_cut(asking)
    assert not pages.ended


def test_the_server_is_started_with_them() -> None:
    options = _bounded(lambda **options: options)(ws="auto", http="auto")
    assert (options["ws"], options["http"]) == (BoundedSocket, BoundedRequests)
