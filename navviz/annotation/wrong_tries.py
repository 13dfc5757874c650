"""Slow down whoever guesses passwords or tokens."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from navviz.errors import StoreError


class WrongTries:
    """Wrong tries by name: after a few, each doubles the time until the next one is looked at.

    Nobody waits inside a request: a try that comes too early is refused at once, right or wrong, so
    that guessing costs the server nothing. One name's wrong tries never lock out another.
    """

    _MOST_NAMES = 10_000
    """Names remembered; the oldest are forgotten, so that made-up names do not fill the memory."""

    def __init__(
        self,
        free: int = 3,
        first_s: float = 1.0,
        longest_s: float = 300.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._free, self._first_s, self._longest_s, self._clock = free, first_s, longest_s, clock
        self._tries: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def check(self, name: str) -> None:
        """Refuse a try that comes too early; raises `StoreError` with the seconds left."""
        with self._lock:
            until = self._tries.get(name, (0, 0.0))[1]
        left_s = until - self._clock()
        if left_s > 0:
            raise StoreError(
                f"Too many wrong tries; wait {max(1, round(left_s))} s, then try again."
            )

    def wrong(self, name: str) -> None:
        """Count a wrong try."""
        with self._lock:
            # taken out and put in again, so that the name counts as the newest
            count = self._tries.pop(name, (0, 0.0))[0] + 1
            # without a limit, 2 to the power of some thousand tries would be no float any more
            over = min(count - self._free, 32)
            pause_s = 0.0 if over <= 0 else min(self._first_s * 2.0 ** (over - 1), self._longest_s)
            self._tries[name] = (count, self._clock() + pause_s)
            while len(self._tries) > self._MOST_NAMES:
                self._tries.pop(next(iter(self._tries)))

    def right(self, name: str) -> None:
        """Forget the wrong tries of who came in."""
        with self._lock:
            self._tries.pop(name, None)
