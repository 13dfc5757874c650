"""Breakpoints of Live, and what a walk that waits at one lets a person edit."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from navviz.analysis.scanners.registry import scan_walk, scanner_names
from navviz.errors import InputError, NavVizError
from navviz.records import EditKind, Observation
from navviz.records.breakpoint import MOMENT_WORDS, Breakpoint
from navviz.runner import LiveRun
from navviz.runner.debugging import Debugger
from navviz.runner.edited_texts import with_landmark, without
from navviz.runner.pauses import STOP, Pause
from navviz.ui.components.browser import mount_part
from navviz.ui.components.plain import plain
from navviz.ui.server import audit
from navviz.ui.state.session import current, set_widget, widget

_KINDS: dict[str, tuple[str, str]] = {
    "call": ("Before each call", ""),
    "reply": ("After each reply", ""),
    "step": ("At a step", "Number of the step"),
    "node": ("At a node", "Id of the node"),
    "leaves_path": ("Leaving the reference path", ""),
    "closes": ("A sub-goal closes", "Its number, or 0 for any"),
    "prompt": ("The prompt contains", "Text"),
    "reply_text": ("The reply contains", "Text"),
    "tokens": ("Over a number of tokens", "Tokens"),
    "cost_usd": ("Over a cost", "US dollars"),
    "finding": ("A scanner finds something", "Name of the scanner; empty for any"),
}
"""What the form offers, with what its field asks for."""

_SHORT = 8
"""Characters of a node's id that a list shows."""

_FIELDS: tuple[tuple[EditKind, str], ...] = (
    ("observation", "Observation"),
    ("prompt", "Prompt"),
    ("plan", "Plan"),
    ("reply", "Reply"),
    ("decision", "Decision"),
)


def debugger() -> Debugger:
    """Return what pauses a walk that is started now."""
    return Debugger(current().live.breakpoints, scan=scan_walk)


def breakpoint_of(kind: str, value: str) -> Breakpoint:
    """Read a breakpoint from the form; raises `InputError` for a value that it cannot have."""
    value = value.strip()
    if kind in {"call", "reply"}:
        return Breakpoint(at="call" if kind == "call" else "reply")
    if kind == "leaves_path":
        return Breakpoint(leaves_path=True)
    if not value and kind != "finding":
        raise InputError(f"{_KINDS[kind][0]}: nothing is given", f"write: {_KINDS[kind][1]}")
    if kind == "finding" and value and value not in scanner_names():
        what = f"there is no scanner {value!r}"
        raise InputError(what, f"choose one of {', '.join(scanner_names())}")
    try:
        if kind in {"step", "closes", "tokens"}:
            return Breakpoint.model_validate({kind: int(value)})
        if kind == "cost_usd":
            return Breakpoint(cost_usd=float(value))
    except ValueError as error:
        raise InputError(f"{value!r} is no number", f"write: {_KINDS[kind][1]}") from error
    return Breakpoint.model_validate({"reply" if kind == "reply_text" else kind: value})


def set_point(each: Breakpoint, live: LiveRun | None) -> None:
    """Set a breakpoint, or take it away where it is set; a walk that goes on takes notice."""
    points = current().live.breakpoints
    if each in points:
        points.remove(each)
    else:
        points.append(each)
    if live is not None and live.debugger is not None:
        live.debugger.breakpoints = list(points)


def pointed(at: object) -> Breakpoint | None:
    """Read a breakpoint from what was pointed at in the player; ``None`` for anything else."""
    if not isinstance(at, dict):
        return None
    known = {"step": int, "node": str, "closes": int, "prompt": str}
    for name, kind in known.items():
        value = at.get(name)
        if isinstance(value, kind) and value:
            return Breakpoint.model_validate({name: value})
    return None


_POINTS: TypeAdapter[list[Breakpoint]] = TypeAdapter(list[Breakpoint])


def keep_points() -> None:
    """Keep breakpoints in the browser, as drafts are; a page that has none takes those."""
    points = current().live.breakpoints

    def lost() -> None:
        draft = getattr(widget("live_kept_breakpoints"), "draft", None)
        # another program may have written there
        with suppress(ValidationError):
            if isinstance(draft, dict) and not points:
                points.extend(_POINTS.validate_json(str(draft.get("text"))))

    mount_part(
        "draft",
        key="live_kept_breakpoints",
        data={
            "scope": f"{current().visitor} breakpoints",
            "original": "[]",
            "written": "[]",
            "text": _POINTS.dump_json(points, exclude_defaults=True).decode(),
            "listensTo": "",
        },
        on={"draft": lost},
    )


def show_list(live: LiveRun | None) -> None:
    """Show where walks pause: one list, with a form that adds to it."""
    points = current().live.breakpoints
    # after a reload the page is new, and the walk is not
    if not points and live is not None and live.running and live.debugger is not None:
        points += live.debugger.breakpoints
    label = f"Breakpoints ({len(points)})" if points else "Breakpoints"
    with st.popover(label, key="live_breakpoints"):
        for number, each in enumerate(points):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(f":red[:material/circle:] {plain(each.words)}", width="stretch")
                st.button(
                    "Remove",
                    key=f"live_break_off_{number}",
                    type="tertiary",
                    on_click=set_point,
                    args=(each, live),
                )
        if not points:
            st.caption(
                "A walk pauses where you say, so that you can change what goes into it. F9 sets a"
                " pause at the step that is shown; a click below the time line, Alt + click on a"
                " node or on a line of prompt or plan set others."
            )
        kind = str(
            st.selectbox(
                "Pause", list(_KINDS), format_func=lambda k: _KINDS[k][0], key="live_break_kind"
            )
        )
        if _KINDS[kind][1]:
            st.text_input(_KINDS[kind][1], key=f"live_break_value_{kind}")
        st.button("Add", key="live_break_add", on_click=_add, args=(kind, live), width="stretch")
        _show_message()


def _add(kind: str, live: LiveRun | None) -> None:
    try:
        each = breakpoint_of(kind, str(widget(f"live_break_value_{kind}") or ""))
    except NavVizError as error:
        _say(error)
        return
    if each not in current().live.breakpoints:
        set_point(each, live)


def _say(error: NavVizError) -> None:
    current().live.pause_message = str(error)


def _show_message() -> None:
    message, current().live.pause_message = current().live.pause_message, ""
    if message:
        st.error(plain(message), icon=":material/error:")


def paused(live: LiveRun | None, start_again: Callable[[LiveRun], None]) -> None:
    """Show what a walk that waits lets one edit, and the keys that let it go on."""
    pause = live.pause if live is not None else None
    current().live.pause = None if pause is None else id(pause)
    if live is None or pause is None:
        return
    with st.container(border=True, key="live_pause", gap="small"):
        where = "while planning" if pause.step is None else f"in step {pause.step}"
        when = MOMENT_WORDS[pause.at]
        st.markdown(f":material/pause_circle: **Paused {plain(where)}, {plain(when)}**")
        st.caption(plain(f"Because: {pause.reason}."))
        fields = [(what, title) for what, title in _FIELDS if _is_there(pause, what)]
        key = f"live_pause_{live.run}_{id(pause)}"
        what = st.segmented_control(
            "Edit",
            [each for each, _ in fields],
            default=fields[0][0],
            format_func=lambda each: plain(dict(fields)[each]),
            key=f"{key}_what",
            label_visibility="collapsed",
            persist_state="session",
        )
        for each, title in fields:
            if each == what:
                _field(pause, each, title, key)
        _show_message()
        with st.container(horizontal=True, gap="small"):
            for label, shortcut, does in (
                ("Go on", "F8", partial(_answer, live, pause, key, stepping=False)),
                ("One step", "F10", partial(_answer, live, pause, key, stepping=True)),
                ("Start again", "Shift+F8", partial(start_again, live)),
            ):
                st.button(
                    plain(label),
                    key=f"live_pause_{label.replace(' ', '_')}",
                    shortcut=shortcut,
                    type="primary" if label == "Go on" else "secondary",
                    on_click=does,
                )
            show_list(live)


def _is_there(pause: Pause, what: EditKind) -> bool:
    try:
        pause.text(what, len(pause.messages))
    except InputError:
        return False
    return what != "prompt" or bool(pause.messages)


def _field(pause: Pause, what: EditKind, title: str, key: str) -> None:
    """Show one input in place; what was typed stays when another one is looked at."""
    if what == "decision":
        seen = pause.observation
        nodes = [each.node for each in seen.candidates] if seen is not None else []
        chosen = list(dict.fromkeys(filter(None, [pause.target, *nodes, STOP])))
        st.selectbox(
            plain(title),
            chosen,
            format_func=plain,
            key=f"{key}_decision",
            accept_new_options=True,
        )
        return
    if what == "observation" and pause.observation is not None:
        _landmarks(pause.observation, key)
    message = None
    if what == "prompt":
        message = len(pause.messages)
        if message > 1:
            message = st.selectbox(
                "Message",
                range(message, 0, -1),
                format_func=lambda n: f"{n} · {pause.messages[n - 1].role}",
                key=f"{key}_message",
                persist_state="session",
            )
    st.text_area(
        plain(title),
        value=pause.text(what, message),
        height=180,
        key=f"{key}_{what}_{message or ''}",
        label_visibility="collapsed",
        persist_state="session",
    )
    if what == "prompt":
        st.checkbox(
            "In later prompts, too (memory)",
            key=f"{key}_memory",
            help="What you replace here is replaced wherever a later prompt says it.",
        )
    elif what == "plan":
        st.caption("One sub-goal a line. With another plan the step begins again, and waits again.")


def _landmarks(seen: Observation, key: str) -> None:
    labels = {poi.name: poi.name for poi in seen.pois}
    for each in seen.candidates:
        node = each.node if len(each.node) <= _SHORT else f"{each.node[:_SHORT]}…"
        labels[each.node] = " · ".join(filter(None, (node, each.label, each.direction)))
    names = list(labels)
    if names:
        st.multiselect(
            "Hide",
            names,
            format_func=lambda name: plain(labels[name]),
            key=f"{key}_hidden",
            on_change=_observed,
            args=(seen, key),
            placeholder="Landmarks and places",
            select_all=False,
            persist_state="session",
        )
    if seen.pois:
        # written as the first that is shown, of which there has to be one
        st.multiselect(
            "Add a landmark",
            [],
            format_func=plain,
            key=f"{key}_shown",
            on_change=_observed,
            args=(seen, key),
            placeholder="Its name",
            accept_new_options=True,
            select_all=False,
            persist_state="session",
        )


def _observed(seen: Observation, key: str) -> None:
    for name in _chosen(key, "shown"):
        seen = with_landmark(seen, name)
    for name in _chosen(key, "hidden"):
        seen = without(seen, name)
    set_widget(f"{key}_observation_", seen.text)


def _chosen(key: str, what: str) -> list[str]:
    value = widget(f"{key}_{what}")
    return [str(name) for name in value] if isinstance(value, list) else []


def _answer(live: LiveRun, pause: Pause, key: str, *, stepping: bool) -> None:
    """Make the edits, and go on; a wrong one is said, and the walk waits on."""
    try:
        _edit(pause, key)
    except NavVizError as error:
        pause.edits.clear()
        _say(error)
        return
    if pause.edits:
        audit.note("edited", live.run, edits=len(pause.edits))
    (pause.one_step if stepping else pause.go_on)()
    # the page looks again once the walk has gone on
    current().live.pause = None


def _edit(pause: Pause, key: str) -> None:
    pause.edits.clear()
    plan = widget(f"{key}_plan_")
    if isinstance(plan, str) and plan != pause.plan:
        pause.edit("plan", plan)
        return
    before = pause.observation
    for name in _chosen(key, "shown"):
        pause.show(name)
    for name in _chosen(key, "hidden"):
        pause.hide(name)
    for what in ("observation", "reply", "decision"):
        text = widget(f"{key}_{what}" if what == "decision" else f"{key}_{what}_")
        if isinstance(text, str) and _is_there(pause, what):
            pause.edit(what, text)
    after = pause.observation
    for number, message in enumerate(pause.messages, start=1):
        text = widget(f"{key}_prompt_{number}")
        if not isinstance(text, str) or text == message.text:
            continue
        if widget(f"{key}_memory"):
            for old, new in _replaced(message.text, text):
                pause.edit("memory", new, old=old)
        if before is not None and after is not None and before.text:
            text = text.replace(before.text, after.text)
        pause.edit("prompt", text, message=number)


def _replaced(old: str, new: str) -> list[tuple[str, str]]:
    """Return the parts of a text that were replaced, line by line."""
    lines, others = old.splitlines(), new.splitlines()
    parts = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, lines, others).get_opcodes():
        if tag in {"replace", "delete"} and "".join(lines[a:b]).strip():
            parts.append(("\n".join(lines[a:b]), "\n".join(others[c:d])))
    return parts
