"""Prompts of other programs: pictures stand where they were sent, in whichever provider's form."""

from __future__ import annotations

import base64
import io
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import navviz
from navviz.records import Message, PicturePart
from navviz.records.provider_messages import MOST_BYTES, MOST_DEEP, messages_of
from navviz.records.trace_files import read_trace
from tests.grids import episode, straight


def _picture(form: str = "JPEG", shade: int = 90) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48), (shade, 90, 40)).save(buffer, form)
    return buffer.getvalue()


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


RAW = _picture()
CODE = _base64(RAW)
URL = f"data:image/jpeg;base64,{CODE}"
FORMS: dict[str, Any] = {
    "OpenAI chat": {"type": "image_url", "image_url": {"url": URL}},
    "OpenAI responses": {"type": "input_image", "image_url": URL},
    "Gemini": {"inline_data": {"mime_type": "image/jpeg", "data": CODE}},
    "Gemini, as JSON": {"inlineData": {"mimeType": "image/jpeg", "data": CODE}},
    "Gemini, URL-safe": {
        "inline_data": {
            "mime_type": "image/jpeg",
            "data": CODE.replace("+", "-").replace("/", "_").rstrip("="),
        }
    },
    "Anthropic": {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/jpeg", "data": CODE},
    },
    "Anthropic, a tool's result": {
        "type": "tool_result",
        "content": [{"type": "image", "source": {"type": "base64", "data": CODE}}],
    },
    "Qwen": {"type": "image", "image": URL},
    "in a text": URL,
    "broken into lines": {"image_url": f"data:image/jpeg;base64,{CODE[:40]}\n {CODE[40:]}"},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_stands_between_its_texts_in_every_form(form):
    content = [{"type": "text", "text": "Image 0:"}, FORMS[form], {"type": "text", "text": "Go."}]
    (message,) = messages_of([{"role": "user", "content": content}])
    before, picture, after = message.parts
    assert (before, after) == ("Image 0:", "Go.")
    assert isinstance(picture, PicturePart)
    assert (picture.raw, picture.mime, picture.width) == (RAW, "image/jpeg", 64)
    assert picture.size_bytes == len(RAW)
    assert CODE[:20] not in message.text


def test_requests_of_each_provider_are_the_same_messages():
    said = {"type": "text", "text": "Where to?"}
    openai = [
        {"role": "system", "content": "You walk."},
        {"role": "user", "content": [FORMS["OpenAI chat"], said]},
        {"role": "assistant", "content": "Left."},
    ]
    gemini = {
        "systemInstruction": {"parts": [{"text": "You walk."}]},
        "contents": [
            {"role": "user", "parts": [FORMS["Gemini"], {"text": "Where to?"}]},
            {"role": "model", "parts": [{"text": "Left."}]},
        ],
    }
    anthropic = {
        "system": [{"type": "text", "text": "You walk."}],
        "messages": [
            {"role": "user", "content": [FORMS["Anthropic"], said]},
            {"role": "assistant", "content": [{"type": "text", "text": "Left."}]},
        ],
    }
    ollama = [
        {"role": "system", "content": "You walk."},
        {"role": "user", "content": "Where to?", "images": [CODE]},
        {"role": "assistant", "content": "Left."},
    ]
    expected = messages_of(openai)
    assert [message.role for message in expected] == ["system", "user", "assistant"]
    for other in ({"model": "m", "messages": openai}, gemini, anthropic, ollama):
        assert messages_of(other) == expected


def test_detail_and_addresses_are_kept_and_nothing_is_asked_for():
    url = "https://example.org/a.jpg"
    parts = [
        {"type": "image_url", "image_url": {"url": URL, "detail": "low"}},
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "image", "source": {"type": "url", "url": url}},
        {"type": "image", "path": "views/3.jpg"},
        {"fileData": {"fileUri": "files/77", "mimeType": "image/png"}},
        {"inlineData": {"data": "AAAA", "mimeType": "audio/wav"}},
    ]
    (message,) = messages_of({"role": "user", "content": parts})
    assert message.pictures[0].detail == "low"
    sources = [picture.source for picture in message.pictures]
    assert sources == [None, url, url, "views/3.jpg", "files/77"]


def test_texts_alone_stay_what_they_were():
    assert messages_of("Go on. ") == (Message(role="user", text="Go on."),)
    assert messages_of(["a", "b"]) == (Message(role="user", text="a\n\nb"),)
    short = "Write data:image/png;base64,AAAA here."
    assert messages_of(short) == (Message(role="user", text=short),)
    for nothing in (None, 7, [], {}, "", {"role": "user"}, [{"role": "user", "content": None}]):
        assert messages_of(nothing) == ()


BOMB = b"\x89PNG\r\n\x1a\n" + struct.pack(
    ">I4sIIBBBBB", 13, b"IHDR", 100_000, 100_000, 8, 2, 0, 0, 0
)
HOSTILE = {
    "SVG": "data:image/svg+xml;base64," + _base64(b"<svg onload='alert(1)'/>" * 9),
    "HTML as JPEG": "data:image/jpeg;base64," + _base64(b"<script>alert(1)</script>" * 9),
    "no base64": "data:image/jpeg;base64,<script>alert(1)</script>",
    "not even that": "data:image/png,%89PNG",
    "empty": "data:image/png;base64,",
    "half a byte": "data:image/png;base64,A",
    "letters of another script": "data:image/png;base64," + "é" * 80,
    "100,000 x 100,000 pixels": "data:image/png;base64," + _base64(BOMB),
    "cut off in its header": "data:image/jpeg;base64," + _base64(RAW[:20]),
    "too large": "data:image/jpeg;base64," + "/9j/" * (MOST_BYTES // 3 + 1),
    "a type that is markup": "data:<b>/x\"';base64," + _base64(b"x" * 90),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data_is_a_named_box_without_bytes(name):
    for part in ({"image_url": {"url": HOSTILE[name]}}, {"image_url": HOSTILE[name]}):
        (message,) = messages_of([part, "Go."])
        picture = message.parts[0]
        assert isinstance(picture, PicturePart)
        assert picture.raw is None
        assert (picture.source or "").startswith("data:")
        assert len(picture.source or "") < 70
        assert "<" not in (picture.source or "")
        assert message.text == "Go."


def test_a_prompt_keeps_each_picture_once_and_no_more_than_its_room():
    others = [_picture(shade=shade) for shade in (10, 60, 110, 160, 210)]
    parts = [{"image_url": f"data:image/jpeg;base64,{_base64(raw)}"} for raw in others]
    room = sum(map(len, others[:3]))
    (message,) = messages_of([*parts[:2], *parts], room)
    taken = [picture.raw for picture in message.pictures]
    assert taken == [others[0], others[1], others[0], others[1], others[2], None, None]
    assert taken[0] is taken[2]
    assert message.pictures[-1].width == 64


def test_parts_in_parts_end_somewhere():
    nested: Any = FORMS["OpenAI chat"]
    for _ in range(5 * MOST_DEEP):
        nested = {"content": [nested]}
    assert messages_of([{"role": "user", "content": [nested]}]) == ()


KEYS = (
    *("role", "content", "parts", "type", "image_url", "url", "source", "data", "inline_data"),
    *("images", "messages", "system", "text", "file_data", "detail"),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from([URL, CODE]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(_JSON)
def test_whatever_a_log_holds_no_message_holds_base64_as_text(value):
    for message in messages_of(value):
        assert URL not in message.text
        assert "".join(part for part in message.parts if isinstance(part, str)) == message.text
        Message.model_validate_json(message.model_dump_json())


def test_the_recorder_takes_what_was_sent_and_keeps_its_pictures(tmp_path):
    way = straight(0, 0, 1)
    sent = [
        {"role": "system", "content": "You walk."},
        {"role": "user", "content": [FORMS["OpenAI chat"], {"type": "text", "text": "Where to?"}]},
    ]
    path = tmp_path / "1.trace.jsonl"
    with navviz.TraceWriter(path, episode(way), navigator="mine") as trace:
        trace.step(way[0], way[1], prompt=sent, reply="Left.")
    assert CODE[:20] not in path.read_text()
    call = read_trace(path).steps[0].calls[0]
    assert [message.role for message in call.messages] == ["system", "user"]
    (picture,) = call.messages[1].pictures
    assert picture.source is not None
    assert (tmp_path / picture.source).read_bytes() == RAW
