"""The door of a server, what lies behind it, and what visitors may not do there."""

from __future__ import annotations

import time
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from navviz.annotation.store import AnnotationStore
from navviz.annotation.wrong_tries import WrongTries
from navviz.errors import InputError, SettingsError
from navviz.support.installation.serving import SERVER_VARIABLE, Serving, require, salted
from navviz.ui.components.run_form import model_form
from navviz.ui.data import annotation_store
from navviz.ui.server import door, identity, limits, visitor
from navviz.ui.state.session import Session
from tests.pages.conftest import ran
from tests.paths import ROOT


@pytest.fixture(autouse=True)
def _own_workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    monkeypatch.delenv("NAVVIZ_DB", raising=False)
    monkeypatch.setattr(door, "_wrong", WrongTries)
    annotation_store._store.clear()


def _serve(monkeypatch: pytest.MonkeyPatch, **rules: Any) -> None:
    monkeypatch.setenv(
        SERVER_VARIABLE, Serving.model_validate({"door": "open"} | rules).model_dump_json()
    )


def _page(name: str = "explore", **query: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=60)
    for key, value in query.items():
        at.query_params[key] = value
    return ran(at)


def _shows_page(at: AppTest) -> bool:
    return any(box.key == "pickers_run_Run" for box in at.selectbox)


def _knock(at: AppTest, secret: str, name: str | None = None) -> None:
    if name is not None:
        at.text_input(key="door_name").set_value(name)
    at.text_input(key="door_secret").set_value(secret)
    ran(at.button(key="FormSubmitter:door-Come in").click())


def test_the_password_opens_and_nothing_else(monkeypatch):
    _serve(monkeypatch, door="password", password=salted("open sesame"))
    at = _page()
    assert not _shows_page(at)
    assert not at.dataframe
    _knock(at, "open barley")
    assert at.error[0].value == "That is not the password; ask the operator of this server."
    assert not _shows_page(at)
    _knock(at, "open sesame")
    assert _shows_page(at)


def test_a_token_of_the_study_opens_under_its_own_name_only(monkeypatch, tmp_path):
    store = AnnotationStore(f"sqlite:///{tmp_path / 'annotations.sqlite'}")
    monkeypatch.setenv("NAVVIZ_DB", f"sqlite:///{tmp_path / 'annotations.sqlite'}")
    store.study().annotators.add("ann")
    store.study().annotators.add("bob")
    token = store.study().annotators.set_token("ann")
    store.close()
    _serve(monkeypatch, door="tokens")
    at = _page()
    _knock(at, token, "bob")
    assert "not right" in at.error[0].value
    _knock(at, "", "carl")
    assert "not right" in at.error[0].value
    _knock(at, token, "ann")
    assert _shows_page(at)


def test_a_replaced_token_ends_the_visit_that_is_open(monkeypatch, tmp_path):
    address = f"sqlite:///{tmp_path / 'annotations.sqlite'}"
    monkeypatch.setenv("NAVVIZ_DB", address)
    store = AnnotationStore(address)
    store.study().annotators.add("ann")
    token = store.study().annotators.set_token("ann")
    _serve(monkeypatch, door="tokens")
    at = _page()
    _knock(at, token, "ann")
    assert _shows_page(at.run())
    new = store.study().annotators.set_token("ann")
    store.close()
    at.run()
    assert not _shows_page(at)
    assert "replaced" in at.error[0].value
    _knock(at, new, "ann")
    assert _shows_page(at.run())


def test_every_page_has_the_door(monkeypatch):
    _serve(monkeypatch, door="password", password=salted("open sesame"))
    for path in sorted((ROOT / "pages").glob("*.py")):
        at = _page(path.stem)
        assert [field.key for field in at.text_input] == ["door_secret"], path.stem


def test_a_server_started_past_navviz_app_stays_closed(monkeypatch):
    monkeypatch.delenv(SERVER_VARIABLE, raising=False)
    monkeypatch.setattr(visitor, "is_local", lambda: False)
    at = _page()
    assert "started for its own machine alone" in at.error[0].value
    monkeypatch.setenv(SERVER_VARIABLE, "nonsense")
    assert "holds no rules" in _page().error[0].value


def test_visitors_choose_among_the_operators_runs(monkeypatch, tmp_path):
    run = tmp_path / "runs" / "secret"
    run.mkdir(parents=True)
    (run / "1.trace.jsonl").write_text("")
    _serve(monkeypatch)
    assert "secret" not in " ".join(_page().selectbox(key="pickers_run_Run").options)
    _serve(monkeypatch, allow={"keep"})
    assert "secret" in " ".join(_page().selectbox(key="pickers_run_Run").options)


def test_paths_and_downloads_are_off_unless_allowed(monkeypatch):
    def ways(**rules: Any) -> list[str]:
        _serve(monkeypatch, **rules)
        at = _page()
        at.button(key="pickers_open").click().run()
        return [tab.label.split(": ")[1] for tab in at.tabs if tab.label.startswith(":material")]

    assert ways() == ["Upload"]
    assert ways(allow={"paths", "download"}) == [
        "Folder or file on this computer",
        "Upload",
        "Any place",
    ]


def test_the_ratings_of_others_need_a_researchers_token(monkeypatch):
    _serve(monkeypatch)
    at = _page("study")
    assert {"evaluate_name", "evaluate_secret"} <= {field.key for field in at.text_input}


def test_batches_and_keeping_are_off_unless_allowed(monkeypatch):
    _serve(monkeypatch)
    refused = "Visitors of this server may not walk many episodes in processes of the server"
    assert _page("live", part="many").error[0].value.startswith(refused)
    assert "explore_run_over" not in {button.key for button in _page().button}
    with pytest.raises(SettingsError, match="may not see and keep runs"):
        require("keep")
    with pytest.raises(SettingsError, match="may not ask language models"):
        model_form()
    _serve(monkeypatch, allow={"batches"})
    assert "explore_run_over" in {button.key for button in _page().button}
    assert not _page("live", part="many").error


def test_uploads_have_a_quota(monkeypatch):
    session = Session()
    monkeypatch.setattr(limits, "current", lambda: session)
    _serve(monkeypatch, upload_mb=3)
    limits.check_upload(2_000_000)
    with pytest.raises(InputError, match=r"has 2.0 MB, and 1.0 MB are left of your 3 MB"):
        limits.check_upload(2_000_000)
    _serve(monkeypatch, upload_mb=3, uploads_mb=0)
    with pytest.raises(InputError, match="space for uploads is full"):
        limits.check_upload(1)


def test_a_visitor_who_comes_again_and_again_leaves_room_to_others(monkeypatch):
    _serve(monkeypatch, door="tokens", upload_mb=3, uploads_mb=10)
    limits._rooms.clear()
    visits = [Session(visitor=name) for name in ("ann", "ann", "ann", "bob")]
    taken = []
    for visit in visits:
        for module in (limits, identity):
            monkeypatch.setattr(module, "current", lambda visit=visit: visit)
        try:
            limits.check_upload(2_000_000)
        except InputError as error:
            taken.append(str(error))
        else:
            taken.append("")
    assert "take half of the server's" in taken[2]
    assert [bool(text) for text in taken] == [False, False, True, False]


def test_a_page_that_computes_too_long_is_ended_with_a_sentence(monkeypatch):
    messages: list[str] = []
    monkeypatch.setattr(st, "error", lambda text, **_: messages.append(text))
    _serve(monkeypatch, request_s=0.05)
    began = time.monotonic()
    with limits.time_limit():
        while time.monotonic() - began < 30:
            pass
    assert "longer than the server allows" in messages[0]
    with limits.time_limit():
        pass
    assert len(messages) == 1


def test_a_provider_that_is_not_set_up_is_one_sentence(monkeypatch):
    _serve(monkeypatch, door="oidc")
    at = _page()
    assert not _shows_page(at)
    ran(at.button(key="door_oidc").click())
    assert any(
        "Nobody can sign in here yet (To use authentication features" in error.value
        for error in at.error
    )
    assert not _shows_page(at)


def test_who_signed_in_is_named_as_text_and_may_sign_out(monkeypatch):
    _serve(monkeypatch, door="oidc")
    left: list[int] = []
    monkeypatch.setattr(
        st, "user", {"is_logged_in": True, "name": "<b>Ann</b> ![x](http://far.example/x.png)"}
    )
    monkeypatch.setattr(st, "logout", lambda: left.append(1))
    at = _page()
    assert _shows_page(at)
    assert [text.value for text in at.sidebar.text] == ["<b>Ann</b> ![x](http://far.example/x.png)"]
    at.button(key="door_out").click().run()
    assert left == [1]
