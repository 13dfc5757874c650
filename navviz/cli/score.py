"""``navviz score``: the metrics of a run as JSON or as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from navviz.cli.options import EpisodeFile, Format, Graphs, Run, open_named, split_named
from navviz.cli.output import (
    Form,
    add_command,
    print_data,
    print_json,
    print_records,
    print_table_as,
)
from navviz.errors import Problem, Problems, SettingsError, merged_problems
from navviz.support.guarded import parse_json
from navviz.support.notes import note, tell, warn
from navviz.support.systems import System, offered, working

if TYPE_CHECKING:
    from navviz.formats import GraphOf
    from navviz.metrics.score import AuthorsMeans, Figures, RunScore
    from navviz.metrics.stages import Lengths, Success
    from navviz.runs.marks import RunMark
    from navviz.runs.opened import OpenRun


def authors_document(run: OpenRun, score: RunScore) -> dict[str, Any]:
    """Return the means of the authors' own scripts, as ``groke_scripts``, if not ours."""
    documents = {}
    for system, authors in _as_authors(run, score):
        still = {"never_moved": list(authors.never_moved)}
        documents[f"{system.name}_scripts"] = {**authors.means, **still}
    return documents


def _as_authors(run: OpenRun, score: RunScore) -> Iterator[tuple[System, AuthorsMeans]]:
    """Yield the means of each system's own scripts that differ from ours."""
    for part, published in working(offered("published").values()):
        authors = published.as_authors(run, score)
        if authors is not None:
            yield part.system, authors


def authors_lines(runs: Sequence[OpenRun], scores: Sequence[RunScore]) -> Iterator[str]:
    """Return what the authors' own scripts print, where it is not the same."""
    from navviz.metrics.registry import format_value

    for run, score in zip(runs, scores, strict=True):
        for system, authors in _as_authors(run, score):
            figures = []
            for name, value in authors.means.items():
                figures.append(f"{name} {format_value(name, value, near=run.is_near)}")
            yield (
                f"{run.label} as {system.title}'s scripts count ({authors.rule}):"
                f" {', '.join(figures)}"
            )


def published_figures(path: Path | None) -> Mapping[str, Figures]:
    """Return published figures by method, episode and metric; empty where no file is named."""
    figures: dict[str, Figures] = {}
    if path is not None:
        for _, published in working(offered("published").values()):
            figures |= published.read_individual_results(path)
    return figures


def compared_lines(
    runs: Sequence[OpenRun], scores: Sequence[RunScore], figures: Mapping[str, Figures]
) -> Iterator[str]:
    """How the figures agree with published ones, episode by episode."""
    from navviz.metrics.score import compare_figures

    for run, score in zip(runs, scores, strict=True):
        published = figures.get(run.label)
        if published is None:
            continue
        count, differences = compare_figures(published, score.rows)
        # an episode may differ in several metrics
        episodes = len({difference.episode for difference in differences})
        yield (
            f"{run.label}: {count} episodes compared with the published figures, {episodes} differ"
        )
        for difference in differences[:_SHOWN]:
            ours = "missing" if difference.ours is None else f"{difference.ours:.3f}"
            theirs = f"published {difference.published:.3f}"
            yield f"  episode {difference.episode}: {difference.metric} {ours}, {theirs}"


def print_answers(option: str, true: Path, given: Path, form: Form) -> None:
    """Print the figures of answers against the true ones, as one record."""
    scored = offered("answer_scores")[option].load()
    document: dict[str, float] = scored(true, given)
    lines = []
    for name, value in document.items():
        text = str(value) if isinstance(value, int) else f"{value:.3f}"
        lines.append(f"{name:10} {text}")
    if form is Form.JSON:
        print_json(document)
        return
    print_records(form, tuple(document), [document], lines)


_SHOWN = 10
"""Warnings printed; the rest is counted."""

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

_Edited = Annotated[
    bool,
    typer.Option("--edited", help="Count walks in which a person changed something, and say so."),
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

_Objects = Annotated[
    Path | None,
    typer.Option(
        "--objects",
        help=(
            "Score the objects read from instructions instead (MSNav's Table 4): a file with the"
            " true direct_obj and potential_obj; RUN is a file of the same shape or a folder of"
            " msnav traces."
        ),
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "score",
        _score,
        "Score a run: NE, SR, OSR, SPL, nDTW (both definitions), CLS ...",
        "navviz score runs/mine",
        "navviz score METHOD@results.json --graphs town --format json",
        "navviz score runs/objects --objects true_objects.json",
    )


def _score(
    run: Run,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    form: Format = Form.TABLE,
    success: _Success = "distance",
    lengths: _Lengths = "moves",
    published: _Published = None,
    objects: _Objects = None,
    *,
    as_walked: _Walked = False,
    edited: _Edited = False,
    groups: _Groups = False,
) -> None:
    from navviz.metrics.score import SCORE_COLUMNS
    from navviz.runs.marks import mark_records

    if objects is not None:
        print_answers("objects", objects, Path(run), form)
        return
    if success not in {"distance", "distance+view"}:
        raise SettingsError(f"--success {success}: choose distance or distance+view.")
    if lengths not in {"moves", "metres"}:
        raise SettingsError(f"--lengths {lengths}: choose moves or metres.")
    rules = cast("Success", success), cast("Lengths", lengths)
    runs = _opened(run, graphs, episode_file)
    if groups:
        _print_groups(runs, *rules, form)
        return
    scores = []
    for each in runs:
        score = each.score(as_walked=as_walked, success=rules[0], lengths=rules[1], edited=edited)
        scores.append(score)
    problems, figures = _problems(runs), published_figures(published)
    _warn(problems)
    if form.is_data:
        records: list[dict[str, Any]] = []
        for each, score in zip(runs, scores, strict=True):
            records += [*score.records(each.label), *mark_records(each.marks_of(score), each.label)]
        documents = {
            run.label: _run_document(run, score) for run, score in zip(runs, scores, strict=True)
        }
        # one run is not wrapped, so that scripts find its means at the top
        document = next(iter(documents.values())) if len(documents) == 1 else {"methods": documents}
        print_data(form, SCORE_COLUMNS, records, {**document, "problems": problems.count})
    else:
        _print_scores(runs, scores, form)
    if form is Form.TABLE:
        for line in authors_lines(runs, scores):
            tell(line)
    for line in compared_lines(runs, scores, figures):
        # a comparison is no part of a document that a program reads
        tell(line, err=form is not Form.TABLE)


def _opened(text: str, graphs: Path | None, episodes: Path | None) -> list[OpenRun]:
    """Open all methods of a run, or the one that is named."""
    from navviz.runs.opened import Source, load_all
    from navviz.runs.sources import expanded

    if graphs is None:
        # the run is opened once to find its graphs; all methods are read only where it has several
        _, one = open_named(text, None, episodes)
        several = one.source.method is None and len(expanded(one.source)) > 1
        return _chosen(load_all(one.source), None) if several else [one]
    named, place = split_named(text)
    results = Path(place)
    runs = load_all(Source(results.stem, "opened", (graphs,), episodes, results))
    return _chosen(runs, named)


def _print_groups(runs: Sequence[OpenRun], success: Success, lengths: Lengths, form: Form) -> None:
    """Print NavNuances' table of each run on it, LH-VLN's of any other."""
    import pandas as pd

    tables: dict[str, pd.DataFrame] = {}
    table_makers = [make for _, make in working(offered("group_tables").values())]
    for run in runs:
        made = (make(run.run, run.graph_of, success, lengths) for make in table_makers)
        tables[run.label], problems = next(filter(None, made))
        _warn(problems)
    if form.is_data:
        document, records = {}, []
        for name, table in tables.items():
            # by way of JSON: NumPy's numbers are none there
            document[name] = parse_json(table.to_json(orient="records", double_precision=15), name)
            records += [{"run": name} | row for row in document[name]]
        columns = ["run", *next(iter(tables.values())).columns]
        print_data(form, columns, records, document)
        return
    if form is Form.TABLE:
        for name, table in tables.items():
            tell(name, *table.round(4).to_string(index=False).split("\n"))
        return
    whole = pd.concat(tables, names=["run"]).reset_index("run").round(4)
    print_table_as(form, [str(name) for name in whole.columns], whole.to_numpy().tolist())


def _chosen(opened: Sequence[OpenRun], method: str | None) -> list[OpenRun]:
    names = ", ".join(run.label for run in opened)
    if method is None:
        if len(opened) > 1:
            note(
                f"The results hold {len(opened)} methods ({names}); all are scored, METHOD@FILE"
                " chooses one."
            )
        return list(opened)
    chosen = [each for each in opened if method in {each.run.method, each.run.name}]
    if not chosen:
        raise SettingsError(
            f"{method}: is no method of the results, which hold {names}; choose one of these."
        )
    return chosen


def _problems(opened: Sequence[OpenRun]) -> Problems:
    """Return what could not be read of graphs, episodes and runs, and which nobody walked."""
    # runs may share their source of graphs, whose problems are named once
    worlds: set[tuple[GraphOf, str]] = set()
    for each in opened:
        worlds.update((each.graph_of, trace.episode.world) for trace in each.outlines.values())
    sources = [graph_of(world).info.problems for graph_of, world in worlds]
    sources += [each.episode_set.problems for each in opened if each.episode_set is not None]
    problems = merged_problems([*sources, *(each.run.problems for each in opened)])
    for each in opened:
        if each.episode_set is not None:
            count = sum(key not in each.traces for key in each.episode_set.episodes)
            if count:
                some = (
                    f"{count} of {len(each.episode_set)} episodes of {each.episode_set.source.name}"
                )
                what = f"{some} have no result in {each.label}"
                problems.add(Problem(what, "the others are scored", each.run.source.name))
    return problems


def _warn(problems: Problems) -> None:
    for problem in problems.kept[:_SHOWN]:
        warn([str(problem)])
    # only some problems are kept as sentences; the count is of all
    rest = problems.count - min(len(problems.kept), _SHOWN)
    if rest:
        warn([f"{rest} more problems of this kind or others."])


def _run_document(run: OpenRun, score: RunScore) -> dict[str, Any]:
    from navviz.runs.marks import marks_document

    counts = {
        "episodes": len(score),
        "walked": score.walked,
        "errors": len(score.errors),
        "counted_errors": len(score.counted_errors),
    }
    means = {**score.figures, **authors_document(run, score)}
    return {
        **counts,
        "run": run.run.name,
        "method": run.run.method,
        "marks": marks_document(run.marks_of(score)),
        **means,
        "counts": {name: score.counts[name] for name in score.figures},
        "left_out": score.left_out,
    }


def _figure(name: str, score: RunScore, *, near: bool) -> tuple[str, str]:
    """One mean, and how many episodes it is over."""
    from navviz.metrics.registry import format_value

    mean = format_value(name, score.means.get(name), near=near)
    return mean, f"{score.counts.get(name, 0):,}"


def _print_scores(runs: Sequence[OpenRun], scores: Sequence[RunScore], form: Form) -> None:
    from navviz.cli.output import print_table
    from navviz.metrics.registry import all_metrics

    head = [""]
    for run in runs:
        head += [run.label, "n"]
    rows = [_counts_row("episodes", scores)]
    notes = [""]
    if any(score.walked < len(score) for score in scores):
        walked = ["walked"]
        for score in scores:
            walked += [str(score.walked), ""]
        rows.append(walked)
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
    for name, row, text in _mark_rows(runs, scores):
        rows.append([name, *row])
        notes.append(text)
    for metric in all_metrics():
        if any(metric.name in score.figures for score in scores):
            row = [metric.name]
            for run, score in zip(runs, scores, strict=True):
                row += _figure(metric.name, score, near=run.is_near)
            rows.append(row)
            notes.append(metric.title)
    sentences = _left_out(scores)
    if form is Form.TABLE:
        print_table(head, rows, notes)
        for sentence in sentences:
            tell(sentence)
        return
    cells = [[*row, title] for row, title in zip(rows, notes, strict=True)]
    print_table_as(form, ["metric", *head[1:], "what it is"], cells, "; ".join(sentences))


def _mark_rows(
    runs: Sequence[OpenRun], scores: Sequence[RunScore]
) -> Iterator[tuple[str, list[str], str]]:
    """Yield a row for each kind of mark that a run has: its name, its cells, what it means."""
    by_kind: dict[str, dict[str, RunMark]] = {}
    for run, score in zip(runs, scores, strict=True):
        for mark in run.marks_of(score):
            by_kind.setdefault(mark.id, {})[run.label] = mark
    for kind, marks in by_kind.items():
        cells, sentences = list[str](), list[str]()
        for run in runs:
            own = marks.get(run.label)
            cells += ("", "") if own is None else own.cells
            if own is not None:
                sentences.append(f"{run.label}: {own.sentence}" if runs[1:] else own.sentence)
        yield kind, cells, " ".join(sentences)


def _left_out(scores: Sequence[RunScore]) -> list[str]:
    """Say of each run which metrics have no value."""
    sentences = []
    for score in scores:
        if score.left_out:
            name = f"{score.run}: " if len(scores) > 1 else ""
            sentences.append(f"{name}{score.left_out}")
    return sentences


def _counts_row(label: str, counted: Iterable[Sized]) -> list[str]:
    """Return a row of counts; the column for their numbers of episodes stays empty."""
    row = [label]
    for each in counted:
        row += [str(len(each)), ""]
    return row
