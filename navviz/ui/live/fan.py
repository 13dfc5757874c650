"""*Samples and models*: the form of several walks at once, and what they have come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from navviz.analysis.stability import stability
from navviz.errors import SettingsError
from navviz.llm.prices import LIST_PRICES
from navviz.llm.registry import check_model_name
from navviz.metrics.intervals import Interval
from navviz.metrics.registry import format_value, is_near_radius
from navviz.records import Call, Step, Trace
from navviz.records.base import plural
from navviz.runner.fork import MOST_WALKS, FanFigures, fan_figures, own_calls, runs_of
from navviz.systems.base import Settings
from navviz.ui.components.browser import clickable
from navviz.ui.components.plain import plain
from navviz.ui.components.run_form import ModelChoice, show_refusal
from navviz.ui.components.widgets import BOUND, show_table
from navviz.ui.data import cache
from navviz.ui.live.chosen import Setting, Shown, known_run, live_folder, live_runs
from navviz.ui.server import audit
from navviz.ui.state.session import current, set_widget, widget
from navviz.views.compare import outcome_words, usage_in_words, variant_words
from navviz.views.figures.bundle import bundle_svg

_PARAMETER = "fan"
_TICK_S = 1.0
_SIDE_BY_SIDE = 4
_NODE = 10
"""Characters of a node's id: those of OpenStreetMap have ten, of Matterport3D 32."""
_KINDS = ("gemini:", "openai:")
_SPREAD = "over the walks, with its interval of 95 %; none where all are alike"


@dataclass(frozen=True, slots=True)
class FanForm:
    """How many walks are wanted."""

    samples: int
    models: tuple[ModelChoice | None, ...]
    """The chosen model first; ``None`` for a navigator that asks none."""

    @property
    def walks(self) -> int:
        """Number of walks, one for an ordinary run."""
        return self.samples * len(self.models)


def form(settings: Settings, model: ModelChoice | None) -> FanForm:
    """Ask for samples and further models; one walk where neither would differ."""
    if model is None and not hasattr(settings, "seed"):
        return FanForm(1, (None,))
    with st.expander("Samples and models", icon=":material/call_split:", key="live_fan_form"):
        samples = st.number_input(
            "Walks by each model" if model is not None else "Walks, each with another seed",
            min_value=1,
            max_value=10,
            value=1,
            key="live_fan_samples",
            **BOUND,
        )
        more = [] if model is None else _more_models(model)
    made = FanForm(int(samples), (model, *more))
    if made.walks > MOST_WALKS:
        st.caption(f"At most {MOST_WALKS} walks at once; a batch takes more.")
        return FanForm(1, (model,))
    if made.walks > 1 and current().live.breakpoints:
        st.caption("Several walks at once pause nowhere; breakpoints hold for one.")
    return made


def _more_models(model: ModelChoice) -> list[ModelChoice]:
    kind = model.name.partition(":")[0]
    listed = [name for name in LIST_PRICES if name not in model.name]
    names = st.multiselect(
        "Also ask",
        listed,
        key="live_fan_models",
        accept_new_options=True,
        max_selections=5,
        placeholder="Other models",
        help=(
            "Models of the same provider by their names; others as gemini:MODEL or"
            " openai:MODEL@ADDRESS."
        ),
        persist_state="session",
        on_change=_take_models,
    )
    show_refusal("live_fan_models")
    return [replace(model, name=_full_name(str(name), kind, model.name)) for name in names]


def _take_models() -> None:
    """Take no name that holds a key, or an address that this server does not ask."""
    taken = []
    current().refused_texts.pop("live_fan_models", None)
    for name in map(str, widget("live_fan_models", ())):
        try:
            check_model_name(name if name.startswith(_KINDS) else f"openai:{name}")
            taken.append(name)
        except SettingsError as error:
            current().refused_texts["live_fan_models"] = str(error)
    set_widget("live_fan_models", taken)


def _full_name(name: str, kind: str, chosen: str) -> str:
    """Write a model's name with its kind, and with the address of the server that is chosen."""
    if name.startswith(_KINDS):
        return name
    address = chosen.partition("@")[2]
    return f"{kind}:{name}@{address}" if address else f"{kind}:{name}"


def choose(fan: str) -> None:
    """Show a fan."""
    st.query_params[_PARAMETER] = fan


def show(of: Setting) -> None:
    """Show the fan that the address names, as far as whoever looks may open its walks."""
    fan = st.query_params.get(_PARAMETER)
    if not fan:
        return
    runs = runs_of(fan, live_folder())
    walks = _walks(of, runs)
    if not walks:
        return
    running = _running(runs)
    st.fragment(_tick, run_every=_TICK_S if running else None)(of, fan, ticks=running)


def _walks(of: Setting, runs: Sequence[str]) -> list[Shown]:
    walks = []
    for name in runs:
        shown = known_run(name)
        if shown is not None and shown.episode.id == of.episode.id:
            walks.append(shown)
    return walks


def _running(runs: Sequence[str]) -> bool:
    lives = [live_runs().get(name) for name in runs]
    return any(live is not None and live.running for live in lives)


def _tick(of: Setting, fan: str, *, ticks: bool) -> None:
    runs = runs_of(fan, live_folder())
    walks, running = _walks(of, runs), _running(runs)
    with st.container(border=True, key="live_fan"):
        done = sum(walk.trace.end is not None for walk in walks)
        calls: list[Call] = []
        for walk in walks:
            calls += own_calls(walk.trace)
        badge = ":blue-badge[:material/sync: Running]" if running else ":green-badge[Done]"
        parts = [f"{done} of {plural(len(runs), 'walk')}"]
        if calls:
            parts.append(usage_in_words(calls))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(badge, width="content")
            st.text(" · ".join(parts), width="content")
            if running:
                st.button(
                    "Stop all",
                    icon=":material/stop:",
                    key="live_fan_stop",
                    type="tertiary",
                    on_click=_stop,
                    args=(tuple(runs),),
                )
        _change(of, walks[0].trace)
        by_model: dict[str, list[tuple[Trace, dict[str, float | None]]]] = {}
        for walk in walks:
            name = walk.trace.header.model or walk.trace.header.navigator
            # a walk that goes on has no score yet
            scores = cache.scores(walk.trace, of.graph) if walk.trace.end is not None else {}
            by_model.setdefault(name, []).append((walk.trace, dict(scores)))
        near = is_near_radius(of.episode.success_radius_m)
        rows = [_row(fan_figures(name, own), near=near) for name, own in by_model.items()]
        show_table(
            rows,
            "Figures of each model's walks",
            {
                "SR": st.column_config.TextColumn(help="Success rate with its interval of 95 %."),
                "NE": st.column_config.TextColumn(help=f"Mean navigation error {_SPREAD}."),
                "SPL": st.column_config.TextColumn(help=f"Mean SPL {_SPREAD}."),
                "Ends": st.column_config.NumberColumn(help="Places at which the walks ended."),
            },
            key="live_fan_table",
            placeholder="–",
        )
        _map(of, [walk.trace for walk in walks if len(walk.trace.path) > 1])
        _replies(walks)
    if running != ticks:
        st.rerun()  # the page starts or drops the timer


def _change(of: Setting, first: Trace) -> None:
    """Say what all these walks have in common that the original has not, and how that ended."""
    origin = first.header.forked_from
    if of.old is None or (origin is None and first.episode.instruction == of.episode.instruction):
        return
    words = [] if origin is None else [f"Forked at step {origin.step}"]
    words.append(f"changed: {variant_words(of.old, first)}")
    before = outcome_words(of.old, cache.scores(of.old, of.graph))
    words.append(f"before ({of.old_name}): {before}")
    st.caption(plain(" · ".join(words)))


def _stop(runs: tuple[str, ...]) -> None:
    for name in runs:
        live = live_runs().get(name)
        if live is not None:
            live.stop()
    # a walk's run is FAN-mMODEL-sSAMPLE: the audit names the fan, once
    audit.note("stopped", runs[0].rpartition("-m")[0])


def _map(of: Setting, traces: Sequence[Trace]) -> None:
    """Draw all paths on one map: the wider a way, the more walks take it."""
    if len(traces) < 2:
        st.caption("The map of all paths comes with the second walk.")
        return
    spread = stability(traces)
    rings = []
    for junction in spread.junctions:
        ways = ", ".join(f"{after} ({count})" for after, count in junction.choices)
        rings.append((junction.node, junction.bits, ways))
    reference = of.episode.reference_path
    svg = bundle_svg(of.graph, spread.links, spread.walks, rings, reference)
    clickable("fan", svg, key="live_fan_map")
    st.caption(
        f"Same path in {100 * spread.same_path:.0f} % of the pairs, same end in"
        f" {100 * spread.same_end:.0f} %. The wider a line, the more walks; rings: where they part;"
        " dashed: the reference path."
    )


def _with_ends(name: str, mean: Interval | None, *, near: bool) -> str:
    """Write a mean with its interval, which walks that are all alike do not have."""
    if mean is None:
        return "–"
    value = format_value(name, mean.mean, near=near)
    if mean.low is None or mean.low == mean.high:
        return value
    low, high = (format_value(name, end, near=near) for end in (mean.low, mean.high))
    return f"{value} ({low} to {high})"


def _row(figures: FanFigures, *, near: bool) -> dict[str, object]:
    success = figures.success
    rate = "–"
    if success is not None:
        rate = f"{100 * success.mean:.0f} %"
        if success.low is not None and success.high is not None:
            rate += f" ({100 * success.low:.0f} to {100 * success.high:.0f})"
    cost = "not known" if figures.cost_usd is None else f"${figures.cost_usd:.4f}"
    return {
        "Model": figures.model.partition("@")[0],
        "n": figures.walks,
        "SR": rate,
        "NE": _with_ends("NE", figures.error_m, near=near),
        "SPL": _with_ends("SPL", figures.spl, near=near),
        "Ends": figures.ends,
        "Tokens": figures.tokens,
        "Cost": cost,
    }


def _replies(walks: Sequence[Shown]) -> None:
    """Show what several walks answered in the same step, side by side."""
    replied = [walk for walk in walks if walk.trace.steps and walk.trace.calls]
    if not replied:
        return
    names = {walk.name: _short(walk) for walk in replied}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        longest = max(walk.trace.steps[-1].index for walk in replied)
        step = st.number_input("Step", 1, longest, 1, key="live_fan_step", width=110)
        chosen = st.multiselect(
            "Replies of",
            list(names),
            default=list(names)[:_SIDE_BY_SIDE],
            format_func=names.__getitem__,
            max_selections=_SIDE_BY_SIDE,
            # walks come in one by one: another key takes a new one into the default choice
            key=f"live_fan_replies_{len(names)}",
        )
    shown = [walk for walk in replied if walk.name in chosen]
    if not shown:
        return
    for column, walk in zip(st.columns(len(shown)), shown, strict=True):
        with column:
            st.caption(plain(names[walk.name]))
            _reply(walk.trace.step_at(step))


def _short(walk: Shown) -> str:
    sample = walk.name.rpartition("-s")[2]
    model = (walk.trace.header.model or walk.trace.header.navigator).partition("@")[0]
    return f"{model} · {sample}"


def _reply(step: Step | None) -> None:
    if step is None or not step.calls:
        st.text("The walk has no such step.")
        return
    decision = step.decision
    if decision is not None:
        target = "stop" if decision.stop else (decision.target or "no move")[:_NODE]
        st.text(f"→ {target}" if decision.legal else f"→ {target}, not legal")
    st.code(step.calls[-1].reply or step.calls[-1].error or "", language=None, wrap_lines=True)
