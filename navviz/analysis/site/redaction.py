"""Leave prompts, thoughts or pictures out of what is published."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import PurePath
from typing import Any, Final, Literal, get_args

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.errors import SettingsError
from navviz.records import Call, EndEvent, Message, Panel, Step, Trace, TraceHeader
from navviz.records.base import Record
from navviz.records.finding import Explanation, Quote, QuoteSource

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
        return replace(explained, causes=tuple(map(self._cause, explained.causes)))

    def _cause(self, cause: Explanation) -> Explanation:
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
            changed = {key: self._value(item) for key, item in value.items()}
            # a marked part of a text that is another one now marks anything
            if changed.get(_TEXT) != value.get(_TEXT) and _START in value:
                changed |= {_START: 0, _END: 0}
            return changed
        if isinstance(value, list | tuple):
            return type(value)(map(self._value, value))
        return value


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


Part = Literal["prompts", "thoughts", "pictures"]

PARTS: Final[tuple[Part, ...]] = get_args(Part)

_SOURCES: Final[dict[str, QuoteSource]] = {"prompts": "prompt", "thoughts": "thoughts"}

_SHOWN: Final = ("text", "directions")
"""Kinds of panels that hold what stood in a prompt."""

_PICTURES: Final = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".mp4", ".webm", ".avi"}
)
"""How names of pictures and films end, in any case."""

_MODEL_ADDRESS: Final = re.compile(r"@https?://[^\s\"'<>)\],]*")

_ADDRESS: Final = re.compile(r"\b(?:https?|wss?|tcp|dask)://[^\s\"'<>)\],]*")

_FOLDERS: Final = re.compile(r"(?:/|~|\.{1,2}[/\\]|[A-Za-z]:[/\\]|\\\\)\S")
"""How a path of a machine begins."""


def check_parts(names: Iterable[str]) -> frozenset[Part]:
    """Return the parts that are named; raises `SettingsError` for an unknown one."""
    wanted = frozenset(names)
    unknown = sorted(wanted - set(PARTS))
    if unknown:
        raise SettingsError(f"--without {unknown[0]}: is none of {', '.join(PARTS)}.")
    return frozenset(part for part in PARTS if part in wanted)


def redacted(trace: Trace, without: Collection[Part]) -> Trace:
    """Return a trace without some of its texts and pictures, and without private addresses.

    Without prompts go the messages of all calls, the observations as text, and panels of the kinds
    ``text`` and ``directions``. Replies stay. So do tables and graphs, which are the navigator's
    own data, though prompts may repeat their texts. Without thoughts go also their repetitions,
    letter by letter, in all other texts.
    """
    if "thoughts" in without:
        trace = RepeatedThoughts(trace).trace_without(trace)
    return trace.model_copy(
        update={
            "header": _header(trace.header, without),
            "end": _end(trace),
            "plan_calls": tuple(_call(call, without) for call in trace.plan_calls),
            "plan_panels": _panels(trace.plan_panels, without),
            "steps": tuple(_step(step, without) for step in trace.steps),
            # a text that broke off is prompt or thoughts alike
            "streaming": {} if without else trace.streaming,
        }
    )


def _header(header: TraceHeader, without: Collection[Part]) -> TraceHeader:
    model = None if header.model is None else without_addresses(header.model)
    settings = published_settings(header.settings, without)
    return header.model_copy(update={"model": model, "settings": settings})


def _end(trace: Trace) -> EndEvent | None:
    """Return the end of a walk; why a server did not answer names the server."""
    end = trace.end
    if end is None or end.reason is None:
        return end
    return end.model_copy(update={"reason": without_addresses(end.reason)})


def without_addresses(text: str) -> str:
    """Return a text without addresses of servers: a model's name has one as ``openai:NAME@URL``,
    and a lab's machines and proxies are nobody's business.
    """
    return _ADDRESS.sub("(address)", _MODEL_ADDRESS.sub("", text))


def published_settings(settings: Mapping[str, Any], without: Collection[Part]) -> dict[str, Any]:
    """Return settings without addresses, without folders before file names and, where prompts are
    left out, without an edited prompt.
    """
    published = {key: _published(value) for key, value in settings.items()}
    if "prompts" in without and published.get("prompt"):
        published["prompt"] = LEFT_OUT
    return published


def _published(value: object) -> object:
    if isinstance(value, Mapping):
        return published_settings(value, ())
    if isinstance(value, list | tuple):
        return [_published(item) for item in value]
    if not isinstance(value, str):
        return value
    if _FOLDERS.match(value) and "\n" not in value:
        return re.split(r"[/\\]", value.rstrip("/\\"))[-1]
    return without_addresses(value)


def _step(step: Step, without: Collection[Part]) -> Step:
    changes: dict[str, object] = {
        "calls": tuple(_call(call, without) for call in step.calls),
        "panels": _panels(step.panels, without),
    }
    if "prompts" in without and step.observation is not None:
        changes["observation"] = step.observation.model_copy(update={"text": ""})
    if "pictures" in without:
        changes["views"] = ()
    return step.model_copy(update=changes)


def _call(call: Call, without: Collection[Part]) -> Call:
    changes: dict[str, object] = {}
    if call.error is not None:
        changes["error"] = without_addresses(call.error)
    if call.model is not None:
        changes["model"] = without_addresses(call.model)
    if "prompts" in without:
        changes |= {"messages": (), "response_schema": None}
    elif "pictures" in without:
        bare = [message.model_copy(update={"pictures": ()}) for message in call.messages]
        changes["messages"] = tuple(bare)
    if "thoughts" in without:
        changes["thoughts"] = None
    return call.model_copy(update=changes)


def _panels(panels: tuple[Panel, ...], without: Collection[Part]) -> tuple[Panel, ...]:
    if "prompts" not in without:
        return panels
    return tuple(panel for panel in panels if panel.kind not in _SHOWN)


def is_picture(name: str) -> bool:
    """Whether a file is a picture or a film, by its name."""
    return PurePath(name).suffix.lower() in _PICTURES


def without_ground(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a player document without the pictures of floors: most are made of a scan, whose
    licence is that of the views. Rooms and outlines are drawn instead.
    """
    house = document.get("indoor")
    if not house:
        return dict(document)
    return {**document, "indoor": {**house, "pictures": []}}


def redacted_causes(explained: EpisodeCauses, without: Collection[Part]) -> EpisodeCauses:
    """Return causes without the words of what is left out, in their quotes and elsewhere."""
    sources = {_SOURCES[part] for part in without if part in _SOURCES}
    if not sources:
        return explained
    return replace(explained, causes=tuple(_cause(one, sources) for one in explained.causes))


def _cause(cause: Explanation, sources: Collection[QuoteSource]) -> Explanation:
    sentence = cause.sentence
    quotes: list[Quote] = []
    for quote in cause.quotes:
        if quote.source not in sources:
            quotes.append(quote)
            continue
        # a sentence may repeat the words of its quotes
        sentence = sentence.replace(quote.text.strip(), LEFT_OUT)
        # a cause without a quote does not exist, and a reader should see that there was proof
        emptied = Quote(source=quote.source, text=LEFT_OUT, step=quote.step, call=quote.call)
        if emptied not in quotes:
            quotes.append(emptied)
    return cause.model_copy(update={"quotes": tuple(quotes), "sentence": sentence})
