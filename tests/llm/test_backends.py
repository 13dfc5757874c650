"""Both real client libraries against servers that speak their wire formats: answers, faults,
retries, keys.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from navviz.errors import ModelRefusedError
from navviz.llm import streaming
from navviz.llm.base import LanguageModel, ModelDelta, Request
from navviz.llm.registry import close_model, make_model
from navviz.llm.retries import RetryPolicy
from navviz.llm.streaming import ModelOptions
from navviz.records import Call, Message, Price, Usage
from navviz.systems.asking import ask_now
from tests.fake_servers import Answer, Cut, FakeGemini, FakeOpenAI, FakeServer, Fault, Silence
from tests.fake_servers.base import Action

KEY = "canary-key-0123456789"
QUICK = RetryPolicy(attempts=3, first_wait_s=0.01, longest_wait_s=0.02, longest_server_wait_s=2)
SCHEMA = {
    "type": "object",
    "properties": {"next_place": {"type": "string"}},
    "required": ["next_place"],
}
REQUEST = Request(
    (Message(role="system", text="You walk."), Message(role="user", text="Where to?")),
    schema=SCHEMA,
)
PRICES = {"model-a": Price(prompt_usd=2.0, output_usd=10.0, cached_usd=0.5)}


@dataclass
class Backend:
    """One kind of server, and how a model behind it is named."""

    kind: type[FakeServer]
    servers: list[FakeServer]
    models: list[LanguageModel]

    def serve(
        self, actions: Sequence[Action | str] | Callable[..., Action | str], **kwargs: object
    ) -> FakeServer:
        server = self.kind(actions, **kwargs)
        self.servers.append(server)
        return server

    def model(self, server: FakeServer, key: str | None = KEY, **options: object) -> LanguageModel:
        settings = ModelOptions(**{"retry": QUICK, "timeout_s": 30.0, **options})
        if isinstance(server, FakeOpenAI):
            model = make_model(f"openai:model-a@{server.url}", settings, key, PRICES)
        else:
            settings = settings.model_copy(update={"base_url": server.address})
            model = make_model("gemini:model-a", settings, key, PRICES)
        self.models.append(model)
        return model

    def ask(self, actions: Sequence[Action | str], **options: object) -> Call:
        return last(self.model(self.serve(actions), **options))


@pytest.fixture(params=[FakeGemini, FakeOpenAI], ids=["gemini", "openai"])
def backend(request):
    made = Backend(request.param, [], [])
    yield made
    for model in made.models:
        close_model(model)
    for server in made.servers:
        server.close()


def last(
    model: LanguageModel, request: Request = REQUEST, cancel: threading.Event | None = None
) -> Call:
    *_, call = model.stream(request, cancel)
    assert isinstance(call, Call)
    return call


def test_an_answer_streams_in_with_thoughts_counts_and_cost(backend):
    answer = Answer(
        '{"next_place": "7"}', "First left, then on.", pieces=4, cached_tokens=40, prompt_tokens=100
    )
    model = backend.model(backend.serve([answer]))
    *deltas, call = model.stream(REQUEST)
    assert isinstance(call, Call)
    assert [d.channel for d in deltas if isinstance(d, ModelDelta)] == ["thoughts"] * 4 + [
        "reply"
    ] * 4
    assert (
        "".join(d.text for d in deltas if d.channel == "thoughts")
        == call.thoughts
        == answer.thoughts
    )
    assert "".join(d.text for d in deltas if d.channel == "reply") == call.reply == answer.text
    assert call.usage == Usage(
        prompt_tokens=100, thoughts_tokens=20, output_tokens=10, cached_tokens=40
    )
    assert call.cost_usd == pytest.approx((60 * 2.0 + 40 * 0.5 + 30 * 10.0) / 1e6)
    assert (call.retries, call.error, call.purpose) == (0, None, "decide")
    assert (call.finish_reason or "").lower() == "stop"
    assert call.messages == REQUEST.messages
    assert call.response_schema == SCHEMA


def test_429_waits_as_long_as_the_server_asks(backend):
    faults = [Fault(429, "slow down", {"Retry-After": "1"}), "{}"]
    started = time.monotonic()
    call = backend.ask(faults)
    assert call.reply == "{}"
    assert call.retries == 1
    assert time.monotonic() - started >= 1.0  # the promise is a lower bound


def test_a_wait_beyond_our_patience_is_told_at_once(backend):
    call = backend.ask([Fault(429, "quota used up", {"Retry-After": "3600"})])
    assert call.reply is None
    assert call.retries == 0
    assert "wait for 3600 seconds" in (call.error or "")


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_server_faults_are_tried_again(backend, status):
    call = backend.ask([Fault(status), Fault(status, body="<html>bad gateway</html>"), "{}"])
    assert (call.reply, call.retries, call.error) == ("{}", 2, None)


def test_the_library_does_not_retry_on_its_own(backend):
    server = backend.serve([Fault(503)])
    call = last(backend.model(server))
    assert len(server.requests) == QUICK.attempts
    assert call.retries == QUICK.attempts - 1
    assert "503" in (call.error or "")
    assert "Tried 3 times" in (call.error or "")


def test_a_cut_stream_is_asked_again_and_what_came_is_kept(backend):
    whole = Answer('{"next_place": "7"}', "Thinking of this and that.", pieces=4)
    model = backend.model(backend.serve([Cut(whole, 3), whole]))
    *deltas, call = model.stream(REQUEST)
    assert isinstance(call, Call)
    assert (call.reply, call.thoughts, call.retries, call.error) == (
        whole.text,
        whole.thoughts,
        1,
        None,
    )
    assert any("Asking again, try 2" in d.text for d in deltas if isinstance(d, ModelDelta))
    call = last(backend.model(backend.serve([Cut(whole, 3)])))
    assert call.error
    assert call.reply is None
    assert whole.thoughts.startswith(call.thoughts or "?")


def test_a_stream_that_ends_without_a_reason_counts_as_cut(backend):
    call = backend.ask([Answer('{"next', finish=None), "{}"])
    assert (call.reply, call.retries) == ("{}", 1)


def test_a_server_that_never_answers_gets_a_sentence(backend):
    call = backend.ask([Silence()], timeout_s=0.1, retry=QUICK.model_copy(update={"attempts": 2}))
    assert "sent nothing for 0.1 seconds. Tried 2 times." in (call.error or "")


def test_a_server_that_is_not_there_gets_a_sentence(backend):
    server = backend.serve(["{}"])
    model = backend.model(server)
    server.close()
    assert "cannot be reached" in (last(model).error or "")
    backend.servers.clear()


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_refused_at_once_and_named_by_its_variable(backend, status, monkeypatch):
    variable = "GEMINI_API_KEY" if backend.kind is FakeGemini else "OPENAI_API_KEY"
    monkeypatch.setenv(variable, KEY)
    server = backend.serve([Fault(status, "key not valid", echo_key=True)])
    monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", server.address)
    with pytest.raises(ModelRefusedError, match=variable) as caught:
        last(backend.model(server, key=None))
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


def test_a_key_that_was_typed_in_is_called_so(backend):
    server = backend.serve([Fault(401, "key not valid")])
    with pytest.raises(ModelRefusedError, match="the key that was typed in"):
        last(backend.model(server))


def test_an_unknown_model_is_named(backend):
    server = backend.serve([Fault(404, "no such model")])
    with pytest.raises(ModelRefusedError, match="does not know the model 'model-a'"):
        last(backend.model(server))
    assert len(server.requests) == 1


def test_a_request_that_is_wrong_is_not_repeated(backend):
    server = backend.serve([Fault(400, "the prompt is too long")])
    with pytest.raises(ModelRefusedError, match="the prompt is too long"):
        last(backend.model(server), Request(REQUEST.messages))
    assert len(server.requests) == 1


def test_an_empty_reply_is_a_reply(backend):
    call = backend.ask([Answer("")])
    assert (call.reply, call.error, call.retries) == ("", None, 0)


def test_a_server_without_counts_has_no_cost(backend):
    call = backend.ask([Answer("{}", usage=False)])
    assert call.usage is None
    assert call.cost_usd is None


def test_stop_ends_a_slow_stream_and_keeps_what_came(backend):
    server = backend.serve([Answer("x" * 100, "y" * 100, pieces=100, delay_s=0.1)])
    cancel = threading.Event()
    got = []
    for item in backend.model(server).stream(REQUEST, cancel):
        got.append(item)
        if len(got) == 2:
            cancel.set()
    call = got[-1]
    assert isinstance(call, Call)
    assert call.error == "stopped"
    assert (call.thoughts or "").startswith("yy")
    assert len(got) < 20


def test_stop_ends_a_wait_between_tries(backend):
    patient = RetryPolicy(attempts=5, first_wait_s=3600, longest_wait_s=3600)
    model = backend.model(backend.serve([Fault(503)]), retry=patient)
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    assert last(model, cancel=cancel).error == "stopped"  # and not after an hour


def test_a_caller_that_goes_away_ends_the_request(backend):
    server = backend.serve([Answer("x" * 500, pieces=500, delay_s=0.05)])
    stream = backend.model(server).stream(REQUEST)
    next(stream)
    stream.close()
    for _ in range(200):
        if not server.parallel:
            break
        time.sleep(0.05)
    assert server.parallel == 0


@pytest.mark.parametrize(
    "chunk", ['{"error": {"message": "boom", "code": 500}}', '{"choices": [5], "candidates": [5]}']
)
def test_no_stream_is_left_to_the_garbage_collector(backend, chunk):
    """It would close one in any thread while the loop closes the one around it."""

    def open_streams() -> list[str]:
        generators = streaming._LOOPS.here()._asyncgens  # all that asyncio has not seen the end of
        return [each.__qualname__ for each in list(generators) if each.ag_frame is not None]

    gc.collect()
    gc.disable()
    try:
        answer = Answer("a reply", pieces=9, broken=chunk)
        assert backend.ask([answer], retry=RetryPolicy(attempts=1)).error
        for _ in range(100):
            if not open_streams():
                break
            time.sleep(0.05)
        assert open_streams() == []
    finally:
        gc.enable()


def test_no_key_in_anything_that_comes_out(backend, caplog):
    caplog.set_level(logging.DEBUG)
    model = backend.model(
        backend.serve(
            [Fault(500, echo_key=True), Answer(f"key {KEY}", f"my key is {KEY}.", pieces=1)]
        )
    )
    *deltas, call = model.stream(REQUEST)
    assert isinstance(call, Call)
    texts = [
        repr(model),
        str(vars(model)),
        call.model_dump_json(),
        *(d.text for d in deltas if isinstance(d, ModelDelta)),
    ]
    texts += [record.getMessage() for record in caplog.records if record.name.startswith("navviz")]
    assert not [text for text in texts if KEY in text]
    assert "[key]" in (call.reply or "")
    call = last(backend.model(backend.serve([Fault(500, echo_key=True)])))
    assert KEY not in call.model_dump_json()


def test_what_the_navigator_wants_reaches_the_server_where_the_options_name_none(backend):
    request = Request((Message(role="user", text="Hi."),), temperature=0.0, max_output_tokens=1000)
    server = backend.serve(["x", "x"])
    last(backend.model(server), request)
    last(backend.model(server, temperature=0.7, max_output_tokens=64), request)
    sent = [body.get("generationConfig", body) for body in (each.body for each in server.requests)]
    limits = [body.get("maxOutputTokens", body.get("max_tokens")) for body in sent]
    assert [body["temperature"] for body in sent] == [0.0, 0.7]
    assert limits == [1000, 64]


def test_messages_temperature_and_schema_reach_the_server(backend):
    server = backend.serve(["{}"])
    messages = (
        *REQUEST.messages,
        Message(role="assistant", text="7"),
        Message(role="user", text="And now?"),
    )
    request = Request(messages, schema=SCHEMA, stop=("END",))
    last(backend.model(server, temperature=0.5, max_output_tokens=64, thinking="low"), request)
    body = server.requests[0].body
    if backend.kind is FakeGemini:
        config = body["generationConfig"]
        assert body["systemInstruction"]["parts"][0]["text"] == "You walk."
        assert [c["role"] for c in body["contents"]] == ["user", "model", "user"]
        assert config["responseMimeType"] == "application/json"
        assert config["responseJsonSchema"] == SCHEMA
        thinking = {
            name.replace("_", "").lower(): value for name, value in config["thinkingConfig"].items()
        }
        # the API takes both spellings
        assert thinking == {"includethoughts": True, "thinkinglevel": "LOW"}
        assert (config["temperature"], config["maxOutputTokens"], config["stopSequences"]) == (
            0.5,
            64,
            ["END"],
        )
        assert server.requests[0].headers["x-goog-api-key"] == KEY
    else:
        assert [m["role"] for m in body["messages"]] == ["system", "user", "assistant", "user"]
        assert body["response_format"]["json_schema"]["schema"] == SCHEMA
        assert (body["temperature"], body["max_tokens"], body["stop"]) == (0.5, 64, ["END"])
        assert body["reasoning_effort"] == "low"
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_many_at_once_share_a_model(backend):
    model = backend.model(backend.serve([Answer("{}", "thought", delay_s=0.02)]))
    calls: list[Call] = []
    threads = [threading.Thread(target=lambda: calls.append(last(model))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [call.reply for call in calls] == ["{}"] * 8


@pytest.mark.parametrize(
    "chunk",
    [
        '{"candidates": [{"cont',
        "[]",
        "5",
        "null",
        '"x"',
        '{"choices": 5, "candidates": 5}',
        '{"choices": [5], "candidates": [5]}',
        '{"choices": [{"delta": 5}], "candidates": [{"content": 5}]}',
        '{"choices": [{"delta": {"content": [1]}}], "candidates": [{"content": {"parts": [{"text": [1]}]}}]}',
        '{"usage": {"prompt_tokens": "x"}, "usageMetadata": {"promptTokenCount": "x"}}',
    ],
)
def test_a_chunk_of_another_shape_is_asked_again_or_passed_over(backend, chunk):
    call = backend.ask([Answer("{}", broken=chunk), "{}"])
    assert (call.reply, call.error) == ("{}", None)
    call = backend.ask([Answer("", broken=chunk, finish=None)])
    assert call.error
    assert "Tried 3 times" in call.error
    assert len(call.error) < 400


def test_an_answer_of_two_megabytes_is_ended_and_not_asked_for_again(backend):
    server = backend.serve([Answer("x" * 2_000_000, pieces=100)])
    call = last(backend.model(server))
    assert "sent more than 1,000,000 characters; set max_output_tokens" in (call.error or "")
    assert len(call.reply or "") <= 1_020_000
    assert len(server.requests) == 1


def test_what_broken_tries_have_cost_is_part_of_the_call():
    """Gemini tells its counts with each chunk, so that those of an answer that was cut off are
    known.
    """
    backend = Backend(FakeGemini, [], [])
    whole = Answer('{"next_place": "7"}', "Thinking of this and that.", pieces=4)
    try:
        call = backend.ask([Cut(whole, 3), Cut(whole, 1), whole])
        assert call.usage == Usage(
            prompt_tokens=300, thoughts_tokens=20, output_tokens=10, cached_tokens=0
        )
        assert call.cost_usd == pytest.approx((300 * 2.0 + 30 * 10.0) / 1e6)
        call = backend.ask([Cut(whole, 2)])
        assert call.error
        assert call.cost_usd == pytest.approx(300 * 2.0 / 1e6)
    finally:
        for model in backend.models:
            close_model(model)
        for server in backend.servers:
            server.close()


def test_a_prompt_that_is_blocked_for_safety_is_one_sentence_and_is_paid_for():
    backend = Backend(FakeGemini, [], [])
    try:
        call = backend.ask([Answer(blocked="SAFETY")])
        assert call.error == "Gemini will not answer this prompt (block reason SAFETY)."
        assert call.usage == Usage(
            prompt_tokens=5, thoughts_tokens=0, output_tokens=0, cached_tokens=0
        )
    finally:
        for model in backend.models:
            close_model(model)
        for server in backend.servers:
            server.close()


@pytest.mark.parametrize(
    ("actions", "fault"),
    [
        ([Fault(429)], "quota (429)"),
        ([Fault(503)], "overload (503)"),
        ([Fault(500)], "fault of the server (500)"),
        ([Cut(Answer("{}"), after=1)], "connection lost"),
        ([Silence()], "time-out"),
    ],
)
def test_what_kept_an_answer_away_is_recorded(backend, actions, fault):
    once = RetryPolicy(attempts=1)
    call = backend.ask(actions, retry=once, timeout_s=0.2 if fault == "time-out" else 30.0)
    assert (call.unanswered, call.reply) == (fault, call.reply or None)
    assert call.error


def test_a_fault_that_a_retry_mends_is_none(backend):
    call = backend.ask([Fault(503), Fault(429), "{}"])
    assert (call.retries, call.service_fault, call.unanswered) == (2, None, None)


def _raw(backend: Backend, finish: str, **more: object) -> Answer:
    """One whole response of either service: its reason, and a function call where `name` is given."""
    name, message = more.get("name"), more.get("message")
    if backend.kind is FakeGemini:
        parts = [{"functionCall": {"name": name, "args": {"next_place": "7"}}}] if name else []
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish}
        candidate |= {"finishMessage": message} if message else {}
        return Answer(raw={"candidates": [candidate]})
    delta: dict[str, object] = {"role": "assistant"}
    if name:
        called = {"name": name, "arguments": '{"next_place": "7"}'}
        delta["tool_calls"] = [{"index": 0, "id": "1", "type": "function", "function": called}]
    if message:
        delta["refusal"] = message
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    body = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "model-a"}
    return Answer(raw=body | {"choices": [choice]})


def test_a_refusal_of_the_provider_is_no_answer(backend):
    gemini = backend.kind is FakeGemini
    finish, message = ("SAFETY", "Not safe.") if gemini else ("stop", "I cannot help.")
    call = backend.ask([_raw(backend, finish, message=message)])
    assert call.unanswered == f"blocked ({'SAFETY' if gemini else 'refusal'})"
    # google-genai 3 leaves Gemini's `finishMessage` out
    assert call.finish_message == (None if gemini else message)
    assert "did not answer" in (call.error or "")


def test_a_function_call_is_an_answer(backend):
    finish = "STOP" if backend.kind is FakeGemini else "tool_calls"
    model = backend.model(backend.serve([_raw(backend, finish, name="walk_to")]))
    call = ask_now(model, REQUEST)
    assert (call.reply, call.error, call.unanswered) == ("walk_to(next_place=7)", None, None)
    assert [each.name for each in call.tool_calls] == ["walk_to"]
    assert call.parsed == {"next_place": "7"}


def test_a_reply_cut_at_the_token_limit_is_named_so(backend):
    finish = "MAX_TOKENS" if backend.kind is FakeGemini else "length"
    model = backend.model(
        backend.serve([Answer("", "Hm.", finish=finish, thoughts_tokens=2047, output_tokens=0)])
    )
    call = ask_now(model, REQUEST)
    assert (call.error, call.unanswered) == (None, None)
    assert (call.parse_error or "").startswith("cut off at the token limit while thinking")
