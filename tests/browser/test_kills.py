"""Writer and server are killed at random moments while a page follows the run."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from navviz.records.trace_files import read_trace
from tests.browser.server import free_port, wait_for_server
from tests.fake_servers import Answer, FakeOpenAI, Recorded
from tests.runner.test_gemini_batches import PLAN
from tests.worlds import write_world
from tests.zygote import Forked

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

KILLS = 50
EPISODES = 40
TORN = "[data-testid='stException'], [data-testid='stAlertContentError']"


def _calls(folder: Path) -> dict[str, list[str]]:
    """What the model thought in each call of each episode: the number of the call at the server."""
    calls = {}
    for path in folder.glob("*.trace.jsonl"):
        lines = path.read_bytes().split(b"\n")[:-1]  # the last may be cut
        events = [json.loads(line) for line in lines]
        if events:
            calls[path.name] = re.findall(
                r"Call \d+\.", json.dumps([e for e in events if e["type"] != "delta"])
            )
    return calls


def _start(command: list[str], environment: dict[str, str], log: Path) -> Forked:
    with log.open("a") as file:
        return Forked(
            [sys.executable, "-m", "navviz", *command], env=environment, stdout=file, stderr=file
        )


def test_fifty_kills_lose_nothing_and_double_nothing(chromium: Browser, tmp_path: Path) -> None:
    write_world(tmp_path)
    split = tmp_path / "splits" / "tiny.json"
    [entry] = json.loads(split.read_text())
    split.write_text(json.dumps([entry | {"instructions_id": n} for n in range(1, EPISODES + 1)]))
    numbers, chance, port = count(1), random.Random(7), free_port()

    def brain(request: Recorded) -> Answer:
        planning = "sub_goals" in json.dumps(request.body.get("response_format"))
        reply = PLAN if planning else json.dumps({"subplan_status": "COMPLETED", "next_place": "x"})
        return Answer(reply, f"Call {next(numbers)}.", pieces=4, delay_s=0.1)

    folder = tmp_path / "workspace" / "runs" / "r"
    with FakeOpenAI(brain) as model:
        environment = os.environ | {"NAVVIZ_WORKSPACE": str(tmp_path / "workspace")}
        walk = [
            "run",
            "r",
            "--navigator",
            "groke",
            "--llm",
            f"openai:m@{model.url}",
            "--workers",
            "2",
        ]
        walk += ["--episodes", str(split), "--graphs", str(tmp_path)]
        app = ["app", "--port", str(port), "--no-browser"]
        writer = _start(walk, environment, tmp_path / "writer.log")
        server = _start(app, environment, tmp_path / "server.log")
        try:
            wait_for_server(f"http://127.0.0.1:{port}", server)
            while not list(folder.glob("*.trace.jsonl")):
                time.sleep(0.05)
            page = chromium.new_page(viewport={"width": 1280, "height": 720})
            page.goto(f"http://127.0.0.1:{port}/explore?run=r")
            expect(page.locator(".nl-count")).to_contain_text("episode")
            for _ in range(KILLS):
                page.wait_for_timeout(chance.uniform(200, 2500))
                _whole(page)
                if chance.random() < 0.5:
                    os.kill(writer.pid, signal.SIGKILL)
                    writer.wait()
                    before = _calls(folder)
                    writer = _start(walk, environment, tmp_path / "writer.log")
                    page.wait_for_timeout(1500)
                    after = _calls(folder)
                    for name, numbers_before in before.items():
                        assert set(numbers_before) <= set(after.get(name, ())), name
                else:
                    os.kill(server.pid, signal.SIGKILL)
                    server.wait()
                    server = _start(app, environment, tmp_path / "server.log")
                    wait_for_server(f"http://127.0.0.1:{port}", server)
            assert writer.wait(timeout=300) == 0
            expect(page.locator(".nl-count")).to_contain_text(f"{EPISODES} of {EPISODES} episodes")
            _whole(page)
        finally:
            for process in (writer, server):
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL)
                process.wait()
    traces = [read_trace(path) for path in folder.glob("*.trace.jsonl")]
    assert len(traces) == EPISODES
    thoughts = [call.thoughts for trace in traces for call in trace.calls if call.thoughts]
    assert len(thoughts) == len(set(thoughts))
    for trace in traces:
        assert trace.end is not None
        assert [step.index for step in trace.steps] == list(range(1, len(trace.steps) + 1))


def _whole(page: Page) -> None:
    """Hold that nothing on the page is an error."""
    assert page.locator(TORN).all_inner_texts() == []
    assert page.get_by_role("dialog").count() == 0
