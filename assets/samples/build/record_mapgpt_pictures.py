"""Record MapGPT with pictures in the sample house: ``python
assets/samples/build/record_mapgpt_pictures.py``.

The pictures are the house's own drawings, the replies are those of ``record_msnav.py``, written by
hand: no model was asked. The requests are real: OpenAI's client library sends them to a server of
the tests on this machine, and what it was sent stands in the run, picture by picture.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

from record_msnav import SCRIPTS, reply  # noqa: E402 - the scripts beside this one
from record_runs import CODE_VERSION, CREATED  # noqa: E402

from navviz.formats import open_episodes, open_graph  # noqa: E402
from navviz.llm.base import Request  # noqa: E402
from navviz.llm.registry import close_model, make_model  # noqa: E402
from navviz.records import CallEvent, Event, Message, TraceHeader  # noqa: E402
from navviz.records.trace_files import EventWriter  # noqa: E402
from navviz.runner import trace_path  # noqa: E402
from navviz.systems.msnav.navigator import Msnav  # noqa: E402
from navviz.systems.msnav.settings import MsnavSettings  # noqa: E402
from tests.fake_servers import Answer, FakeOpenAI  # noqa: E402

RUN = "mapgpt-pictures-by-hand"
MODEL = "openai:written-by-hand"
EPISODES = ("101_0", "108_0")


def record(out: Path) -> None:
    """Write the run into a folder of runs."""
    house = open_graph(HERE.parent / "house" / "connectivity")
    episodes = open_episodes(HERE.parent / "house" / "R2R_sample.json").episodes
    settings = MsnavSettings(preset="mapgpt", views="pictures", image_limit=35)
    shutil.rmtree(out / RUN, ignore_errors=True)
    for name in EPISODES:
        nodes = [episodes[name].start]

        def answer(
            request: object, script: object = SCRIPTS[name], nodes: list[str] = nodes
        ) -> Answer:
            content = request.body["messages"][-1]["content"]
            prompt = Message(role="user", text=content[-1]["text"])
            said = reply(Request((prompt,)), house, script, nodes)
            return Answer(said, prompt_tokens=0, output_tokens=0, usage=False)

        path = trace_path(out, RUN, name)
        with FakeOpenAI(answer) as server, EventWriter(path) as writer:
            llm = make_model(f"openai:written-by-hand@{server.url}")
            header = TraceHeader(
                run=RUN,
                episode=episodes[name],
                navigator="msnav",
                settings=settings.model_dump(mode="json"),
                model=MODEL,
                code_version=CODE_VERSION,
                created=CREATED,
            )
            writer.write(header)
            for event in Msnav().navigate(episodes[name], house, llm, settings):
                if event.type != "delta":
                    writer.write(_timeless(event))
            close_model(llm)
        print(f"{name}: {len(nodes)} places")


def _timeless(event: Event) -> Event:
    """Take out what differs from one recording to the next: seconds, and the name of the server."""
    if not isinstance(event, CallEvent):
        return event
    call = event.call.model_copy(update={"seconds": None, "model": MODEL})
    return event.model_copy(update={"call": call})


if __name__ == "__main__":
    record(HERE.parent / "house" / "runs")
