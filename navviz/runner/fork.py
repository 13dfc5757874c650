"""Another try from the middle of an old trace: with another instruction, plan, model or
decision.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from navviz.errors import InputError, SettingsError
from navviz.metrics.intervals import Interval, mean_interval
from navviz.metrics.long_horizon import POOLED
from navviz.metrics.score import RunScore
from navviz.records import Call, Decision, Episode, Fork, Step, SubGoal, Trace
from navviz.records.trace_files import read_trace, write_trace
from navviz.records.view import views_folder
from navviz.runner.config import RunConfig, parted_settings, read_config, write_config
from navviz.runner.episode import trace_path
from navviz.runs.owners import Ownership, claim
from navviz.support.guarded import is_folder, writing_folder
from navviz.systems.base import Settings
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True)
class Forked:
    """What `run_episode` needs to go on from there."""

    episode: Episode
    past: Trace | None
    """``None`` where the fork is at the first step with a new plan: a run from the start."""
    origin: Fork


def fork(
    trace: Trace,
    step: int,
    *,
    instruction: str | None = None,
    sub_goals: Sequence[SubGoal] | None = None,
    target: str | None = None,
    graph: Graph | None = None,
    changes: Sequence[str] = (),
) -> Forked:
    """Prepare a run that shares the steps before `step` with a trace.

    Raises `InputError` when the trace has no such step, or `target` cannot be reached from where
    the agent stood.
    """
    place = next((i for i, old in enumerate(trace.steps) if old.index == step), None)
    if place is None:
        last = trace.steps[-1].index if trace.steps else 0
        raise InputError(
            f"has no step {step}",
            f"choose one up to {last}",
            episode=trace.episode.id,
            field="step",
        )
    noted = list(changes)
    episode, update = trace.episode, dict[str, object]()
    if instruction is not None and instruction != episode.instruction:
        episode = episode.model_copy(update={"instruction": instruction})
        noted.append("instruction")
        # these were made from the old instruction
        update.update(sub_goals=(), landmarks=(), plan_panels=())
    steps = list(trace.steps[:place])
    if sub_goals is not None:
        noted.append("plan")
        update["sub_goals"] = tuple(sub_goals)
    elif "sub_goals" not in update and trace.steps[place].plan:
        # with the states that the plan had at this step, not those of the end
        update["sub_goals"] = trace.steps[place].plan
    if target is not None:
        noted.append(f"decision in step {step}")
        steps.append(_decided(trace.steps[place], target, graph, episode.id))
    origin = Fork(run=trace.header.run, episode=trace.episode.id, step=step, changes=tuple(noted))
    update.update(
        header=trace.header.model_copy(update={"episode": episode}), steps=tuple(steps), end=None
    )
    update["waypoints"] = None  # those of the old walk; the new one is scored as it is walked
    past = trace.model_copy(update=update)
    return Forked(episode, past if steps or past.sub_goals else None, origin)


def _decided(step: Step, target: str, graph: Graph | None, episode: str) -> Step:
    """Return the step with another decision, made by the user."""
    path: tuple[str, ...] | None = ()
    if graph is not None and step.node is not None and target != step.node:
        path = graph.hops(step.node, target) if step.node in graph and target in graph else None
    if path is None:
        raise InputError(
            f"no way leads from {step.node} to {target}",
            "choose another node",
            episode=episode,
            field="target",
        )
    decision = Decision(target=target, sub_goal_status="IN_PROGRESS", reason="chosen by hand")
    # without calls: no model was asked for this decision
    return step.model_copy(update={"decision": decision, "path": path, "calls": ()})


Scores = Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Round:
    """The state after one more round over the failures."""

    number: int
    """From 1."""
    run: str
    """Name of the run that holds this round's walks."""
    walked: int
    """Failures that were walked again."""
    means: Scores
    """Over all episodes, each with its last walk: best of `number` + 1."""

    @property
    def best_of(self) -> int:
        """How many tries a failure has had."""
        return self.number + 1


def failures(rows: Mapping[str, Scores]) -> list[str]:
    """Ids of the episodes that ended outside their success radius; those need a goal."""
    return [key for key, row in rows.items() if row.get("SR") == 0.0]


def round_name(run: str, number: int) -> str:
    """Return the name of the run that holds the walks of a round."""
    return f"{run}-again-{number}"


def rerun_failures(
    first: RunScore, walk: Callable[[str, Sequence[str]], RunScore], rounds: int
) -> list[Round]:
    """Walk what failed again, up to `rounds` times."""
    rows = dict(first.rows)
    done: list[Round] = []
    for number in range(1, rounds + 1):
        failed = failures(rows)
        if not failed:
            break
        name = round_name(first.run, number)
        again = walk(name, failed)
        # a technical error says nothing about the walker, so the earlier walk stands
        rows |= {
            key: row for key, row in again.rows.items() if key in rows and key not in again.errors
        }
        done.append(Round(number, name, len(failed), _means(rows, first)))
    return done


def _means(rows: Mapping[str, Scores], first: RunScore) -> Scores:
    """Means over episodes that ended without a technical error, or were mended since."""
    # by identity: the row of a later round is another object, so that the error is mended
    kept = [
        row for key, row in rows.items() if key not in first.errors or row is not first.rows[key]
    ]
    means: dict[str, float | None] = {}
    for name in first.means:
        if name in POOLED:
            continue
        column = [value for row in kept if (value := row.get(name)) is not None]
        means[name] = sum(column) / len(column) if column else None
    return means


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
    """Return a further sample's settings: another seed where the navigator draws by itself."""
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


_NAME = re.compile(r"[\w .+-]{1,80}")


def is_run_name(name: str) -> bool:
    """Whether a run may be called so: a folder's name on every system, and no way out."""
    return _NAME.fullmatch(name) is not None and not name.startswith(".")


def keep_run(trace_file: Path, out: Path, name: str, ownership: Ownership | None = None) -> Path:
    """Copy a live run's trace into the run `name`, which may hold other episodes made the same way.

    Raises `SettingsError` when the name cannot be one, or that run was made otherwise or has the
    episode already; `ConflictError` when there is a run of that name, and it is another's.
    """
    name = name.strip()
    if not is_run_name(name):
        raise SettingsError(
            "A run's name has up to 80 letters, digits, blanks and . + - _; choose another one."
        )
    # before anything of that run is read: another's must not even tell which episodes it holds
    claim(out / name, ownership)
    trace = read_trace(trace_file)
    target = trace_path(out, name, trace.episode.id)
    if target.exists():
        raise SettingsError(
            f"The run {name} has episode {trace.episode.id} already; choose another name."
        )
    config = read_config(trace_file.parent)
    if config is None:
        header = trace.header
        settings, options = parted_settings(header.settings)
        config = RunConfig(
            run=name,
            navigator=header.navigator,
            settings=settings,
            model=header.model,
            model_options=options,
        )
    write_config(out / name, config.model_copy(update={"run": name}))
    write_trace(
        trace.model_copy(update={"header": trace.header.model_copy(update={"run": name})}), target
    )
    # what was sent stands beside the trace: without it, the kept run shows grey boxes
    views, kept_views = views_folder(trace_file), views_folder(target)
    if is_folder(views):
        with writing_folder(kept_views) as made:
            shutil.copytree(views, made, dirs_exist_ok=True)
    return target
