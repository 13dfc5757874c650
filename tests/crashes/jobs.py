"""Forks a process for each line it reads, and kills it after as many seconds as the line says.

``python -m tests.crashes.jobs JOB ARGUMENTS``: a job prints a line for each item that it has
acknowledged.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from navviz.annotation.exchange import parse, take_in
from navviz.annotation.store import AnnotationStore
from navviz.formats import open_episodes, open_graph
from navviz.llm.base import Request
from navviz.llm.scripted import Reply, Scripted
from navviz.records import Usage
from navviz.runner.batch import run_batch
from navviz.runner.episode import WalkRequest
from navviz.runner.live import LiveRuns
from navviz.systems.registry import get_navigator, settings_from

PLAN = {
    "landmarks": [],
    "sub_goals": [{"action": "MOVE_FORWARD", "description": "Move on", "status": "TODO"}],
}
MOVE = {"subplan_status": "IN_PROGRESS", "next_place": "x"}


def say(text: object) -> None:
    os.write(1, f"{text}\n".encode())  # whole at once, from whichever thread


def _model() -> Scripted:
    """A slow model that plans once and then walks on; it knows by the prompt which of the two is
    asked.
    """
    usage = Usage(prompt_tokens=100, output_tokens=10)

    def answer(request: Request) -> Reply:
        plans = "sub_goals" in json.dumps(request.schema)
        return Reply(reply=json.dumps(PLAN if plans else MOVE), seconds=0.02, usage=usage)

    return Scripted(answer)


def run(world: str, out: str) -> None:
    """Walk all episodes with four workers; say which are done."""
    episodes = list(open_episodes(Path(world) / "splits" / "tiny.json").episodes.values())
    graph = open_graph(Path(world) / "osm" / "graph")
    navigator = get_navigator("groke")
    settings = settings_from(navigator, {"step_limit": 4})
    outcomes = run_batch(
        navigator, episodes, lambda _world: graph, settings, run="r", out=Path(out), llm=_model(), workers=4,
        on_progress=lambda *progress: say(f"progress {len(progress)}"),
    )  # fmt: skip
    say(f"whole {len(outcomes)}")


def live(world: str, out: str) -> None:
    """Walk one episode as the app does; say how many events the page was shown."""
    episode = next(iter(open_episodes(Path(world) / "splits" / "tiny.json").episodes.values()))
    navigator = get_navigator("groke")
    request = WalkRequest(
        navigator=navigator, settings=settings_from(navigator, {"step_limit": 8}), episode=episode, run="live",
        graph=open_graph(Path(world) / "osm" / "graph"), out=Path(out) / str(time.time_ns()), llm=_model(),
    )  # fmt: skip
    say(f"folder {request.out}")
    shown = LiveRuns().start(request)
    seen = 0
    while shown.running or shown.count > seen:
        before, (_, seen) = seen, shown.look()
        if seen > before:
            say(f"shown {seen}")
        time.sleep(0.002)


def bring(url: str, file: str) -> None:
    """Import the same file, all of it each time."""
    imported, _ = parse(Path(file).read_text(), "jsonl", file="ratings.jsonl")
    saved, problems = take_in(AnnotationStore(url).study(), imported)
    say(f"whole {saved} {problems.count}")


JOBS: dict[str, Callable[..., None]] = {"run": run, "live": live, "bring": bring}


def _child(job: Callable[..., None], arguments: list[str]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            job(*arguments)
        finally:
            sys.stderr.flush()
            os._exit(0)
    return pid


def main(name: str, *arguments: str) -> None:
    for line in sys.stdin:
        pid, until = _child(JOBS[name], list(arguments)), time.monotonic() + float(line)
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            if time.monotonic() >= until:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                break
            time.sleep(0.001)
        say("ended")


if __name__ == "__main__":
    main(*sys.argv[1:])
