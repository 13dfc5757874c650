"""Small copies of pictures and frames of films: made once, bounded, and never of a file outside."""

import io
import os

import pytest
from PIL import Image

from navviz.errors import InputError
from navviz.observations.pictures.files import PictureFile, PictureFolders
from navviz.observations.pictures.films import PictureCache
from tests.observations.pictures.seen_runs import paint, write_gif, write_mp4


@pytest.fixture
def cache(tmp_path):
    return PictureCache(tmp_path / "cache")


def _shade(raw):
    with Image.open(io.BytesIO(raw)) as image:
        return image.convert("L").getpixel((5, 5))


def test_a_picture_is_given_as_it_is_or_smaller_and_the_copy_is_kept(tmp_path, cache):
    path = paint(tmp_path / "run/a.jpg", (640, 480))
    folders = PictureFolders((tmp_path / "run",))
    raw, head = cache.read(PictureFile(path), folders)
    assert (raw, head) == (path.read_bytes(), ("image/jpeg", 640, 480))
    small, head = cache.read(PictureFile(path), folders, 160)
    assert head == ("image/webp", 160, 120)
    (copy,) = cache.folder.iterdir()
    assert copy.read_bytes() == small
    copy.write_bytes(small)
    assert cache.read(PictureFile(path), folders, 160)[0] == small
    assert cache.read(PictureFile(path), folders, 1280)[0] == raw  # never made larger


def test_a_phone_s_picture_is_upright_in_full_and_small(tmp_path, cache):
    notes = Image.Exif()
    notes[0x0112] = 6  # a quarter to the right
    image = Image.new("L", (640, 480))
    image.paste(255, (0, 0, 320, 480))
    image.save(tmp_path / "a.jpg", exif=notes)
    folders = PictureFolders((tmp_path,))
    for most_px, size in ((None, (480, 640)), (160, (120, 160))):
        raw, head = cache.read(PictureFile(tmp_path / "a.jpg"), folders, most_px)
        assert (head.width, head.height) == size
        with Image.open(io.BytesIO(raw)) as shown:
            assert (shown.size, shown.getexif().get(0x0112)) == (size, None)
            assert shown.convert("L").getpixel((5, 5)) > 200
            assert shown.convert("L").getpixel((5, size[1] - 5)) < 50


def test_a_changed_picture_gets_another_copy(tmp_path, cache):
    path = paint(tmp_path / "a.png", (64, 48), 10)
    folders = PictureFolders((tmp_path,))
    before = cache.read(PictureFile(path), folders, 32)[0]
    paint(path, (64, 48), 240)
    os.utime(path, ns=(1, 1))
    assert cache.read(PictureFile(path), folders, 32)[0] != before


@pytest.mark.parametrize(
    ("name", "write", "shade"), [("7.gif", write_gif, 10), ("7.mp4", write_mp4, 20)]
)
def test_frames_of_a_film_are_taken_out_once(tmp_path, cache, name, write, shade):
    pytest.importorskip("imageio_ffmpeg")
    write(tmp_path / name, 5)
    folders = PictureFolders((tmp_path,))
    for frame in (3, 0, 4):
        raw, head = cache.read(PictureFile(tmp_path / name, frame), folders)
        assert head.mime == "image/jpeg"
        assert abs(_shade(raw) - shade * frame) < 6
    assert len(list(cache.folder.iterdir())) == 5
    with pytest.raises(InputError, match="no frame 9"):
        cache.read(PictureFile(tmp_path / name, 9), folders)


def test_the_oldest_copies_go_first(tmp_path):
    cache = PictureCache(tmp_path / "cache", most_bytes=250)
    cache.folder.mkdir()
    for age, name in enumerate(("new", "old", "oldest")):
        path = cache.folder / f"{name}.webp"
        path.write_bytes(b"x" * 100)
        os.utime(path, ns=(10**9 * (10 - age), 10**9 * (10 - age)))
    cache.trim()
    assert sorted(path.stem for path in cache.folder.iterdir()) == ["new", "old"]


def test_nothing_outside_is_read_by_way_of_the_cache(tmp_path, cache):
    outside = paint(tmp_path / "secret.png")
    (tmp_path / "run").mkdir()
    folders = PictureFolders((tmp_path / "run",))
    link = tmp_path / "run/link.png"
    link.symlink_to(outside)
    for file in (PictureFile(outside), PictureFile(link), PictureFile(link, 0)):
        for size in (None, 160):
            with pytest.raises(InputError):
                cache.read(file, folders, size)
