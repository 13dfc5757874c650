"""One share of tokens for a visitor's live runs and batches together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import BudgetError, StoreError
from navviz.installation.serving import SERVER_VARIABLE, Serving
from navviz.llm.addresses import ADDRESSES_VARIABLE
from navviz.records import Episode
from navviz.runner.batches import Batch
from navviz.runner.lock import RunLock
from navviz.runner.plan import BatchPlan, BatchState
from navviz.runner.walking import walk_batch
from navviz.ui import shares
from tests.commands.test_run import KEY, brain
from tests.fake_servers import FakeOpenAI
from tests.worlds import ROUTE, write_world

EPISODES = [
    Episode(
        id=str(n), dataset="tiny", instruction="Walk.", start="s1", start_heading_deg=0, reference_path=tuple(ROUTE)
    )
    for n in range(1, 7)
]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    with FakeOpenAI(brain()) as server:
        monkeypatch.setenv(ADDRESSES_VARIABLE, server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield server


@pytest.fixture
def visitor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Name of the visitor, who may use 1,000 tokens; what is started is walked before `start` returns."""
    monkeypatch.setenv(
        SERVER_VARIABLE, Serving(door="open", allow=frozenset({"batches"}), tokens=1000).model_dump_json()
    )
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    shares._ledger.clear()
    name = ["ann"]
    monkeypatch.setattr(shares, "_visitor", lambda: name[0])
    monkeypatch.setattr(Batch, "start", lambda self, **more: walk_batch(self, pilot=more.get("pilot", 0)) and None)
    return name


def _batch(tmp_path: Path, server: FakeOpenAI, name: str = "b", **plan: Any) -> Batch:
    graph = (
        write_world(tmp_path / "world") if not (tmp_path / "world").exists() else tmp_path / "world" / "osm" / "graph"
    )
    told = {
        "run": name,
        "navigator": "groke",
        "model": f"openai:m@{server.url}",
        "graphs": (str(graph),),
    }
    return Batch(tmp_path / "runs", BatchPlan.model_validate(told | plan), EPISODES)


def _asked(server: FakeOpenAI) -> int:
    return 130 * len(server.requests)


@pytest.mark.usefixtures("visitor")
def test_a_batch_stops_where_the_share_ends_and_live_runs_have_nothing_left(tmp_path: Path, server: FakeOpenAI) -> None:
    batch = _batch(tmp_path, server)
    shares.start_batch(batch)
    assert batch.status().name == "budget"
    assert _asked(server) == 1040
    assert batch.status().state.spent_tokens == 1040
    assert shares.tokens_left() == 0
    budget = shares.model_budget()
    assert budget is not None
    with pytest.raises(BudgetError, match="used up"):
        budget.check()


@pytest.mark.usefixtures("visitor")
def test_going_on_does_not_renew_the_share(tmp_path: Path, server: FakeOpenAI) -> None:
    batch = _batch(tmp_path, server)
    shares.start_batch(batch)
    count = len(server.requests)
    with pytest.raises(BudgetError, match="Your share of this server's tokens is used up"):
        shares.start_batch(Batch.at(batch.folder))
    assert len(server.requests) == count


@pytest.mark.usefixtures("visitor")
def test_what_a_batch_did_not_use_comes_back(tmp_path: Path, server: FakeOpenAI) -> None:
    batch = _batch(tmp_path, server, budget_tokens=900)
    shares.start_batch(batch, pilot=1)
    assert batch.status().name == "estimated"
    assert shares.tokens_left() == 1000 - _asked(server)
    assert 0 < _asked(server) < 900


@pytest.mark.usefixtures("visitor")
def test_live_calls_before_it_are_part_of_the_share(tmp_path: Path, server: FakeOpenAI) -> None:
    budget = shares.model_budget()
    assert budget is not None
    budget.add(0.0, 700)
    shares.start_batch(_batch(tmp_path, server))
    assert _asked(server) == 390
    assert shares.tokens_left() == 0


def test_others_have_their_own_share(visitor: list[str], tmp_path: Path, server: FakeOpenAI) -> None:
    shares.start_batch(_batch(tmp_path, server))
    visitor[0] = "bob"
    assert shares.tokens_left() == 1000
    shares.start_batch(_batch(tmp_path, server, "c"))
    assert _asked(server) == 2080


@pytest.mark.usefixtures("visitor")
def test_while_it_walks_its_part_is_gone(tmp_path: Path, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Batch, "start", lambda self, **_: self.save() or self.note(BatchState(state="running")))
    batch = _batch(tmp_path, server, budget_tokens=600)
    with RunLock(batch.folder):
        shares.start_batch(batch)
        assert Batch.at(batch.folder).plan.budget_tokens == 600
        assert shares.tokens_left() == 400
    assert batch.status().name == "interrupted"
    assert shares.tokens_left() == 1000


@pytest.mark.usefixtures("visitor")
def test_one_that_does_not_begin_costs_nothing(tmp_path: Path, server: FakeOpenAI) -> None:
    batch = _batch(tmp_path, server)
    with RunLock(batch.folder), pytest.raises(StoreError):
        shares.start_batch(batch)
    assert shares.tokens_left() == 1000


@pytest.mark.usefixtures("visitor")
def test_one_without_a_model_needs_no_share(tmp_path: Path, server: FakeOpenAI) -> None:
    budget = shares.model_budget()
    assert budget is not None
    budget.add(0.0, 1000)
    batch = _batch(tmp_path, server, navigator="random-walker", model=None)
    shares.start_batch(batch)
    assert batch.status().name == "done"
    assert server.requests == []
