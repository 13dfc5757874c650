"""Tickets: nobody comes back as another, and none outlives its token or its time."""

import stat

import pytest

from navviz.annotation import tickets
from navviz.annotation.tickets import KEY_FILE, read_ticket, secret_key, write_ticket
from navviz.errors import StoreError

KEY = b"k" * 32


def test_a_ticket_brings_its_annotator_back(store):
    ticket = store.ticket(store.sign_in("füchs"), KEY)
    assert set(ticket) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    desk = store.sign_in_again(ticket, KEY)
    assert desk is not None
    assert desk.name == "füchs"


def test_what_is_forged_or_of_another_study_is_none(store):
    for name in ("fox", "owl"):
        store.sign_in(name)
    ticket = store.ticket(store.sign_in("fox"), KEY)
    head, signature = ticket.split(".")
    other = write_ticket(KEY, store.study_id, "owl").split(".")[0]
    forged = [
        f"{other}.{signature}", f"{head}.{'0' * 64}", head, "", "x", ".", "AAAA.BBBB", f"{ticket}0",
        "é.ü",
    ]  # fmt: skip
    assert [store.sign_in_again(one, KEY) for one in forged] == [None] * len(forged)
    assert store.sign_in_again(ticket, b"o" * 32) is None
    assert store.sign_in_again(write_ticket(KEY, "another study", "fox"), KEY) is None
    assert store.sign_in_again(write_ticket(KEY, store.study_id, "nobody"), KEY) is None


def test_a_new_token_ends_old_tickets(store):
    ticket = store.ticket(store.sign_in("fox"), KEY)
    token = store.study().annotators.set_token("fox")
    assert store.sign_in_again(ticket, KEY) is None
    assert store.sign_in_again(store.ticket(store.sign_in("fox", token), KEY), KEY) is not None


def test_a_study_that_asks_for_tokens_takes_no_ticket_without(store):
    ticket = store.ticket(store.sign_in("fox"), KEY)
    annotators = store.study("lead").annotators
    annotators.add("lead", "researcher", token="sesame-open")
    annotators.require_tokens(required=True)
    assert store.sign_in_again(ticket, KEY) is None


def test_a_ticket_ends(monkeypatch):
    ticket = read_ticket(write_ticket(KEY, "s", "fox"))
    assert ticket is not None
    assert ticket.is_genuine(KEY, "s", "")
    monkeypatch.setattr(tickets.time, "time", lambda: ticket.until_s + 1.0)
    assert not ticket.is_genuine(KEY, "s", "")


def test_the_key_is_drawn_once_and_its_owners_alone(tmp_path):
    key = secret_key(tmp_path / "workspace")
    path = tmp_path / "workspace" / KEY_FILE
    assert len(key) == 32
    assert secret_key(tmp_path / "workspace") == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == [KEY_FILE]
    path.write_bytes(b"short")
    with pytest.raises(StoreError, match="cut short"):
        secret_key(path.parent)
