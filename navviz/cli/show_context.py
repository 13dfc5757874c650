"""``navviz diagnose context``: print what a model would be shown at a place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer
from pydantic import ValidationError

from navviz.cli.options import Format, Navigator, Settings, WalkedEpisodes, WalkedGraphs
from navviz.cli.output import Form, add_command, print_data, print_json, print_table_as
from navviz.errors import InputError, SettingsError
from navviz.records import Episode, Landmark
from navviz.support.notes import tell

if TYPE_CHECKING:
    from navviz.formats import EpisodeSet
    from navviz.systems.base import FirstPrompt
    from navviz.systems.base import Navigator as Agent
    from navviz.systems.base import Settings as NavigatorSettings
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
class _ContextPlace:
    """Where the agent stands, and who it is."""

    navigator: str
    episode: str
    node: str
    heading_deg: float
    context_format: str | None = None
    """Of GROKE's context."""


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
    from navviz.systems.base import ShowsPlaces, Standpoint
    from navviz.systems.registry import get_navigator

    episode_of_run = _found(open_episodes(episodes), episode, results)
    at, heading_deg = _place(episode_of_run, node, heading)
    graph = open_worlds(graphs)(episode_of_run.world)
    name = navigator or ("groke" if graph.frame == "geo" else "navgpt")
    agent = get_navigator(name)
    if not isinstance(agent, ShowsPlaces):
        given = (format_name != _DEFAULT_FORMAT, area_links, sub_goal, landmarks, previous, results)
        foreign = [option for option, value in zip(_OF_GROKE, given, strict=True) if value]
        if foreign:
            raise SettingsError(f"{foreign[0]} belongs to groke, not to {name}; leave it out.")
        start = episode_of_run.model_copy(update={"start": at, "start_heading_deg": heading_deg})
        shown = _at_start(agent, start, graph, settings or ())
        place = _ContextPlace(name, episode, at, heading_deg)
        _print(form, place, shown, prompt=prompt)
        return
    if settings:
        raise SettingsError(
            f"--set is not for {name}: use --context-format, --units, --threshold and --area-links."
        )
    if landmarks:
        named = tuple(Landmark(name=name) for name in _split(landmarks))
        episode_of_run = episode_of_run.model_copy(update={"landmarks": named})
    # the walk ends where the agent stands
    waypoints = (*_split([previous]), at) if previous else ()
    values = _settings(agent, format_name, area_links, units, threshold)
    standpoint = Standpoint(at, heading_deg, sub_goal, waypoints)
    shown = agent.shown_at(episode_of_run, graph, values, standpoint)
    _print(form, _ContextPlace(name, episode, at, heading_deg, format_name), shown, prompt=prompt)


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


def _split(values: Sequence[str]) -> tuple[str, ...]:
    parts = values[0].split(",") if len(values) == 1 else values
    return tuple(part.strip() for part in parts if part.strip())


def _settings(
    agent: Agent, format_name: str, area_links: int | None, units: int, threshold: float
) -> NavigatorSettings:
    formats = get_args(agent.settings_type.model_fields["format"].annotation)
    if format_name not in formats:
        raise SettingsError(
            f"There is no format {format_name!r}: choose one of {', '.join(formats)}."
        )
    try:
        return agent.settings_type.model_validate(
            {
                "format": format_name,
                "units": units,
                "similarity_threshold": threshold,
                "area_links": area_links,
            }
        )
    except ValidationError as error:
        fault = error.errors()[0]
        # the fault names a field of the settings; the user has typed an option
        option = str(fault["loc"][0]).replace("similarity_", "").replace("_", "-")
        raise SettingsError(f"--{option} {fault['input']}: {fault['msg']}.") from error


def _print(form: Form, place: _ContextPlace, shown: FirstPrompt, *, prompt: bool) -> None:
    """Print the context, or the whole prompt by roles: as it reads, or message by message."""
    rows = [("context", shown.context)]
    if prompt:
        rows = [(message.role, message.text) for message in shown.messages]
    records = [{"role": role, "text": text} for role, text in rows]
    if form is Form.JSON:
        print_json({**asdict(place), "messages": records})
    elif form.is_data:
        print_data(form, ("role", "text"), records)
    elif form is not Form.TABLE:
        print_table_as(form, ("role", "text"), rows)
    else:
        whole = "\n\n".join(f"[{role}]\n{text}" for role, text in rows)
        tell(*(whole if prompt else shown.context).splitlines())


def _at_start(agent: Agent, episode: Episode, graph: Graph, values: Sequence[str]) -> FirstPrompt:
    """Return what the model of a navigator is shown where the episode begins."""
    from navviz.systems.registry import first_prompt

    pairs = [value.partition("=") for value in values]
    wrong = next((key for key, equals, _ in pairs if not equals), None)
    if wrong is not None:
        raise SettingsError(f"--set {wrong} is not key=value.")
    return first_prompt(agent, episode, graph, {key.strip(): value for key, _, value in pairs})
