"""``navviz run``: a navigator over the episodes of a file, resumable, with its metrics at the
end.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.options import (
    Blind,
    BudgetTokens,
    BudgetUsd,
    Engine,
    Format,
    Llm,
    Navigator,
    Settings,
    Workers,
)
from navviz.cli.output import Form, add_command
from navviz.cli.walked import AgainChoice, walk_and_report
from navviz.errors import InputError, SettingsError
from navviz.support.guarded import parse_json, read_text
from navviz.support.notes import tell, warn

if TYPE_CHECKING:
    from navviz.formats import EpisodeSet
    from navviz.records import Episode
    from navviz.runner.batches import Batch

_MODEL_PREFIX = "model."
_PROMPT = "prompt"
_MOST_WORKERS = 256
_DIGITS = 8
"""Of the hash of an episode file's content in the name of a run; enough for the files of a
workspace.
"""

_Run = Annotated[
    str | None,
    typer.Argument(
        metavar="RUN",
        help="Name of the run; the same name goes on with it. With --go-on: its folder.",
        show_default=False,
    ),
]
_Episodes = Annotated[
    Path | None, typer.Option("--episodes", help="Episode file.", show_default=False)
]
_Graphs = Annotated[
    Path | None,
    typer.Option(
        "--graphs",
        help="Graph folder (or the data set's folder that holds it).",
        show_default=False,
    ),
]
_GoOn = Annotated[
    bool,
    typer.Option(
        "--go-on",
        help="Go on with a batch that the app or this command began; nothing is walked twice.",
    ),
]
_Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="The first so many episodes only.")
]
_Ids = Annotated[
    str | None, typer.Option("--ids", help="These episodes only: ids with commas between them.")
]
_Out = Annotated[
    str | None,
    typer.Option(
        "--out", help="Folder of runs, or an address (s3://...); the workspace's runs if not given."
    ),
]
_Again = Annotated[
    int,
    typer.Option(
        "--rerun-failures",
        min=0,
        max=20,
        help="Walk failures again, so many rounds; reports best of N.",
    ),
]
_Changed = Annotated[
    AgainChoice,
    typer.Option(
        "--again",
        help="Episodes that changed since the run walked them: refuse, or walk those again.",
    ),
]
_Samples = Annotated[
    int,
    typer.Option(
        "--samples", min=1, max=100, help="Walks an episode; each further one is a run of its own."
    ),
]
_Edits = Annotated[
    list[str] | None,
    typer.Option(
        "--edit",
        help=(
            "Edit the instructions by a rule: replace:OLD=>NEW, prepend:TEXT, append:TEXT or"
            " template:TEXT with {instruction}. Only episodes that it changes are walked."
            " Repeatable."
        ),
    ),
]
_Prompts = Annotated[
    str | None,
    typer.Option(
        "--prompts",
        help=(
            "A prompt that the workspace keeps: its name (navviz data prompts) or the beginning of"
            " its hash (Live)."
        ),
        show_default=False,
    ),
]
_BatchApi = Annotated[
    bool,
    typer.Option(
        "--batch-api",
        help="Ask Gemini by jobs of its batch mode, at half the price and within a day each; the"
        " same command goes on after days.",
    ),
]
_Pilot = Annotated[
    int,
    typer.Option(
        "--pilot", min=0, help="Walk so many episodes only, and estimate what the rest will cost."
    ),
]


@dataclass(slots=True)
class _Request:
    """The command line, checked as far as no file has to be read."""

    navigator: str
    episodes: Path
    graphs: Path
    limit: int | None
    ids: str | None
    llm: str | None
    workers: int
    out: str | None
    run: str | None
    budget_usd: float | None
    budget_tokens: int | None
    rerun_failures: int = 0
    samples: int = 1
    engine: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    model_options: dict[str, Any] = field(default_factory=dict)
    edits: tuple[str, ...] = ()
    batch_api: bool = False


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "run",
        _run,
        "Run a navigator over episodes; the same command goes on where it was stopped.",
        "navviz run --navigator rules --episodes val.json --graphs town --format json",
        "navviz run new --navigator rules --episodes val.json --graphs town --limit 2 --workers 2",
        "navviz run --navigator groke --episodes val.json --graphs town --llm gemini:MODEL"
        " --budget-usd 5",
        "navviz run workspace/runs/new --go-on",
    )


def _run(
    run: _Run = None,
    navigator: Navigator = None,
    episodes: _Episodes = None,
    graphs: _Graphs = None,
    limit: _Limit = None,
    ids: _Ids = None,
    llm: Llm = None,
    workers: Workers = 1,
    out: _Out = None,
    settings: Settings = None,
    prompts: _Prompts = None,
    edits: _Edits = None,
    budget_usd: BudgetUsd = None,
    budget_tokens: BudgetTokens = None,
    rerun_failures: _Again = 0,
    samples: _Samples = 1,
    engine: Engine = None,
    pilot: _Pilot = 0,
    again: _Changed = AgainChoice.REFUSE,
    form: Format = Form.TABLE,
    *,
    go_on: _GoOn = False,
    blind: Blind = False,
    batch_api: _BatchApi = False,
) -> None:
    if go_on:
        # the batch's plan is on disk: an option that differs from it would be silently lost
        plain = (
            navigator,
            episodes,
            graphs,
            limit,
            ids,
            llm,
            out,
            settings,
            prompts,
            edits,
            engine,
        )
        counted = (workers != 1, samples != 1, rerun_failures != 0, budget_usd, budget_tokens)
        if blind or batch_api or any(plain) or any(counted):
            raise SettingsError(
                "--go-on takes the folder of a run, --pilot, --again and --format; all else is as"
                " the run was begun. Leave the other options out."
            )
        walk_and_report(_begun(run), pilot=pilot, again=again.value, form=form)
        return
    for option, value in (("navigator", navigator), ("episodes", episodes), ("graphs", graphs)):
        if value is None:
            raise SettingsError(f"--{option} is missing; see navviz run --help for an example.")
    request = _Request(
        navigator or "",
        episodes or Path(),
        graphs or Path(),
        limit,
        ids,
        llm,
        workers,
        out,
        run,
        budget_usd,
        budget_tokens,
        rerun_failures,
        samples,
        engine,
        batch_api=batch_api,
    )
    request.settings, request.model_options = parsed_settings(settings or [])
    request.settings |= {"blind": True} if blind else {}
    request.settings |= _prompt(request, prompts)
    request.edits = tuple(edits or ())
    walk_and_report(_batch(request), pilot=pilot, again=again.value, form=form)


def _prompt(request: _Request, name: str | None) -> dict[str, str]:
    """Return the kept prompt that is named, or that of the authors where settings are as published;
    say which.
    """
    from navviz.runner.prompt_versions import prompt_of, published_prompt
    from navviz.systems.registry import get_navigator, settings_from

    given = request.settings.get(_PROMPT) or request.settings.get("prompt_file")
    if name is not None:
        if given:
            raise SettingsError("Give one prompt: --prompts, prompt=... or prompt_file=...")
        version = prompt_of(request.navigator, name)
    elif given or not request.settings.get("as_published"):
        return {}
    else:
        settings = settings_from(get_navigator(request.navigator), request.settings)
        kept = published_prompt(request.navigator, settings.model_dump(mode="json"))
        if kept is None:
            tell(
                "as_published sends NavViz's own words, since the workspace keeps no prompt of the"
                " authors; navviz data prompts reads a checkout of theirs"
            )
            return {}
        version = kept
    tell(f"prompt {version.sha256[:7]} ({version.note or version.name or 'kept in Live'})")
    return {_PROMPT: version.text}


def _begun(folder: str | None) -> Batch:
    """Return a batch that was begun before, wherever it was."""
    from navviz.runner.batches import Batch

    if folder is None:
        raise SettingsError("--go-on needs the folder of the run: navviz run FOLDER --go-on.")
    return Batch.at(Path(folder))


def parsed_settings(pairs: Iterable[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return settings of the navigator and of the model; a value is JSON where it can be, else
    text; ``prompt=@FILE`` takes the text of a file.
    """
    settings: dict[str, Any] = {}
    model: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise SettingsError(f"--set {pair}: write it as key=value.")
        key = key.strip()
        if key == _PROMPT:
            # the text itself, or the file that it names; it is no JSON
            settings[key] = read_text(Path(text[1:]).expanduser()) if text.startswith("@") else text
            continue
        try:
            value = parse_json(text, key)
        except InputError:
            value = text
        if key.startswith(_MODEL_PREFIX):
            model[key.removeprefix(_MODEL_PREFIX)] = value
        else:
            settings[key] = value
    return settings, model


def _batch(request: _Request) -> Batch:
    """Return what the command line asks for as a batch, checked."""
    from navviz.formats import open_episodes, open_worlds
    from navviz.runner import Budget
    from navviz.runner.batches import Batch, check_name, control_root
    from navviz.runner.plan import BatchPlan
    from navviz.runner.store import TraceStore
    from navviz.runs.opened import workspace_dir
    from navviz.systems.base import asks_model
    from navviz.systems.registry import get_navigator, settings_from

    navigator = get_navigator(request.navigator)
    settings = settings_from(navigator, request.settings)
    # opened for its faults alone, before anything is written
    open_worlds(request.graphs)
    episode_set = open_episodes(request.episodes)
    # the first ones alone: a fault of the format stands in each entry
    warn(str(problem) for problem in episode_set.problems.kept[:5])
    # made for its check alone
    Budget(request.budget_usd, request.budget_tokens)
    if request.llm is not None and not asks_model(navigator, settings):
        warn([f"{navigator.name} needs no model; --llm {request.llm} is not used"])
    out = request.out or str(workspace_dir() / "runs")
    episodes = _edited(_chosen(list(episode_set.episodes.values()), request), request)
    workers = request.workers
    if request.batch_api and workers == 1:
        # a job holds one call of each walk under way
        workers = min(_MOST_WORKERS, len(episodes))
    plan = BatchPlan(
        run=check_name(request.run) if request.run is not None else _run_name(request, episode_set),
        navigator=request.navigator,
        settings=settings.model_dump(mode="json"),
        model=request.llm if asks_model(navigator, settings) else None,
        model_options=request.model_options,
        # absolute: the batch may be gone on with from another folder
        graphs=(str(request.graphs.resolve()),),
        episodes=str(request.episodes.resolve()),
        samples=request.samples,
        rerun_failures=request.rerun_failures,
        workers=workers,
        batch_api=request.batch_api,
        budget_usd=request.budget_usd,
        budget_tokens=request.budget_tokens,
        engine=request.engine,
        out=TraceStore.at(out).address,
        chosen=f"of {request.episodes.name}",
        edits=request.edits,
    )
    batch = Batch(control_root(out), plan, episodes)
    from navviz.records.base import plural
    from navviz.runner import trace_path

    # by the names of files, so that no trace is opened for it
    names = {trace_path(batch.root, batch.name, key).name for key in episode_set.episodes}
    others = sum(path.name not in names for path in batch.folder.glob("*.trace.jsonl"))
    if others:
        foreign = plural(others, "episode")
        holds = f"{batch.folder}: holds {foreign} of another file too"
        warn([f"{holds}, which score and the app count; name another run"])
    return batch


def _chosen(episodes: Sequence[Episode], request: _Request) -> list[Episode]:
    chosen = list(episodes)
    if request.ids is not None:
        wanted = [name.strip() for name in request.ids.split(",") if name.strip()]
        by_id = {episode.id: episode for episode in episodes}
        missing = [name for name in wanted if name not in by_id]
        if missing:
            some = ", ".join(list(by_id)[:5])
            raise SettingsError(
                f"--ids: {request.episodes.name} has no episode {', '.join(missing)}; it has"
                f" {some} ..."
            )
        chosen = [by_id[name] for name in wanted]
    chosen = chosen[: request.limit]
    if not chosen:
        raise SettingsError(f"{request.episodes}: there is no episode to walk.")
    return chosen


def _edited(episodes: Sequence[Episode], request: _Request) -> list[Episode]:
    """Return the episodes as the rules edit them, without those that no rule changes."""
    from navviz.language.edits import edit_episodes, parse_edits
    from navviz.records.base import plural

    if not request.edits:
        return list(episodes)
    edited = edit_episodes(episodes, parse_edits(request.edits))
    if not edited.changed:
        raise SettingsError(
            f"--edit {' '.join(request.edits)}: no instruction of {request.episodes.name} is"
            " changed by it; choose other words."
        )
    if edited.unchanged:
        count = plural(len(edited.unchanged), "episode")
        warn([f"--edit leaves {count} of {len(episodes)} as they are; those are not walked"])
    return list(edited.changed)


def _run_name(request: _Request, episode_set: EpisodeSet) -> str:
    """Return the same for the same command and episodes, so that it goes on; others differ."""
    from navviz.runner.batch import content_digest

    parts = [request.navigator, request.episodes.stem]
    if request.llm is not None:
        # the bare model: an address has signs that no folder's name may have
        parts.append(request.llm.partition("@")[0].rpartition(":")[2])
    if request.edits:
        rules = "\n".join(request.edits)
        parts.append(f"edit-{hashlib.sha256(rules.encode()).hexdigest()[:_DIGITS]}")
    # with a dash and the digits, the name has at most the 80 characters of `is_run_name`
    name = re.sub(r"[^\w.-]+", "-", "-".join(parts)).strip("-.")[: 79 - _DIGITS]
    return f"{name}-{content_digest(episode_set.episodes.values())[:_DIGITS]}"
