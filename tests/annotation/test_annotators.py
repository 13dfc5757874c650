"""Who comes in, with which token, and who does not: the table of annotators on SQLite."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from navviz.annotation import annotators as module
from navviz.annotation.annotators import Annotators, checked_name, now
from navviz.annotation.wrong_tries import WrongTries
from navviz.errors import InputError, StoreError

REFUSED = "The name or its token is not right; ask the researcher who set up the study."


@pytest.fixture
def annotators(opened, tmp_path):
    return opened(f"sqlite:///{tmp_path / 'a.sqlite3'}").study("lead").annotators


def _sql(annotators: Annotators, statement: str) -> list[tuple[object, ...]]:
    with annotators._database.write() as connection:
        result = connection.exec_driver_sql(statement)
        return [tuple(row) for row in result] if result.returns_rows else []


def test_times_are_stored_in_utc():
    assert datetime.fromisoformat(now()).utcoffset() == timedelta(0)


def test_everybody_is_listed_as_they_came(annotators):
    for name in ("owl", "fox", "bat"):
        annotators.add(
            name,
            "researcher" if name == "fox" else "annotator",
            "sesame-open" if name == "bat" else None,
        )
    listed = [(one.name, one.role, one.has_token) for one in annotators.all()]
    assert listed == [
        ("owl", "annotator", False),
        ("fox", "researcher", False),
        ("bat", "annotator", True),
    ]
    _sql(
        annotators, "UPDATE annotators SET created = '2001-01-01T00:00:00+00:00' WHERE name = 'bat'"
    )
    assert [one.name for one in annotators.all()] == ["bat", "owl", "fox"]
    assert annotators.all()[0].created.year == 2001


def test_a_token_of_an_earlier_day_still_opens(annotators):
    """Salt and hash as they were stored by scrypt with N = 2**13, r = 8, p = 1."""
    stored = (
        "9ac2499a811f69c96bf415b50994bcd5d3491a37aeb324de9fb025041a7f2fa2aa2a2579aa6fae289e1b59f781650be93598bfa4c98fd388"
        "2b961488aef280bd"
    )
    annotators.add("fox")
    _sql(
        annotators,
        f"UPDATE annotators SET token_salt = '{'0123456789abcdef' * 2}', token_hash = '{stored}'",
    )
    assert annotators.admit("fox", "sesame-open").has_token
    assert annotators.check("fox", "sesame-open").name == "fox"
    with pytest.raises(StoreError, match="not right"):
        annotators.check("fox", "sesame-shut")


def test_each_token_has_a_salt_of_its_own(annotators):
    for name in ("owl", "fox"):
        annotators.add(name, token="sesame-open")
    (one, other) = _sql(annotators, "SELECT token_salt, token_hash FROM annotators ORDER BY name")
    assert one[0] != other[0]
    assert one[1] != other[1]
    assert [len(bytes.fromhex(str(text))) for text in (*one, *other)] == [16, 64, 16, 64]


def test_a_new_token_is_long_and_replaces_the_one_before(annotators):
    for name in ("fox", "bat"):
        annotators.add(name, token="sesame-open")
    token = annotators.set_token("fox")
    assert len(token) == 16
    assert annotators.check("fox", token).name == "fox"
    assert annotators.check("bat", "sesame-open").name == "bat"
    with pytest.raises(StoreError) as caught:
        annotators.check("fox", "sesame-open")
    assert str(caught.value) == REFUSED
    with pytest.raises(StoreError) as caught:
        annotators.set_token("owl")
    assert str(caught.value) == "There is no annotator called owl."


def test_a_taken_name_is_one_sentence(annotators):
    annotators.add("fox")
    with pytest.raises(StoreError) as caught:
        annotators.add("fox", token="x")
    assert (
        str(caught.value) == "There already is an annotator called fox; choose another pseudonym."
    )
    assert not annotators.all()[0].has_token


def test_who_is_new_comes_in_where_no_token_is_asked_for(annotators):
    assert annotators.admit("fox").name == "fox"
    assert [(one.name, one.role, one.has_token) for one in annotators.all()] == [
        ("fox", "annotator", False)
    ]
    assert annotators.admit("fox", "anything").name == "fox"
    annotators.add("owl", token="sesame-open")
    for token in (None, "", "other"):
        with pytest.raises(StoreError) as caught:
            annotators.admit("owl", token)
        assert str(caught.value) == REFUSED
    assert annotators.admit("owl", "sesame-open").name == "owl"


def test_where_tokens_are_asked_for_nobody_new_comes_in(annotators):
    annotators.add("crow")
    annotators.add("owl", token="sesame-shut")  # no researcher
    with pytest.raises(StoreError) as caught:
        annotators.require_tokens(required=True)
    assert str(caught.value) == (
        "Make a link for a lead first; without one nobody could open the study again."
    )
    annotators.add("lead", "researcher", "sesame-open")
    annotators.require_tokens(required=True)
    for name, token in (
        ("fresh", None),
        ("fresh", "sesame-open"),
        ("crow", None),
        ("crow", "sesame-open"),
        ("owl", "sesame-open"),
    ):
        with pytest.raises(StoreError) as caught:
            annotators.admit(name, token)
        assert str(caught.value) == REFUSED
    assert [one.name for one in annotators.all()] == ["crow", "owl", "lead"]
    assert annotators.admit("lead", "sesame-open").role == "researcher"


def test_a_name_without_a_token_passes_no_check(annotators):
    annotators.add("fox")
    for token in ("", "anything"):
        with pytest.raises(StoreError, match="not right"):
            annotators.check("fox", token)
    with pytest.raises(StoreError, match="not right"):
        annotators.check("nobody", "anything")


@pytest.fixture
def still(monkeypatch):
    """Let no time pass between two tries, and no other test count."""
    monkeypatch.setattr(module, "_WRONG", WrongTries(clock=lambda: 0.0))


@pytest.mark.usefixtures("still")
def test_wrong_tries_cost_time_under_one_name_alone_however_it_is_written(annotators):
    for name in ("Badger", "heron"):
        annotators.add(name, token="sesame-open")
    for _ in range(3):
        with pytest.raises(StoreError, match="not right"):
            annotators.check("Badger", "wrong")
    annotators.check("Badger", "sesame-open")
    for name in ("Badger", "badger", "BADGER", "Badger"):
        with pytest.raises(StoreError, match="not right"):
            annotators.check(name, "wrong")
    for name in ("Badger", "badger"):
        with pytest.raises(StoreError, match="Too many wrong tries; wait 1 s"):
            annotators.check(name, "sesame-open")
    assert annotators.check("heron", "sesame-open").name == "heron"


@pytest.mark.usefixtures("still")
def test_wrong_tries_in_one_study_cost_nothing_in_another(opened, tmp_path):
    one, other = (
        opened(f"sqlite:///{tmp_path / name}.sqlite3").study("lead").annotators for name in "ab"
    )
    for table in (one, other):
        table.add("stoat", token="sesame-open")
    for _ in range(5):
        with pytest.raises(StoreError):
            one.check("stoat", "wrong")
    assert other.check("stoat", "sesame-open").name == "stoat"
    assert one.study_id != other.study_id
    assert one.study_id == one.study_id


def test_who_was_let_in_comes_in_again_with_what_was_made_for_their_token(annotators):
    annotators.add("fox")
    annotators.add("lead", "researcher", "sesame-open")
    messages: list[str] = []

    def proof(stored: str) -> bool:
        messages.append(stored)
        return True

    again = annotators.admit_again("fox", proof)
    assert again is not None
    assert (again.name, messages) == ("fox", [""])
    assert annotators.admit_again("lead", proof) is not None
    assert len(messages[1]) == 128
    assert [annotators.token_hash(name) for name in ("fox", "lead", "nobody")] == [
        "",
        messages[1],
        "",
    ]
    assert annotators.admit_again("lead", lambda _: False) is None
    assert annotators.admit_again("nobody", proof) is None
    annotators.require_tokens(required=True)
    assert annotators.admit_again("fox", proof) is None
    assert annotators.admit_again("lead", proof) is not None


@pytest.mark.parametrize("name", ["a", "Ålesund 7", "x" * 40, "a.b-c_d", "9"])
def test_names_that_are_pseudonyms(name):
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["", " ", "@adjudicated", "x" * 41, "a\nb", "<b>"])
def test_names_that_are_none(name):
    with pytest.raises(InputError, match="no e-mail address"):
        checked_name(name)


def test_a_name_that_is_none_says_what_is_allowed(annotators):
    for refuse in (
        checked_name,
        annotators.add,
        annotators.admit,
        lambda name: annotators.check(name, "x"),
    ):
        with pytest.raises(InputError) as caught:
            refuse("me@example.org")
        assert str(caught.value) == (
            "field annotator: is no pseudonym; use 1 to 40 letters, digits, blanks, dots, dashes; no e-mail address."
        )
    assert annotators.all() == []
