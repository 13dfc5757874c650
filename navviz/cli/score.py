"""``navviz score``: the metrics of a run as JSON or as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from navviz.cli.ending import with_exit_code
from navviz.cli.published import authors_document, authors_lines, compared_lines, published_figures
from navviz.errors import Problem, Problems, SettingsError, merged_problems
from navviz.support.guarded import json_text, parse_json

if TYPE_CHECKING:
    from navviz.formats import EpisodeSet, GraphOf
    from navviz.metrics.score import RunScore
    from navviz.metrics.stages import Lengths, Success
    from navviz.runs.opened import OpenRun

_SHOWN = 10
"""Warnings printed; the rest is counted."""

_Results = Annotated[
    Path, typer.Option("--results", help="Result file, folder of step logs or of traces.")
]
_Graphs = Annotated[
    Path, typer.Option("--graphs", help="Graph folder (or the data set's folder that holds it).")
]
_Episodes = Annotated[
    Path | None,
    typer.Option(
        "--episodes", help="Episode file; not needed where the results hold their episodes."
    ),
]
_Method = Annotated[str | None, typer.Option("--method", help="Score this method or run only.")]
_Json = Annotated[
    bool, typer.Option("--json", help="One JSON object: rates as fractions, lengths in metres.")
]
_Success = Annotated[
    str,
    typer.Option(
        "--success",
        help="Tasks of several parts: distance, or distance+view as LH-VLN's paper says.",
    ),
]
_Lengths = Annotated[
    str, typer.Option("--lengths", help="Tasks of several parts: g and p in moves or metres.")
]
_Groups = Annotated[
    bool,
    typer.Option(
        "--groups",
        help="Figures by group instead: tasks of several parts (LH-VLN); NavNuances by class.",
    ),
]
_Walked = Annotated[
    bool,
    typer.Option(
        "--as-walked",
        help=(
            "Score every node walked. Without it, published logs are scored as their own scripts"
            " do; GROKE's drop each return to an earlier waypoint."
        ),
    ),
]

_Published = Annotated[
    Path | None,
    typer.Option(
        "--published",
        help="GROKE's individual_results.json: compare each episode's figures with it.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("score", help="Score a run: NE, SR, OSR, SPL, nDTW (both definitions), CLS ...")(
        with_exit_code(_score)
    )


def _score(
    results: _Results,
    graphs: _Graphs,
    episodes: _Episodes = None,
    method: _Method = None,
    *,
    as_json: _Json = False,
    as_walked: _Walked = False,
    success: _Success = "distance",
    lengths: _Lengths = "moves",
    groups: _Groups = False,
    published: _Published = None,
) -> None:
    from navviz.runs.opened import Source, load_all

    rules = _success(success), _lengths(lengths)
    runs = _chosen(load_all(Source(results.stem, "opened", (graphs,), episodes, results)), method)
    if groups:
        typer.echo(_grouped(runs, *rules, as_json=as_json))
        return
    scores = [run.score(as_walked=as_walked, success=rules[0], lengths=rules[1]) for run in runs]
    problems, figures = _problems(runs), published_figures(published)
    _warn(problems)
    if as_json:
        typer.echo(json_text(_document(runs, scores, problems)))
    else:
        _print_scores(runs, scores)
        for line in authors_lines(runs, scores):
            typer.echo(line)
    for line in compared_lines(runs, scores, figures):
        typer.echo(line, err=as_json)


def _success(text: str) -> Success:
    if text not in {"distance", "distance+view"}:
        raise SettingsError(f"--success {text}: choose distance or distance+view.")
    return cast("Success", text)


def _lengths(text: str) -> Lengths:
    if text not in {"moves", "metres"}:
        raise SettingsError(f"--lengths {text}: choose moves or metres.")
    return cast("Lengths", text)


def _grouped(runs: Sequence[OpenRun], success: Success, lengths: Lengths, *, as_json: bool) -> str:
    """NavNuances' table of each run on it, LH-VLN's of any other."""
    from navviz.systems.lhvln.long_horizon_table import long_horizon_table
    from navviz.systems.skillnav.nuances import nuance_of
    from navviz.systems.skillnav.nuances_table import nuances_of_run, nuances_table

    tables = {}
    for run in runs:
        if any(nuance_of(trace.episode) for trace in run.outlines.values()):
            scored = nuances_of_run(run.outlines, run.graph_of)
            _warn(scored.problems)
            tables[run.label] = nuances_table(scored.summaries)
        else:
            tables[run.label] = long_horizon_table(run.run, run.graph_of, success, lengths)
    if as_json:
        document = {}
        for name, table in tables.items():
            document[name] = parse_json(table.to_json(orient="records"), name)
        return json_text(document)
    texts = []
    for name, table in tables.items():
        text = table.round(4).to_string(index=False)
        texts.append(f"{name}\n{text}")
    return "\n".join(texts)


def _chosen(opened: Sequence[OpenRun], method: str | None) -> list[OpenRun]:
    names = ", ".join(run.label for run in opened)
    if method is None:
        if len(opened) > 1:
            typer.echo(
                f"The results hold {len(opened)} methods ({names}); all are scored, --method"
                " chooses one.",
                err=True,
            )
        return list(opened)
    chosen = [each for each in opened if method in {each.run.method, each.run.name}]
    if not chosen:
        raise SettingsError(f"--method {method}: the results hold {names}; choose one of these.")
    return chosen


def _problems(opened: Sequence[OpenRun]) -> Problems:
    """Return what could not be read of the graphs, the episodes and the runs, and which episodes
    nobody walked.
    """
    # runs may share their source of graphs, whose problems are named once
    worlds: set[tuple[GraphOf, str]] = set()
    for each in opened:
        worlds.update((each.graph_of, trace.episode.world) for trace in each.outlines.values())
    sources = [graph_of(world).info.problems for graph_of, world in worlds]
    sources += [each.episode_set.problems for each in opened if each.episode_set is not None]
    problems = merged_problems([*sources, *(each.run.problems for each in opened)])
    for each in opened:
        if each.episode_set is not None:
            _add_unwalked(each, each.episode_set, problems)
    return problems


def _add_unwalked(run: OpenRun, episodes: EpisodeSet, problems: Problems) -> None:
    count = sum(key not in run.traces for key in episodes.episodes)
    if count:
        some = f"{count} of {len(episodes)} episodes of {episodes.source.name}"
        what = f"{some} have no result in {run.label}"
        problems.add(Problem(what, "the others are scored", run.run.source.name))


def _warn(problems: Problems) -> None:
    for problem in problems.kept[:_SHOWN]:
        typer.echo(f"warning: {problem}", err=True)
    rest = problems.count - min(len(problems.kept), _SHOWN)
    if rest:
        typer.echo(f"warning: {rest} more problems of this kind or others.", err=True)


def _document(
    runs: Sequence[OpenRun], scores: Sequence[RunScore], problems: Problems
) -> dict[str, Any]:
    documents = {run.label: _one(run, score) for run, score in zip(runs, scores, strict=True)}
    document = next(iter(documents.values())) if len(documents) == 1 else {"methods": documents}
    return {**document, "problems": problems.count}


def _one(run: OpenRun, score: RunScore) -> dict[str, Any]:
    counts = {
        "episodes": len(score),
        "walked": score.walked,
        "errors": len(score.errors),
        "counted_errors": len(score.counted_errors),
    }
    means = {**score.means, **authors_document(run, score)}
    return {
        **counts,
        "run": run.run.name,
        "method": run.run.method,
        **means,
        "counts": dict(score.counts),
    }


def _figure(name: str, score: RunScore) -> tuple[str, str]:
    """One mean, and how many episodes it is over."""
    from navviz.metrics.registry import format_value

    return format_value(name, score.means.get(name)), f"{score.counts.get(name, 0):,}"


def _print_scores(runs: Sequence[OpenRun], scores: Sequence[RunScore]) -> None:
    from navviz.cli.console import print_table
    from navviz.metrics.registry import all_metrics

    head = [""]
    for run in runs:
        head += [run.label, "n"]
    rows = [_counts_row("episodes", scores)]
    notes = [""]
    if any(score.walked < len(score) for score in scores):
        rows.append(["walked", *(str(score.walked) for score in scores)])
        notes.append(
            "part of the means; the others have no success rate, or ended in a technical error"
        )
    errors = [score.errors for score in scores]
    if any(errors):
        rows.append(_counts_row("errors", errors))
        notes.append("ended in a technical error; no part of the means")
    errors_in = [score.counted_errors for score in scores]
    if any(errors_in):
        rows.append(_counts_row("errors in", errors_in))
        notes.append("ended in an error; part of the means, as published")
    for metric in all_metrics():
        if any(metric.name in score.means for score in scores):
            row = [metric.name]
            for score in scores:
                row += _figure(metric.name, score)
            rows.append(row)
            notes.append(metric.title)
    print_table(head, rows, notes)


def _counts_row(label: str, counted: Iterable[Sized]) -> list[str]:
    """Return a row of counts; the column for their numbers of episodes stays empty."""
    row = [label]
    for each in counted:
        row += [str(len(each)), ""]
    return row
