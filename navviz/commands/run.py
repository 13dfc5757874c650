"""``navviz run``: a navigator over the episodes of a file, resumable, with its metrics at the end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.commands.ending import FAILED, with_exit_code
from navviz.errors import InputError, SettingsError
from navviz.guarded import parse_json

if TYPE_CHECKING:
    from navviz.formats import Run, Worlds
    from navviz.llm.base import LanguageModel
    from navviz.llm.streaming import ModelOptions
    from navviz.metrics.path import RunScore
    from navviz.navigators.base import Navigator, Settings
    from navviz.records import Episode
    from navviz.runner import Outcome

__all__ = ["register"]

_MODEL_PREFIX = "model."

_Name = Annotated[str, typer.Option("--navigator", help="Who walks: rules, rules-local, groke, a baseline ...")]
_Episodes = Annotated[Path, typer.Option("--episodes", help="Episode file.")]
_Graphs = Annotated[Path, typer.Option("--graphs", help="Graph folder (or the data set's folder that holds it).")]
_Limit = Annotated[int | None, typer.Option("--limit", min=1, help="The first so many episodes only.")]
_Ids = Annotated[str | None, typer.Option("--ids", help="These episodes only: ids with commas between them.")]
_Llm = Annotated[
    str | None, typer.Option("--llm", help="gemini:MODEL, openai:MODEL, openai:MODEL@URL or scripted:FILE.")
]
_Workers = Annotated[int, typer.Option("--workers", min=1, max=256, help="Episodes at the same time.")]
_Out = Annotated[Path | None, typer.Option("--out", help="Folder of runs; the workspace's runs if not given.")]
_Run = Annotated[str | None, typer.Option("--run", help="Name of the run; the same name goes on with it.")]
_Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="Setting of the navigator, key=value; of the model as model.thinking=low. Repeatable."),
]
_Usd = Annotated[float | None, typer.Option("--budget-usd", help="Stop when the calls have cost so many US dollars.")]
_Tokens = Annotated[int | None, typer.Option("--budget-tokens", help="Stop when the calls have used so many tokens.")]
_Again = Annotated[
    int,
    typer.Option("--rerun-failures", min=0, max=20, help="Walk failures again, so many rounds; reports best of N."),
]
_Json = Annotated[bool, typer.Option("--json", help="The last line is one JSON object with the metrics, as in score.")]


@dataclass(slots=True)
class _Asked:
    """The command line, as it was given."""

    navigator: str
    episodes: Path
    graphs: Path
    limit: int | None
    ids: str | None
    llm: str | None
    workers: int
    out: Path | None
    run: str | None
    budget_usd: float | None
    budget_tokens: int | None
    rerun_failures: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    model_options: dict[str, Any] = field(default_factory=dict)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run", help="Run a navigator over episodes; the same command goes on where it was stopped.")(
        with_exit_code(_run)
    )


def _run(
    navigator: _Name,
    episodes: _Episodes,
    graphs: _Graphs,
    limit: _Limit = None,
    ids: _Ids = None,
    llm: _Llm = None,
    workers: _Workers = 1,
    out: _Out = None,
    run: _Run = None,
    settings: _Set = None,
    budget_usd: _Usd = None,
    budget_tokens: _Tokens = None,
    rerun_failures: _Again = 0,
    *,
    as_json: _Json = False,
) -> None:
    asked = _Asked(
        navigator, episodes, graphs, limit, ids, llm, workers, out, run, budget_usd, budget_tokens, rerun_failures
    )  # fmt: skip
    asked.settings, asked.model_options = _parsed(settings or [])
    document = _walked(asked)
    typer.echo(json.dumps(document) if as_json else _lines(document))
    if document["errors"]:
        typer.echo(f"{document['summary']}; the same command walks the rest.", err=True)
        raise typer.Exit(FAILED)


def _parsed(pairs: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return settings of the navigator and of the model; a value is JSON where it can be, else text."""
    settings: dict[str, Any] = {}
    model: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise SettingsError(f"--set {pair}: write it as key=value.")
        try:
            value = parse_json(text, key)
        except InputError:
            value = text
        key = key.strip()
        if key.startswith(_MODEL_PREFIX):
            model[key.removeprefix(_MODEL_PREFIX)] = value
        else:
            settings[key] = value
    return settings, model


def _walked(asked: _Asked) -> dict[str, Any]:
    from navviz.formats import open_episodes, open_worlds
    from navviz.navigators.registry import get_navigator, settings_from
    from navviz.runner import Budget, RunConfig, run_batch, write_config
    from navviz.runs.opened import workspace_dir

    navigator = get_navigator(asked.navigator)
    settings = settings_from(navigator, asked.settings)
    options = _model_options(asked.model_options)
    worlds, episode_set = open_worlds(asked.graphs), open_episodes(asked.episodes)
    _warn(str(problem) for problem in episode_set.problems.kept[:5])
    episodes = _chosen(list(episode_set.episodes.values()), asked)
    llm = _model(navigator, settings, asked.llm, options)
    name, out = asked.run or _run_name(asked), asked.out or workspace_dir() / "runs"
    config = RunConfig(
        run=name,
        navigator=navigator.name,
        settings=settings.model_dump(mode="json"),
        model=llm.name if llm is not None else None,
        model_options=options.model_dump(mode="json", exclude_defaults=True) if llm is not None else {},
        graphs=(str(asked.graphs.resolve()),),
        episodes=str(asked.episodes.resolve()),
    )
    limited = asked.budget_usd is not None or asked.budget_tokens is not None
    budget = Budget(asked.budget_usd, asked.budget_tokens) if limited else None

    def walk(run: str, walked: Sequence[Episode]) -> list[Outcome]:
        write_config(out / run, config.model_copy(update={"run": run}))
        with _WalkBar(f"{navigator.name}, {len(walked)} episodes", len(walked)) as bar:
            return run_batch(
                navigator, walked, worlds, settings,
                run=run, out=out, llm=llm, workers=asked.workers, graphs=asked.graphs, budget=budget,
                on_progress=bar.show,
            )  # fmt: skip

    try:
        outcomes = walk(name, episodes)
        run, score = _scored(out / name, worlds, outcomes)
        document = _document(out / name, worlds, outcomes, run, score)
        return document | _again(
            asked, score, episodes, lambda run, some: _scored(out / run, worlds, walk(run, some))[1]
        )
    finally:
        _close(llm)


def _again(
    asked: _Asked, first: RunScore, episodes: Sequence[Episode], walk: Callable[[str, Sequence[Episode]], RunScore]
) -> dict[str, Any]:
    """Return rounds over the failures, where they are asked for."""
    if not asked.rerun_failures:
        return {}
    from navviz.runner.again import rerun_failures

    known = {episode.id: episode for episode in episodes}
    rounds = rerun_failures(first, lambda run, ids: walk(run, [known[key] for key in ids]), asked.rerun_failures)
    told = [{"best_of": r.best_of, "run": r.run, "walked": r.walked, **r.means} for r in rounds]
    return {"rounds": told}


def _model_options(values: dict[str, Any]) -> ModelOptions:
    from pydantic import ValidationError

    from navviz.llm.streaming import ModelOptions

    try:
        return ModelOptions.model_validate(values)
    except ValidationError as error:
        faults = "; ".join(f"model.{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        fields = ", ".join(_MODEL_PREFIX + name for name in ModelOptions.model_fields)
        raise SettingsError(f"Settings of the model: {faults} (there are: {fields}).") from error


def _model(navigator: Navigator, settings: Settings, name: str | None, options: ModelOptions) -> LanguageModel | None:
    from navviz.llm.prices import load_prices
    from navviz.llm.registry import make_model, model_forms
    from navviz.navigators.base import asks_model
    from navviz.runs.opened import workspace_dir

    asks = asks_model(navigator, settings)
    if asks and name is None:
        raise SettingsError(f"{navigator.name} needs a language model: add --llm {model_forms()}.")
    if name is None:
        return None
    if not asks:
        _warn([f"{navigator.name} needs no model; --llm {name} is not used"])
        return None
    return make_model(name, options, prices=load_prices(workspace_dir() / "prices.json"))


def _close(llm: LanguageModel | None) -> None:
    from navviz.llm.registry import close_model

    close_model(llm)


def _chosen(episodes: Sequence[Episode], asked: _Asked) -> list[Episode]:
    chosen = list(episodes)
    if asked.ids is not None:
        wanted = [name.strip() for name in asked.ids.split(",") if name.strip()]
        by_id = {episode.id: episode for episode in episodes}
        missing = [name for name in wanted if name not in by_id]
        if missing:
            some = ", ".join(list(by_id)[:5])
            raise SettingsError(f"--ids: {asked.episodes.name} has no episode {', '.join(missing)}; it has {some} ...")
        chosen = [by_id[name] for name in wanted]
    chosen = chosen[: asked.limit]
    if not chosen:
        raise SettingsError(f"{asked.episodes}: there is no episode to walk.")
    return chosen


def _run_name(asked: _Asked) -> str:
    """Return the same for the same command, so that it goes on."""
    parts = [asked.navigator, asked.episodes.stem]
    if asked.llm is not None:
        parts.append(asked.llm.partition("@")[0].rpartition(":")[2])
    return re.sub(r"[^\w.-]+", "-", "-".join(parts)).strip("-.")


class _WalkBar:
    """A progress bar on stderr, which also collects what went wrong."""

    def __init__(self, label: str, count: int) -> None:
        from navviz.commands.console import Counting

        self._bar = Counting(label, count)
        self._faults: dict[str, list[str]] = {}
        """Episodes by what went wrong in them."""

    def __enter__(self) -> _WalkBar:
        self._bar.__enter__()
        return self

    def show(self, _done: int, _count: int, outcome: Outcome) -> None:
        """Take the next outcome."""
        if outcome.status in {"error", "budget"}:
            self._faults.setdefault(outcome.reason or outcome.status, []).append(outcome.episode)
        self._bar.advance()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.__exit__(kind, error, trace)
        told = list(self._faults.items())
        _warn(f"{_episodes_told(episodes)}: {reason}" for reason, episodes in told[:5])
        if len(told) > 5:
            count = sum(len(episodes) for _, episodes in told[5:])
            _warn([f"and {count} more episode{'s' if count > 1 else ''} that did not end well"])


def _episodes_told(episodes: Sequence[str]) -> str:
    """Name the first episodes and count the rest: what they share, such as a wrong key, is told once."""
    if len(episodes) == 1:
        return f"episode {episodes[0]}"
    rest = f" and {len(episodes) - 3} more" if len(episodes) > 3 else ""
    return f"episodes {', '.join(episodes[:3])}{rest}"


def _scored(folder: Path, worlds: Worlds, outcomes: Sequence[Outcome]) -> tuple[Run, RunScore]:
    """Return the run that lies in a folder, with its scores."""
    from navviz.formats import open_results
    from navviz.metrics.path import score_run

    asked = {outcome.episode for outcome in outcomes}
    run = open_results(folder, worlds)[0]  # read as score reads it: the sums agree to the last bit
    run = replace(run, traces={key: trace for key, trace in run.traces.items() if key in asked})
    return run, score_run(run, worlds)


def _document(folder: Path, worlds: Worlds, outcomes: Sequence[Outcome], run: Run, score: RunScore) -> dict[str, Any]:
    ended: dict[str, int] = {}
    for outcome in outcomes:
        ended[outcome.status] = ended.get(outcome.status, 0) + 1
    maps = {trace.episode.world for trace in run.traces.values()}
    costs = [call.cost_usd for trace in run.traces.values() for call in trace.calls]
    return {
        "episodes": len(score),
        "run": run.name,
        "method": None,
        "walked": score.walked,
        "errors": len(score.errors),
        "counted_errors": len(score.counted_errors),
        "summary": score.summary(),
        **score.means,
        "problems": run.problems.count + sum(worlds(world).info.problems.count for world in maps),
        "ended": ended,
        "calls": len(costs),
        "cost_usd": None if None in costs else sum(cost for cost in costs if cost is not None),
        "traces": str(folder),
    }


def _lines(document: dict[str, Any]) -> str:
    from navviz.metrics.registry import all_metrics, format_value

    names = [metric.name for metric in all_metrics() if metric.name in document]
    ended = ", ".join(f"{count} {status}" for status, count in document["ended"].items())
    lines = [f"{document['episodes']} episodes: {document['summary']} ({ended}) in {document['traces']}"]
    lines += [f"{name:<12} {format_value(name, document[name])}" for name in names]
    for told in document.get("rounds", []):
        means = ", ".join(
            f"{name} {format_value(name, told[name])}" for name in ("SR", "SPL", "OSR", "NE") if name in told
        )
        lines.append(f"best of {told['best_of']} ({told['walked']} failures walked again in {told['run']}): {means}")
    return "\n".join(lines)


def _warn(texts: Iterable[str]) -> None:
    for text in texts:
        typer.echo(f"warning: {text}", err=True)
