"""A frame around readers: what none of them foresaw becomes a sentence for the user, and an entry of the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from navviz.errors import InputError, NavVizError

__all__ = ["framed"]

_LOG = logging.getLogger(__name__)


@contextmanager
def framed(file: Path | str, reader: str = "") -> Iterator[None]:
    """Turn what a reader did not foresee into an `InputError`, and a log entry for whoever mends it."""
    try:
        yield
    except NavVizError:
        raise
    except Exception as error:
        _LOG.exception("%s: %s broke", file, reader or "a reader")
        what = f"cannot be read{' as ' + reader if reader else ''} ({type(error).__name__}: {str(error)[:120]})"
        raise InputError(what, "get it again; if it is whole, report it with the log", file=file) from error
