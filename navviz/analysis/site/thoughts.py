"""Leave a model's thoughts out of everything that repeats them, not of their own field alone.

Prompts hold what was thought in earlier steps, replies are often the thoughts with an answer behind
them, and reasons of decisions and panels are made of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.records import Call, Message, Trace
from navviz.records.base import Record
from navviz.records.cause import Cause

LEFT_OUT: Final = "(left out of this site)"
_SHORTEST: Final = 16
"""Signs of a thought that is looked for elsewhere: "Turn left." may be anybody's words."""
_GAP: Final = r"(?:\s|\\[nrt])+"
"""Between words: prompts break lines anew, and in JSON a line break is two signs."""
_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
_TEXT, _START, _END = "text", "start", "end"


class RepeatedThoughts:
    """The thoughts of a walk, to be taken out of its other texts.

    What repeats a thought in other words, or a part of it, is not found.
    """

    def __init__(self, trace: Trace) -> None:
        parts = set(chain.from_iterable(map(_parts, _thoughts(trace))))
        # the longest first: a short one may be the beginning of a long one
        self._parts = [_Paragraph(part) for part in sorted(parts, key=len, reverse=True)]

    def left_out(self, text: str) -> str:
        """Return a text without the thoughts."""
        if len(text) < _SHORTEST:
            return text
        for part in self._parts:
            text = part.left_out(text)
        return text

    def holds(self, text: str) -> bool:
        """Whether a text is a piece of a thought."""
        words = " ".join(text.split())
        return len(words) >= _SHORTEST and any(words in part.words for part in self._parts)

    def trace_without(self, trace: Trace) -> Trace:
        """Return a trace whose texts repeat no thought; its episode stays as it is."""
        if not self._parts:
            return trace
        names = ("plan_calls", "plan_panels", "sub_goals", "steps", "end")
        return trace.model_copy(update={name: self._value(getattr(trace, name)) for name in names})

    def causes_without(self, explained: EpisodeCauses) -> EpisodeCauses:
        """Return causes whose sentences and quotes repeat no thought."""
        if not self._parts:
            return explained
        causes = tuple(map(self._cause, explained.causes))
        likely = explained.likely
        if likely is not None:
            likely = causes[explained.causes.index(likely)]
        return replace(explained, causes=causes, likely=likely)

    def _cause(self, cause: Cause) -> Cause:
        sentence, quotes = self.left_out(cause.sentence), []
        for quote in cause.quotes:
            text = self.left_out(quote.text)
            # cut out of a prompt that repeats a thought; the instruction is everybody's
            if quote.source != "instruction" and self.holds(quote.text):
                text = LEFT_OUT
                sentence = sentence.replace(quote.text.strip(), LEFT_OUT)
            is_same = text == quote.text
            moved = {} if is_same else {_TEXT: text, _START: None, _END: None}
            quotes.append(quote.model_copy(update=moved))
        return cause.model_copy(update={"sentence": sentence, "quotes": tuple(quotes)})

    def _value(self, value: Any) -> Any:  # noqa: ANN401 - any part of a record
        if isinstance(value, str):
            return self.left_out(value)
        if isinstance(value, Message):
            parts = [self._value(part) for part in value.parts]
            return Message.of_parts(value.role, parts)
        if isinstance(value, Record):
            changes = {name: self._value(getattr(value, name)) for name in type(value).model_fields}
            return value.model_copy(update=changes)
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, list | tuple):
            return type(value)(map(self._value, value))
        return value

    def _mapping(self, value: Mapping[str, Any]) -> dict[str, Any]:
        changed = {key: self._value(item) for key, item in value.items()}
        # a marked part of a text that is another one now marks anything
        if changed.get(_TEXT) != value.get(_TEXT) and _START in value:
            changed |= {_START: 0, _END: 0}
        return changed


class _Paragraph:
    """One paragraph of thoughts, however it is spaced and escaped elsewhere."""

    def __init__(self, text: str) -> None:
        words = text.split()
        self.words = " ".join(words)
        spelled = dict.fromkeys(
            (self.words, _escaped(self.words), _escaped(self.words, ascii=True))
        )
        # most texts lack the longest word: that is seen much faster than by the pattern
        self._patterns = [(max(one.split(), key=len), _pattern(one)) for one in spelled]

    def left_out(self, text: str) -> str:
        for rarest, pattern in self._patterns:
            if rarest in text:
                text = pattern.sub(LEFT_OUT, text)
        return text


def _escaped(text: str, *, ascii: bool = False) -> str:  # noqa: A002 - json's own word
    return json.dumps(text, ensure_ascii=ascii)[1:-1]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(_GAP.join(map(re.escape, text.split())))


def _thoughts(trace: Trace) -> Iterator[str]:
    calls: list[Call] = [*trace.plan_calls]
    for step in trace.steps:
        calls += step.calls
    for call in calls:
        if call.thoughts:
            yield call.thoughts


def _parts(text: str) -> Iterator[str]:
    # the thoughts of a call are several texts, joined by an empty line; replies hold them apart
    for part in _PARAGRAPHS.split(text):
        if len(part.strip()) >= _SHORTEST:
            yield part.strip()
