"""Whoever knows a session's id, or holds a ticket of another purpose, gets nothing: raw sockets
against servers that run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from websockets.sync.client import ClientConnection, connect

from navviz.annotation.store import AnnotationStore, database_url
from navviz.annotation.tickets import secret_key
from tests.browser.server import free_port, started
from tests.nights import by_day
from tests.paths import ROOT

PASSWORD = "open sesame"
COOKIE_SECRET = "a cookie secret of the test, long enough"
DOORS = ("none", "open", "password", "tokens", "oidc")


@dataclass
class Server:
    """One that runs, and whose visitors these are."""

    door: str
    port: int
    store: AnnotationStore
    tokens: dict[str, str]
    workspace: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cookies(self, **more: str) -> dict[str, str]:
        """Return what a new browser holds after the document of a page."""
        with requests.Session() as client:
            client.trust_env = False
            client.get(f"{self.address}/explore", timeout=60)
            client.get(f"{self.address}/_stcore/health", timeout=60)
            return dict(client.cookies) | more

    def as_visitor(self, name: str) -> dict[str, str]:
        """Return the cookies of somebody who came in under a name, where there are names."""
        if self.door == "tokens":
            desk = self.store.check_token(name, self.tokens[name])
            return self.cookies(
                navviz_door=self.store.ticket(desk, secret_key(self.workspace), "door")
            )
        if self.door == "oidc":
            user = {
                "origin": self.address,
                "is_logged_in": True,
                "iss": "https://idp.example",
                "sub": name,
                "email": f"{name}@lab.example",
            }
            signed = create_signed_value(COOKIE_SECRET, "_streamlit_user", json.dumps(user))
            return self.cookies(_streamlit_user=signed.decode())
        return self.cookies()


@contextmanager
def _server(door: str, folder: Path, *arguments: str) -> Iterator[Server]:
    port = free_port()
    tokens = {}
    store = AnnotationStore(database_url(folder))
    study = store.study()
    for name in ("ann", "bob", "olga"):
        study.annotators.add(name)
        tokens[name] = study.annotators.set_token(name)
    study.annotators.add("otto")  # known, and without a token
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "secrets.toml").write_text(
        f'[auth]\nredirect_uri = "http://127.0.0.1:{port}/oauth2callback"\n'
        f'cookie_secret = "{COOKIE_SECRET}"\nclient_id = "navviz"\nclient_secret = "x"\n'
        'server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"\n'
    )
    given = {
        "none": (),
        "open": ("--address", "0.0.0.0", "--open-to-all"),
        "password": ("--address", "0.0.0.0", "--door", "password"),
        "tokens": ("--address", "0.0.0.0", "--door", "tokens", "--operator", "olga"),
        "oidc": ("--address", "0.0.0.0", "--door", "oidc", "--operator", "sub:olga"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NAVVIZ_PASSWORD", PASSWORD)
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.delenv("NAVVIZ_DB", raising=False)
        every = (*given[door], *arguments)
        with started(*every, workspace=folder, folder=folder, port=port):
            yield Server(door, port, store, tokens, folder)
    store.close()


@pytest.fixture(scope="module", params=by_day(DOORS, ["password", "tokens"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with _server(request.param, tmp_path_factory.mktemp(request.param)) as running:
        yield running


@contextmanager
def socket(
    server: Server, cookies: dict[str, str], session: str = ""
) -> Iterator[ClientConnection]:
    """Connect as a page does, with the id of a session that shall go on."""
    protocols = [
        "streamlit",
        cookies.get("_streamlit_xsrf", "none"),
        *([session] if session else []),
    ]
    headers = {"Origin": server.address}
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    with connect(
        f"ws://127.0.0.1:{server.port}/_stcore/stream",
        subprotocols=protocols,  # type: ignore[arg-type]
        additional_headers=headers,
        proxy=None,
    ) as opened:
        yield opened


def shown(opened: ClientConnection, path: str = "explore", **query: str) -> tuple[str, str]:
    """Run a page; return the session's id and all that was sent until the script had ended."""
    begin = BackMsg()
    begin.rerun_script.page_name = path
    begin.rerun_script.query_string = "&".join(f"{name}={value}" for name, value in query.items())
    opened.send(begin.SerializeToString())
    return _until_the_end(opened)


def _until_the_end(opened: ClientConnection) -> tuple[str, str]:
    session, texts = "", []
    while True:
        message = ForwardMsg()
        message.ParseFromString(bytes(opened.recv(timeout=120)))
        texts.append(str(message))
        if message.WhichOneof("type") == "new_session":
            session = message.new_session.initialize.session_id
        # the first page runs twice, the second time through app.py
        if message.WhichOneof("type") == "script_finished" and message.script_finished != 2:
            return session, "\n".join(texts)


def is_at_the_door(text: str) -> bool:
    return bool(re.search(r'label: "(Password|Token|Sign in)"', text))


def _come_in(server: Server, opened: ClientConnection) -> None:
    """Type the password, as the form at the door sends it."""
    _, text = shown(opened)
    field = re.search(r'id: "([^"]*door_secret)"', text)
    button = re.search(r'id: "([^"]*FormSubmitter[^"]*)"', text)
    assert field
    assert button
    typed = BackMsg()
    typed.rerun_script.page_name = "explore"
    states = typed.rerun_script.widget_states.widgets
    states.add(id=field[1], string_value=PASSWORD)
    states.add(id=button[1], trigger_value=True)
    opened.send(typed.SerializeToString())
    _until_the_end(opened)


@pytest.mark.parametrize("is_open", [True, False], ids=["still open", "broken off"])
def test_a_session_goes_on_in_its_own_browser_alone(server: Server, *, is_open: bool) -> None:
    """The id stands in the addresses of uploads, so in the log of a proxy."""
    mine = server.as_visitor("ann")
    with socket(server, mine) as opened:
        if server.door == "password":
            _come_in(server, opened)
        session, text = shown(opened)
        assert session
        assert not is_at_the_door(text)
        if is_open:
            _nobody_else_goes_on(server, session, mine)
    if not is_open:
        _nobody_else_goes_on(server, session, mine)
    with socket(server, mine, session) as again:
        assert shown(again)[0] == session


def _nobody_else_goes_on(server: Server, session: str, mine: dict[str, str]) -> None:
    others = [
        {},
        server.as_visitor("bob"),
        mine | {"navviz_visitor": "", "navviz_browser": ""},
        mine | {"navviz_visitor": mine.get("navviz_visitor", "x")[:-8] + "0" * 8, "navviz_browser": "f" * 32},
    ]  # fmt: skip
    for cookies in others:
        with socket(server, cookies, session) as opened:
            answered, text = shown(opened)
        assert answered != session
        if not cookies and server.door in {"password", "tokens", "oidc"}:
            assert is_at_the_door(text)
        with requests.Session() as client:
            client.trust_env = False
            answer = client.put(
                f"{server.address}/_stcore/upload_file/{session}/1",
                files={"file": b"x"},
                cookies=cookies | {"_streamlit_xsrf": mine["_streamlit_xsrf"]},
                headers={"X-Xsrftoken": mine["_streamlit_xsrf"]},
                timeout=60,
            )
        assert answer.status_code == 403


def test_cookies_are_kept_from_scripts_and_from_plain_http(server: Server) -> None:
    for scheme, secure in (("http", False), ("https", True)):
        for path in ("/", "/explore?run=x", "/_stcore/health"):
            answer = requests.get(
                f"{server.address}{path}", headers={"X-Forwarded-Proto": scheme}, timeout=60
            )
            cookies = [text.strip() for text in answer.raw.headers.getlist("set-cookie")]
            assert cookies or path.startswith("/_stcore") is False
            for text in cookies:
                assert ("; Secure" in text) is secure, text
                assert "SameSite=" in text or "samesite=" in text
                # the one that pages send back as proof that they could read it
                assert "; HttpOnly" in text or text.startswith("_streamlit_xsrf=")
        ours = [text for text in cookies if text.startswith("navviz_")]
        assert not ours, "only documents give cookies"


# --- the attack on the operator, step by step


@pytest.fixture(scope="module")
def behind_tokens(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with _server("tokens", tmp_path_factory.mktemp("attack")) as running:
        yield running


def test_one_token_makes_one_rater(behind_tokens: Server) -> None:
    """Annotate shows no form, and what a client sends for one is nobody's."""
    server = behind_tokens
    before = {person.name for person in server.store.study().annotators.all()}
    with socket(server, server.as_visitor("ann")) as opened:
        text = shown(opened, "annotate")[1]
        assert "annotate_name" not in text
        assert "You rate as ann" in text
        typed = BackMsg()
        typed.rerun_script.page_name = "annotate"
        states = typed.rerun_script.widget_states.widgets
        states.add(id="$$ID-0-annotate_name", string_value="olga")
        states.add(id="$$ID-0-annotate_sign_in", trigger_value=True)
        opened.send(typed.SerializeToString())
        assert "You rate as ann" in shown(opened, "annotate")[1]
    assert {person.name for person in server.store.study().annotators.all()} == before


def test_whoever_signed_in_at_a_provider_rates_under_one_name(tmp_path: Path) -> None:
    with _server("oidc", tmp_path) as server:
        names = set()
        for _ in range(2):
            with socket(server, server.as_visitor("ann@x")) as opened:
                text = shown(opened, "annotate")[1]
            assert "annotate_name" not in text
            names |= set(re.findall(r"You rate as (oidc-[0-9a-f]{16})", text))
        assert len(names) == 1
        known = {person.name for person in server.store.study().annotators.all()}
        assert names <= known
