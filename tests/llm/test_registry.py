"""Names of models, keys, and the scripted model."""

from __future__ import annotations

import json
import threading

import pytest

from navviz.errors import InputError, ModelError, SettingsError
from navviz.llm.addresses import find_key, key_label, scrub
from navviz.llm.base import ModelDelta, Request
from navviz.llm.registry import is_model_name, make_model, model_price
from navviz.llm.retries import parse_retry_after_s, parse_retry_info_s
from navviz.llm.scripted import Reply, Scripted
from navviz.records import Call, Message, Price

REQUEST = Request((Message(role="user", text="hello"),), purpose="plan")


@pytest.mark.parametrize("name", [
    "", "gemini", "gemini:", "claude:x", "openai:m@localhost:8000", "openai:@http://h/v1",
    "openai:m@http:///v1",
])  # fmt: skip
def test_a_name_that_is_none_says_what_to_write(name):
    with pytest.raises(SettingsError, match=r"write|forms"):
        make_model(name, key="k" * 10)
    assert not is_model_name(name)


def test_a_password_in_the_address_is_refused():
    with pytest.raises(SettingsError, match="password") as caught:
        make_model("openai:m@https://me:hunter22@host/v1")
    assert "hunter22" not in str(caught.value)


def test_no_key_for_gemini():
    with pytest.raises(SettingsError, match="GEMINI_API_KEY or GOOGLE_API_KEY"):
        make_model("gemini:gemini-3-pro-preview", key="  ")


def test_keys_come_from_the_argument_first(monkeypatch):
    monkeypatch.setenv("GOOGLE_API_KEY", "from-google-variable")
    assert find_key("gemini").get_secret_value() == "from-google-variable"
    assert key_label("gemini") == "the key in GOOGLE_API_KEY"
    monkeypatch.setenv("GEMINI_API_KEY", "from-gemini-variable")
    assert find_key("gemini").get_secret_value() == "from-gemini-variable"
    assert find_key("gemini", " typed ").get_secret_value() == "typed"
    assert "typed" not in repr(find_key("gemini", "typed"))


def test_scrub_knows_keys_by_value_environment_and_shape(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "environment-key-1")
    text = scrub(
        "a typed-key-22 b environment-key-1 c AIza" + "x" * 35 + " d sk-abcdefgh1234 e ?key=zzz&x",
        find_key("openai", "typed-key-22"),
    )
    assert text == "a [key] b [key] c [key] d [key] e ?key=[key]&x"


def test_price_by_the_name_that_users_write():
    prices = {"m": Price(prompt_usd=1, output_usd=1)}
    assert model_price("openai:m@http://localhost:1/v1", prices) == prices["m"]
    assert model_price("gemini:m", prices) == prices["m"]
    assert model_price("scripted:m.json", prices) is None


@pytest.mark.parametrize(("headers", "seconds"), [
    ({"Retry-After": "7"}, 7), ({"retry-after-ms": "250"}, 0.25), ({"retry-after": "soon"}, None),
    ({}, None), ({"Retry-After": "-3"}, 0),
])  # fmt: skip
def test_retry_after(headers, seconds):
    assert parse_retry_after_s(headers) == seconds


def test_retry_after_may_be_a_date():
    assert parse_retry_after_s({"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}) == 0.0
    assert parse_retry_after_s({"Retry-After": "Fri, 31 Dec 2199 23:59:59 GMT"}) > 1e6


def test_retry_info_is_found_in_the_error_body():
    body = {
        "error": {
            "details": [
                {"@type": "x"},
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
            ]
        }
    }
    assert parse_retry_info_s(body) == 34.5
    assert parse_retry_info_s({"error": {"details": [{"retryDelay": "later"}]}}) is None
    assert parse_retry_info_s("text") is None


def answers(
    model: Scripted, cancel: threading.Event | None = None
) -> tuple[list[ModelDelta], Call]:
    *deltas, call = model.stream(REQUEST, cancel)
    assert isinstance(call, Call)
    return deltas, call


def test_a_script_is_read_in_order_and_its_end_is_told(tmp_path):
    file = tmp_path / "script.json"
    file.write_text(
        json.dumps(["first reply", {"reply": "", "thoughts": "hm, well"}, {"error": "no power"}])
    )
    model = make_model(f"scripted:{file}")
    deltas, call = answers(model)
    assert [d.text for d in deltas] == ["first", " reply"]
    assert (call.reply, call.purpose, call.messages) == ("first reply", "plan", REQUEST.messages)
    assert (answers(model)[1].thoughts, answers(model)[1].error) == ("hm, well", "no power")
    with pytest.raises(ModelError, match="used up after 3 replies"):
        answers(model)


def test_a_script_may_begin_again_or_be_a_function(tmp_path):
    file = tmp_path / "script.json"
    file.write_text('{"replies": ["a", "b"], "loop": true}')
    model = make_model(f"scripted:{file}")
    assert [answers(model)[1].reply for _ in range(5)] == list("ababa")
    assert answers(Scripted(lambda request: request.purpose))[1].reply == "plan"


def test_a_slow_script_stops_at_once():
    cancel = threading.Event()
    threading.Timer(0.1, cancel.set).start()
    _, call = answers(Scripted([Reply(reply="a b c", seconds=60)]), cancel)
    assert call.error == "stopped"


@pytest.mark.parametrize("text", [None, "", "{}", "3", '[{"answer": 1}]'])
def test_a_script_that_is_none_is_named(tmp_path, text):
    file = tmp_path / "script.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(InputError, match=r"script\.json"):
        make_model(f"scripted:{file}")
