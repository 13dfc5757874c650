"""Several walks of one episode at once: samples of one model, or of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from navviz.metrics.intervals import Interval, mean_interval
from navviz.records import Call, Trace
from navviz.systems.base import Settings

_RUN = re.compile(r"(?P<fan>fan-.+)-m(?P<model>\d+)-s(?P<sample>\d+)")
MOST_WALKS = 60
"""Of one fan; more are a batch."""


def fan_run(fan: str, model: int, sample: int) -> str:
    """Return the name of one walk's run; models and samples count from 1."""
    return f"{fan}-m{model}-s{sample}"


def fan_of(run: str) -> str | None:
    """Return the fan that a run belongs to; ``None`` for a run of its own."""
    match = _RUN.fullmatch(run)
    return match["fan"] if match is not None else None


def runs_of(fan: str, folder: Path) -> list[str]:
    """Return the names of a fan's runs on disk, by model and sample."""
    if not _RUN.fullmatch(fan_run(fan, 1, 1)):
        return []
    names = [path.name for path in folder.glob(f"{_quoted(fan)}-m*-s*") if path.is_dir()]
    # the pattern also finds fans with longer names that begin alike
    return sorted((name for name in names if fan_of(name) == fan), key=_order)


def _quoted(text: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", text)


def _order(run: str) -> tuple[int, int]:
    match = _RUN.fullmatch(run)
    return (int(match["model"]), int(match["sample"])) if match is not None else (0, 0)


def seeded(settings: Settings, sample: int) -> Settings:
    """Return the settings of a further sample: another seed where the navigator draws its own
    random numbers.
    """
    seed = getattr(settings, "seed", None)
    if not isinstance(seed, int):
        return settings
    # the first sample keeps the seed of the settings
    return settings.model_copy(update={"seed": seed + sample - 1})


@dataclass(frozen=True, slots=True)
class FanFigures:
    """What the walks of one model came to."""

    model: str
    walks: int
    """Walks that have ended without a technical error."""
    success: Interval | None
    """Success rate; ``None`` where the episode has no goal."""
    error_m: Interval | None
    """Distance of the end from the goal (NE)."""
    spl: Interval | None
    ends: int
    """Places at which they ended."""
    tokens: int | None
    """``None`` where a server did not count those of a call."""
    cost_usd: float | None
    """``None`` where a call has no known price."""


def fan_figures(model: str, walks: Sequence[tuple[Trace, dict[str, float | None]]]) -> FanFigures:
    """Sum up one model's walks, each with its scores; those that ended in an error are left out,
    but for what they cost.
    """
    judged = []
    for trace, scores in walks:
        if trace.end is not None and trace.end.status in {"done", "limit"}:
            judged.append((trace, scores))
    calls: list[Call] = []
    for trace, _ in walks:
        calls += own_calls(trace)
    costs = [call.cost_usd for call in calls]
    priced = [cost for cost in costs if cost is not None]
    counts = [call.tokens for call in calls]
    counted = [count for count in counts if count is not None]
    return FanFigures(
        model=model,
        walks=len(judged),
        success=_mean(_values("SR", judged), yes_no=True),
        error_m=_mean(_values("NE", judged)),
        spl=_mean(_values("SPL", judged)),
        ends=len({trace.path[-1] for trace, _ in judged if trace.path}),
        # one call without a count or a price makes the sum too low, so that none is given
        tokens=sum(counted) if len(counted) == len(counts) else None,
        cost_usd=sum(priced) if len(priced) == len(costs) else None,
    )


def own_calls(trace: Trace) -> list[Call]:
    """Return the calls that a walk made itself: a fork's copies of older steps were paid for by the
    walk that it came from.
    """
    origin = trace.header.forked_from
    if origin is None:
        return list(trace.calls)
    # with another instruction the plan is made anew; with an edited plan the old calls are copied
    calls = list(trace.plan_calls) if "instruction" in origin.changes else []
    for step in trace.steps:
        if step.index >= origin.step:
            calls += step.calls
    return calls


def _values(name: str, walks: Sequence[tuple[Trace, dict[str, float | None]]]) -> list[float]:
    values = []
    for _, scores in walks:
        value = scores.get(name)
        if value is not None:
            values.append(value)
    return values


def _mean(values: Sequence[float], *, yes_no: bool = False) -> Interval | None:
    return mean_interval(values, yes_no=yes_no) if values else None
