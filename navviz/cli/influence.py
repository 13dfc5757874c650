"""``navviz influence``: which words of an instruction mattered, for one episode or on average over
a run.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.ending import with_exit_code
from navviz.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from navviz.analysis.influence.effects import Effect, WordInfluence
    from navviz.analysis.influence.variants import Hidden
    from navviz.llm.base import LanguageModel
    from navviz.records import Episode, Trace
    from navviz.runs.opened import OpenRun

_Run = Annotated[
    str,
    typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several."),
]
_Episode = Annotated[
    str | None, typer.Argument(help="One episode; without it the mean effects over the run.")
]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Navigator = Annotated[
    str | None, typer.Option("--navigator", help="Who walks; rules where not given.")
]
_Llm = Annotated[str | None, typer.Option("--llm", help="Model, for navigators that ask one.")]
_Mask = Annotated[
    bool, typer.Option("--mask", help="Mask phrases and landmarks instead of leaving them out.")
]
_Limit = Annotated[
    int, typer.Option("--limit", min=1, help="How many episodes of the run, the first ones.")
]
_Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before a model is called.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("influence", help="Say which words of an instruction mattered.")(
        with_exit_code(_influence)
    )


def _influence(
    run: _Run,
    episode: _Episode = None,
    graphs: _Graphs = None,
    navigator: _Navigator = None,
    llm: _Llm = None,
    limit: _Limit = 50,
    *,
    mask: _Mask = False,
    yes: _Yes = False,
    as_json: _Json = False,
) -> None:
    from navviz.analysis.influence.effects import influence_of, mean_effects
    from navviz.cli.named_run import open_named

    _, opened = open_named(run, graphs)
    keys = [episode] if episode is not None else list(opened.traces)[:limit]
    frame = opened.graph(opened.trace(keys[0]).episode.id).frame if keys else "geo"
    walk = _walker(navigator or ("rules" if frame == "geo" else "rules-indoors"), llm)
    if llm is not None and not yes:
        _ask_first(opened, keys, mask=mask)
    influences = []
    for key in keys:
        graph = opened.graph(key)
        of = opened.trace(key).episode
        hidden: Hidden = "mask" if mask else "leave out"
        influences.append(influence_of(of, graph, partial(walk, graph), hidden))
        if episode is None:
            typer.echo(f"{len(influences)} of {len(keys)} episodes", err=True)
    if episode is not None:
        _tell(influences[0], as_json=as_json)
        return
    for row in mean_effects(influences):
        typer.echo(json.dumps(asdict(row)) if as_json else _mean_line(asdict(row)))


def _walker(name: str, llm: str | None) -> Callable[[Any, Episode], Trace]:
    """Return what walks an episode on a graph."""
    from navviz.analysis.influence.effects import walk_once
    from navviz.llm.registry import make_model
    from navviz.systems.base import asks_model
    from navviz.systems.registry import get_navigator, settings_from

    navigator = get_navigator(name)
    settings = settings_from(navigator)
    if asks_model(navigator, settings) and llm is None:
        raise SettingsError(f"{name} asks a language model; name one with --llm.")
    model: LanguageModel | None = make_model(llm) if llm is not None else None
    return lambda graph, episode: walk_once(navigator, episode, graph, model, settings)


def _ask_first(opened: OpenRun, keys: list[str], *, mask: bool) -> None:
    """Say what the walks will cost, by what they cost in the run, and ask."""
    from navviz.analysis.influence.effects import estimated_cost
    from navviz.analysis.influence.variants import instruction_variants

    walks, tokens, usd, is_known = 0, 0, 0.0, True
    for key in keys:
        trace = opened.trace(key)
        count = 1 + len(
            instruction_variants(trace.episode, opened.graph(key), "mask" if mask else "leave out")
        )
        cost = estimated_cost(trace, count)
        walks, is_known = walks + count, is_known and cost.tokens is not None
        tokens, usd = tokens + (cost.tokens or 0), usd + (cost.usd or 0.0)
    about = (
        f"about {tokens:,} tokens, ${usd:.2f} by what this run cost"
        if is_known
        else "at a cost that this run does not tell"
    )
    typer.confirm(f"{walks} walks, {about}. Go on?", abort=True, err=True)


def _tell(influence: WordInfluence, *, as_json: bool) -> None:
    if not as_json:
        ended = "" if influence.error_m is None else f", {influence.error_m:.0f} m from the goal"
        typer.echo(f"The whole instruction: {_outcome(influence.success)}{ended}.")
    for effect in sorted(influence.effects, key=lambda each: -influence.weight(each)):
        weight = influence.weight(effect)
        typer.echo(
            _record(effect, weight)
            if as_json
            else f"{weight:4.2f}  {effect.variant.told}: {_did(effect)}"
        )


def _did(effect: Effect) -> str:
    if effect.same_path:
        return "the same walk"
    ended = "" if effect.change_m is None else f", {effect.change_m:+.0f} m"
    return f"{_outcome(effect.success)}{ended}; parts after {effect.parted_after_m:.0f} m"


def _outcome(success: bool | None) -> str:
    return {True: "success", False: "failure", None: "outcome not known"}[success]


def _record(effect: Effect, weight: float) -> str:
    names = ("success", "error_m", "change_m", "parted_at", "parted_after_m")
    figures = {name: getattr(effect, name) for name in names}
    return json.dumps(asdict(effect.variant) | figures | {"weight": weight}, ensure_ascii=False)


def _mean_line(row: dict[str, Any]) -> str:
    success = "–" if row["success"] is None else f"{100 * row['success']:+.1f} points"
    error = "–" if row["error_m"] is None else f"{row['error_m']:+.1f} m"
    return (
        f"{row['change']}: {row['variants']} variants in {row['episodes']} episodes; other walk "
        f"{100 * row['other_path']:.0f} %; success {success}; navigation error {error}"
    )
