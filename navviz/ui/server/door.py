"""Who comes in: the door of a server, before any page is drawn.

A page that is looked at on the machine that serves it has no door, unless its user asked for one.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from typing import Protocol

import streamlit as st
from streamlit.errors import StreamlitAuthError
from streamlit.runtime.scriptrunner import get_script_run_ctx

from navviz.annotation.tickets import read_ticket, secret_key, write_ticket
from navviz.annotation.wrong_tries import WrongTries
from navviz.errors import NavVizError, StoreError
from navviz.runs.sources import workspace_dir
from navviz.support.installation.serving import Serving, is_password, serving
from navviz.ui.components.browser import mount
from navviz.ui.components.plain import plain
from navviz.ui.server import audit, visitor
from navviz.ui.server.cookies import RECEIPTS, Cookie, receipts
from navviz.ui.server.identity import account, address, known_browser
from navviz.ui.state.session import Session, begin_anew, current, forget_widget, widget
from navviz.ui.state.state import below_server

_MOST_SESSIONS = 100_000
"""Whose browsers are remembered; the oldest are long gone."""


class UploadedFiles(Protocol):
    """What sessions have uploaded, in the server's memory."""

    def size(self, session: str) -> int:
        """Return the bytes that a session's files take."""

    def drop(self, session: str) -> None:
        """Forget a session's files."""


class Admitted:
    """Sessions that came in, each with its visitor; safe in threads.

    What is counted is what Streamlit holds, and what is on its way: a list of our own could be
    talked out of step with it, by a file sent twice or a socket closed after its upload.
    """

    def __init__(self, is_active: Callable[[str], bool], files: UploadedFiles) -> None:
        self._is_active, self._files = is_active, files
        self._lock = threading.Lock()
        self._visitors: dict[str, str] = {}
        self._browsers: dict[str, str] = {}
        """Browser of each session; empty for one that keeps no cookies."""
        self._coming: dict[str, tuple[str, int]] = {}
        """Visitor and bytes of uploads on their way, by receipt."""

    def admit(self, session: str, visitor: str) -> None:
        """Note that a session came in; those that ended and hold nothing are forgotten."""
        with self._lock:
            if self._visitors.get(session) == visitor:
                return
            self._visitors[session] = visitor
            self._forget_ended()

    def bind(self, session: str, browser: str) -> None:
        """Note whose session this is: the browser with which it began, whatever comes later."""
        with self._lock:
            self._browsers.setdefault(session, browser)
            # not when a session ends: its browser may come back, and finds what it left
            if len(self._browsers) > _MOST_SESSIONS:
                del self._browsers[next(iter(self._browsers))]

    def is_of(self, session: str, browser: str) -> bool:
        """Whether a session began with this browser; nobody's where no page has run in it yet."""
        with self._lock:
            owner = self._browsers.get(session, "")
        return bool(owner) and hmac.compare_digest(owner.encode(), browser.encode())

    def is_bound(self, session: str) -> bool:
        """Whether a page has run in a session."""
        with self._lock:
            return session in self._browsers

    def leave(self, session: str) -> None:
        """Note that whoever had come in has signed out."""
        with self._lock:
            self._visitors.pop(session, None)

    def is_in(self, session: str) -> bool:
        """Whether a session came in by the door."""
        with self._lock:
            return session in self._visitors

    def reserve(self, session: str, size: int, limit: int) -> str | None:
        """Reserve memory for an upload that begins; return what `release` takes when it has ended.

        ``None`` where all files of the session's visitor would take more than `limit` bytes. The
        files of sessions that nobody is connected to any more make room first.
        """
        with self._lock:
            visitor = self._visitors.get(session)
            if visitor is None:
                return None
            if self._used(visitor) + size > limit:
                self._drop_ended(visitor)
            if self._used(visitor) + size > limit:
                return None
            receipt = secrets.token_hex(8)
            self._coming[receipt] = visitor, size
            return receipt

    def release(self, receipt: str) -> None:
        """End an upload: from here on what Streamlit has kept of it counts."""
        with self._lock:
            self._coming.pop(receipt, None)

    def _used(self, visitor: str) -> int:
        kept = sum(self._files.size(session) for session in self._sessions(visitor))
        return kept + sum(size for name, size in self._coming.values() if name == visitor)

    def _sessions(self, visitor: str) -> list[str]:
        return [session for session, name in self._visitors.items() if name == visitor]

    def _drop_ended(self, visitor: str) -> None:
        for session in self._sessions(visitor):
            if not self._is_active(session):
                self._files.drop(session)

    def _forget_ended(self) -> None:
        for session in list(self._visitors):
            # one that still holds files must go on counting for its visitor
            if not self._is_active(session) and self._files.size(session) == 0:
                del self._visitors[session]


def is_active(session: str) -> bool:
    """Whether somebody is connected to a session; without a server always."""
    from streamlit import runtime  # pages are tested without a server

    return not runtime.exists() or runtime.get_instance().is_active_session(session)


class StreamlitFiles:
    """Those in the memory of Streamlit's server; without a server there are none."""

    def size(self, session: str) -> int:
        """Return the bytes that a session's files take."""
        from streamlit import runtime  # pages are tested without a server

        if not runtime.exists():
            return 0
        # of `MemoryUploadedFileManager`, the only one that Streamlit has; `get_files` wants ids
        storage = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
        # a list at once: requests in other threads add to the dictionary
        return sum(len(file.data) for file in list(storage.get(session, {}).values()))

    def drop(self, session: str) -> None:
        """Forget a session's files."""
        from streamlit import runtime  # pages are tested without a server

        if runtime.exists():
            runtime.get_instance().uploaded_file_mgr.remove_session_files(session)


admitted = Admitted(is_active, StreamlitFiles())
"""Of this server process; requests come outside of any session, where Streamlit keeps nothing."""

_DOOR = "door"

_COOKIE = "navviz_door"

_OPERATOR = "operator"


@st.cache_resource(show_spinner=False)
def _wrong() -> WrongTries:
    """One for the server; who guesses opens a new session for each try."""
    return WrongTries(free=5)


def come_in() -> None:
    """Let the visitor in; else show the door and end this run of the page."""
    try:
        rules = serving()
        # names, shares and the audit hang on it: without it nobody is known
        if rules is not None:
            secret_key(workspace_dir())
        context = get_script_run_ctx()
        if context is not None:
            admitted.bind(context.session_id, known_browser())
    except NavVizError as error:
        st.error(plain(error), icon=":material/lock:")
        st.stop()
    if rules is None:
        if not visitor.is_local():
            st.error(
                "This NavViz was started for its own machine alone. To let others in, start it by: "
                "navviz app --address 0.0.0.0 --door password",
                icon=":material/lock:",
            )
            st.stop()
        return
    if not _is_in(rules):
        leave_ticket()
        _show(rules)
        st.stop()
    if context is not None:
        admitted.admit(context.session_id, account() or _OPERATOR)
    audit.came_in()


def show_visitor() -> None:
    """Show who has signed in under a name, and let them sign out."""
    rules = serving()
    if rules is None or rules.door not in {"tokens", "oidc"}:
        return
    name, leave = current().visitor, _leave
    if rules.door == "oidc":
        name = str(st.user.get("name") or st.user.get("email") or "Signed in")
        leave = st.logout
    with st.sidebar:
        # from a token of the provider: text, no Markdown
        st.text(name)
        st.button("Sign out", icon=":material/logout:", on_click=leave, key="door_out")


def _leave() -> None:
    """Sign out: nothing of this visit stays, and the browser forgets its ticket."""
    context = get_script_run_ctx()
    if context is not None:
        admitted.leave(context.session_id)
    receipt = receipts.put(Cookie(_COOKIE, "", 0))
    begin_anew(Session(signed_out=True, receipt=receipt))


def _is_in(rules: Serving) -> bool:
    if rules.door == "open" or (current().admitted and not _was_replaced(rules)):
        return True
    if rules.door == "oidc":
        current().admitted = bool(st.user.get("is_logged_in"))
    else:
        current().admitted = _comes_back(rules)
    return current().admitted


def take_invitation() -> None:
    """Let in whoever opened an invitation link; the browser has taken it out of the address."""
    mount("invitation", key=_INVITATION, data={}, on={"invited": _invited})


_INVITATION = "invitation"


def _invited() -> None:
    # sqlalchemy takes 0.6 s to import, and most servers have no study
    from navviz.ui.data.annotation_store import desk_cookie, store

    sent, rules = getattr(widget(_INVITATION), "invited", None), serving()
    # the browser sends it: anything may stand there
    name, token = (sent.get("name"), sent.get("token")) if isinstance(sent, dict) else ("", "")
    if not isinstance(name, str) or not isinstance(token, str):
        return
    state = current()
    state.evaluate.study = None
    try:
        if rules is not None and rules.door == "tokens":
            _check_token(name, token)
            state.admitted, state.signed_out = True, False
        elif rules is None or rules.door != "oidc":
            desk = state.annotate.desk = store().check_token(name, token)
            ticket = store().ticket(desk, secret_key(workspace_dir()))
            state.annotate.receipt = receipts.put(Cookie(desk_cookie(), ticket))
            state.annotate.signed_out = False
    except NavVizError as error:
        state.refused = f"This link opens nothing here: {error}"
        audit.was_not_let_in(rules.door if rules is not None else "")


def _show(rules: Serving) -> None:
    if rules.door == "tokens":
        take_invitation()
    with st.container(horizontal_alignment="center"), st.container(border=True, width=420):
        st.subheader("NavViz", anchor=False)
        if rules.door == "oidc":
            st.caption("This server asks you to sign in.")
            st.button("Sign in", type="primary", on_click=_sign_in, key="door_oidc")
            say_refused()
            return
        with st.form("door", border=False):
            if rules.door == "tokens":
                st.text_input("Pseudonym", key="door_name", autocomplete="username")
            label = "Token" if rules.door == "tokens" else "Password"
            st.text_input(
                label, key="door_secret", type="password", autocomplete="current-password"
            )
            st.form_submit_button("Come in", type="primary", on_click=_try)
        say_refused()


def say_refused() -> None:
    """Say once why somebody was not let in."""
    refused, current().refused = current().refused, ""
    if refused:
        st.error(plain(refused), icon=":material/block:")


def _sign_in() -> None:
    """Go to the provider; Streamlit tells here what its settings lack, with a page of help."""
    try:
        st.login()
    except StreamlitAuthError as error:
        why = " ".join(str(error).split()).partition(". ")[0].rstrip(".")
        current().refused = (
            f"Nobody can sign in here yet ({why}). The operator of this server sets [auth] up in"
            " .streamlit/secrets.toml."
        )


def _try() -> None:
    """Compare what was typed; a server's rules cannot change between the form and its answer."""
    rules, typed = serving(), str(widget("door_secret", ""))
    forget_widget("door_secret")
    try:
        if rules is not None and rules.door == "tokens":
            _check_token(str(widget("door_name", "")).strip(), typed)
        elif rules is not None:
            _check_password(rules, typed)
            name, kept = _OPERATOR if current().operator else "visitor", _kept_password(rules)
            _keep(write_ticket(secret_key(workspace_dir()), _DOOR, name, kept))
        current().admitted = True
    except NavVizError as error:
        current().refused = str(error)
        audit.was_not_let_in(rules.door if rules is not None else "")


def _check_password(rules: Serving, typed: str) -> None:
    # of an IPv6 address the household's part, since a guesser draws the rest anew for each try.
    # Behind a proxy that tells no addresses, all visitors share a guesser's pauses
    here = address()
    _wrong().check(here)
    current().operator = bool(rules.operator_password) and is_password(
        typed, rules.operator_password
    )
    if not current().operator and not is_password(typed, rules.password):
        _wrong().wrong(here)
        raise StoreError("That is not the password; ask the operator of this server.")
    _wrong().right(here)


def _kept_password(rules: Serving) -> str:
    """Return the hash that a ticket hangs on: with another password it is worth nothing."""
    return rules.operator_password if current().operator else rules.password


def _check_token(name: str, token: str) -> None:
    """Let in who has a token of the study, whatever the study itself asks for."""
    # sqlalchemy takes 0.6 s to import, and most servers have no study
    from navviz.ui.data.annotation_store import store

    desk = store().check_token(name, token)
    current().visitor = desk.name
    current().ticket = store().ticket(desk, secret_key(workspace_dir()), "door")
    _keep(current().ticket)


def _was_replaced(rules: Serving) -> bool:
    """End a visit that is open under a token which holds no more."""
    if rules.door != "tokens" or not current().ticket:
        return False
    from navviz.ui.data.annotation_store import store

    if store().sign_in_again(current().ticket, secret_key(workspace_dir()), "door") is not None:
        return False
    _leave()
    current().refused = "Your token was replaced; come in with the new one."
    return True


# --- a reload must not ask again: the browser keeps a ticket that this server signed


def _comes_back(rules: Serving) -> bool:
    # sqlalchemy takes 0.6 s to import, and most servers have no study
    from navviz.ui.data.annotation_store import store

    text = st.context.cookies.to_dict().get(_COOKIE)
    if current().signed_out or not isinstance(text, str) or not text:
        return False
    try:
        key = secret_key(workspace_dir())
        if rules.door == "tokens":
            desk = store().sign_in_again(text, key, "door")
            current().visitor = desk.name if desk is not None else ""
            current().ticket = text if desk is not None else ""
            return desk is not None
    except NavVizError:
        return False
    ticket = read_ticket(text)
    if ticket is None:
        return False
    current().operator = ticket.name == _OPERATOR and bool(rules.operator_password)
    kept = _kept_password(rules)
    # a rule without a password would make its empty hash a good one
    if not kept or not ticket.is_genuine(key, _DOOR, kept):
        current().operator = False
        return False
    return True


def _keep(ticket: str) -> None:
    current().receipt = receipts.put(Cookie(_COOKIE, ticket))


def leave_ticket() -> None:
    """Let the browser fetch its ticket, or forget it, after somebody signed in or out.

    Once in a run of the script.
    """
    fetch_cookie(current().receipt, key="door_cookie")


def fetch_cookie(receipt: str, *, key: str) -> None:
    """Let the browser show a receipt, once, for the cookie that waits for it."""
    if receipt:
        data = {"address": below_server(RECEIPTS), "receipt": receipt}
        with st.container(gap=None):
            mount("cookie", key=key, data=data, on={})
