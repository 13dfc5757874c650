"""Files written beside their name first: a kill or a full disk leaves no half a file."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path

from navviz.errors import StoreError


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name beside `path` to write to; the file takes its place when the block ends."""
    # two that write at once do not meet
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield part
        part.replace(path)
    # an interrupt (Ctrl+C) must leave no half a file, either
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def write_whole(path: Path, text: str) -> None:
    """Write a small file in one move, and its folder where there is none.

    Raises
    ------
    StoreError
        Where it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8")
    except OSError as error:
        raise not_written(path, error) from error


def not_written(path: Path, error: OSError) -> StoreError:
    """Return the error of a file that cannot be written, as one sentence."""
    what = (
        f"cannot be written ({error.strerror or error}); free some space or choose another folder"
    )
    return StoreError(f"{path}: {what}.")
