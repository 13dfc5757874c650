"""``navviz diagnose stability``: how well several walks of the same episodes agree, and where they
part.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from navviz.cli.command import add_command
from navviz.cli.options import EpisodeFile, Format, Graphs, Most, Runs
from navviz.cli.output import Form, print_records
from navviz.errors import SettingsError
from navviz.support.guarded import is_folder

if TYPE_CHECKING:
    from navviz.analysis.stability import Stability


_FIGURES = ("episode", "walks", "same_path", "overlap", "same_end", "bits")


def register(app: typer.Typer) -> None:
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
    from navviz.cli.named_run import open_named

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
