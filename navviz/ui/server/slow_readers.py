"""Sockets whose browser reads slowly, or never: what waits for them in the server's memory is
bounded.

Streamlit keeps up to 500 messages for each browser, whatever their size, and uvicorn closes a
socket that answers no ping only once its browser has read what waits. So somebody who asks for
pages and reads none of them could fill the memory. Here bytes are counted, and a socket that takes
too many, or stands still, is cut. A browser that was cut comes back by itself, and is shown its
page anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from asyncio import BaseTransport, TimerHandle
from functools import partial
from typing import Any, Final, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_LOG = logging.getLogger(__name__)

ONE_BYTES: Final = 32_000_000

"""What may wait for one socket; a single message may be larger (a page's largest table)."""

ALL_BYTES: Final = 64_000_000

"""What may wait for all of them together."""

STILL_S: Final = 20.0

"""A browser that takes nothing for so long, while something waits for it, is gone."""


class Waiting(Protocol):
    """A socket of which some bytes may still wait."""

    body: bytes
    """What it is sent from; several may be sent one and the same."""

    def waiting(self) -> int:
        """Return the bytes that its browser has not taken yet."""

    def still_since(self) -> float:
        """Return when its browser was last seen to take bytes."""

    def cut(self) -> None:
        """End it, and forget what waits."""


class Unsent:
    """What waits for all sockets of a server; used in the loop of the server alone."""

    def __init__(self, all_bytes: int = ALL_BYTES) -> None:
        self._all_bytes = all_bytes
        self._open: set[Waiting] = set()

    def add(self, socket: Waiting) -> None:
        """Count a socket from here on."""
        self._open.add(socket)

    def remove(self, socket: Waiting) -> None:
        """Forget a socket that has ended."""
        self._open.discard(socket)

    def bound(self) -> None:
        """Cut sockets that stand still, the longest first, until the others are within the bound;
        what is sent to one alone may be larger.
        """
        if self.total() <= self._all_bytes:
            return
        late = [socket for socket in self._open if socket.waiting()]
        # whoever is slow but reads goes on; whoever takes nothing is named by the time
        for socket in sorted(late, key=lambda each: each.still_since())[:-1]:
            if self.total() <= self._all_bytes:
                return
            socket.cut()

    def total(self) -> int:
        """Return the bytes that wait; a body that is sent to many lies in memory once."""
        bodies = {id(socket.body): len(socket.body) for socket in self._open}
        return sum(bodies.values()) + sum(socket.waiting() for socket in self._open)


UNSENT: Final = Unsent()


class BoundedSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which never waits for its browser, and is cut where that is too slow."""

    unsent = UNSENT
    one_bytes = ONE_BYTES
    still_s = STILL_S
    body = b""

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin to count."""
        super().connection_made(transport)
        self._given = self._taken = self._taken_at_ping = 0
        self._still_since_s = time.monotonic()
        self._watch: TimerHandle | None = None
        self.unsent.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End to count."""
        self.unsent.remove(self)
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Take the next message all the same: else it waits in Streamlit's queue, where nobody
        counts bytes.
        """

    async def send(self, message: Any) -> None:  # noqa: ANN401
        """Send a message of the app, or cut the socket for which too many wait."""
        waited = self.waiting()
        if not waited:
            self._still_since_s = time.monotonic()
        await super().send(message)
        self._given += len(message.get("bytes") or b"") + len(message.get("text") or "")
        if waited and self.waiting() > self.one_bytes:
            self.cut()
        self.unsent.bound()
        if self._watch is None and self.waiting():
            self._watch = self.loop.call_later(self.still_s, self._look_again)

    def waiting(self) -> int:
        """Return the bytes that the browser has not taken yet."""
        return int(self.transport.get_write_buffer_size())

    def still_since(self) -> float:
        """Return when the browser was last seen to take bytes."""
        self._look()
        return self._still_since_s

    def _look(self) -> None:
        # frames add some bytes that are not in `_given`, so a browser that stands still never
        # seems to take any
        taken = self._given - self.waiting()
        if taken > self._taken:
            self._taken, self._still_since_s = taken, time.monotonic()

    def _look_again(self) -> None:
        """Cut the socket where nothing was taken since the last look."""
        self._watch = None
        if not self.waiting():
            return
        if time.monotonic() - self.still_since() >= self.still_s:
            self.cut()
        else:
            self._watch = self.loop.call_later(self.still_s, self._look_again)

    def cut(self) -> None:
        """End the socket at once; `close` would wait until its browser has read everything."""
        _LOG.info("A socket was cut: its browser did not read %s bytes.", f"{self.waiting():,}")
        self.transport.abort()

    # --- pings

    def send_keepalive_ping(self) -> None:
        """Ask whether the browser is there."""
        self._look()
        self._taken_at_ping = self._taken
        super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """End a socket that answers no ping, unless its browser is still busy with what came
        before the ping.
        """
        self._look()
        if self._taken > self._taken_at_ping and self.waiting() and self.ping_timeout:
            self._taken_at_ping = self._taken
            self.pong_timer = self.loop.call_later(self.ping_timeout, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        if self.waiting():
            self.cut()


ALL_DOWNLOAD_BYTES: Final = 128_000_000

"""What may wait for all of them together; a single answer may be larger."""

PIECE_BYTES: Final = 65_536

"""As much as uvicorn lets wait before it has an answer wait."""

SILENT_S: Final = 60.0

"""A browser opens connections before it needs them; one that asks for nothing so long is none."""


_UNSENT: Final = Unsent(ALL_DOWNLOAD_BYTES)


class BoundedRequests(H11Protocol):
    """uvicorn's connection, which is cut where its client does not read, or never asks."""

    unsent = _UNSENT
    still_s = STILL_S
    silent_s = SILENT_S

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments, **options)
        # the cycle that answers is uvicorn's own, so the app is what can be bounded
        self.app: Any = partial(self._answer, self.config.loaded_app)

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to count."""
        super().connection_made(transport)
        self.body, self._seen = b"", 0
        self._moved_s = self._asked_s = time.monotonic()
        self.unsent.add(self)
        self._watch = self.loop.call_later(self.still_s, self._look_again)

    def connection_lost(self, exc: Exception | None) -> None:
        """End to count."""
        self._end()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave the transport to the socket, which counts by itself."""
        self._end()
        super().handle_websocket_upgrade(event)

    def _end(self) -> None:
        self._watch.cancel()
        self.unsent.remove(self)

    # --- answers

    async def _answer(self, app: Any, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        await app(scope, receive, partial(self._in_pieces, send))

    async def _in_pieces(self, send: Any, message: Any) -> None:  # noqa: ANN401
        """Send a message of the app; the next piece of a large one when the client has taken most
        of the last.
        """
        body = message.get("body", b"")
        if len(body) <= PIECE_BYTES:
            await send(message)
            return
        more = message.get("more_body", False)
        self.body = body
        self._moves()
        self.unsent.bound()
        try:
            for start in range(0, len(body), PIECE_BYTES):
                if self.transport.is_closing():
                    # cut: uvicorn hears of it in the next turn of the loop, and takes no more
                    await asyncio.sleep(0)
                end = start + PIECE_BYTES
                piece = {**message, "body": body[start:end], "more_body": more or end < len(body)}
                await send(piece)
        finally:
            self.body = b""

    def on_response_complete(self) -> None:
        """Note when it was: the next request has its own time."""
        self._asked_s = time.monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Let the app wait."""
        super().pause_writing()
        self.unsent.bound()

    def resume_writing(self) -> None:
        """Let the app go on: its client has taken something."""
        self._moves()
        super().resume_writing()

    # --- bounds

    def waiting(self) -> int:
        """Return the bytes of the buffer that the client has not taken yet."""
        return int(self.transport.get_write_buffer_size())

    def still_since(self) -> float:
        """Return when the client was last seen to take bytes."""
        waiting = self.waiting()
        # while a client takes nothing, nothing new is written: what waits can shrink alone
        if waiting < self._seen:
            self._moved_s = time.monotonic()
        self._seen = waiting
        return self._moved_s

    def _moves(self) -> None:
        self._moved_s, self._seen = time.monotonic(), self.waiting()

    def _look_again(self) -> None:
        """Cut a connection that stands still; look again later at one that does not."""
        now_s = time.monotonic()
        if self.waiting():
            if now_s - self.still_since() >= self.still_s:
                self.cut()
                return
        else:
            self._moves()
            # a head that comes byte by byte would otherwise keep a descriptor for ever
            if self.conn.their_state is h11.IDLE and now_s - self._asked_s >= self.silent_s:
                self.cut()
                return
        self._watch = self.loop.call_later(self.still_s, self._look_again)

    def cut(self) -> None:
        """End it at once; `close` would wait until the client has read everything."""
        _LOG.info("A connection was cut: %s bytes were not read.", f"{self.waiting():,}")
        self.body = b""
        self.transport.abort()
