"""What the lead does to a queue: hand items over, open an item again, close it; and being told when
it is done.
"""

from __future__ import annotations

from datetime import UTC

import streamlit as st

from navviz.annotation.progress import QueueReport, is_done, is_news
from navviz.annotation.records import Item, Queue, QueueEvent
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.records.base import plural
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.state.session import forget_widget, widget
from navviz.ui.study.access import note

_DONE = {
    "hand over": "handed over",
    "close": "closed",
    "open": "opened",
    "reopen": "opened an item again",
    "delete": "deleted",
    "guidelines": "wrote guidelines",
    "see done": "saw that it is done",
}


def done_queues(study: Study) -> list[Queue]:
    """Return the queues in which nobody has an item left and that are not closed."""
    open_queues = [queue for queue in study.queues.all() if queue.closed is None]
    return [queue for queue in open_queues if is_done(study.queues.everyone(queue.name))]


def announce_done(study: Study, done: list[Queue]) -> None:
    """Tell each researcher once of a queue that is done."""
    for queue in done:
        if is_news(study.queues.events(queue.name), study.name):
            study.queues.see_done(queue.name, study.name)
            st.toast(
                f"The queue {plain(queue.name)} is done: see Progress.",
                icon=":material/task_alt:",
                duration="long",
            )


def actions(study: Study, report: QueueReport) -> None:
    """Show the buttons of a queue."""
    queue = report.queue
    with st.popover("Hand over", icon=":material/move_item:"):
        _hand_over(study, report)
    with st.popover("Reopen", icon=":material/replay:", help="Open an item again for an annotator"):
        _reopen(study, report)
    closed = queue.closed is not None
    st.button(
        "Open" if closed else "Close",
        icon=":material/lock_open:" if closed else ":material/lock:",
        key="evaluate_progress_close",
        on_click=_close,
        args=(study, queue.name, not closed),
        help="Annotators can rate in it again."
        if closed
        else "Nothing more can be rated in it; all ratings stay.",
    )
    with st.popover(
        "", icon=":material/history:", type="tertiary", help="What was done to this queue"
    ):
        _events(study.queues.events(queue.name))


def _events(events: list[QueueEvent]) -> None:
    shown = [event for event in events if event.action != "see done"]
    if not shown:
        st.caption("Nothing was handed over, opened again or closed.")
        return
    rows = [_event_row(event) for event in reversed(shown)]
    alt = "Changes to this queue, the newest first"
    show_table(rows, alt)


def _event_row(event: QueueEvent) -> dict[str, str]:
    return {
        "When (UTC)": f"{event.at.astimezone(UTC):%Y-%m-%d %H:%M}",
        "Who": event.who,
        "What": _DONE[event.action],
        "Annotator": event.annotator,
        "Episode": event.item.episode if event.item is not None else "",
        "Note": event.note,
    }


def _close(study: Study, name: str, closed: bool) -> None:
    try:
        study.queues.close(name, study.name, closed=closed)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    note(
        f"The queue {name} is closed; nothing more is rated in it."
        if closed
        else f"The queue {name} is open again."
    )


def _hand_over(study: Study, report: QueueReport) -> None:
    givers = {person.annotator: person for person in report.annotators if person.waiting}
    if not report.queue.annotators:
        st.caption(
            "Everybody who comes gets all items of this queue; there is nothing to hand over."
        )
        return
    if not givers:
        st.caption("Nobody has items left to hand over.")
        return
    giver = givers[st.selectbox("From", list(givers), key="evaluate_hand_from")]
    people = {*(person.name for person in study.annotators.all()), *report.queue.annotators}
    taker = st.selectbox(
        "To",
        sorted(people - {giver.annotator}),
        key="evaluate_hand_to",
        accept_new_options=True,
        index=None,
    )
    theirs: set[Item] = set()
    for each in report.annotators:
        if each.annotator == taker:
            theirs.update(entry.item for entry in each.entries)
    items = [entry.item for entry in giver.waiting if entry.item not in theirs]
    if taker and not items:
        st.caption("All of these items are in the other's part already.")
    if not taker or not items:
        return
    count = int(
        st.number_input(
            "Items, the last of the part first",
            1,
            len(items),
            len(items),
            key="evaluate_hand_count",
        )
    )
    st.caption("What is rated or skipped stays where it is.")
    arguments = (study, report.queue.name, giver.annotator, taker.strip(), items[-count:])
    st.button("Hand over", type="primary", key="evaluate_hand", on_click=_handed, args=arguments)


def _handed(study: Study, name: str, giver: str, taker: str, items: list[Item]) -> None:
    try:
        # a name that was typed is a new annotator
        if taker not in {person.name for person in study.annotators.all()}:
            study.annotators.add(taker, "annotator")
        moved = study.queues.hand_over(name, giver, taker, items, study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    # fewer items may be left than the field says
    forget_widget("evaluate_hand_count")
    left = (
        f"; {len(items) - len(moved)} were rated or skipped meanwhile and stay"
        if len(moved) < len(items)
        else ""
    )
    are = "is" if len(moved) == 1 else "are"
    note(f"{plural(len(moved), 'item')} of {giver} {are} now with {taker}{left}.")


def _reopen(study: Study, report: QueueReport) -> None:
    members = study.queues.everyone(report.queue.name)
    dealt: dict[str, list[Item]] = {}
    for person in report.annotators:
        items = [entry.item for entry in person.entries if not entry.is_open]
        if items and person.annotator in members:
            dealt[person.annotator] = items
    if not dealt:
        st.caption("Nobody has rated or skipped an item here.")
        return
    name = st.selectbox("For", list(dealt), key="evaluate_reopen_for")
    item = st.selectbox(
        "Episode",
        dealt[name],
        key="evaluate_reopen_item",
        format_func=lambda item: item.episode,
    )
    st.text_input("Why (kept in the queue's history)", key="evaluate_reopen_why", max_chars=200)
    st.caption("Its rating is taken back; the history keeps it.")
    arguments = (study, report.queue, name, item)
    st.button(
        "Open it again", type="primary", key="evaluate_reopen", on_click=_reopened, args=arguments
    )


def _reopened(study: Study, queue: Queue, name: str, item: Item) -> None:
    try:
        study.reopen(queue, name, item, widget("evaluate_reopen_why", ""))
    except NavVizError as error:
        note(str(error), failed=True)
        return
    forget_widget("evaluate_reopen_why")
    note(f"Episode {item.episode} is open again for {name}.")
