"""The runs that GROKE's authors published: how they count, and how they are walked again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from navviz.errors import InputError
from navviz.formats.files import peek
from navviz.records import Trace
from navviz.support.guarded import is_folder, is_regular
from navviz.systems.groke.logs.individual_results import read_individual_results
from navviz.systems.groke.logs.log_walks import moves
from navviz.systems.groke.logs.step_lines import without_order
from navviz.systems.groke.metrics import as_authors
from navviz.systems.groke.prompts.visible_area import AREA_LINKS

__all__ = [
    "as_authors",
    "model_options",
    "moves",
    "read_individual_results",
    "settings_of_log",
    "without_order",
]

_SAME_TEXT = frozenset({"json", "json-optimised"})
"""Formats of the map that NavViz writes letter by letter as GROKE's scripts do."""
_MOST_THINKING = 8_192
"""A budget of thoughts up to this many tokens is nearer to ``low`` than to ``high``."""


def settings_of_log(trace: Trace, results: Path | None) -> dict[str, Any] | str:
    """Return the settings of a published walk, or the reason why they are not known here."""
    log = _step_log(trace, results)
    if log is None:
        return "it is the log of another project, which states neither settings nor prompt text"
    shown = next(
        (step.observation.format for step in trace.steps if step.observation is not None), None
    )
    if shown is not None and shown not in _SAME_TEXT:
        return (
            f"NavViz writes the map in the format {shown} in words of its own, not in those of"
            " the log"
        )
    return {
        "divider": "given",
        "area_links": AREA_LINKS,
        "prompt_file": str(log),
        "format": shown,
        "as_published": True,
    }


def _step_log(trace: Trace, results: Path | None) -> Path | None:
    """Return the log of the first step, where the results are GROKE's step logs."""
    if results is None:
        return None
    folder = results if is_folder(results) else results.parent
    log = folder / f"step1_{trace.header.settings.get('method')}.jsonl"
    return log if is_regular(log) else None


def model_options(trace: Trace, results: Path | None) -> dict[str, Any]:
    """Return the model's options as GROKE's step logs hold them (``generationConfig``)."""
    log = _step_log(trace, results)
    if log is None:
        return {}
    try:
        first = peek(log).first_line
    except InputError:
        return {}
    request = first.get("request") if isinstance(first, dict) else None
    config = request.get("generationConfig") if isinstance(request, dict) else None
    if not isinstance(config, dict):
        return {}
    options: dict[str, Any] = {}
    for theirs, ours in (("temperature", "temperature"), ("maxOutputTokens", "max_output_tokens")):
        if isinstance(config.get(theirs), int | float):
            options[ours] = config[theirs]
    thinking = config.get("thinkingConfig") or config.get("thinking_config")
    if isinstance(thinking, dict):
        level = thinking.get("thinkingLevel") or thinking.get("thinking_level")
        budget = thinking.get("thinkingBudget") or thinking.get("thinking_budget")
        if isinstance(level, str):
            options["thinking"] = level.lower()
        elif isinstance(budget, int) and budget > 0:
            options["thinking"] = "low" if budget <= _MOST_THINKING else "high"
    return options
