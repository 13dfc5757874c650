"""What is Gemini's own: RetryInfo, keys that are refused with 400, thinking, blocked prompts,
published replies.
"""

from __future__ import annotations

import json

import pytest

from navviz.errors import ModelRefusedError
from navviz.llm.base import Request
from navviz.llm.registry import close_model, make_model
from navviz.llm.retries import RetryPolicy
from navviz.llm.streaming import ModelOptions
from navviz.records import Call, Message
from tests.fake_servers import Answer, FakeGemini, Fault
from tests.fake_servers.base import Action

QUICK = RetryPolicy(attempts=3, first_wait_s=0.01, longest_wait_s=0.02, longest_server_wait_s=2)


def ask(server: FakeGemini, model: str = "gemini-3-pro-preview", **options: object) -> Call:
    settings = ModelOptions(
        **{"retry": QUICK, "timeout_s": 30.0, "base_url": server.address, **options}
    )
    llm = make_model(f"gemini:{model}", settings, "some-key-123")
    try:
        *_, call = llm.stream(Request((Message(role="user", text="hello"),)))
    finally:
        close_model(llm)
    assert isinstance(call, Call)
    return call


def test_retry_info_is_honoured(monkeypatch):
    waits_s: list[float] = []
    monkeypatch.setattr("tenacity.sleep_using_event", lambda _event: waits_s.append)
    with FakeGemini([Fault(429, "slow down", retry_delay="0.5s"), "yes"]) as server:
        assert ask(server).reply == "yes"
    assert len(waits_s) == 1
    assert waits_s[0] >= 0.5


def test_a_key_that_is_not_valid_comes_as_400():
    with FakeGemini(
        [Fault(400, "API key not valid. Please pass a valid API key.", reason="API_KEY_INVALID")]
    ) as server:
        with pytest.raises(ModelRefusedError, match="refused the key that was typed in"):
            ask(server)
        assert len(server.requests) == 1


def test_models_without_thoughts_are_asked_without_them():
    def act(request: object) -> Action:
        config = request.body.get("generationConfig", {})
        return (
            Fault(400, "Thinking is not enabled for this model")
            if "thinkingConfig" in config
            else Answer("ok")
        )

    with FakeGemini(act) as server:
        assert ask(server, "gemma-x").reply == "ok"
        assert len(server.requests) == 2
        # what the user chose is not dropped
        with pytest.raises(ModelRefusedError, match="Thinking is not enabled"):
            ask(server, "gemma-x", thinking="high")


def test_older_models_get_a_budget_instead_of_a_level():
    with FakeGemini(["ok"]) as server:
        ask(server, "gemini-2.5-flash", thinking="low")
        config = server.requests[0].body["generationConfig"]["thinkingConfig"]
        assert sorted(name.replace("_", "").lower() for name in config) == [
            "includethoughts",
            "thinkingbudget",
        ]


def test_a_blocked_prompt_says_so():
    with FakeGemini([Answer(blocked="PROHIBITED_CONTENT")]) as server:
        call = ask(server)
    assert call.reply is None
    assert "block reason PROHIBITED_CONTENT" in (call.error or "")
    assert call.retries == 0


def test_an_error_in_the_middle_of_a_stream():
    error = {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
    with FakeGemini([Answer(raw=error), "ok"]) as server:
        call = ask(server)
    assert (call.reply, call.retries) == ("ok", 1)


def test_the_environment_may_give_another_address(monkeypatch):
    with FakeGemini(["ok"]) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
        assert ask(server, base_url=None).reply == "ok"


@pytest.mark.data
def test_published_replies_come_through_the_real_client(data_dir):
    path = data_dir / "groke" / "paper_results" / "ablation_study_json" / "step1_json.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[:20]]
    answers = [Answer(raw=line["response"]) for line in lines if line["response"].get("candidates")]
    with FakeGemini(answers) as server:
        calls = [ask(server) for _ in answers]
    for call, answer in zip(calls, answers, strict=True):
        parts = answer.raw["candidates"][0]["content"]["parts"]
        value = answer.raw["usageMetadata"]
        assert call.reply == "".join(p.get("text", "") for p in parts if not p.get("thought"))
        assert (call.thoughts or "") == "".join(
            p.get("text", "") for p in parts if p.get("thought")
        )
        assert call.usage.prompt_tokens == value["promptTokenCount"]
        assert call.usage.thoughts_tokens == value.get("thoughtsTokenCount")
        assert call.cost_usd == pytest.approx(
            (
                value["promptTokenCount"] * 2
                + 12 * (value.get("thoughtsTokenCount", 0) + value["candidatesTokenCount"])
                - 1.8 * value.get("cachedContentTokenCount", 0)
            )
            / 1e6
        )
