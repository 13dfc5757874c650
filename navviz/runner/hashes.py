"""SHA-256 of the files that a run hangs on, each read once as long as it does not change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

from navviz.errors import InputError
from navviz.support.guarded import is_folder, is_regular, sha256_of

MOST_BYTES = 1 << 29
"""Larger files are named without a hash: half a second of reading a GB is no longer cheap at the
start of a run.
"""
MOST_FILES = 500
"""Files of a folder that are named; Matterport3D has 90 connectivity files."""
MOST_TOGETHER = 1 << 31
"""Bytes of all files of one run; those after them are named without a hash."""
_DEPTH = 3


def file_hash(path: Path) -> str | None:
    """Return the SHA-256 of a file in hexadecimal digits; ``None`` for a very large one."""
    try:
        state = path.stat()
        return (
            None
            if state.st_size > MOST_BYTES
            else _hash(str(path), state.st_size, state.st_mtime_ns)
        )
    except (OSError, InputError):
        return None


@lru_cache(maxsize=4096)
def _hash(path: str, size: int, modified_ns: int) -> str:
    # both are part of the cache's key alone: a file that changed is read again
    del size, modified_ns
    return sha256_of(Path(path), MOST_BYTES)


def _files_of(path: Path) -> Iterable[Path]:
    return _inside(path, _DEPTH) if is_folder(path) else (path,)


def file_hashes(paths: Iterable[Path]) -> dict[str, str | None]:
    """Return the hashes of files, and of those in folders (three levels deep, the first
    `MOST_FILES`), by path.

    What is not there is left out.
    """
    files = filter(is_regular, chain.from_iterable(map(_files_of, paths)))
    hashes, together = dict[str, str | None](), 0
    for file in islice(files, MOST_FILES):
        together += file.stat().st_size
        hashes[str(file)] = file_hash(file) if together <= MOST_TOGETHER else None
    return hashes


def _inside(folder: Path, depth: int) -> Iterator[Path]:
    try:
        # in order, so that the files within the limits are the same ones each time
        children = sorted(child for child in folder.iterdir() if not child.name.startswith("."))
    except OSError:
        return
    yield from (child for child in children if not is_folder(child))
    for child in children if depth > 1 else ():
        if is_folder(child):
            yield from _inside(child, depth - 1)
