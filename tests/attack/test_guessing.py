"""Guesses at the doors are counted, and a ticket of one thing opens no other."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st

from navviz.annotation.store import AnnotationStore
from navviz.annotation.tickets import secret_key, write_ticket
from navviz.annotation.wrong_tries import WrongTries
from navviz.runs.audit import audit_log
from navviz.support.installation.serving import Serving, salted
from navviz.ui.server import door, identity
from navviz.ui.server.cookies import Cookie, Receipts
from navviz.ui.state.session import Session
from tests.attack.conftest import Serve

RIGHT = "open sesame"


@pytest.fixture
def typed(serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What a visitor types, each time from a session of its own at one address."""
    workspace.mkdir()
    serve(door="password", password=salted(RIGHT))
    counted, fields = WrongTries(free=5, clock=lambda: 0.0), {"door_secret": ""}
    monkeypatch.setattr(door, "_wrong", lambda: counted)
    monkeypatch.setattr(door, "widget", lambda key, _="": fields.get(key, ""))
    monkeypatch.setattr(door, "forget_widget", lambda _: None)
    context = SimpleNamespace(cookies=SimpleNamespace(to_dict=dict), ip_address="192.0.2.7")
    monkeypatch.setattr(st, "context", context)
    return fields


def _come(monkeypatch: pytest.MonkeyPatch) -> Session:
    session = Session()
    for module in (identity, door):
        monkeypatch.setattr(module, "current", lambda: session)
    door._try()
    return session


def test_new_sessions_bring_no_new_guesses(
    typed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        typed["door_secret"] = f"guess {number}"
        assert not _come(monkeypatch).admitted
    typed["door_secret"] = RIGHT
    refused = _come(monkeypatch)
    assert not refused.admitted
    assert "Too many wrong tries" in refused.refused
    assert len(list(audit_log().entries(action="was not let in"))) == 7


def test_new_addresses_of_one_household_bring_no_new_guesses(
    typed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 2^64 addresses had five free guesses."""
    for number in range(6):
        st.context.ip_address = f"2001:db8:1:2::{number}"  # type: ignore[misc]
        _come(monkeypatch)
    st.context.ip_address = "2001:db8:1:2::7"  # type: ignore[misc]
    typed["door_secret"] = RIGHT
    assert not _come(monkeypatch).admitted
    st.context.ip_address = "2001:db8:1:3::7"  # type: ignore[misc]
    assert _come(monkeypatch).admitted


def test_another_address_is_not_locked_out_by_them(
    typed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(8):
        _come(monkeypatch)
    st.context.ip_address = "192.0.2.8"  # type: ignore[misc]
    typed["door_secret"] = RIGHT
    assert _come(monkeypatch).admitted


def _comes_back(monkeypatch: pytest.MonkeyPatch, ticket: str, rules: Serving) -> bool:
    session = Session()
    jar = SimpleNamespace(to_dict=lambda: {"navviz_door": ticket})
    monkeypatch.setattr(st, "context", SimpleNamespace(cookies=jar, ip_address="192.0.2.7"))
    monkeypatch.setattr(door, "current", lambda: session)
    return door._comes_back(rules)


def test_a_ticket_of_one_thing_opens_no_other(
    typed: dict[str, str], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, kept = secret_key(workspace), salted(RIGHT)
    rules = Serving(door="password", password=kept)
    good = write_ticket(key, "door", "visitor", kept)
    assert _comes_back(monkeypatch, good, rules)
    name, _, signature = good.partition(".")
    other = write_ticket(key, "door", "operator", kept).partition(".")[0]
    for wrong in (
        write_ticket(key, "visitor", "visitor", kept),  # the cookie of a browser
        # of before a restart with another salt
        write_ticket(key, "door", "visitor", salted(RIGHT)),
        write_ticket(b"x" * 32, "door", "visitor", kept),  # of another workspace
        f"{other}.{signature}",
        f"{name}.",
        f"{name}.{signature[:-1]}",
        name,
    ):
        assert not _comes_back(monkeypatch, wrong, rules)


def test_a_receipt_brings_its_cookie_once() -> None:
    waiting = Receipts()
    first = waiting.put(Cookie("navviz_door", "ticket"))
    assert waiting.put(Cookie("navviz_door", "ticket")) != first
    assert waiting.take("") is None
    taken = waiting.take(first)
    assert taken is not None
    assert taken.header(secure=True).endswith(b"; HttpOnly; SameSite=Strict; Secure")
    assert waiting.take(first) is None


def test_a_name_without_a_token_never_comes_in_by_the_door(tmp_path: Path) -> None:
    key, store = b"k" * 32, AnnotationStore(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    ann = store.sign_in("ann")
    for made_for in ("door", "annotate"):
        ticket = store.ticket(ann, key, made_for)  # type: ignore[arg-type]
        assert store.sign_in_again(ticket, key, "door") is None
    store.study().annotators.set_token("ann")
    desk, door_ticket = store.ticket(ann, key, "annotate"), store.ticket(ann, key, "door")
    assert store.sign_in_again(desk, key, "door") is None
    assert store.sign_in_again(door_ticket, key, "annotate") is None
    assert store.sign_in_again(door_ticket, key, "door") is not None
    store.close()
