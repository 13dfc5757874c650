"""Text in other encodings, as UTF-8: UTF-16 and UTF-32 by their byte order marks, Latin-1 by bytes
that are no UTF-8.

A stream is looked at piece by piece; what is UTF-8 passes as it is, which costs a few milliseconds
for 100 MB.
"""

from __future__ import annotations

import codecs
import io
from pathlib import Path
from typing import IO, Any

from navviz.errors import InputError
from navviz.support.guarded.notes import decoded_as, note, noting

_MARKS = (  # UTF-32's low byte first begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PIECE = 1 << 20
_KINDS = (
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
        decoded_as(path, name.upper())
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
    if not lenient and not (latin and noting()):
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
    decoded_as(path, "Latin-1")
    note(path, f"is no UTF-8 (byte {at + 1:,}): it is read as Latin-1", "save it as UTF-8")


def _note_damage(path: Path, name: str, at: int) -> None:
    what = f"holds bytes that are no {name.upper()} (the first near byte {at + 1:,})"
    note(path, what, "each is shown as \ufffd; get the file again")


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
    kind = next((name for mark, name in _KINDS if head.startswith(mark)), "")
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
            decoded_as(self._path, name.upper())
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
