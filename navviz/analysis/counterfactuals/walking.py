"""Walk repairs: one episode for the player, or all failures of a run beside their controls."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from navviz.analysis.counterfactuals.trials import Trial
from navviz.errors import InputError, SettingsError
from navviz.llm.base import LanguageModel
from navviz.metrics.score import score_trace
from navviz.records import EndStatus, Episode, RepairPlan, Trace
from navviz.records.trace_files import read_trace
from navviz.runner.batch import OnProgress, run_batch
from navviz.runner.budget import Budget
from navviz.runner.config import CONFIG_NAME, RunConfig, parted_settings, write_config
from navviz.runner.engine import Crew, ModelSpec, check_engine
from navviz.runner.episode import WalkRequest, past_of, trace_path
from navviz.runner.recorded_walker import recorded_model
from navviz.runner.repairs import new_calls, prepare, repaired
from navviz.runner.verify import settings_as_walked
from navviz.runs.run import OpenRun
from navviz.runs.sources import workspace_dir
from navviz.support.guarded import is_there
from navviz.systems.base import Navigator, Settings, asks_model, repairs_of
from navviz.systems.registry import get_navigator
from navviz.world.graph import Graph

Arm = Literal["repair", "chance", "placebo"]
ARMS: Final[tuple[Arm, ...]] = ("repair", "chance", "placebo")
_ENDED = frozenset({EndStatus.DONE, EndStatus.LIMIT})


@dataclass(frozen=True, slots=True)
class Result:
    """How one walk of a trial ended."""

    success: bool | None
    """``None`` where it was not walked, or was broken off."""
    changed: bool = True
    """Whether it is another walk than the recorded one; a placebo that is not tests nothing."""
    cost_usd: float = 0.0
    """Cost of its new calls whose price is known."""
    tokens: int = 0
    calls: int = 0
    unpriced: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairWalker:
    """Who walked a run, and how it is walked again."""

    navigator: Navigator
    settings: Settings
    llm: LanguageModel | None = None
    out: Path
    """Folder of runs: ``NAME-repair``, ``NAME-chance`` and ``NAME-placebo`` come to lie there."""
    name: str
    workers: int = 1
    graphs: Path | None = None
    """Graph folder, which worker processes open for themselves."""
    crew: Crew | None = None
    """The workers of a cluster; this machine where not given."""
    budget: Budget | None = None
    cancel: threading.Event | None = None
    on_progress: OnProgress | None = None
    config: RunConfig | None = None
    """How all arms are walked, which the ``run.json`` of each notes."""

    @property
    def deterministic(self) -> bool:
        """Whether no model is asked, so that the same walk again ends the same."""
        return not asks_model(self.navigator, self.settings)

    def walk(self, run: OpenRun, arm: Arm, trials: Sequence[Trial]) -> dict[str, Result]:
        """Walk one arm of all trials that have it; finished walks are not walked again."""
        name = f"{self.name}-{arm}"
        episodes: list[Episode] = []
        for trial in trials:
            plan = trial.placebo if arm == "placebo" else trial.repair
            if plan is None:
                continue
            # chance begins at the same step without the change: only what a model says anew can
            # differ
            if arm == "chance":
                plan = None
            recorded, graph = run.trace(trial.episode), run.graph(trial.episode)
            past = repaired(recorded, plan, graph, trial.repair.step)
            path = trace_path(self.out, name, trial.episode)
            episodes.append(prepare(past, path, name, self.settings))
        self._note(name)
        # workers keep the run of a token: each arm is a run of its own
        crew = self.crew and replace(self.crew, token=f"{self.crew.token}-{arm}")
        run_batch(
            self.navigator,
            episodes,
            run.graph_of,
            self.settings,
            run=name,
            out=self.out,
            llm=self.llm,
            workers=self.workers,
            graphs=self.graphs,
            budget=self.budget,
            cancel=self.cancel,
            on_progress=self.on_progress,
            crew=crew,
        )
        results = {}
        for episode in episodes:
            # from the disk, since walks that an earlier call finished are not walked again
            trace = read_trace(trace_path(self.out, name, episode.id))
            changed = _way(trace) != _way(run.trace(episode.id))
            result = result_of(trace, run.graph(episode.id))
            results[episode.id] = replace(result, changed=changed)
        return results

    def _note(self, name: str) -> None:
        """Write ``run.json`` of an arm, without which it would be opened on the bundled maps."""
        # noted once: who repairs the run again may name its maps by another path
        if self.config is not None and not is_there(self.out / name / CONFIG_NAME):
            write_config(self.out / name, self.config.model_copy(update={"run": name}))


def result_of(trace: Trace, graph: Graph) -> Result:
    """Return how a walk ended, and what its new calls cost."""
    # the calls of the recorded beginning were paid by the run itself
    calls = new_calls(trace)
    success = None
    if trace.end is not None and trace.end.status in _ENDED:
        rate = score_trace(trace, graph).get("SR")
        success = None if rate is None else rate > 0.5
    return Result(
        success,
        cost_usd=sum(call.cost_usd or 0.0 for call in calls),
        tokens=sum(call.tokens or 0 for call in calls),
        calls=len(calls),
        unpriced=sum(call.cost_usd is None for call in calls),
    )


def walker_of(
    trace: Trace, llm: LanguageModel | None = None, results: Path | None = None
) -> tuple[Navigator, Settings, LanguageModel | None]:
    """Return the navigator of a trace, its settings, and the model where it asks one.

    `results` is where the run was read from: GROKE's step logs hold their prompt text. Raises
    `SettingsError` when the navigator is not there, or asks another model than `llm`.
    """
    header = trace.header
    navigator = get_navigator(header.navigator)
    settings = settings_as_walked(trace, navigator, results)
    if not asks_model(navigator, settings):
        return navigator, settings, None
    if llm is None:
        raise SettingsError(
            f"{header.navigator} asked {header.model or 'a model'}; name that model to walk again."
        )
    # another model would be a second change besides the repair
    recorded = recorded_model(header)
    if recorded is not None and llm.name != recorded:
        raise SettingsError(
            f"The run asked {recorded} and not {llm.name}; a repair asks the same model."
        )
    return navigator, settings, llm


def run_walker(
    run: OpenRun,
    *,
    llm: LanguageModel | None = None,
    out: Path | None = None,
    workers: int = 1,
    budget: Budget | None = None,
    engine: str | None = None,
    spec: ModelSpec | None = None,
    blind: bool = False,
) -> RepairWalker:
    """Return who walks a run again: its own navigator, settings and model.

    With `blind` it walks too where nothing describes the views. Raises `InputError` when the run
    has no episode; `SettingsError` when its traces are of several navigators or settings, or it
    asks another model than `llm`; or when `engine` names no cluster.
    """
    cluster = check_engine(engine)
    _check_one_walker(run)
    first = next(iter(run.traces.values()))
    navigator, settings, model = walker_of(first, llm, run.source.results)
    if blind:
        settings = settings.model_copy(update={"blind": True})
    graphs = run.source.graphs
    config = RunConfig(
        run=run.name,
        navigator=navigator.name,
        settings=settings.model_dump(mode="json"),
        model=None if model is None else model.name,
        model_options=parted_settings(first.header.settings)[1],
        graphs=tuple(str(path.resolve()) for path in graphs),
        came_from=run.name,
    )
    crew = None
    if cluster is not None:
        crew = Crew(
            cluster=cluster,
            graphs=graphs,
            model=spec if model is not None else None,
            budget=budget,
        )
    return RepairWalker(
        navigator=navigator,
        settings=settings,
        llm=model,
        out=out or workspace_dir() / "runs",
        name=run.name,
        # worker processes open one folder of graphs
        workers=workers if model is not None or len(graphs) == 1 else 1,
        graphs=graphs[0] if len(graphs) == 1 else None,
        crew=crew,
        budget=budget,
        config=config,
    )


def run_navigator(run: OpenRun) -> tuple[Navigator, bool]:
    """Return who walked a run, and whether that asks a model.

    Raises `InputError, SettingsError` as `run_walker`, but for the model.
    """
    _check_one_walker(run)
    trace = next(iter(run.traces.values()))
    navigator = get_navigator(trace.header.navigator)
    settings = settings_as_walked(trace, navigator, run.source.results)
    return navigator, asks_model(navigator, settings)


def _check_one_walker(run: OpenRun) -> None:
    headers = [trace.header for trace in run.outlines.values()]
    if not headers:
        raise InputError("has no episode to repair", "choose a run with traces", file=run.name)
    walks = [(header.navigator, header.settings, header.model) for header in headers]
    # a share over walks of several agents would be that of none
    if any(walk != walks[0] for walk in walks):
        raise SettingsError(
            f"{run.name} holds walks of several navigators, settings or models; repair a run of"
            " one."
        )


def walk_request(
    trace: Trace,
    graph: Graph,
    plan: RepairPlan,
    *,
    run: str,
    out: Path,
    llm: LanguageModel | None = None,
    results: Path | None = None,
) -> WalkRequest:
    """Return the walk of one repaired trace, for `navviz.runner.episode.run_episode` or live.

    Its beginning is written to ``<out>/<run>/``. Raises `SettingsError` when the navigator does not
    take the repair, or asks another model.
    """
    navigator, settings, model = walker_of(trace, llm, results)
    if plan.kind not in repairs_of(navigator):
        raise SettingsError(f"{navigator.name} does not take the repair {plan.kind}.")
    past = repaired(trace, plan, graph)
    path = trace_path(out, run, trace.episode.id)
    prepare(past, path, run, settings)
    return WalkRequest(
        navigator=navigator,
        settings=settings,
        episode=past.episode,
        graph=graph,
        run=run,
        out=out,
        llm=model,
        past=past_of(path),
        forked_from=past.header.forked_from,
        resume=True,
    )


def _way(trace: Trace) -> tuple[tuple[str, ...], str | None]:
    return trace.path, None if trace.end is None else trace.end.node
