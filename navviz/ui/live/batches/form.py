"""The form of a new batch: which episodes, who walks, within which limits."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st
from pydantic import SecretStr

from navviz.errors import InputError, SettingsError
from navviz.llm.addresses import ADDRESSES_VARIABLE, KEY_VARIABLES, Provider
from navviz.llm.registry import close_model
from navviz.records import Episode
from navviz.records.base import plural
from navviz.runner import Budget
from navviz.runner.batches import Batch, check_name, free_name
from navviz.runner.plan import BatchPlan
from navviz.runner.recorded_walker import RecordedWalker, recorded_walker
from navviz.runner.walking import check_plan
from navviz.runs.opened import OpenRun, workspace_dir
from navviz.runs.owners import claim
from navviz.runs.sources import samples
from navviz.support.installation.serving import require
from navviz.systems.base import Navigator, asks_model, declares_views
from navviz.systems.prompts import SETTING as PROMPT
from navviz.systems.registry import get_navigator, navigators_for, settings_from, staged_name
from navviz.ui.components import run_form
from navviz.ui.components.neighbours import list_table, tell_removed, wait_for_list
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.server import audit
from navviz.ui.server.identity import account, ownership
from navviz.ui.server.limits import most_workers, share, turns
from navviz.ui.state import shell, state
from navviz.ui.state.session import current, set_widget

PILOT = 3
"""Episodes of a pilot: enough to see a spread, and a few cents."""
_ALL, _FILTERED, _FAILURES, _SAMPLE = "all", "filtered", "failures", "sample"
_FIRST = "rules"
_WORKERS = 256


@dataclass(frozen=True, slots=True)
class ChosenEpisodes:
    """Episodes of a new batch, and what they are in words."""

    episodes: Sequence[Episode]
    words: str
    tail: str
    """Ends the run's name."""


def form(run: OpenRun) -> str | None:
    """Ask for a new batch over episodes of a run, and start it; returns its name once it is
    started.
    """
    st.markdown("**New batch**")
    chosen = episodes(run)
    if not chosen.episodes:
        st.caption("No episode is left; clear a filter in Explore.")
        return None
    # the rules come first, those that need a model last
    frame = run.graph(chosen.episodes[0].id).frame
    order = sorted(
        navigators_for(frame), key=lambda each: (not each.name.startswith(_FIRST), each.needs_model)
    )
    names = [navigator.name for navigator in order]
    if chosen.episodes[0].tasks:
        names = [*(staged_name(name) for name in names if name != "mgdm"), *names]
    _begin_as_walked(run, names)
    name = st.selectbox(
        "Navigator",
        names,
        key="batches_navigator",
        persist_state="session",
    )
    navigator = get_navigator(name)
    shell.broken_plugins()
    # places first: the settings below decide whether a model is asked, and the model stands above
    # them
    model_place, button_place = st.container(), st.container()
    with st.expander("Settings", icon=":material/tune:", key="batches_settings"):
        st.caption(plain(navigator.summary))
        typed = st.text_input(
            "Name",
            key="batches_name",
            placeholder=_suggested(navigator, run, chosen),
            help="Of the new run.",
        )
        workers, samples = _ask_size()
        values = run_form.settings_form(
            navigator.settings_type,
            f"batches_set_{name}",
            may_be_blind=declares_views(navigator),
        )
        values |= _prompt_as_walked(run, navigator)
    with model_place:
        model, budget, borrowed = _model(navigator, values)
    with button_place:
        pressed = _start_button(len(chosen.episodes), asks=model is not None)
    if not pressed:
        return None
    plan = _plan(run, chosen, navigator, values, model, budget)
    plan = plan.model_copy(
        update={"samples": samples, "workers": workers, "borrow_tokens": borrowed}
    )
    wanted = check_name(typed) if typed.strip() else _suggested(navigator, run, chosen)
    return _started(plan, wanted, chosen.episodes, model)


def _begin_as_walked(run: OpenRun, names: Sequence[str]) -> None:
    """Fill the form in once for each run as the run was walked, where that asks no model; else
    offer to.
    """
    walker = _recorded(run)
    if walker is None or not walker.is_here or walker.navigator not in names:
        return
    navigator = get_navigator(walker.navigator)
    is_begun = current().live.batch_as == run.name
    if not is_begun and not asks_model(navigator, settings_from(navigator, walker.settings)):
        _fill(run.name, walker)
    elif not is_begun:
        st.button(
            "As it was walked",
            icon=":material/history:",
            key="batches_as_walked",
            type="tertiary",
            help=plain(f"Navigator, settings and model of {run.name}."),
            on_click=_fill,
            args=(run.name, walker),
        )
    elif walker.sentence:
        st.info(plain(walker.sentence), icon=":material/info:")


def _recorded(run: OpenRun) -> RecordedWalker | None:
    """Return who walked the run; ``None`` where nobody did."""
    key = next(iter(run.traces), None)
    if key is None or run.source.results is None:
        return None
    try:
        return recorded_walker(run.trace(key), run.source.results)
    except InputError:
        return None  # a damaged trace is told where it is opened


def _prompt_as_walked(run: OpenRun, navigator: Navigator) -> dict[str, Any]:
    """Return the prompt that the run was walked with, where the form was filled in as it was."""
    walker = _recorded(run) if current().live.batch_as == run.name else None
    if walker is None or walker.navigator != navigator.name or not walker.settings.get(PROMPT):
        return {}
    return {PROMPT: walker.settings[PROMPT]}


def _fill(run: str, walker: RecordedWalker) -> None:
    current().live.batch_as = run
    navigator = get_navigator(walker.navigator)
    set_widget("batches_navigator", navigator.name)
    prefix = f"batches_set_{navigator.name}"
    run_form.fill_settings(navigator.settings_type, prefix, walker.settings)
    run_form.fill_model(walker.model, walker.model_options)


def _ask_size() -> tuple[int, int]:
    """Ask how many episodes are walked at a time, and how often each."""
    workers = st.number_input(
        "Workers",
        min_value=1,
        max_value=most_workers() or _WORKERS,
        value=first_workers(),
        key="batches_workers",
        help="Episodes at the same time.",
    )
    samples = st.number_input(
        "Walks an episode",
        min_value=1,
        max_value=20,
        value=1,
        key="batches_samples",
        help=(
            "Each further walk is a run of its own (NAME-sample-2 ...), never mixed with the"
            " first tries."
        ),
    )
    return int(workers), int(samples)


def start_sample() -> str:
    """Start a batch of the rules over the episodes of the bundled town; returns its name."""
    run = cache.open_run(samples()[0])
    every = [outline.episode for outline in run.outlines.values()]
    chosen = ChosenEpisodes(every, f"{len(every)} episodes of {run.name}", "")
    navigator = get_navigator(_FIRST)
    plan = _plan(run, chosen, navigator, {}, None, None)
    plan = plan.model_copy(update={"workers": first_workers()})
    return _started(plan, _suggested(navigator, run, chosen), every, None)


def _start_button(count: int, *, asks: bool) -> bool:
    """Show the button, and below it what a press does."""
    label, icon = "Start", ":material/play_arrow:"
    text = f"Walks {plural(count, 'episode')}. Costs nothing."
    if asks:
        label, icon = "Estimate the cost", ":material/savings:"
        text = f"Walks {PILOT} episodes first, and estimates what all {count} will cost."
    pressed = st.button(label, type="primary", icon=icon, key="batches_start", width="stretch")
    st.caption(plain(text))
    return pressed


def first_workers() -> int:
    """Return how many episodes are walked at a time where nobody says."""
    return min(4, os.cpu_count() or 1, most_workers() or _WORKERS)


def episodes(run: OpenRun, prefix: str = "batches", first: str | None = None) -> ChosenEpisodes:
    """Ask which episodes: all, those of Explore's filters, the failures, or a sample.

    `prefix` begins the keys of the widgets; `first` is chosen at first where it is offered.
    """
    wait_for_list(run)
    table = list_table(run)
    tell_removed()
    shown = state.episode_list().apply(table)
    failed = shown[shown["outcome"] == "failure"]
    filtered = state.episode_list().filtered
    counts = {_ALL: len(table)} | ({_FILTERED: len(shown)} if filtered else {})
    counts |= {_FAILURES: len(failed)} if len(failed) else {}
    standard = _FILTERED if filtered else _ALL
    kind = st.pills(
        "Episodes",
        [*counts, _SAMPLE],
        default=first if first in counts else standard,
        # another key for other choices: the remembered one may be missing among them
        key=f"{prefix}_episodes_{filtered}_{len(failed) > 0}",
        required=True,
        format_func=lambda each: f"{each} {counts[each]}" if each in counts else each,
        help=(
            "Filtered: those that Explore's filters leave, in its order. Failures and a sample are"
            " taken from these."
        ),
    )
    pool = shown if filtered else table
    if kind == _SAMPLE:
        return _sample(run, pool, prefix)
    rows = {_ALL: table, _FILTERED: shown, _FAILURES: failed}[str(kind)]
    noun = "episodes"
    if kind == _FAILURES:
        noun = "failures"
    elif kind == _FILTERED:
        noun = state.episode_list().noun(len(rows))
    words = f"{len(rows)} {noun} of {run.name}"
    return ChosenEpisodes(
        _episodes_of(run, rows), words, "" if kind == _ALL else f"-{noun.split()[-1]}"
    )


def _sample(run: OpenRun, pool: pd.DataFrame, prefix: str) -> ChosenEpisodes:
    with st.container(horizontal=True):
        count = st.number_input(
            "How many", 1, max(1, len(pool)), min(20, len(pool)) or 1, key=f"{prefix}_sample"
        )
        seed = st.number_input(
            "Seed", 0, None, 0, key=f"{prefix}_seed", help="The same seed draws the same episodes."
        )
    drawn = random.Random(int(seed)).sample(range(len(pool)), min(int(count), len(pool)))  # noqa: S311 - no secret
    # walked in the order of the list
    rows = pool.iloc[sorted(drawn)]
    return ChosenEpisodes(
        _episodes_of(run, rows),
        f"a sample of {len(rows)} (seed {int(seed)}) of {run.name}",
        f"-sample{len(rows)}",
    )


def _episodes_of(run: OpenRun, rows: pd.DataFrame) -> list[Episode]:
    return [run.outlines[key].episode for key in rows["episode"].astype(str)]


def _model(
    navigator: Navigator, values: dict[str, Any]
) -> tuple[run_form.ModelChoice | None, Budget | None, int | None]:
    """Model, budget and tokens that a visitor lends, where the chosen settings ask a model."""
    with shell.guard():
        if asks_model(navigator, settings_from(navigator, values)):
            label = run_form.model_label()
            with st.popover(
                label, icon=":material/smart_toy:", key="batches_model", width="stretch"
            ):
                return run_form.model_form(), run_form.budget_form(), _borrowed()
    return None, None, None


def _borrowed() -> int | None:
    """Ask how much of a visitor's share is lent to the batch; ``None`` where nobody limits it."""
    payer = share()
    if payer is None:
        return None
    left = payer.left() or 0
    tokens = st.number_input(
        "Tokens lent to this batch",
        min_value=0,
        value=left // 2,
        step=1000,
        key="batches_borrow",
        help=(
            "At most, each time it goes on. What it has not used when it pauses or ends comes back"
            " to your share."
        ),
    )
    return int(tokens)


def _suggested(navigator: Navigator, run: OpenRun, chosen: ChosenEpisodes) -> str:
    text = re.sub(r"[^\w.-]+", "-", f"{navigator.name}-{run.name}{chosen.tail}").strip("-.")
    return free_name(workspace_dir() / "runs", text[:70])


def _plan(
    run: OpenRun,
    chosen: ChosenEpisodes,
    navigator: Navigator,
    values: dict[str, Any],
    model: run_form.ModelChoice | None,
    budget: Budget | None,
) -> BatchPlan:
    if model is not None:
        close_model(model.make())  # a wrong name or a missing key is told here
    options = (
        model.options.model_dump(mode="json", exclude_defaults=True) if model is not None else {}
    )
    return BatchPlan(
        # named when it is started
        run="",
        navigator=navigator.name,
        settings=settings_from(navigator, values).model_dump(mode="json"),
        model=model.name if model is not None else None,
        model_options=options,
        graphs=tuple(str(path.resolve()) for path in run.source.graphs),
        episodes=str(run.source.episodes.resolve()) if run.source.episodes is not None else None,
        budget_usd=budget.usd if budget is not None else None,
        budget_tokens=budget.tokens if budget is not None else None,
        chosen=chosen.words,
        compare_with=run.name if run.source.results is not None else None,
    )


def _started(
    plan: BatchPlan, name: str, walked: Sequence[Episode], model: run_form.ModelChoice | None
) -> str:
    require("batches")
    root = workspace_dir() / "runs"
    if (root / name).exists():
        raise SettingsError(f"There is a run {name} already; choose another name.")
    batch = Batch(root, plan.model_copy(update={"run": name}), walked)
    # before the folder is claimed: a plan that is refused leaves nothing behind
    check_plan(batch)
    turns().check_line(account() or "")
    claim(batch.folder, ownership())
    turns().start(
        batch,
        most_workers(),
        pilot=PILOT if model is not None and len(walked) > PILOT else 0,
        environment=key_environment(plan.model, model.key if model is not None else None),
    )
    audit.note("ran batch", name, episodes=len(walked), samples=plan.samples)
    return name


def key_environment(model: str | None, key: SecretStr | None) -> Mapping[str, str]:
    """Return the variables by which a batch's process gets a key that was typed in; it is written
    nowhere.
    """
    if model is None or key is None or not key.get_secret_value().strip():
        return {}
    provider: Provider = "gemini" if model.startswith("gemini:") else "openai"
    secrets = {KEY_VARIABLES[provider][0]: key.get_secret_value().strip()}
    address = model.partition("@")[2]
    if address:  # whoever typed both means the key for that address
        secrets[ADDRESSES_VARIABLE] = " ".join(
            [os.environ.get(ADDRESSES_VARIABLE, ""), address]
        ).strip()
    return secrets
