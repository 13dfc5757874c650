"""The form that makes a queue: task, episodes, order, who rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from navviz.analysis.causes.judged import PLACEBO_SHARE, claims_of_run
from navviz.analysis.causes.registry import get_detector
from navviz.annotation.claims import CauseClaim
from navviz.annotation.exchange import read_episode_list
from navviz.annotation.exposure import shown_before
from navviz.annotation.queues import ORDERS, Order, Outcome, in_order, sample
from navviz.annotation.records import ABOUT_RUNS, TASKS, Item, Queue, Task
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.records.base import plural
from navviz.runs.opened import OpenRun
from navviz.support.guarded import decoded
from navviz.ui.components import finding, pickers
from navviz.ui.components.finding import begin_finding, found_or_bar
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.data.annotation_store import TASK_NAMES
from navviz.ui.server import visitor
from navviz.ui.state import shell
from navviz.ui.state.session import forget_widget
from navviz.ui.study.access import note

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


def choose_claims(run: OpenRun, episodes: Sequence[str], seed: int) -> list[CauseClaim]:
    """Ask which causes, how many of each, and the share of placebos; returns the drawn claims.

    Empty until the causes of the run are found, which a bar shows.
    """
    finding.wait_for(run)
    begin_finding(run)
    explained = found_or_bar(run, "evaluate_causes")
    if explained is None:
        return []
    counts: dict[str, int] = {}
    for one in explained.values():
        # only what is found in a failure can have caused one
        for cause in () if one.success else one.causes:
            counts[cause.id] = counts.get(cause.id, 0) + 1
    names = {kind: f"{get_detector(kind).name} ({count})" for kind, count in counts.items()}
    chosen = st.multiselect(
        "Causes",
        list(names),
        format_func=names.__getitem__,
        key=f"evaluate_cause_kinds_{run.name}",
        placeholder="All that were found in failures",
    )
    with st.container(horizontal=True):
        most = st.number_input(
            "Most of each kind", 1, 1000, 30, key="evaluate_cause_most", width=160
        )
        share = st.slider(
            "Placebos, %",
            0,
            50,
            round(100 * PLACEBO_SHARE),
            5,
            key="evaluate_cause_placebos",
            help=(
                "Sentences that do not hold in their episode. They show who says yes to"
                " everything; annotators are not told which they are."
            ),
        )
    claims = claims_of_run(
        explained,
        run.trace,
        run.name,
        detectors=chosen or None,
        episodes=episodes,
        most_each=int(most),
        placebo_share=share / 100,
        seed=seed,
    )
    placebos = sum(bool(claim.placebo) for claim in claims)
    detectors = len({claim.cause.id for claim in claims if not claim.placebo})
    st.caption(
        plain(
            f"{plural(len(claims) - placebos, 'cause')} of {plural(detectors, 'detector')},"
            f" {plural(placebos, 'placebo')}."
        )
    )
    return claims


Choice = Literal["all", "sample", "failures", "file"]

_CHOICES: dict[Choice, str] = {
    "all": "All",
    "sample": "A random sample",
    "failures": "Failures of this run",
    "file": "Those of a file",
}

_UNITS: dict[Task, str] = {"cause": "cause"}
"""What a task's items are, where they are no episodes."""


def new_queue(study: Study) -> None:
    """Show the form."""
    with st.container(border=True):
        st.markdown("**New queue**")
        with shell.row():
            run = pickers.choose_run("Episodes of")
        if run is None:
            return
        task: Task = st.segmented_control(
            "Task",
            list(TASKS),
            default="navigability",
            format_func=TASK_NAMES.__getitem__,
            key="evaluate_task",
            required=True,
        )
        items, how = _episodes(run, task)
        seed = _seed(study)
        if how == "sample":
            size = st.number_input(
                "Size", 1, len(items), min(50, len(items)), key="evaluate_size", width=140
            )
            items = sample(items, int(size), seed)
        claims: list[CauseClaim] = []
        if task == "cause":
            claims = choose_claims(run, [item.episode for item in items], seed)
            items = [claim.item for claim in claims]
        order = choose_order(study, run, task)
        text = st.text_input("Name of the queue", key="evaluate_queue_name", placeholder="pilot")
        queue = Queue(
            name=text.strip(),
            task=task,
            items=tuple(items),
            seed=seed,
            source=run.name,
            note=f"{_CHOICES[how]}, {run.name}",
            suggestions=_suggestions(task),
            **_people(study),
        )
        queue = ordered(study, run, queue, order)
        _warn(study, queue)
        st.caption(plain(f"{plural(len(queue.items), _UNITS.get(task, 'episode'))}."))
        st.button(
            "Make the queue",
            type="primary",
            disabled=not queue.name or not queue.items,
            key="evaluate_make",
            on_click=_create,
            args=(study, queue, claims),
        )


def _episodes(run: OpenRun, task: Task) -> tuple[list[Item], Choice]:
    """Return the items of the chosen episodes, before a sample is drawn."""
    how: Choice = st.segmented_control(
        "Episodes",
        list(_CHOICES),
        default="all",
        format_func=_CHOICES.__getitem__,
        key="evaluate_how",
        required=True,
    )
    # a judgement of a walk is about its run, one of a text holds for all runs
    shown = run.name if task in ABOUT_RUNS else ""
    items = [Item(dataset=dataset, episode=key, run=shown) for key, dataset in run.datasets.items()]
    if how == "failures":
        finding.wait_for(run)
        items = [item for item in items if run.scores.rows[item.episode].get("SR") == 0]
    if how == "file":
        # the queue keeps the order of the file
        by_episode = {item.episode: item for item in items}
        items = [by_episode[episode] for episode in _listed(run) if episode in by_episode]
    return items, how


def _listed(run: OpenRun) -> tuple[str, ...]:
    """Return the episodes that a file names; those that the run does not have are told."""
    file = st.file_uploader(
        "File with episodes",
        key="evaluate_episodes_file",
        help="error_analysis.json of GROKE, or any list of ids.",
    )
    if file is None:
        return ()
    listed = read_episode_list(decoded(file.getvalue(), Path(file.name)), file.name)
    missing = [episode for episode in listed if episode not in run.traces]
    if missing:
        st.caption(
            f"{len(missing)} of {len(listed)} are not in this run:"
            f" {plain(', '.join(missing[:5]))} …"
        )
    return listed


def _seed(study: Study) -> int:
    """Ask for the seed; each new queue has another one, so that two queues do not share a draw."""
    used = [queue.seed for queue in study.queues.all()]
    fresh = max(used, default=-1) + 1
    return int(
        st.number_input(
            "Seed",
            0,
            10**6,
            min(fresh, 10**6),
            # another key for each new queue, so that the field takes the next seed
            key=f"evaluate_seed_{len(used)}",
            width=140,
            help="Of the sample, the shared items, the random order and the gold items.",
        )
    )


def _suggestions(task: Task) -> bool:
    if task != "failure":
        return False
    return st.toggle(
        "Show labels that the automatic analysis suggests",
        key="evaluate_suggestions",
        help=(
            "Off for labels whose agreement counts: annotators who read the same suggestion agree"
            " with it, and so with each other."
        ),
    )


def _people(study: Study) -> dict[str, tuple[str, ...] | float]:
    """Return annotators and overlap, as a queue has them."""
    names = st.multiselect(
        "Annotators",
        [person.name for person in study.annotators.all()],
        accept_new_options=True,
        key="evaluate_names",
        placeholder="Everybody who comes gets all items",
    )
    overlap = 1.0
    if len(names) > 1:
        overlap = st.slider(
            "Share of items that all of them rate", 0.0, 1.0, 1.0, 0.05, key="evaluate_overlap"
        )
    return {"annotators": tuple(names), "overlap": overlap}


def _warn(study: Study, queue: Queue) -> None:
    """Warn where a walk would be no test: its route was shown, or will be."""
    before = shown_before(study, queue)
    if not before:
        return
    who = ", ".join(f"{name} ({count})" for name, count in before.items())
    most = max(before.values())
    of = f"{most} of {len(queue.items)} episodes"
    if queue.task == "follow":
        text = f"{of} were shown with their route to the same people in other queues: {who}."
        st.warning(f"{plain(text)} They walk these from memory.", icon=":material/visibility:")
        return
    st.warning(
        f"{plain(of)} still wait to be walked in *Follow it* by the same people: {plain(who)}."
        " This queue shows them the route first.",
        icon=":material/visibility:",
    )


def _create(study: Study, queue: Queue, claims: list[CauseClaim]) -> None:
    try:
        # before the queue: annotators may open it at once
        if claims:
            study.claims.put(claims)
        study.queues.create(queue)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    # the next queue needs another name
    forget_widget("evaluate_queue_name")
    note(f"The queue {queue.name} is ready on the page Annotate.")
