"""``navviz why``: the act that each failure did not do, and what explains it, with proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from navviz.cli.options import Cause as OnlyCause
from navviz.cli.options import Episode, EpisodeFile, Format, Graphs, Run
from navviz.cli.output import Form, add_command, print_data, print_frame
from navviz.support.notes import tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from navviz.analysis.causes.engine import EpisodeCauses
    from navviz.records.finding import Quote
    from navviz.runs.opened import OpenRun


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "why",
        _why,
        "Say which act each failure did not do, and what explains it, with proof.",
        "navviz why runs/mine",
        "navviz why runs/mine 1",
        "navviz why runs/mine --cause miscounted --format json",
    )


def _why(
    run: Run,
    episode: Episode = None,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    cause: OnlyCause = None,
    form: Format = Form.TABLE,
) -> None:
    from navviz.analysis.causes.counting import about_errors, about_unanswered, explained_run
    from navviz.analysis.causes.registry import get_detector
    from navviz.cli.options import open_named

    if cause is not None:
        get_detector(cause)  # an unknown name is refused before a run is read
    _, opened = open_named(run, graphs, episode_file)
    if episode is not None:
        _print_episode(opened, episode, cause, form)
        return
    explained = explained_run(opened)
    if form in {Form.JSON, Form.JSONL}:
        print_data(form, (), _documents(explained, cause, opened.name))
    elif cause is None:
        errors = [key for key in opened.scores.errors if explained[key].unanswered is None]
        apart = filter(None, (about_errors(errors), about_unanswered(explained)))
        _print_counts(explained, form, " ".join(apart))
    else:
        _print_causes(explained, cause, form)


def _print_episode(opened: OpenRun, episode: str, only: str | None, form: Form) -> None:
    from navviz.analysis.causes.counting import explain_one
    from navviz.analysis.causes.engine import unchecked

    one = explain_one(opened, episode)
    if form in {Form.JSON, Form.JSONL}:
        print_data(form, (), _documents({episode: one}, only, opened.name))
        return
    if form is not Form.TABLE:
        _print_causes({episode: one}, only, form)
        return
    if one.unanswered is not None:
        why = one.unanswered
        tell(f"The service did not answer: {why}. That is no choice of the model.")
        return
    causes = [cause for cause in one.causes if only in {None, cause.id}]
    act = None if one.success else one.act
    lines = [opened.divergence(episode).sentence]
    if act is not None:
        hint = " (hint)" if act.grade == "hint" else ""
        lines = [f"step {act.step}, {act.how}{hint}: {act.sentence}"]
    for cause in causes:
        head = "likely cause" if cause is one.likely else cause.grade
        lines.append(f"step {cause.step}, {head}: {cause.sentence}")
        lines += [f"    {_place(quote)}: {' '.join(quote.text.split())}" for quote in cause.quotes]
    if one.likely is None and one.departure is not None:
        too_poor = unchecked(one)
        if too_poor is not None:
            lines.append(too_poor)
    tell(*lines)


def _place(quote: Quote) -> str:
    """Say where a quote stands."""
    where: str = quote.source
    if quote.step is not None:
        where += f", step {quote.step}"
    if quote.start is not None and quote.source != "plan":
        where += f", characters {quote.start} to {quote.end}"
    return where


def _documents(
    explained: Mapping[str, EpisodeCauses], only: str | None, run: str
) -> Iterator[dict[str, Any]]:
    """Yield one object an episode; with `only`, of the episodes that have it."""
    from navviz.analysis.report import cited_causes

    for one in explained.values():
        if only is None or only in one.ids:
            yield cited_causes(one, run)


def _print_counts(explained: Mapping[str, EpisodeCauses], form: Form, errors: str) -> None:
    import pandas as pd  # 0.4 s, which JSON need not wait for

    from navviz.analysis.act_counts import act_records, acts_frame
    from navviz.analysis.causes.counting import (
        COUNT_COLUMNS,
        cause_counts,
        count_records,
        counts_frame,
    )

    counts = cause_counts(explained)
    if form is Form.CSV:
        print_data(form, COUNT_COLUMNS, (*act_records(explained), *count_records(counts)))
        return
    acts, causes = acts_frame(explained), counts_frame(counts)
    if form is not Form.TABLE:
        # one document holds one table
        acts = acts.rename_axis("cause")
        acts = acts.rename(columns={"failures": "likely", "of failures": "in failures"})
        acts["id"] = "act:" + acts["id"]
        rows = pd.concat([acts, causes]).fillna({"first hint": 0})
        print_frame(rows.astype({"first hint": int})[list(causes.columns)], form, errors)
        return
    print_frame(acts, form)
    note = (
        "The first table says how the decisive act of each failure was missed (docs/causes.md)."
        " likely: failures that it explains as the leading kind; first hint: the same of a kind"
        " that is not shown to be right in 85 % of unseen hits. Shares with n and"
        " 95 % interval. Causes are found in what was logged: an episode without logs has fewer."
    )
    notes = " ".join(filter(None, (note, errors)))
    print_frame(causes, form, notes)


def _print_causes(explained: Mapping[str, EpisodeCauses], only: str | None, form: Form) -> None:
    from navviz.analysis.causes.counting import causes_table

    table = causes_table(explained)
    if only is not None:
        table = table[table["cause"] == only]
    columns = ["episode", "success", "act", "step", "likely", "cause", "sentence"]
    shown = table[columns]
    print_frame(shown.set_index("episode"), form)
