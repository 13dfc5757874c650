"""Browsers that ask for much and read little of it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from websockets.sync.client import connect

from navviz.ui.server.serve import _bounded
from navviz.ui.server.slow_readers import BoundedSocket, Unsent

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
        self.ended[scope["path"]] = sent
        self.one_ended.set()


class Bounded(BoundedSocket):
    unsent = Unsent(ALL)
    one_bytes = ONE


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def port(pages: Pages) -> Iterator[int]:
    options: Any = {"ws": Bounded}
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


def test_the_server_is_started_with_them() -> None:
    options = _bounded(lambda **options: options)(ws="auto")
    assert options["ws"] == BoundedSocket
