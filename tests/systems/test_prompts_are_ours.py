"""The prompts have the parts and rules of the paper's, in other words."""

from __future__ import annotations

import json
import re

import pytest

from navviz.records import SubGoal
from navviz.systems.groke import FORMATS
from navviz.systems.groke.prompts.prompt import plan_messages, step_messages
from tests.systems.groke.prompts.published import published_calls

WORDS = 6
"""Longest run of words that may coincide."""


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[i : i + WORDS]) for i in range(len(words) - WORDS + 1)}


def ours() -> set[tuple[str, ...]]:
    texts = [message.text for message in plan_messages("")]
    for name in FORMATS:
        messages = step_messages(
            name=name,
            instruction="",
            plan=[SubGoal(description="")],
            current=0,
            landmarks=[],
            context="",
            fault="x",
        )
        texts += [message.text for message in messages]
    return set().union(*map(runs, texts))


@pytest.mark.data
def test_no_sentence_is_taken_over(data_dir):
    folder = data_dir / "groke" / "paper_results"
    theirs = runs(next(iter(published_calls(data_dir).values()))[0].prompt)
    with (folder / "main_test_seen_instructions.jsonl").open(encoding="utf-8") as file:
        theirs |= runs(
            json.loads(file.readline())["request"]["systemInstruction"]["parts"][0]["text"]
        )
    shared = {" ".join(run) for run in ours() & theirs}
    assert not shared, shared
