"""``navviz compare``: two to eight runs on the episodes they share, with intervals and tests
against a baseline.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import EpisodeFile, Format, Graphs, Runs, Seed
from navviz.cli.output import Form, add_command, print_data, print_frame
from navviz.errors import SettingsError
from navviz.support.notes import note, warn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from navviz.analysis.significance import Inference
    from navviz.runs.opened import OpenRun

_MOST = 8

_Baseline = Annotated[
    str | None, typer.Option("--baseline", help="Name of the run to compare with; else the first.")
]
_Metrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        help="Metrics with commas between them, as score names them; else those of the head.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "compare",
        _compare,
        "Compare two to eight runs on the episodes that all of them walked.",
        "navviz compare runs/mine runs/other",
        "navviz compare runs/mine runs/other --metrics SR,NE --format tex",
    )


def _compare(
    runs: Runs,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    baseline: _Baseline = None,
    metrics: _Metrics = None,
    form: Format = Form.TABLE,
    seed: Seed = 0,
) -> None:
    from navviz.analysis.paired_runs import paired_with, pairing_sentences
    from navviz.analysis.significance import compare_to_baseline
    from navviz.analysis.tables import (
        INFERENCE_COLUMNS,
        inference_frame,
        inference_note,
        inference_records,
    )
    from navviz.cli.options import open_named

    if not 2 <= len(runs) <= _MOST:
        raise SettingsError(f"Compare takes two to {_MOST} runs; {len(runs)} were named.")
    named: dict[str, OpenRun] = {}
    for text in runs:
        name, opened = open_named(text, graphs, episodes=episode_file)
        if named:
            opened = paired_with(next(iter(named.values())), opened)
        # two files may have the same name; their paths tell them apart
        named[name if name not in named else str(text)] = opened
    wanted = None
    if metrics is not None:
        wanted = [name.strip() for name in metrics.split(",") if name.strip()]
    first, *others = named.values()
    for sentence in pairing_sentences(first, others):
        note(f"note: {sentence}")
    scores = {name: opened.scores for name, opened in named.items()}
    inference = compare_to_baseline(scores, baseline, wanted, seed=seed)
    for name, score in scores.items():
        if score.walked < len(score):
            warn([f"{name}: {score.summary()}; what was not walked is part of no mean"])
    eyes = {name: opened.eyes for name, opened in named.items()}
    if form.is_data:
        records = []
        for record in inference_records(inference, eyes):
            sentences = [mark.sentence for mark in named[record["run"]].marks]
            records.append(record | {"marks": " ".join(sentences) or None})
        columns = (*INFERENCE_COLUMNS, "marks")
        print_data(form, columns, records, _document(inference, eyes, named))
        return
    # in the table itself: whoever copies it takes them along
    marks = []
    for name, run in named.items():
        marks += [f"{name}: {mark.sentence}" for mark in run.marks]
    legend = "; ".join([inference_note(inference), *marks])
    near = any(opened.is_near for opened in named.values())
    frame = inference_frame(inference, eyes, near=near)
    print_frame(frame, form, legend)


def _document(
    inference: Inference, eyes: Mapping[str, str | None], named: Mapping[str, OpenRun]
) -> dict[str, object]:
    from navviz.runs.marks import marks_document

    means: dict[str, dict[str, object]] = {}
    for metric, runs in inference.means.items():
        means[metric] = {}
        for run, mean in runs.items():
            means[metric][run] = None if mean is None else asdict(mean)
    differences = []
    for difference in inference.differences:
        if difference.metric not in means:
            continue
        row = asdict(difference) | {"significant": difference.significant}
        differences.append(row)
    return {
        "family": inference.family_note,
        "episodes": len(inference.comparison.episodes),
        "baseline": inference.baseline,
        "means": means,
        "differences": differences,
        "eyes": eyes,
        "marks": {name: marks_document(run.marks) for name, run in named.items()},
    }
