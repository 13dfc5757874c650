"""What-ifs as tables, and what a run's what-ifs come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from navviz.analysis.acts import decisive_act
from navviz.analysis.what_if.cube import WhatIf
from navviz.analysis.what_if.follower import Followed
from navviz.analysis.what_if.kept import EpisodeWhatIf
from navviz.analysis.what_if.samples import SampledCell
from navviz.metrics.intervals import interval_columns, interval_record
from navviz.records.base import plural
from navviz.runs.run import OpenRun
from navviz.runs.schema import TableColumn, as_index, frame_of_rows

if TYPE_CHECKING:
    import pandas as pd

EPISODE_SCHEMA: Final = (
    TableColumn("episode", "string", "", "Id of the episode"),
    TableColumn("success", "boolean", "", "Whether the walk itself succeeded"),
    TableColumn("ne_m", "Float64", "m", "Navigation error of the walk itself"),
    TableColumn("walks_on", "string", "", "Who walks on after another link"),
    TableColumn("is_same", "boolean", "", "Whether that is the navigator that walked"),
    TableColumn("links", "Int64", "count", "Other links that were walked to the end"),
    TableColumn("unstable", "Int64", "count", "Forks where the link taken anyway ends otherwise"),
    TableColumn("decisive", "string", "", "Steps at which the reference's link succeeds"),
    TableColumn("decisive_any", "string", "", "Steps at which any other link succeeds"),
    TableColumn("best_ne_m", "Float64", "m", "Least navigation error after another link"),
    TableColumn("ruining", "Int64", "count", "Other links that ruin a success"),
    TableColumn("follower_until", "Int64", "", "Last step before which the follower still arrives"),
    TableColumn("sentence", "string", "", "The same in words"),
)
"""Columns of ``navviz.what_if`` and of ``navviz whatif RUN``: a row an episode."""
CELL_SCHEMA: Final = (
    TableColumn("episode", "string", "", "Id of the episode"),
    TableColumn("step", "Int64", "", "Number of the step; of the follower, where it reads on"),
    TableColumn("fork", "string", "", "Node of the fork"),
    TableColumn("link", "string", "", "Where the link leads; missing where it stops or reads on"),
    TableColumn("taken", "boolean", "", "Whether it is what the walk did (the null cell)"),
    TableColumn("reference", "boolean", "", "Whether the reference path takes this link"),
    TableColumn("unstable", "boolean", "", "Whether the null cell of its fork ends otherwise"),
    TableColumn("ne_m", "Float64", "m", "Navigation error where it ends"),
    TableColumn("blame_m", "Float64", "m", "How much nearer to the goal that is than the walk"),
    TableColumn("success", "boolean", "", "Whether it ends within the success radius"),
    TableColumn("path", "string", "", "Nodes from the fork to the end, with blanks between"),
)
"""Columns of ``run.what_if`` and of ``navviz whatif RUN EPISODE``: a row a cell."""
SAMPLE_COLUMNS: Final = (
    *("episode", "step", "fork", "link", "taken", "reference"),
    *interval_columns("success"),
    *("ne_m", "broken_off", "cost_usd"),
)
"""Columns of ``navviz whatif --samples``: a row a cell, its success rate with interval and n."""


def sentence_of(one: EpisodeWhatIf) -> str | None:
    """Say in words what the what-ifs of an episode prove; ``None`` where they prove nothing."""
    if isinstance(one, Followed):
        return one.sentence
    if one.success:
        links = plural(len(one.proven), "other link")
        return f"{len(one.ruining)} of {links} ruin this success."
    if one.decisive:
        alone = ", each alone" if len(one.decisive) > 1 else ""
        return (
            f"With the reference's link in {_steps(one.decisive)}{alone}, {one.navigator} reaches"
            " the goal."
        )
    if one.decisive_any:
        return (
            f"The reference's link mends no step; another one does in {_steps(one.decisive_any)}."
        )
    return f"No single other link leads {one.navigator} to the goal."


def _steps(steps: tuple[int, ...]) -> str:
    numbers = ", ".join(map(str, steps))
    return f"step {numbers}" if len(steps) == 1 else f"steps {numbers}"


def episode_row(key: str, one: EpisodeWhatIf) -> dict[str, Any]:
    """Return the row of an episode, by `EPISODE_SCHEMA`."""
    row: dict[str, Any] = dict.fromkeys(column.name for column in EPISODE_SCHEMA)
    cells = one.others if isinstance(one, WhatIf) else one.cells
    errors = [cell.ne_m for cell in cells if cell.ne_m is not None]
    row |= {"episode": key, "success": one.success, "ne_m": one.ne_m, "walks_on": one.navigator}
    row |= {"is_same": isinstance(one, WhatIf), "sentence": sentence_of(one)}
    if isinstance(one, Followed):
        return row | {"follower_until": one.until}
    row |= {"links": len(one.others), "unstable": len(one.unstable)}
    row["best_ne_m"] = min(errors, default=None)
    if one.success:
        return row | {"ruining": len(one.ruining)}
    return row | {"decisive": one.decisive, "decisive_any": one.decisive_any}


def cell_rows(key: str, one: EpisodeWhatIf) -> Iterator[dict[str, Any]]:
    """Yield the row of each cell, by `CELL_SCHEMA`."""
    unstable = one.unstable if isinstance(one, WhatIf) else frozenset()
    for cell in one.cells:
        is_known = one.ne_m is not None and cell.ne_m is not None
        yield {
            "episode": key,
            "step": cell.step,
            "fork": cell.fork,
            "link": cell.link or None,
            "taken": cell.is_taken,
            "reference": cell.is_reference,
            "unstable": (cell.step, cell.fork) in unstable,
            "ne_m": cell.ne_m,
            "blame_m": (one.ne_m or 0.0) - (cell.ne_m or 0.0) if is_known else None,
            "success": cell.success,
            "path": " ".join(cell.tail),
        }


def sample_row(cell: SampledCell) -> dict[str, Any]:
    """Return the row of a sampled cell, by `SAMPLE_COLUMNS`."""
    row: dict[str, Any] = {"episode": cell.episode, "step": cell.step, "fork": cell.fork}
    row |= {"link": cell.link, "taken": cell.is_taken, "reference": cell.is_reference}
    row |= interval_record("success", cell.success)
    return row | {"ne_m": cell.ne_m, "broken_off": cell.broken_off, "cost_usd": cell.cost_usd}


def episodes_table(episodes: Mapping[str, EpisodeWhatIf]) -> pd.DataFrame:
    """Return one row an episode; the index is the episode."""
    rows = [episode_row(key, one) for key, one in episodes.items()]
    table = frame_of_rows(EPISODE_SCHEMA, rows).drop(columns="episode")
    table.index = as_index(list(episodes))
    return table


def cells_table(key: str, one: EpisodeWhatIf) -> pd.DataFrame:
    """Return one row a cell of an episode."""
    return frame_of_rows(CELL_SCHEMA, cell_rows(key, one))


def act_steps(run: OpenRun, episodes: Mapping[str, EpisodeWhatIf]) -> dict[str, int | None]:
    """Return the step of the decisive act of each failure."""
    steps = {}
    for key, one in episodes.items():
        act = None if one.success else decisive_act(run.trace(key), run.graph(key))
        steps[key] = None if act is None else act.step
    return steps


@dataclass(frozen=True, slots=True)
class WhatIfCounts:
    """What the what-ifs of a run's own navigator come to."""

    failures: int
    none: tuple[str, ...]
    """Failures that no link of the reference mends alone."""
    one: tuple[str, ...]
    """Failures with one decisive step."""
    several: tuple[str, ...]
    acts: int
    """Failures with a decisive step whose decisive act has a step."""
    agree: int
    """Those of them whose act's step is a decisive one."""
    unstable: int
    """Episodes with an unstable fork, where nothing is claimed."""
    fragile: Mapping[str, tuple[int, int]]
    """Successes: how many other links ruin each, and of how many."""


def count_what_ifs(
    episodes: Mapping[str, EpisodeWhatIf], act_steps: Mapping[str, int | None]
) -> WhatIfCounts:
    """Count decisive steps, agreement with the act's step, and fragile successes.

    `act_steps` has the step of the decisive act of each failure that has one.
    """
    groups: tuple[list[str], list[str], list[str]] = ([], [], [])
    acts = agree = unstable = 0
    fragile = {}
    for key, one in episodes.items():
        if not isinstance(one, WhatIf):
            continue
        unstable += bool(one.unstable)
        if one.success:
            fragile[key] = (len(one.ruining), len(one.proven))
            continue
        groups[min(len(one.decisive), 2)].append(key)
        step = act_steps.get(key)
        if one.decisive and step is not None:
            acts, agree = acts + 1, agree + (step in one.decisive)
    failures = sum(map(len, groups))
    none, single, several = map(tuple, groups)
    return WhatIfCounts(failures, none, single, several, acts, agree, unstable, fragile)


def about_followed(episodes: Mapping[str, EpisodeWhatIf]) -> str | None:
    """Say what the follower says of walks that cannot be taken again; ``None`` without one."""
    followed = [one for one in episodes.values() if isinstance(one, Followed)]
    if not followed:
        return None
    known = [one for one in followed if one.until is not None]
    stopped = sum(one.until is not None and one.until > one.steps[-1] for one in known)
    return (
        f"{plural(len(followed), 'walk')} cannot be taken again here, so `rules` reads on from each"
        f" step: of {len(known)} it says how far the goal was still within reach, {stopped} of them"
        " to the end. That is never the agent's mistake."
    )
