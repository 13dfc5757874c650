"""In what the walkers of two walks differ: only like walks are read as before and after."""

from __future__ import annotations

from collections.abc import Mapping

from navviz.records.trace import EndStatus, Trace, TraceHeader

BLIND = "blind"
"""Name of the setting that allows a blind walk, and of the note in the header of one."""
_MOST_SETTINGS = 3
"""Settings that a sentence names; the rest is counted."""
_OPTIONS = "model_options"
"""Setting that holds the options of the model (`navviz.runner.config.MODEL_OPTIONS`)."""


def walker_changes(before: Trace, after: Trace) -> tuple[str, ...]:
    """Say in what the walker of `after` differs from that of `before`, one sentence each.

    Returns the navigator (then nothing else, since settings of two navigators are not alike), or
    the model and the settings. Empty for the same navigator with the same settings and model.
    """
    old, new = before.header, after.header
    if old.navigator != new.navigator:
        return (f"The navigator is {new.navigator} instead of {old.navigator}.",)
    if (old.source is None) != (new.source is None):
        return (_unknown(before, after),)
    changes = []
    if old.model != new.model:
        changes.append(_model_change(old.model, new.model))
    changes += _settings_changes(before, after)
    return tuple(changes)


def as_part(change: str) -> str:
    """Return such a sentence as a part of a line: ``model: a instead of b``."""
    part = change.removesuffix(".").removeprefix("The ")
    return part.replace(" is ", ": ", 1).replace(" differ: ", ": ", 1)


def _model_change(old: str | None, new: str | None) -> str:
    """Name both models, with their servers only where nothing else tells them apart."""
    names = [_text(name).partition("@")[0] for name in (old, new)]
    if names[0] == names[1]:
        names = [_text(old), _text(new)]
    return f"The model is {names[1]} instead of {names[0]}."


def _unknown(before: Trace, after: Trace) -> str:
    """Say what the log of another project leaves open; the other walk is ours."""
    log, ours = (before, after) if before.header.source is not None else (after, before)
    named = log.header.model
    if named is None and ours.header.model is not None:
        return "The log names neither model nor settings, so both may differ."
    if named != ours.header.model:
        return _model_change(before.header.model, after.header.model)
    return "The log does not name the settings, so they may differ."


def same_walker(before: Trace, after: Trace) -> bool:
    """Tell whether two walks are of one navigator with the same settings and model."""
    return not walker_changes(before, after)


_TEXT, _PICTURES = "text variant", "pictures"
_VIEWS = ("variant", "views", "localiser_views")
"""Settings in which our systems say what their model is shown of a place."""


def eyes(header: TraceHeader) -> str | None:
    """Tell whether the model was shown pictures, or texts where its paper shows pictures.

    ``None`` where neither is so, or nothing says it: NavGPT on texts is the paper's own agent, and
    logs of other projects leave it open.
    """
    for value in header.settings.values():
        if isinstance(value, str) and value.startswith(_TEXT):
            return _TEXT
    shown = (header.settings.get(name) for name in _VIEWS)
    return _PICTURES if any(value == _PICTURES for value in shown) else None


def is_unwalked(trace: Trace) -> bool:
    """Tell whether a walk of ours ended before its first step: it shows nothing of the agent.

    Logs of other projects are left as they are; their own scripts say what counts.
    """
    if trace.header.source is not None or trace.steps or trace.waypoints:
        return False
    return trace.end is None or trace.end.status not in {"done", "unknown"}


_CUT_OFF = frozenset({None, EndStatus.STOPPED, EndStatus.BUDGET})


def is_cut_off(status: str | None) -> bool:
    """Tell whether a walk of ours ended in the middle, by the status of its end.

    It still runs or was killed (no status), somebody stopped it, or the money of the batch was
    used up: it may go on, and none of this is the agent's doing. A limit of steps is the
    navigator's own, so a walk that reached it is a result.
    """
    return status in _CUT_OFF


def is_unfinished(trace: Trace) -> bool:
    """Tell whether a walk of ours ended in the middle (`is_cut_off`), or before its first step.

    Where it stands is no result. Logs of other projects may write no end at all, and are left as
    they are.
    """
    header = trace.header
    # an instruction that was opened without walks has a trace of nobody
    is_ours = header.source is None and trace.waypoints is None and header.navigator != "none"
    status = None if trace.end is None else trace.end.status
    return is_ours and is_cut_off(status)


def _settings_changes(before: Trace, after: Trace) -> list[str]:
    old, new = before.header.settings, after.header.settings
    # a setting that only one side has was new in a version of the navigator
    shared = [name for name in new if name in old and name != _OPTIONS]
    sentences = [_change(name, old[name], new[name]) for name in shared]
    sentences += _options_changes(old.get(_OPTIONS), new.get(_OPTIONS))
    changes = [change for change in sentences if change]
    if not changes:
        return []
    more = len(changes) - _MOST_SETTINGS
    shown = changes[:_MOST_SETTINGS]
    if more > 0:
        shown.append(f"{more} more")
    return [f"The settings differ: {', '.join(shown)}."]


def _change(name: str, old: object, new: object) -> str:
    return "" if old == new else f"{name} {_text(new)} instead of {_text(old)}"


def _options_changes(old: object, new: object) -> list[str]:
    """Name other options of the model; headers hold only options that are no defaults."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return []
    changes = []
    for name in {**old, **new}:
        before, after = old.get(name, "default"), new.get(name, "default")
        changes.append(_change(f"model {name}", before, after))
    return changes


def _text(value: object) -> str:
    return "none" if value is None else str(value)


def edited_steps(trace: Trace) -> str | None:
    """Name what a person changed in a walk, ``step 3: prompt, reply``; ``None`` where nothing."""
    kinds: dict[int | None, dict[str, None]] = {}
    for step, edit in trace.edits:
        kinds.setdefault(step, {})[edit.what] = None
    places = []
    for step, whats in kinds.items():
        where = "planning" if step is None else f"step {step}"
        places.append(f"{where}: {', '.join(whats)}")
    return "; ".join(places) or None


def is_blind(header: TraceHeader) -> bool:
    """Whether nothing described the views to the agent, which its settings allowed."""
    return header.resolved.get(BLIND) is True
