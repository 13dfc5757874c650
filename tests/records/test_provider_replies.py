"""What a service's response tells of its answer, in the forms of Gemini and OpenAI."""

from __future__ import annotations

from typing import Any

import pytest

from navviz.records import Call, ToolCall, Usage
from navviz.records.provider_messages import fault_of_code, reply_fields

WALK = ToolCall(name="walk_to", args={"node": "b"})


def _gemini(finish: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": list(parts)} if parts else {"role": "model"}
    return {"candidates": [{"content": content, "finishReason": finish, **more}]}


def _openai(finish: str, **message: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": finish, "message": message}]}


@pytest.mark.parametrize(
    ("response", "unanswered"),
    [
        (_gemini("SAFETY"), "blocked (SAFETY)"),
        (_gemini("RECITATION", finishMessage="Too like a book."), "blocked (RECITATION)"),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "blocked (PROHIBITED_CONTENT)"),
        ({"prompt_feedback": {"block_reason": "BlockedReason.SAFETY"}}, "blocked (SAFETY)"),
        ({"error": {"code": 429, "message": "Slow."}}, "quota (429)"),
        ({"error": {"code": 8, "message": "Slow."}}, "quota (429)"),
        ({"error": {"status": "RESOURCE_EXHAUSTED"}}, "quota (429)"),
        ({"error": {"type": "insufficient_quota", "message": "No money."}}, "quota (429)"),
        ({"error": {"code": 503, "message": "Busy."}}, "overload (503)"),
        ({"error": {"code": 500, "message": "Oh."}}, "fault of the server (500)"),
        ({"error": {"code": 504}}, "time-out (504)"),
        ({"error": "Error 503: the model is overloaded"}, "overload (503)"),
        (_openai("content_filter", content=""), "blocked (content_filter)"),
        (_openai("stop", content=None, refusal="I cannot help."), "blocked (refusal)"),
        (_gemini("MAX_TOKENS"), None),
        (_gemini("MALFORMED_FUNCTION_CALL"), None),
        (_gemini("STOP", {"functionCall": {"name": "walk_to", "args": {"node": "b"}}}), None),
        ({"error": {"code": 400, "message": "Wrong."}}, None),
        (_openai("length", content=""), None),
        (_openai("stop", content="{}"), None),
        ({}, None),
    ],
)
def test_only_the_service_leaves_a_call_without_an_answer(response, unanswered):
    assert Call(**reply_fields(response)).unanswered == unanswered


@pytest.mark.parametrize(
    "response",
    [
        _gemini("STOP", {"functionCall": {"name": "walk_to", "args": {"node": "b"}}}),
        _gemini("STOP", {"function_call": {"name": "walk_to", "args": {"node": "b"}}}),
        _openai(
            "tool_calls",
            content=None,
            tool_calls=[{"function": {"name": "walk_to", "arguments": '{"node": "b"}'}}],
        ),
        _openai("function_call", function_call={"name": "walk_to", "arguments": '{"node": "b"}'}),
    ],
)
def test_a_function_call_is_the_reply(response):
    call = Call(**reply_fields(response))
    assert (call.reply, call.tool_calls, call.unanswered) == ("walk_to(node=b)", (WALK,), None)


def test_a_word_beside_a_function_call_stays_the_reply():
    parts = ({"text": "Going."}, {"functionCall": {"name": "f", "args": {"n": 2, "on": True}}})
    call = Call(**reply_fields(_gemini("STOP", *parts)))
    assert call.reply == "Going."
    assert [each.text for each in call.tool_calls] == ["f(n=2, on=true)"]


@pytest.mark.parametrize(("fields", "sentence"), [
    ({"finish_reason": "MAX_TOKENS", "usage": Usage(thoughts_tokens=2047)},
        "cut off at the token limit while thinking (2,047 tokens)"),
    ({"finish_reason": "length", "reply": "{"}, "cut off at the token limit"),
    ({"finish_reason": "length"}, "cut off at the token limit"),
    ({"finish_reason": "MALFORMED_FUNCTION_CALL", "finish_message": "Bad call: f(."},
        "malformed function call: Bad call: f("),
    ({"finish_reason": "STOP"}, "the reply is empty"),
    ({"finish_reason": "SAFETY"}, "the service did not answer: blocked (SAFETY)"),
])  # fmt: skip
def test_an_empty_reply_is_named_as_what_it_is(fields, sentence):
    assert Call(**fields).why_unread == sentence


def test_a_whole_answer_that_was_taken_back_late_is_one():
    assert Call(finish_reason="RECITATION", reply="{}", parsed={}).unanswered is None
    assert Call(finish_reason="RECITATION", reply="{", parse_error="x").unanswered is not None


@pytest.mark.parametrize(("code", "is_fault"), [
    (200, False), (400, False), (401, False), (404, False), (408, True), (429, True), (500, True),
    (529, True),
])  # fmt: skip
def test_a_status_tells_whose_fault_it_is(code, is_fault):
    assert (fault_of_code(code) is not None) == is_fault
