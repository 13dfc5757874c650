"""``navviz diagnose``: look for what is wrong with a navigator or its figures, before anybody
believes them.
"""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.ending import FAILED, with_exit_code
from navviz.cli.meaning import add_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from navviz.analysis.controls import Control, Controls
    from navviz.analysis.measures import Measure
    from navviz.metrics.intervals import Interval
    from navviz.records import Episode, Trace
    from navviz.runner.set_walker import SetWalker
    from navviz.systems.base import Navigator

_Navigator = Annotated[
    str, typer.Argument(help="Who walks: rules, rules-indoors-map, a baseline ...")
]
_Episodes = Annotated[Path, typer.Option("--episodes", help="Episode file.")]
_Graphs = Annotated[
    Path, typer.Option("--graphs", help="Graph folder (or the data set's folder that holds it).")
]
_Limit = Annotated[
    int | None, typer.Option("--limit", min=2, help="A seeded sample of so many episodes.")
]
_Seed = Annotated[
    int,
    typer.Option("--seed", help="Of the sample, the shuffled words and the other instructions."),
]
_Set = Annotated[
    list[str] | None, typer.Option("--set", help="Setting of the navigator, key=value. Repeatable.")
]
_Llm = Annotated[str | None, typer.Option("--llm", help="Model, for navigators that ask one.")]
_Workers = Annotated[
    int, typer.Option("--workers", min=1, max=256, help="Episodes at the same time.")
]
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Keep the walks of each control as a run in this folder."),
]
_Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before a model is called.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object.")]
_SHOWN = ("SR", "NE", "SPL")


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        no_args_is_help=True, help="Look for what is wrong with a navigator or its figures."
    )
    group.callback()(_group)
    group.command(
        "controls",
        help="Walk episodes with their instruction spoilt: what survives without reading?",
    )(with_exit_code(_controls))
    add_to(group)
    app.add_typer(group, name="diagnose")


def _group() -> None:
    """Keep the group a group, however many commands it has."""


def _controls(
    navigator: _Navigator,
    episodes: _Episodes,
    graphs: _Graphs,
    limit: _Limit = None,
    seed: _Seed = 0,
    settings: _Set = None,
    llm: _Llm = None,
    workers: _Workers = 1,
    out: _Out = None,
    *,
    yes: _Yes = False,
    as_json: _Json = False,
) -> None:
    from navviz.analysis.controls import CONTROLS, ControlSetup, controls_of
    from navviz.llm.registry import close_model
    from navviz.systems.base import asks_model

    with ExitStack() as stack:
        folder = out or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="navviz-controls-"))
        )
        walker = _walker(navigator, graphs, settings or [], llm, workers, folder)
        stack.callback(close_model, walker.llm)
        setup = ControlSetup(
            episodes=_chosen(walker, episodes, limit, seed),
            graph_of=walker.graph_of,
            walk=_ShownWalker(walker),
            seed=seed,
            asks_model=asks_model(walker.navigator, walker.settings),
        )
        if walker.llm is not None and not yes:
            walks = len(CONTROLS) * len(setup.episodes)
            typer.confirm(f"{walks} walks ask {walker.llm.name}. Go on?", abort=True, err=True)
        controls = controls_of(setup)
    if as_json:
        typer.echo(json.dumps(_document(walker, seed, controls), ensure_ascii=False))
    else:
        _print(walker.navigator, controls)
    if controls.leaks:
        raise typer.Exit(FAILED)


def _walker(
    name: str, graphs: Path, pairs: list[str], llm: str | None, workers: int, out: Path
) -> SetWalker:
    from navviz.cli.run import parsed_settings
    from navviz.errors import SettingsError
    from navviz.formats import open_worlds
    from navviz.llm.registry import make_model
    from navviz.runner.set_walker import SetWalker
    from navviz.systems.base import asks_model
    from navviz.systems.registry import get_navigator, settings_from

    navigator = get_navigator(name)
    settings = settings_from(navigator, parsed_settings(pairs)[0])
    asks = asks_model(navigator, settings)
    if asks and llm is None:
        raise SettingsError(f"{name} asks a language model; name one with --llm.")
    return SetWalker(
        navigator=navigator,
        settings=settings,
        graph_of=open_worlds(graphs),
        graphs=graphs,
        out=out,
        llm=make_model(llm) if asks and llm is not None else None,
        workers=workers,
    )


def _chosen(walker: SetWalker, file: Path, limit: int | None, seed: int) -> tuple[Episode, ...]:
    """Return a sample of the episodes that can be walked and judged, and name what is missing."""
    from navviz.analysis.controls import sample_of
    from navviz.cli.walked import warn
    from navviz.errors import NotFoundError
    from navviz.formats import open_episodes
    from navviz.runner.missing_worlds import missing_worlds

    episode_set = open_episodes(file)
    warn(str(problem) for problem in episode_set.problems.kept[:5])
    there = list(episode_set.episodes.values())
    missing = missing_worlds([walker.graphs], there, walker.graph_of)
    if len(missing.ids) == len(there):
        raise NotFoundError(missing.what, missing.do)
    if missing.episodes:
        warn([missing.sentence])
    judged = [episode for episode in there if episode.id not in missing.ids and episode.goal]
    return sample_of(judged, limit, seed)


class _ShownWalker:
    """Walks sets of episodes with a progress bar on stderr for each."""

    def __init__(self, walker: SetWalker) -> None:
        self._walker = walker

    def __call__(self, control: str, episodes: Sequence[Episode]) -> dict[str, Trace]:
        """Walk the episodes of a control."""
        from navviz.analysis.controls import CONTROLS
        from navviz.cli.console import Counting

        titles = {str(name): words for name, words in CONTROLS.items()}
        with Counting(f"{self._walker.navigator.name}, {titles[control]}", len(episodes)) as bar:
            walker = replace(
                self._walker, on_progress=lambda _done, _count, _outcome: bar.advance()
            )
            return walker(control, episodes)


def _print(navigator: Navigator, controls: Controls) -> None:
    from navviz.analysis.controls import CONTROLS
    from navviz.analysis.measures import measure
    from navviz.cli.console import print_table

    shown = [measure(name) for name in _SHOWN if name in controls.inference.means]
    head = ["control", "n"]
    for column in shown:
        head += [column.label, f"Δ {column.name}"]
    rows = [[CONTROLS[control], *_cells(controls, control, shown)] for control in controls.scores]
    notes = [_note(controls, control) for control in controls.scores]
    print_table([*head, "same walk"], rows, notes)
    for line in _sentences(navigator, controls):
        typer.echo(line)


def _cells(controls: Controls, control: Control, shown: list[Measure]) -> list[str]:
    cells = [str(len(controls.inference.comparison.episodes))]
    for column in shown:
        difference = controls.inference.difference(column.name, control)
        cells.append(_interval(column, controls.inference.means[column.name][control]))
        cells.append("" if difference is None else _interval(column, difference.interval, sign="+"))
    return [*cells, f"{controls.same_walks[control]} of {len(controls.scores[control].rows)}"]


def _interval(column: Measure, interval: Interval | None, sign: str = "") -> str:
    """Write a mean with its interval, in the column's unit."""
    if interval is None:
        return "–"
    mean = f"{interval.mean * column.scale:{sign}.{column.digits}f}"
    if interval.low is None or interval.high is None:
        return mean  # the episodes tell nothing of the spread
    low, high = [
        f"{end * column.scale:{sign}.{column.digits}f}" for end in (interval.low, interval.high)
    ]
    return f"{mean} [{low}, {high}]"


def _note(controls: Controls, control: Control) -> str:
    from navviz.analysis.controls import TRUE_TEXT

    parts = []
    total = len(controls.scores[control].rows)
    if control != TRUE_TEXT and 0 < controls.changed_texts[control] < total:
        parts.append(f"{controls.changed_texts[control]} texts changed")
    if controls.stayed[control]:
        parts.append(f"{controls.stayed[control]} ended at the start: nothing to follow")
    return "; ".join(parts)


def _sentences(navigator: Navigator, controls: Controls) -> list[str]:
    from navviz.analysis.controls import FALSE_REFERENCE, OTHER_TEXT, TRUE_TEXT
    from navviz.metrics.registry import format_value
    from navviz.systems.base import learned_from

    lines = [
        (
            "n: episodes that all controls walked; [95 % interval]; "
            "Δ: paired difference from the true text."
        )
    ]
    learned = learned_from(navigator)
    if learned is not None:
        lines.append(f"{navigator.name} has learned priors ({learned}).")
    if controls.surviving is not None:
        true, other = (
            format_value("SR", controls.mean(control, "SR")) for control in (TRUE_TEXT, OTHER_TEXT)
        )
        lines.append(
            f"Without reading: of {true} SR, {other} is reached with another episode's instruction "
            f"({100 * controls.surviving:.0f} % survives)."
        )
    elif OTHER_TEXT not in controls.scores:
        lines.append(
            "No episode has another one of its data set on another route, so no other instruction"
            " was tried."
        )
    count = len(controls.scores[FALSE_REFERENCE].rows)
    if controls.leaks:
        named = ", ".join(controls.leaks[:5]) + (" ..." if len(controls.leaks) > 5 else "")
        lines.append(
            f"LEAK: a false reference path changed {len(controls.leaks)} of {count} walks"
            f" ({named}): {navigator.name} looks at the reference."
        )
    else:
        lines.append(f"A false reference path changed none of {count} walks.")
    return lines


def _document(walker: SetWalker, seed: int, controls: Controls) -> dict[str, Any]:
    from navviz.systems.base import learned_from

    return {
        "navigator": walker.navigator.name,
        "learned_from": learned_from(walker.navigator),
        "settings": walker.settings.model_dump(mode="json"),
        "seed": seed,
        "episodes": len(controls.inference.comparison.episodes),
        "surviving": controls.surviving,
        "leaks": list(controls.leaks),
        "controls": [_record(controls, control) for control in controls.scores],
    }


def _record(controls: Controls, control: Control) -> dict[str, Any]:
    metrics: dict[str, Any] = {}
    for name, means in controls.inference.means.items():
        interval, difference = means[control], controls.inference.difference(name, control)
        metrics[name] = {
            "mean": None if interval is None else interval.mean,
            "interval": None if interval is None else [interval.low, interval.high],
            "difference": None if difference is None else difference.interval.mean,
            "difference_interval": (
                None if difference is None else [difference.interval.low, difference.interval.high]
            ),
            "p": None if difference is None else difference.p,
            "p_adjusted": None if difference is None else difference.p_holm,
        }
    return {
        "control": control,
        "n": len(controls.scores[control].rows),
        "changed_texts": controls.changed_texts[control],
        "same_walks": controls.same_walks[control],
        "stayed": controls.stayed[control],
        "metrics": metrics,
    }
