"""No spelling of a key is left in a text, whole or in pieces; names of models are no keys."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from pydantic import SecretStr

from navviz.errors import SettingsError
from navviz.llm.addresses import StreamScrubber, looks_like_key, scrub
from navviz.llm.registry import make_model

KEY = 'canary/k3y+of"the&mine=0123'
SPELLINGS = {
    "plain": KEY,
    "url": quote(KEY, safe=""),
    "url, some signs": quote(KEY),
    "url, twice": quote(quote(KEY, safe=""), safe=""),
    "form": quote_plus(KEY),
    "every sign": "".join(f"%{ord(sign):02x}" for sign in KEY),
    "json": json.dumps(KEY)[1:-1],
    "json, twice": json.dumps(json.dumps(KEY))[1:-1],
    "json, every sign": "".join(f"\\u{ord(sign):04X}" for sign in KEY),
    "html": html.escape(KEY),
    "html, every sign": "".join(f"&#{ord(sign)};" for sign in KEY),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64 of more": base64.b64encode(f"u:{KEY}".encode()).decode(),
    "base64 between": base64.b64encode(f"user{KEY}!".encode()).decode(),
    "base64 of URLs": base64.urlsafe_b64encode(KEY.encode()).decode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_no_spelling_of_a_key_is_left(spelling):
    text = f'{{"a": "x \\n\\"{spelling}\\" y"}}'
    hidden = scrub(text, SecretStr(KEY))
    assert "[key]" in hidden
    assert hidden.startswith('{"a": "x \\n\\"')
    assert hidden.endswith('" y"}')
    # no part of it that could be made whole again: base64 keeps a sign or two of what is beside it
    left = hidden.removeprefix('{"a": "x \\n\\"').removesuffix('\\" y"}')
    assert len(left.replace("[key]", "")) <= 12, left


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_key_in_pieces_is_never_shown(spelling, size):
    text = f"Let me see: can {spelling} and cana"
    stream, shown = StreamScrubber(SecretStr(KEY)), ""
    for at in range(0, len(text), size):
        shown += stream.add(text[at : at + size])
    shown += stream.rest()
    assert shown == scrub(text, SecretStr(KEY))
    assert "[key]" in shown


def test_what_is_no_beginning_of_a_key_is_shown_at_once():
    stream = StreamScrubber(SecretStr(KEY))
    assert stream.add('Thus: "so\\n') == 'Thus: "so\\n'
    assert stream.add("we go can") == "we go "
    assert stream.add("not") == "cannot"


@pytest.mark.parametrize(
    "name",
    [
        "gemini-3.1-pro-preview",
        "qwen3:8b",
        "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8",
        "Llama4Maverick17B128EInstruct",
        "hf.co/unsloth/DeepSeek-R1-Distill-Qwen-7B-GGUF:Q4_K_M",
        "Qwen2.5-VL-72B-Instruct-AWQ",
        "anthropic.claude-3-5-sonnet-20241022-v2:0",
        "accounts/fireworks/models/llama-v3p1-405b-instruct",
        "ft:gpt-4o-mini-2024-07-18:my-org:walks:9aBcDeF1",
        "projects/p/locations/eu/endpoints/1234567890123456789",
        "skywork-13b-chat-0123456789",
        "nvidia/llama-3.1-nemotron-ultra-253b-v1",
        "task-sk-small",
        "gpt-5-2025-08-07",
    ],
)
def test_names_of_models_are_no_keys(name):
    assert not looks_like_key(name)


@pytest.mark.parametrize(
    "key",
    [
        "AIzaSyCanary0123456789abcdefghijklmnopq",
        "AQ.Ab8RN6canary0123456789abcdef",
        "sk-canary0123456789abcdef",
        "sk-proj-Ab1_cd2-canary",
        "sk-ant-api03-canary",
        "gsk_canaryCanaryCanary0",
        "hf_abcdefghijklmnopqrst",
        "xai-0123456789abcdef0123",
        "a8f5f167f44f4964e6c998dee827110c",
        "xQ7vR2mK9tL4wZ8pB6nD1sF3",
        "b2k9x0q7w5zj3mh8v1tr6ynl",
        "0b5c1a2e-1f2d-4c3b-9a8e-123456789abc",
        "Bearer canary-key",
    ],
)
def test_keys_are_known_by_their_shape(key):
    assert looks_like_key(key)
    assert looks_like_key(f" {key} ".strip())


@pytest.mark.parametrize("name", ["{}", "gemini:{}", "openai:{}", "openai:{}@http://h/v1"])
def test_a_key_is_no_name_of_a_model_and_is_not_repeated(name):
    key = "AIzaSyCanary0123456789abcdefghijklmnopq"
    with pytest.raises(SettingsError, match="looks like a key") as refused:
        make_model(name.format(key), key="typed")
    assert "AIza" not in str(refused.value)
