"""Causes of a whole run: each episode's, as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from navviz.analysis.causes.engine import NO_CAUSE, EpisodeCauses, explain_episode
from navviz.analysis.causes.registry import detectors
from navviz.metrics.score import finished_only, score_trace
from navviz.runs.tables import outcome

if TYPE_CHECKING:
    import pandas as pd

    from navviz.runs.run import OpenRun

_ENDED = {"success": True, "failure": False, "unanswered": None, "unknown": None}
COLUMNS = (
    "episode", "success", "cause", "name", "sentence", "step", "departure_step", "grade", "quotes",
    "likely",
)  # fmt: skip


def explain_run(
    run: OpenRun, after: Callable[[int], None] | None = None
) -> dict[str, EpisodeCauses]:
    """Find the causes of every episode of a run, by id, in file order.

    Parameters
    ----------
    run
        The run.
    after
        Called after each episode with the number of those that are done; what it raises ends the
        work.
    """
    using = detectors()
    explained: dict[str, EpisodeCauses] = {}
    for key, trace in run.traces.items():
        one = explain_episode(trace, run.graph(key), using=using)
        explained[key] = _as_listed(one, run.scores.rows.get(key, {}))
        if after is not None:
            after(len(explained))
    return explained


def explain_one(run: OpenRun, key: str) -> EpisodeCauses:
    """Find the causes of one episode of a run, as `explain_run` finds them."""
    trace = run.trace(key)
    one = explain_episode(trace, run.graph(key))
    # its own scores: those of a large run would have to be worked out for all walks
    scores = score_trace(trace, run.graph_of(trace.episode.world))
    return _as_listed(one, finished_only(trace, scores))


def _as_listed(one: EpisodeCauses, scores: Mapping[str, float | None]) -> EpisodeCauses:
    # as the list counts it: of free walks success is what the evaluator recorded
    if one.unanswered is not None:
        return one
    ended = _ENDED[outcome(dict(scores))]
    return one if one.success == ended else replace(one, success=ended)


def causes_table(explained: Mapping[str, EpisodeCauses]) -> pd.DataFrame:
    """Return one row a cause; an episode that went wrong without one has a row that says so, and so
    has a failure of which nobody knows where it went wrong.

    Columns are `COLUMNS`; ``quotes`` counts the places that prove a cause.
    """
    import pandas as pd  # 0.4 s, which commands that print no table need not wait for

    rows = []
    for key, one in explained.items():
        rows += [_row(key, one, number) for number in range(len(one.causes))]
        # a free walk without poses failed all the same, and the counts name it
        if one.leading is None and (one.departure is not None or one.success is False):
            rows.append(_row_without_cause(key, one))
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame.astype({"step": "Int64", "departure_step": "Int64", "success": "boolean"})


def _row(key: str, one: EpisodeCauses, number: int) -> tuple[object, ...]:
    cause = one.causes[number]
    # by its place: what was kept on disk comes back with a likely cause that is an equal copy
    likely = None if one.likely is None else one.causes.index(one.likely)
    return (
        key,
        one.success,
        cause.id,
        cause.name,
        cause.sentence,
        cause.step,
        one.departure,
        cause.grade,
        len(cause.quotes),
        number == likely,
    )


def _row_without_cause(key: str, one: EpisodeCauses) -> tuple[object, ...]:
    return (key, one.success, None, NO_CAUSE, "", None, one.departure, None, 0, False)
