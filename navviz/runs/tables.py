"""Records to DataFrames: every column declared once, with its label, help and format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal

from navviz.language.reorder import skill_tags, tagged_text, temporal_tags
from navviz.llm.prices import list_price_usd
from navviz.metrics.divergence import Divergence
from navviz.metrics.registry import shown_in
from navviz.records import Call, Trace
from navviz.records.walker import is_unfinished
from navviz.runs.facts import sum_of_calls
from navviz.world.graph import Graph

if TYPE_CHECKING:
    import pandas as pd

Outcome = Literal["success", "failure", "unanswered", "unfinished", "unknown"]


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """One episode of a run, with everything that its row may show."""

    trace: Trace
    metrics: dict[str, float | None]
    divergence: Divergence
    length_m: float | None
    """Length of the reference path in metres."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the episode table."""

    name: str
    label: str
    help: str
    value: Callable[[EpisodeRow], Any]
    format: str | None = None
    """printf format of a number."""
    filter: Literal["choice", "tags", "range"] | None = None
    """How Explore filters by it: by some of its values; by values that its lists must hold all of;
    between numbers.
    """
    text: bool = False
    """Whether its values are words; the others are numbers."""

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, of which the largest are looked at first."""
        return not self.text


def outcome(metrics: dict[str, float | None], trace: Trace | None = None) -> Outcome:
    """Whether an episode ended within its success radius; ``unknown`` where there is no goal.

    Of a walk that cannot be measured it is what the evaluator recorded, never an estimate. A
    `trace` whose service did not answer is ``unanswered``, wherever it stands: that shows nothing
    of the agent. One that goes on, or was cut off, is ``unfinished``.
    """
    if trace is not None and trace.unanswered is not None:
        return "unanswered"
    if trace is not None and is_unfinished(trace):
        return "unfinished"
    rate = metrics.get("SR")
    if rate is None:
        # a walk on a mesh has no graph to measure on, and its evaluator has seen the mesh
        rate = metrics.get("SR_rec")
    if rate is None:
        return "unknown"
    return "success" if rate >= 0.5 else "failure"


def drawn_outcome(outcome: Outcome) -> Outcome:
    """Return the outcome as maps draw it: nobody knows it where a walk has not come to its end."""
    return "unknown" if outcome in {"unanswered", "unfinished"} else outcome


_MOST = 2**63


def _sum(row: EpisodeRow, figure: Callable[[Call], float | None]) -> float | None:
    total = sum_of_calls(row.trace.calls, figure)
    # columns hold whole numbers in 64 bits; what is not finite is no total
    return total if total is not None and abs(total) < _MOST else None


def _left_at(row: EpisodeRow) -> int | None:
    return row.divergence.step if row.divergence.left else None


def _gave_up(row: EpisodeRow) -> int | None:
    return None if row.divergence.gave_up is None else row.divergence.gave_up + 1


def _steps(row: EpisodeRow) -> int | None:
    """Count the steps; missing where an evaluator recorded figures and no walk."""
    count = len(row.trace.steps)
    return None if count == 0 and row.trace.is_free else count


def _kind(row: EpisodeRow) -> str:
    return {"none": "stayed on it"}.get(row.divergence.kind, row.divergence.kind)


def _of_metrics(place: str) -> list[Column]:
    """Make a column of each metric that stands in the table unasked."""
    columns = []
    for metric in shown_in(place):
        label = f"{metric.short} (m)" if metric.unit == "m" else metric.short
        value = partial(_figure, metric.name)
        ranged: Literal["range"] | None = "range" if metric.ranged else None
        columns.append(
            Column(metric.name, label, metric.help, value, f"%.{metric.digits}f", ranged)
        )
    return columns


def _figure(name: str, row: EpisodeRow) -> float | None:
    return row.metrics.get(name)


@cache
def episode_columns() -> dict[str, Column]:
    """Return the columns of the episode table by name, in their order.

    They hold metrics that systems bring, so they are asked for where a table is made and not at
    import.
    """
    columns = (
        Column("episode", "Episode", "Id of the episode", lambda r: r.trace.episode.id, text=True),
        Column(
            "outcome",
            "Outcome",
            "Success: stopped within the success radius of the goal; of free walks as recorded."
            " Unanswered: the model's service did not answer. Unfinished: it goes on, or was cut"
            " off",
            lambda r: outcome(r.metrics, r.trace),
            filter="choice",
            text=True,
        ),
        Column(
            "act",
            "Act not done",
            "How the first act of the instruction that a failure did not do was missed; empty until"
            " explanations are found",
            lambda _row: None,
            filter="choice",
            text=True,
        ),
        *_of_metrics("first columns"),
        Column(
            "diverged_at",
            "Left in step",
            "Step whose move left the reference path for good; empty where it never left",
            _left_at,
            filter="range",
        ),
        Column(
            "kind",
            "Reference path",
            "How the agent left it, if it did",
            _kind,
            filter="choice",
            text=True,
        ),
        Column(
            "gave_up",
            "At sub-goal",
            "Sub-goal that was in progress when the agent missed its goal",
            _gave_up,
        ),
        Column(
            "length_m",
            "Length (m)",
            "Length of the reference path",
            lambda r: r.length_m,
            "%.0f",
            filter="range",
        ),
        Column(
            "sub_goals",
            "Sub-goals",
            "Sub-goals of the plan",
            lambda r: len(r.trace.sub_goals or r.trace.episode.sub_goals) or None,
            filter="range",
        ),
        Column("steps", "Steps", "Decisions of the agent", _steps),
        Column(
            "tokens",
            "Tokens",
            "All tokens of all calls, where each call's are logged",
            lambda r: _sum(r, lambda call: call.tokens),
        ),
        Column(
            "cost_usd",
            "Cost ($)",
            "Where prices and tokens of all calls are known",
            lambda r: _sum(r, lambda call: call.cost_usd),
            "%.4f",
        ),
        Column(
            "list_price_usd",
            "List price ($)",
            "What the calls cost at list price, where the log states model and tokens but no cost",
            lambda r: _sum(r, list_price_usd),
            "%.4f",
        ),
        Column(
            "skills",
            "Skills",
            "Skills that the instruction's parts ask for, by cue words (SkillNav's five); not the"
            " subsets of a paper",
            lambda r: list(skill_tags(tagged_text(r.trace.episode))),
            filter="tags",
            text=True,
        ),
        Column(
            "temporal",
            "Temporal",
            "Temporal relations in the instruction, by cue words; not the paper's subsets",
            lambda r: [
                tag.removeprefix("temporal: ")
                for tag in temporal_tags(tagged_text(r.trace.episode))
            ],
            filter="tags",
            text=True,
        ),
        *_of_metrics("last columns"),
        Column(
            "disagreement",
            "Contradiction",
            "Where the instruction contradicts its route: a turn, a landmark's side, the start"
            " heading. Found by the rules' reading; empty until it is asked for",
            lambda _row: None,
            filter="choice",
            text=True,
        ),
        Column(
            "feature",
            "Finding",
            "Words, places, steps or transcripts that the list is filtered by; empty until it is",
            lambda _row: None,
            filter="tags",
            text=True,
        ),
        Column(
            "cause",
            "Likely cause",
            "What explains the act that was not done; empty until causes are found",
            lambda _row: None,
            filter="choice",
            text=True,
        ),
        Column(
            "words",
            "Alike by words",
            "Words that a failure shares with others more than with the rest: a grouping, no cause;"
            " empty until failures are compared",
            lambda _row: None,
            filter="choice",
            text=True,
        ),
        Column(
            "like",
            "Like",
            "The failures nearest by words to one episode, or to what was searched; empty until"
            " somebody asks for them",
            lambda _row: None,
            filter="choice",
            text=True,
        ),
        Column(
            "likeness",
            "Likeness",
            "Cosine of the words to what is compared, from 0 to 1; 1 for the episode itself",
            lambda _row: None,
            "%.2f",
        ),
        Column(
            "instruction",
            "Instruction",
            "The text that the agent was given",
            lambda r: r.trace.episode.instruction,
            text=True,
        ),
    )
    return {column.name: column for column in columns}


LIST_DIGITS = 4
"""Decimals by which a list sorts and filters: as many as its numbers have in the browser."""
WHOLE_NUMBERS = ("diverged_at", "gave_up", "sub_goals", "steps", "tokens")
"""Columns of whole numbers, of which some may be missing."""


def frame_of(columns: Mapping[str, list[Any]]) -> pd.DataFrame:
    """Return the columns of the episode table, as Python's own values, as a table with types."""
    import pandas as pd  # 0.35 s of 1.2 s, which causes and repairs of a run need not wait for

    table = pd.DataFrame(columns)
    for name in WHOLE_NUMBERS:
        # pandas' own integers may be missing; NumPy's would become floats
        table[name] = table[name].astype("Int64")
    return table


def episode_row(
    trace: Trace, graph: Graph, metrics: Mapping[str, float | None], divergence: Divergence
) -> EpisodeRow:
    """Gather what the row of one episode may show; `graph` is the one that it was walked on."""
    path = trace.episode.reference_path
    # a length of what is left of a route would be too short
    on_graph = len(path) > 0 and all(node in graph for node in path)
    length_m = graph.path_length_m(path) if on_graph else None
    return EpisodeRow(trace, dict(metrics), divergence, length_m)
