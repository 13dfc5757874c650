"""Sockets whose browser reads slowly, or never: what waits for them in the server's memory is
bounded.

Streamlit keeps up to 500 messages for each browser, whatever their size, and uvicorn closes a
socket that answers no ping only once its browser has read what waits. So somebody who asks for
pages and reads none of them could fill the memory. Here bytes are counted, and a socket that takes
too many, or stands still, is cut. A browser that was cut comes back by itself, and is shown its
page anew. A proxy cannot do this: it sees what left the server, not what waits in it. Slow plain
downloads are the proxy's (docs/server.md).
"""

from __future__ import annotations

import logging
import time
from asyncio import BaseTransport, TimerHandle
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_LOG = logging.getLogger(__name__)

ONE_BYTES: Final = 32_000_000
"""What may wait for one socket; a single message may be larger (a page's largest table)."""

ALL_BYTES: Final = 64_000_000
"""What may wait for all of them together."""

STILL_S: Final = 20.0
"""A browser that takes nothing for so long, while something waits for it, is gone."""


class Unsent:
    """What waits for all sockets of a server; used in the loop of the server alone."""

    def __init__(self, all_bytes: int = ALL_BYTES) -> None:
        self._all_bytes = all_bytes
        self._open: set[BoundedSocket] = set()

    def add(self, socket: BoundedSocket) -> None:
        """Count a socket from here on."""
        self._open.add(socket)

    def remove(self, socket: BoundedSocket) -> None:
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
        """Return the bytes that wait."""
        return sum(socket.waiting() for socket in self._open)


UNSENT: Final = Unsent()


class BoundedSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which never waits for its browser, and is cut where that is too slow."""

    unsent = UNSENT
    one_bytes = ONE_BYTES
    still_s = STILL_S

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
