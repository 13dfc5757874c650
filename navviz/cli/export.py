"""``navviz export``: a run in a format of other tools."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from navviz.cli.options import EpisodeFile, Episodes, Graphs, Run
from navviz.cli.output import add_command
from navviz.errors import SettingsError
from navviz.records.base import plural
from navviz.support.guarded import csv_text, json_text, not_written, replacing
from navviz.support.notes import note, tell
from navviz.support.systems import offered

if TYPE_CHECKING:
    from navviz.observations.pictures.films import WalkPictures
    from navviz.records import Step, Trace
    from navviz.runs.opened import OpenRun


_Form = Annotated[
    str,
    typer.Option(
        "--format",
        help=(
            "otel: OpenTelemetry GenAI spans, a line of OTLP JSON an episode; atif: Harbor's"
            " trajectories, a line an episode; csv: a row a step; vlnce: predictions of VLN-CE;"
            " r2r: results of R2R's leaderboard; rrd: a recording for Rerun; mapgpt,"
            " velma and others: as systems bring them."
        ),
    ),
]
_Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help="File to write; standard output where not given. Of rrd a file, for several episodes"
        " a folder.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "export",
        _export,
        "Write a run as OpenTelemetry spans, as ATIF or as CSV.",
        "navviz export runs/mine --format csv --out steps.csv",
        "navviz export runs/mine 1 2 --format otel",
    )


def _export(
    run: Run,
    form: _Form,
    episodes: Episodes = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    out: _Out = None,
) -> None:
    from navviz.cli.options import open_named

    # before the run is read, which may take long
    names = ["otel", "atif", "csv", "vlnce", "r2r", "rrd", *offered("exporters")]
    if form not in names:
        raise SettingsError(f"There is no format {form!r}: choose one of {', '.join(names)}.")
    _, opened = open_named(run, graphs, episodes=episode_file)
    traces: Iterable[Trace] = opened.traces.values()
    if episodes:
        traces = [opened.trace(key) for key in episodes]
    if form == "rrd":
        _write_recordings(opened, list(episodes or opened.traces), out)
        return
    with _opened(out) as file, _counted(traces, form) as counted:
        if form == "csv":
            from navviz.formats.export.predictions import STEP_COLUMNS, step_rows

            file.write(csv_text([STEP_COLUMNS]))
            for trace in counted:  # one at a time: a run may not fit into memory
                rows = step_rows(trace)
                file.write(csv_text(row.values() for row in rows))
        elif form in {"otel", "atif"}:
            from navviz.formats.export.atif import trajectory
            from navviz.formats.export.otel import traces_data

            write = traces_data if form == "otel" else trajectory
            for trace in counted:
                file.write(json_text(write(trace)) + "\n")
        elif form in {"vlnce", "r2r"}:
            from navviz.formats.export.predictions import r2r_results, vlnce_predictions

            results = vlnce_predictions if form == "vlnce" else r2r_results
            file.write(json_text(results(counted)) + "\n")
        else:
            file.writelines(offered("exporters")[form].load()(counted))


def _write_recordings(run: OpenRun, episodes: list[str], out: Path | None) -> None:
    from navviz.formats.export.rrd import write_recording
    from navviz.observations.pictures.films import PictureCache
    from navviz.records.trace_files import SUFFIX
    from navviz.runner.episode import trace_path

    if out is None:
        do = "add --out FILE.rrd, or --out FOLDER for several"
        raise SettingsError(f"A recording is no text: {do}.")
    several = len(set(episodes)) > 1 or out.suffix != ".rrd"
    cache = PictureCache()
    for episode in dict.fromkeys(episodes):
        trace, pictures = run.trace(episode), run.pictures(episode)

        def picture(step: Step, pictures: WalkPictures = pictures) -> bytes | None:
            for seen in pictures.of_step(step, step.index - 1):
                if len(seen.files) == 1 and seen.files[0] is not None:
                    return cache.read(seen.files[0], pictures.folders)[0]
            return None

        shown = picture if any(map(picture, trace.steps[:1])) else None
        path = out
        if several:
            # named as the walk's own file
            stem = trace_path(out.parent, out.name, episode).name.removesuffix(SUFFIX)
            path = out / f"{stem}.rrd"
        write_recording(trace, run.graph(episode), path, shown)
    tell(f"{out}: {plural(len(set(episodes)), 'recording')}")


_SAY_ENDS = frozenset({"otel", "atif", "csv"})
"""Formats that say how a walk ended, or each step alone; the others hold where it went."""


@contextmanager
def _counted(traces: Iterable[Trace], form: str) -> Iterator[Iterable[Trace]]:
    """Hand the traces on, and say afterwards which of them their run counts no figure of."""
    from navviz.formats.export.predictions import has_no_result

    without: list[str] = []

    def passed() -> Iterator[Trace]:
        for trace in traces:
            if has_no_result(trace):
                without.append(trace.episode.id)
            yield trace

    yield passed()
    if without and form not in _SAY_ENDS:
        walks = f"{len(without)} walks have" if len(without) > 1 else "1 walk has"
        note(
            f"warning: {walks} no result in this run (not finished, or ended in an error; the"
            f" first: {without[0]}); {form} cannot say so, and whoever reads it counts them."
        )


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    """Give the file to write into; what was there before stays where writing fails."""
    if out is None:
        yield sys.stdout
        return
    try:
        # without a newline of its own, so that the file is the same on Windows
        with replacing(out) as part, part.open("w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        raise not_written(out, error) from error
