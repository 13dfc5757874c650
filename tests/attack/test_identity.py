"""Who one is: nobody becomes somebody else, or the operator, by what a browser can send."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from navviz.annotation.tickets import secret_key, write_ticket
from navviz.support.installation.serving import Serving, salted, serving
from navviz.ui.server import door, identity
from navviz.ui.server.cookies import BROWSER_COOKIE, browser_cookie
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
