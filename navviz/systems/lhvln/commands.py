"""``navviz navgen``: LH-VLN's generator, forward (write tasks) and backward (cut a walk into step
tasks).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from navviz.errors import InputError
from navviz.support.guarded import json_text, natural
from navviz.support.notes import note, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from navviz.systems.lhvln.navgen.backward import BackwardTask
    from navviz.systems.lhvln.navgen.checks import Check
    from navviz.systems.lhvln.navgen.steps import ExpertWalk, StepDraft
    from navviz.systems.lhvln.navgen.tasks import Draft

_Actions = Annotated[
    str | None,
    typer.Option(
        "--actions", help="Actions as a string of F, L and R, the targets one after another."
    ),
]
_Targets = Annotated[
    str | None,
    typer.Option(
        "--targets", help="What they are made for: NAME:COUNT,NAME:COUNT ... (kettle:79,table:54)."
    ),
]
_Tasks = Annotated[
    Path | None, typer.Option("--tasks", help="Task folder of LHPR-VLN with a recorded trial.")
]
_Form = Annotated[
    Literal["table", "json", "jsonl"], typer.Option("--format", help="How the result is printed.")
]
_Graphs = Annotated[
    Path, typer.Option("--graphs", help="Graph folder, or a folder of scene lists.")
]
_World = Annotated[
    str, typer.Option("--world", help="One of several worlds in it; the first if not given.")
]
_Count = Annotated[int, typer.Option("--count", min=1, max=10_000, help="Tasks to write.")]
_Llm = Annotated[
    str | None, typer.Option("--llm", help="The author, as in run; rules without one.")
]
_Seed = Annotated[
    int, typer.Option("--seed", help="The same seed writes the same tasks, with the rules.")
]
_Sub = Annotated[
    str, typer.Option("--sub-tasks", help="Targets of each task, in turn: 2, 3, 4 with commas.")
]
_Robot = Annotated[str, typer.Option("--robot", help="spot or stretch.")]
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Episodes file to write (JSON lines); printed if not given."),
]

_Episodes = Annotated[
    Path | None,
    typer.Option("--episodes", help="Episodes with targets: the expert's walk along their paths."),
]
_GraphsOf = Annotated[Path | None, typer.Option("--graphs", help="Graph folder of the episodes.")]
_Author = Annotated[
    str | None, typer.Option("--llm", help="Who writes the instructions: a model as in run, rules.")
]
_Steps = Annotated[
    Path | None, typer.Option("--out", help="File of the accepted episodes (JSON lines).")
]
_Drafts = Annotated[
    Path | None,
    typer.Option(
        "--drafts",
        help=(
            "File of all drafts with prompts, replies, checks and reasons (JSON lines); what"
            " stands in it is not paid for again."
        ),
    ),
]
_Tags = Annotated[
    Path | None,
    typer.Option("--tags", help='Tags of your own, a line each: {"step": 7, "tags": ["door"]}.'),
]
_BACKWARD = """Examples:

navviz navgen backward --actions FFFFFFLLFF --targets kettle:10

navviz navgen backward --tasks TASKS --format json

navviz navgen backward --tasks TASKS --llm rules --out steps.jsonl"""
_FORWARD = """Examples:

navviz navgen forward --graphs house/connectivity --count 2 --out tasks.jsonl

navviz navgen forward --graphs house/connectivity --llm gemini:MODEL --sub-tasks 2,3"""


def register(app: typer.Typer) -> None:
    """Add the command with its two halves."""
    navgen = typer.Typer(no_args_is_help=True, help="NavGen of LH-VLN: write tasks, cut walks.")
    backward = "Cut an expert's actions into step tasks with labelled segments."
    navgen.command("backward", help=backward, epilog=_BACKWARD)(_backward)
    forward = "Write tasks of several parts, with the way."
    navgen.command("forward", help=forward, epilog=_FORWARD)(_forward)
    app.add_typer(navgen, name="navgen")


def _backward(
    actions: _Actions = None,
    targets: _Targets = None,
    tasks: _Tasks = None,
    episodes: _Episodes = None,
    graphs: _GraphsOf = None,
    llm: _Author = None,
    out: _Steps = None,
    drafts: _Drafts = None,
    tags: _Tags = None,
    form: Annotated[
        Literal["table", "json", "jsonl", "lhpr"],
        typer.Option("--format", help="How it is printed; lhpr: --out as LHPR-VLN's step tasks."),
    ] = "table",
) -> None:
    from navviz.systems.lhvln.navgen.backward import split

    if llm is not None or episodes is not None:
        _written(tasks, (episodes, graphs), llm or "rules", (out, drafts), tags, form)
        return
    if out is not None or drafts is not None or tags is not None or form == "lhpr":
        raise InputError("nobody writes", "say who: --llm rules, or a model", field="llm")
    walks = _recorded(tasks) if tasks is not None else {"": _typed(actions, targets)}
    step_tasks = {name: split(*walk) for name, walk in walks.items()}
    if form == "json":
        document = {}
        for name, steps in step_tasks.items():
            document[name] = [_as_dict(task) for task in steps]
        typer.echo(json_text(document))
        return
    if form == "jsonl":
        for name, steps in step_tasks.items():
            for task in steps:
                typer.echo(json_text({"walk": name, **_as_dict(task)}))
        return
    for name, steps in step_tasks.items():
        if name:
            tell(name)
        lines = [_line(task) for task in steps]
        tell(*(lines or ["no stretch of six actions after three forwards"]))


def _written(
    tasks: Path | None,
    of: tuple[Path | None, Path | None],
    author: str,
    files: tuple[Path | None, Path | None],
    tags: Path | None,
    form: str,
) -> None:
    """Write an instruction for each stretch, with its drafts, and say what was rejected and why."""
    from navviz.formats.traces import write_episodes
    from navviz.support.guarded import read_text, write_whole
    from navviz.systems.authoring import DraftFile, opened_author
    from navviz.systems.lhvln.navgen import steps

    out, drafts_file = files
    walks = _expert_walks(tasks, *of)
    by_step = None
    if tags is not None:
        if len(walks) > 1:
            raise InputError("steps of several walks are not told apart", "give one", field="tags")
        by_step = steps.read_tags(read_text(tags).splitlines(), tags.name)
    file = DraftFile(drafts_file)
    drafts: list[tuple[StepDraft, ExpertWalk]] = []
    with opened_author(author) as (model, name):
        for walk_name, walk in walks.items():
            for cut in walk.stretches:
                stretch = cut if by_step is None else steps.tags_of(cut, by_step)
                text = file.text_of(steps.key_of(walk_name, stretch, name))
                draft = steps.StepDraft(walk_name, stretch, name, text)
                if not text:
                    draft = steps.write_draft(walk_name, stretch, model)
                file.add(draft.record)
                drafts.append((draft, walk))
                note(f"{'✗' if draft.fault else '✓'} {draft.text or '(no text)'}")
                if not any(draft.stretch.tags):
                    note("    nothing is known of what was seen: no tags")
                _marks(draft.checks)
    file.save()
    accepted = [(draft, walk) for draft, walk in drafts if not draft.fault]
    forms = [json_text(steps.benchmark_form(draft, walk)) for draft, walk in accepted]
    if out is not None and form == "lhpr":
        write_whole(out, "".join(f"{line}\n" for line in forms))
    elif out is not None:
        made = [steps.episode_of(draft, walk) for draft, walk in accepted]
        write_episodes([episode for episode in made if episode is not None], out)
    elif form != "table":
        lines = forms if form == "lhpr" else [json_text(each) for each in file.records]
        tell(f"[{', '.join(lines)}]" if form == "json" else "\n".join(lines))
    tell(f"{len(accepted)} of {len(drafts)} stretches accepted", err=form != "table")
    if not accepted:
        raise typer.Exit(1)


def _expert_walks(
    tasks: Path | None, episodes: Path | None, graphs: Path | None
) -> dict[str, ExpertWalk]:
    """Return recorded walks, or those along the paths of episodes with targets."""
    from navviz.formats import open_episodes, open_results, open_worlds
    from navviz.systems.lhvln.logs.scenes import bare_scene
    from navviz.systems.lhvln.navgen.steps import expert_walk, recorded_walk

    walks = {}
    if tasks is not None:
        for run in open_results(tasks, bare_scene):
            for key in run.outlines:
                walks[f"{run.method or run.name}/{key}"] = recorded_walk(run.outlines[key])
    elif episodes is not None and graphs is not None:
        world = open_worlds(graphs)
        for key, episode in open_episodes(episodes).episodes.items():
            walk = expert_walk(episode, world(episode.world))
            if walk is not None:
                walks[key] = walk
    if not walks:
        raise InputError(
            "there is no expert's walk through targets",
            "give --tasks FOLDER, or --episodes FILE and --graphs DIR of episodes with sub-tasks",
        )
    return walks


def _typed(actions: str | None, targets: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    from navviz.systems.lhvln.navgen.backward import actions_of

    if actions is None:
        raise InputError("no actions were given", "give --actions FFLR... or --tasks FOLDER")
    moves = actions_of(actions)
    if targets is None:
        # without names all actions are made for one target
        return moves, ("target",) * len(moves)
    names: list[str] = []
    for part in targets.split(","):
        # from the right, since a target's name may hold a colon
        name, _, count = part.rpartition(":")
        if not name or natural(count.strip()) is None:
            raise InputError(
                f"{part!r} is no NAME:COUNT", "write kettle:79,coffee table:54", field="targets"
            )
        names += [name.strip()] * int(count)
    if len(names) != len(moves):
        raise InputError(
            f"they cover {len(names)} of {len(moves)} actions",
            "let the counts add up",
            field="targets",
        )
    return moves, tuple(names)


def _recorded(folder: Path) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Actions and targets of every recorded trial below a folder."""
    from navviz.formats import open_results
    from navviz.systems.lhvln.logs.scenes import bare_scene
    from navviz.systems.lhvln.logs.trials import targets_of

    walks = {}
    for run in open_results(folder, bare_scene):
        for key, trace in run.outlines.items():
            actions = tuple(
                step.decision.action or "" for step in trace.steps if step.decision is not None
            )
            walks[f"{run.method or run.name}/{key}"] = (actions, targets_of(trace))
    return walks


def _line(task: BackwardTask) -> str:
    parts = ", ".join(f"{segment.label} {segment.start}-{segment.end}" for segment in task.segments)
    return f"{task.target}: steps {task.start}-{task.end} ({parts})"


def _as_dict(task: BackwardTask) -> dict[str, Any]:
    return {
        "target": task.target,
        "start": task.start,
        "end": task.end,
        "segments": [[segment.start, segment.end, segment.label] for segment in task.segments],
    }


def _forward(
    graphs: _Graphs,
    world: _World = "",
    count: _Count = 5,
    llm: _Llm = None,
    seed: _Seed = 0,
    sub_tasks: _Sub = "2,3,4",
    robot: _Robot = "spot",
    out: _Out = None,
    form: _Form = "table",
) -> None:
    from navviz.formats import open_worlds
    from navviz.formats.traces import write_episodes
    from navviz.llm.registry import make_model
    from navviz.systems.lhvln.navgen.tasks import write_tasks

    graph = open_worlds(graphs)(world)
    if graph.info.distances is not None:
        note("This world has no ways: tasks are written without an expert's path.")
    model = make_model(llm) if llm is not None else None
    numbers = tuple(_number(part) for part in sub_tasks.split(","))
    drafts = []
    for draft in write_tasks(graph, count, seed=seed, llm=model, targets=numbers, robot=robot):
        drafts.append(draft)
        _report(draft)
    episodes = [draft.episode for draft in drafts if draft.episode is not None]
    if out is not None:
        write_episodes(episodes, out)
    if form == "json" and out is None:
        written = [each.model_dump(mode="json", exclude_defaults=True) for each in episodes]
        typer.echo(json_text(written))
    elif out is None:
        for episode in episodes:
            if form == "jsonl":
                typer.echo(json_text(episode.model_dump(mode="json", exclude_defaults=True)))
            else:
                tell(f"{episode.id}: {episode.instruction}")
    else:
        tell(f"{out}: {len(episodes)} episodes, {len(drafts) - len(episodes)} drafts rejected")
    # a script has to see that not one task was written
    if not episodes:
        raise typer.Exit(1)


def _number(text: str) -> int:
    if natural(text.strip()) is None:
        raise InputError(f"{text!r} is no number", "write 2,3,4", field="sub-tasks")
    return int(text)


def _report(draft: Draft) -> None:
    """One line a draft, its marks below it where one is missing."""
    text = draft.written.instruction if draft.written is not None else "(not readable)"
    fault = f" - {draft.fault}" if draft.fault else ""
    note(f"{'✓' if draft.accepted else '✗'} {text}{fault}")
    _marks(draft.checks)


def _marks(checks: Sequence[Check]) -> None:
    for check in checks:
        if not check.passed:
            kind = "rejected" if check.required else "hint"
            note(f"    {kind}: {check.rule}: {check.detail}")
