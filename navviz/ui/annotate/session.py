"""Who annotates, which queue, which item: what all parts of the Annotate page share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC

import streamlit as st

from navviz.annotation.records import Item, Queue, QueueItem, Task, Value
from navviz.annotation.store import AnnotationStore, Desk, database_url
from navviz.errors import ConflictError, InputError, NavVizError
from navviz.records import Episode
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.ui import cache, shell
from navviz.ui.session import ActionMessage, current, forget_widget, widget
from navviz.world.graph import Graph

__all__ = [
    "TASK_NAMES",
    "Work",
    "choose_work",
    "desk",
    "header",
    "messages",
    "move",
    "note",
    "reload",
    "save",
    "saved_line",
    "store",
    "value",
]

TASK_NAMES: dict[Task, str] = {
    "navigability": "Navigability",
    "follow": "Follow it",
    "difficulty": "Difficulty",
    "failure": "Failure labels",
    "mentions": "Landmark mentions",
    "skill": "Right skill?",
}


@dataclass(frozen=True, slots=True)
class Work:
    """One item on an annotator's desk."""

    desk: Desk
    queue: Queue
    entries: list[QueueItem]
    position: int
    run: OpenRun

    @property
    def item(self) -> Item:
        """What is rated."""
        return self.entries[self.position].item

    @property
    def episode(self) -> Episode:
        """The episode of the item."""
        return self.run.trace(self.item.episode).episode

    @property
    def graph(self) -> Graph:
        """The world of the item."""
        return self.run.graph(self.item.episode)

    @property
    def key(self) -> str:
        """Prefix of the item's widget keys; new after each reload, so that the widgets show what is stored."""
        return f"annotate_{self.queue.name}_{self.position}_{current().annotate.reloads}"


@st.cache_resource(show_spinner=False, max_entries=4)
def _store(url: str) -> AnnotationStore:
    return AnnotationStore(url)


def store() -> AnnotationStore:
    """Open the annotation store of this workspace or team; raises `StoreError` where it cannot be opened."""
    return _store(database_url(workspace_dir()))


def desk() -> Desk | None:
    """Return the desk of who is signed in here, or show the form to sign in."""
    held = current().annotate.desk
    if held is not None:
        return held
    with st.container(border=True, width=460):
        st.subheader("Who is rating?", anchor=False)
        st.caption("Everything is saved at once; you can stop at any time and go on, on another machine too.")
        with st.form("annotate_sign_in", border=False):
            st.text_input(
                "Pseudonym",
                key="annotate_name",
                placeholder="fox",
                help="Stands beside everything you save. Take a word, not your name or e-mail address.",
            )
            if store().tokens_required or widget("annotate_ask_token"):
                st.text_input("Token", key="annotate_secret", type="password", help="From the researcher.")
            st.form_submit_button("Start", type="primary", on_click=_sign_in)
        if not store().tokens_required:
            st.toggle("I have a token", key="annotate_ask_token")
    return None


def _sign_in() -> None:
    name, token = widget("annotate_name", ""), widget("annotate_secret")
    try:
        current().annotate.desk = store().sign_in(name, token or None)
    except NavVizError as error:
        note("error", str(error))
    forget_widget("annotate_secret")


def _sign_out() -> None:
    held = current().annotate
    held.desk, held.queue, held.loaded = None, None, None
    held.positions.clear()


def note(kind: str, text: str) -> None:
    """Tell something in the next run of the page."""
    current().annotate.message = ActionMessage(kind, text)


def messages() -> None:
    """Show what the last action had to say, once."""
    message, current().annotate.message = current().annotate.message, None
    if message is None:
        return
    text = message.text
    if message.kind == "error":
        st.error(text, icon=":material/error:")
    elif message.kind == "conflict":
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(text, icon=":material/sync_problem:")
            st.button("Load the other rating", on_click=reload, key="annotate_reload_button")


def reload() -> None:
    """Show the stored rating of the item."""
    current().annotate.reloads += 1


def choose_work(held: Desk) -> Work | None:
    """Queue and item of an annotator; ``None`` with a word on what to do where there is none."""
    queues = {queue.name: queue for queue in held.queues()}
    if not queues:
        _no_queue(held)
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        queue = queues[_queue_box(list(queues), queues)]
        entries = held.items(queue.name)
        position = _position(queue.name, entries)
        header(held, queue, entries, position)
    run = _run_of(queue)
    if not entries or run is None:
        shell.empty("Nothing to rate", "This queue has no items for you.") if run is not None else None
        return None
    work = Work(held, queue, entries, position, run)
    if work.item.episode not in run.traces:
        what = f"run {run.name} has no episode {work.item.episode} of this queue"
        raise InputError(what, "skip it, or open the data the queue was made from")
    _load(work)
    return work


def _no_queue(held: Desk) -> None:
    st.button(f"Sign out {held.name}", on_click=_sign_out, key="annotate_sign_out_empty", icon=":material/logout:")
    shell.empty(
        "No queue for you yet",
        "A researcher sets one up on the page Evaluate, under Study: choose episodes and a task.",
    )


def _queue_box(names: list[str], queues: dict[str, Queue]) -> str:
    held = current().annotate.queue
    if held not in names:
        held = names[0]
        current().annotate.queue = held
    return str(
        st.selectbox(
            "Queue",
            names,
            index=names.index(held),
            key="annotate_queue_box",
            format_func=lambda name: f"{name} · {TASK_NAMES[queues[name].task]}",
            on_change=_change_queue,
            help="After choosing, press Tab: while this box has the focus, it takes the keys.",
            width=340,
        )
    )


def _change_queue() -> None:
    current().annotate.queue = widget("annotate_queue_box")
    current().annotate.positions.clear()


def _position(queue: str, entries: list[QueueItem]) -> int:
    """Where this session is in the queue; at first, the first item that is neither rated nor skipped."""
    held = current().annotate.positions
    if queue not in held:
        held[queue] = next((e.position for e in entries if not e.rated and not e.skipped), max(len(entries) - 1, 0))
    return min(held[queue], max(len(entries) - 1, 0))


def header(held: Desk, queue: Queue, entries: list[QueueItem], position: int) -> None:
    """Progress, the ways through the queue, and signing out."""
    rated = sum(entry.rated for entry in entries)
    total = len(entries)
    arguments = {"held": held, "queue": queue.name, "entries": entries, "position": position}
    st.button("Back", icon=":material/chevron_left:", shortcut="K", on_click=move, args=(queue.name, position - 1),
              disabled=position <= 0, key="annotate_back")  # fmt: skip
    st.button("Next", icon=":material/chevron_right:", shortcut="J", on_click=move, args=(queue.name, position + 1),
              disabled=position >= total - 1, key="annotate_next")  # fmt: skip
    st.button("Skip", icon=":material/skip_next:", shortcut="S", on_click=_skip, kwargs=arguments,
              disabled=not entries, key="annotate_skip")  # fmt: skip
    st.button("Undo", icon=":material/undo:", shortcut="U", on_click=_undo, kwargs=arguments, key="annotate_undo",
              help="Takes back your last change in this task, whichever item it was.")  # fmt: skip
    st.progress(rated / total if total else 0.0, text=f"{rated} of {total} rated · item {position + 1}", width=220)
    st.button(held.name, icon=":material/logout:", on_click=_sign_out, type="tertiary", key="annotate_sign_out",
              help="Sign out; everything is saved.")  # fmt: skip


def move(queue: str, position: int) -> None:
    """Go to an item."""
    current().annotate.positions[queue] = max(position, 0)


def _skip(held: Desk, queue: str, entries: list[QueueItem], position: int) -> None:
    try:
        held.skip(queue, entries[position].item)
    except NavVizError as error:
        note("error", str(error))
        return
    if position < len(entries) - 1:
        move(queue, position + 1)


def _undo(held: Desk, queue: str, entries: list[QueueItem], position: int) -> None:
    try:
        task = next(one.task for one in held.queues() if one.name == queue)
        undone = held.undo(task)
    except NavVizError as error:
        note("error", str(error))
        return
    if undone is None:
        st.toast("There is nothing to undo.", icon=":material/undo:")
        return
    where = next((entry.position for entry in entries if entry.item == undone.item), position)
    st.toast(f"Undone: episode {undone.item.episode}.", icon=":material/undo:")
    move(queue, where)
    reload()


def _run_of(queue: Queue) -> OpenRun | None:
    sources = {source.name: source for source in cache.sources()}
    if queue.source not in sources:
        shell.empty(
            f"“{queue.source}” is not open here",
            "The queue's episodes come from it. Open it on the page Explore (Open …), then come back.",
        )
        return None
    return cache.open_run(sources[queue.source])


def _load(work: Work) -> None:
    """Take the stored rating to the desk when the item changes; until then this window remembers what it saw."""
    held = current().annotate
    if held.loaded == work.key:
        return
    rating = work.desk.rating(work.item, work.queue.task)
    held.loaded = work.key
    held.seen = rating.revision if rating is not None else 0
    held.value = rating.value if rating is not None else None
    held.saved_at = rating.changed if rating is not None and rating.value is not None else None


def value() -> Value | None:
    """Return the rating on the desk."""
    return current().annotate.value


def save(work: Work, new: Value) -> None:
    """Save at once; a conflict or a failing database is told, and what was entered stays on the page."""
    held = current().annotate
    if new == held.value:
        return
    try:
        rating = work.desk.save(work.item, new, seen=held.seen)
    except ConflictError as error:
        note("conflict", str(error))
        return
    except NavVizError as error:
        note("error", f"Not saved: {error}")
        return
    held.seen, held.value, held.saved_at = rating.revision, rating.value, rating.changed


def saved_line() -> None:
    """Say whether the item is saved."""
    at = current().annotate.saved_at
    if value() is None or at is None:
        st.caption("Not rated yet. Every choice is saved at once.")
    else:
        st.caption(f":material/cloud_done: Saved at {at.astimezone(UTC):%H:%M:%S} UTC.")
