"""Notes of a command to its reader on stderr, and ``--quiet``, which leaves them out.

They lie this low since the commands of systems write notes, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from navviz.support.guarded import visible

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


def tell(*lines: str, err: bool = False) -> None:
    """Write lines that hold texts of data to stdout; a terminal shows these, and never obeys."""
    stream = sys.stderr if err else sys.stdout
    for line in lines:
        # tabs stay: a published prompt is printed letter by letter
        stream.write("\t".join(map(visible, line.split("\t"))) + "\n")
    # at once: the next thing on stderr may be the bar of another thread
    stream.flush()


def note(text: str) -> None:
    """Write what helps a reader, and no script, to stderr."""
    if not is_quiet():
        tell(*text.split("\n"), err=True)


def warn(texts: Iterable[str]) -> None:
    """Write warnings to stderr."""
    for text in texts:
        note(f"warning: {text}")
