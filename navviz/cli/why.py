"""``navviz why``: the cause of each failure, with the words that prove it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from navviz.cli.command import add_command
from navviz.cli.options import Cause as OnlyCause
from navviz.cli.options import Episode, EpisodeFile, Format, Graphs, Json, Method, Run
from navviz.cli.output import Form, form_of, table_format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from navviz.analysis.causes.engine import EpisodeCauses
    from navviz.records.cause import Cause, Quote
    from navviz.runs.opened import OpenRun


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "why",
        _why,
        "Say why episodes failed, each cause with the words that prove it.",
        "navviz why runs/mine",
        "navviz why runs/mine 1",
        "navviz why runs/mine --cause count-lost --json",
    )


def _why(
    run: Run,
    episode: Episode = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    method: Method = None,
    cause: OnlyCause = None,
    form: Format = Form.TABLE,
    *,
    as_json: Json = False,
) -> None:
    from navviz.analysis.causes.counting import about_errors
    from navviz.analysis.causes.kept import explained_run
    from navviz.analysis.causes.registry import get_detector
    from navviz.cli.named_run import open_named

    chosen = form_of(form, as_json=as_json)
    if cause is not None:
        get_detector(cause)  # an unknown name is refused before a run is read
    _, opened = open_named(run, graphs, method, episode_file)
    if episode is not None:
        typer.echo(_of_episode(opened, episode, cause, chosen))
        return
    explained = explained_run(opened)
    if chosen is Form.JSON:
        for line in _json_lines(explained, cause, opened.name):
            typer.echo(line)
    elif cause is None:
        typer.echo(_counts(explained, chosen, about_errors(opened.scores.errors)))
    else:
        typer.echo(_table(explained, cause, chosen))


def _of_episode(opened: OpenRun, episode: str, only: str | None, form: Form) -> str:
    from navviz.analysis.causes.engine import unchecked
    from navviz.analysis.causes.table import explain_one

    one = explain_one(opened, episode)
    if form is Form.JSON:
        return "\n".join(_json_lines({episode: one}, only, opened.name))
    if form is not Form.TABLE:
        return _table({episode: one}, only, form)
    causes = [cause for cause in one.causes if only in {None, cause.id}]
    lines = [opened.divergence(episode).sentence]
    for cause in causes:
        lines += _in_words(cause, likely=cause is one.likely)
    if one.likely is None and one.departure is not None:
        hinted = one.leading is not None
        lines.append("no likely cause: hints only" if hinted else "no cause found")
        too_poor = unchecked(one)
        if too_poor is not None:
            lines.append(too_poor)
    return "\n".join(lines)


def _in_words(cause: Cause, *, likely: bool) -> list[str]:
    head = "likely cause" if likely else cause.grade
    lines = [f"step {cause.step}, {head}: {cause.sentence}"]
    lines += [f"    {_place(quote)}: {' '.join(quote.text.split())}" for quote in cause.quotes]
    return lines


def _place(quote: Quote) -> str:
    """Say where a quote stands."""
    where: str = quote.source
    if quote.step is not None:
        where += f", step {quote.step}"
    if quote.start is not None and quote.source != "plan":
        where += f", characters {quote.start} to {quote.end}"
    return where


def _json_lines(explained: Mapping[str, EpisodeCauses], only: str | None, run: str) -> list[str]:
    """Return one object an episode; with `only`, of the episodes that have it."""
    from navviz.analysis.citing import cited_causes

    lines = []
    for one in explained.values():
        document = cited_causes(one, run)
        if only is None or only in one.ids:
            lines.append(json.dumps(document, ensure_ascii=False))
    return lines


def _counts(explained: Mapping[str, EpisodeCauses], form: Form, errors: str) -> str:
    from navviz.analysis.causes.counting import about_successes, cause_counts, counts_frame
    from navviz.analysis.tables import write_table

    note = (
        "likely: failures whose first cause at or before the departure it is. first hint: failures"
        " without one whose first hint there it is; a hint's kind is not shown to be right in nine"
        " of ten real hits (docs/causes.md). Shares with n and"
        " 95 % interval. Causes are found in what was logged: an episode without logs has fewer."
    )
    counts = cause_counts(explained)
    notes = " ".join(filter(None, (note, about_successes(explained, counts), errors)))
    return write_table(counts_frame(counts), table_format(form), notes)


def _table(explained: Mapping[str, EpisodeCauses], only: str | None, form: Form) -> str:
    from navviz.analysis.causes.table import causes_table
    from navviz.analysis.tables import write_table

    table = causes_table(explained)
    if only is not None:
        table = table[table["cause"] == only]
    shown = table[["episode", "success", "step", "departure_step", "likely", "cause", "sentence"]]
    return write_table(shown.set_index("episode"), table_format(form))
