"""Plain requests whose client reads slowly, or never: what waits for them is bounded, as for
sockets.

uvicorn takes an answer as it comes, however large, and waits for its client without end. So
somebody who asks for a file again and again and reads none of it could fill the memory, and keep
the server's descriptors. Here an answer is passed on in pieces, and a connection that takes nothing
for a time, or asks for nothing, is cut.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from navviz.ui.server.slow_readers import STILL_S, Unsent

_LOG = logging.getLogger(__name__)
ALL_BYTES: Final = 128_000_000
"""What may wait for all of them together; a single answer may be larger."""
PIECE_BYTES: Final = 65_536
"""As much as uvicorn lets wait before it has an answer wait."""
SILENT_S: Final = 60.0
"""A browser opens connections before it needs them; one that asks for nothing so long is none."""

_UNSENT: Final = Unsent(ALL_BYTES)


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
