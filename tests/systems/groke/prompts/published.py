"""The calls that GROKE's authors really made (``ablation_study_json``), read for the tests that
compare with them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

_CONTEXT = re.compile(r"```json\n(.*?)\n```", re.DOTALL)
_SUB_GOAL = re.compile(r"Current Sub-Goal: (.*?)\nSub-Goal State", re.DOTALL)


@dataclass(frozen=True)
class PublishedCall:
    """One line of a step log."""

    episode: str
    step: int
    prompt: str
    response: dict[str, Any]

    @cached_property
    def context(self) -> dict[str, Any]:
        return json.loads(_CONTEXT.search(self.prompt)[1])["navigation_context"]

    @cached_property
    def sub_goal(self) -> str:
        return _SUB_GOAL.search(self.prompt)[1]

    @cached_property
    def reply(self) -> str:
        """The reply's text, empty where the model only thought."""
        candidates = self.response.get("candidates") or []
        parts = [
            part for found in candidates for part in found.get("content", {}).get("parts") or []
        ]
        return next(
            (part["text"] for part in parts if "text" in part and not part.get("thought")), ""
        )


def published_calls(data_dir: Path) -> dict[str, list[PublishedCall]]:
    """All calls by episode, in the order of the steps."""
    calls: dict[str, list[PublishedCall]] = {}
    for call in _read(data_dir / "groke" / "paper_results" / "ablation_study_json"):
        calls.setdefault(call.episode, []).append(call)
    return calls


def _read(folder: Path) -> Iterator[PublishedCall]:
    for step in range(1, 11):
        with (folder / f"step{step}_json.jsonl").open(encoding="utf-8") as file:
            for line in file:
                raw = json.loads(line)
                text = raw["request"]["contents"][0]["parts"][0]["text"]
                yield PublishedCall(str(raw["key"]), step, text, raw["response"])


def published_states(data_dir: Path) -> dict[str, Any]:
    """The state that the authors' run ended in, by episode."""
    return json.loads(
        (data_dir / "groke" / "paper_results" / "test_seen_json.json").read_text(encoding="utf-8")
    )
