"""``navviz diagnose information``: whether prompts hold what tells the right way."""

from __future__ import annotations

import typer

from navviz.cli.options import Episode, EpisodeFile, Format, Graphs, Run, open_named
from navviz.cli.output import Form, add_command, print_data, print_frame


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "information",
        _information,
        "Say for each step whether its prompt holds what tells the right way at the next junction.",
        "navviz diagnose information runs/mine",
        "navviz diagnose information runs/mine 7 --format csv",
    )


def _information(
    run: Run,
    episode: Episode = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    form: Format = Form.TABLE,
) -> None:
    import pandas as pd

    from navviz.analysis.causes.counting import share_text
    from navviz.analysis.informed import (
        FORMAT_COLUMNS,
        STEP_COLUMNS,
        format_rows,
        run_information,
        step_information,
        step_row,
    )
    from navviz.metrics.intervals import Interval

    _, opened = open_named(run, graphs, episode_file)
    if episode is not None:
        steps = step_information(opened.trace(episode), opened.graph(episode))
        columns, rows = [column.name for column in STEP_COLUMNS], list(map(step_row, steps))
        shown = ["step", "verdict", "missing", "by", "links", "sentence"]
    else:
        columns, rows = list(FORMAT_COLUMNS), list(format_rows(run_information(opened)))
        shown = [name for name in columns if not name.startswith("enough_")]
    if form.is_data:
        print_data(form, columns, rows)
        return
    for row in rows if episode is None else ():
        numbers = (row["enough"], row["enough_low"], row["enough_high"], row["enough_n"])
        row["enough"] = share_text(Interval(*numbers))
        row["guessing_adds"] = f"{100 * row['guessing_adds']:.1f} %"
    about = (
        "enough: steps on the route that could be decided without guessing, with 95 % interval and"
        " n; guessing adds one in the number of ways at the others. Steps off the route, without a"
        " choice, or where text or map is not clear are left out."
    )
    frame = pd.DataFrame(rows, columns=columns)[shown].fillna("")
    print_frame(frame.set_index(shown[0]), form, "" if episode is not None else about)
