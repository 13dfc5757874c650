"""``navviz watch``: a run in the terminal while another process writes it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import EpisodeFile, Graphs, Run, open_named, split_named
from navviz.cli.output import PARTIAL, add_command
from navviz.errors import InputError
from navviz.support.guarded import is_there, visible
from navviz.support.notes import tell, warn

if TYPE_CHECKING:
    from navviz.runs.growth import Growth
    from navviz.runs.opened import OpenRun

_EVERY_S = 1.0
_FAILURES = 3

_Until = Annotated[
    int | None, typer.Option("--until", min=1, help="End once so many episodes have ended.")
]
_UntilFinished = Annotated[
    bool,
    typer.Option(
        "--until-finished",
        help="End once all planned episodes have ended; with exit code 3 where the writer stopped"
        " before that.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "watch",
        _watch,
        "Watch a run while another process writes it: walked, success, cost, the last failures.",
        "navviz watch runs/mine --until 2",
    )


def _watch(
    run: Run,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    until: _Until = None,
    *,
    until_finished: _UntilFinished = False,
) -> None:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from navviz.runs.growth import growth_of
    from navviz.runs.marks import planned_episodes

    path = Path(split_named(run)[1])
    if not is_there(path):
        raise InputError("is not there", "check the path", file=run)
    growth, console = growth_of(path), Console()
    version, lines, code = -1, list[str](), None
    ended, running, planned = 0, 0, None
    with Live(console=console, auto_refresh=False, transient=False) as screen:
        while code is None:
            if growth.look(0) != version:
                version = growth.version
                try:
                    opened = open_named(run, graphs, episode_file)[1]
                    planned = planned_episodes(path, opened.run.name)
                    running = len(opened.scores.unfinished)
                    ended = len(opened) - running
                    lines = watched_lines(opened, planned)
                except InputError as error:
                    # no trace may have a whole header yet
                    lines = [str(error)]
                if not console.is_terminal:
                    tell(lines[0])
            code = _code(growth, ended, running, planned, until, until_finished=until_finished)
            if console.is_terminal:
                ago_s = max(0, round(time.time() - growth.changed_s))
                shown = map(visible, [*lines, f"  last event {ago_s} s ago"])
                screen.update(Text("\n".join(shown)), refresh=True)
            if code is None:
                time.sleep(_EVERY_S)
    if code == PARTIAL:
        of = planned or ended + running
        left = f" with {running} unfinished" if running else ""
        warn([f"the writer of {run} has stopped after {ended} of {of} episodes{left}"])
        raise typer.Exit(code)


def _code(
    growth: Growth,
    ended: int,
    running: int,
    planned: int | None,
    until: int | None,
    *,
    until_finished: bool,
) -> int | None:
    """Return the exit code once what is waited for is there; ``None`` until then."""
    if until is not None and ended >= until:
        return 0
    if not until_finished and until is None:
        return None
    if until_finished and planned is not None and ended >= planned:
        return 0
    from navviz.runner.batches import is_locked

    if not growth.has_stopped() or is_locked(growth.path):
        return None
    # nobody noted how many there were to be: who writes no more has finished
    return PARTIAL if running or not ended or until is not None or planned is not None else 0


def watched_lines(run: OpenRun, planned: int | None) -> list[str]:
    """Say in a few lines how a run stands: the first one alone tells a log of it."""
    import pandas as pd

    from navviz.analysis.causes.counting import explain_one
    from navviz.analysis.compare import headlines

    scores, table = run.scores, run.table(all=True, causes=False)
    ended = len(run) - len(scores.unfinished)
    parts = [f"{ended} of {planned}" if planned else f"{ended}"]
    parts[0] += " walked"
    if scores.unfinished:
        parts.append(f"{len(scores.unfinished)} running")
    # success before the error
    for shown in reversed(headlines(scores, ("SR", "NE"), near=run.is_near)):
        span = f" [{shown.span.replace(' to ', ', ')}]" if shown.span else ""
        parts.append(f"{shown.metric.name} {shown.text}{span}, n {shown.interval.episodes}")
    written = {key: at for key, at in run.view.by_episode("mtime_ns").items() if at is not None}
    times = sorted(written.values())
    minutes = (times[-1] - times[0]) / 60e9 if len(times) > 1 else 0.0
    tokens, cost = table["tokens"].sum(), table["cost_usd"].sum(min_count=1)
    if not pd.isna(tokens) and tokens:
        parts.append(
            f"{tokens:,} tokens" + (f", {tokens / minutes:,.0f} a minute" if minutes else "")
        )
    if not pd.isna(cost) and cost:
        parts.append(f"${cost:.2f}")
    if planned and ended < planned and ended > 1 and minutes:
        parts.append(f"about {minutes / (ended - 1) * (planned - ended):.0f} min left")
    lines = [f"{run.name}: {' · '.join(parts)}"]
    failed = [key for key, row in scores.rows.items() if row.get("SR") == 0.0]
    failed.sort(key=lambda key: written.get(key, 0))
    for key in failed[: -_FAILURES - 1 : -1]:
        act = explain_one(run, key).act
        lines.append(f"  {key}  {act.sentence if act is not None else 'failed'}")
    return lines
