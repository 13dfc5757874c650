"""The cost of a run before it starts: from like runs, or from its prompts."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from navviz.errors import ModelError, NavVizError
from navviz.llm.base import Request
from navviz.llm.pictures import GEMINI_TILE, picture_tokens
from navviz.llm.prices import cost_usd
from navviz.llm.scripted import Scripted
from navviz.records import Episode, Price, Trace, Usage
from navviz.systems.base import Navigator, Settings
from navviz.world.graph import Graph

_CHARS_PER_TOKEN: Final = 2.6
"""Mean of GROKE's 576 published calls, whose prompts are JSON full of node numbers; prose has about
4, for which the estimate is then too high and not too low.
"""
_OUTPUT_TOKENS: Final = 3900
"""Of a call, thoughts included: mean of the same calls (Gemini 3 Pro)."""
_DECISIONS: Final = 6
"""Of an episode: mean of the same runs (5.8 for 100 episodes)."""
_PROBED: Final = 3
"""Prompts that are looked at: a plan, a first decision, and one more."""


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What one walk of an episode is likely to take."""

    calls: int
    prompt_tokens: int
    output_tokens: int
    """Replies and thoughts."""
    usd: float | None
    """``None`` where the model has no known price."""
    runs: int
    """Number of finished runs of the same navigator that this is the mean of; 0: from the prompts
    alone.
    """


def estimate_run(
    navigator: Navigator,
    settings: Settings,
    episode: Episode,
    graph: Graph,
    *,
    price: Price | None = None,
    earlier: Iterable[Trace] = (),
    model: str = "",
) -> CostEstimate | None:
    """Estimate calls, tokens and US dollars of one walk; ``None`` where no prompt could be made."""
    walks = list(earlier)
    usages = [_usage(trace, navigator.name) for trace in walks]
    counted = [usage for usage in usages if usage is not None]
    if counted:
        means = [round(statistics.fmean(column)) for column in zip(*counted, strict=True)]
        calls, prompt, output = means
        return _priced(calls, prompt, output, price, len(counted))
    lengths = []
    for request in _prompts(navigator, settings, episode, graph):
        # by its characters, and its pictures as the provider counts them
        tokens = 0.0
        for message in request.messages:
            tokens += len(message.text) / _CHARS_PER_TOKEN
            for part in message.pictures:
                # one of an unknown size counts as a small one
                tokens += picture_tokens(model, part) or GEMINI_TILE
        lengths.append(tokens)
    if not lengths:
        return None
    steps = [len(trace.steps) for trace in walks if trace.steps]
    decisions = round(statistics.fmean(steps)) if steps else _DECISIONS
    # the first prompt asks for the plan, once a walk; the later ones ask for decisions
    first, later = lengths[0], lengths[1:] or lengths
    prompt = round(first + decisions * statistics.fmean(later))
    calls = 1 + decisions
    return _priced(calls, prompt, calls * _OUTPUT_TOKENS, price, 0)


def _priced(calls: int, prompt: int, output: int, price: Price | None, runs: int) -> CostEstimate:
    usd = cost_usd(Usage(prompt_tokens=prompt, output_tokens=output), price)
    return CostEstimate(calls, prompt, output, usd, runs)


def _usage(trace: Trace, navigator: str) -> tuple[int, int, int] | None:
    """Return calls, prompt and output tokens of this navigator's walk, if all were counted."""
    if trace.header.navigator != navigator:
        return None
    # a walk that broke off has fewer calls than one that comes to its end
    if trace.end is None or trace.end.status not in {"done", "limit"}:
        return None
    prompt = output = 0
    for call in trace.calls:
        usage = call.usage
        if usage is None or usage.prompt_tokens is None or usage.output_tokens is None:
            return None
        prompt += usage.prompt_tokens
        output += usage.output_tokens + (usage.thoughts_tokens or 0)
    return (len(trace.calls), prompt, output) if trace.calls else None


def _prompts(
    navigator: Navigator, settings: Settings, episode: Episode, graph: Graph
) -> list[Request]:
    """Collect the first prompts of a walk."""
    requests: list[Request] = []

    def answer(request: Request) -> str:
        requests.append(request)
        if len(requests) >= _PROBED:
            # only the prompts are wanted: an error ends the navigator at once
            raise ModelError("Enough was seen.")
        return json.dumps(_least(request.schema or {}, (request.schema or {}).get("$defs", {})))

    try:
        for _ in navigator.navigate(episode, graph, Scripted(answer), settings):
            if len(requests) >= _PROBED:
                break
    except NavVizError:
        pass  # the prompts up to here were made; what is wrong is told when the run is started
    return requests


def _least(schema: Mapping[str, Any], named: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    """Return a small value that a JSON Schema allows."""
    if "$ref" in schema:
        return _least(named[str(schema["$ref"]).rpartition("/")[2]], named)
    for either in ("anyOf", "oneOf", "allOf"):
        if schema.get(either):
            return _least(schema[either][0], named)
    if "enum" in schema:
        return schema["enum"][0]
    kind = str(schema.get("type", "object")).lower()
    if kind == "object":
        return {name: _least(part, named) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [_least(schema.get("items", {}), named)]
    plain: dict[str, object] = {"string": "x", "integer": 1, "number": 1, "boolean": False}
    return plain.get(kind)
