"""What is particular to OpenAI-compatible servers: keys for local ones, where thoughts stand, which
schemas are known.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from navviz.errors import ModelRefusedError, SettingsError
from navviz.llm.base import LanguageModel, Request
from navviz.llm.openai_compatible import ThinkTags
from navviz.llm.registry import close_model, make_model
from navviz.llm.retries import RetryPolicy
from navviz.llm.streaming import ModelOptions
from navviz.records import Call, Message, Usage
from tests.fake_servers import Answer, FakeOpenAI, Fault, Recorded

QUICK = ModelOptions(retry=RetryPolicy(attempts=2, first_wait_s=0.01), timeout_s=30)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
REQUEST = Request((Message(role="user", text="hello"),), schema=SCHEMA)


def ask(llm: LanguageModel, request: Request = REQUEST) -> Call:
    *_, call = llm.stream(request)
    assert isinstance(call, Call)
    return call


def test_a_local_server_needs_no_key():
    with FakeOpenAI(["ok"]) as server:
        llm = make_model(f"openai:qwen3:8b@{server.url}", QUICK)
        assert ask(llm).reply == "ok"
        assert server.requests[0].body["model"] == "qwen3:8b"
        close_model(llm)


def test_openai_itself_needs_one():
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        make_model("openai:gpt-5", QUICK)


def test_a_server_that_wants_a_key_is_told_apart_from_a_wrong_key():
    with FakeOpenAI([Fault(401, "no key")]) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        with pytest.raises(
            ModelRefusedError,
            match=r"without a key.*set OPENAI_API_KEY and list the address in NAVVIZ_MODEL_ADDRESSES",
        ):
            ask(llm)
        close_model(llm)


def test_probabilities_of_tokens_are_told_where_they_are_wanted():
    token = {"token": "ok", "logprob": -0.25, "bytes": None, "top_logprobs": []}
    choice = {
        "index": 0,
        "delta": {"content": "ok"},
        "finish_reason": "stop",
        "logprobs": {"content": [token]},
    }
    chunk = {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "m",
        "choices": [choice],
    }
    with FakeOpenAI([Answer(raw=chunk), Answer("ok")]) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        assert ask(llm, replace(REQUEST, logprobs=True)).logprobs == (("ok", -0.25),)
        assert ask(llm).logprobs is None
        close_model(llm)
        assert [request.body.get("logprobs") for request in server.requests] == [True, None]


def test_a_server_that_refuses_to_tell_probabilities_is_asked_without():
    wanted = Request(REQUEST.messages, logprobs=True)
    refusing = lambda request: (  # noqa: E731
        Fault(400, "no logprobs") if request.body.get("logprobs") else Answer("ok")
    )
    with FakeOpenAI(refusing) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        assert [ask(llm, wanted).reply for _ in range(2)] == ["ok", "ok"]
        close_model(llm)
        assert [request.body.get("logprobs") for request in server.requests] == [True, None, None]


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"completion_tokens": 30, "total_tokens": 130, "completion_tokens_details": {"reasoning_tokens": 20}},
         (100, 20, 10, None)),
        # xAI counts reasoning beside the completion
        ({"completion_tokens": 30, "total_tokens": 150, "completion_tokens_details": {"reasoning_tokens": 20}},
         (100, 20, 30, None)),
        ({"completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 20}}, (100, 20, 5, None)),
        ({"completion_tokens": 30, "total_tokens": 130, "prompt_cache_hit_tokens": 64}, (100, None, 30, 64)),
        ({"completion_tokens": 30, "total_tokens": 130, "prompt_tokens_details": {"cached_tokens": 8}},
         (100, None, 30, 8)),
        ({}, (100, None, None, None)),
    ],
    ids=["within", "beside", "beside, without a total", "DeepSeek", "cached", "no completion"],
)  # fmt: skip
def test_tokens_are_counted_as_the_server_means_them(counts, usage):
    choice = {"index": 0, "delta": {"content": "ok"}, "finish_reason": "stop"}
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    counted = {"prompt_tokens": 100, **counts}
    with FakeOpenAI([Answer(raw={**chunk, "choices": [choice], "usage": counted})]) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        call = ask(llm)
        close_model(llm)
    assert call.retries == 0
    assert call.usage == Usage(
        prompt_tokens=usage[0],
        thoughts_tokens=usage[1],
        output_tokens=usage[2],
        cached_tokens=usage[3],
    )


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "think"])
def test_thoughts_are_found_wherever_the_server_puts_them(field):
    with FakeOpenAI([Answer('{"a": 1}', "left or right?", pieces=7)], reasoning=field) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        call = ask(llm)
        close_model(llm)
    assert (call.thoughts, call.reply) == ("left or right?", '{"a": 1}')


@pytest.mark.parametrize(("formats", "requests"), [(("json_object",), 2), ((), 3)])
def test_a_schema_that_the_server_refuses_is_asked_for_in_words(formats, requests):
    with FakeOpenAI(["{}"], formats=formats) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        call = ask(llm)
        assert len(server.requests) == requests
        assert call.retries == 0
        assert json.dumps(SCHEMA) in call.messages[-1].text  # the trace shows what was really sent
        assert server.requests[-1].body["messages"][-1]["content"] == call.messages[-1].text
        ask(llm)
        assert len(server.requests) == requests + 1  # and it is remembered
        close_model(llm)


def test_another_fault_than_the_schema_is_told_as_it_was_told_first():
    with FakeOpenAI([Fault(400, "the context is too long")]) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        with pytest.raises(ModelRefusedError, match="the context is too long"):
            ask(llm)
        close_model(llm)


def test_an_error_in_the_middle_of_a_stream():
    with FakeOpenAI(
        [Answer(raw={"error": {"message": "out of memory", "code": 500}}), "ok"]
    ) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        call = ask(llm)
        close_model(llm)
    assert (call.reply, call.retries) == ("ok", 1)


class _Whole(FakeOpenAI):
    """Answers ``stream: true`` with plain JSON, as some proxies do."""

    def streams(self, request: Recorded) -> bool:
        return False


def test_an_answer_that_does_not_stream_is_read_with_one_note(capsys):
    with _Whole([Answer("{}", "Hm.", prompt_tokens=7), Answer("two")]) as server:
        llm = make_model(f"openai:m@{server.url}", QUICK)
        first, second = ask(llm), ask(llm)
        close_model(llm)
    assert (first.reply, first.thoughts, second.reply) == ("{}", "Hm.", "two")
    assert first.usage is not None
    assert first.usage.prompt_tokens == 7
    assert capsys.readouterr().err.count("streams no replies") == 1


class _Endless(FakeOpenAI):
    """Sends chunks that say nothing, for ever."""

    def chunks(self, answer: Answer, request: Recorded) -> Iterator[str]:
        while True:
            time.sleep(0.02)
            yield json.dumps({"id": "x", "object": "chat.completion.chunk", "choices": []})


def test_a_line_that_is_kept_open_without_a_word_ends_by_the_time_limit():
    with _Endless() as server:
        once = QUICK.model_copy(update={"timeout_s": 0.2, "retry": RetryPolicy(attempts=1)})
        llm = make_model(f"openai:m@{server.url}", once)
        assert "sent nothing for 0.2 seconds" in (ask(llm).error or "")
        close_model(llm)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("text", "thoughts", "reply"),
    [
        ("<think>\nyes</think>\n\n{}", "yes", "{}"),
        ("<think>never closed", "never closed", ""),
        ("<thin", "", "<thin"),
        ("plain <think>x</think>", "", "plain <think>x</think>"),
        ("<think>a < b</think>c", "a < b", "c"),
        ("", "", ""),
    ],
)
def test_think_tags(text, thoughts, reply, size):
    tags = ThinkTags()
    pieces = [tags.split(text[i : i + size]) for i in range(0, len(text), size)] + [tags.rest()]
    assert (
        "".join(t for t, _ in pieces).strip("\n"),
        "".join(r for _, r in pieces).strip("\n"),
    ) == (thoughts, reply)
