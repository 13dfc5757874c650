"""Guessing a password or a token becomes slow, for the guesser alone."""

from __future__ import annotations

import pytest

from navviz.annotation import annotators
from navviz.annotation.store import AnnotationStore
from navviz.annotation.wrong_tries import WrongTries
from navviz.errors import StoreError


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_each_wrong_try_past_the_free_ones_doubles_the_pause():
    clock = _Clock()
    tries = WrongTries(free=2, first_s=1.0, longest_s=3.0, clock=clock)
    for pause_s in (0, 0, 1, 2, 3, 3):
        tries.check("ann")
        tries.wrong("ann")
        if pause_s:
            with pytest.raises(StoreError, match=f"wait {pause_s} s"):
                tries.check("ann")
        tries.check("bob")
        clock.now += pause_s


def test_who_comes_in_begins_anew():
    tries = WrongTries(free=0, clock=_Clock())
    tries.wrong("ann")
    tries.right("ann")
    tries.check("ann")


def test_made_up_names_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(WrongTries, "_MOST_NAMES", 3)
    tries = WrongTries(free=0, clock=_Clock())
    for name in "abcde":
        tries.wrong(name)
    tries.check("a")
    with pytest.raises(StoreError):
        tries.check("e")


def test_an_unknown_name_costs_a_guesser_what_a_known_one_does(tmp_path, monkeypatch):
    """Each sign-in hashes once, so its time does not tell which names there are."""
    hashed: list[str] = []
    real = annotators._hash
    monkeypatch.setattr(
        annotators, "_hash", lambda token, salt: hashed.append(salt) or real(token, salt)
    )
    store = AnnotationStore(f"sqlite:///{tmp_path / 'study.sqlite'}")
    study = store.study()
    study.annotators.add("lead", "researcher")
    study.annotators.set_token("lead")
    study.annotators.add("plain")
    study.annotators.require_tokens(required=True)
    for name in ("lead", "plain", "nobody"):
        hashed.clear()
        with pytest.raises(StoreError, match="not right"):
            store.sign_in(name, "wrong")
        assert len(hashed) == 1, name
    store.close()
