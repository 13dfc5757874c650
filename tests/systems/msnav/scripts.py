"""A scripted model for `msnav`: it follows a path and says what it is told to say."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from navviz.llm.base import Request
from navviz.llm.scripted import Reply, Scripted
from navviz.observations.discrete_views import candidate_views
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.trace_files import fold
from navviz.systems.msnav.navigator import Msnav
from navviz.systems.msnav.place_map.prompt import read_prompt
from navviz.systems.msnav.settings import MsnavSettings
from navviz.systems.msnav.ways import street_views
from navviz.world.graph import Graph

HOUSE = Path(__file__).resolve().parents[3] / "assets" / "samples" / "house"
TOWN = HOUSE.parent / "harbour"
OBJECTS = (
    '{"instruction": "x", "direct_obj": ["brick arch", "gas stove"], "potential_obj": ["sink"]}'
)
LAYOUT = (
    "The destination is a kitchen. The spatial layout of the destination is a stove beside a sink."
)


def reply(action: str, thought: str = "On.", planning: str = "Go on.") -> str:
    return json.dumps({"Thought": thought, "New Planning": planning, "Action": action})


def follow(
    graph: Graph,
    path: Sequence[str],
    said: Mapping[int, str] | None = None,
    thought: str = "Thought",
) -> Callable[[Request], str | Reply]:
    """Answers that walk a path of places and stop at its end; `said` replaces the reply of some
    steps.
    """

    def answer(request: Request) -> str:
        if request.purpose == "objects":
            return OBJECTS
        if request.purpose == "layout":
            return LAYOUT
        prompt = read_prompt(request.messages[-1].text)
        assert prompt is not None
        if said and prompt.step in said:
            return said[prompt.step]
        return reply(
            letter_for(graph, path, prompt.step, prompt.options),
            f"{thought} {prompt.step}",
            f"Plan {prompt.step}.",
        )

    return answer


def letter_for(graph: Graph, path: Sequence[str], step: int, options: Sequence[object]) -> str:
    if step + 1 >= len(path):
        return "A"
    look = candidate_views if graph.frame == "metric" else street_views
    nodes = [way.node for way in look(graph, path[step])]
    moves = [option for option in options if option.place is not None]  # type: ignore[attr-defined]
    return str(moves[nodes.index(path[step + 1])].letter)  # type: ignore[attr-defined]


def walk(
    episode: Episode,
    graph: Graph,
    answers: Sequence[Reply | str] | Callable[[Request], Reply | str],
    past: Trace | None = None,
    **settings: object,
) -> Trace:
    options = MsnavSettings(**settings)
    header = TraceHeader(
        episode=episode, navigator="msnav", settings=options.model_dump(mode="json")
    )
    return fold([header, *Msnav().navigate(episode, graph, Scripted(answers), options, past)])
