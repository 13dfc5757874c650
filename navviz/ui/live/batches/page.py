"""Many episodes: the batch one looks at, with its progress, and the list of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st
from pydantic import SecretStr

from navviz.errors import NavVizError
from navviz.llm.addresses import find_key
from navviz.records.base import plural
from navviz.runner.batches import Batch, Status, Wish, all_batches
from navviz.runs.marks import RunMark, counted_marks, part_marks
from navviz.runs.opened import workspace_dir
from navviz.runs.owners import check_may_change, may_change, owner_of
from navviz.support.installation.serving import is_allowed, refusal, require
from navviz.ui.components.empty import empty
from navviz.ui.components.marks import show_marks
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.live.batches.form import key_environment, start_sample
from navviz.ui.server import audit, visitor
from navviz.ui.server.identity import viewer
from navviz.ui.server.limits import most_workers, turns
from navviz.ui.state.session import ActionMessage, current, widget

if TYPE_CHECKING:
    from navviz.runner.plan import Estimate, RunTally

_TICK_S = 1.0
_PARAMETER = "batch"
_BADGES = {
    "queued": ":gray-badge[:material/hourglass_empty: Waiting for its turn]",
    "starting": ":blue-badge[:material/hourglass_top: Starting]",
    "running": ":blue-badge[:material/sync: Running]",
    "pausing": ":orange-badge[:material/pause: Pausing: walks under way are finished first]",
    "stopping": ":orange-badge[:material/stop: Stopping]",
    "estimated": ":violet-badge[:material/savings: Pilot walked]",
    "paused": ":gray-badge[:material/pause: Paused]",
    "stopped": ":gray-badge[:material/stop: Stopped]",
    "interrupted": ":orange-badge[:material/power_off: Interrupted]",
    "budget": ":orange-badge[:material/savings: Budget used up]",
    "failed": ":red-badge[:material/error: Failed]",
    "done": ":green-badge[:material/check: Done]",
}
_WORDS = {"queued": "waiting", "estimated": "pilot walked", "budget": "budget used up"}


def choose(name: str) -> None:
    """Look at a batch."""
    st.query_params[_PARAMETER] = name


def watch() -> None:
    """Show the chosen batch and the list of all, as they go on."""
    busy = any(turns().status(batch).busy for batch in _own())
    st.fragment(_tick, run_every=_TICK_S if busy else None)(ticks=busy)


def _own() -> list[Batch]:
    """Return the batches of whoever looks; the operator sees all."""
    looks = viewer()
    return [batch for batch in all_batches() if may_change(looks, batch.folder)]


def _tick(*, ticks: bool) -> None:
    """One look at the batches; the fragment around it looks again while one of them goes on."""
    batches = _own()
    wanted = st.query_params.get(_PARAMETER)
    is_gone = bool(wanted) and all(batch.name != wanted for batch in batches)
    if is_gone:
        # one sentence for both: whether another's batch exists is nobody else's business
        missing = (
            "The link names a batch that is not here: it was deleted, or it is somebody else's."
        )
        st.info(plain(f"{missing} Below is the newest one." if batches else missing))
    if not batches:
        _no_batch()
        return
    # asked once for card and table: a batch may end between two looks
    statuses = {batch.name: turns().status(batch) for batch in batches}
    # the newest comes first
    shown = next((batch for batch in batches if batch.name == wanted), batches[0])
    _card(shown, statuses[shown.name])
    rows = pd.DataFrame(_row(batch, statuses[batch.name]) for batch in batches)
    whose = "All batches" if viewer().operator else "Your batches"
    st.caption(f"{plain(whose)}; choose one to look at it.")
    show_table(
        rows,
        "Batches, one row each",
        {
            "Walks": st.column_config.ProgressColumn(
                min_value=0, max_value=100, format="%.0f %%", width="small"
            ),
            "Success rate": st.column_config.NumberColumn(
                format="%.1f %%", width="small", help="First tries only"
            ),
            "Begun": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm"),
        },
        key="batches_table",
        on_select=lambda: _choose_row([batch.name for batch in batches]),
        selection_mode="single-cell",
        placeholder="–",
    )
    if any(status.busy for status in statuses.values()) != ticks:
        st.rerun()  # the page starts or drops the timer


def _no_batch() -> None:
    text = "Here you see progress, success rate and cost of a batch."
    if not is_allowed("batches"):
        empty("live", "No batch yet", text)
        return
    empty(
        "live",
        "No batch yet",
        f"{text} Press Start on the left, or try the sample town first: rules walks its episodes in"
        " seconds, and asks no model.",
        button="Walk the sample",
        on_click=_walk_sample,
    )
    _message()


def _walk_sample() -> None:
    try:
        choose(start_sample())
    except NavVizError as error:
        current().batches_message = ActionMessage("error", str(error))


def badge(status: Status) -> str:
    """Return where a batch stands, as Markdown."""
    return _BADGES[status.name]


# --- one batch


def _card(batch: Batch, status: Status) -> None:
    with st.container(border=True, key="batches_card"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(batch.name, width="content")
            st.markdown(_BADGES[status.name], width="content")
            if status.state.tallies:
                marks = _marks(batch, status.state.tallies[0])
                # of a batch that goes on nobody has to be told that it is not whole
                show_marks([each for each in marks if each.id != "partial" or not status.busy])
        st.caption(plain(_about(batch)))
        tallies = status.state.tallies
        done = sum(tally.done for tally in tallies)
        total = (
            sum(tally.total for tally in tallies) or batch.plan.episode_count * batch.plan.samples
        )
        left_s = status.state.seconds_left
        text = f"{done} of {total} walks"
        if status.busy and left_s is not None and done < total:
            text += f" · {_time(left_s)} left"
        made = status.state.estimate
        if made is not None and made.usd is not None and status.name != "estimated":
            # a bare dollar sign would begin a formula in Streamlit's Markdown
            text += f" · \\${made.usd:.2f} estimated after the first {made.pilot}"
        st.progress(min(1.0, done / total) if total else 0.0, text=text)
        _figures(status)
        if status.state.estimate is not None and status.name == "estimated":
            st.info(plain(estimate_text(status.state.estimate, batch)), icon=":material/savings:")
        if status.reason:
            st.warning(plain(status.reason), icon=":material/info:")
        _message()
        _buttons(batch, status)


def _marks(batch: Batch, first: RunTally) -> tuple[RunMark, ...]:
    """Return what is to be said of a batch's first tries."""
    marks = part_marks(first.done, batch.plan.episode_count, first.errors)
    return marks + counted_marks(first.done, first.unanswered, first.blind)


def _about(batch: Batch) -> str:
    plan = batch.plan
    limits = [
        f"at most ${plan.budget_usd:g}" if plan.budget_usd is not None else "",
        f"at most {plan.budget_tokens:,} tokens" if plan.budget_tokens is not None else "",
        f"borrows up to {plan.borrow_tokens:,} tokens" if plan.borrow_tokens is not None else "",
    ]
    workers = plural(plan.workers, "worker")
    samples = f"{plan.samples} walks an episode" if plan.samples > 1 else ""
    model = (plan.model or "").partition("@")[0]
    parts = [plan.navigator, model, plan.chosen, samples, workers, *limits, plan.engine or ""]
    return " · ".join(part for part in parts if part)


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"


def _figures(status: Status) -> None:
    """Success rate of the first tries and the cost of everything; samples and rounds stand
    apart.
    """
    tallies = status.state.tallies
    if not tallies:
        return
    first, further = tallies[0], tallies[1:]
    errors = sum(tally.errors for tally in tallies)
    with st.container(horizontal=True, gap="large"):
        of = f"of {first.judged} first tries" if further else f"of {first.judged}"
        st.metric(
            "Success rate",
            _rate(first),
            of if first.judged else None,
            delta_color="off",
            delta_arrow="off",
            width="content",
        )
        st.metric("Cost", cost(tallies), width="content")
        st.metric("Tokens", f"{sum(tally.tokens for tally in tallies):,}", width="content")
        if errors:
            st.metric(
                "Errors", str(errors), width="content", help="In no mean; Go on walks them again."
            )
    for tally in further:
        kind = (
            "failures walked again, best-of figures only"
            if tally.kind == "again"
            else "a further sample"
        )
        st.caption(
            f"{plain(tally.run)} ({kind}): {tally.done} of {tally.total}, success rate"
            f" {_rate(tally)}"
        )


def _rate(tally: RunTally) -> str:
    return "–" if tally.success_rate is None else f"{100 * tally.success_rate:.1f} %"


def cost(tallies: Sequence[RunTally]) -> str:
    """Return what some runs have cost so far, in words."""
    calls, unpriced = (
        sum(tally.calls for tally in tallies),
        sum(tally.unpriced for tally in tallies),
    )
    if not calls:
        return "$0"
    if unpriced == calls:
        return "not known"
    return f"{'at least ' if unpriced else ''}${sum(tally.cost_usd for tally in tallies):.2f}"


def estimate_text(made: Estimate, batch: Batch) -> str:
    """Return what the rest of a batch will cost, as plain text."""
    limit = batch.plan.budget_usd
    over = limit is not None and made.usd is not None and made.usd > limit
    return (
        f"The other {made.rest} walks will cost about {made.cost_words}, and take"
        f" {_time(made.seconds)}: so did {plural(made.pilot, 'episode')} drawn at random, part of"
        " the batch. Go on walks the rest." + (" That is more than the budget." if over else "")
    )


def _message() -> None:
    message, current().batches_message = current().batches_message, None
    if message is not None:
        st.error(plain(message.text), icon=":material/error:")


def _buttons(batch: Batch, status: Status) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        if status.busy:
            halting = status.name in {"pausing", "stopping"}
            st.button(
                "Pause",
                icon=":material/pause:",
                key="batches_pause",
                disabled=halting or status.name in {"queued", "starting"},
                on_click=_pressed,
                args=(steer, batch, "pause"),
                help="Walks under way are finished first.",
            )
            st.button(
                "Stop",
                icon=":material/stop:",
                key="batches_stop",
                disabled=status.name in {"stopping", "starting"},
                on_click=_pressed,
                args=(steer, batch, "stop"),
                help="At once; what was paid for is kept.",
            )
        elif status.name != "done" or any(tally.errors for tally in status.state.tallies):
            kind = _missing_key(batch)
            if kind is not None:
                st.text_input(
                    "API key",
                    type="password",
                    # the form beside it has a field of its own
                    key=f"batches_key_{kind}",
                    autocomplete="off",
                    width=260,
                )
            st.button(
                "Go on",
                icon=":material/play_arrow:",
                key="batches_go_on",
                type="primary",
                on_click=_pressed,
                args=(go_on, batch),
                help="Nothing that is finished is walked again.",
            )
        _links(batch, status)


def _missing_key(batch: Batch) -> str | None:
    """Return the provider whose key has to be typed in again, which no file holds."""
    model = batch.plan.model or ""
    provider = model.partition(":")[0]
    if provider not in {"gemini", "openai"} or "@" in model:
        return None
    key = find_key("gemini") if provider == "gemini" else find_key("openai")
    return provider if key is None else None


def _pressed(action: Callable[..., None], batch: Batch, *wish: Wish) -> None:
    """Do what a button says; the next run of the page tells why where it could not be done."""
    try:
        action(batch, *wish)
    except NavVizError as error:
        current().batches_message = ActionMessage("error", str(error))


def steer(batch: Batch, wish: Wish) -> None:
    """Pause or stop a batch; raises `NavVizError` where it is another's."""
    check_may_change(viewer(), batch.folder)
    # one that waits has no process that would read the wish
    if not turns().leave(batch.folder):
        batch.ask(wish)
    audit.note("paused" if wish == "pause" else "stopped", batch.name)


def stop(batch: Batch) -> None:
    """Stop a batch at once; raises `NavVizError` where it is another's."""
    steer(batch, "stop")


def go_on(batch: Batch) -> None:
    """Go on with a batch; raises `NavVizError` where it is another's, or cannot be started."""
    require("batches")
    # begun before the operator took that right away, it would go on asking
    if batch.plan.model is not None:
        require("models")
    check_may_change(viewer(), batch.folder)
    _check_files(batch)
    provider = (batch.plan.model or "").partition(":")[0]
    # typed beside the button, or in the form that began it
    fields = (f"batches_key_{provider}", f"live_key_{provider}")
    typed = next((str(text) for text in map(widget, fields) if text), "")
    key = SecretStr(typed) if typed else None
    turns().start(batch, most_workers(), environment=key_environment(batch.plan.model, key))
    audit.note("went on", batch.name)


def _check_files(batch: Batch) -> None:
    """Raise `SettingsError` where a batch reads files of the server that its visitor could open
    when it was begun, but may not open any more.
    """
    if viewer().operator or is_allowed("paths"):
        return
    places = [Path(text).resolve() for text in (*batch.plan.graphs, batch.plan.episodes) if text]
    # of settings the batch's own process says it (`navviz.systems.base`)
    root = workspace_dir().resolve()
    free = [root / name for name in ("data", "uploads")]
    for source in visitor.sources():
        # the run of this very batch names the files that are asked about
        if source.origin != "workspace" or owner_of(source.results or root) is None:
            listed = (*source.graphs, *filter(None, (source.episodes, source.results)))
            free += [path.resolve() for path in listed]
    for place in places:
        if not any(part in free for part in (place, *place.parents)):
            raise refusal("paths")


def _links(batch: Batch, status: Status) -> None:
    """Ways to the traces: Explore, and Compare with the run that the episodes were chosen from."""
    name = source_name(batch)
    if name is None:
        return
    if st.button("Open in Explore", icon=":material/table_view:", key="batches_open"):
        st.switch_page("pages/explore.py", query_params={"run": name})
    other = batch.plan.compare_with
    first = batch.episodes[0].id if status.state.tallies and status.state.tallies[0].done else None
    if (
        other is not None
        and first is not None
        and st.button(
            "Compare with the original", icon=":material/compare_arrows:", key="batches_compare"
        )
    ):
        st.switch_page(
            "pages/compare.py", query_params={"run": name, "episode": first, "other": other}
        )


def source_name(batch: Batch) -> str | None:
    """Name under which menus and links know the batch's run; ``None`` before it has a trace."""
    folder = batch.folder.resolve()
    # resolved on both sides: a folder behind a symbolic link has two spellings
    places = ((source, source.results) for source in visitor.sources())
    return next(
        (source.name for source, path in places if path is not None and path.resolve() == folder),
        None,
    )


# --- all of them


def _choose_row(names: Sequence[str]) -> None:
    cells = widget("batches_table")["selection"]["cells"]
    # the click may be on an older, longer table
    if cells and cells[0][0] < len(names):
        choose(names[cells[0][0]])


def _row(batch: Batch, status: Status) -> dict[str, object]:
    tallies = status.state.tallies
    done, total = sum(tally.done for tally in tallies), sum(tally.total for tally in tallies)
    return {
        "Name": batch.name,
        "State": _WORDS.get(status.name, status.name),
        "Walks": 100 * done / total if total else 0.0,
        "Done": f"{done} of {total or batch.plan.episode_count}",
        "Success rate": (
            None
            if not tallies or tallies[0].success_rate is None
            else 100 * tallies[0].success_rate
        ),
        "Cost": cost(tallies),
        "Navigator": batch.plan.navigator,
        "Begun": (
            pd.to_datetime(batch.plan.created).tz_localize(None) if batch.plan.created else None
        ),
    }
