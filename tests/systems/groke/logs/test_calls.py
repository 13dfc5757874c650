"""One line of a step log: its messages, its reply and what its prompt says, each where it may be
missing.
"""

import pytest

from navviz.records import Message, SubGoal
from navviz.systems.groke.logs.calls import (
    as_list,
    as_mapping,
    as_strings,
    planning_call,
    read_call,
    read_prompt,
)


def _text(text, **more):
    return {"text": text, **more}


def _line(parts=(), **response):
    return {
        "request": {},
        "response": {"candidates": [{"content": {"parts": list(parts)}}], **response},
    }


def test_values_of_another_kind_count_as_empty():
    assert (as_mapping({"a": 1}), as_mapping([1]), as_mapping(None)) == ({"a": 1}, {}, {})
    assert (as_list([1]), as_list({"a": 1}), as_list(None)) == ([1], [], [])
    assert as_strings(["a", 1, None, "b"]) == ("a", "b")


def test_messages_are_the_system_prompt_and_the_turns():
    request = {
        "systemInstruction": {"parts": [_text("You "), _text("walk.")]},
        "contents": [
            {
                "role": "user",
                "parts": [
                    _text("Where "),
                    _text("thinking", thought=True),
                    _text("to?"),
                    {"image": 1},
                ],
            },
            {"role": "model", "parts": [_text("Ahead.")]},
            {"parts": [_text("And now?"), 3, _text(5)]},
            "nothing",
        ],
        "generationConfig": {"responseSchema": {"type": "OBJECT"}},
    }
    call = read_call({"request": request})
    assert call.messages == (
        Message(role="system", text="You walk."),
        Message(role="user", text="Where to?"),
        Message(role="assistant", text="Ahead."),
        Message(role="user", text="And now?"),
        Message(role="user", text=""),
    )
    assert call.response_schema == {"type": "OBJECT"}
    bare = read_call({"request": {"generationConfig": {"responseSchema": "text"}}})
    assert (bare.messages, bare.response_schema) == ((), None)


def test_a_reply_with_its_thoughts():
    parts = [
        _text("First.", thought=True),
        _text('{"a"'),
        _text("Then.", thought=True),
        _text(": 1}", thought=False),
    ]
    counts = {
        "promptTokenCount": 100,
        "thoughtsTokenCount": 20,
        "candidatesTokenCount": 5,
        "cachedContentTokenCount": 60,
        "totalTokenCount": 125,
    }
    line = _line(parts, modelVersion="some-model", usageMetadata=counts)
    line["response"]["candidates"][0]["finishReason"] = "STOP"
    call = read_call(line)
    assert (call.thoughts, call.reply, call.parsed, call.parse_error) == (
        "First.\n\nThen.",
        '{"a": 1}',
        {"a": 1},
        None,
    )
    assert (call.model, call.finish_reason, call.error) == ("some-model", "STOP", None)
    usage = call.usage
    assert usage is not None
    assert (
        usage.prompt_tokens,
        usage.thoughts_tokens,
        usage.output_tokens,
        usage.cached_tokens,
    ) == (100, 20, 5, 60)


def test_what_a_response_leaves_out_is_missing():
    line = _line([_text("{}")], modelVersion=3, usageMetadata={})
    line["response"]["candidates"][0]["finishReason"] = 4
    call = read_call(line)
    assert (call.thoughts, call.model, call.finish_reason, call.usage, call.parsed) == (
        None,
        None,
        None,
        None,
        {},
    )
    odd = read_call(
        _line(
            [_text("{}")],
            usageMetadata={"promptTokenCount": True, "candidatesTokenCount": "5 tokens"},
        )
    )
    assert odd.usage is not None
    assert (odd.usage.prompt_tokens, odd.usage.output_tokens) == (None, None)
    texts = read_call(_line([_text("{}")], usageMetadata={"candidatesTokenCount": "5"}))
    assert texts.usage is not None
    assert texts.usage.output_tokens == 5


def test_output_that_is_not_counted_is_told_by_the_total():
    call = read_call(
        _line([_text("{}")], usageMetadata={"promptTokenCount": 100, "totalTokenCount": 130})
    )
    assert call.usage is not None
    assert (call.tokens, call.usage.output_tokens) == (130, 30)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("[1]", "the reply is no JSON object"),
        ("left", "the reply is no JSON ("),
    ],
)
def test_a_reply_that_cannot_be_used_says_why(reply, fault):
    call = read_call(_line([_text(reply)]))
    assert (call.parsed, call.reply) == (None, reply)
    assert call.parse_error == fault or (call.parse_error.startswith(fault) and fault.endswith("("))


@pytest.mark.parametrize(("line", "error"), [
    ({}, "the log holds the request only"),
    ({"response": {"modelVersion": "x"}}, "the response holds no candidate"),
    ({"response": {"candidates": [3]}}, "the response holds no candidate"),
    ({"response": {"error": {"message": "quota", "code": 8}}, "error": "other"}, "quota"),
    ({"error": {"message": "late"}, "status": "other"}, "late"),
    ({"error": "plain"}, "plain"),
    ({"status": "DEADLINE"}, "DEADLINE"),
    ({"error": {"code": 8}}, "{'code': 8}"),
    ({"response": {"promptFeedback": {"blockReason": "SAFETY"}}}, "the provider refused the prompt (SAFETY)"),
    ({"error": "x" * 600}, "x" * 500),
])  # fmt: skip
def test_a_call_without_a_reply_says_why(line, error):
    call = read_call({"request": {"contents": [{"parts": [_text("Where?")]}]}, **line})
    assert (call.error, call.reply, call.messages[0].text) == (error, None, "Where?")
    planned = planning_call({"request": {}, **line})
    assert (planned.purpose, planned.error) == ("plan", error)


PROMPT = """[TASK]
Instruction: Walk to the {bank},
then stop.

Map:
```json
{"navigation_context": {"a": 1}}
```

Planning State:
1. Walk (COMPLETED)
2. Turn (left) (IN_PROGRESS, Iteration: 3)
3. Stop (TODO)
4. Rest (LATER)
5. No state
"""


def test_a_prompt_says_instruction_plan_and_map():
    prompt = read_prompt(PROMPT)
    assert prompt.instruction == "Walk to the {bank},\nthen stop."
    assert prompt.plan == (
        SubGoal(description="Walk", status="COMPLETED"),
        SubGoal(description="Turn (left)", status="IN_PROGRESS", iteration=3),
        SubGoal(description="Stop", status="TODO"),
    )
    assert prompt.sub_goal == 1
    assert (prompt.context, prompt.fields) == ('{"navigation_context": {"a": 1}}', {"a": 1})


@pytest.mark.parametrize(
    "context", ["", "```\nno map\n```", "```json\n[1]\n```", '```json\n{"a": 1}\n```']
)
def test_a_prompt_without_its_parts_keeps_what_there_is(context):
    prompt = read_prompt(f"Where to?\n{context}")
    assert (prompt.instruction, prompt.plan, prompt.sub_goal, dict(prompt.fields)) == (
        None,
        (),
        None,
        {},
    )
    assert prompt.context == "\n".join(context.split("\n")[1:-1])
