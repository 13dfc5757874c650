"""Who walked: in what the walkers of two walks differ, so that only like walks are read as before and after."""

from __future__ import annotations

from collections.abc import Mapping

from navviz.records.trace import Trace

__all__ = ["is_unwalked", "same_walker", "walker_changes"]

_MOST_SETTINGS = 3
"""Settings that a sentence names; the rest is counted."""
_OPTIONS = "model_options"
"""Name under which the settings hold the options of the model (`navviz.runner.config.MODEL_OPTIONS`)."""


def walker_changes(before: Trace, after: Trace) -> tuple[str, ...]:
    """Say in what the walker of `after` differs from that of `before`, one sentence each.

    Returns
    -------
    The navigator (then nothing else, since settings of two navigators are not alike), or the model and the settings.
    Empty for the same navigator with the same settings and model.
    """
    old, new = before.header, after.header
    if old.navigator != new.navigator:
        return (f"Other navigator: {new.navigator} instead of {old.navigator}.",)
    if (old.source is None) != (new.source is None):
        return (_unknown(before, after),)
    changes = []
    if old.model != new.model:
        changes.append(_model_change(old.model, new.model))
    changes += _settings_changes(before, after)
    return tuple(changes)


def _model_change(old: str | None, new: str | None) -> str:
    """Name both models, with their servers only where nothing else tells them apart."""
    names = [_text(name).partition("@")[0] for name in (old, new)]
    if names[0] == names[1]:
        names = [_text(old), _text(new)]
    return f"Other model: {names[1]} instead of {names[0]}."


def _unknown(before: Trace, after: Trace) -> str:
    """Say what the log of another project leaves open; the other walk is ours."""
    log, ours = (before, after) if before.header.source is not None else (after, before)
    named = log.header.model
    if named is None and ours.header.model is not None:
        return "Perhaps another model or other settings: the log names neither."
    if named != ours.header.model:
        return _model_change(before.header.model, after.header.model)
    return "Perhaps other settings: the log does not name them."


def same_walker(before: Trace, after: Trace) -> bool:
    """Tell whether two walks are of one navigator with the same settings and model."""
    return not walker_changes(before, after)


def is_unwalked(trace: Trace) -> bool:
    """Tell whether a walk of ours ended before its first step: it tells nothing of the agent, and has no score.

    Logs of other projects are left as they are; their own scripts say what counts.
    """
    if trace.header.source is not None or trace.steps or trace.waypoints:
        return False
    return trace.end is None or trace.end.status not in {"done", "unknown"}


def _settings_changes(before: Trace, after: Trace) -> list[str]:
    old, new = before.header.settings, after.header.settings
    told = [_told(name, old[name], new[name]) for name in new if name in old and name != _OPTIONS]
    told += _options_changes(old.get(_OPTIONS), new.get(_OPTIONS))
    changes = [change for change in told if change]
    more = len(changes) - _MOST_SETTINGS
    shown = [*changes[:_MOST_SETTINGS], *([f"{more} more"] if more > 0 else [])]
    return [f"Other settings: {', '.join(shown)}."] if shown else []


def _told(name: str, old: object, new: object) -> str:
    return "" if old == new else f"{name} {_text(new)} instead of {_text(old)}"


def _options_changes(old: object, new: object) -> list[str]:
    """Name other options of the model; headers hold those alone that are no defaults."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return []
    return [_told(f"model {name}", old.get(name, "default"), new.get(name, "default")) for name in {**old, **new}]


def _text(value: object) -> str:
    return "none" if value is None else str(value)
