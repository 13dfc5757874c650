"""``navviz diagnose influence``: which words of an instruction mattered, for one episode or on
average over a run.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.options import (
    Blind,
    Episode,
    EpisodeFile,
    Format,
    Graphs,
    Llm,
    Navigator,
    Run,
    Yes,
)
from navviz.cli.output import Form, add_command, columns_of, print_records
from navviz.errors import SettingsError
from navviz.support.notes import note, tell, warn

if TYPE_CHECKING:
    from collections.abc import Callable

    from navviz import records
    from navviz.analysis.influence import ChangeEffect, Effect, Hidden, WordInfluence
    from navviz.llm.base import LanguageModel
    from navviz.metrics.intervals import Interval
    from navviz.runs.opened import OpenRun

_Mask = Annotated[
    bool, typer.Option("--mask", help="Mask phrases and landmarks instead of leaving them out.")
]
_Limit = Annotated[
    int, typer.Option("--limit", min=1, help="How many episodes of the run, the first ones.")
]

_FIGURES = ("success", "error_m", "change_m", "parted_at", "parted_after_m")
_MEANS = ("other_path", "success", "error_m")


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "influence",
        _influence,
        "Say which words of an instruction mattered.",
        "navviz diagnose influence runs/mine 1",
        "navviz diagnose influence runs/mine --limit 2 --format csv",
    )


def _influence(
    run: Run,
    episode: Episode = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    navigator: Navigator = None,
    llm: Llm = None,
    limit: _Limit = 50,
    form: Format = Form.TABLE,
    *,
    blind: Blind = False,
    mask: _Mask = False,
    yes: Yes = False,
) -> None:
    from navviz.analysis.influence import influence_of, mean_effects
    from navviz.cli.options import open_named
    from navviz.llm.registry import close_model
    from navviz.metrics.intervals import interval_columns
    from navviz.runs.marks import walk_marks

    _, opened = open_named(run, graphs, episodes=episode_file)
    keys = [episode] if episode is not None else list(opened.traces)[:limit]
    # the rules for streets or those for houses, by the run's first episode
    frame = opened.graph(opened.trace(keys[0]).episode.id).frame if keys else "geo"
    name = navigator or ("rules" if frame == "geo" else "rules-indoors")
    walk, model = _walker(name, llm, blind=blind)
    if llm is not None and not yes:
        _ask_first(opened, keys, mask=mask)
    influences = []
    try:
        for key in keys:
            graph = opened.graph(key)
            of = opened.trace(key).episode
            hidden: Hidden = "mask" if mask else "leave out"
            influences.append(influence_of(of, graph, partial(walk, graph), hidden))
            if episode is None:
                note(f"{len(influences)} of {len(keys)} episodes")
    finally:
        close_model(model)
    walks: list[records.Trace] = []
    for each in influences:
        walks += [each.trace, *(effect.trace for effect in each.effects)]
    marks = " ".join(mark.sentence for mark in walk_marks(walks)) or None
    if marks is not None:
        warn([marks])
    if episode is not None:
        _print(influences[0], form, marks)
        return
    rows = mean_effects(influences)
    if form is Form.TABLE:
        typer.echo("Means over variants, with 95 % intervals that are drawn by whole episodes:")
    columns = ("change", "variants", "episodes", *chain(*map(interval_columns, _MEANS)), "marks")
    records = [_mean_record(row) | {"marks": marks} for row in rows]
    print_records(form, columns, records, map(_mean_line, rows), marks or "")


def _walker(
    name: str, llm: str | None, *, blind: bool
) -> tuple[Callable[[Any, records.Episode], records.Trace], LanguageModel | None]:
    """Return what walks an episode on a graph, and the model to close."""
    from navviz.analysis.influence import walk_once
    from navviz.llm.registry import make_model
    from navviz.systems.base import asks_model
    from navviz.systems.registry import get_navigator, settings_from

    navigator = get_navigator(name)
    settings = settings_from(navigator, {"blind": True} if blind else None)
    if asks_model(navigator, settings) and llm is None:
        raise SettingsError(f"{name} asks a language model; name one with --llm.")
    model: LanguageModel | None = make_model(llm) if llm is not None else None
    return lambda graph, episode: walk_once(navigator, episode, graph, model, settings), model


def _ask_first(opened: OpenRun, keys: list[str], *, mask: bool) -> None:
    """Say what the walks will cost, by what they cost in the run, and ask."""
    from navviz.analysis.influence import estimated_cost, instruction_variants
    from navviz.llm.prices import about_usd

    walks, tokens, is_known = 0, 0, True
    usd: float | None = 0.0
    for key in keys:
        trace = opened.trace(key)
        # one more, since the whole instruction is walked too
        count = 1 + len(
            instruction_variants(trace.episode, opened.graph(key), "mask" if mask else "leave out")
        )
        cost = estimated_cost(trace, count)
        walks, is_known = walks + count, is_known and cost.tokens is not None
        tokens += cost.tokens or 0
        usd = None if usd is None or cost.usd is None else usd + cost.usd
    about = (
        f"about {tokens:,} tokens, {about_usd(usd)} by what this run cost"
        if is_known
        else "at a cost that this run does not state"
    )
    # asked on stderr, since stdout holds the result alone
    typer.confirm(f"{walks} walks, {about}. Go on?", abort=True, err=True)


def _print(influence: WordInfluence, form: Form, marks: str | None) -> None:
    from navviz.analysis.influence import InstructionVariant

    if form is Form.TABLE:
        ended = "" if influence.error_m is None else f", {influence.error_m:.0f} m from the goal"
        tell(f"The whole instruction: {_outcome(influence.success)}{ended}.")
    records, lines = [], []
    for effect in sorted(influence.effects, key=lambda each: -influence.weight(each)):
        weight = influence.weight(effect)
        figures = {name: getattr(effect, name) for name in _FIGURES}
        records.append(asdict(effect.variant) | figures | {"weight": weight, "marks": marks})
        lines.append(f"{weight:4.2f}  {effect.variant.description}: {_did(effect)}")
    columns = (*columns_of(InstructionVariant), *_FIGURES, "weight", "marks")
    print_records(form, columns, records, lines, marks or "")


def _did(effect: Effect) -> str:
    if effect.same_path:
        return "the same walk"
    ended = "" if effect.change_m is None else f", {effect.change_m:+.0f} m"
    return f"{_outcome(effect.success)}{ended}; parts after {effect.parted_after_m:.0f} m"


def _outcome(success: bool | None) -> str:
    return {True: "success", False: "failure", None: "outcome not known"}[success]


def _mean_record(row: ChangeEffect) -> dict[str, Any]:
    from navviz.metrics.intervals import interval_record

    record: dict[str, Any] = {
        "change": row.change,
        "variants": row.variants,
        "episodes": row.episodes,
    }
    for name in _MEANS:
        record |= interval_record(name, getattr(row, name))
    return record


def _mean_line(row: ChangeEffect) -> str:
    success = _with_ends(row.success, 100, "+.1f", " points")
    error = _with_ends(row.error_m, 1, "+.1f", " m")
    return (
        f"{row.change}: {row.variants} variants in {row.episodes} episodes; other walk"
        f" {_with_ends(row.other_path, 100, '.0f', ' %')}; success {success}; navigation error"
        f" {error}"
    )


def _with_ends(interval: Interval | None, scale: int, form: str, unit: str) -> str:
    if interval is None:
        return "–"
    mean = f"{scale * interval.mean:{form}}{unit}"
    if interval.low is None or interval.high is None:
        return mean
    return f"{mean} [{scale * interval.low:{form}}, {scale * interval.high:{form}}]"
