"""Notes of a command to its reader on stderr, and ``--quiet``, which leaves them out.

They lie this low since the commands of systems write notes, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


def is_quiet() -> bool:
    """Whether only results and errors are printed."""
    return _quiet.get()


@contextmanager
def quieted(quiet: bool) -> Iterator[None]:
    """Print only results and errors meanwhile; a command within a quiet one stays quiet."""
    token = _quiet.set(quiet or _quiet.get())
    try:
        yield
    finally:
        _quiet.reset(token)


def note(text: str) -> None:
    """Write what helps a reader, and no script, to stderr."""
    if not is_quiet():
        # at once: the next thing on stderr may be the bar of another thread
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def warn(texts: Iterable[str]) -> None:
    """Write warnings to stderr."""
    for text in texts:
        note(f"warning: {text}")
