"""Packed files, unpacked in pieces and stopped where they hold far more than data do.

Every packed data set that we know holds 4 to 20 times its size (RxR and Habitat 4 to 12,
OpenStreetMap XML 8 to 20); a bomb of gzip holds up to 1,032 times, one of bzip2 far more.
"""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from navviz.errors import InputError

UNPACKED_BYTES, UNPACKED_TIMES = 1 << 24, 25
_ADVICE = "unpack it yourself and open that file"
_PIECE = 1 << 20


class UnpackedTooMuchError(InputError):
    """A packed file holds far more than a data set of its size does."""


class _Unpacked(io.RawIOBase):
    """A packed file that raises where it is damaged or unpacks to more than data do."""

    def __init__(self, path: Path, limit: int) -> None:
        self._name, self._limit, self._done = path.name, limit, 0
        # closed by `close`
        self._file = bz2.BZ2File(path) if path.suffix == ".bz2" else gzip.GzipFile(path)

    def readable(self) -> bool:
        """Return true: it is a file to read."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - what `RawIOBase` declares is no public type
        """Fill the buffer; raises `InputError` above the limit and where the packing is damaged."""
        try:
            piece = self._file.read1(min(len(buffer), _PIECE))
        except (OSError, EOFError, zlib.error) as error:
            what = (
                f"is a damaged {'bzip2' if isinstance(self._file, bz2.BZ2File) else 'gzip'} file"
                f" ({error})"
            )
            raise InputError(what, "get the file again", file=self._name) from error
        self._done += len(piece)
        if self._done > self._limit:
            raise _too_much(self._name, self._limit)
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the packed file too."""
        self._file.close()
        super().close()


def _too_much(name: str, limit: int) -> UnpackedTooMuchError:
    what = f"unpacks to more than {limit / 1e6:,.0f} MB, the limit for a packed file of its size"
    return UnpackedTooMuchError(what, _ADVICE, file=name)


@contextmanager
def opened_packed(path: Path, size: int) -> Iterator[IO[bytes]]:
    """Open a ``.gz`` or ``.bz2`` file of `size` bytes; raises `UnpackedTooMuchError`."""
    limit = max(UNPACKED_BYTES, UNPACKED_TIMES * size)
    # bzip2 does not write down what it unpacks to: it is only stopped while it is read
    if path.suffix == ".gz" and _claimed_bytes(path, size) > limit:
        _unpack(path, limit)
    with io.BufferedReader(_Unpacked(path, limit), _PIECE) as file:
        yield file


def _claimed_bytes(path: Path, size: int) -> int:
    """Return what the end of a gzip file says it unpacks to (modulo 4 GB), in bytes; anything where
    it is cut off.
    """
    with path.open("rb") as file:
        file.seek(max(0, size - 4))
        return int.from_bytes(file.read(4), "little")


def _unpack(path: Path, limit: int) -> None:
    """Refuse a bomb before its first entry is read: to unpack it takes a second, to read what it
    holds minutes.
    """
    with io.BufferedReader(_Unpacked(path, limit), _PIECE) as file:
        try:
            while file.read1(_PIECE):
                pass
        except UnpackedTooMuchError:
            raise
        except InputError:  # cut off: what is whole is shown
            return
