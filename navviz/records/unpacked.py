"""Packed files of many traces, unpacked once in the cache, so that one trace is read alone.

Files in UTF-16 are kept there as UTF-8, too.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from pathlib import Path
from typing import IO

from navviz.errors import InputError
from navviz.support.guarded import bytes_at, head_bytes, is_regular, marked_encoding, opened_lines
from navviz.support.installation.cache import cache_folder, keep_file

_PACKED = (".gz", ".bz2")
_PIECE = 1 << 20
_KEPT = 4
"""Unpacked files in the cache; one of 50,000 traces may take several gigabytes."""
_LOG = logging.getLogger(__name__)


def is_recoded(path: Path) -> bool:
    """Tell whether a file's bytes differ from its text: it is packed, or in UTF-16 or UTF-32."""
    return path.suffix in _PACKED or bool(marked_encoding(head_bytes(path, 4)))


def unpacked_bytes_at(path: Path, start: int, count: int) -> bytes:
    """Return `count` bytes of a file from byte `start`, counted in what it unpacks to.

    Raises `InputError` where it cannot be opened, or is damaged before that place.
    """
    if not is_recoded(path):
        return bytes_at(path, start, count)
    plain = _plain(path)
    if plain is not None:
        return bytes_at(plain, start, count)
    with opened_lines(path) as file:
        # packed bytes have no places to jump to: what comes before is unpacked and thrown away
        while start > 0 and (piece := file.read(min(start, _PIECE))):
            start -= len(piece)
        return file.read(count)


def _plain(path: Path) -> Path | None:
    """Return the unpacked file; ``None`` where it cannot be kept."""
    try:
        state = path.stat()
        # times and size are in the name, so a file that changed is unpacked anew
        name = f"{path.resolve()}\0{state.st_mtime_ns}\0{state.st_ctime_ns}\0{state.st_size}"
        digest = hashlib.blake2b(name.encode(errors="surrogateescape"), digest_size=12).hexdigest()
        plain = cache_folder("unpacked") / f"{digest}.jsonl"
        if not is_regular(plain):
            keep_file(plain, lambda file: _unpack(path, file), _KEPT)
    except OSError as error:
        _LOG.info("%s: not kept unpacked (%s)", path, error)
        return None
    return plain


def _unpack(path: Path, target: IO[bytes]) -> None:
    with opened_lines(path) as file, contextlib.suppress(InputError):
        while line := file.readline(_PIECE):  # whole lines outlive what is damaged behind them
            target.write(line)
