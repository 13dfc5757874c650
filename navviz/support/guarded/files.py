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
from typing import IO, TYPE_CHECKING, Any, cast

from navviz.errors import InputError, NavVizError
from navviz.support.guarded.archives import opened_packed
from navviz.support.guarded.decoding import Json, parse_json
from navviz.support.guarded.notes import note_encoding, note_problem, note_read, notes_are_taken

if TYPE_CHECKING:
    from _typeshed import SupportsRead


_MARKS = (  # UTF-32's low byte first begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_PIECE = 1 << 20

_ENCODINGS = (
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip file whose name does not end in .gz"),
    (b"BZh", "a bzip2 file whose name does not end in .bz2"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (b"\xfd7zXZ", "an xz file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x80\x04", "a pickle of Python"),
    (b"\x80\x05", "a pickle of Python"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format", "a database"),
    (b"\x89HDF", "an HDF5 file"),
)

_TAR_BLOCK, _TAR_SUM = 512, slice(148, 156)
"""A member of a tar archive begins with a block that holds the sum of its own bytes."""

_HEAD = 4096

_WESTERN = "cp1252"
"""Latin-1 as it is met: with the quotation marks and dashes that Windows put where Latin-1 has
controls.
"""

_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1b\x08\x07"))
"""Characters that text does not hold; a terminal's colours and bells stand in logs."""


def marked_encoding(head: bytes) -> str:
    """Return the encoding that a byte order mark tells; empty where there is none, or UTF-8's."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), "")


def head_decoded(head: bytes) -> str:
    """Return the beginning of a text in any encoding; a cut letter at its end is left out."""
    name = marked_encoding(head) or "utf-8-sig"
    try:
        # an incremental decoder waits for the rest of a cut letter; `bytes.decode` would refuse it
        return codecs.getincrementaldecoder(name)().decode(head)
    except UnicodeDecodeError:
        latin = name == "utf-8-sig" and not _is_damaged(head)
        return head.decode(_WESTERN if latin else name, errors="replace")


def decoded(raw: bytes, path: Path, *, lenient: bool = False) -> str:
    """Return a whole text without its byte order mark.

    Raises `InputError` where it is binary, and, unless `lenient`, where bytes are no UTF-8 and
    nobody takes the note.
    """
    name = marked_encoding(raw)
    if name:
        note_encoding(path, name.upper())
    try:
        return raw.decode(name or "utf-8-sig")
    except UnicodeDecodeError as error:
        if not name:
            return _not_utf8(raw, path, error.start, lenient=lenient)
        _note_damage(path, name, error.start)
        return raw.decode(name, errors="replace")


def line_decoded(raw: bytes, path: Path, encoding: str = "utf-8", start: int = 0) -> str:
    """Return a line that begins at byte `start`; bytes of no text are replaced and noted."""
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        latin = encoding == "utf-8" and not _is_damaged(raw)
        where = start + error.start
        _note_latin(path, where) if latin else _note_damage(path, encoding, where)
        text = raw.decode(_WESTERN if latin else encoding, errors="replace")
    return text if start else text.removeprefix("\ufeff")


def _not_utf8(raw: bytes, path: Path, at: int, *, lenient: bool) -> str:
    refuse_binary(raw, path)
    latin = not _is_damaged(raw)
    if not lenient and not (latin and notes_are_taken()):
        raise InputError(f"is no text in UTF-8 (byte {at + 1})", "save it as UTF-8", file=path.name)
    if not latin:
        _note_damage(path, "utf-8", at)
        return raw.decode("utf-8-sig", errors="replace")
    _note_latin(path, at)
    return raw.decode(_WESTERN, errors="replace")


def _is_damaged(raw: bytes) -> bool:
    """Tell whether bytes are UTF-8 with some that are broken: other letters in it are whole, or it
    holds controls.
    """
    letters = raw.decode("utf-8", errors="replace").replace("\ufffd", "")
    return not letters.isascii() or len(raw) != len(raw.translate(None, _CONTROLS))


def _note_latin(path: Path, at: int) -> None:
    note_encoding(path, "Latin-1")
    note_problem(path, f"is no UTF-8 (byte {at + 1:,}): it is read as Latin-1", "save it as UTF-8")


def _note_damage(path: Path, name: str, at: int) -> None:
    what = f"holds bytes that are no {name.upper()} (the first near byte {at + 1:,})"
    note_problem(path, what, "each is shown as \ufffd; get the file again")


def refuse_tar(head: bytes, path: Path) -> None:
    """Raise `InputError` where a file begins like a tar archive, whatever its name is.

    An archive of texts is text to every reader: its members would be read as one file, with lines
    lost where one ends and the next begins.
    """
    block = head[:_TAR_BLOCK]
    digits = block[_TAR_SUM].strip(b" \0")
    if len(block) < _TAR_BLOCK or not digits.isdigit() or digits.strip(b"01234567"):
        return
    # the sum counts its own field as blanks
    if sum(block) - sum(block[_TAR_SUM]) + 8 * ord(" ") == int(digits, 8):
        do = "unpack it and open the folder, or the file in it"
        raise InputError("is a tar archive", do, file=path.name)


def refuse_packed(head: bytes, path: Path) -> None:
    """Raise `InputError` where a file begins like one of a kind that is no text."""
    refuse_tar(head, path)
    kind = next((name for mark, name in _ENCODINGS if head.startswith(mark)), "")
    if kind:
        raise InputError(
            f"is {kind}, no text", "unpack or convert it, and open the text", file=path.name
        )


def refuse_binary(raw: bytes, path: Path) -> None:
    """Raise `InputError` where a file that is no UTF-8 begins like one that is no text at all."""
    refuse_packed(raw, path)
    head = raw[:_HEAD]
    # a damaged text may hold a few controls: more than one byte in twenty makes it binary
    if b"\0" in head or 20 * (len(head) - len(head.translate(None, _CONTROLS))) > len(head):
        raise InputError("is binary, no text", "get the file again", file=path.name)


class _Recoded(io.RawIOBase):
    """A stream of bytes as UTF-8, whatever it is written in; without its byte order mark."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        # what comes before a damage is lost in `read`, which puts pieces together; `read1` hands it
        # out
        self._read = file.read1 if isinstance(file, io.BufferedReader) else file.read
        self._path = path
        self._decoder: codecs.IncrementalDecoder | None = None
        """Of the first piece that is not ASCII on."""
        self._other = ""
        """Another encoding than UTF-8, or UTF-8 whose broken bytes are replaced."""
        self._letters = False
        """Whether letters beyond ASCII were whole so far."""
        self._rest = b""
        """What is recoded and not yet read."""
        self._done = 0
        self._ended = False

    def readable(self) -> bool:
        """Return true: it is a file to read."""
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - what `RawIOBase` declares is no public type
        """Fill the buffer; raises `InputError` where the bytes are no text."""
        while not self._rest and not self._ended:
            piece = self._read(_PIECE)
            self._ended = not piece
            self._rest = self._recode(piece)
            self._done += len(piece)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def _recode(self, piece: bytes) -> bytes:
        if self._done == 0:
            piece = self._begin(piece)
        if self._other:
            return self._translated(piece)
        if self._decoder is None:
            if piece.isascii():
                return piece
            self._decoder = codecs.getincrementaldecoder("utf-8")()
        before = self._decoder.getstate()[0]
        whole = before + piece
        try:
            self._decoder.decode(piece, final=self._ended)
        except UnicodeDecodeError as error:
            return self._go_on(whole, error.start, letters=self._letters)
        self._letters = True
        # a letter that the end of the piece cuts waits, and is handed out with the next piece
        return whole[: len(whole) - len(self._decoder.getstate()[0])]

    def _begin(self, piece: bytes) -> bytes:
        name = marked_encoding(piece)
        if name:
            note_encoding(self._path, name.upper())
            self._use(name)
        return piece.removeprefix(codecs.BOM_UTF8)

    def _use(self, name: str) -> None:
        self._other = name
        self._decoder = codecs.getincrementaldecoder(name)("replace")

    def _translated(self, piece: bytes) -> bytes:
        text = self._decoder.decode(piece, final=self._ended) if self._decoder is not None else ""
        if "\ufffd" in text:
            _note_damage(self._path, self._other, self._done)
        return text.encode()

    def _go_on(self, piece: bytes, at: int, *, letters: bool) -> bytes:
        """Recode a piece, and from now on all others, that is not UTF-8."""
        if self._done == 0:
            refuse_binary(piece, self._path)
        damaged = letters or _is_damaged(piece)
        where = self._done + at
        _note_damage(self._path, "utf-8", where) if damaged else _note_latin(self._path, where)
        self._use("utf-8" if damaged else _WESTERN)
        return self._translated(piece)


def recoded(file: IO[bytes], path: Path) -> IO[bytes]:
    """Return a stream of bytes as UTF-8 without its byte order mark; what it changes is noted."""
    return io.BufferedReader(_Recoded(file, path), _PIECE)


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
    paths: dict[str, Path] = {}
    for suffix in ("", *_PACKED):
        for path in folder.glob(pattern + suffix):
            paths.setdefault(path.name.removesuffix(suffix), path)
    return [paths[name] for name in sorted(paths)]


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

    Raises `InputError` where it cannot be opened or is above `limit`; while it is read, where it is
    damaged or unpacks to more than data do.
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
        note_read(path)
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

    Raises `InputError` where there is none; see `decoded` for bytes that are no UTF-8.
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
    note_read(path)
    return decoded(raw, path, lenient=lenient)


def read_json(path: Path, *, lenient: bool = False, limit: int = MAX_BYTES) -> Json:
    """Return what a JSON file holds.

    Raises `InputError` where it cannot be opened, is no regular file, too large, no UTF-8 or no
    JSON.
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
