"""``navviz diagnose context``: print what a model would be shown at a place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from navviz.cli.options import Format, Navigator, Settings, WalkedEpisodes, WalkedGraphs
from navviz.cli.output import Form, add_command, print_data, print_json, print_table_as
from navviz.errors import InputError, SettingsError
from navviz.records import Episode, Landmark
from navviz.support.notes import tell

if TYPE_CHECKING:
    from navviz.formats import EpisodeSet
    from navviz.systems.groke import Format as ContextFormat
    from navviz.systems.groke.navigator import GrokeSettings
    from navviz.systems.groke.plan import Plan
    from navviz.systems.groke.prompts.visible_area import View
    from navviz.world.graph import Graph

_HELP = """Print exactly what a language model would be shown at a place of a map or a house.

Outdoors it is GROKE's context, in a house NavGPT's; --navigator shows that of another agent (msnav,
skillnav ...) as if its walk began there. No model is asked: MSNav's destination info is off,
SkillNav's other parts are rules.

Landmarks are taken from --landmarks; else from the episode (a GROKE state file has them) or from
--landmarks-of; else the names of places are found in the instruction without a model: capitalised
names and generic words such as bank or light. With --sub-goal, as in a run, only landmarks whose
name stands in it are shown."""

_Episode = Annotated[str, typer.Option(help="Id of the episode.")]
_Node = Annotated[
    str | None, typer.Option(help="Where the agent stands; the episode's start if not given.")
]
_Heading = Annotated[
    float | None,
    typer.Option(help="Degrees clockwise from north, as printed; at the start, the episode's."),
]
_ContextFormat = Annotated[
    str,
    # not a choice: the list of formats imports NumPy, and every --help would wait for it
    typer.Option("--context-format", help="Of GROKE's context: json-optimised, textual, grid ..."),
]
_AreaLinks = Annotated[
    int | None,
    typer.Option(
        help="Cut the map to the nodes within this many links of the route; the paper used 20."
    ),
]
_SubGoal = Annotated[str | None, typer.Option(help="The current sub-goal.")]
_Landmarks = Annotated[
    list[str] | None,
    typer.Option(help='"a,b": names of landmarks. Give it twice or more for names with commas.'),
]
_Results = Annotated[
    Path | None,
    typer.Option(
        "--landmarks-of", help="GROKE state file or traces to take landmarks and sub-goals from."
    ),
]
_Previous = Annotated[
    str | None, typer.Option(help='"a,b": the places named before, from the start on.')
]
_Units = Annotated[int, typer.Option(help="Number of intersections to see.")]
_Threshold = Annotated[
    float, typer.Option(help="A POI is a landmark above this partial ratio (0 to 100).")
]
_Prompt = Annotated[
    bool, typer.Option("--prompt", help="Print the whole prompt, not only the context.")
]


_DEFAULT_FORMAT = "json-optimised"
_CONTEXT = "context"
"""Stands for a role where the context alone is shown, which is a part of a message."""
_OF_GROKE = (
    "--context-format",
    "--area-links",
    "--sub-goal",
    "--landmarks",
    "--previous",
    "--landmarks-of",
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "context",
        _show,
        _HELP,
        "navviz diagnose context --episodes val.json --graphs town --episode 1",
        "navviz diagnose context --episodes val.json --graphs town --episode 1"
        " --context-format textual --prompt",
        "navviz diagnose context --episodes val.json --graphs town --episode 1 --prompt"
        " --format json",
    )


@dataclass(frozen=True, slots=True)
class _Standpoint:
    """Where the agent stands, and who it is."""

    navigator: str
    episode: str
    node: str
    heading_deg: float
    context_format: str | None = None
    """Of GROKE's context."""


@dataclass(frozen=True, slots=True)
class _ShowRequest:
    """The command line, checked."""

    episode: Episode
    format: ContextFormat
    node: str
    heading_deg: float
    sub_goal: str | None
    plan: Plan
    waypoints: tuple[str, ...]


def _show(
    episodes: WalkedEpisodes,
    graphs: WalkedGraphs,
    episode: _Episode,
    node: _Node = None,
    heading: _Heading = None,
    format_name: _ContextFormat = _DEFAULT_FORMAT,
    area_links: _AreaLinks = None,
    sub_goal: _SubGoal = None,
    landmarks: _Landmarks = None,
    results: _Results = None,
    previous: _Previous = None,
    units: _Units = 1,
    threshold: _Threshold = 70.0,
    navigator: Navigator = None,
    settings: Settings = None,
    form: Format = Form.TABLE,
    *,
    prompt: _Prompt = False,
) -> None:
    from navviz.formats import open_episodes, open_worlds
    from navviz.systems.groke.plan import with_landmarks
    from navviz.systems.groke.prompts.formats import render

    episode_of_run = _found(open_episodes(episodes), episode, results)
    at, heading_deg = _place(episode_of_run, node, heading)
    graph = open_worlds(graphs)(episode_of_run.world)
    name = navigator or ("groke" if graph.frame == "geo" else "navgpt")
    if name != "groke":
        given = (format_name != _DEFAULT_FORMAT, area_links, sub_goal, landmarks, previous, results)
        _refuse_options(
            name, [option for option, value in zip(_OF_GROKE, given, strict=True) if value]
        )
        start = episode_of_run.model_copy(update={"start": at, "start_heading_deg": heading_deg})
        messages = _other_context(name, start, graph, settings or (), prompt=prompt)
        _print(form, _Standpoint(name, episode, at, heading_deg), messages)
        return
    if settings:
        raise SettingsError(
            "--set is not for groke: use --context-format, --units, --threshold and --area-links."
        )
    named = (
        tuple(Landmark(name=name) for name in _split(landmarks))
        if landmarks
        else episode_of_run.landmarks
    )
    request = _ShowRequest(
        episode_of_run,
        _format(format_name),
        at,
        heading_deg,
        sub_goal,
        with_landmarks(episode_of_run.instruction, episode_of_run.sub_goals, named),
        # the walk ends where the agent stands
        (*_split([previous]), at) if previous else (),
    )
    view = _view(graph, request, _settings(request.format, area_links, units, threshold))
    messages = [(_CONTEXT, render(request.format, view))]
    if prompt:
        messages = _whole_prompt(request, view)
    _print(form, _Standpoint(name, episode, at, heading_deg, request.format), messages)


def _found(episodes: EpisodeSet, wanted: str, results: Path | None) -> Episode:
    """Return the episode, with landmarks and sub-goals from the results where it has none."""
    if wanted not in episodes.episodes:
        what = f"there is no episode {wanted} among its {len(episodes)}"
        do = f"choose another, for example {next(iter(episodes.episodes))}"
        raise InputError(what, do, file=episodes.source.name)
    episode = episodes.episodes[wanted]
    if results is None:
        return episode
    from navviz.formats import open_episodes

    run = open_episodes(results).episodes.get(wanted)
    if run is None:
        raise InputError(
            "is not in the results",
            "choose results that hold it",
            file=results.name,
            episode=wanted,
        )
    return episode.model_copy(update={"landmarks": run.landmarks, "sub_goals": run.sub_goals})


def _place(episode: Episode, node: str | None, heading: float | None) -> tuple[str, float]:
    at = episode.start if node is None else node
    if heading is None and at == episode.start:
        heading = episode.start_heading_deg
    if heading is None or not math.isfinite(heading):
        raise SettingsError(
            f"Say which way the agent faces at node {at}: --heading, in degrees clockwise from"
            " north."
        )
    return at, heading


def _format(name: str) -> ContextFormat:
    from navviz.systems.groke import FORMATS

    for form in FORMATS:
        if form == name:
            return form
    raise SettingsError(f"There is no format {name!r}: choose one of {', '.join(FORMATS)}.")


def _split(values: Sequence[str]) -> tuple[str, ...]:
    parts = values[0].split(",") if len(values) == 1 else values
    return tuple(part.strip() for part in parts if part.strip())


def _settings(
    name: ContextFormat, area_links: int | None, units: int, threshold: float
) -> GrokeSettings:
    from navviz.systems.groke.navigator import GrokeSettings

    try:
        return GrokeSettings(
            format=name,
            units=units,
            similarity_threshold=threshold,
            area_links=area_links,
        )
    except ValidationError as error:
        fault = error.errors()[0]
        # the fault names a field of the settings; the user has typed an option
        option = str(fault["loc"][0]).replace("similarity_", "").replace("_", "-")
        raise SettingsError(f"--{option} {fault['input']}: {fault['msg']}.") from error


def _view(graph: Graph, request: _ShowRequest, settings: GrokeSettings) -> View:
    from navviz.systems.groke.navigator import Sight
    from navviz.systems.groke.prompts.shown import exact_heading_deg

    unknown = [node for node in request.waypoints if node not in graph]
    if unknown:
        raise InputError(
            f"node {unknown[0]} is not in the graph {graph.name}",
            "check --previous",
            field="previous",
        )
    heading_deg = request.heading_deg
    # a heading is typed as it was printed, which is rounded; the map has the exact one
    if (request.node, heading_deg) != (request.episode.start, request.episode.start_heading_deg):
        heading_deg = exact_heading_deg(graph, request.node, heading_deg)
    sight = Sight(graph, request.episode, settings, request.plan)
    return sight.view(request.node, heading_deg, request.sub_goal, request.waypoints)


def _whole_prompt(request: _ShowRequest, view: View) -> list[tuple[str, str]]:
    from navviz.systems.groke.plan import PlanProgress
    from navviz.systems.groke.prompts.formats import render
    from navviz.systems.groke.prompts.prompt import step_messages

    goal = request.sub_goal or request.episode.instruction.strip()
    texts = [sub_goal.description for sub_goal in request.plan.sub_goals]
    current = texts.index(goal) if goal in texts else 0
    # a sub-goal of the user's own is a plan of one line
    if goal not in texts:
        texts = [goal]
    progress = PlanProgress(tuple(texts), current)
    messages = step_messages(
        name=request.format,
        instruction=request.episode.instruction,
        plan=progress.plan,
        current=current,
        landmarks=[landmark.name for landmark in view.landmarks],
        context=render(request.format, view),
    )
    return [(message.role, message.text) for message in messages]


def _print(form: Form, place: _Standpoint, rows: Sequence[tuple[str, str]]) -> None:
    """Print what is shown, by roles: as it reads, or message by message."""
    shown = [{"role": role, "text": text} for role, text in rows]
    if form is Form.JSON:
        print_json({**asdict(place), "messages": shown})
    elif form.is_data:
        print_data(form, ("role", "text"), shown)
    elif form is not Form.TABLE:
        print_table_as(form, ("role", "text"), rows)
    else:
        whole = "\n\n".join(f"[{role}]\n{text}" for role, text in rows)
        tell(*(rows[0][1] if rows[0][0] == _CONTEXT else whole).splitlines())


def _refuse_options(navigator: str, options: Sequence[str]) -> None:
    if options:
        raise SettingsError(f"{options[0]} belongs to groke, not to {navigator}; leave it out.")


def _other_context(
    name: str, episode: Episode, graph: Graph, values: Sequence[str], *, prompt: bool
) -> list[tuple[str, str]]:
    """Return what the model of another navigator is shown where the episode begins."""
    from navviz.systems.registry import first_prompt, get_navigator

    pairs = [value.partition("=") for value in values]
    wrong = next((key for key, equals, _ in pairs if not equals), None)
    if wrong is not None:
        raise SettingsError(f"--set {wrong} is not key=value.")
    shown = first_prompt(
        get_navigator(name), episode, graph, {key.strip(): value for key, _, value in pairs}
    )
    if prompt:
        return [(message.role, message.text) for message in shown.messages]
    return [(_CONTEXT, shown.context)]
