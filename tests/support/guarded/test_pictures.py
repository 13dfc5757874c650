"""Two hundred hostile pictures: each is refused in one sentence, or is a picture, in little memory."""

from __future__ import annotations

import io
import random
import resource
import struct
import sys
import zlib

import pytest
from PIL import Image

from navviz.errors import InputError
from navviz.support.guarded import decoded_picture, path_inside, picture_head, read_picture

MARKUP = (
    b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    b"<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>",
    b"<!doctype html><script>alert(1)</script>",
    b"<html><img src=x onerror=alert(1)>",
    b"GIF89",
    b"GIF89a<script>alert(1)</script>"[:9],
    b"BM\x00\x00\x00\x00\x00\x00",
    b"II*\x00\x08\x00\x00\x00",
    b"%PDF-1.7",
    b"%!PS-Adobe-3.0 EPSF-3.0",
    b"\x00\x00\x00 ftypavif",
    b"RIFF\x00\x00\x00\x00WAVEfmt ",
    b"RIFF\x00\x00\x00\x00WEBPJUNKJUNKJUNKJUNKJUNK",
    b"\xff\xd8\xff",
    b"\xff\xd8\xff\xe0\x00\x00",
    b"\xff\xd8\xffABC",
    b"\x89PNG\r\n\x1a\n",
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIDAT",
    b"",
    b"\x00" * 1000,
)


def _chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, body=b"", extra=b""):
    """Write a PNG whose header promises a size, whatever follows."""
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    data = _chunk(b"IDAT", zlib.compress(body)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + header + extra + data


def encoded(kind, size=(40, 30), colour=(10, 200, 30)):
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()


def _gif(width, height):
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\x00\x00" + b"\x00" * 6 + b"\x3b"


def _webp(width, height):
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x20\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00" + sides


def _jpeg(width, height):
    return b"\xff\xd8\xff\xc0\x00\x11\x08" + struct.pack(">HH", height, width) + b"\x03" * 10


HUGE = ((100_000, 100_000), (65_535, 65_535), (0, 10), (10, 0), (1_000_000, 65), (8_001, 8_000))


def _cut(count):
    chance = random.Random(24)
    for kind in ("JPEG", "PNG", "WEBP", "GIF"):
        whole = encoded(kind)
        for _ in range(count):
            yield whole[: chance.randrange(len(whole) - 2)]


def _spoilt(count):
    chance = random.Random(42)
    for kind in ("JPEG", "PNG", "WEBP", "GIF"):
        whole = encoded(kind, (64, 64))
        for _ in range(count):
            raw = bytearray(whole)
            for _ in range(8):
                raw[chance.randrange(len(raw))] = chance.randrange(256)
            yield bytes(raw)


def _bombs():
    for width, height in HUGE:
        yield png(width, height)
        yield _jpeg(width & 0xFFFF, height & 0xFFFF)
        yield _gif(width & 0xFFFF, height & 0xFFFF)
        yield _webp(width or 1 << 24, height or 1 << 24)
    yield png(8_000, 8_000)  # within the limit, and holds nothing
    yield png(4, 4, b"\x00" * 50_000_000)  # far more data than it has pixels
    text = _chunk(b"zTXt", b"a\x00\x00" + zlib.compress(b"x" * 100_000_000))
    yield png(4, 4, b"\x00" * 52, text * 4)
    yield png(4, 4, b"\x00" * 52, _chunk(b"iCCP", b"a\x00\x00" + zlib.compress(b"x" * 90_000_000)))


HOSTILE = [*MARKUP, *_cut(19), *_spoilt(19), *_bombs()]


def test_there_are_two_hundred_of_them():
    assert len(HOSTILE) >= 200


def _taken(raw):
    try:
        return decoded_picture(raw, "a.jpg", most_px=256)
    except InputError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore::Warning")
@pytest.mark.skipif(sys.platform == "win32", reason="measures memory by getrusage")
def test_hostile_pictures_are_refused_in_a_sentence_and_in_300_mb():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken = [_taken(raw) for raw in HOSTILE]
    more_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert more_kb < 300_000
    sentences = [found for found in taken if isinstance(found, str)]
    assert len(sentences) > 100
    assert all(text.startswith("a.jpg: ") and "\n" not in text for text in sentences)
    pictures = [found for found in taken if not isinstance(found, str)]
    assert max(max(picture.size) for picture in pictures) <= 256


@pytest.mark.parametrize("raw", MARKUP)
def test_what_is_no_picture_has_no_head(raw):
    with pytest.raises(InputError):
        picture_head(raw, "a.jpg")


@pytest.mark.parametrize("size", HUGE)
def test_a_header_of_more_than_64_million_pixels_is_refused_unread(size):
    with pytest.raises(InputError, match="pixels"):
        picture_head(png(*size), "a.png")


@pytest.mark.parametrize(
    ("kind", "mime"),
    [
        ("JPEG", "image/jpeg"),
        ("PNG", "image/png"),
        ("WEBP", "image/webp"),
        ("GIF", "image/gif"),
    ],
)
def test_pictures_are_told_by_their_content(kind, mime):
    raw = encoded(kind, (123, 45))
    assert picture_head(raw, "a.txt") == (mime, 123, 45)
    assert decoded_picture(raw, "a.txt").size == (123, 45)
    assert decoded_picture(raw, "a.txt", most_px=41).size == (41, 15)


def test_lossless_and_extended_webp_say_their_size():
    for options in ({"lossless": True}, {"exif": b"Exif\x00\x00II*\x00"}):
        file = io.BytesIO()
        Image.new("RGBA", (70, 33), (1, 2, 3, 4)).save(file, "WEBP", **options)
        assert picture_head(file.getvalue(), "a") == ("image/webp", 70, 33)


def test_a_frame_of_a_film_that_is_not_there_is_said():
    with pytest.raises(InputError, match="no frame 3"):
        decoded_picture(encoded("GIF"), "a.gif", frame=3)


def test_only_files_within_the_opened_folders_are_read(tmp_path):
    root, outside = tmp_path / "run", tmp_path / "secret.png"
    root.mkdir()
    outside.write_bytes(encoded("PNG"))
    inside = root / "a.png"
    inside.write_bytes(encoded("PNG"))
    (root / "out.png").symlink_to(outside)
    (root / "deep").symlink_to(tmp_path)
    (root / "near.png").symlink_to(inside)
    (root / "loop.png").symlink_to(root / "loop.png")
    assert path_inside(root / "near.png", [root]) == inside.resolve()
    assert read_picture(inside, [root])[1].mime == "image/png"
    for name in (
        "out.png",
        "../secret.png",
        "deep/secret.png",
        "loop.png",
        "no.png",
        ".",
        "a\0.png",
    ):
        with pytest.raises(InputError):
            path_inside(root / name, [root])
    with pytest.raises(InputError):
        path_inside(outside, [])
