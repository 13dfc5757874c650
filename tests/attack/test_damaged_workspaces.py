"""A workspace that was damaged, set back in time, or is shared by two versions of NavViz: a
sentence, nothing lost.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from navviz.annotation.store import AnnotationStore
from navviz.annotation.tickets import LASTS_S, read_ticket, write_ticket
from navviz.errors import NavVizError, StoreError
from navviz.runner.batches import Batch
from navviz.runner.config import read_config
from navviz.runner.ledger import Ledger, ledger
from navviz.runner.plan import BatchPlan, BatchState
from navviz.runner.walking import walk_batch
from tests.worlds import tiny_episode

DAY_S = 24 * 3600
YEAR_S = 365 * DAY_S


@pytest.fixture
def batch(workspace: Path) -> Batch:
    """A batch of one walk that has come to its end."""
    graph = str(workspace.parent / "osm" / "graph")
    plan = BatchPlan(run="mine", navigator="random-walker", graphs=(graph,))
    made = Batch(workspace / "runs", plan, [tiny_episode()])
    walk_batch(made)
    return made


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda content: content[: len(content) // 2],
    "random": lambda content: random.Random(1).randbytes(len(content)),
    "empty": lambda _: b"",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["plan.json", "state.json"])
def test_a_damaged_batch_is_one_sentence_and_its_walks_stay(
    batch: Batch, name: str, damage: str
) -> None:
    traces = {path: path.read_bytes() for path in batch.folder.glob("*.trace.jsonl")}
    control = batch.control(name)
    control.write_bytes(DAMAGES[damage](control.read_bytes()))
    kept = control.read_bytes()
    if name == "plan.json":
        with pytest.raises(NavVizError, match=r"plan\.json"):
            Batch.at(batch.folder)
    else:
        status = Batch.at(batch.folder).status()
        assert status.name == "failed"
        assert name in (status.reason or "")
    assert {path: path.read_bytes() for path in traces} == traces
    assert control.read_bytes() == kept


@pytest.mark.parametrize("name", ["plan.json", "state.json"])
def test_a_batch_of_a_later_version_is_neither_read_nor_replaced(batch: Batch, name: str) -> None:
    control = batch.control(name)
    control.write_text(control.read_text().replace('"schema_version": 1', '"schema_version": 2'))
    kept = control.read_bytes()
    with pytest.raises(NavVizError, match="later NavViz"):
        Batch.at(batch.folder).start()
    assert control.read_bytes() == kept


def test_a_run_of_a_later_version_is_neither_read_nor_replaced(batch: Batch) -> None:
    path = batch.folder / "run.json"
    path.write_text(path.read_text().replace('"schema_version": 1', '"schema_version": 2'))
    kept = path.read_bytes()
    with pytest.raises(NavVizError, match="later NavViz"):
        read_config(batch.folder)
    assert path.read_bytes() == kept


def test_a_ledger_of_a_later_version_is_left_as_it_is(workspace: Path) -> None:
    ledger().account("annotator:ann", 100).charge(40)
    path = workspace / "ledger" / "ledger.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
        database.execute("PRAGMA user_version = 2")
    kept = path.read_bytes()
    for action in (ledger().standings, lambda: ledger().account("annotator:ann", 100).charge(1)):
        with pytest.raises(StoreError, match="update NavViz"):
            action()
    assert path.read_bytes() == kept


def test_a_ledger_of_before_versions_keeps_its_figures(workspace: Path) -> None:
    folder = workspace / "ledger"
    Ledger(folder).account("annotator:ann", 100).charge(40)
    with closing(sqlite3.connect(folder / "ledger.sqlite3")) as database:
        database.execute("PRAGMA user_version = 0")
    assert Ledger(folder).standings()[0].spent == 40


def _database(path: Path, *statements: str) -> bytes:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return path.read_bytes()


@pytest.mark.parametrize(("statements", "sentence"), [
    (("CREATE TABLE moz_places (url TEXT)", "INSERT INTO moz_places VALUES ('x')"), "no NavViz database"),
    (("CREATE TABLE meta (name TEXT)", "CREATE TABLE songs (name TEXT)"), "no NavViz database"),
    (("CREATE TABLE meta (key TEXT, value TEXT)", "INSERT INTO meta VALUES ('version', 'abc')"),
        "damaged version"),
    (("CREATE TABLE meta (key TEXT, value TEXT)", "INSERT INTO meta VALUES ('version', '99')"),
        "update NavViz"),
])  # fmt: skip
def test_a_database_of_others_is_not_written_into(
    tmp_path: Path, statements: tuple[str, ...], sentence: str
) -> None:
    path = tmp_path / "other.sqlite3"
    kept = _database(path, *statements)
    with pytest.raises(StoreError, match=sentence):
        AnnotationStore(f"sqlite:///{path}")
    assert path.read_bytes() == kept


@pytest.mark.parametrize("damage", ["cut", "random"])
def test_a_damaged_annotation_database_is_one_sentence(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "annotations.sqlite3"
    AnnotationStore(f"sqlite:///{path}").close()
    path.with_name(f"{path.name}-wal").unlink(missing_ok=True)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    kept = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        AnnotationStore(f"sqlite:///{path}").study().queues.all()
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == kept


# --- clocks that jump


def test_a_clock_set_back_by_a_year_ends_no_ticket_and_set_forward_ends_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, key = time.time(), b"k" * 32
    ticket = read_ticket(write_ticket(key, "visitor", "ann"))
    assert ticket is not None
    within = [(jump_s, True) for jump_s in (-YEAR_S, -DAY_S, -3600, 0, 3600, DAY_S)]
    for jump_s, genuine in (*within, (LASTS_S + 60, False), (YEAR_S, False)):
        monkeypatch.setattr(time, "time", lambda jump_s=jump_s: now + jump_s)
        assert ticket.is_genuine(key, "visitor", "") is genuine


@pytest.mark.parametrize("jump_s", [-YEAR_S, -DAY_S, -3600, 3600, DAY_S, YEAR_S])
def test_a_batch_that_did_not_come_up_can_go_on_whatever_the_clock_says(
    batch: Batch, monkeypatch: pytest.MonkeyPatch, jump_s: int
) -> None:
    """Set back by a year, such a batch was "starting" for a year, without a button to go on."""
    batch.note(BatchState(state="waiting", updated_s=time.time()))
    batch.control("log").write_text("")
    assert batch.status().busy
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + jump_s)
    assert not batch.status().busy
