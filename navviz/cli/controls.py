"""``navviz diagnose controls``: what of a navigator's figures survives without reading."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.options import (
    Blind,
    Format,
    Llm,
    Navigator,
    Seed,
    Settings,
    WalkedEpisodes,
    WalkedGraphs,
    Workers,
    Yes,
)
from navviz.cli.output import FAILED, Form, add_command, print_data, print_table_as
from navviz.errors import SettingsError
from navviz.support.notes import tell, warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from navviz.analysis.controls import Controls
    from navviz.records import Episode, Trace
    from navviz.runner.batch import SetWalker
    from navviz.runner.config import RunConfig
    from navviz.systems import base

_Limit = Annotated[
    int | None, typer.Option("--limit", min=2, help="A seeded sample of so many episodes.")
]
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Keep the walks of each control as a run in this folder."),
]


def register(group: typer.Typer) -> None:
    """Add the command."""
    add_command(
        group,
        "controls",
        _controls,
        "Walk episodes with their instruction spoilt: what survives without reading?",
        "navviz diagnose controls --navigator rules --episodes val.json --graphs town",
        "navviz diagnose controls --navigator rules --episodes val.json --graphs town"
        " --limit 5 --seed 1 --format json",
    )


def _controls(
    episodes: WalkedEpisodes,
    graphs: WalkedGraphs,
    navigator: Navigator = None,
    limit: _Limit = None,
    seed: Seed = 0,
    settings: Settings = None,
    llm: Llm = None,
    workers: Workers = 1,
    out: _Out = None,
    form: Format = Form.TABLE,
    *,
    blind: Blind = False,
    yes: Yes = False,
) -> None:
    from navviz.analysis.controls import (
        CONTROL_COLUMNS,
        CONTROLS,
        ControlSetup,
        control_rows,
        controls_of,
    )
    from navviz.llm.registry import close_model
    from navviz.runner.missing_worlds import check_described
    from navviz.systems.base import asks_model

    if navigator is None:
        raise SettingsError("Say who walks: --navigator rules, or another name.")
    with ExitStack() as stack:
        folder = out or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="navviz-controls-"))
        )
        pairs = [*(settings or []), *(["blind=true"] if blind else [])]
        walker = _walker(navigator, graphs, pairs, llm, workers, folder)
        if out is not None:
            walker = replace(walker, config=_config(walker, graphs, episodes))
        # behind the folder on the stack, so that the connections close before the folder goes
        stack.callback(close_model, walker.llm)
        setup = ControlSetup(
            episodes=_chosen(walker, graphs, episodes, limit, seed),
            graph_of=walker.graph_of,
            walk=_ShownWalker(walker),
            seed=seed,
            asks_model=asks_model(walker.navigator, walker.settings),
        )
        check_described(walker.navigator, walker.settings, setup.episodes, walker.graph_of)
        if walker.llm is not None and not yes:
            walks = len(CONTROLS) * len(setup.episodes)
            typer.confirm(f"{walks} walks ask {walker.llm.name}. Go on?", abort=True, err=True)
        controls = controls_of(setup)
    if form.is_data:
        records = control_rows(controls)
        print_data(form, CONTROL_COLUMNS, records, _document(walker, seed, controls))
    else:
        _print(walker.navigator, controls, form)
    if controls.leaks:
        raise typer.Exit(FAILED)


def _walker(
    name: str, graphs: Path, pairs: list[str], llm: str | None, workers: int, out: Path
) -> SetWalker:
    from navviz.cli.run import parsed_settings
    from navviz.formats import open_worlds
    from navviz.llm.prices import load_prices
    from navviz.llm.registry import make_model
    from navviz.runner.batch import SetWalker
    from navviz.runner.batches import model_options_of
    from navviz.runs.sources import workspace_dir
    from navviz.systems.base import asks_model
    from navviz.systems.registry import get_navigator, settings_from

    navigator = get_navigator(name)
    own, of_model = parsed_settings(pairs)
    settings = settings_from(navigator, own)
    options = model_options_of(of_model)
    asks = asks_model(navigator, settings)
    if asks and llm is None:
        raise SettingsError(f"{name} asks a language model; name one with --llm.")
    model = None
    if asks and llm is not None:
        model = make_model(llm, options, prices=load_prices(workspace_dir() / "prices.json"))
    return SetWalker(
        navigator=navigator,
        settings=settings,
        graph_of=open_worlds(graphs),
        graphs=graphs,
        out=out,
        llm=model,
        workers=workers,
    )


def _config(walker: SetWalker, graphs: Path, episodes: Path) -> RunConfig:
    """Return what the ``run.json`` of each kept run notes, as ``navviz run`` writes it."""
    from navviz.llm.streaming import StreamingModel
    from navviz.runner.config import RunConfig

    llm, options = walker.llm, {}
    # a scripted model has none
    if isinstance(llm, StreamingModel):
        options = llm.options.model_dump(mode="json", exclude_defaults=True)
    return RunConfig(
        run="",
        navigator=walker.navigator.name,
        settings=walker.settings.model_dump(mode="json"),
        model=None if llm is None else llm.name,
        model_options=options,
        # absolute: the run may be opened from another folder
        graphs=(str(graphs.resolve()),),
        episodes=str(episodes.resolve()),
    )


def _chosen(
    walker: SetWalker, graphs: Path, file: Path, limit: int | None, seed: int
) -> tuple[Episode, ...]:
    """Return a sample of the episodes that can be walked and judged, and name what is missing."""
    from navviz.analysis.controls import sample_of
    from navviz.errors import NotFoundError
    from navviz.formats import open_episodes
    from navviz.runner.missing_worlds import missing_worlds

    episode_set = open_episodes(file)
    warn(str(problem) for problem in episode_set.problems.kept[:5])
    there = list(episode_set.episodes.values())
    missing = missing_worlds([graphs], there, walker.graph_of)
    # nothing to walk is a fault; a part that is missing is a warning
    if len(missing.ids) == len(there):
        raise NotFoundError(missing.what, missing.do)
    if missing.episodes:
        warn([missing.sentence])
    # without a goal there is no success that could survive
    judged = [episode for episode in there if episode.id not in missing.ids and episode.goal]
    return sample_of(judged, limit, seed)


class _ShownWalker:
    """Walks sets of episodes with a progress bar on stderr for each."""

    def __init__(self, walker: SetWalker) -> None:
        self._walker = walker

    def __call__(self, control: str, episodes: Sequence[Episode]) -> dict[str, Trace]:
        """Walk the episodes of a control."""
        from navviz.analysis.controls import CONTROLS
        from navviz.cli.output import Counting

        titles = {str(name): words for name, words in CONTROLS.items()}
        with Counting(f"{self._walker.navigator.name}, {titles[control]}", len(episodes)) as bar:
            walker = replace(
                self._walker, on_progress=lambda _done, _count, _outcome: bar.advance()
            )
            return walker(control, episodes)


def _print(navigator: base.Navigator, controls: Controls, form: Form) -> None:
    from navviz.analysis.controls import control_sentences, control_table
    from navviz.cli.output import print_table

    head, rows, notes = control_table(controls)
    sentences = control_sentences(navigator, controls)
    if form is not Form.TABLE:
        cells = [[*row, text] for row, text in zip(rows, notes, strict=True)]
        print_table_as(form, [*head, "note"], cells, " ".join(sentences))
        return
    print_table(head, rows, notes)
    for line in sentences:
        tell(line)


def _document(walker: SetWalker, seed: int, controls: Controls) -> dict[str, Any]:
    from navviz.analysis.controls import control_record
    from navviz.systems.base import learned_from

    return {
        "navigator": walker.navigator.name,
        "learned_from": learned_from(walker.navigator),
        "settings": walker.settings.model_dump(mode="json"),
        "seed": seed,
        "episodes": len(controls.inference.comparison.episodes),
        "surviving": controls.surviving,
        "leaks": list(controls.leaks),
        "controls": [control_record(controls, control) for control in controls.scores],
    }
