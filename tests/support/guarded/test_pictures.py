"""Two hundred hostile pictures: each is refused in one sentence, or is a picture, in little memory."""

import io
import os
import random
import resource
import struct
import sys
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from navviz.errors import InputError
from navviz.support.guarded import as_webp, decoded_picture, path_inside, picture_head, read_picture

PEAK = Path("/proc/self/clear_refs")
"""Sets the peak of this process's memory back."""
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
    b"\x00\x00\x00 ftypheic\x00\x00\x00\x00mif1heic" + b"\x00\x01\x86\xa0" * 40,
    b"\x00\x00\x00 ftypavis\x00\x00\x00\x00" + b"\x00\x00\x00\x14ispe" + b"\xff" * 12,
    b"data:image/png;base64,iVBORw0KGgo=",
    b"data:text/html,<script>alert(1)</script>",
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


def _films():
    """Yield 100,000 frames in a GIF, and in a WebP."""
    gif = encoded("GIF", (4, 4))
    frame = gif.index(b"\x2c")
    pause = b"\x21\xf9\x04\x00\x01\x00\x00\x00"
    yield gif[:frame] + (pause + gif[frame:-1]) * 100_000 + b"\x3b"
    file = io.BytesIO()
    shades = [Image.new("RGB", (4, 4), (90 * k, 0, 0)) for k in range(2)]
    shades[0].save(file, "WEBP", save_all=True, append_images=shades[1:])
    webp = file.getvalue()
    at = webp.index(b"ANMF")
    (size,) = struct.unpack("<I", webp[at + 4 : at + 8])
    body = webp[8:at] + webp[at : at + 8 + size] * 100_000
    yield b"RIFF" + struct.pack("<I", len(body)) + body


def noted(kind, turn, size=(40, 20), exif=None):
    """Write a picture with a red left half and a note of its orientation."""
    image = Image.new("RGB", size)
    image.paste((255, 0, 0), (0, 0, size[0] // 2, size[1]))
    file, notes = io.BytesIO(), Image.Exif()
    notes[0x0112] = turn
    image.save(file, kind, exif=notes if exif is None else exif)
    return file.getvalue()


def _ill_noted():
    """Yield EXIF data that leads into itself, out of the file, and to 65,535 notes."""
    for directory in (0, 8, 0x7FFF_FFFF):
        for count in (0, 1, 65_535):
            note = struct.pack("<HHIHH", 0x0112, 3, 1, 9, 0) * 3
            exif = b"Exif\0\0II*\0" + struct.pack("<IH", directory, count) + note
            yield noted("JPEG", 1, exif=exif)


def _wrong_sizes():
    """Yield JPEGs whose frame promises another size than their data has."""
    whole = encoded("JPEG", (64, 64))
    at = whole.index(b"\xff\xc0") + 5
    for side in (1, 8, 63, 4_000, 7_999):
        yield whole[:at] + struct.pack(">HH", side, side) + whole[at + 4 :]
    second = whole[at - 5 : at] + struct.pack(">HH", 60_000, 60_000) + whole[at + 4 : at + 14]
    yield whole[: at + 14] + second + whole[at + 14 :]


@cache
def hostile():
    """Return all of them, made when a test asks: each worker imports this file, and one runs it."""
    return [*MARKUP, *_cut(19), *_spoilt(19), *_bombs(), *_films(), *_ill_noted(), *_wrong_sizes()]


def test_there_are_two_hundred_of_them():
    assert len(hostile()) >= 200


def _taken(raw):
    try:
        return decoded_picture(raw, "a.jpg", most_px=256)
    except InputError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore::Warning")
@pytest.mark.skipif(sys.platform == "win32", reason="measures memory by getrusage")
def test_hostile_pictures_are_refused_in_a_sentence_and_in_300_mb():
    pictures = hostile()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken = [_taken(raw) for raw in pictures]
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
    [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/webp"), ("GIF", "image/gif")],
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


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turn", range(1, 9))
def test_a_phone_s_picture_stands_upright_in_its_bytes_its_size_and_its_copy(kind, turn, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(noted(kind, turn))
    expected = np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB"), int)
    raw, head = read_picture(path, [tmp_path])
    assert (head.height, head.width) == expected.shape[:2]
    assert picture_head(raw, "a") == head
    # without any note left, so that no browser turns it once more
    stored = np.asarray(Image.open(io.BytesIO(raw)).convert("RGB"), int)
    assert np.abs(stored - expected).mean() < 8
    shown = np.asarray(decoded_picture(path.read_bytes(), "a").convert("RGB"), int)
    assert np.array_equal(shown, expected)
    sent = Image.open(io.BytesIO(as_webp(path)[0]))
    assert np.abs(np.asarray(sent, int) - expected).mean() < 12
    assert (raw == path.read_bytes()) == (turn == 1)


def test_a_large_clear_picture_becomes_the_same_small_one_in_strips(monkeypatch):
    monkeypatch.setattr("navviz.support.guarded.pictures.COSTLY_PIXELS", 100_000)
    shades = np.random.default_rng(24).integers(0, 256, (41, 63, 4), np.uint8)
    whole = Image.fromarray(shades).resize((1_000, 800), Image.Resampling.NEAREST)
    raw = io.BytesIO()
    whole.save(raw, "PNG")
    taken = decoded_picture(raw.getvalue(), "a", most_px=100)
    whole.thumbnail((100, 100), reducing_gap=2.0)
    assert taken.size == whole.size
    assert np.abs(np.asarray(taken, int) - np.asarray(whole, int)).mean() < 1


@pytest.mark.nightly
@pytest.mark.skipif(not PEAK.exists(), reason="only Linux can set the peak back")
def test_the_largest_clear_picture_takes_less_than_300_mb():
    pack = zlib.compressobj(1)
    rows = b"".join([*(pack.compress(b"\0" * 32_001) for _ in range(8_000)), pack.flush()])
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", 8_000, 8_000, 8, 6, 0, 0, 0))
    raw = b"\x89PNG\r\n\x1a\n" + header + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")
    PEAK.write_text("5")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert decoded_picture(raw, "a", most_px=160).size == (160, 160)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


def test_grey_of_16_bits_and_print_colours_keep_their_shades():
    grey, ink = io.BytesIO(), io.BytesIO()
    Image.fromarray(np.tile(np.arange(256, dtype=np.uint16) * 256, (4, 1))).save(grey, "PNG")
    Image.new("CMYK", (8, 8), (255, 0, 0, 0)).save(ink, "JPEG")
    assert list(np.asarray(decoded_picture(grey.getvalue(), "a").convert("RGB"))[0, :, 1]) == [
        *range(256)
    ]
    assert decoded_picture(ink.getvalue(), "a").convert("RGB").getpixel((2, 2)) == (0, 255, 255)


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
    (root / "ring").symlink_to(root)
    (root / "device.png").symlink_to("/dev/zero")
    if sys.platform != "win32":
        # whoever opened a pipe would wait for its writer for ever
        os.mkfifo(root / "pipe.png")
    assert path_inside(root / "near.png", [root]) == inside.resolve()
    assert path_inside(root / "ring/ring/a.png", [root]) == inside.resolve()
    assert read_picture(inside, [root])[1].mime == "image/png"
    for name in (
        "out.png",
        "../secret.png",
        "deep/secret.png",
        "loop.png",
        "loop.png/a.png",
        "device.png",
        "pipe.png",
        "data:image/png;base64,iVBORw0KGgo=",
        "no.png",
        ".",
        "a\0.png",
    ):
        with pytest.raises(InputError):
            path_inside(root / name, [root])
    with pytest.raises(InputError):
        path_inside(outside, [])
