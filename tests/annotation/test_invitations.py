"""One link a person: it holds name and token behind `#`, and another one makes it worthless."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest

from navviz.annotation.invitations import as_csv, as_sheet, invite, wanted_names
from navviz.annotation.store import AnnotationStore
from navviz.errors import InputError, StoreError
from tests.command import invoke


@pytest.fixture
def store(tmp_path):
    opened = AnnotationStore(f"sqlite:///{tmp_path / 'annotations.sqlite3'}")
    yield opened
    opened.close()


def secret(link: str) -> tuple[str, str]:
    """Return the name and the token of a link."""
    name, _, token = urlsplit(link).fragment.removeprefix("invite=").partition(":")
    return unquote(name), token


def test_a_link_lets_its_person_in_and_only_until_the_next_one(store):
    people = store.study().annotators
    (first,) = invite(people, ["Füchs 1"], "https://lab.example/", "q 1")
    assert first.link.startswith("https://lab.example/annotate?queue=q+1#invite=")
    name, token = secret(first.link)
    assert store.check_token(name, token).name == "Füchs 1"
    (second,) = invite(people, [name], "https://lab.example")
    with pytest.raises(StoreError, match="not right"):
        store.check_token(name, token)
    assert store.check_token(*secret(second.link)).name == name


def test_a_name_that_was_invited_cannot_be_taken_without_its_link(store):
    people = store.study().annotators
    (made,) = invite(people, ["fox"], "http://h")
    with pytest.raises(StoreError, match="not right"):
        store.sign_in("fox")
    people.revoke("fox")
    with pytest.raises(StoreError, match="not right"):
        store.check_token(*secret(made.link))
    with pytest.raises(StoreError, match="not right"):
        store.sign_in("fox")


def test_no_name_is_written_where_one_is_none(store):
    people = store.study().annotators
    with pytest.raises(InputError, match="is no pseudonym"):
        invite(people, ["fox", "<b>"], "http://h")
    with pytest.raises(InputError, match="nobody, or too many"):
        invite(people, [], "http://h")
    assert people.all() == []


def test_a_number_makes_names_that_nobody_has(store):
    people = store.study().annotators
    people.add("rater-02")
    assert wanted_names(people, ["3"]) == ["rater-01", "rater-03", "rater-04"]
    assert wanted_names(people, [" fox ", "", "7"]) == ["fox", "7"]


def test_only_a_lead_who_came_by_a_token_opens_the_study(store):
    people = store.study().annotators
    (lead,) = invite(people, ["lead"], "http://h", is_lead=True)
    assert urlsplit(lead.link).path == "/study"
    (fox,) = invite(people, ["fox"], "http://h")
    assert store.study_of(store.check_token(*secret(fox.link))) is None
    opened = store.study_of(store.check_token(*secret(lead.link)))
    assert opened is not None
    assert opened.name == "lead"


def test_who_came_was_seen(store):
    people = store.study().annotators
    (made,) = invite(people, ["fox"], "http://h")
    assert people.seen() == {}
    store.check_token(*secret(made.link))
    assert list(people.seen()) == ["fox"]


def test_a_sheet_and_a_table_hold_each_link_once(store):
    made = invite(store.study().annotators, ["fox", "owl"], "http://h", "a <b> & c")
    sheet, table = as_sheet(made, "<i>"), as_csv(made)
    assert "<b> &" not in sheet
    assert "<i>" not in sheet
    assert [line.split(",")[0] for line in table.splitlines()] == ["name", '"fox"', '"owl"']
    for each in made:
        assert table.count(each.link) == 1
        assert sheet.count(each.link.replace("&", "&amp;")) == 2


def test_the_commands_invite_list_and_take_back(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    monkeypatch.delenv("NAVVIZ_DB", raising=False)
    made = invoke("study", "invite", "2", "--format", "csv")
    assert made.output.startswith("name,link\nrater-01,http://localhost:8501/annotate#invite=")
    assert "no queue is called q" in invoke("study", "invite", "fox", "--queue", "q").output
    sheet = tmp_path / "slips.html"
    assert "1 slips" not in invoke("study", "invite", "fox", "--sheet", str(sheet)).output
    assert "#invite=fox:" in sheet.read_text()
    listed = invoke("study", "people")
    assert "fox  annotator, by link, seen never" in listed.output
    assert invoke("study", "revoke", "fox").exit_code == 0
    assert invoke("study", "revoke", "owl").exit_code == 1
