"""``python -m navviz score``: the metrics of a run as JSON or as a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.commands.ending import with_exit_code
from navviz.errors import Problem, Problems, SettingsError

if TYPE_CHECKING:
    from navviz.formats import EpisodeSet, Run, Worlds
    from navviz.metrics.path import Evaluation, RunScore

__all__ = ["register"]

_SHOWN = 10
"""Warnings printed; the rest is counted."""

_Results = Annotated[Path, typer.Option("--results", help="Result file, folder of step logs or of traces.")]
_Graphs = Annotated[Path, typer.Option("--graphs", help="Graph folder (or the data set's folder that holds it).")]
_Episodes = Annotated[
    Path | None,
    typer.Option("--episodes", help="Episode file; not needed where the results hold their episodes."),
]
_Method = Annotated[str | None, typer.Option("--method", help="Score this method or run only.")]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object: rates as fractions, lengths in metres.")]
_Walked = Annotated[
    bool,
    typer.Option(
        "--as-walked",
        help="Score every node walked. Without it, published logs are scored as their own scripts do; GROKE's drop "
        "each return to an earlier waypoint.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("score", help="Score a run: NE, SR, OSR, SPL, nDTW (both definitions), CLS ...")(with_exit_code(_score))


def _score(
    results: _Results,
    graphs: _Graphs,
    episodes: _Episodes = None,
    method: _Method = None,
    *,
    as_json: _Json = False,
    as_walked: _Walked = False,
) -> None:
    runs, scores, problems = _scored(results, graphs, episodes, method, "walked" if as_walked else "published")
    _warn(problems)
    if as_json:
        typer.echo(json.dumps(_document(runs, scores, problems)))
    else:
        _print_scores(runs, scores)


def _scored(
    results: Path, graphs: Path, episodes: Path | None, method: str | None, evaluation: Evaluation
) -> tuple[list[Run], list[RunScore], Problems]:
    from navviz.formats import open_episodes, open_results, open_worlds
    from navviz.metrics.path import score_run

    worlds = open_worlds(graphs)
    known = open_episodes(episodes) if episodes is not None else None
    runs = open_results(results, worlds, known.episodes if known is not None else None)
    chosen = _chosen(runs, method)
    scores = [score_run(run, worlds, evaluation) for run in chosen]
    return chosen, scores, _problems(worlds, known, chosen)


def _chosen(runs: Sequence[Run], method: str | None) -> list[Run]:
    if method is None:
        if len(runs) > 1:
            names = ", ".join(_label(run) for run in runs)
            typer.echo(
                f"The results hold {len(runs)} methods ({names}); all are scored, --method chooses one.", err=True
            )
        return list(runs)
    found = [run for run in runs if method in {run.method, run.name}]
    if not found:
        names = ", ".join(_label(run) for run in runs)
        raise SettingsError(f"--method {method}: the results hold {names}; choose one of these.")
    return found


def _label(run: Run) -> str:
    return run.method or run.name


def _problems(worlds: Worlds, known: EpisodeSet | None, runs: Sequence[Run]) -> Problems:
    sources = [worlds(world).info.problems for world in {t.episode.world for r in runs for t in r.traces.values()}]
    sources += [known.problems] if known is not None else []
    sources += list({id(run.problems): run.problems for run in runs}.values())
    merged = Problems()
    for source in sources:
        for problem in source.kept:
            merged.add(problem)
        merged.count += source.count - len(source.kept)
    if known is not None:
        _add_unwalked(known, runs, merged)
    return merged


def _add_unwalked(known: EpisodeSet, runs: Sequence[Run], problems: Problems) -> None:
    for run in runs:
        count = sum(key not in run.traces for key in known.episodes)
        if count:
            what = f"{count} of {len(known)} episodes of {known.source.name} have no result in {_label(run)}"
            problems.add(Problem(what, "the others are scored", run.source.name))


def _warn(problems: Problems) -> None:
    for problem in problems.kept[:_SHOWN]:
        typer.echo(f"warning: {problem}", err=True)
    rest = problems.count - min(len(problems.kept), _SHOWN)
    if rest:
        typer.echo(f"warning: {rest} more problems of this kind or others.", err=True)


def _document(runs: Sequence[Run], scores: Sequence[RunScore], problems: Problems) -> dict[str, Any]:
    documents = {_label(run): _one(run, score) for run, score in zip(runs, scores, strict=True)}
    found = next(iter(documents.values())) if len(documents) == 1 else {"methods": documents}
    return {**found, "problems": problems.count}


def _one(run: Run, score: RunScore) -> dict[str, Any]:
    counts = {
        "episodes": len(score),
        "walked": score.walked,
        "errors": len(score.errors),
        "counted_errors": len(score.counted_errors),
    }
    return {**counts, "run": run.name, "method": run.method, **score.means}


def _print_scores(runs: Sequence[Run], scores: Sequence[RunScore]) -> None:
    from navviz.commands.console import print_table
    from navviz.metrics.registry import all_metrics, format_value

    names = [metric.name for metric in all_metrics() if any(metric.name in score.means for score in scores)]
    head = ["", *(_label(run) for run in runs)]
    rows = [["episodes", *(str(len(score)) for score in scores)]]
    notes = [""]
    for label, ids, note in (
        ("errors", [score.errors for score in scores], "ended in a technical error; no part of the means"),
        ("errors in", [score.counted_errors for score in scores], "ended in an error; part of the means, as published"),
    ):
        if any(ids):
            rows.append([label, *(str(len(each)) for each in ids)])
            notes.append(note)
    rows += [[name, *(format_value(name, score.means.get(name)) for score in scores)] for name in names]
    titles: Mapping[str, str] = {metric.name: metric.title for metric in all_metrics()}
    print_table(head, rows, [*notes, *(titles[name] for name in names)])
