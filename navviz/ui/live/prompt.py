"""The prompt of a navigator, edited: its two parts, its fields, the versions of this workspace."""

from __future__ import annotations

import streamlit as st

from navviz.errors import NavVizError
from navviz.runner.prompt_versions import PromptVersion, keep_prompt, prompt_versions
from navviz.support.installation.serving import require
from navviz.systems.base import Navigator, Settings, prompt_kind, shipped_prompt
from navviz.systems.prompts import (
    PromptKind,
    PromptText,
    check_prompt,
    prompt_hash,
)
from navviz.ui.components.plain import plain
from navviz.ui.server import audit
from navviz.ui.server.identity import viewer
from navviz.ui.state.session import current, set_widget, widget
from navviz.views.compare import diff_html

_SYSTEM, _USER = "live_prompt_system", "live_prompt_user"
_DIGITS = 7
"""Of a version's hash, as far as people read it."""


def edited(navigator: Navigator) -> dict[str, str]:
    """Return the edited prompt as a setting; empty where the shipped one stands."""
    text = current().live.prompts.get(navigator.name, "")
    return {"prompt": text} if text and prompt_kind(navigator) is not None else {}


def offer(navigator: Navigator, settings: Settings) -> None:
    """Show the button that opens the prompt; nothing for a navigator without one."""
    kind = prompt_kind(navigator)
    if kind is None:
        return
    text = current().live.prompts.get(navigator.name)
    label = "Prompt" if text is None else f"Prompt · edited, {prompt_hash(text)[:_DIGITS]}"
    pressed = st.button(
        label,
        icon=":material/edit_note:",
        key="live_prompt",
        width="stretch",
        on_click=_begin,
        args=(navigator, settings),
        help="The text that asks the model for a move: read it, edit it, keep versions of it.",
    )
    # the callback has filled both fields by now, since it runs before the script
    if pressed:
        _dialog(navigator, kind, shipped_prompt(settings.model_copy(update={"prompt": ""})))


def _begin(navigator: Navigator, settings: Settings) -> None:
    text = current().live.prompts.get(navigator.name)
    # the text in use, which may be an edit of before
    _show(text or shipped_prompt(settings.model_copy(update={"prompt": ""})))


def _show(text: str) -> None:
    parts = PromptText.parse(text)
    set_widget(_SYSTEM, parts.system)
    set_widget(_USER, parts.user)


@st.dialog("Prompt", width="large")
def _dialog(navigator: Navigator, kind: PromptKind, shipped: str) -> None:
    words, about = st.columns((7, 4), gap="medium")
    with words:
        system = st.text_area("System text", key=_SYSTEM, height=190)
        user = st.text_area("What each step asks", key=_USER, height=190)
    text = str(PromptText(system.strip(), user.strip()))
    fault = _fault(text, kind)
    with about:
        _fields(kind)
        st.markdown("**Versions**")
        versions = prompt_versions(navigator.name, viewer())
        if versions:
            chosen = st.selectbox(
                "Kept versions",
                versions,
                format_func=_described,
                key="live_prompt_version",
                label_visibility="collapsed",
            )
            st.button("Restore", key="live_prompt_restore", on_click=_show, args=(chosen.text,))
        else:
            st.caption("None kept yet.")
        st.text_input("Note", key="live_prompt_note", placeholder="What this version tries")
        st.button(
            "Keep this version",
            key="live_prompt_keep",
            disabled=bool(fault),
            on_click=_keep,
            args=(navigator.name, text),
        )
        message, current().live.prompt_message = current().live.prompt_message, ""
        if message:
            st.caption(plain(message))
    if fault:
        st.error(plain(fault), icon=":material/error:")
    with st.container(horizontal=True, gap="small"):
        used = st.button(
            "Use this prompt",
            type="primary",
            key="live_prompt_use",
            disabled=fault != "",
            on_click=_use,
            # the shipped text is no edit: its runs must not count as edited ones
            args=(navigator.name, "" if text == shipped else text),
        )
        st.button(
            "Shipped text",
            key="live_prompt_shipped",
            disabled=text == shipped,
            on_click=_show,
            args=(shipped,),
            help="Puts the text that NavViz ships back into both fields.",
        )
    if used:
        st.rerun()  # closes the dialog
    if text != shipped:
        with st.expander("Compared with the shipped prompt", icon=":material/difference:"):
            st.html(diff_html(shipped, text))


def _fault(text: str, kind: PromptKind) -> str:
    """Return what keeps a prompt from being used, in one sentence."""
    try:
        check_prompt(text, kind)
    except NavVizError as error:
        return str(error)
    return ""


def _fields(kind: PromptKind) -> None:
    st.markdown("**Fields**")
    with st.container(gap=None):
        for each in kind.fields:
            about = f"{each.about} (needed)" if each.is_needed else each.about
            st.caption(f"- `{{{each.name}}}` {plain(about)}")


def _use(name: str, text: str) -> None:
    if text:
        current().live.prompts[name] = text
    else:
        current().live.prompts.pop(name, None)


def _described(version: PromptVersion) -> str:
    when = version.created[:16].replace("T", " ")
    who = version.by.partition(":")[2][:20] if version.by else "you"
    parts = [version.sha256[:_DIGITS], version.note, who, when]
    return " · ".join(part for part in parts if part)


def _keep(name: str, text: str) -> None:
    looks = viewer()
    try:
        require("keep")
        version = keep_prompt(
            name,
            text,
            note=str(widget("live_prompt_note") or ""),
            by="" if looks.operator else looks.name,
        )
    except NavVizError as error:
        current().live.prompt_message = str(error)
        return
    audit.note("kept", f"prompt {name} {version.sha256[:_DIGITS]}")
    current().live.prompt_message = f"Kept as {version.sha256[:_DIGITS]}."
