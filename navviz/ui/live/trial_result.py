"""What a trial has come to: progress while it is walked, then the paired result."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from navviz.analysis.significance import PairedResult, paired_result
from navviz.errors import InputError, NavVizError
from navviz.records.base import plural
from navviz.runner.batches import Batch, Status
from navviz.runner.variants import successes
from navviz.runs.opened import workspace_dir
from navviz.runs.owners import may_change
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache
from navviz.ui.live.batches import page as batches
from navviz.ui.server import visitor
from navviz.ui.server.identity import viewer
from navviz.ui.server.limits import turns
from navviz.ui.state.session import current

_PARAMETER = "trial"
_TICK_S = 1.0


def choose(name: str) -> None:
    """Show a trial."""
    st.query_params[_PARAMETER] = name


def show() -> None:
    """Show the trial that the address names; of another's, and of one that is gone, one sentence
    says that it is not here.
    """
    trial = _chosen()
    if trial is None:
        # one sentence for both: whether another's trial exists is nobody else's business
        if st.query_params.get(_PARAMETER):
            st.info(
                "The link names a trial that is not here: it was deleted, or it is somebody else's."
            )
        return
    busy = any(turns().status(batch).busy for batch in trial)
    st.fragment(_tick, run_every=_TICK_S if busy else None)(trial, ticks=busy)


def _chosen() -> list[Batch] | None:
    """Return the batch of the trial, and behind it that of the unedited texts where there is
    one.
    """
    name = st.query_params.get(_PARAMETER)
    if not name:
        return None
    first = _own(name)
    if first is None:
        return None
    second = _own(first.plan.baseline) if first.plan.baseline else None
    return [first] if second is None else [first, second]


def _own(name: str) -> Batch | None:
    folder = workspace_dir() / "runs" / name
    # the name comes from the address and may hold ../
    if folder.parent != workspace_dir() / "runs" or not may_change(viewer(), folder):
        return None
    try:
        return Batch.at(folder)
    except InputError:
        return None


def _tick(trial: list[Batch], *, ticks: bool) -> None:
    statuses = [turns().status(batch) for batch in trial]
    with st.container(border=True, key="live_trial_card"):
        plan = trial[0].plan
        edits = ", ".join(map(_in_words, plan.edits)) or "another prompt or setting"
        model = (plan.model or "").partition("@")[0]
        parts = [plan.navigator, model, plan.chosen]
        st.markdown(f"**Trial: {plain(edits)}**")
        st.caption(plain(" · ".join(part for part in parts if part)))
        for number, (batch, status) in enumerate(zip(trial, statuses, strict=True)):
            _progress(batch, status, number, edited=number == 0)
        _result(trial)
    message, current().live.trial_message = current().live.trial_message, ""
    if message:
        st.error(plain(message), icon=":material/error:")
    if any(status.busy for status in statuses) != ticks:
        st.rerun()  # the page starts or drops the timer


def _in_words(edit: str) -> str:
    """Write a rule for people: ``append “Stop there.”``."""
    kind, _, text = edit.partition(":")
    return f"{kind} “{text}”"


def _progress(batch: Batch, status: Status, number: int, *, edited: bool) -> None:
    tallies = status.state.tallies
    done = sum(tally.done for tally in tallies)
    total = batch.plan.episode_count
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        badge = batches.badge(status)
        st.markdown(badge, width="content")
        name = "with the edit" if edited else "unedited"
        words = [f"{name}: {done} of {plural(total, 'walk')}"]
        if batch.plan.model is not None:
            words.append(f"cost {batches.cost(tallies)}")
        st.text(" · ".join(words), width="content")
        if status.busy:
            _button("Stop", ":material/stop:", f"live_trial_stop_{number}", batches.stop, batch)
        elif status.name != "done":
            icon = ":material/play_arrow:"
            _button("Go on", icon, f"live_trial_go_on_{number}", batches.go_on, batch)
    if status.state.estimate is not None and status.name == "estimated":
        st.caption(plain(batches.estimate_text(status.state.estimate, batch)))
    if status.reason:
        st.caption(plain(status.reason))


def _button(label: str, icon: str, key: str, action: Callable[[Batch], None], batch: Batch) -> None:
    st.button(label, icon=icon, key=key, type="tertiary", on_click=_pressed, args=(action, batch))


def _pressed(action: Callable[[Batch], None], batch: Batch) -> None:
    try:
        action(batch)
    except NavVizError as error:
        current().live.trial_message = str(error)


def _result(trial: list[Batch]) -> None:
    """Show the pairs that are judged so far; the figures grow while the batches are walked."""
    batch = trial[0]
    ids = [episode.id for episode in batch.episodes]
    before = successes(trial[1]) if len(trial) > 1 else _of_run(batch.plan.compare_with)
    pairs = paired_result(before, successes(batch), ids)
    if pairs is None:
        return
    change = pairs.change
    with st.container(horizontal=True, gap="large"):
        for label, interval in (("Before", pairs.before), ("With the edit", pairs.after)):
            low, high = interval.low, interval.high
            _metric(label, f"{100 * interval.mean:.0f} %", _between(low, high, "%"))
        _metric(
            "Change",
            f"{100 * change.mean:+.0f} points",
            # one pair, or none that tells how far others would spread
            _between(change.low, change.high, "points") or "too few for an interval",
        )
        _metric("Pairs", str(pairs.n), f"{len(pairs.unpaired)} open" if pairs.unpaired else None)
    gained = _count(len(pairs.gained), "failure became a success", "failures became successes")
    lost = _count(len(pairs.lost), "success became a failure", "successes became failures")
    p = "p < 0.001" if pairs.p < 0.001 else f"p = {pairs.p:.3f}"
    st.text(f"{gained}, {lost} (McNemar's exact test, {p}, n = {pairs.n}; intervals of 95 %).")
    if batch.plan.model is not None and len(trial) == 1 and "failure" in batch.plan.chosen:
        st.caption(
            "Only failures were chosen: some of them would succeed on a second try of the"
            " unedited text, too. Compare on all episodes, or with a second walk."
        )
    _flips(pairs, trial)


def _of_run(name: str | None) -> dict[str, float | None]:
    """Return success by episode of an opened run, as its table tells it."""
    source = next((each for each in visitor.sources() if each.name == name), None)
    if source is None:
        return {}
    table = cache.open_run(source).known_table()
    values = {"success": 1.0, "failure": 0.0}
    pairs: dict[str, float | None] = {}
    for key, outcome in zip(table["episode"], table["outcome"], strict=True):
        pairs[str(key)] = values.get(str(outcome))
    return pairs


def _between(low: float | None, high: float | None, unit: str) -> str | None:
    if low is None or high is None:
        return None
    return f"{100 * low:.0f} to {100 * high:.0f} {unit}"


def _metric(label: str, value: str, below: str | None) -> None:
    st.metric(label, value, below, delta_color="off", delta_arrow="off", width="content")


def _count(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _flips(pairs: PairedResult, trial: list[Batch]) -> None:
    rows = [{"Episode": key, "Flip": "failure → success"} for key in pairs.gained]
    rows += [{"Episode": key, "Flip": "success → failure"} for key in pairs.lost]
    name = batches.source_name(trial[0])
    if not rows or name is None:
        return
    base = trial[0].plan.compare_with if len(trial) == 1 else batches.source_name(trial[1])
    table = pd.DataFrame(rows)
    picked = show_table(
        table,
        "Episodes whose outcome the edit changed",
        most_rows=6,
        key="live_trial_flips",
        on_select="rerun",
        selection_mode="single-row",
    )
    # the row may be chosen in an older, longer table
    chosen = [row for row in picked.selection.rows if row < len(rows)]
    if st.button(
        "Compare this episode",
        icon=":material/compare_arrows:",
        key="live_trial_compare",
        disabled=not chosen,
        help="Choose a row first: both walks open side by side.",
    ):
        query = {"run": name, "episode": str(rows[chosen[0]]["Episode"]), "other": base or ""}
        st.switch_page("pages/compare.py", query_params=query)
