"""What visitors do is in the audit, nothing that they wrote is, and only the operator reads it."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st

from navviz.cli.output import print_table
from navviz.errors import NavVizError
from navviz.llm.base import Request
from navviz.llm.streaming import ModelOptions
from navviz.records import Message
from navviz.runner.batches import Batch
from navviz.runner.ledger import ledger
from navviz.runner.walking import walk_batch
from navviz.runs.audit import AuditEntry, audit_log, record
from navviz.runs.owners import Viewer
from navviz.support.installation.serving import salted, serving
from navviz.ui.server import audit, door, identity
from navviz.ui.state.session import Session
from tests.attack.conftest import OpenAs, Serve
from tests.attack.reading import everything
from tests.paths import ROOT

SECRET = "sk-orchid-cellar-4711"
WORDS = "Walk to the light and turn right. Stop by the orchid cellar."


def _told() -> list[tuple[str, str, str]]:
    return [(entry.visitor, entry.action, entry.object) for entry in audit_log().entries()]


def _all_bytes(workspace: Path) -> str:
    return "".join(path.read_text() for path in sorted((workspace / "audit").iterdir()))


def test_a_visit_a_live_run_and_what_was_kept_are_told_without_their_words(
    visit: OpenAs, serve: Serve, workspace: Path
) -> None:
    serve(allow={"keep", "batches"})
    at = visit("ann", "live", run="walks/json", episode="1")
    area = next(area for area in at.text_area if area.label == "Instruction")
    area.set_value(f"{WORDS} {SECRET}").run()
    at.button(key="live_start").click().run()
    assert not at.error, at.error[0].value
    run = str(at.query_params["live"])
    at.button(key="live_keep_button").click().run()
    result = _told()
    assert result[:2] == [
        ("annotator:ann", "came in", "tokens"),
        ("annotator:ann", "opened", "walks/json"),
    ]
    assert ("annotator:ann", "ran live", run) in result
    assert [action for _, action, _ in result].count("kept") == 1
    assert [action for _, action, _ in result].count("opened") == 1
    for secret in (SECRET, "orchid", "Walk to the light"):
        assert secret not in _all_bytes(workspace)


def test_a_batch_is_told_from_its_start_to_its_stop(
    visit: OpenAs, serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(allow={"batches"})
    monkeypatch.setattr(
        Batch, "start", lambda self, **more: walk_batch(self, pilot=more.get("pilot", 0)) and None
    )
    at = visit("ann", "live", part="many", run="walks/json")
    at.text_input(key="batches_name").set_value("mine").run()
    at.selectbox(key="batches_navigator").set_value("random-walker").run()
    at.number_input(key="batches_workers").set_value(1).run()
    at.button(key="batches_start").click().run()
    [entry] = audit_log().entries(action="ran batch")
    assert (entry.visitor, entry.object, entry.figures) == (
        "annotator:ann",
        "mine",
        {"episodes": 2, "samples": 1},
    )
    from navviz.ui.live.batches import page

    session = Session(admitted=True, visitor="ann")
    monkeypatch.setattr("navviz.ui.server.identity.current", lambda: session)
    monkeypatch.setattr(page, "current", lambda: session)
    batch = Batch.at(workspace / "runs" / "mine")
    page.steer(batch, "pause")
    page.steer(batch, "stop")
    monkeypatch.setattr(page, "widget", lambda *_: SECRET)
    page.go_on(batch)
    assert [action for _, action, what in _told() if what == "mine"] == [
        "ran batch",
        "paused",
        "stopped",
        "went on",
    ]
    assert SECRET not in _all_bytes(workspace)


class _Model:
    name = "openai:m"

    def stream(self, request: Request, cancel: object = None):  # type: ignore[no-untyped-def]
        from navviz.records import Call, Usage

        del cancel
        yield Call(
            purpose="act", messages=request.messages, reply=WORDS, usage=Usage(prompt_tokens=7)
        )


def test_what_a_live_model_and_a_batch_have_spent_is_told_once_for_each_run(
    serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from navviz.ui.components import run_form as form

    serve()
    session = Session(admitted=True, visitor="ann")
    monkeypatch.setattr("navviz.ui.server.identity.current", lambda: session)
    monkeypatch.setattr(form, "make_model", lambda *_: _Model())
    model = form.ModelChoice("openai:m", ModelOptions(), None).make("live-1")
    for _ in range(2):
        list(model.stream(Request(messages=(Message(role="user", text=WORDS),), purpose="act")))
    model.close()  # type: ignore[attr-defined]
    with ledger().account("annotator:ann", 1_000).borrow(500, "mine") as lease:
        lease.charge(130)
        lease.charge(20)
    spent = [
        (entry.visitor, entry.object, entry.figures)
        for entry in audit_log().entries(action="spent")
    ]
    tokens = ledger().account("annotator:ann", 1_000).standing.spent - 150
    assert spent == [
        ("annotator:ann", "live-1", {"tokens": tokens}),
        ("annotator:ann", "mine", {"tokens": 150}),
    ]
    assert "orchid" not in _all_bytes(workspace)


def test_a_wrong_try_is_told_and_nothing_that_was_typed(
    serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.mkdir()
    session = Session()
    context = SimpleNamespace(cookies=SimpleNamespace(to_dict=dict), ip_address="192.0.2.7")
    monkeypatch.setattr(st, "context", context)
    for module in (identity, door):
        monkeypatch.setattr(module, "current", lambda: session)
    monkeypatch.setattr(door, "widget", lambda *_: SECRET)
    monkeypatch.setattr(door, "forget_widget", lambda *_: None)
    for rules in ({"door": "password", "password": salted("open sesame")}, {"door": "tokens"}):
        serve(**rules)
        assert serving() is not None
        door._try()
        assert not session.admitted
    result = _told()
    assert [(action, what) for _, action, what in result] == [
        ("was not let in", "password"), ("was not let in", "tokens")
    ]  # fmt: skip
    assert {visitor for visitor, _, _ in result} == {identity.address()}
    for secret in (SECRET, "192.0.2.7", "sesame"):
        assert secret not in _all_bytes(workspace)


def test_who_is_refused_a_run_of_somebody_else_is_told(
    serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from navviz.runs.sources import Source
    from navviz.ui.server.visitor import check_source

    serve()
    session = Session(admitted=True, visitor="bob", audited={("came in", "tokens")})
    for module in ("identity", "audit"):
        monkeypatch.setattr(f"navviz.ui.server.{module}.current", lambda: session)
    for _ in range(2):
        with pytest.raises(NavVizError, match="is not here"):
            check_source(Source("hers", "workspace", results=workspace / "runs" / "hers"))
    assert _told() == [("annotator:bob", "was refused", "hers")]
    session = Session()
    with pytest.raises(NavVizError, match="is not here"):
        check_source(Source("hers", "workspace", results=workspace / "runs" / "hers"))
    assert len(_told()) == 1, "the server's own first look, before anybody came in"


def test_a_download_is_told_when_it_is_pressed(
    serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve()
    session = Session(admitted=True, visitor="ann")
    monkeypatch.setattr("navviz.ui.server.identity.current", lambda: session)
    drawn: list[tuple[object, str]] = []
    monkeypatch.setattr(
        st, "download_button", lambda label, data, name, **_: drawn.append((data, name))
    )
    audit.download("Trace", WORDS.encode, "walks-1.trace.jsonl", on_click="ignore")
    audit.download("Table", "a,b\n", "table.csv")
    assert not _told()
    for data, _ in drawn:
        assert callable(data)
        data()
    assert [
        (*line, entry.figures) for line, entry in zip(_told(), audit_log().entries(), strict=True)
    ] == [
        ("annotator:ann", "exported", "walks-1.trace.jsonl", {"bytes": len(WORDS)}),
        ("annotator:ann", "exported", "table.csv", {"bytes": 4}),
    ]


def test_every_download_goes_by_the_audit() -> None:
    """A button of Streamlit's own would export without a line."""
    for path in (*(ROOT / "navviz" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")):
        if path.name == "audit.py":
            continue
        names = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Attribute)
        }
        assert "download_button" not in names, path


def test_only_the_operator_sees_the_audit(visit: OpenAs, serve: Serve, workspace: Path) -> None:
    serve(operators={"olga"})
    record("annotator:cleo", "deleted", "queue of-cleo")
    at = visit("bob", "explore", run="walks/json")
    assert not [box for box in at.expander if "Audit" in box.label]
    assert "of-cleo" not in everything(at)
    at.session_state["audit"] = True
    at.run()
    assert "of-cleo" not in everything(at)
    with pytest.raises(NavVizError, match="is not here"):
        audit.entries_for(Viewer("annotator:bob", sees_recorded=True))
    at = visit("olga", "explore", run="walks/json")
    assert [box for box in at.expander if "Audit" in box.label]
    newest: list[AuditEntry] = audit.entries_for(Viewer(operator=True))
    assert newest[0].object == "walks/json"
    assert newest[-1].object == "queue of-cleo"


def test_a_name_is_neither_a_formula_nor_an_order_to_a_terminal(
    serve: Serve, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names are what visitors typed: a line break forged a line of the table, and ESC cleared it."""
    serve()
    name = "=cmd|'/c calc'!A0\n2026 operator deleted all\x1b[2J\x9b2J\u202egnp.x"
    record("annotator:ann", "uploaded", name)
    [entry] = audit_log().entries()
    assert entry.object.isprintable()
    assert audit._row(entry)["Object"] == f"'{entry.object}"
    print_table(("object", "figures"), [(name, name)], [name])
    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["object", "figures"]
    assert row.isprintable()
