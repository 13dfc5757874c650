"""Which sessions have come in by the door, whose they are, and what their uploads hold in the
server's memory.

Pages and requests meet here: a page says that its session came in, a request asks before it is
served. Streamlit takes an upload by a request of its own, before any page runs, so a page alone
could not hold the door.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from typing import Protocol

_MOST_SESSIONS = 100_000
"""Whose browsers are remembered; the oldest are long gone."""


class UploadedFiles(Protocol):
    """What sessions have uploaded, in the server's memory."""

    def size(self, session: str) -> int:
        """Return the bytes that a session's files take."""

    def drop(self, session: str) -> None:
        """Forget a session's files."""


class Admitted:
    """Sessions that came in, each with its visitor; safe in threads.

    What is counted is what Streamlit holds, and what is on its way: a list of our own could be
    talked out of step with it, by a file sent twice or a socket closed after its upload.

    Parameters
    ----------
    is_active
        Whether somebody is connected to a session.
    files
        The files of all sessions. Streamlit keeps those of a session for some minutes after its
        browser went away, since it may come back.
    """

    def __init__(self, is_active: Callable[[str], bool], files: UploadedFiles) -> None:
        self._is_active, self._files = is_active, files
        self._lock = threading.Lock()
        self._visitors: dict[str, str] = {}
        self._browsers: dict[str, str] = {}
        """Browser of each session; empty for one that keeps no cookies."""
        self._coming: dict[str, tuple[str, int]] = {}
        """Visitor and bytes of uploads on their way, by receipt."""

    def admit(self, session: str, visitor: str) -> None:
        """Note that a session came in; those that ended and hold nothing are forgotten."""
        with self._lock:
            if self._visitors.get(session) == visitor:
                return
            self._visitors[session] = visitor
            self._forget_ended()

    def bind(self, session: str, browser: str) -> None:
        """Note whose session this is: the browser with which it began, whatever comes later."""
        with self._lock:
            self._browsers.setdefault(session, browser)
            # not when a session ends: its browser may come back, and finds what it left
            if len(self._browsers) > _MOST_SESSIONS:
                del self._browsers[next(iter(self._browsers))]

    def is_of(self, session: str, browser: str) -> bool:
        """Whether a session began with this browser; nobody's where no page has run in it yet."""
        with self._lock:
            owner = self._browsers.get(session, "")
        return bool(owner) and hmac.compare_digest(owner.encode(), browser.encode())

    def is_bound(self, session: str) -> bool:
        """Whether a page has run in a session."""
        with self._lock:
            return session in self._browsers

    def leave(self, session: str) -> None:
        """Note that whoever had come in has signed out."""
        with self._lock:
            self._visitors.pop(session, None)

    def is_in(self, session: str) -> bool:
        """Whether a session came in by the door."""
        with self._lock:
            return session in self._visitors

    def reserve(self, session: str, size: int, limit: int) -> str | None:
        """Reserve memory for an upload that begins; return what `release` takes when it has ended.

        ``None`` where all files of the session's visitor would take more than `limit` bytes. The
        files of sessions that nobody is connected to any more make room first.
        """
        with self._lock:
            visitor = self._visitors.get(session)
            if visitor is None:
                return None
            if self._used(visitor) + size > limit:
                self._drop_ended(visitor)
            if self._used(visitor) + size > limit:
                return None
            receipt = secrets.token_hex(8)
            self._coming[receipt] = visitor, size
            return receipt

    def release(self, receipt: str) -> None:
        """End an upload: from here on what Streamlit has kept of it counts."""
        with self._lock:
            self._coming.pop(receipt, None)

    def _used(self, visitor: str) -> int:
        kept = sum(self._files.size(session) for session in self._sessions(visitor))
        return kept + sum(size for name, size in self._coming.values() if name == visitor)

    def _sessions(self, visitor: str) -> list[str]:
        return [session for session, name in self._visitors.items() if name == visitor]

    def _drop_ended(self, visitor: str) -> None:
        for session in self._sessions(visitor):
            if not self._is_active(session):
                self._files.drop(session)

    def _forget_ended(self) -> None:
        for session in list(self._visitors):
            # one that still holds files must go on counting for its visitor
            if not self._is_active(session) and self._files.size(session) == 0:
                del self._visitors[session]


def is_active(session: str) -> bool:
    """Whether somebody is connected to a session; without a server always."""
    from streamlit import runtime  # pages are tested without a server

    return not runtime.exists() or runtime.get_instance().is_active_session(session)


class StreamlitFiles:
    """Those in the memory of Streamlit's server; without a server there are none."""

    def size(self, session: str) -> int:
        """Return the bytes that a session's files take."""
        from streamlit import runtime  # pages are tested without a server

        if not runtime.exists():
            return 0
        # of `MemoryUploadedFileManager`, the only one that Streamlit has; `get_files` wants ids
        storage = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
        # a list at once: requests in other threads add to the dictionary
        return sum(len(file.data) for file in list(storage.get(session, {}).values()))

    def drop(self, session: str) -> None:
        """Forget a session's files."""
        from streamlit import runtime  # pages are tested without a server

        if runtime.exists():
            runtime.get_instance().uploaded_file_mgr.remove_session_files(session)


admitted = Admitted(is_active, StreamlitFiles())
"""Of this server process; requests come outside of any session, where Streamlit keeps nothing."""
