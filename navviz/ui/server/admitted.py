"""Which sessions have come in by the door, and what their uploads hold in the server's memory.

Pages and requests meet here: a page says that its session came in, a request asks before it is
served. Streamlit takes an upload by a request of its own, before any page runs, so a page alone
could not hold the door.
"""

from __future__ import annotations

import threading
from collections.abc import Callable


class Admitted:
    """Sessions that came in, each with its visitor; safe in threads.

    Parameters
    ----------
    is_active
        Whether a session is still there: what it uploaded is freed with it.
    """

    def __init__(self, is_active: Callable[[str], bool]) -> None:
        self._is_active = is_active
        self._lock = threading.Lock()
        self._visitors: dict[str, str] = {}
        self._bytes: dict[str, dict[str, int]] = {}

    def admit(self, session: str, visitor: str) -> None:
        """Note that a session came in; sessions that ended are forgotten."""
        with self._lock:
            if self._visitors.get(session) == visitor:
                return
            self._visitors[session] = visitor
            self._forget_ended()

    def is_in(self, session: str) -> bool:
        """Whether a session came in by the door."""
        with self._lock:
            return session in self._visitors

    def reserve(self, session: str, file: str, size: int, limit: int) -> bool:
        """Reserve memory for an upload; ``False`` where its visitor's files would take more than
        `limit` bytes.
        """
        with self._lock:
            if session not in self._visitors:
                return False
            self._forget_ended()
            # a file that is sent again takes the place of its first try
            used = self._used(self._visitors[session]) - self._bytes.get(session, {}).get(file, 0)
            if used + size > limit:
                return False
            self._bytes.setdefault(session, {})[file] = size
            return True

    def release(self, session: str, file: str) -> None:
        """Give back what a file reserved: it was refused, or deleted."""
        with self._lock:
            self._bytes.get(session, {}).pop(file, None)

    def _used(self, visitor: str) -> int:
        sessions = [session for session, name in self._visitors.items() if name == visitor]
        return sum(sum(self._bytes.get(session, {}).values()) for session in sessions)

    def _forget_ended(self) -> None:
        ended = [session for session in self._visitors if not self._is_active(session)]
        for session in ended:
            del self._visitors[session]
            self._bytes.pop(session, None)


def is_active(session: str) -> bool:
    """Whether a session is still there; without a server every one is."""
    from streamlit import runtime  # pages are tested without a server

    return not runtime.exists() or runtime.get_instance().is_active_session(session)


admitted = Admitted(is_active)
"""Of this server process; requests come outside of any session, where Streamlit keeps nothing."""
