"""What providers are sent where a prompt holds pictures: order, labels, detail, kind, bytes."""

from __future__ import annotations

import base64

import pytest

from navviz.llm.base import Request
from navviz.llm.pictures import missing_text, picture_tokens
from navviz.llm.registry import close_model, make_model
from navviz.llm.retries import RetryPolicy
from navviz.llm.streaming import ModelOptions
from navviz.records import Call, Message, PicturePart
from tests.fake_servers import FakeGemini, FakeOpenAI

QUICK = {"retry": RetryPolicy(attempts=1), "timeout_s": 30}
RAW = (b"\xff\xd8\xff first", b"RIFF....WEBP second")
PARTS = (
    "Image 0:",
    PicturePart(at=0, mime="image/jpeg", detail="low", raw=RAW[0]),
    "Image 3:",
    PicturePart(at=0, mime="image/webp", detail="low", raw=RAW[1]),
    "Instruction: go on.",
)
MESSAGES = (Message(role="system", text="You walk."), Message.of_parts("user", PARTS))


def ask(llm) -> Call:
    *_, call = llm.stream(Request(MESSAGES))
    close_model(llm)
    assert isinstance(call, Call)
    return call


def test_openai_gets_texts_and_data_urls_in_order():
    with FakeOpenAI(["ok"]) as server:
        call = ask(make_model(f"openai:m@{server.url}", ModelOptions(**QUICK)))
        system, user = server.requests[0].body["messages"]
    assert system == {"role": "system", "content": "You walk."}
    first, second = (base64.b64encode(raw).decode() for raw in RAW)
    assert user["content"] == [
        {"type": "text", "text": "Image 0:"},
        {
            "type": "image_url",
            "image_url": {"url": f"data:image/jpeg;base64,{first}", "detail": "low"},
        },
        {"type": "text", "text": "Image 3:"},
        {
            "type": "image_url",
            "image_url": {"url": f"data:image/webp;base64,{second}", "detail": "low"},
        },
        {"type": "text", "text": "Instruction: go on."},
    ]
    assert call.messages == MESSAGES


def test_gemini_gets_texts_and_inline_data_in_order():
    with FakeGemini(["ok"]) as server:
        options = ModelOptions(base_url=server.address, **QUICK)
        ask(make_model("gemini:gemini-3-flash", options, key="AIza-test"))
        body = server.requests[0].body
    (content,) = body["contents"]
    assert content["role"] == "user"
    parts = content["parts"]
    assert [part.get("text") for part in parts] == [
        "Image 0:",
        None,
        "Image 3:",
        None,
        "Instruction: go on.",
    ]
    sent = [parts[1]["inlineData"], parts[3]["inlineData"]]
    assert [each["mime_type"] for each in sent] == ["image/jpeg", "image/webp"]
    assert tuple(base64.urlsafe_b64decode(each["data"]) for each in sent) == RAW


def test_a_trace_holds_no_bytes():
    text = MESSAGES[1].model_dump_json()
    assert "raw" not in text
    assert Message.model_validate_json(text).pictures[0].raw is None


def test_a_picture_that_is_not_kept_is_named_and_not_dropped():
    part = PicturePart(at=0, label="Image 3")
    message = Message.of_parts("user", ["Look: ", part])
    with FakeOpenAI(["ok"]) as server:
        llm = make_model(f"openai:m@{server.url}", ModelOptions(**QUICK))
        list(llm.stream(Request((message,))))
        close_model(llm)
        content = server.requests[0].body["messages"][0]["content"]
    assert content[1] == {"type": "text", "text": missing_text(part)}
    assert "Image 3" in missing_text(part)


@pytest.mark.parametrize(
    ("size", "detail", "openai", "gemini"),
    [
        ((640, 480), "low", 85, 258 * 4),
        ((640, 480), "high", 85 + 170 * 2, 258 * 4),
        ((1024, 1024), "high", 765, 258 * 4),
        ((4096, 8192), "high", 1105, 258 * 66),
        ((384, 384), "low", 85, 258),
        ((2048, 4096), "high", 1105, 258 * 18),
        ((512, 512), "high", 255, 258 * 4),
        ((960, 540), "low", 85, 258 * 6),
    ],
)
def test_tokens_of_a_picture(size, detail, openai, gemini):
    """1024 x 1024 is 765 and 2048 x 4096 is 1,105 tokens in OpenAI's guide, and 960 x 540 six tiles
    in Google's."""
    part = PicturePart(at=0, width=size[0], height=size[1], detail=detail)
    assert picture_tokens("gpt-4o", part) == openai
    assert picture_tokens("gemini-3-pro", part) == gemini


def test_a_picture_of_unknown_size_counts_nothing_but_where_the_detail_is_low():
    assert picture_tokens("gpt-4o", PicturePart(at=0, detail="low")) == 85
    assert picture_tokens("gpt-4o", PicturePart(at=0, height=480)) is None
    assert picture_tokens("gemini-3-pro", PicturePart(at=0, width=480)) is None
