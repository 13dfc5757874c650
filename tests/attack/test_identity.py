"""Who one is: nobody becomes somebody else, and guesses at the doors are counted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from navviz.annotation.store import AnnotationStore
from navviz.annotation.tickets import secret_key, write_ticket
from navviz.annotation.wrong_tries import WrongTries
from navviz.runs.audit import audit_log
from navviz.support.installation.serving import Serving, salted, serving
from navviz.ui.server import door, identity
from navviz.ui.server.cookies import BROWSER_COOKIE, Cookie, Receipts, browser_cookie
from navviz.ui.state.session import Session
from tests.attack.conftest import Serve


class _Visit:
    """One session as the server sees it: what it holds, which cookies came, from where."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self.begin({})

    def begin(self, cookies: dict[str, str], address: str | None = None) -> Session:
        session = Session()
        jar = SimpleNamespace(to_dict=lambda: cookies)
        self._patch.setattr(st, "context", SimpleNamespace(cookies=jar, ip_address=address))
        self._patch.setattr(identity, "current", lambda: session)
        self._patch.setattr(door, "current", lambda: session)
        return session


@pytest.fixture
def visit_with(monkeypatch: pytest.MonkeyPatch, workspace: Path) -> _Visit:
    workspace.mkdir()
    return _Visit(monkeypatch)


def _rules() -> Serving:
    rules = serving()
    assert rules is not None
    return rules


def test_a_browser_is_known_again_after_a_restart_of_the_server(
    visit_with: _Visit, serve: Serve
) -> None:
    serve(door="password", password=salted("open sesame"))
    kept = browser_cookie(serving(), {})
    assert kept is not None
    visit_with.begin({kept.name: kept.value})
    before = identity.viewer()
    serve(door="password", password=salted("open sesame"))  # another salt, as after each start
    again = browser_cookie(serving(), {kept.name: kept.value})
    assert again is not None
    visit_with.begin({again.name: again.value})
    assert identity.viewer() == before
    visit_with.begin({})
    assert identity.viewer() != before


def test_a_forged_ticket_makes_one_a_newcomer(
    visit_with: _Visit, serve: Serve, workspace: Path
) -> None:
    serve(door="open")
    mine = identity.viewer().name.removeprefix("browser:")
    for forged in (
        write_ticket(b"x" * 32, "visitor", mine),
        write_ticket(secret_key(workspace), "door", mine),
        write_ticket(secret_key(workspace), "visitor", "annotator:ann"),
        "nonsense",
    ):
        visit_with.begin({BROWSER_COOKIE: forged})
        name = identity.viewer().name
        assert name not in {f"browser:{mine}", "annotator:ann"}
        assert name.startswith("browser:")


def test_the_operators_password_makes_the_operator_and_a_visitors_ticket_does_not(
    visit_with: _Visit, serve: Serve, workspace: Path
) -> None:
    serve(door="password", password=salted("open sesame"), operator_password=salted("all the keys"))
    key, rules = secret_key(workspace), _rules()
    for typed, operator in (("open sesame", False), ("all the keys", True)):
        visit_with.begin({})
        door._check_password(rules, typed)
        assert identity.viewer().operator is operator
    for name, password in (
        ("operator", rules.password),
        ("visitor", rules.operator_password),
        ("operator", ""),
    ):
        visit_with.begin({"navviz_door": write_ticket(key, "door", name, password)})
        assert not door._comes_back(rules)
        assert not identity.viewer().operator
    visit_with.begin(
        {"navviz_door": write_ticket(key, "door", "operator", rules.operator_password)}
    )
    assert door._comes_back(rules)
    assert identity.viewer().operator


def test_without_an_operators_password_nobody_is_the_operator(
    visit_with: _Visit, serve: Serve, workspace: Path
) -> None:
    serve(door="password", password=salted("open sesame"))
    visit_with.begin({"navviz_door": write_ticket(secret_key(workspace), "door", "operator", "")})
    assert not door._comes_back(_rules())
    assert not identity.viewer().operator


@pytest.mark.parametrize(
    ("claims", "operator"),
    [
        ({"sub": "7", "email": "olga@here.example"}, False),
        ({"sub": "7", "email": "olga@here.example", "email_verified": False}, False),
        ({"sub": "7", "email": "olga@here.example", "email_verified": True}, True),
        ({"sub": "7", "email": "olga@here.example", "email_verified": 1}, False),
        ({"sub": "7", "email": "olga@here.example", "email_verified": "true"}, False),
        ({"sub": "7", "email": "olga@here.example", "email_verified": [True]}, False),
        ({"sub": "7", "email": "olga@here.example", "email_verified": {}}, False),
        ({"sub": "7", "email": ["olga@here.example"], "email_verified": True}, False),
        ({"sub": "7", "email": "sub:olga-1@x", "email_verified": True}, False),
        ({"sub": "olga-1"}, True),
        ({"sub": ["olga-1"]}, False),
        ({"sub": "olga@here.example"}, False),
        ({"sub": "sub:olga-1"}, False),
        ({"sub": "8", "name": "olga-1"}, False),
        ({}, False),
    ],
)
def test_only_what_the_provider_vouches_for_makes_the_operator(
    visit_with: _Visit,
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    claims: dict[str, Any],
    operator: bool,
) -> None:
    serve(door="oidc", operators={"olga@here.example", "sub:olga-1", "sub:olga-1@x", "8"})
    monkeypatch.setattr(st, "user", claims)
    assert identity.viewer().operator is operator


def test_two_providers_or_doors_never_share_a_name(
    visit_with: _Visit, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(door="oidc")
    names = set()
    for issuer in ("https://one.example", "https://two.example"):
        monkeypatch.setattr(st, "user", {"iss": issuer, "sub": "7", "email": "ann@here.example"})
        names.add(identity.viewer().name)
    serve(door="tokens")
    visit_with.begin({}).visitor = "7"
    names.add(identity.viewer().name)
    assert len(names) == 3


def test_a_new_browser_or_a_new_address_of_one_household_brings_no_new_share(
    visit_with: _Visit, serve: Serve
) -> None:
    serve(door="password", password=salted("open sesame"))
    visit_with.begin({}, "2001:db8:1:2::1")
    paying = identity.account()
    assert paying is not None
    assert "2001" not in paying
    visit_with.begin({}, "2001:db8:1:2:ffff::9")
    assert identity.account() == paying
    visit_with.begin({}, "192.0.2.7")
    assert identity.account() not in {paying, None}


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
