"""What one visitor of a server may use: time of a page, megabytes of uploads, tokens of live
models.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from navviz.errors import InputError, NavVizError
from navviz.runner.ledger import Account, ledger
from navviz.runs.sources import workspace_dir
from navviz.support.installation.serving import serving
from navviz.ui.components.plain import plain
from navviz.ui.server.identity import account
from navviz.ui.state.session import current

_MB = 1_000_000


class TooLongError(NavVizError):
    """Ends a page that computes for too long."""

    def __init__(self) -> None:
        super().__init__(
            "This page took longer than the server allows for one visitor and was ended; choose"
            " fewer episodes, or ask the operator for a higher --request-s."
        )


@contextmanager
def time_limit() -> Iterator[None]:
    """End a page of a server's visitor that computes for longer than the server allows, with one
    sentence.

    Python code is ended between two of its instructions; a single long call of a library ends when
    it returns.
    """
    rules = serving()
    if rules is None:
        yield
        return
    alarm = _Alarm(rules.request_s)
    try:
        yield
    except TooLongError as error:
        st.error(plain(error), icon=":material/timer_off:")
    finally:
        # else it would ring in what the thread does next
        alarm.cancel()


class _Alarm:
    """Raises `TooLongError` in the thread that made it, unless it is cancelled before.

    Streamlit runs a page in a thread of its own and has no public way to end it from outside;
    CPython's ``PyThreadState_SetAsyncExc`` is there for this.
    """

    def __init__(self, seconds: float) -> None:
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._over = False
        self._timer = threading.Timer(seconds, self._ring)
        # a server that ends must not wait for it
        self._timer.daemon = True
        self._timer.start()

    def _ring(self) -> None:
        with self._lock:
            # the page may end in this very moment
            if not self._over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(TooLongError)
                )

    def cancel(self) -> None:
        """Let the thread go on; what did not ring by now never will."""
        self._timer.cancel()
        with self._lock:
            self._over = True


def check_upload(size: int) -> None:
    """Count an upload of `size` bytes; raises `InputError` where this visitor's share, or the
    server's, is used up.
    """
    rules = serving()
    if rules is None:
        return
    session = current()
    if session.uploaded_bytes + size > rules.upload_mb * _MB:
        left_mb = max(0.0, rules.upload_mb - session.uploaded_bytes / _MB)
        raise InputError(
            f"has {size / _MB:.1f} MB, and {left_mb:.1f} MB are left of your"
            f" {rules.upload_mb:g} MB",
            "upload a part of it, or ask the operator to open it for all",
            file="The upload",
        )
    if _size(workspace_dir() / "uploads") + size > rules.uploads_mb * _MB:
        raise InputError(
            "does not fit: the server's space for uploads is full",
            "ask the operator to clear them",
            file="The upload",
        )
    # a new visit has a whole share again: without this, forty reloads would leave no room to others
    name, room_mb = account(), max(rules.upload_mb, rules.uploads_mb / 2)
    if name is not None and not _rooms().take(name, size, room_mb):
        raise InputError(
            "does not fit: your uploads take half of the server's space",
            "ask the operator to open it for all",
            file="The upload",
        )
    # last: an upload that is refused takes nothing of the share
    session.uploaded_bytes += size


class _Rooms:
    """What each visitor has uploaded since the server came up; safe in threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bytes: dict[str, int] = {}

    def take(self, name: str, size: int, limit_mb: float) -> bool:
        """Count an upload; false where its visitor would have more than the limit."""
        with self._lock:
            taken = self._bytes.get(name, 0) + size
            if taken > limit_mb * _MB:
                return False
            self._bytes[name] = taken
            return True


@st.cache_resource(show_spinner=False)
def _rooms() -> _Rooms:
    return _Rooms()


def _size(folder: Path) -> int:
    return (
        sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        if folder.is_dir()
        else 0
    )


def share() -> Account | None:
    """Return the share of tokens that pays for all models this visitor asks; ``None`` where nobody
    limits it.

    It lies in the workspace's ledger, so neither a reload nor a restart of the server renews it.
    """
    rules, name = serving(), account()
    return None if rules is None or name is None else ledger().account(name, rules.tokens)
