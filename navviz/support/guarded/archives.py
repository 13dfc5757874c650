"""ZIP archives of visitors as folders: every member checked before a byte is written.

A member may name a place outside of the folder, be a link, claim another size than it has, or
unpack to a thousand times its size. What is refused leaves nothing behind.
"""

from __future__ import annotations

import bz2
import gzip
import io
import os
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from navviz.errors import InputError

UNPACKED_BYTES, UNPACKED_TIMES = 1 << 24, 25

_ADVICE = "unpack it yourself and open that file"


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
        _unpack_stream(path, limit)
    with io.BufferedReader(_Unpacked(path, limit), _PIECE) as file:
        yield file


def _claimed_bytes(path: Path, size: int) -> int:
    """Return what the end of a gzip file says it unpacks to (modulo 4 GB), in bytes."""
    with path.open("rb") as file:
        file.seek(max(0, size - 4))
        return int.from_bytes(file.read(4), "little")


def _unpack_stream(path: Path, limit: int) -> None:
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


MOST_FILES = 20_000

_MOST_FOLDERS = 12
"""Between the folder and a file; published data sets have five."""

_LONGEST = 120
"""Characters of one name: file systems take 255 bytes, and a letter may have four of them."""

_PIECE = 1 << 20

_SEPARATORS = re.compile(r"[/\\]+")

_UNSAFE = re.compile(r"[\x00-\x1f\x7f:]")

_Member = tuple[zipfile.ZipInfo, tuple[str, ...]]

_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, struct.error,
    UnicodeError, ValueError, OverflowError,
)  # fmt: skip
"""What `zipfile` raises for archives that are cut, damaged, encrypted or packed in another way."""


def folder_places(names: Sequence[str], file: str) -> tuple[str, list[tuple[str, ...]]]:
    """Return where the files of an uploaded folder lie within it.

    Raises `InputError` when a name leads out of the folder, or two files have one name.
    """
    places = [_inner_path(name, file) for name in names]
    taken = set[tuple[str, ...]]()
    for name, parts in zip(names, places, strict=True):
        # Windows and macOS take A.json and a.json for one file
        same = tuple(part.casefold() for part in parts)
        if same in taken:
            what = f"holds two files named {name[:80]!r}"
            raise InputError(what, "give each file a name of its own", file=file)
        if parts:
            taken.add(same)
    tops = {parts[0] for parts in places if parts}
    if len(tops) != 1 or any(len(parts) == 1 for parts in places):
        return "", places
    return tops.pop(), [parts[1:] for parts in places]


def _inner_path(name: str, file: str) -> tuple[str, ...]:
    """Return the folders and the name of one file; empty for what no one means to upload."""
    parts = tuple(part for part in _SEPARATORS.split(name) if part not in {"", "."})
    if name.startswith(("/", "\\", "~")) or ".." in parts or _UNSAFE.search(name):
        what = f"its file {name[:80]!r} would be written outside of the folder"
        raise InputError(what, "nothing was kept; name the file otherwise", file=file)
    if len(parts) > _MOST_FOLDERS or any(len(part) > _LONGEST for part in parts):
        what = f"its file {name[:80]!r} lies too deep or has too long a name"
        raise InputError(what, "nothing was kept; choose a smaller folder", file=file)
    # __MACOSX, .DS_Store, .git: no data, and as many files again
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
    return () if hidden or name.endswith(("/", "\\")) else parts


def unpacked_bytes(name: str, file: IO[bytes]) -> int:
    """Return how many bytes an upload takes on the disk: of an archive, those of its files.

    Raises `InputError` where it is called an archive and is none.
    """
    size = file.seek(0, os.SEEK_END)
    if not name.lower().endswith(".zip"):
        return size
    try:
        with zipfile.ZipFile(file) as opened:
            # no member gives more than it claims: `zipfile` stops there
            return max(size, sum(info.file_size for info in opened.infolist()))
    except _BROKEN as error:
        what = f"is no ZIP archive that can be read ({str(error)[:80] or type(error).__name__})"
        raise InputError(what, "pack the folder again", file=name) from error


def unpack_zip(archive: Path, folder: Path) -> int:
    """Unpack a ZIP archive into a new folder; return how many files it has now.

    Raises `InputError` where it is damaged, encrypted or no archive, names a place outside of the
    folder, holds a link or two files of one name, or unpacks to far more than data do. Nothing is
    left then.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            members = _members(opened.infolist(), archive)
            _unpack(opened, members, archive, folder)
    except InputError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except _BROKEN as error:
        shutil.rmtree(folder, ignore_errors=True)
        what = f"is no ZIP archive that can be read ({str(error)[:80] or type(error).__name__})"
        do = "pack the folder again, without a password"
        raise InputError(what, do, file=archive.name) from error
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        what = f"cannot be unpacked ({error.strerror or error})"
        raise InputError(what, "make room, or open the folder by its path", file=archive) from error
    return len(members)


def _members(infos: Sequence[zipfile.ZipInfo], archive: Path) -> list[_Member]:
    if len(infos) > MOST_FILES:
        what = f"holds more than {MOST_FILES:,} files"
        raise InputError(what, "open the folder by its path", file=archive.name)
    _, places = folder_places([info.filename for info in infos], archive.name)
    members = [member for member in zip(infos, places, strict=True) if member[1]]
    for info, _ in members:
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in {0, stat.S_IFREG}:
            what = f"its member {info.filename[:80]!r} is a link or a device"
            raise InputError(what, "pack the file itself", file=archive.name)
    return members


def _unpack(
    opened: zipfile.ZipFile,
    members: Sequence[_Member],
    archive: Path,
    folder: Path,
) -> None:
    left = max(UNPACKED_BYTES, UNPACKED_TIMES * archive.stat().st_size)
    folder.mkdir(parents=True)
    for info, parts in members:
        target = folder.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(info) as source, target.open("xb") as file:
            # what is there counts, not the size that the archive claims
            while piece := source.read(_PIECE):
                left -= len(piece)
                if left < 0:
                    what = "unpacks to far more than a folder of data of its size"
                    raise InputError(what, "open the folder by its path", file=archive.name)
                file.write(piece)
