"""A new queue's order, its training round, and the gold items that are mixed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from navviz.annotation.order import ORDERS, Order, Outcome, in_order
from navviz.annotation.records import ABOUT_RUNS, Item, Queue, Task
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.runs.opened import OpenRun
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.server import visitor

_NAMES: dict[Order, str] = {
    "listed": "As listed",
    "random": "Random",
    "disagreement": "Navigators disagree first",
}
_MOST_RUNS = 8


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """How the items of a new queue are ordered, and how many known answers it holds."""

    order: Order = "listed"
    runs: tuple[str, ...] = ()
    training: int = 0
    gold_share: float = 0.0


def choose_order(study: Study, run: OpenRun, task: Task) -> OrderChoice:
    """Ask for order, training round and gold items of a new queue."""
    order: Order = st.segmented_control(
        "Order",
        list(ORDERS),
        default="listed",
        format_func=_NAMES.__getitem__,
        key="evaluate_order",
        required=True,
        help=(
            "The last puts episodes first that some runs solve and others fail, then those whose"
            " errors spread most."
        ),
    )
    runs = _runs(run) if order == "disagreement" else []
    count = len(_answered_items(study, run, task))
    if not count:
        st.caption(
            "With known answers of this task (see below) a queue can begin with training and hold"
            " gold items."
        )
        return OrderChoice(order, tuple(runs))
    with st.container(horizontal=True):
        training = int(
            st.number_input(
                "Training items",
                0,
                count,
                0,
                key=f"evaluate_training_{task}",
                width=160,
                help=(
                    "Rated first; after each the annotator reads the known answer. They count in no"
                    " statistic."
                ),
            )
        )
        share = st.slider(
            "Gold items, %",
            0,
            50,
            0,
            5,
            key=f"evaluate_gold_{task}",
            # the training round uses up all known answers
            disabled=training >= count,
            help=(
                "Share of items with known answers among those that count. Annotators are not told"
                " which."
            ),
        )
    return OrderChoice(order, tuple(runs), training, 0.0 if training >= count else share / 100)


def _runs(run: OpenRun) -> list[str]:
    listed = [source.name for source in visitor.sources() if not source.fault]
    # runs of one folder mostly walk the same episodes
    folder = run.name.rsplit("/", 1)[0]
    near = [name for name in listed if name.rsplit("/", 1)[0] == folder][:_MOST_RUNS]
    return st.multiselect(
        "Runs to compare", listed, near, key="evaluate_order_runs", max_selections=_MOST_RUNS
    )


def _answered_items(study: Study, run: OpenRun, task: Task) -> list[Item]:
    """Return the items with known answers that this run can show."""
    run_name = run.name if task in ABOUT_RUNS else ""
    items = [item for item in study.known_answers.all(task) if item.run == run_name]
    return [item for item in items if _is_shown_by(run, item)]


def _is_shown_by(run: OpenRun, item: Item) -> bool:
    # Data sets number their episodes alike: the same id may be another episode.
    return item.episode in run.traces and run.datasets[item.episode] == item.dataset


def ordered(study: Study, run: OpenRun, queue: Queue, choice: OrderChoice) -> Queue:
    """Return a new queue with its items in order, its training round, and its gold items."""
    outcomes = _outcomes(choice.runs) if choice.order == "disagreement" else {}
    items = in_order(queue.items, choice.order, seed=queue.seed, outcomes=outcomes)
    answered = _answered_items(study, run, queue.task)
    queue_items = {
        "training": tuple(answered[: choice.training]),
        # an item of the training round is known by then and tests nobody
        "gold": tuple(answered[choice.training :]) if choice.gold_share else (),
        "gold_share": choice.gold_share,
    }
    by = f" of {', '.join(choice.runs)}" if choice.runs else ""
    note = (
        queue.note
        if choice.order == "listed"
        else f"{queue.note}; {_NAMES[choice.order].lower()}{by}"
    )
    return queue.model_copy(update={"items": tuple(items), "note": note, **queue_items})


def _outcomes(runs: Sequence[str]) -> dict[str, list[Outcome]]:
    """Return success and error of each episode in each run; a run that cannot be read is told and
    left out.
    """
    sources = {source.name: source for source in visitor.sources()}
    outcomes: dict[str, list[Outcome]] = {}
    for name in runs:
        try:
            rows = cache.open_run(sources[name]).scores.rows
        except NavVizError as error:
            st.error(plain(error), icon=":material/error:")
            continue
        for episode, row in rows.items():
            outcomes.setdefault(episode, []).append((row.get("SR"), row.get("NE")))
    return outcomes
