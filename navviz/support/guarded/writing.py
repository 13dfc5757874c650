"""Files written beside their name first: a kill or a full disk leaves no half a file.

Every file that NavViz makes passes here; `tests/test_boundaries.py` names the few that grow.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from navviz.errors import StoreError

_NAME_BYTES = 230
"""A file system takes names of 255 bytes, and the name of a draft is longer than its file's."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name beside `path` to write to; the file takes its place when the block ends.

    A link stays one, and the file that it names is replaced; a device or a pipe is written to.
    """
    path = path.resolve() if path.is_symlink() else path
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path
        return
    # two that write at once do not meet
    part = path.with_name(f"{_short(path.name)}.{secrets.token_hex(4)}.part")
    try:
        yield part
        if path.is_file():
            # whoever was kept from reading the old file may not read the new one
            with contextlib.suppress(OSError):
                shutil.copymode(path, part)
        part.replace(path)
    # an interrupt (Ctrl+C) must leave no half a file, either
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Do what `replacing` does, in a folder that may be new.

    Raises `StoreError` where it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            yield part
    except OSError as error:
        raise not_written(path, error) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file in one move, and its folder where there is none.

    Raises `StoreError` where it cannot be written.
    """
    with writing(path) as part:
        # the same bytes on every system: text mode would change the ends of lines on Windows
        part.write_bytes(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def writing_folder(path: Path) -> Iterator[Path]:
    """Give a new folder to fill; it takes the place of `path`, and of what that held, when the
    block ends.

    Raises `StoreError` where it cannot be written; `path` is as it was then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".navviz-") as name:
            made = Path(name) / "new"
            made.mkdir()
            yield made
            old = Path(name) / "old"
            if path.exists():
                path.replace(old)
            try:
                made.replace(path)
            except OSError:
                if old.exists():
                    old.replace(path)
                raise
    except OSError as error:
        raise not_written(path, error) from error


def keep_first(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file unless another process was quicker: the first one counts.

    Raises `OSError` where it cannot be written.
    """
    draft = path.with_name(f"{_short(path.name)}.{secrets.token_hex(4)}.part")
    try:
        # with its mode from the start: a file that is closed to others later was open for a moment
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        # a link fails where the name is taken; a move would replace the file of the other process
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _short(name: str) -> str:
    return name if len(os.fsencode(name)) <= _NAME_BYTES else name[: _NAME_BYTES // 4]


def not_written(path: Path, error: OSError) -> StoreError:
    """Return the error of a file that cannot be written, as one sentence."""
    what = (
        f"cannot be written ({error.strerror or error}); free some space or choose another folder"
    )
    return StoreError(f"{path}: {what}.")
