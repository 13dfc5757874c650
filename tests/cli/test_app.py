"""``navviz app``: what it says before it starts, and what it tells the pages."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from pathlib import Path

import pytest

from navviz.annotation.store import AnnotationStore, database_url
from navviz.cli import app
from navviz.errors import SettingsError
from navviz.support.installation.serving import Serving, is_password
from tests.browser.server import started
from tests.nights import by_day


def test_paths_are_told_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NAVVIZ_WORKSPACE", "mine")
    result = app._environment({"data": Path("runs"), "graphs": None})
    assert json.loads(result["NAVVIZ_OPEN"]) == {"data": str(tmp_path / "runs")}
    assert result["NAVVIZ_WORKSPACE"] == str(tmp_path / "mine")
    assert "NAVVIZ_OPEN" not in app._environment({"data": None})


def test_the_server_has_two_heaps_unless_the_shell_says_otherwise(monkeypatch):
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    assert app._environment({})["MALLOC_ARENA_MAX"] == "2"
    monkeypatch.setenv("MALLOC_ARENA_MAX", "8")
    assert app._environment({})["MALLOC_ARENA_MAX"] == "8"


def free(port: int) -> bool:
    with socket.socket() as listener:
        # closed connections may linger
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


# by SIGTERM each server of a browser test ends; by SIGKILL it cannot end its own processes
@pytest.mark.parametrize("how", by_day([signal.SIGTERM, signal.SIGKILL], [signal.SIGKILL]))
def test_an_app_starts_without_a_warning_and_frees_its_port_when_it_is_killed(tmp_path, how):
    with started(workspace=tmp_path, cold=True) as (port, process):
        log = tmp_path / "server.log"
        for _ in range(600):  # the line follows the first answer
            if log.read_text():
                break
            time.sleep(0.1)
        assert log.read_text() == f"NavViz: http://127.0.0.1:{port}\n"
        os.kill(process.pid, how)
        process.wait(timeout=60)
        for _ in range(600):  # what the killed process started ends a moment after it
            if free(port):
                break
            time.sleep(0.1)
        assert free(port)


def _refusal(**request: object) -> str:
    with pytest.raises(SettingsError) as refused:
        app._rules(
            **{
                "address": "0.0.0.0",
                "door": None,
                "allow": "",
                "upload_mb": 1.0,
                "tokens": 1,
                "request_s": 1.0,
            }
            | request
        )
    return str(refused.value)


def test_nobody_lets_other_machines_in_by_accident(monkeypatch):
    monkeypatch.delenv(app.PASSWORD_VARIABLE, raising=False)
    assert "Say who may come" in _refusal()
    assert "none of password, tokens, oidc" in _refusal(door="ajar")
    assert "of 8 characters or more" in _refusal(door="password")
    assert "--allow everything: is none of paths" in _refusal(
        door="open", allow="models,everything"
    )
    assert _refusal(door="open", request_s=0.0).startswith("request_s: ")
    assert app._rules("127.0.0.1", None, "", upload_mb=1.0, tokens=1, request_s=1.0) is None


def test_an_operator_is_named_as_the_door_names_people(monkeypatch):
    monkeypatch.setenv(app.PASSWORD_VARIABLE, "open sesame")
    assert "--operator olga: only --door tokens and --door oidc know names" in _refusal(
        door="password", operator="olga"
    )
    assert "know names" in _refusal(door="open", operator="olga")
    for password in ("short", "open sesame"):
        monkeypatch.setenv(app.OPERATOR_VARIABLE, password)
        assert "another one than the visitors" in _refusal(door="password")
    monkeypatch.setenv(app.OPERATOR_VARIABLE, "all the keys")
    rules = app._rules("0.0.0.0", "password", "", upload_mb=1.0, tokens=1, request_s=1.0)
    assert rules is not None
    assert is_password("all the keys", rules.operator_password)
    named = app._rules(
        "0.0.0.0", "tokens", "", upload_mb=1.0, tokens=1, request_s=1.0, operator="olga, otto"
    )
    assert named is not None
    assert named.operators == {"olga", "otto"}
    assert not named.operator_password
    for name in ("olga-1", "sub:", "sub:7, olga"):
        assert "write sub:SUBJECT" in _refusal(door="oidc", operator=name)


def test_an_operator_without_a_token_starts_no_server(monkeypatch, tmp_path):
    """Any annotator could take the name, and was the operator."""
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    monkeypatch.delenv("NAVVIZ_DB", raising=False)
    begun: list[object] = []
    monkeypatch.setattr(app, "_become", lambda *_: begun.append(1))
    store = AnnotationStore(database_url(tmp_path))
    store.sign_in("otto")  # known, and without a token
    study = store.study()
    study.annotators.add("olga")
    study.annotators.set_token("olga")
    for names in ("otto", "olga, otto", "nobody"):
        with pytest.raises(
            SettingsError, match=r"--operator (otto|nobody): this name has no token"
        ):
            app._open(address="0.0.0.0", no_browser=True, door="tokens", operator=names)
    assert not begun
    app._open(address="0.0.0.0", no_browser=True, door="tokens", operator="olga")
    assert begun
    store.close()


def test_an_empty_study_gives_its_lead_a_link_once(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    monkeypatch.delenv("NAVVIZ_DB", raising=False)
    monkeypatch.setattr(app, "_become", lambda *_: None)
    for _ in range(2):
        app._open(address="0.0.0.0", no_browser=True, door="tokens", operator="olga", port=8601)
    printed = capsys.readouterr().out
    name, _, token = printed.partition("http://localhost:8601/study#invite=")[2].partition(":")
    assert printed.count("#invite=") == 1
    store = AnnotationStore(database_url(tmp_path))
    desk = store.check_token(name, token.split()[0])
    assert desk.annotator.role == "researcher"
    store.close()


def test_the_pages_are_told_the_rules_but_not_the_password(monkeypatch, tmp_path):
    messages: list[dict[str, str]] = []
    commands: list[list[str]] = []

    def become(command: list[str], environment: dict[str, str]) -> None:
        commands.append(command)
        messages.append(environment)

    monkeypatch.setattr(app, "_become", become)
    monkeypatch.setenv(app.PASSWORD_VARIABLE, "open sesame")
    monkeypatch.setenv(app.OPERATOR_VARIABLE, "sesame street")
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    app._open(address="0.0.0.0", no_browser=True, door="password", allow="models, paths")
    rules = Serving.model_validate_json(messages[0]["NAVVIZ_SERVER"])
    assert rules.allow == {"models", "paths"}
    assert is_password("open sesame", rules.password)
    assert "sesame" not in json.dumps(messages[0])
    assert commands[0][-2:] == ["--server.fileWatcherType", "none"], (
        "Streamlit watches no folder beside the app"
    )


def test_the_door_of_openid_connect_says_which_package_it_needs(monkeypatch):
    from navviz.support.installation import extras

    monkeypatch.setitem(extras.EXTRAS, "oidc", ("no_such_package", "doors of OpenID Connect"))
    assert "pip install 'navviz-vln[oidc]'" in _refusal(door="oidc")
