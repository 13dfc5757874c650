"""A workspace that nothing can be written into: runs are shown, and nothing is called saved that is
not.

It lies below a file, where no user may make a folder, root neither.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from navviz.annotation import tickets
from navviz.annotation.store import AnnotationStore
from navviz.annotation.tickets import KEY_FILE, read_ticket, secret_key, write_ticket
from navviz.errors import StoreError
from navviz.records import Episode
from navviz.runner.batches import Batch
from navviz.runner.config import RunConfig, write_config
from navviz.runner.ledger import ledger
from navviz.runner.plan import BatchPlan
from navviz.runner.prompt_versions import keep_prompt
from navviz.runner.variants import keep_episode
from navviz.runs import sources
from navviz.runs.audit import AuditEntry, audit_log
from navviz.runs.owners import Ownership, claim
from navviz.runs.uploads import save_upload
from navviz.support.installation.serving import SERVER_VARIABLE, Serving
from tests.attack.conftest import OpenAs

EPISODE = Episode(id="1", dataset="tiny", instruction="Go.", start="s1")


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "workspace"
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(folder))
    monkeypatch.delenv("NAVVIZ_DB", raising=False)
    yield folder
    tickets._own.pop(folder, None)


def _batch(folder: Path) -> Batch:
    return Batch(folder / "runs", BatchPlan(run="mine", navigator="random-walker"), [EPISODE])


KEEPS: dict[str, Callable[[Path], object]] = {
    "rating": lambda folder: AnnotationStore(f"sqlite:///{folder / 'annotations.sqlite3'}"),
    "batch": lambda folder: _batch(folder).start(),
    "waiting batch": lambda folder: _batch(folder).put_off("It waits."),
    "episode": lambda folder: keep_episode(EPISODE, folder / "episodes", "mine"),
    "owner": lambda folder: claim(folder / "live" / "mine", Ownership(owner="annotator:ann")),
    "prompt": lambda _: keep_prompt("groke", "Walk."),
    "run": lambda folder: write_config(
        folder / "runs" / "mine", RunConfig(run="mine", navigator="rules")
    ),
    "tokens": lambda _: ledger().account("annotator:ann", 100).charge(5),
    "upload": lambda _: save_upload("log.jsonl", b"{}\n", None),
}


@pytest.mark.parametrize("what", KEEPS)
def test_what_cannot_be_kept_is_one_sentence(what: str, workspace: Path) -> None:
    """A prompt ended the page with Python's own error."""
    with pytest.raises(StoreError) as caught:
        KEEPS[what](workspace)
    assert "\n" not in str(caught.value)


def test_lists_and_the_audit_do_without(workspace: Path, caplog: pytest.LogCaptureFixture) -> None:
    sources.remember([])
    assert sources.recent() == []
    with caplog.at_level(logging.WARNING):
        audit_log().write(AuditEntry(time="2026-11-22T00:00:00Z", visitor="a", action="kept"))
    assert f"{workspace / 'audit'}: the audit cannot be written" in caplog.text


def test_visitors_come_in_for_as_long_as_the_server_lives(workspace: Path) -> None:
    """The key that signs tickets could not be made, and every page was an error without a word."""
    ticket = read_ticket(write_ticket(secret_key(workspace), "door", "visitor"))
    assert ticket is not None
    assert ticket.is_genuine(secret_key(workspace), "door", "")
    tickets._own.clear()  # the next server
    assert not ticket.is_genuine(secret_key(workspace), "door", "")


def test_a_page_is_shown_by_a_server(
    monkeypatch: pytest.MonkeyPatch, opened: Path, visit: OpenAs
) -> None:
    del opened
    monkeypatch.setenv(SERVER_VARIABLE, Serving(door="password", password="x").model_dump_json())
    at = visit("", "explore")
    assert not at.error
    assert "Read: walks.json" in " ".join(text.value for text in at.caption)


def test_a_key_that_is_damaged_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, visit: OpenAs
) -> None:
    (tmp_path / KEY_FILE).write_bytes(b"short")
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    monkeypatch.setenv(SERVER_VARIABLE, Serving(door="password", password="x").model_dump_json())
    at = visit("", "explore")
    assert [error.value for error in at.error] == [
        f"{tmp_path / KEY_FILE} is cut short; delete it; then everybody signs in again."
    ]
