"""How the study goes: each annotator's progress and pace, who disagrees with whom, what they said
and skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import pandas as pd
import streamlit as st

from navviz.annotation.progress import (
    FEW_ITEMS,
    LONG_FACTOR,
    AnnotatorProgress,
    PairDisagreement,
    QueueReport,
    disagreements,
    flags_of,
    is_done,
    queue_report,
)
from navviz.annotation.questions import Question, questions, rating_table
from navviz.annotation.records import Item, Queue, Rating
from navviz.annotation.store import Study
from navviz.metrics.agreement import krippendorff_alpha
from navviz.metrics.intervals import StatisticInterval
from navviz.records.base import plural
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data.annotation_store import TASK_NAMES
from navviz.ui.state.session import set_widget, widget
from navviz.ui.state.state import by_hand, choose, chosen, replay_url
from navviz.ui.study.access import taxonomy
from navviz.ui.study.progress_actions import actions

_TICK_S = 3.0
_RESAMPLES = 1000
"""As many as under Results › Agreement, so that both print the same intervals."""
_QUEUE_KEY = "evaluate_progress_queue"
_HELP = f"""**At work** counts the time that the annotator was at the item, pauses of more than a
minute left out.
**By the clock** counts from save to save, breaks of more than 15 minutes left out. An item is a
long one where it took
{LONG_FACTOR:.0f} times the annotator's median. With fewer than {FEW_ITEMS} shared items,
alpha and kappa are a first look: one more rating can turn them."""


def progress(study: Study) -> None:
    """Show the whole section."""
    queues = {queue.name: queue for queue in study.queues.all()}
    if not queues:
        st.info(
            "No queue yet. Make one under Set up › Queues; its progress is shown here.",
            icon=":material/info:",
        )
        return
    # before anything is read: a change while the page is drawn makes the next tick draw it anew
    stamp = study.stamp()

    def tick() -> None:
        # reads five counts; a closed window ticks no more, a hidden one slower
        if study.stamp() != stamp:
            st.rerun()  # a fragment cannot draw the page around it

    st.fragment(tick, run_every=_TICK_S)()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = _chosen_queue(queues, shown_queue(study))
        question = _question(queues[name])
        if queues[name].closed is not None:
            st.badge("Closed", icon=":material/lock:", color="gray")
        elif is_done(study.queues.everyone(queues[name].name)):
            st.badge("Done", icon=":material/check:", color="green")
        else:
            st.badge("Open", color="blue")
        st.space("stretch")
        report = queue_report(study, queues[name])
        actions(study, report)
    _headline(report, question)
    if not report.annotators:
        st.info(
            "Nobody has come yet. Annotators find the queue on the page Annotate.",
            icon=":material/info:",
        )
        return
    rows = [_person_row(report, person) for person in report.annotators]
    show_table(
        rows,
        f"How far and how fast each annotator got in {report.queue.name}",
        {"Progress": st.column_config.ProgressColumn("Progress", format="%d %%", max_value=100)},
    )
    flags = flags_of(report)
    if flags:
        listed = "\n".join(f"- {plain(flag.sentence)}" for flag in flags)
        st.warning(f"**Look at these ratings**\n\n{listed}", icon=":material/flag:")
    left, right = st.columns(2, gap="medium")
    with left:
        _matrix(report, question)
    with right:
        _show_remarks(report)


def shown_queue(study: Study) -> str:
    """Return the name of the queue that Progress shows; empty where there is none."""
    names = [queue.name for queue in study.queues.all()]
    # the queue that was made last is the one that the lead waits for
    return chosen("queue", names, names[-1] if names else "")


def _chosen_queue(queues: Mapping[str, Queue], name: str) -> str:
    """Ask for the queue, which stands in the address."""
    set_widget(_QUEUE_KEY, name)
    return str(
        st.selectbox(
            "Queue",
            list(queues),
            key=_QUEUE_KEY,
            format_func=lambda name: f"{name} · {TASK_NAMES[queues[name].task]}",
            width=300,
            on_change=by_hand(_choose_queue),
        )
    )


def _choose_queue() -> None:
    choose("queue", str(widget(_QUEUE_KEY)))


def _question(queue: Queue) -> Question:
    """Return what agreement is about; a choice where a task asks several things."""
    by_name = {
        question.name: question for question in questions(taxonomy()) if question.task == queue.task
    }
    if len(by_name) == 1:
        return next(iter(by_name.values()))
    return by_name[
        st.selectbox(
            "Question", list(by_name), key=f"evaluate_progress_question_{queue.task}", width=220
        )
    ]


def _headline(report: QueueReport, question: Question) -> None:
    people = report.annotators
    table = rating_table(report.compared, question)
    shared = sum(len(table.answers(item)) >= 2 for item in table.items)
    alpha, _ = _statistics(report, question)
    times_s = list(chain.from_iterable(person.seconds.values() for person in people))
    with st.container(horizontal=True):
        st.metric(
            "Rated",
            f"{sum(person.rated for person in people)} of {sum(person.total for person in people)}",
            width=140,
        )
        st.metric("Skipped", sum(len(person.skipped) for person in people), width=110)
        median = _time(pd.Series(times_s).median()) if times_s else "–"
        st.metric("Median time", median, width=140)
        st.metric(
            "Krippendorff's alpha",
            "–" if alpha.value is None else f"{alpha.value:.2f}",
            width=190,
            help=_HELP,
        )
        st.metric("Shared items", shared, width=130)
    words = []
    if alpha.low != alpha.high:
        words.append(f"Alpha {_with_ends(alpha)} (95 % interval) over {plural(shared, 'item')}.")
    if 0 < shared < FEW_ITEMS:
        are = "item is" if shared == 1 else "items are"
        words.append(f"Only {shared} {are} rated by two or more: alpha and kappa are a first look.")
    if words:
        st.caption(plain(" ".join(words)))


@st.cache_data(max_entries=32, show_spinner=False)
def _computed(
    key: str, _ratings: Sequence[Rating], _question: Question
) -> tuple[StatisticInterval, list[PairDisagreement]]:
    del key
    rows = rating_table(_ratings, _question).rows
    alpha = krippendorff_alpha(rows, _question.level, resamples=_RESAMPLES)
    return alpha, disagreements(_ratings, _question, _RESAMPLES)


def _statistics(
    report: QueueReport, question: Question
) -> tuple[StatisticInterval, list[PairDisagreement]]:
    """Return alpha and the pairs, resampled once for the same answers."""
    table = rating_table(report.compared, question)
    # the order within a set changes from one process to the next; the cache key must not
    rows = [list(map(_answer, row)) for row in table.rows]
    key = repr((report.queue.name, question.name, table.raters, table.items, rows))
    return _computed(key, report.compared, question)


def _with_ends(of: StatisticInterval) -> str:
    if of.value is None:
        return "–"
    value = f"{of.value:.2f}"
    # of a few items all resamples may be alike: two equal ends would feign certainty
    if of.low is None or of.high is None or of.low == of.high:
        return value
    return f"{value} [{of.low:.2f}, {of.high:.2f}]"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def _pace(pace: float | None) -> str:
    return "–" if pace is None else f"{pace:.0f}"


def _person_row(report: QueueReport, person: AnnotatorProgress) -> dict[str, object]:
    done = person.rated + len(person.skipped)
    # first answers that were the known ones, where the queue has such items
    checked, known = person.checked, dict[str, str]()
    if report.queue.training:
        known["Training right"] = f"{checked.training_right} of {checked.training}"
    if report.queue.gold_share or any(a.checked.gold for a in report.annotators):
        known["Gold right"] = f"{checked.gold_right} of {checked.gold}"
    return {
        "Annotator": person.annotator,
        "Progress": round(100 * done / person.total) if person.total else 0,
        "Rated": person.rated,
        "Skipped": len(person.skipped),
        "Waiting": len(person.waiting),
        "Items/h work": _pace(person.work_pace),
        "Items/h clock": _pace(person.clock_pace),
        "Median time": _time(person.median_s),
        "Long items": len(person.long_items),
        "Time left": _left(person),
        **known,
    }


def _left(person: AnnotatorProgress) -> str:
    if not person.waiting:
        return "done"
    return "–" if person.work_pace is None else _time(3600 * len(person.waiting) / person.work_pace)


# --- who disagrees with whom


def _matrix(report: QueueReport, question: Question) -> None:
    st.subheader("Who disagrees with whom", anchor=False)
    pairs = [pair for pair in _statistics(report, question)[1] if pair.shared]
    if not pairs:
        st.info("No two annotators have rated the same item yet.", icon=":material/group:")
        return
    names = sorted({pair.first for pair in pairs} | {pair.second for pair in pairs})
    cells: dict[tuple[str, str], str] = {}
    for pair in pairs:
        kappa = f"κ {_with_ends(pair.kappa)}"
        few = " (few)" if pair.shared < FEW_ITEMS else ""
        cells[pair.first, pair.second] = cells[pair.second, pair.first] = (
            f"{len(pair.different)} of {pair.shared} · {kappa}{few}"
        )
    rows = []
    for name in names:
        # An empty string is no name: the first column needs no head.
        row = {"": name} | {other: cells.get((name, other), "–") for other in names}
        rows.append(row | {name: ""})
    show_table(rows, f"Who disagrees with whom: {question.name}")
    st.caption(
        f"{question.name}: different answers of shared items, Cohen's kappa (κ) with its"
        " 95 % interval."
    )
    labels: dict[str, PairDisagreement] = {}
    for pair in pairs:
        if pair.different:
            labels[f"{pair.first} and {pair.second}: {len(pair.different)}"] = pair
    if labels:
        chosen = labels[
            st.selectbox(
                "Items where they differ", list(labels), key="evaluate_progress_pair", width=300
            )
        ]
        table = rating_table(report.compared, question)
        items: list[dict[str, object]] = []
        for item in chosen.different:
            answers = table.answers(item)
            items.append(
                {
                    "Episode": item.episode,
                    chosen.first: _answer(answers[chosen.first]),
                    chosen.second: _answer(answers[chosen.second]),
                    "Item": _link(report.queue, item),
                }
            )
        _linked_table(items, f"Items on which {chosen.first} and {chosen.second} differ")


def _answer(answer: object) -> str:
    if isinstance(answer, frozenset):
        return ", ".join(sorted(map(str, answer))) or "none"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer)


# --- what they said and skipped


def _show_remarks(report: QueueReport) -> None:
    timed: list[tuple[float, dict[str, object]]] = []
    skips: list[dict[str, object]] = []
    for person in report.annotators:
        for item, time_s in person.long_items.items():
            row = {"Episode": item.episode, "Annotator": person.annotator}
            times = {"Time": _time(time_s), "Median": _time(person.median_s)}
            timed.append((time_s, row | times | {"Item": _link(report.queue, item)}))
        for entry in person.skipped:
            row = {"Episode": entry.item.episode, "Annotator": person.annotator}
            link = _link(report.queue, entry.item)
            skips.append(row | {"Reason": entry.reason or "no reason given", "Item": link})
    timed.sort(key=lambda pair: -pair[0])
    comments: list[dict[str, object]] = []
    for rating in sorted(report.ratings, key=lambda rating: rating.changed, reverse=True):
        if rating.value is not None and rating.value.comment.strip():
            row = {"Episode": rating.item.episode, "Annotator": rating.annotator}
            link = _link(report.queue, rating.item)
            comments.append(row | {"Comment": rating.value.comment, "Item": link})
    tables = {
        "Comments": comments,
        "Skips": skips,
        "Long items": [row for _, row in timed],
    }
    names = {f"{name} ({len(rows)})": rows for name, rows in tables.items()}
    st.subheader("What they say", anchor=False)
    for tab, (name, rows) in zip(st.tabs(list(names)), names.items(), strict=True):
        with tab:
            if rows:
                _linked_table(rows, f"{name.rsplit(' ', 1)[0]} in {report.queue.name}")
            else:
                st.caption("None so far.")


def _linked_table(rows: Sequence[dict[str, object]], alt: str) -> None:
    show_table(
        rows, alt, {"Item": st.column_config.LinkColumn("Item", display_text="open", width="small")}
    )


def _link(queue: Queue, item: Item) -> str | None:
    run = item.run or queue.source
    return replay_url(run, item.episode) if run else None
