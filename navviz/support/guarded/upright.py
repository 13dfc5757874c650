"""Which way up a picture stands: phones keep the pixels as the sensor lies, and note the turn.

A browser carries the turn out, a model and a small copy do not: each would see another picture.
Pictures are therefore turned once, where they are read, and lose the note.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

AS_IT_IS = 1
SIDEWAYS = frozenset({5, 6, 7, 8})
"""Orientations of EXIF whose rows are columns of the picture."""
_MARKS: Mapping[str, bytes] = MappingProxyType(
    {"image/jpeg": b"Exif\0\0", "image/png": b"eXIf", "image/webp": b"EXIF"}
)
# WebP has the length between its mark and the data, and some writers repeat JPEG's mark there
_TIFF = re.compile(rb"(?:Exif\0\0|eXIf|EXIF.{4})(?:Exif\0\0)?(?=II\*\0|MM\0\*)", re.DOTALL)
_ORIENTATION, _SHORT = 0x0112, 3
_MOST_NOTES = 1_000
"""Of a camera's some 60; a hostile count would be read 65,535 times."""
_TRANSPOSED = MappingProxyType({2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2})
"""Number of `PIL.Image.Transpose` for each orientation that is not upright."""


def orientation(raw: bytes, mime: str) -> int:
    """Return the orientation that a picture's EXIF data names, 1 to 8; 1 where it names none.

    Only the first directory of the data is read, without any library: what is damaged there is no
    reason to refuse a picture that every browser shows.
    """
    mark = _MARKS.get(mime)
    at = -1 if mark is None else raw.find(mark)
    begin = None if at < 0 else _TIFF.match(raw, at)
    if begin is None:
        return AS_IT_IS
    data = memoryview(raw)[begin.end() :]
    order = "<" if bytes(data[:2]) == b"II" else ">"
    try:
        (directory,) = struct.unpack_from(f"{order}I", data, 4)
        (count,) = struct.unpack_from(f"{order}H", data, directory)
        for number in range(min(count, _MOST_NOTES)):
            note = struct.unpack_from(f"{order}HHIH", data, directory + 2 + 12 * number)
            if note[:3] == (_ORIENTATION, _SHORT, 1):
                return note[3] if note[3] in _TRANSPOSED else AS_IT_IS
    except struct.error:  # it points beyond the file's end
        return AS_IT_IS
    return AS_IT_IS


def turned(image: Image, turn: int) -> Image:
    """Return a decoded picture upright."""
    if turn == AS_IT_IS:
        return image
    from PIL.Image import Transpose  # 0.05 s, and most sessions show no picture

    return image.transpose(Transpose(_TRANSPOSED[turn]))
