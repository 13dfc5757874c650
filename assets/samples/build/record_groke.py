"""Record GROKE in the sample town with replies written by hand: ``python
assets/samples/build/record_groke.py``.

No model was asked: the run shows what a replay of GROKE looks like, and says so in its name. The
prompts, the visible areas and the refusals in it are those that a model would get. Tokens are words
and signs, counted, not a model's; there are no times, since nobody waited for anything.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

from groke_script import SCRIPTS, Ahead, Place, Route, Script, Turn  # noqa: E402 - the scripts beside this one
from record_runs import CODE_VERSION, CREATED  # noqa: E402

from navviz.formats import open_episodes, open_graph  # noqa: E402
from navviz.llm.base import Request  # noqa: E402
from navviz.llm.scripted import Reply, Scripted  # noqa: E402
from navviz.records import (  # noqa: E402
    CallEvent,
    Episode,
    Event,
    PlanEvent,
    StepEvent,
    Trace,
    TraceHeader,
    Usage,
)
from navviz.records.trace_files import fold, write_trace  # noqa: E402
from navviz.runner import trace_path  # noqa: E402
from navviz.systems.groke.navigator import Groke, GrokeSettings  # noqa: E402
from navviz.world.geometry import turn_deg  # noqa: E402
from navviz.world.graph import Graph  # noqa: E402

RUN = "groke-by-hand"
MODEL = "scripted:written-by-hand"
RETRY_LIMIT = 4


@dataclass
class Walker:
    """Where the walk stands, so that the script can speak of streets instead of node ids."""

    graph: Graph
    episode: Episode
    node: str = ""
    heading_deg: float = 0.0

    def resolve(self, place: Place) -> str:
        """Return the node that a place of the script means."""
        match place:
            case Route(index):
                return self.episode.reference_path[index]
            case Ahead(count):
                return self._straight(count)
            case Turn(angle_deg):
                return self._turned(angle_deg)
            case str():
                return place

    def _links(self, node: str, came_from: str | None) -> list[tuple[str, float]]:
        return [(other, heading) for other, heading in self.graph.links(node) if other != came_from]

    def _next(
        self, node: str, heading_deg: float, came_from: str | None, angle_deg: float
    ) -> tuple[str, float]:
        wanted = heading_deg + angle_deg
        return min(self._links(node, came_from), key=lambda link: abs(turn_deg(wanted, link[1])))

    def _straight(self, count: int) -> str:
        node, heading_deg, before = self.node, self.heading_deg, None
        for _ in range(count):
            following, heading_deg = self._next(node, heading_deg, before, 0.0)
            node, before = following, node
        return node

    def _turned(self, angle_deg: float) -> str:
        """Return the first node behind a turn at the next crossing, or at this one."""
        node, heading_deg, before = self.node, self.heading_deg, None
        while len(self.graph.neighbours(node)) < 3:
            following, heading_deg = self._next(node, heading_deg, before, 0.0)
            node, before = following, node
        return self._next(node, heading_deg, before, angle_deg)[0]


def _count(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))


def _reply(request: Request, said: str, thoughts: str) -> Reply:
    prompt = sum(_count(message.text or "") for message in request.messages)
    usage = Usage(
        prompt_tokens=prompt, thoughts_tokens=_count(thoughts), output_tokens=_count(said)
    )
    return Reply(reply=said, thoughts=thoughts, usage=usage)


def answers(script: Script, walker: Walker) -> Callable[[Request], Reply]:
    """Return the scripted model: the plan first, then a reply a step."""
    steps = iter(script.steps)

    def answer(request: Request) -> Reply:
        if request.purpose == "plan":
            plan = {
                "landmarks": [
                    {"name": name, "category": category, "relative_position": where}
                    for name, category, where in script.landmarks
                ],
                "sub_goals": [
                    {"action": text.partition(" ")[0], "description": text, "status": "TODO"}
                    for text in script.sub_goals
                ],
            }
            return _reply(request, json.dumps(plan, indent=1), script.reading)
        status, place, thoughts = next(steps)
        said = {"subplan_status": status, "next_place": walker.resolve(place)}
        return _reply(request, json.dumps(said), thoughts)

    return answer


def _timeless(event: Event) -> Event:
    """Return an event without how long its calls took, so that the same script writes the same
    bytes.
    """
    if isinstance(event, CallEvent):
        return event.model_copy(update={"call": event.call.model_copy(update={"seconds": None})})
    if isinstance(event, PlanEvent):
        calls = tuple(call.model_copy(update={"seconds": None}) for call in event.calls)
        return event.model_copy(update={"calls": calls})
    return event


def _walk(
    script: Script, episode: Episode, graph: Graph, settings: GrokeSettings
) -> Iterator[Event]:
    walker = Walker(graph, episode)
    model = Scripted(answers(script, walker), name=MODEL)
    for event in Groke().navigate(episode, graph, model, settings):
        if isinstance(event, StepEvent):
            walker.node, walker.heading_deg = event.node or "", event.heading_deg or 0.0
        yield _timeless(event)


WORLD = HERE.parent / "harbour"


def recorded(name: str) -> Trace:
    """Walk one episode as its script tells."""
    graph, episodes = (
        open_graph(WORLD / "osm" / "graph"),
        open_episodes(WORLD / "splits" / "sample.json").episodes,
    )
    settings = GrokeSettings(retry_limit=RETRY_LIMIT)
    header = TraceHeader(
        run=RUN,
        episode=episodes[name],
        navigator=Groke.name,
        settings=settings.model_dump(mode="json"),
        model=MODEL,
        code_version=CODE_VERSION,
        created=CREATED,
    )
    return fold([header, *_walk(SCRIPTS[name], episodes[name], graph, settings)])


def main() -> None:
    """Write the run."""
    for name in SCRIPTS:
        trace = recorded(name)
        path = trace_path(WORLD / "runs", RUN, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_trace(trace, path)
        print(f"{name}: {len(trace.steps)} steps, {trace.end.status if trace.end else 'no end'}")


if __name__ == "__main__":
    main()
