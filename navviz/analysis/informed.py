"""Information audit of a run: in which steps a reader of the prompt could choose the right way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from navviz.analysis.causes.engine import context_of
from navviz.analysis.contradictions import contradictions
from navviz.analysis.information import WORDS, StepInformation, information_at, prompt_of
from navviz.analysis.street_acts import told_route
from navviz.metrics.divergence import find_divergence
from navviz.metrics.intervals import interval_columns, interval_record, mean_interval
from navviz.records import Trace
from navviz.records.act import DecisiveAct
from navviz.runs.run import OpenRun
from navviz.runs.schema import TableColumn
from navviz.world.graph import Graph

STEP_COLUMNS: Final = (
    TableColumn("episode", "string", "", "Id of the episode"),
    TableColumn("step", "Int64", "", "Number of the step"),
    TableColumn("format", "string", "", "Format of its prompt"),
    TableColumn("verdict", "string", "", "enough, not enough or contradicts (the map)"),
    TableColumn("missing", "string", "", "What the prompt, or the instruction in it, lacks"),
    TableColumn("by", "string", "", "What tells the way where it is enough"),
    TableColumn("fork", "string", "", "The junction"),
    TableColumn("link", "string", "", "Where the reference goes from there"),
    TableColumn("links", "Int64", "count", "Ways onward at the junction"),
    TableColumn("sentence", "string", "", "The verdict in words"),
)
"""Columns of ``navviz.information``: a row a judged step."""
FORMAT_COLUMNS: Final = (
    *("format", "episodes", *interval_columns("enough")),
    *("not_enough", "contradicts", "guessing_adds", *WORDS),
)
"""Columns of ``navviz diagnose information RUN``: a row a format of prompts."""


def step_information(trace: Trace, graph: Graph) -> list[StepInformation]:
    """Judge each step of a walk on streets that stands on its route before a junction.

    Left out are steps off the route, which have no link of the reference; steps without a choice or
    a logged prompt; and those where text or map is not clear.
    """
    path = trace.episode.reference_path
    if graph.frame != "geo" or len(path) < 2 or any(node not in graph for node in path):
        return []
    route, divergence = told_route(trace.episode, graph), find_divergence(trace, graph)
    nothing = DecisiveAct(
        act=None, how="went on", sentence="-", node=None, step=None, acts=route.acts
    )
    context = context_of(trace, graph, nothing, divergence)
    claims = contradictions(trace.episode, graph)
    judged: list[StepInformation] = []
    place = 0
    for step in trace.steps:
        here = step.path[0] if step.path else step.node
        if here is None or here not in path[place:] or not prompt_of(step):
            continue
        place = path.index(here, place)
        one = information_at(context, route, step, place, claims)
        judged += [] if one is None else [one]
    return judged


def run_information(run: OpenRun) -> Iterator[StepInformation]:
    """Judge the steps of all walks of a run."""
    for key in run.traces:
        yield from step_information(run.trace(key), run.graph(key))


def step_row(one: StepInformation) -> dict[str, Any]:
    """Return the row of a step, by `STEP_COLUMNS`."""
    fields = asdict(one)
    return {column.name: fields[column.name] or None for column in STEP_COLUMNS}


def format_rows(steps: Iterable[StepInformation]) -> Iterator[dict[str, Any]]:
    """Yield a row a format of prompts, by `FORMAT_COLUMNS`: the share of its steps that could be
    decided without guessing, with 95 % interval and n, and what guessing adds to it: one in the
    number of ways at each step that could not.
    """
    by_format: dict[str, list[StepInformation]] = {}
    for one in steps:
        by_format.setdefault(one.format, []).append(one)
    for name, own in by_format.items():
        lacking = [one for one in own if one.verdict == "not enough"]
        guessed = sum(1 / one.links for one in own if one.verdict != "enough")
        row: dict[str, Any] = {"format": name, "episodes": len({one.episode for one in own})}
        share = mean_interval([float(one.verdict == "enough") for one in own], yes_no=True)
        row |= interval_record("enough", share)
        row |= {"not_enough": len(lacking), "guessing_adds": guessed / len(own)}
        row["contradicts"] = sum(one.verdict == "contradicts" for one in own)
        missing = Counter(one.missing for one in lacking)
        yield row | {what: missing[what] for what in WORDS}


def information_document(trace: Trace, graph: Graph) -> Mapping[str, list[str]] | None:
    """Return verdict and sentence by the step's index, as the player takes them; ``None`` where no
    step is judged.
    """
    steps = step_information(trace, graph)
    return {str(one.step): [one.verdict, one.sentence] for one in steps} or None
