"""A visitor's share of the server's tokens is one, whatever is asked, by how many at once, and
whoever is killed.
"""

from __future__ import annotations

import ast
import errno
import json
import re
import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from navviz.errors import BudgetError, StoreError
from navviz.formats import open_episodes
from navviz.llm.addresses import ADDRESSES_VARIABLE
from navviz.llm.base import Request
from navviz.llm.streaming import ModelOptions
from navviz.records import Message
from navviz.records.trace_files import read_trace
from navviz.runner.batches import Batch
from navviz.runner.ledger import Ledger, ledger
from navviz.runner.plan import BatchPlan
from navviz.runner.walking import walk_batch
from navviz.runs.owners import Ownership, claim
from navviz.support import locks
from navviz.ui.components.run_form import ModelChoice
from navviz.ui.live.chosen import live_runs
from navviz.ui.server import identity
from navviz.ui.state.session import Session
from tests.attack.conftest import OpenAs, Serve
from tests.fake_servers.base import Answer, Recorded
from tests.fake_servers.openai import FakeOpenAI
from tests.paths import ROOT

SHARE = 2_000
CALL = 130
"""Tokens of each call as the fake server counts them."""
PLAN = {
    "landmarks": [],
    "sub_goals": [{"action": "MOVE_FORWARD", "description": "Move on", "status": "TODO"}],
}
ACT = {"subplan_status": "IN_PROGRESS", "next_place": "x"}
ANN = Ownership(owner="annotator:ann", payer="annotator:ann")


def _brain(request: Recorded) -> Answer:
    planning = "sub_goals" in json.dumps(request.body.get("response_format"))
    return Answer(json.dumps(PLAN if planning else ACT), pieces=1)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    with FakeOpenAI(_brain) as running:
        monkeypatch.setenv(ADDRESSES_VARIABLE, running.url)
        yield running


@pytest.fixture
def many(workspace: Path) -> Path:
    """The world that is open for all, with eight episodes."""
    split = workspace.parent / "splits" / "tiny.json"
    [entry] = json.loads(split.read_text())
    split.write_text(json.dumps([entry | {"instructions_id": number} for number in range(1, 9)]))
    return workspace.parent


def _batch(world: Path, server: FakeOpenAI, run: str, **more: object) -> Batch:
    plan = BatchPlan.model_validate(
        {
            "run": run,
            "navigator": "groke",
            "model": f"openai:m@{server.url}",
            "settings": {"step_limit": 6},
            "graphs": [str(world / "osm" / "graph")],
            "workers": 2,
        }
        | more
    )
    episodes = list(open_episodes(world / "splits" / "tiny.json").episodes.values())
    made = Batch(world / "workspace" / "runs", plan, episodes)
    claim(made.folder, ANN)
    made.save()
    return made


def _left(at: AppTest) -> int:
    """Return what Live says is left."""
    [only] = [
        match[1]
        for caption in at.caption
        if (match := re.match(r"([\d,]+) tokens are left", caption.value))
    ]
    return int(only.replace(",", ""))


def _live(visit: OpenAs, name: str, server: FakeOpenAI) -> AppTest:
    at = visit(name, "live", run="walks/json", episode="1")
    at.selectbox(key="live_navigator_geo").set_value("groke").run()
    at.selectbox(key="live_vendor").set_value("OpenAI-compatible server").run()
    at.text_input(key="live_url").set_value(server.url)
    at.text_input(key="live_server_model").set_value("m")
    return at.run()


def _spent_in(batch: Batch) -> int:
    return sum(
        call.tokens or 0
        for path in batch.folder.glob("*.trace.jsonl")
        for call in read_trace(path).calls
    )


def test_a_batch_spends_the_share_that_live_shows(
    serve: Serve, visit: OpenAs, many: Path, server: FakeOpenAI
) -> None:
    serve(tokens=100_000)
    batch = _batch(many, server, "b", borrow_tokens=50_000)
    walked = walk_batch(batch)
    spent = CALL * len(server.requests)
    assert walked.state.state == "done"
    assert spent == _spent_in(batch) > 5 * CALL
    assert _left(_live(visit, "ann", server)) == 100_000 - spent
    assert _left(_live(visit, "bob", server)) == 100_000


def test_live_asks_nobody_once_a_batch_has_spent_the_share(
    serve: Serve, visit: OpenAs, many: Path, server: FakeOpenAI
) -> None:
    serve(tokens=SHARE)
    walk_batch(_batch(many, server, "b"))
    count = len(server.requests)
    at = _live(visit, "ann", server)
    at.button(key="live_start").click().run()
    _ended(at)
    assert len(server.requests) == count
    assert any("used up" in error.value for error in at.error)


def _ended(at: AppTest) -> None:
    name = at.session_state["navviz"].live.run
    live = live_runs().get(name)
    assert live is not None
    live.join(120)
    at.run()


def test_every_page_asks_models_by_the_one_way_that_charges(
    serve: Serve, workspace: Path, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Live, words, tasks and step tasks: no page makes a model but by `ModelChoice.make`."""
    makers = {
        str(path.relative_to(ROOT)): [
            node.lineno for node in ast.walk(ast.parse(path.read_text())) if _makes(node)
        ]
        for path in sorted((ROOT / "navviz" / "ui").rglob("*.py"))
    }
    assert [path for path, lines in makers.items() if lines] == ["navviz/ui/components/run_form.py"]
    session = Session(admitted=True, visitor="ann")
    monkeypatch.setattr(identity, "current", lambda: session)
    serve(tokens=SHARE)
    choice = ModelChoice(f"openai:m@{server.url}", ModelOptions(), None)
    model = choice.make()
    list(model.stream(Request((Message(role="user", text="Where to?"),))))
    model.close()  # type: ignore[attr-defined]
    assert ledger().account("annotator:ann", SHARE).left() == SHARE - CALL


def _makes(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "make_model"
    )


def test_the_operator_pays_from_no_share(
    serve: Serve, visit: OpenAs, workspace: Path, server: FakeOpenAI
) -> None:
    serve(tokens=SHARE, operators={"olga"})
    at = _live(visit, "olga", server)
    assert not [caption for caption in at.caption if "tokens are left" in caption.value]
    assert at.number_input(key="live_budget_tokens").value is None


def test_a_full_disk_lets_one_call_pass_and_charges_it_once_there_is_room(tmp_path: Path) -> None:
    """Before, each call passed: a look at the share needs no room, and no charge was written."""
    account = Ledger(tmp_path).account("annotator:ann", SHARE)
    account.charge(CALL)
    size, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    answer, result = 0, set[str]()
    with account.borrow(SHARE // 2, "b") as lease:
        for share in (account, lease):
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, most))
            try:
                for _ in range(5):
                    try:
                        share.check()
                        answer += 1
                        share.charge(CALL)
                    except StoreError as error:
                        result.add(str(error))
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
        assert answer == 2
        assert all("disk" in text for text in result)
    account.check()
    assert account.standing.spent == 3 * CALL


def test_a_server_without_descriptors_gives_no_lease_of_a_living_batch_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = Ledger(tmp_path).account("annotator:ann", SHARE)
    with account.borrow(SHARE // 2, "b"):

        def none_left(*_arguments: object) -> int:
            raise OSError(errno.EMFILE, "Too many open files")

        monkeypatch.setattr(locks.os, "open", none_left)
        assert account.left() == SHARE - SHARE // 2
        monkeypatch.undo()
        assert account.left() == SHARE - SHARE // 2


def test_a_hundred_calls_at_once_do_not_each_find_the_last_token(tmp_path: Path) -> None:
    """Tabs and samples begin at the same moment: each looked before any of them was charged."""
    accounts = [Ledger(tmp_path).account("annotator:ann", SHARE) for _ in range(100)]
    accounts[0].charge(SHARE - 1_000)
    begun = []
    for account in accounts:
        with suppress(BudgetError):
            account.begin(300)
            begun.append(account)
    assert len(begun) == 4, "300, 600, 900 under way leave some, 1,200 do not"
    for account in begun:
        account.charge(200)
        account.end(300)
    accounts[-1].begin(300)
    accounts[-1].end(300)
    assert accounts[-1].left() == 200
