"""Which pictures a walk has: each published layout, found beside a run, and nothing outside."""

import json
import subprocess

import pytest

from navviz.observations.pictures import files
from navviz.observations.pictures.files import PictureFile, PictureFolders
from navviz.observations.pictures.films import WalkPictures, frame_count
from navviz.records import PicturePart, StepView
from tests.observations.pictures.seen_runs import ROTATIONS, paint, walk, write_gif, write_mp4


def _seen(root, trace, number=0, rotations=ROTATIONS):
    pictures = WalkPictures(PictureFolders((root,)), trace, rotations)
    return pictures.of_step(trace.steps[number], number)


def test_a_skybox_is_a_cube_of_six_faces_in_order(tmp_path):
    for face in range(6):
        paint(tmp_path / "scan/matterport_skybox_images" / f"a1_skybox{face}_sami.jpg")
    (seen,) = _seen(tmp_path, walk("a1", "b2"))
    assert (seen.view.kind, seen.view.node, seen.rotation) == ("cube", "a1", ROTATIONS["a1"])
    assert [file.path.name for file in seen.files] == [
        f"a1_skybox{face}_sami.jpg" for face in range(6)
    ]
    assert _seen(tmp_path, walk("b2")) == []


def test_a_skybox_in_one_strip_is_one_file_and_one_without_a_pose_is_no_cube(tmp_path):
    paint(tmp_path / "v1/scans/scan/matterport_skybox_images/a1_skybox_small.jpg", (48, 8))
    (seen,) = _seen(tmp_path, walk("a1"))
    assert (seen.view.kind, len(seen.files)) == ("cube", 1)
    assert _seen(tmp_path, walk("a1"), rotations={}) == []


@pytest.mark.parametrize("most_listed", [0, 5_000])
def test_36_views_are_found_with_their_gaps(tmp_path, monkeypatch, most_listed):
    """Also in a folder that holds too much to be listed."""
    monkeypatch.setattr(files, "_MOST_LISTED", most_listed)
    for index in (0, 12, 35):
        paint(tmp_path / "views_img/scan/a1" / f"{index}.jpg")
    (seen,) = _seen(tmp_path, walk("a1"))
    assert (seen.view.kind, seen.view.field_deg, len(seen.files)) == ("discrete", 60.0, 36)
    assert [index for index, file in enumerate(seen.files) if file] == [0, 12, 35]


@pytest.mark.parametrize("deeper", ["", "download", "my pictures"])
@pytest.mark.parametrize("ending", [".JPG", ".PNG", ".jpeg"])
@pytest.mark.parametrize(
    "names",
    [
        [f"matterport_skybox_images/a1_skybox{face}_sami" for face in range(6)],
        ["matterport_skybox_images/a1_skybox_small"],
        [f"a1/{index}" for index in range(36)],
        ["a1"],
    ],
)
def test_a_house_is_found_one_folder_deeper_and_with_endings_in_capitals(
    tmp_path, names, ending, deeper
):
    for name in names:
        paint(tmp_path / deeper / "scan" / f"{name}{ending}", (48, 8))
    (seen,) = _seen(tmp_path, walk("a1"))
    assert [file.path.stem for file in seen.files] == [name.rpartition("/")[2] for name in names]
    # another house's viewpoint may have the same number
    trace = walk("a1")
    episode = trace.episode.model_copy(update={"world": "other"})
    header = trace.header.model_copy(update={"episode": episode})
    assert _seen(tmp_path, trace.model_copy(update={"header": header})) == []


def test_a_picture_twice_as_wide_as_high_is_a_panorama_and_its_json_turns_it(tmp_path):
    paint(tmp_path / "scan/a1.jpg", (64, 32))
    paint(tmp_path / "b2.png", (64, 32))
    (tmp_path / "b2.json").write_text(json.dumps({"heading_deg": 90}))
    paint(tmp_path / "c3.webp", (40, 30))
    trace = walk("a1", "b2", "c3")
    views = [_seen(tmp_path, trace, number)[0].view for number in range(3)]
    assert [(view.kind, view.heading_deg) for view in views] == [
        ("panorama", 0.0),
        ("panorama", 90.0),
        ("picture", None),
    ]


@pytest.mark.parametrize(
    "name", ["video/7.gif", "vis_3/scan_7.gif", "episode=7-ckpt=1-spl=0.5.GIF"]
)
def test_a_film_has_a_frame_a_step(tmp_path, name):
    write_gif(tmp_path / name, 3)
    (seen,) = _seen(tmp_path, walk("a1", "b2", "c3"), 2)
    assert (seen.view.kind, seen.view.frame, seen.view.label) == ("frame", 2, None)
    assert seen.files == (PictureFile(tmp_path / name, 2),)
    (seen,) = _seen(tmp_path, walk("a1", "b2"), 1)  # one more than steps: the picture after the end
    assert seen.view.frame == 1


def test_frames_that_do_not_fit_are_spread_and_the_view_says_so(tmp_path):
    pytest.importorskip("imageio_ffmpeg")
    write_mp4(tmp_path / "video/7.mp4", 9)
    trace = walk("a1", "b2", "c3")
    frames = [_seen(tmp_path, trace, number)[0].view for number in range(3)]
    assert [view.frame for view in frames] == [0, 4, 8]
    assert frames[1].label == "frame 5 of 9, spread evenly over 3 steps"


def test_sound_has_no_frames_and_a_film_of_too_many_is_left_out(tmp_path):
    film = pytest.importorskip("imageio_ffmpeg")
    path = tmp_path / "video/7.mp4"
    path.parent.mkdir()
    command = [film.get_ffmpeg_exe(), "-v", "error", "-f", "lavfi", "-i", "testsrc=r=2:d=2:s=64x48"]
    sound = ["-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac", str(path)]
    subprocess.run([*command, *sound], check=True)
    assert frame_count(path, 0) == 4
    gif = tmp_path / "many.gif"
    write_gif(gif, 3)
    assert frame_count(gif, 0) == 3
    raw = gif.read_bytes()
    begin = raw.rindex(b"\x21\xf9")
    gif.write_bytes(raw[:begin] + raw[begin:-1] * 5_000 + b"\x3b")
    assert frame_count(gif, 1) == 0


@pytest.mark.parametrize(
    "raw", [b"", b"GIF89a", b"\x00\x00\x00\x18ftypisom", b"<svg/>", b"\xff" * 99]
)
def test_what_is_no_film_is_left_out(tmp_path, raw):
    (tmp_path / "7.mp4").write_bytes(raw)
    paint(tmp_path / "a1.png")
    (seen,) = _seen(tmp_path, walk("a1"))
    assert seen.view.kind == "picture"


def test_a_logged_view_is_found_by_the_longest_tail_that_exists(tmp_path):
    paint(tmp_path / "rgb/3.png")
    right = paint(tmp_path / "ep1/rgb/3.png")
    trace = walk("a1", views=(StepView(source="/home/them/out/ep1/rgb/3.png"),))
    assert _seen(tmp_path, trace)[0].files == (PictureFile(right),)
    trace = walk("a1", views=(StepView(source="C:\\runs\\ep9\\rgb\\3.PNG"),))
    assert _seen(tmp_path, trace)[0].files == (PictureFile(tmp_path / "rgb/3.png"),)


@pytest.mark.parametrize("source", [
    "../secret.png", "/etc/passwd", "a/../../secret.png", "link/secret.png", "..\\secret.png",
    "a\0b",
])  # fmt: skip
def test_a_log_cannot_name_what_lies_outside(tmp_path, source):
    root = tmp_path / "run"
    root.mkdir()
    paint(tmp_path / "secret.png")
    (root / "link").symlink_to(tmp_path)
    trace = walk("a1", views=(StepView(source=source),))
    assert _seen(root, trace)[0].files == (None,)


def test_a_viewpoint_named_like_a_path_finds_nothing(tmp_path):
    paint(tmp_path / "secret.png")
    root = tmp_path / "run"
    root.mkdir()
    for name in ("../secret", "..", "/etc/passwd", ""):
        pictures = WalkPictures(PictureFolders((root,)), walk("a1"))
        assert pictures.at(name) == []


def test_a_picture_of_a_prompt_is_found_or_not(tmp_path):
    there = paint(tmp_path / "views/12.jpg")
    pictures = WalkPictures(PictureFolders((tmp_path,)), walk("a1"))
    assert pictures.of_part(PicturePart(at=0, source="views/12.jpg")) == PictureFile(there)
    assert pictures.of_part(PicturePart(at=0, source="views/13.jpg")) is None
    assert pictures.of_part(PicturePart(at=0)) is None


def test_a_log_names_nothing_beside_the_maps_but_places_there_have_pictures(tmp_path):
    run, maps = tmp_path / "run", tmp_path / "maps"
    run.mkdir()
    paint(maps / "private/x.png")
    paint(maps / "scan/b2.png")
    folders = PictureFolders((run, maps), (run,))
    pictures = WalkPictures(folders, walk("b2"))
    assert pictures.of_part(PicturePart(at=0, source="/maps/private/x.png")) is None
    assert pictures.at("b2")[0].files == (PictureFile(maps / "scan/b2.png"),)


def test_the_source_of_a_view_is_a_name_and_no_template(tmp_path):
    """`{:>4000000000}` in a trace of 65 kB took four gigabytes of memory."""
    source = "pano {0:>9}{x.y}"
    for face in range(6):
        paint(tmp_path / source / f"{face}.jpg")
    (seen,) = _seen(tmp_path, walk("a1", views=(StepView(kind="cube", source=source),)))
    assert [file.path.name for file in seen.files] == [f"{face}.jpg" for face in range(6)]
