"""Views of steps, pictures in messages, and the pictures that a writer keeps beside its trace."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import navviz
from navviz.errors import InputError
from navviz.records import Message, PicturePart, StepView
from navviz.records.trace_files import read_trace
from tests.grids import episode, straight
from tests.records.test_trace_files import GOLDEN


def test_pictures_of_version_3_become_views():
    (view,) = read_trace(GOLDEN / "version_3.trace.jsonl").steps[0].views
    assert view == StepView(source="17.views/0001.png", kind="picture")


def test_version_4_keeps_views_and_the_pictures_of_messages():
    step = read_trace(GOLDEN / "version_4.trace.jsonl").steps[0]
    assert [view.kind for view in step.views] == [
        "picture",
        "picture",
        "frame",
        "panorama",
        "cube",
        "discrete",
    ]
    assert (step.views[1].heading_deg, step.views[1].elevation_deg, step.views[1].width) == (
        90.0,
        -30.0,
        640,
    )
    message = step.calls[0].messages[1]
    first, _, second, *_ = message.parts[1:], None, message.parts[3]
    assert (message.parts[0], first[0].source, second.source) == (
        "Image 1:",
        "views/b/12.jpg",
        None,
    )
    assert message.parts[-1] == "Where to?"


_PART = st.one_of(st.text(max_size=5), st.builds(PicturePart, at=st.just(0), source=st.text()))


@given(st.lists(_PART, max_size=8))
def test_a_message_gives_back_its_parts_in_order(parts):
    message = Message.of_parts("user", parts)
    assert message.text == "".join(part for part in parts if isinstance(part, str))
    pictures = [part.source for part in parts if isinstance(part, PicturePart)]
    assert [picture.source for picture in message.pictures] == pictures
    again = Message.model_validate_json(message.model_dump_json())
    assert Message.of_parts("user", again.parts) == message


def test_a_message_without_pictures_is_written_as_before():
    assert Message(role="user", text="Go").model_dump_json() == '{"role":"user","text":"Go"}'


def _jpeg(colour):
    file = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(file, "JPEG")
    return file.getvalue()


def test_the_writer_keeps_each_picture_once_beside_the_trace(tmp_path):
    path, raw = tmp_path / "7.trace.jsonl", _jpeg((200, 30, 30))
    (tmp_path / "a.jpg").write_bytes(raw)
    floats = np.zeros((48, 64, 3))
    floats[..., 2] = 1.0
    images = [raw, tmp_path / "a.jpg", Image.new("L", (8, 6), 128), floats]
    with navviz.TraceWriter(path, episode(straight()), "mine") as trace:
        trace.step("r0c0", heading_deg=90.0, images=images, views=[StepView(source="film.mp4")])
    *views, film = read_trace(path).steps[0].views
    assert [(view.width, view.height, view.heading_deg) for view in views] == [
        (64, 48, 90.0),
        (64, 48, 90.0),
        (8, 6, 90.0),
        (64, 48, 90.0),
    ]
    assert film.source == "film.mp4"
    assert views[0].source == views[1].source
    names = {view.source.removeprefix("7.views/") for view in views}
    assert {found.name for found in (tmp_path / "7.views").iterdir()} == names
    with Image.open(tmp_path / views[3].source) as blue:
        assert blue.format == "WEBP"
        assert blue.convert("RGB").getpixel((5, 5))[2] > 200


@pytest.mark.parametrize("image", [b"<svg/>", b"", np.zeros((2, 2, 2)), np.zeros(7), "none.jpg"])
def test_what_is_no_picture_is_refused_before_the_step_is_written(tmp_path, image):
    path = tmp_path / "7.trace.jsonl"
    trace = navviz.TraceWriter(path, episode(straight()), "mine")
    with pytest.raises(InputError):
        trace.step("r0c0", images=[image])
    trace.close()
    assert read_trace(path).steps == ()
