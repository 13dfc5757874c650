"""Rules of a server: who comes in, and what visitors may do."""

import pytest

from navviz.errors import SettingsError
from navviz.support.installation.serving import (
    SERVER_VARIABLE,
    Serving,
    is_allowed,
    is_loopback,
    is_password,
    salted,
    serving,
)


def test_without_rules_everything_is_allowed(monkeypatch):
    monkeypatch.delenv(SERVER_VARIABLE, raising=False)
    assert serving() is None
    assert is_allowed("paths")


def test_a_visitor_may_do_what_is_named_and_nothing_else(monkeypatch):
    monkeypatch.setenv(
        SERVER_VARIABLE, Serving(door="open", allow=frozenset({"models"})).model_dump_json()
    )
    assert is_allowed("models")
    assert not is_allowed("paths")


@pytest.mark.parametrize(
    "message", ["1", "{}", '{"door": "ajar"}', '{"door": "open", "request_s": NaN}']
)
def test_rules_that_are_none_let_nobody_in(monkeypatch, message):
    monkeypatch.setenv(SERVER_VARIABLE, message)
    with pytest.raises(SettingsError, match="holds no rules of a server"):
        serving()


def test_a_password_is_kept_as_a_salted_hash():
    kept = salted("open sesame")
    assert "sesame" not in kept
    assert kept != salted("open sesame")
    assert is_password("open sesame", kept)
    assert not is_password("open sesam", kept)
    assert not is_password("", kept)
    assert not is_password("", "")


@pytest.mark.parametrize(
    ("host", "own"), [("localhost", True), ("127.0.0.9", True), ("::1", True), ("0.0.0.0", False)]
)
def test_addresses_of_this_machine(host, own):
    assert is_loopback(host) is own
