"""Who walked a recorded walk: what a fork, a repair or another run of it begins with.

Fork, *Run again*, *Repair* and *Try this edit* ask here, in pages, commands and notebooks alike.
What cannot be the same is named in one sentence, before anything is walked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from navviz.errors import NavVizError, SettingsError
from navviz.llm.streaming import ModelOptions
from navviz.records import Trace, TraceHeader
from navviz.runner.config import parted_settings
from navviz.runner.verify import settings_as_walked
from navviz.systems.base import Navigator, asks_model
from navviz.systems.prompts import SETTING as PROMPT
from navviz.systems.registry import get_navigator, published_of, settings_from


@dataclass(frozen=True, slots=True)
class RecordedWalker:
    """Navigator, settings and model of a recorded walk."""

    navigator: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Every recorded setting that the navigator still has, the prompt among them."""
    model: str | None = None
    """As users write it, ``gemini:MODEL``; ``None`` where none was asked or recorded."""
    model_options: Mapping[str, Any] = field(default_factory=dict)
    differences: tuple[str, ...] = ()
    """What cannot be as it was, in a few words each."""
    is_here: bool = True
    """Whether the navigator is installed."""

    @property
    def sentence(self) -> str:
        """Say what cannot be the same; empty where all is."""
        if not self.differences:
            return ""
        return f"Not as it was recorded: {'; '.join(self.differences)}."


def recorded_walker(trace: Trace, results: Path | None = None) -> RecordedWalker:
    """Return who walked a trace, and what of that cannot be the same here."""
    header = trace.header
    try:
        navigator = get_navigator(header.navigator)
    except NavVizError:
        what = f"the navigator {header.navigator} is not here"
        return RecordedWalker(header.navigator, differences=(what,), is_here=False)
    own, options = parted_settings(header.settings)
    differences: list[str] = []
    if header.source is None:
        settings, lost = _kept(navigator, own)
    else:
        settings, lost = _of_log(trace, navigator, results)
        published = published_of(navigator.name)
        options = published.model_options(trace, results) if published is not None else {}
    differences += lost
    model = recorded_model(header)
    kept: dict[str, Any] = {}
    for name, value in options.items():
        try:
            ModelOptions.model_validate({name: value})
        except ValidationError:
            differences.append(f"the model's option {name}={value} cannot be set here")
        else:
            kept[name] = value
    if model is None and asks_model(navigator, settings_from(navigator, settings)):
        differences.append("the model is not recorded")
    return RecordedWalker(navigator.name, settings, model, kept, tuple(differences))


def recorded_model(header: TraceHeader) -> str | None:
    """Return the model of a walk as users write it: published logs hold its bare name."""
    model = header.model
    if model is None or header.source is None:
        return model
    bare = model.removeprefix("models/")
    return f"gemini:{bare}" if bare.startswith("gemini") else bare


def _kept(navigator: Navigator, own: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the settings that the navigator takes, and the others in words."""
    fields = navigator.settings_type.model_fields
    kept = {name: value for name, value in own.items() if name in fields}
    lost = [f"the setting {name} is no longer there" for name in own if name not in fields]
    while True:
        try:
            settings_from(navigator, kept)
        except SettingsError:
            refused = next(_refused(navigator, kept), None)
            if refused is None:
                return {}, [*lost, "its settings do not fit together"]
            value = kept.pop(refused)
            shown = "" if refused == PROMPT else f"={value}"
            lost.append(f"the setting {refused}{shown} is not taken any more")
        else:
            return kept, lost


def _refused(navigator: Navigator, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields whose values do not fit."""
    try:
        navigator.settings_type.model_validate(dict(values))
    except ValidationError as error:
        for fault in error.errors():
            name = str(fault["loc"][0]) if fault["loc"] else ""
            if name in values:
                yield name
    # a prompt is checked against its fields, whose names another version may have changed
    except SettingsError:
        if PROMPT in values:
            yield PROMPT


def _of_log(
    trace: Trace, navigator: Navigator, results: Path | None
) -> tuple[dict[str, Any], list[str]]:
    """Return the settings of a published log, as far as it tells them."""
    try:
        settings = settings_as_walked(trace, navigator, results)
    except SettingsError as error:
        shown = trace.header.settings.get("format")
        fields = navigator.settings_type.model_fields
        kept = {"format": shown} if shown is not None and "format" in fields else {}
        kept, _ = _kept(navigator, kept)
        why = str(error).rpartition(": ")[2].rstrip(".")
        return kept, [f"its settings are not known, since {why}"]
    return settings.model_dump(mode="json", exclude_defaults=True), []
