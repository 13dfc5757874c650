"""Where a key of the environment goes, and which addresses are asked at all."""

from __future__ import annotations

import pytest

from navviz.errors import SettingsError
from navviz.llm.addresses import check_address, may_have_key
from navviz.llm.base import LanguageModel, Request
from navviz.llm.registry import close_model, make_model
from navviz.llm.retries import RetryPolicy
from navviz.llm.streaming import ModelOptions
from navviz.records import Message
from tests.fake_servers import FakeGemini, FakeOpenAI

KEY = "canary-key-0123456789"
ONCE = ModelOptions(retry=RetryPolicy(attempts=1), timeout_s=30.0)


def ask(llm: LanguageModel) -> None:
    list(llm.stream(Request((Message(role="user", text="hello"),))))
    close_model(llm)


def test_a_key_of_the_environment_is_not_sent_to_any_address(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-operator")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-the-operator")
    with FakeOpenAI(["ok"]) as server:
        ask(make_model(f"openai:m@{server.url}", ONCE, key=" "))
        sent = str(server.requests[0].headers)
    assert KEY not in sent
    assert "of-the-operator" not in sent


def test_a_listed_address_gets_the_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeOpenAI(["ok"]) as server:
        monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", f"http://other:1/v1 {server.url}")
        ask(make_model(f"openai:m@{server.url}", ONCE))
        assert server.key_of(server.requests[0]) == KEY


def test_a_key_that_was_typed_in_goes_where_it_was_typed_for():
    with FakeOpenAI(["ok"]) as server:
        ask(make_model(f"openai:m@{server.url}", ONCE, key=KEY))
        assert server.key_of(server.requests[0]) == KEY


def test_geminis_key_stays_with_gemini(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    with FakeGemini(["ok"]) as server:
        options = ONCE.model_copy(update={"base_url": server.address})
        with pytest.raises(
            SettingsError, match=r"not sent to another address.*NAVVIZ_MODEL_ADDRESSES"
        ):
            make_model("gemini:m", options)
        assert not server.requests


@pytest.mark.parametrize(
    "address", ["http://h:1/v1?api_key=sk-secret12", "http://h/v1?", "http://h/v1#sk-secret12"]
)
def test_a_query_in_an_address_is_refused_and_not_repeated(address):
    with pytest.raises(SettingsError, match="query") as caught:
        make_model(f"openai:m@{address}", key="typed")
    assert "secret12" not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://", "http://:80/v1", "ftp://h/v1", "http://h:port/v1", "http://[1/v1"]
)
def test_half_an_address_is_a_sentence(address):
    with pytest.raises(SettingsError, match="not whole"):
        check_address(address)


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://api.openai.com/v1", True),
        ("https://api.openai.com:443/v1", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com.evil.example/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("https://lab.example/models/v1", True),
        ("https://lab.example/models-of-others/v1", False),
        ("https://lab.example/v1", False),
        ("https://lab.example/models/../v1", False),
        ("https://lab.example/models/%2e%2E/v1", False),
    ],
)
def test_an_address_is_compared_by_scheme_host_port_and_path(address, allowed, monkeypatch):
    monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", "https://lab.example/models")
    assert may_have_key("openai", address) is allowed


def test_a_server_with_visitors_asks_trusted_addresses_only(monkeypatch):
    monkeypatch.setenv("NAVVIZ_SERVER", '{"door": "open"}')
    with FakeOpenAI(["secret of the intranet"]) as server:
        with pytest.raises(SettingsError, match="operator can allow it"):
            make_model(f"openai:m@{server.url}", ONCE, key="typed")
        assert not server.requests
        monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", server.url)
        ask(make_model(f"openai:m@{server.url}", ONCE, key="typed"))
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://user:secret12@h/v1",
        "http://secret12@h/v1",
        "http://@h/v1",
        "http://h/secret12..;/v1",
        "http://h/..;/v1",
        "http://h/v1;secret12=1",
        "http://h/v1\x00",
        "http://h/v1\nx",
        "http://h\t/v1",
        "http://h/v 1",
        "http://h\u200b/v1",
        "http://h\\@evil.example/v1",
        "http://h/%0d%0aX-A:1",
        "http://h/%00",
        "http://h/%20",
        "http://h/%5c",
        "http://h/a%2f..%2fv1",
        "http://h/%252e%252e/v1",
        "http://h/%3Fkey=secret12",
        "http://h/../v1",
        "http://h/%2e%2E/v1",
        "http://h/sk-secret12345678/v1",
        "http://h/AIzaSySecret12abcdefghijklmnopq/v1",
        "http://h/a8f5f167f44f4964e6c998dee827110c/v1",
        "http://h/0b5c1a2e-1f2d-4c3b-9a8e-secret12secr/v1/123e4567-e89b-12d3-a456-426614174000",
        "http://h/xQ7vR2mK9tL4wZ8p/v1",
        "http://h/v1/canary-key-0123456789",
        "http://h/token/abc/v1",
    ],
)
def test_an_address_with_a_key_or_two_readings_is_refused(address):
    with pytest.raises(SettingsError) as caught:
        check_address(address)
    assert "secret12" not in str(caught.value)
    with pytest.raises(SettingsError):
        make_model(f"openai:m@{address}", key="typed")


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:11434/v1",
        "http://[::1]:8000/v1/",
        "https://lab.example/models/qwen2.5-72b-instruct-awq-int4/v1",
        "https://lab.example/openai/deployments/gpt-4o-mini-2024-07-18",
        "https://openrouter.ai/api/v1",
        "https://x.openai.azure.com/openai/v1",
        "http://münchen.example/v1",
    ],
)
def test_addresses_that_people_use_are_taken(address):
    assert check_address(address) == address.rstrip("/")


def test_a_listed_address_may_look_like_a_key(monkeypatch):
    address = "https://api.cloudflare.com/client/v4/accounts/a8f5f167f44f4964e6c998dee827110c/ai/v1"
    with pytest.raises(SettingsError, match="looks like a key"):
        check_address(address)
    monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", address)
    assert check_address(address) == address
