"""Leave prompts, thoughts or pictures out of what is published."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final, Literal, get_args

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.site.thoughts import LEFT_OUT, RepeatedThoughts
from navviz.errors import SettingsError
from navviz.records import Call, EndEvent, Panel, Step, Trace, TraceHeader
from navviz.records.cause import Cause, Quote, QuoteSource

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
    causes = tuple(_cause(cause, sources) for cause in explained.causes)
    likely = explained.likely
    if likely is not None:
        # by its place: the object itself still has the words that were left out
        likely = causes[explained.causes.index(likely)]
    return replace(explained, causes=causes, likely=likely)


def _cause(cause: Cause, sources: Collection[QuoteSource]) -> Cause:
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
