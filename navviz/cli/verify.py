"""``navviz diagnose verify``: walk each trace again with its recorded replies, and say whether the
same comes out.

With ``--paper`` it compares the figures that a paper prints with those of its published runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import EpisodeFile, Episodes, Format, Graphs, Most, Run, Runs
from navviz.cli.output import FAILED, Form, add_command, columns_of, print_json, print_records
from navviz.errors import SettingsError
from navviz.support.guarded import is_folder

if TYPE_CHECKING:
    from navviz.analysis.stability import Stability
    from navviz.runner.verify import Verdict, Verification


_Paper = Annotated[
    str | None,
    typer.Option(
        "--paper",
        help=(
            "Compare each printed figure of a paper (groke) with its published runs; RUN is"
            " then their folder."
        ),
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "verify",
        _verify,
        "Walk traces again with their recorded replies: does the same come out?",
        "navviz diagnose verify runs/mine",
        "navviz diagnose verify runs/mine 1 2 --format json",
        "navviz diagnose verify --paper groke paper_results --graphs map2seq",
    )


def _verify(
    run: Run,
    episodes: Episodes = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    paper: _Paper = None,
    form: Format = Form.TABLE,
) -> None:
    from navviz.cli.options import open_named
    from navviz.runner.verify import Verdict, Verification, verify_run

    if paper is not None:
        folder = Path(run)
        from navviz.analysis.paper_check import CellCheck, check_paper, summary_of

        if episodes:
            raise SettingsError("--paper compares whole runs: name a folder and no episodes.")
        cells = list(check_paper(paper, folder, graphs))
        rows = [asdict(cell) for cell in cells]
        if form is Form.JSON:
            document = {"paper": paper, "summary": summary_of(cells), "cells": rows}
            print_json(document)
        else:
            if form is Form.CSV:
                for row in rows:
                    # a thousand is printed as 1,000, which no program reads as a number
                    row["printed"] = (row["printed"] or "").replace(",", "")
                    row["ours"] = (row["ours"] or "").replace(",", "")
            lines = [*(cell.sentence for cell in cells), *summary_of(cells)]
            print_records(form, columns_of(CellCheck), rows, lines)
        # a cell without published runs is no difference
        if any(cell.state == "differs" for cell in cells):
            raise typer.Exit(FAILED)
        return

    _, opened = open_named(run, graphs, episodes=episode_file)
    traces = {key: opened.trace(key) for key in episodes} if episodes else dict(opened.traces)
    verdicts = verify_run(traces, opened.graph, opened.source.results)
    # episodes are walked while the tuple fills, so that the bar moves
    verification = Verification(tuple(_counted(verdicts, len(traces))))
    records = [asdict(verdict) for verdict in verification.verdicts]
    if form is Form.JSON:
        from navviz.runner.verify import STATES

        counts = {state.replace(" ", "_"): verification.count(state) for state in STATES}
        record = {
            "run": opened.name,
            "navigator": opened.run.navigator,
            "summary": verification.sentence,
        }
        print_json({**record, **counts, "episodes": records})
    else:
        print_records(form, columns_of(Verdict), records, _lines(verification))
    # a script must notice it
    if not verification.reproduces:
        raise typer.Exit(FAILED)


def _counted(verdicts: Iterator[Verdict], count: int) -> Iterator[Verdict]:
    from navviz.cli.output import Counting

    with Counting(f"{count} episodes", count) as bar:
        for verdict in verdicts:
            bar.advance()
            yield verdict


def _lines(verification: Verification) -> list[str]:
    """Return a line for each episode that does not reproduce, and the sums last."""
    lines = []
    for verdict in verification.verdicts:
        if verdict.state != "reproduces" or verdict.reason is not None:
            sentence = verdict.sentence
            lines.append(f"episode {verdict.episode}: {sentence}")
    return [*lines, verification.sentence]


_FIGURES = ("episode", "walks", "same_path", "overlap", "same_end", "bits")


def register_stability(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "stability",
        _stability,
        "Say how well several walks of the same episodes agree: a run with --samples, whose further"
        " walks lie next to it, or several runs.",
        "navviz diagnose stability runs/mine runs/other --most 3",
        "navviz diagnose stability runs/mine runs/other --format json",
    )


def _stability(
    runs: Runs,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    most: Most = 10,
    form: Format = Form.TABLE,
) -> None:
    from navviz.analysis.stability import stability_of_runs
    from navviz.cli.options import open_named

    names = _with_samples(runs[0]) if len(runs) == 1 else runs
    if len(names) < 2:
        raise SettingsError(
            f"{runs[0]} has no further samples near it; use run --samples, or name several runs."
        )
    opened = [open_named(name, graphs, episodes=episode_file)[1] for name in names]
    rows = stability_of_runs([run.traces for run in opened])
    if not rows:
        raise SettingsError("These runs share no episode; choose runs on the same episodes.")
    ordered = sorted(rows.values(), key=lambda each: each.overlap)
    overlap = f"links in common {_mean(rows, 'overlap')}"
    ends = f"same path {_mean(rows, 'same_path')}, same end {_mean(rows, 'same_end')}"
    means = f"{overlap}, {ends} (means with 95 % intervals over episodes)"
    lines = [f"{len(rows)} episodes, {len(names)} runs: {means}"]
    # the least stable come first: the words end where they become boring
    lines += map(_line, ordered[:most])
    print_records(form, (*_FIGURES, "junctions"), map(_record, ordered), lines)


def _with_samples(name: str) -> list[str]:
    """Return a run with the folders of its further samples, which lie next to it."""
    from navviz.analysis.stability import is_sample_of

    path = Path(name)
    samples = sorted(path.parent.glob(f"{path.name}-sample-*")) if is_folder(path) else []
    return [name, *(str(other) for other in samples if is_sample_of(other.name, path.name))]


def _mean(rows: dict[str, Stability], name: str) -> str:
    from navviz.metrics.intervals import mean_interval

    interval = mean_interval([getattr(row, name) for row in rows.values()], yes_no=True)
    mean = f"{100 * interval.mean:.0f} %"
    if interval.low is None or interval.high is None:
        return mean
    return f"{mean} [{100 * interval.low:.0f}, {100 * interval.high:.0f}]"


def _line(row: Stability) -> str:
    at = (
        f"; most at {row.junctions[0].node} ({row.junctions[0].bits:.2f} bits)"
        if row.junctions
        else ""
    )
    return f"  {row.episode}: {row.walks} walks, links in common {100 * row.overlap:.0f} %{at}"


def _record(row: Stability) -> dict[str, object]:
    record: dict[str, object] = {name: getattr(row, name) for name in _FIGURES}
    junctions = []
    for each in row.junctions:
        choices = dict(each.choices)
        junctions.append({"node": each.node, "bits": each.bits, "choices": choices})
    record["junctions"] = junctions
    return record
