"""The schema of tables: each column with its type, unit and meaning, the same in every run.

`COLUMNS` of a table are declared here once; `frame_as` makes a DataFrame of them. What a run does
not know is missing (``pd.NA``), never zero, and the sum of a column without a value is missing too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from navviz.metrics.divergence import Kind
from navviz.metrics.registry import all_metrics
from navviz.records.act import HOWS, NO_ACT, slug_of
from navviz.runs.tables import WHOLE_NUMBERS, Outcome, episode_columns

if TYPE_CHECKING:
    import pandas as pd

Type = Literal["Float64", "Int64", "boolean", "string", "category"]
"""Types of pandas that may be missing."""
_LARGEST: Final = 2**63
_CATEGORIES: Final[Mapping[str, tuple[str, ...]]] = {
    "outcome": get_args(Outcome),
    "act": (*map(slug_of, HOWS), NO_ACT),
    "kind": ("stayed on it", *(kind for kind in get_args(Kind) if kind != "none")),
}
"""Columns whose words are known beforehand, so that their type is the same in every run."""
_ASKED_FOR: Final = frozenset({"disagreement", "feature", "words", "like", "likeness"})
"""Columns of Explore's list alone, which are empty until somebody asks for them there."""
_UNITS: Final = {
    "diverged_at": "step",
    "gave_up": "sub-goal",
    "length_m": "m",
    "sub_goals": "count",
    "tokens": "tokens",
    "cost_usd": "US dollars",
    "list_price_usd": "US dollars",
}


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column of a table."""

    name: str
    type: Type
    unit: str
    """Of a number; empty for words."""
    about: str


_FACTS: Final = (
    TableColumn("dataset", "string", "", "Data set of the episode"),
    TableColumn("split", "string", "", "Split of the data set"),
    TableColumn("world", "string", "", "Map or house that was walked"),
    TableColumn("format", "string", "", "How the surroundings were shown to the model"),
    TableColumn("navigator", "string", "", "Who walked"),
    TableColumn("model", "string", "", "The model that was asked"),
    TableColumn("sub_tasks", "Int64", "count", "Sub-tasks of the episode"),
    TableColumn("calls", "Int64", "count", "Model calls"),
    TableColumn("prompt_tokens", "Int64", "tokens", "Of all prompts"),
    TableColumn("thoughts_tokens", "Int64", "tokens", "Of all thoughts"),
    TableColumn("output_tokens", "Int64", "tokens", "Of all replies, without the thoughts"),
    TableColumn("seconds", "Float64", "s", "That all calls took"),
    TableColumn("never_moved", "boolean", "", "A published log that holds the start alone"),
    TableColumn("difficulty_cognitive", "Float64", "rating", "That the episode carries"),
    TableColumn("difficulty_spatial", "Float64", "rating", "That the episode carries"),
    TableColumn("difficulty_execution", "Float64", "rating", "That the episode carries"),
    TableColumn("original", "string", "", "The data set's instruction, where it was reordered"),
    TableColumn("stand_in", "string", "", "Setting that names other agents than the paper's"),
    TableColumn("unanswered", "string", "", "Why the service did not answer, which ended the walk"),
    TableColumn("edits", "string", "", "What a person changed, by step; then no part of means"),
    TableColumn("nuance", "boolean", "", "The episode belongs to a class of NavNuances"),
)
STEP_SCHEMA: Final = (
    TableColumn("run", "string", "", "Name of the run"),
    TableColumn("episode", "string", "", "Id of the episode"),
    TableColumn("navigator", "string", "", "Who walked"),
    TableColumn("model", "string", "", "The model of the run"),
    TableColumn("step", "Int64", "", "Number of the step; 0 is planning with a model"),
    TableColumn("node", "string", "", "Where the agent stood"),
    TableColumn("heading_deg", "Float64", "degrees", "Clockwise from north, where it looked"),
    TableColumn("sub_goal", "Int64", "", "Number of the sub-goal, from 1"),
    TableColumn("sub_goal_text", "string", "", "What the sub-goal says"),
    TableColumn("format", "string", "", "How the surroundings were shown"),
    TableColumn("target", "string", "", "Node that the agent chose, as it named it"),
    TableColumn("sub_goal_status", "string", "", "What it said of the sub-goal"),
    TableColumn("stop", "boolean", "", "Whether it stopped"),
    TableColumn("action", "string", "", "Motion of an agent that walks freely"),
    TableColumn("legal", "boolean", "", "Whether the decision could be carried out"),
    TableColumn("reason", "string", "", "Why it was not legal, or why it was chosen"),
    TableColumn("path", "string", "", "Nodes of the move, with blanks between"),
    TableColumn("calls", "Int64", "count", "Model calls of the step"),
    TableColumn("retries", "Int64", "count", "Further attempts at these calls"),
    TableColumn("prompt_tokens", "Int64", "tokens", "Of its prompts"),
    TableColumn("thoughts_tokens", "Int64", "tokens", "Of its thoughts"),
    TableColumn("output_tokens", "Int64", "tokens", "Of its replies"),
    TableColumn("cached_tokens", "Int64", "tokens", "Of its prompts, from the server's cache"),
    TableColumn("cost_usd", "Float64", "US dollars", "Missing where a call's is not known"),
    TableColumn("seconds", "Float64", "s", "That its calls took"),
    TableColumn("reply", "string", "", "The last reply"),
)
"""Columns of `OpenRun.steps` and of ``navviz export --format csv``: a row a step."""
CALL_SCHEMA: Final = (
    TableColumn("episode", "string", "", "Id of the episode"),
    TableColumn("step", "Int64", "", "Number of the step; 0 is planning"),
    TableColumn("call", "Int64", "", "Number of the call within the step, from 1"),
    TableColumn("purpose", "string", "", "What the navigator wanted: plan, decide ..."),
    TableColumn("model", "string", "", "The model that was asked"),
    TableColumn("prompt", "string", "", "All messages, each behind its role"),
    TableColumn("thoughts", "string", "", "What the model thought"),
    TableColumn("reply", "string", "", "The raw reply"),
    TableColumn("parse_error", "string", "", "Why the reply could not be read"),
    TableColumn("error", "string", "", "Why there is no reply"),
    TableColumn("tool_calls", "string", "", "Names of the functions that the reply calls"),
    TableColumn("finish_reason", "string", "", "Why the model ended, as the server says"),
    TableColumn("finish_message", "string", "", "What the server says about that"),
    TableColumn("block_reason", "string", "", "Why the provider blocked the prompt"),
    TableColumn("service_fault", "string", "", "Which fault of the service left no answer"),
    TableColumn("prompt_tokens", "Int64", "tokens", "Of the prompt"),
    TableColumn("thoughts_tokens", "Int64", "tokens", "Of the thoughts"),
    TableColumn("output_tokens", "Int64", "tokens", "Of the reply, without the thoughts"),
    TableColumn("cached_tokens", "Int64", "tokens", "Of the prompt, from the server's cache"),
    TableColumn("seconds", "Float64", "s", "That the call took"),
    TableColumn("cost_usd", "Float64", "US dollars", "As the log or the price list says"),
    TableColumn("retries", "Int64", "count", "Further attempts before this result"),
)
"""Columns of `OpenRun.calls`: a row a call."""


def episode_schema() -> tuple[TableColumn, ...]:
    """Return the columns of `OpenRun.table`, in order: outcome and walk, metrics, then facts.

    The index is the episode. Metrics are those that are installed.
    """
    metrics = {metric.name: metric for metric in all_metrics()}
    columns = []
    for each in episode_columns().values():
        if each.name in _ASKED_FOR or each.name == "episode":
            continue
        kind: Type = "Int64" if each.name in WHOLE_NUMBERS else "Float64"
        if each.text:
            kind = "category" if each.name in _CATEGORIES else "string"
        metric = metrics.pop(each.name, None)
        unit = _UNITS.get(each.name, "") if metric is None else metric.unit
        columns.append(TableColumn(each.name, kind, unit, each.help))
    for metric in metrics.values():
        columns.append(TableColumn(metric.name, "Float64", metric.unit, metric.title))
    return (*columns, *_FACTS)


def frame_as(schema: Sequence[TableColumn], columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Return values as a table whose columns have their declared types."""
    import pandas as pd  # 0.4 s, which commands without a table need not wait for

    count = max(map(len, columns.values()), default=0)
    series = {}
    for each in schema:
        values = list(columns.get(each.name, [None] * count))
        dtype: Any = each.type
        if each.type == "string":
            values = [_text(value) for value in values]
        elif each.type == "Int64":
            values = [_whole(value) for value in values]
        if each.type == "category":
            dtype = pd.CategoricalDtype(list(_CATEGORIES[each.name]))
        series[each.name] = pd.Series(values, dtype=dtype)
    return _table_class()(series, columns=[each.name for each in schema])


def frame_of_rows(schema: Sequence[TableColumn], rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return rows as a table whose columns have their declared types."""
    columns: dict[str, list[Any]] = {column.name: [] for column in schema}
    for row in rows:
        for name, values in columns.items():
            values.append(row[name])
    return frame_as(schema, columns)


def as_index(keys: Sequence[str]) -> pd.Index[str]:
    """Return episodes as the index of a table."""
    import pandas as pd

    return pd.Index(pd.array(list(keys), dtype="string"), name="episode")


def _text(value: Any) -> Any:  # noqa: ANN401 - a text, a list of texts, or what pandas calls missing
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return value


def _whole(value: Any) -> Any:  # noqa: ANN401 - a number, or what pandas calls missing
    # columns hold whole numbers in 64 bits; what is greater is no count
    is_count = isinstance(value, int | float) and abs(value) < _LARGEST
    return int(value) if is_count else None


@cache
def _table_class() -> type[pd.DataFrame]:
    """Return a DataFrame whose sums of nothing are missing; pandas says 0, as if it were known."""
    import pandas as pd

    class Figures(pd.Series):
        @property
        def _constructor(self) -> type[pd.Series]:
            return Figures

        def sum(self, *arguments: Any, min_count: int = 1, **options: Any) -> Any:  # noqa: ANN401
            return super().sum(*arguments, min_count=min_count, **options)

    class Table(pd.DataFrame):
        @property
        def _constructor(self) -> type[pd.DataFrame]:
            return Table

        @property
        def _constructor_sliced(self) -> type[pd.Series]:
            return Figures

        def sum(self, *arguments: Any, min_count: int = 1, **options: Any) -> Any:  # noqa: ANN401
            return super().sum(*arguments, min_count=min_count, **options)

    return Table
