"""A canary key goes through every journey: it is found nowhere on disk, on a page, in a link, in
what is printed or logged, nor among the arguments of a process; servers repeat it in all spellings.
"""

from __future__ import annotations

import json
import logging
import os
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from navviz.llm.addresses import KEY_VARIABLES
from navviz.records.finding import RepairPlan
from navviz.runner.batches import Batch, all_batches
from navviz.runner.plan import BatchPlan
from navviz.runs.opened import workspace_dir
from navviz.ui.live.batches.form import key_environment
from navviz.ui.live.chosen import live_runs
from navviz.ui.state.session import ForkPoint, RepairWish
from tests.attack.reading import everything
from tests.cli.test_run import PLAN, arguments, world
from tests.command import invoke
from tests.fake_servers import Answer, FakeGemini, FakeOpenAI, FakeServer, Fault, Recorded
from tests.llm.test_keys_hidden import KEY, SPELLINGS
from tests.nights import by_day
from tests.pages.conftest import _fresh_caches, _made_once, opened, page, ran, stop_live_runs
from tests.pages.test_batches import EPISODES
from tests.pages.test_live import choose, live_page, press

__all__ = ["_fresh_caches", "_made_once", "opened", "page", "world"]

ECHO = " ".join(SPELLINGS.values())
HEADERS = {"Retry-After": "0.01", "X-Echo": KEY, "WWW-Authenticate": f'Bearer realm="{KEY}"'}
LOOKED_FOR = [spelling.strip("=")[4:-4].encode() for spelling in SPELLINGS.values()]
"""The middle of each spelling: base64 keeps signs of what stood beside the key."""
PROVIDERS = pytest.mark.parametrize("provider", ["gemini", "openai"])
BY_DAY_ONE = pytest.mark.parametrize("provider", by_day(["gemini", "openai"], ["gemini"]))


def answer(request: Recorded) -> Answer:
    """Plan, then complete; say the key in thoughts, plan and reply, cut over the pieces."""
    form = request.body.get("generationConfig", request.body.get("response_format"))
    plan = json.loads(PLAN)
    plan["sub_goals"][0]["description"] = f"Move to {ECHO}"
    step = {"subplan_status": "COMPLETED", "next_place": ECHO}
    reply = json.dumps(plan if "sub_goals" in json.dumps(form) else step)
    return Answer(reply, f"The key is {ECHO}.", pieces=40)


def fault(status: int) -> Callable[[Recorded], Answer | Fault]:
    return lambda _: Fault(status, f"wrong key {ECHO} {'x' * 400} {KEY}", HEADERS, "0.01s")


@pytest.fixture
def server(request: pytest.FixtureRequest, provider: str) -> Iterator[FakeServer]:
    """A server of each provider that repeats the key; as marked, in a fault."""
    status = getattr(request, "param", None)
    act = answer if status is None else fault(status)
    with (FakeGemini if provider == "gemini" else FakeOpenAI)(act) as made:
        yield made


def named(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> str:
    if isinstance(server, FakeOpenAI):
        monkeypatch.setenv("NAVVIZ_MODEL_ADDRESSES", server.url)
        return f"openai:m@{server.url}"
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.address)
    return "gemini:m"


def found(data: bytes, where: str) -> None:
    for spelling in LOOKED_FOR:
        at = data.find(spelling)
        assert at < 0, f"{where}: {data[max(0, at - 100) : at + 100]!r}"


def check_disk(*folders: Path) -> None:
    for folder in folders:
        for path in folder.rglob("*"):
            found(str(path).encode(), "a name")
            if path.is_file():
                found(path.read_bytes(), str(path))


def sent(block: Any) -> Iterator[bytes]:
    """All that the server has sent of a page: components' data too, unpacked."""
    proto = getattr(block, "proto", None)
    if hasattr(proto, "SerializeToString"):
        data = proto.SerializeToString()
        yield data
        at = data.find(b"\x1f\x8b\x08")
        if at >= 0:
            yield zlib.decompressobj(31).decompress(data[at:])
    for child in getattr(block, "children", {}).values():
        yield from sent(child)


def check_page(at: AppTest) -> None:
    found(everything(at).encode(), "the page")
    for root in (at.main, at.sidebar):
        for data in sent(root):
            found(data, "the page's data")
    found(json.dumps(dict(at.query_params)).encode(), "the link")


@pytest.fixture(autouse=True)
def _said_nowhere(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[None]:
    """Whatever a journey leaves is looked through at its end, logs of all levels too."""
    caplog.set_level(logging.DEBUG, "navviz")
    yield
    stop_live_runs()
    printed = capfd.readouterr()
    found(f"{caplog.text}\n{printed.out}\n{printed.err}".encode(), "what is printed")
    check_disk(tmp_path, workspace_dir())


AFTER = [
    *[("score", form) for form in ("table", "json", "csv", "md", "tex")],
    *[("export", form) for form in ("csv", "otel", "atif")],
    ("why", "json"), ("report", "md"), ("diagnose scan", "json"), ("table", "csv"),
]  # fmt: skip


@PROVIDERS
def test_a_run_and_all_that_is_made_of_it(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: FakeServer, provider: str
) -> None:
    monkeypatch.setenv(KEY_VARIABLES[provider][0], KEY)
    model = named(server, monkeypatch)
    asked = ["--navigator", "groke", "--llm", model, "--limit", "2"]
    done = invoke("run", "canary", *arguments(world, *asked))
    assert done.exit_code == 0, done.output
    assert {server.key_of(request) for request in server.requests} == {KEY}
    found(done.output.encode(), "run")
    run, graphs = tmp_path / "out" / "canary", ("--graphs", str(world / "osm" / "graph"))
    assert b"[key]" in b"".join(path.read_bytes() for path in run.glob("*.trace.jsonl"))
    for command, form in AFTER:
        made = invoke(*command.split(), str(run), *graphs, "--format", form)
        assert made.exit_code in {0, 1}, made.output
        found(made.output.encode(), command)
    for command, out in (("publish", "site"), ("atlas", "atlas.html"), ("report", "report")):
        made = invoke(command, str(run), *graphs, "--out", str(tmp_path / out))
        assert made.exit_code == 0, made.output
        found(made.output.encode(), command)
    more = ("--llm", model, "--limit", "1", "--yes", "--out", str(tmp_path / "repaired"))
    repaired = invoke("repair", str(run), *graphs, *more)
    assert repaired.exit_code == 0, repaired.output
    found(repaired.output.encode(), "repair")


@PROVIDERS
@pytest.mark.parametrize("server", by_day([401, 429, 500], [401]), indirect=True)
def test_a_fault_that_repeats_the_key(
    world: Path, monkeypatch: pytest.MonkeyPatch, server: FakeServer, provider: str
) -> None:
    monkeypatch.setenv(KEY_VARIABLES[provider][0], KEY)
    asked = ["--navigator", "groke", "--llm", named(server, monkeypatch), "--limit", "1"]
    done = invoke("run", "canary", *arguments(world, *asked, "--set", "model.timeout_s=5"))
    assert done.exit_code == 1
    assert "[key]" in done.output
    found(done.output.encode(), "run")


@BY_DAY_ONE
@pytest.mark.parametrize("typed", [True, False], ids=["typed", "of the environment"])
@pytest.mark.usefixtures("opened")
def test_a_walk_a_fork_and_a_kept_run_on_a_page(
    page: Any, monkeypatch: pytest.MonkeyPatch, server: FakeServer, provider: str, typed: bool
) -> None:
    named(server, monkeypatch)  # a typed key goes to the address that stands beside it
    if not typed:
        monkeypatch.setenv(KEY_VARIABLES[provider][0], KEY)
    at = live_page(page)
    choose(at, "groke")
    if isinstance(server, FakeOpenAI):
        ran(at.selectbox(key="live_vendor").set_value("OpenAI-compatible server"))
        at.text_input(key="live_url").set_value(server.url)
        ran(at.text_input(key="live_server_model").set_value("m"))
    if typed:
        ran(at.text_input(key=f"live_key_{provider}").set_value(KEY))
    press(at)
    assert server.key_of(server.requests[0]) == KEY
    check_page(at)
    assert b"[key]" in b"".join(sent(at.main))
    ran(at.button(key="live_keep_button").click())
    check_page(at)
    [name] = live_runs().names()
    at.session_state["navviz"].live.fork = ForkPoint(name, "2", 1, "walks/json")
    ran(at)
    press(at)
    assert len(live_runs().names()) == 2
    check_page(at)
    _repair(at, name)
    for other in ("replay", "explore", "study", "compare"):
        check_page(page(other, run=name, episode="2"))


def _repair(at: AppTest, name: str) -> None:
    """Press the button of a repair: the walk is asked for as it was recorded."""
    plan = RepairPlan(kind="take_link", step=1, parameters={"node": "s1", "to": "s0"})
    wish = RepairWish(plan, "with the right link", None)
    at.session_state["navviz"].live.fork = ForkPoint(name, "2", 1, "walks/json", repair=wish)
    ran(at)
    before = {*live_runs().names()}
    ran(at.button(key="live_repair_start").click())
    [made] = {*live_runs().names()} - before
    live = live_runs().get(made)
    assert live is not None
    live.join(120)
    check_page(ran(at))


@BY_DAY_ONE
def test_the_process_of_a_batch_that_asks_this_provider_has_the_key(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    for names in KEY_VARIABLES.values():
        monkeypatch.setenv(names[0], KEY)
    every = {name for names in KEY_VARIABLES.values() for name in names}
    held: list[tuple[bytes, bytes]] = []

    def act(request: Recorded) -> Answer:
        held.extend(_children())
        return answer(request)

    with (FakeGemini if provider == "gemini" else FakeOpenAI)(act) as server:
        _walk(tmp_path, "asks", "groke", named(server, monkeypatch), world)
        assert any(b"go-on" in command for command, _ in held)
    for command, variables in held:
        found(command, "arguments")
        if b"go-on" not in command:
            found(variables, "variables")
            continue
        names = {line.partition(b"=")[0].decode() for line in variables.split(b"\0")}
        assert names & every == {KEY_VARIABLES[provider][0]}


def _walk(tmp_path: Path, name: str, navigator: str, model: str | None, world: Path) -> None:
    plan = BatchPlan(
        run=name, navigator=navigator, model=model, graphs=(str(world / "osm" / "graph"),)
    )
    episode = EPISODES[0].model_copy(update={"start_heading_deg": 90.0})
    batch = Batch(tmp_path / "runs", plan, [episode])
    batch.start(environment=key_environment(model, SecretStr(KEY)))
    last = time.monotonic() + 120
    while batch.status().busy and time.monotonic() < last:
        time.sleep(0.05)
    assert batch.status().name == "done", batch.status()


def _children() -> Iterator[tuple[bytes, bytes]]:
    """Arguments and variables of the processes that this one has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                yield (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
        except OSError:  # it has ended
            continue


@BY_DAY_ONE
@pytest.mark.parametrize("server", by_day([None, 401], [401]), indirect=True)
@pytest.mark.usefixtures("opened")
def test_a_batch_that_a_page_begins(
    page: Any, monkeypatch: pytest.MonkeyPatch, server: FakeServer, provider: str
) -> None:
    named(server, monkeypatch)
    at = page("live", part="many", run="walks/json")
    ran(at.selectbox(key="batches_navigator").set_value("groke"))
    if isinstance(server, FakeOpenAI):
        ran(at.selectbox(key="live_vendor").set_value("OpenAI-compatible server"))
        at.text_input(key="live_url").set_value(server.url)
        ran(at.text_input(key="live_server_model").set_value("m"))
    ran(at.text_input(key=f"live_key_{provider}").set_value(KEY))
    check_page(ran(at.button(key="batches_start").click()))
    [batch] = all_batches()
    last = time.monotonic() + 120
    while batch.status().busy and time.monotonic() < last:
        time.sleep(0.05)
    assert {server.key_of(request) for request in server.requests} == {KEY}
    check_page(ran(at))
    if any(tally.errors for tally in batch.status().state.tallies):
        # the key is typed once more beside the button, where another one stands in the form
        ran(at.text_input(key=f"batches_key_{provider}").set_value(KEY))
        check_page(ran(at.button(key="batches_go_on").click()))
    check_page(page("live", part="many", run="walks/json"))
    check_page(page("explore", run=batch.name))
