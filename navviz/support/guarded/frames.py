"""A frame around readers: unforeseen errors become a sentence and an entry of the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from navviz.errors import InputError, NavVizError

_LOG = logging.getLogger(__name__)


@contextmanager
def framed(file: Path | str, reader: str = "") -> Iterator[None]:
    """Turn what a reader did not foresee into an `InputError` and an entry of the log."""
    try:
        yield
    except NavVizError:
        raise
    except Exception as error:
        _LOG.exception("%s: %s broke", file, reader or "a reader")
        what = (
            f"cannot be read{' as ' + reader if reader else ''} ({type(error).__name__}:"
            f" {str(error)[:120]})"
        )
        raise InputError(
            what, "get it again; if it is whole, report it with the log", file=file
        ) from error
