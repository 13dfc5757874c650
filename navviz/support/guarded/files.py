"""Files of this machine, opened only where they are regular, of bounded size and may be read."""

from __future__ import annotations

import codecs
import hashlib
import io
import logging
import os
import stat
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from navviz.errors import InputError, NavVizError
from navviz.support.guarded.decoding import Json, parse_json
from navviz.support.guarded.encodings import (
    decoded,
    head_decoded,
    marked_encoding,
    recoded,
    refuse_tar,
)
from navviz.support.guarded.notes import touched
from navviz.support.guarded.packed import opened_packed

if TYPE_CHECKING:
    from _typeshed import SupportsRead

_LOG = logging.getLogger(__name__)

MAX_BYTES = 256_000_000
"""Files that are read whole; what they decode to takes up to ten times their size."""
FILE_BYTES = 1 << 34
"""Files that are read in pieces (16 GiB); larger ones are sparse, or no data set."""
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_PACKED = (".gz", ".bz2")
_TAR_BYTES = 512
_XML_BYTES = 1 << 16
_TEXT_BYTES = 1 << 24
_MARK_BYTES = 4
"""Of the longest byte order mark."""

# What has become a pipe since must not hold us up; Windows has no such flag, and opens as text
# without the other one.
_READ_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def is_regular(path: Path) -> bool:
    """Tell whether a path is a regular file; false for what may not be looked at."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def packed_or_not(path: Path) -> Path | None:
    """Return the regular file of a name, or the packed one of this name; ``None`` without any."""
    names = (path, *(path.with_name(path.name + suffix) for suffix in _PACKED))
    return next((place for place in names if is_regular(place)), None)


def files_like(folder: Path, pattern: str) -> list[Path]:
    """List the files of a folder that a pattern names, packed or not, sorted; each name once."""
    found: dict[str, Path] = {}
    for suffix in ("", *_PACKED):
        for path in folder.glob(pattern + suffix):
            found.setdefault(path.name.removesuffix(suffix), path)
    return [found[name] for name in sorted(found)]


def is_there(path: Path) -> bool:
    """Tell whether anything has a name; false for no name, and for what is forbidden to see."""
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def is_folder(path: Path) -> bool:
    """Tell whether it is a folder; false where `Path.is_dir` raises."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def size_of(path: Path, limit: int = MAX_BYTES, do: str = "cut it into smaller files") -> int:
    """Return the size of a regular file in bytes; raises `InputError` above `limit`."""
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        raise _closed(path, error) from error
    if not stat.S_ISREG(state.st_mode):
        kind = next((name for test, name in _KINDS if test(state.st_mode)), "no regular file")
        raise InputError(f"is {kind}, not a file", "choose a regular file", file=path.name)
    if state.st_size > limit:
        what = f"has {state.st_size / 1e6:,.0f} MB, more than NavViz reads ({limit / 1e6:,.0f} MB)"
        raise InputError(what, do, file=path.name)
    return state.st_size


@contextmanager
def opened_bytes(path: Path, limit: int = FILE_BYTES) -> Iterator[IO[bytes]]:
    """Open a regular file to read it in pieces; ``.gz`` and ``.bz2`` are unpacked.

    Raises
    ------
    InputError
        Where it cannot be opened or is above `limit`; while it is read, where it is damaged or
        unpacks to more than data do.
    """
    size = size_of(path, limit)
    try:
        with opened_packed(path, size) if path.suffix in _PACKED else path.open("rb") as file:
            if isinstance(file, io.BufferedReader):
                refuse_tar(file.peek(_TAR_BYTES), path)
            yield file
    except OSError as error:
        raise _closed(path, error) from error


def sha256_of(path: Path, limit: int = FILE_BYTES) -> str:
    """Return the SHA-256 of a regular file as it lies on the disk, in hexadecimal digits."""
    size_of(path, limit)
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _closed(path, error) from error


@contextmanager
def opened_utf8(path: Path, limit: int = FILE_BYTES) -> Iterator[IO[bytes]]:
    """Open a text of any encoding to read pieces of UTF-8; see `opened_bytes` for errors."""
    with opened_bytes(path, limit) as raw, recoded(raw, path) as file:
        touched(path)
        yield file


@contextmanager
def opened_lines(path: Path, limit: int = FILE_BYTES) -> Iterator[IO[bytes]]:
    """Open a text to read it line by line as it stands, but for UTF-16 and UTF-32, which become
    UTF-8.

    What is no UTF-8 in a line is left to its reader; see `opened_bytes` for the errors.
    """
    with opened_bytes(path, limit) as raw:
        # `peek` leaves the bytes in the stream, and may return more of them than it is asked for
        marked = isinstance(raw, io.BufferedReader) and marked_encoding(
            raw.peek(_MARK_BYTES)[:_MARK_BYTES]
        )
        if marked:
            with recoded(raw, path) as file:
                yield file
        else:
            yield raw


@contextmanager
def opened_text(path: Path, limit: int = FILE_BYTES) -> Iterator[IO[str]]:
    """Open a regular file as text, whatever it is written in; bytes that are no text are replaced
    and noted.

    See `opened_bytes` for the errors; raises `InputError`, too, where the file is binary.
    """
    with (
        opened_utf8(path, limit) as raw,
        io.TextIOWrapper(raw, encoding="utf-8", errors="replace") as text,
    ):
        yield text


def xml_events(file: SupportsRead[bytes]) -> Iterator[tuple[str, ET.Element]]:
    """Yield ``start`` and ``end`` of each element of an opened XML file, in the file's order.

    Whoever reads clears the elements that are done; raises `ElementTree.ParseError`.
    """
    parser: ET.XMLPullParser[ET.Element] = ET.XMLPullParser(("start", "end"))
    piece = file.read(_XML_BYTES)
    name = marked_encoding(piece[:_MARK_BYTES])
    # expat knows no UTF-32; given text, it passes over the encoding that the file names
    decoder = codecs.getincrementaldecoder(name)("replace") if name else None
    while piece:
        parser.feed(piece if decoder is None else decoder.decode(piece))
        yield from _elements_of(parser)
        piece = file.read(_XML_BYTES)
    parser.close()
    yield from _elements_of(parser)


def _elements_of(parser: ET.XMLPullParser[ET.Element]) -> Iterator[tuple[str, ET.Element]]:
    for event in parser.read_events():
        # an event of a name space, which nobody asks for, has another shape
        yield cast("tuple[str, ET.Element]", event)


def head_text(path: Path, count: int) -> str:
    """Return the text of about the first `count` bytes; empty where nothing can be read."""
    return head_decoded(head_bytes(path, count))


def head_bytes(path: Path, count: int) -> bytes:
    """Return the first `count` bytes, unpacked; fewer where the file is damaged."""
    head = b""
    try:
        with opened_bytes(path) as file:
            # what comes before a damage is lost in `read`, which puts pieces together; `read1`
            # hands it out
            read = file.read1 if isinstance(file, io.BufferedReader) else file.read
            while len(head) < count and (piece := read(count - len(head))):
                head += piece
    except InputError:
        return head
    return head


def bytes_at(path: Path, start: int, count: int) -> bytes:
    """Return `count` bytes of a regular file from byte `start`; raises `InputError`."""
    size_of(path, FILE_BYTES)
    try:
        with path.open("rb") as file:
            file.seek(start)
            return file.read(count)
    except OSError as error:
        raise _closed(path, error) from error


def listed_bytes(path: str, size: int) -> bytes:
    """Return a file's first `size` bytes, for a file of which a listing has just told that it is
    regular and so long.

    It is opened once and looked at no further, which takes half the time of `bytes_at`. Raises
    `InputError` where it cannot be opened.
    """
    try:
        file = os.open(path, _READ_FLAGS)
        try:
            return os.read(file, size)
        finally:
            os.close(file)
    except OSError as error:
        raise _closed(Path(path), error) from error


def tail_bytes(path: Path, count: int) -> bytes:
    """Return the last `count` bytes of a file; empty where nothing can be read."""
    try:
        size = size_of(path, FILE_BYTES)
        with path.open("rb") as file:
            # a seek to a place before the first byte raises
            file.seek(max(0, size - count))
            return file.read(count)
    except (InputError, OSError):
        return b""


def read_text(path: Path, limit: int = MAX_BYTES, *, lenient: bool = False) -> str:
    """Return the text of a regular file, unpacked, without its byte order mark.

    Raises `InputError` where there is none; see `navviz.support.guarded.encodings.decoded` for
    bytes that are no UTF-8.
    """
    pieces, count = [], 0
    with opened_bytes(path, limit) as file:
        # in pieces: `read` asks for as much memory as it may return; and a file of /proc says 0
        # bytes and never ends
        while count <= limit and (piece := file.read(_TEXT_BYTES)):
            pieces.append(piece)
            count += len(piece)
    raw = b"".join(pieces)
    if len(raw) > limit:
        raise InputError(
            f"has more than {limit / 1e6:,.0f} MB", "cut it into smaller files", file=path.name
        )
    touched(path)
    return decoded(raw, path, lenient=lenient)


def read_json(path: Path, *, lenient: bool = False, limit: int = MAX_BYTES) -> Json:
    """Return what a JSON file holds.

    Parameters
    ----------
    path
        A regular file.
    lenient
        See the package's first lines.
    limit
        The most bytes that are read.

    Raises
    ------
    InputError
        Where it cannot be opened, is no regular file, too large, no UTF-8 or no JSON.
    """
    return parse_json(read_text(path, limit), path.name, lenient=lenient)


def _closed(path: Path, error: Exception) -> InputError:
    reason = (error.strerror or str(error)) if isinstance(error, OSError) else "its name is no path"
    return InputError(f"cannot be opened ({reason})", "check the path", file=path.name)


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
