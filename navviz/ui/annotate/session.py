"""Who annotates, which queue: what the Annotate page asks before the desk is there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, count

import streamlit as st

from navviz.annotation.exchange import SAMPLE_QUEUES, load_sample_study
from navviz.annotation.records import Queue, QueueItem
from navviz.annotation.store import Desk
from navviz.annotation.tickets import secret_key
from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.ui.components.browser import copy_link
from navviz.ui.components.empty import empty, show_picture
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.data.annotation_store import TASK_NAMES, desk_cookie, returning, store
from navviz.ui.server import visitor
from navviz.ui.server.cookies import Cookie, receipts
from navviz.ui.server.door import fetch_cookie, say_refused, take_invitation
from navviz.ui.server.identity import door_name
from navviz.ui.state import shell
from navviz.ui.state.session import ActionMessage, current, forget_widget, set_widget, widget
from navviz.ui.state.state import by_hand, choose, went_in_history

SAMPLE_WORDS = (
    "102 invented ratings of the sample town by three invented annotators. Study › Set up"
    " deletes them again."
)

_GUEST = "guest"

_ANNOTATE = """**What this page is for**

- Judge whether an instruction alone leads to its goal, and how hard it is.
- Walk it yourself with only what an agent would see.
- Say why an agent failed, step by step, in the words of a taxonomy.
- Mark the landmarks in a text and link them to the map.

A researcher chooses the episodes on the page Study. One key rates one item."""


def offer_to_annotators() -> None:
    """Say what Annotate is for; offer the sample study where nobody needs a token and no queue is
    there.
    """
    with st.container(border=True, width=560):
        show_picture("rating")
        st.markdown(_ANNOTATE)
        if not offers_sample():
            return
        st.button(
            "Try it on the sample study",
            icon=":material/science:",
            key="annotate_sample",
            on_click=try_sample,
            kwargs={"as_guest": True},
        )
        st.caption(f"{SAMPLE_WORDS} You rate as “{plain(_free_guest())}”.")


def offers_sample() -> bool:
    """Whether the sample study may be loaded from here: nobody needs a token, and no queue of a
    real study is there that its invented ratings would mix with.
    """
    return not (store().tokens_required or store().study().queues.all())


def _free_guest() -> str:
    """Return a pseudonym that nobody has: two visitors who try the sample are not one annotator."""
    taken = {annotator.name for annotator in store().study().annotators.all()}
    names = chain([_GUEST], (f"{_GUEST} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def try_sample(*, as_guest: bool = False) -> None:
    """Load the sample study and open one of its queues, so that the next thing seen is an item to
    rate; a guest is signed in where nobody is.
    """
    opened, state = store(), current().annotate
    try:
        load_sample_study(opened.study())
        if state.desk is None and as_guest:
            state.desk, state.receipt = opened.sign_in(_free_guest(), None), ""
    except NavVizError as error:
        state.message = ActionMessage("error", str(error))
        return
    state.queue = SAMPLE_QUEUES["failure"][0]


@dataclass(frozen=True, slots=True)
class Work:
    """A queue on an annotator's desk."""

    desk: Desk
    queue: Queue
    entries: list[QueueItem]
    run: OpenRun
    study: str
    """Tells this database from others."""


def desk() -> Desk | None:
    """Return the desk of who is signed in here, or show the form to sign in.

    Where the door knows its visitors, whoever came in by a name rates by that name and no other.
    """
    take_invitation()
    say_refused()
    state, known = current().annotate, door_name()
    if known:
        if state.desk is None or state.desk.name != known:
            state.desk = store().sit_down(known)
        return state.desk
    state.desk = state.desk or returning()
    if state.desk is not None:
        if not state.receipt:
            ticket = store().ticket(state.desk, secret_key(workspace_dir()))
            state.receipt = receipts.put(Cookie(desk_cookie(), ticket))
        fetch_cookie(state.receipt, key="annotate_cookie")
        return state.desk
    fetch_cookie(state.receipt, key="annotate_cookie")
    with st.container(border=True, width=460):
        st.subheader("Who is rating?", anchor=False)
        st.caption(
            "Everything is saved at once; you can stop at any time and go on, on another machine"
            " too."
        )
        with st.form("annotate_sign_in", border=False):
            st.text_input(
                "Pseudonym",
                key="annotate_name",
                placeholder="fox",
                help=(
                    "It is shown with everything you save. Choose a word, not your name or"
                    " e-mail address."
                ),
            )
            if store().tokens_required or widget("annotate_ask_token"):
                st.text_input(
                    "Token", key="annotate_secret", type="password", help="From the researcher."
                )
            st.form_submit_button("Start", type="primary", on_click=_sign_in)
        if not store().tokens_required:
            st.toggle("I have a token", key="annotate_ask_token")
    return None


def _sign_in() -> None:
    name, token = widget("annotate_name", ""), widget("annotate_secret")
    try:
        current().annotate.desk = store().sign_in(name, token or None)
        current().annotate.receipt = ""
    except NavVizError as error:
        note("error", str(error))
    forget_widget("annotate_secret")


def _sign_out() -> None:
    state = current().annotate
    state.desk, state.queue, state.ask, state.signed_out = None, None, None, True
    for name in ("queue", "item"):
        # the next annotator has queues of their own
        st.query_params.pop(name, None)
    state.answers = []
    state.receipt = receipts.put(Cookie(desk_cookie(), "", 0))


def note(kind: str, text: str) -> None:
    """Tell something in the next run of the page."""
    current().annotate.message = ActionMessage(kind, text)


def messages() -> None:
    """Show what the last action had to say, once."""
    message, current().annotate.message = current().annotate.message, None
    if message is not None:
        st.error(plain(message.text), icon=":material/error:")


def choose_work(desk: Desk) -> Work | None:
    """Queue of an annotator; ``None`` with a word on what to do where there is none."""
    open_first = sorted(desk.queues(), key=lambda queue: queue.closed is not None)
    queues = {queue.name: queue for queue in open_first}
    if not queues:
        _sign_out_button(desk)
        text = "A researcher sets one up on the page Study: choose episodes and a task."
        if not offers_sample():
            empty("rating", "No queue for you yet", text)
            return None
        empty(
            "rating",
            "No queue for you yet",
            f"{text} Or rate the sample town first. {SAMPLE_WORDS}",
            button="Rate the sample",
            on_click=try_sample,
        )
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        queue = queues[_queue_box(list(queues), queues)]
        st.space("stretch")
        # the desk writes queue and item into the address, as keys move on
        copy_link(queue=queue.name)
        _sign_out_button(desk)
    if queue.closed is not None:
        shell.empty(
            "This queue is closed", "Nothing more is rated in it. All that you saved in it stays."
        )
        return None
    run = run_of(queue)
    if run is None:
        shell.empty(
            f"“{queue.source}” is not open here",
            "The queue's episodes come from it. Open it on the page Explore (Open …), then come"
            " back.",
        )
        return None
    entries = desk.items(queue.name)
    if not entries:
        shell.empty("Nothing to rate", "This queue has no items for you.")
        return None
    return Work(desk, queue, entries, run, store().study_id)


def _sign_out_button(desk: Desk) -> None:
    if door_name():  # one signs out at the door
        st.caption(f"You rate as {plain(desk.name)}", width="content")
        return
    st.button(
        f"Sign out {plain(desk.name)}",
        icon=":material/logout:",
        on_click=_sign_out,
        type="tertiary",
        key="annotate_sign_out",
        help="Everything is saved. This browser forgets who rates.",
    )


def _queue_box(names: list[str], queues: dict[str, Queue]) -> str:
    # the session comes first: the desk writes the address, and a run of the page may see an old one
    written = st.query_params.get("queue")
    name = written if went_in_history() else current().annotate.queue or written
    if name is not None and name not in names:
        st.caption(f"You have no queue “{plain(name)}”; it may be closed or another annotator's.")
    if name not in names:
        name = names[0]
    if written is not None and written not in names:
        # the desk leaves another queue's name where it is: somebody may be going there
        st.query_params.pop("queue", None)
    current().annotate.queue = name
    set_widget("annotate_queue_box", name)
    return str(
        st.selectbox(
            "Queue",
            names,
            key="annotate_queue_box",
            format_func=lambda name: _queue_label(queues[name]),
            on_change=by_hand(_change_queue),
            label_visibility="collapsed",
            width=420,
        )
    )


def _queue_label(queue: Queue) -> str:
    return (
        f"{queue.name} · {TASK_NAMES[queue.task]}{' · closed' if queue.closed is not None else ''}"
    )


def _change_queue() -> None:
    state = current().annotate
    state.queue, state.ask = widget("annotate_queue_box"), None
    # here, and not by the desk alone: what the desk writes as keys move on is no entry of the
    # browser's history, and back from another queue would leave the page
    st.query_params.pop("item", None)
    choose("queue", state.queue)


def run_of(queue: Queue) -> OpenRun | None:
    """Return the run whose episodes a queue rates; ``None`` where it is not open here."""
    sources = {source.name: source for source in visitor.sources()}
    return cache.open_run(sources[queue.source]) if queue.source in sources else None
