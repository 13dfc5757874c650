"""Pictures of any origin: told by their content, of bounded size, decoded only when asked for.

JPEG, PNG, WebP and GIF of at most 64 million pixels. What else it may be (SVG, HTML named ``.jpg``,
a header that promises 100,000 x 100,000 pixels, a file that is cut off) is an `InputError` of one
sentence, and no picture library sees more of it than the header.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from navviz.errors import InputError
from navviz.support.guarded.files import is_regular, size_of

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


PICTURE_BYTES = 64_000_000
"""Of one file; a film of Habitat has some megabytes."""

MAX_PIXELS = 64_000_000

COSTLY_PIXELS = 16_000_000
"""Of WebP and GIF, whose decoders hold three copies: 64 million pixels would take 770 MB, and 20
million with a turn 350.
"""

_STRIP_ROWS = 4
"""Of a small copy, made at once: 8,000 wide and 25 times smaller, a strip has 3 MB."""

MAX_SIDE = 16_383
"""Of a WebP that is written."""

_COPYING = ("image/webp", "image/gif")

_QUALITY = 85

_UPRIGHT_QUALITY = 92
"""Of a picture that is only turned: it should not look like a copy."""

_DO = "open a JPEG, PNG, WebP or GIF of at most 64 million pixels"

_BROKEN = "make the picture anew"

_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a frame's header; the three others of the range hold tables."""

_MOST_MARKERS = 10_000
"""Before a JPEG's frame; cameras write some hundred, for thumbnails and profiles in pieces."""

_JPEG_MARKER = re.compile(rb"(?:\xff++[\x01\xd0-\xd8])*+\xff++")
"""The padding of a marker, after markers without a length; possessive, so that a file of nothing
else takes no longer than its bytes."""


class PictureHead(NamedTuple):
    """What the header of a picture says; width and height are those of the upright picture."""

    mime: str
    width: int
    height: int


def picture_head(raw: bytes, name: str) -> PictureHead:
    """Read format and size of a picture from its own bytes, whatever its name.

    Raises `InputError` where it is no JPEG, PNG, WebP or GIF, or has no pixels or more than 64
    million.
    """
    try:
        head = _head(raw)
    except (struct.error, IndexError):
        head = None
        what = "is a picture that is cut off in its header"
    else:
        what = "is no JPEG, PNG, WebP or GIF"
    if head is None:
        raise InputError(what, _DO, file=name)
    pixels = head.width * head.height
    if not 0 < pixels <= MAX_PIXELS:
        what = f"is a picture of {head.width:,} x {head.height:,} pixels"
        raise InputError(what, _DO, file=name)
    if orientation(raw, head.mime) in SIDEWAYS:
        return PictureHead(head.mime, head.height, head.width)
    return head


def _head(raw: bytes) -> PictureHead | None:
    if raw.startswith(b"\x89PNG\r\n\x1a\n") and raw[12:16] == b"IHDR":
        return PictureHead("image/png", *struct.unpack(">II", raw[16:24]))
    if raw[:6] in {b"GIF87a", b"GIF89a"}:
        return PictureHead("image/gif", *struct.unpack("<HH", raw[6:10]))
    if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
        return _webp_head(raw)
    if raw.startswith(b"\xff\xd8\xff"):
        return _jpeg_head(raw)
    return None


def _webp_head(raw: bytes) -> PictureHead | None:
    chunk = raw[12:16]
    if chunk == b"VP8X":
        # each side is stored less one, in 24 bits
        width = 1 + int.from_bytes(raw[24:27], "little")
        height = 1 + int.from_bytes(raw[27:30], "little")
    elif chunk == b"VP8L":
        (bits,) = struct.unpack("<I", raw[21:25])
        # 14 bits a side, again less one
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif chunk == b"VP8 ":
        width, height = struct.unpack("<HH", raw[26:30])
        # the two highest bits of each side only say how to scale it for display
        width, height = width & 0x3FFF, height & 0x3FFF
    else:
        return None
    return PictureHead("image/webp", width, height)


def _jpeg_head(raw: bytes) -> PictureHead | None:
    at = 2
    # a segment has at least two bytes: 20 MB of the shortest would take seconds
    for _ in range(_MOST_MARKERS):
        if raw[at] != 0xFF:
            return None
        padded = _JPEG_MARKER.match(raw, at)
        at = padded.end() if padded is not None else at
        marker = raw[at]
        at += 1
        (length,) = struct.unpack(">H", raw[at : at + 2])
        if marker in _JPEG_SIZES:
            # after the length and a byte of precision; unlike the other formats, JPEG has the
            # height first
            height, width = struct.unpack(">HH", raw[at + 3 : at + 7])
            return PictureHead("image/jpeg", width, height)
        if length < 2:
            return None
        at += length
    return None


def path_inside(path: Path, roots: Iterable[Path]) -> Path:
    """Return the real path of a file that lies in one of the opened folders, links resolved.

    Raises `InputError` where it lies in none of them, a link leads out, or it is no regular file.
    """
    try:
        real = path.resolve(strict=True)
        is_inside = any(real.is_relative_to(root.resolve()) for root in roots)
    except (OSError, ValueError, RuntimeError):
        raise InputError(
            "is not there", "open the folder of the pictures", file=path.name
        ) from None
    if not is_inside:
        raise InputError(
            "lies outside of the opened folders", "open its own folder", file=path.name
        )
    if not is_regular(real):
        raise InputError("is no picture file", _DO, file=path.name)
    return real


def read_picture(path: Path, roots: Iterable[Path]) -> tuple[bytes, PictureHead]:
    """Read the bytes of a picture in one of the opened folders, undecoded where it is upright.

    One that a phone keeps sideways is turned, so that a browser, a model and a small copy show the
    same. Above 16 million pixels it stays as it is: browsers turn it themselves, and a turn would
    take three times its pixels in memory. Raises `InputError` as `path_inside` and `picture_head`
    do, and for a file of more than 64 MB.
    """
    real = path_inside(path, roots)
    size_of(real, PICTURE_BYTES, _DO)
    try:
        raw = real.read_bytes()
    except OSError as error:
        raise InputError("cannot be read", "give yourself the right to", file=path.name) from error
    head = picture_head(raw, path.name)
    if head.width * head.height > COSTLY_PIXELS or orientation(raw, head.mime) == AS_IT_IS:
        return raw, head
    image = decoded_picture(raw, path.name)
    file = io.BytesIO()
    # quality is for JPEG and WebP; PNG has none and takes no offence
    format_ = head.mime.rpartition("/")[2].upper()
    image.save(file, format_, quality=_UPRIGHT_QUALITY, icc_profile=image.info.get("icc_profile"))
    return file.getvalue(), head


def decoded_picture(raw: bytes, name: str, *, most_px: int | None = None, frame: int = 0) -> Image:
    """Decode a picture of any origin.

    Raises `InputError` where `picture_head` does, where it is cut off or damaged, or has no such
    frame.
    """
    from PIL import Image  # 0.05 s, and most sessions show no picture

    head = picture_head(raw, name)
    if head.mime in _COPYING and head.width * head.height > COSTLY_PIXELS:
        what = f"is a picture of {head.width:,} x {head.height:,} pixels, too large for its format"
        raise InputError(what, "make it a JPEG", file=name)
    try:
        image: Image.Image = Image.open(io.BytesIO(raw), formats=("JPEG", "PNG", "WEBP", "GIF"))
        if frame:
            image.seek(frame)
        # the header that Pillow found may be another than ours
        if image.width * image.height > MAX_PIXELS:
            raise InputError("is larger than its header says", _BROKEN, file=name)
        if most_px is not None:
            # lets a JPEG's decoder skip detail that is thrown away anyway; other formats ignore it
            image.draft("RGB", (most_px, most_px))
            image = _roughly_small(image, most_px)
            image.thumbnail((most_px, most_px), reducing_gap=2.0)
        image.load()
        image = turned(_as_shown(image), orientation(raw, head.mime))
    except EOFError as error:
        raise InputError(f"has no frame {frame}", _BROKEN, file=name) from error
    except Image.DecompressionBombError as error:
        # a JPEG with two frames: we read the first one's size, Pillow the last one's
        raise InputError("is larger than its header says", _BROKEN, file=name) from error
    # Pillow raises what its parts raise: struct.error, zlib.error, SyntaxError ...
    except (OSError, ValueError, SyntaxError, struct.error, Warning, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is a picture that is damaged or cut off", _BROKEN, file=name) from error
    return image


def _roughly_small(image: Image, most_px: int) -> Image:
    """Make a large picture with clear parts nearly as small as it shall be, strip by strip."""
    # Pillow mixes colours with what is clear in a whole copy: 64 million pixels would take 490 MB
    from PIL import Image as Images

    # twice the size that is wanted, so that the last step can still choose its pixels well
    factor = max(image.size) // (2 * most_px)
    if image.mode not in {"RGBA", "LA"} or factor < 2 or image.width * image.height < COSTLY_PIXELS:
        return image
    width, height = image.size
    small = Images.new(image.mode, (-(-width // factor), -(-height // factor)))
    for top in range(0, height, factor * _STRIP_ROWS):
        strip = image.crop((0, top, width, min(height, top + factor * _STRIP_ROWS)))
        small.paste(strip.reduce(factor), (0, top // factor))
    small.info = image.info
    return small


def _as_shown(image: Image) -> Image:
    """Return a grey picture of 16 bits in 8, as browsers show it."""
    # Pillow's own conversion cuts off above 255: all but the darkest would be white
    if not image.mode.startswith("I;16"):
        return image
    return image.point(lambda value: value / 256).convert("L")


def as_webp(picture: Any, name: str = "picture") -> tuple[bytes, int, int]:  # noqa: ANN401
    """Write a picture as WebP. Raises `InputError` where it is no picture."""
    if isinstance(picture, str | Path):
        path = Path(picture)
        raw, _ = read_picture(path, [path.resolve().parent])
        image = decoded_picture(raw, path.name)
    elif isinstance(picture, bytes | bytearray | memoryview):
        image = decoded_picture(bytes(picture), name)
    elif hasattr(picture, "convert"):
        image = picture
    else:
        image = _of_array(picture, name)
    if max(image.size) > MAX_SIDE or image.width * image.height > MAX_PIXELS:
        what = f"is a picture of {image.width:,} x {image.height:,} pixels"
        raise InputError(what, _DO, file=name)
    if image.mode not in {"RGB", "RGBA"}:
        image = image.convert("RGB")
    file = io.BytesIO()
    image.save(file, "WEBP", quality=_QUALITY)
    return file.getvalue(), image.width, image.height


def _of_array(values: Any, name: str) -> Image:  # noqa: ANN401 - numpy's, or torch's on the CPU
    import numpy as np  # records alone need none of it
    from PIL import Image

    array = np.asarray(values)
    if array.ndim not in {2, 3} or not array.size or (array.ndim == 3 and array.shape[2] < 3):
        shape = " x ".join(map(str, array.shape)) or "nothing"
        what = f"is an array of {shape}, not of height x width x 3"
        raise InputError(what, "give rows of red, green and blue", file=name)
    if array.dtype.kind == "f":
        array = np.nan_to_num(array) * 255
    bytes_ = np.clip(array, 0, 255).astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(bytes_[..., :3] if array.ndim == 3 else bytes_))
