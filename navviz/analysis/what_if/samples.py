"""What if, of navigators that ask a model: some walks a cell, on demand, within a budget.

Each walk is a fork on disk, as repairs are, so that the same call goes on where it was stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from navviz.analysis.counterfactuals.report import RepairEstimate
from navviz.analysis.counterfactuals.trials import Trial, repairs_estimate
from navviz.analysis.counterfactuals.walking import Arm, RepairWalker
from navviz.analysis.what_if.cube import ForkNode, WhatIfCell, check_walk, forks_of
from navviz.metrics.intervals import Interval, mean_interval
from navviz.records import RepairPlan
from navviz.records.trace_files import read_trace
from navviz.runner.episode import trace_path
from navviz.runs.run import OpenRun

FOLDER: Final = "-what-if"
"""What follows the walker's name in that of the folder of its sampled walks."""


@dataclass(frozen=True, slots=True)
class SampledCell:
    """One what-if of a walk that asks a model: how often it succeeds."""

    episode: str
    step: int
    fork: str
    link: str | None
    """``None`` where the step is decided again: the null cell of a stop."""
    is_taken: bool
    is_reference: bool
    walks: tuple[WhatIfCell, ...]
    """Walks that came to an end."""
    broken_off: int
    """Walks that did not, as where the budget ended; the same call goes on with them."""
    cost_usd: float
    """Of calls with a known price."""

    @property
    def success(self) -> Interval | None:
        """Return the share of walks that succeed, with its 95 % interval; ``None`` without one."""
        ends = [float(cell.success) for cell in self.walks]
        return mean_interval(ends, yes_no=True) if ends else None

    @property
    def ne_m(self) -> float | None:
        """Return the mean navigation error; ``None`` where an end has none."""
        errors = [cell.ne_m for cell in self.walks]
        known = [error for error in errors if error is not None]
        return sum(known) / len(known) if known and len(known) == len(errors) else None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A cell to be walked."""

    episode: str
    fork: ForkNode
    link: str | None

    @property
    def trial(self) -> Trial:
        """Return it as a repair: the link, given once; of a stop, its step decided again."""
        parameters = {"node": self.fork.node, "to": self.link}
        plan = RepairPlan(kind="take_link", step=self.fork.step, parameters=parameters)
        return Trial(self.episode, None, "", plan, None)


def _wanted(run: OpenRun, episode: str, step: int | None) -> list[_Wanted]:
    """Return the cells of an episode, in walking order."""
    check_walk(run.trace(episode), run.graph(episode))
    cells: list[_Wanted] = []
    for fork in forks_of(run.trace(episode), run.graph(episode)):
        if step in {None, fork.step}:
            cells += [_Wanted(episode, fork, link) for link in (fork.taken, *fork.others)]
    return cells


def estimate_samples(
    run: OpenRun, episode: str, samples: int, step: int | None = None
) -> RepairEstimate:
    """Estimate what the walks take, by what the steps after each fork took when recorded.

    Raises `InputError` for an episode that the run does not have, or that has no goal or no walk on
    its map.
    """
    walks = calls = tokens = 0
    usd: float | None = 0.0
    for cell in _wanted(run, episode, step):
        # the step with the given link asks nothing; one that is decided again asks anew
        first = cell.fork.step + int(cell.link is not None)
        own_calls, own_tokens, own_usd = repairs_estimate(run.trace(episode), first)
        walks, calls = walks + samples, calls + samples * own_calls
        tokens += samples * own_tokens
        usd = None if usd is None or own_usd is None else usd + samples * own_usd
    return RepairEstimate(walks, calls, tokens, usd)


def sample_cells(
    run: OpenRun,
    episode: str,
    walker: RepairWalker,
    samples: int,
    step: int | None = None,
) -> list[SampledCell]:
    """Walk each cell of an episode so many times, with the run's own navigator and model.

    `walker`: from `navviz.analysis.counterfactuals.walking.run_walker`, with the budget.
    """
    judge = check_walk(run.trace(episode), run.graph(episode))
    # within one folder, so that a list of runs stays short
    out, done = walker.out / f"{walker.name}{FOLDER}", list[SampledCell]()
    for number, cell in enumerate(_wanted(run, episode, step), start=1):
        arm: Arm = "chance" if cell.link is None else "repair"
        walks, broken_off, cost_usd = list[WhatIfCell](), 0, 0.0
        for sample in range(1, samples + 1):
            name = f"{step or 'all'}-{number}-sample-{sample}"
            result = replace(walker, out=out, name=name).walk(run, arm, [cell.trial]).get(episode)
            if result is None:
                continue
            cost_usd += result.cost_usd
            if result.success is None:
                broken_off += 1
                continue
            path = read_trace(trace_path(out, f"{name}-{arm}", episode)).path
            walks.append(judge.cell(cell.fork, cell.link, path))
        done.append(
            SampledCell(
                episode,
                cell.fork.step,
                cell.fork.node,
                cell.link,
                cell.link == cell.fork.taken,
                (cell.fork.node, cell.link) in judge.links,
                tuple(walks),
                broken_off,
                cost_usd,
            )
        )
    return done
