"""Leave prompts, thoughts or pictures out of what is published."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final, Literal, get_args

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.errors import SettingsError
from navviz.records import Call, Panel, Step, Trace
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
_LEFT_OUT: Final = "(left out of this site)"


def check_parts(names: Iterable[str]) -> frozenset[Part]:
    """Return the parts that are named; raises `SettingsError` for an unknown one."""
    wanted = frozenset(names)
    unknown = sorted(wanted - set(PARTS))
    if unknown:
        raise SettingsError(f"--without {unknown[0]}: is none of {', '.join(PARTS)}.")
    return frozenset(part for part in PARTS if part in wanted)


def redacted(trace: Trace, without: Collection[Part]) -> Trace:
    """Return a trace without some of its texts and pictures.

    Without prompts go the messages of all calls, the observations as text, and panels of the kinds
    ``text`` and ``directions``. Replies stay: a model that thinks aloud does so in its reply.
    """
    if not without:
        return trace
    return trace.model_copy(
        update={
            "plan_calls": tuple(_call(call, without) for call in trace.plan_calls),
            "plan_panels": _panels(trace.plan_panels, without),
            "steps": tuple(_step(step, without) for step in trace.steps),
            "streaming": {},
        }
    )


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
    """Return causes without the quotes of what is left out, and without their words elsewhere."""
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
    dropped = [quote for quote in cause.quotes if quote.source in sources]
    kept = tuple(quote for quote in cause.quotes if quote.source not in sources)
    sentence = cause.sentence
    # a sentence may repeat the words of its quotes
    for quote in dropped:
        sentence = _without_words(sentence, quote)
    return cause.model_copy(update={"quotes": kept, "sentence": sentence})


def _without_words(sentence: str, quote: Quote) -> str:
    return sentence.replace(quote.text.strip(), _LEFT_OUT)
