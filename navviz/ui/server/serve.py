"""The server process of ``navviz app``: Streamlit, which imports and reads while the browser opens
what comes first.

A browser needs a second or two until it asks for a page. In that time a thread imports what the
pages import, and reads the run that the command line names (else the sample that a newcomer sees),
its table and its first replay into the caches that the pages use. A large run waits for its page,
which shows how far it is.
"""

from __future__ import annotations

import ast
import asyncio
import base64
import gc
import hashlib
import hmac
import logging
import math
import os
import re
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import streamlit
import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from navviz.errors import StoreError
from navviz.support.guarded import read_text
from navviz.support.installation.files import app_file, page_file
from navviz.support.installation.serving import Serving, serving
from navviz.support.notes import tell
from navviz.ui.server.cookies import RECEIPT_HEADER, RECEIPTS, browser_cookie, browser_of, receipts
from navviz.ui.server.door import Admitted, admitted
from navviz.ui.server.history_entries import SCRIPT, HistoryEntries, is_document
from navviz.ui.server.shelves import PREFIX, shelves
from navviz.ui.server.slow_readers import BoundedSocket
from navviz.ui.state.state import below_server

_LONG_S = 0.05
"""A pause that one may feel; with the modules alone a full collection takes less."""

_THOROUGH_S = 600.0
"""Worlds that were forgotten leave within this time, where they hold cycles."""


class Pauses:
    """Watches the collections: what a long one has left is frozen, and looked through again after
    ten minutes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began_s = self._thorough_s = clock()

    def watch(self) -> None:
        """Begin, and collect once."""
        gc.callbacks.append(self.on_collection)
        gc.collect()

    def on_collection(self, phase: str, facts: dict[str, int]) -> None:
        """Take what Python tells before and after a collection."""
        # only a full collection looks through everything
        if facts["generation"] < 2:
            return
        now_s = self._clock()
        if phase == "start":
            self._began_s = now_s
            if now_s - self._thorough_s > _THOROUGH_S:
                self._thorough_s = now_s
                gc.unfreeze()
        elif now_s - self._began_s > _LONG_S:
            gc.freeze()


_MB: Final = 1_000_000

_FRAMING: Final = 65_536
"""Bytes that a form adds around its file."""

MESSAGE_BYTES: Final = 8 * _MB
"""Largest message that a page sends: the state of its widgets; files come by uploads. The server
ends a socket at this size before it has the message whole.
"""

# below whatever path a server stands (Streamlit's server.baseUrlPath): a rule that holds for more
# paths than there are harms nobody
_UPLOAD = re.compile(r".*/_stcore/upload_file/(?P<session>[^/]+)/[^/]+/?", re.DOTALL)

_METRICS = "/_stcore/metrics"

_PROTOCOLS: Final = b"sec-websocket-protocol"
"""Streamlit's pages write here, in this order: ``streamlit``, a token, the session to resume."""

_MEDIA: Final = "/media/"

_COMPONENT: Final = "/component/"

_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

_COPIES: Final = frozenset({b"range", b"accept-encoding"})
"""A part of a file and a compressed one are made anew for each request, and lie in memory until
they are read; the whole file lies there once for all.
"""

_TILES: Final = "https://tile.openstreetmap.org https://*.tile.openstreetmap.org"
"""The map's layer button asks for them where a user switches it on."""

_OF_COMPONENTS: Final = "'self' 'unsafe-inline' 'unsafe-eval' blob: data:"
"""Scripts of folium's map, whose frame evaluates the map's script and brings Leaflet as data, since
maps work offline.
"""


@cache
def scripts_of_pages() -> str:
    """Return which scripts a page runs: files of this server, components, which Streamlit loads
    from blobs, and the few that stand in its document, by their digests.
    """
    document = Path(streamlit.__file__).with_name("static") / "index.html"
    texts = _INLINE.findall(read_text(document).encode()) + _INLINE.findall(SCRIPT)
    digests = [base64.b64encode(hashlib.sha256(text).digest()).decode() for text in texts]
    return " ".join(["'self'", "blob:", *(f"'sha256-{digest}'" for digest in digests)])


def headers_for(embedders: Iterable[str] = (), scripts: str = "") -> dict[str, str]:
    """Return the headers of every answer."""
    framers = " ".join(["'self'", *embedders])
    policy = {
        "default-src": "'self'",
        "script-src": scripts or scripts_of_pages(),
        "style-src": "'self' 'unsafe-inline' data:",
        "img-src": f"'self' data: blob: {_TILES}",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "connect-src": "'self' blob: data:",
        "worker-src": "'self' blob:",
        "frame-src": "'self' blob: data:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": framers,
    }
    headers = {
        "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
    }
    if framers == "'self'":  # older browsers; it cannot name origins
        headers["x-frame-options"] = "SAMEORIGIN"
    return headers


class Guard:
    """ASGI middleware around Streamlit's app."""

    def __init__(
        self, app: ASGIApp, rules: Serving | None, admitted: Admitted, metrics_token: str = ""
    ) -> None:
        self._app, self._rules, self._admitted = app, rules, admitted
        self._metrics_token = metrics_token
        shelves.is_served = True
        framers = () if rules is None else sorted(rules.embedders)
        self._headers = _encoded(headers_for(framers))
        self._component_headers = _encoded(headers_for(framers, _OF_COMPONENTS))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hold one WebSocket."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, self._with_headers(scope, send))
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_own_page(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "another origin"})
            return

        async def bounded() -> Message:
            message = await receive()
            size = len(message.get("bytes") or b"") + len(message.get("text") or "")
            if message["type"] == "websocket.receive" and size > MESSAGE_BYTES:
                return {"type": "websocket.disconnect", "code": 1009}
            return message

        await self._app(self._resumed(scope), bounded, send)

    def _resumed(self, scope: Scope) -> Scope:
        """Leave out the session that a socket asks to take up again where it is not its browser's.

        Streamlit takes the id alone for a proof, and the id stands in the addresses of uploads.
        """
        protocols = ",".join(_headers(scope, _PROTOCOLS)).split(",")
        if len(protocols) < 3:
            return scope
        session = protocols[2].strip()
        if session and self._admitted.is_of(session, self._browser(scope)):
            return scope
        kept = [pair for pair in scope["headers"] if pair[0].lower() != _PROTOCOLS]
        offered = ",".join(protocols[:2]).encode("latin-1")
        return {**scope, "headers": [*kept, (_PROTOCOLS, offered)]}

    def _browser(self, scope: Scope) -> str:
        try:
            return browser_of(self._rules, _cookies(scope))
        except StoreError:  # pages say it
            return ""

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope["path"])
        if _MEDIA in path:
            kept = [pair for pair in scope["headers"] if pair[0].lower() not in _COPIES]
            scope = {**scope, "headers": kept}
        upload = _UPLOAD.fullmatch(path)
        _, is_picture, picture = path.partition(PREFIX)
        if is_picture:
            await self._picture(scope, f"{PREFIX}{picture}", send)
        elif path.endswith(RECEIPTS):
            await self._cookie(scope, send)
        elif upload is not None and not self._is_uploader(scope, upload["session"]):
            await _refuse(send, 403, "Sign in before you upload.")
        elif self._rules is None:
            await self._app(scope, receive, send)
        elif path.rstrip("/").endswith(_METRICS) and not self._may_read_metrics(scope):
            await _refuse(send, 404, "Not found.")
        elif upload is not None and scope["method"] != "OPTIONS":
            await self._upload(scope, receive, send, upload["session"])
        else:
            await self._app(scope, receive, send)

    async def _picture(self, scope: Scope, path: str, send: Send) -> None:
        """Send a picture of a page that is open; its address is what lets a visitor in."""
        if scope["method"] not in {"GET", "HEAD"}:
            await _refuse(send, 405, "Pictures are read only.")
            return
        query = bytes(scope.get("query_string", b"")).decode("latin-1")
        # decoding holds the processor: in a thread, so that pages are served beside it
        answer = await asyncio.to_thread(shelves.answer, path, query)
        kept = b"private, max-age=3600" if answer.status == 200 else b"no-store"
        headers = [
            (b"content-type", answer.mime.encode()),
            (b"content-length", str(len(answer.body)).encode()),
            (b"cache-control", kept),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]
        start = {"type": "http.response.start", "status": answer.status, "headers": headers}
        await send(start)
        body = answer.body if scope["method"] == "GET" else b""
        await send({"type": "http.response.body", "body": body})

    async def _cookie(self, scope: Scope, send: Send) -> None:
        """Give a browser the cookie that waits for it."""
        if scope["method"] != "POST" or not _is_own_page(scope):
            await _refuse(send, 405, "Only a page of this server asks for its cookie.")
            return
        cookie = receipts.take(_header(scope, RECEIPT_HEADER))
        if cookie is None:
            await _refuse(send, 404, "Nothing waits here.")
            return
        headers = [
            (b"set-cookie", cookie.header(secure=_is_secure(scope))),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def _is_uploader(self, scope: Scope, session: str) -> bool:
        """Whether an upload comes from the browser of its session; a browser asks by ``OPTIONS``
        without cookies whether it may.
        """
        if scope["method"] == "OPTIONS" or not self._admitted.is_bound(session):
            return True
        return self._admitted.is_of(session, self._browser(scope))

    def _may_read_metrics(self, scope: Scope) -> bool:
        shown = _header(scope, b"authorization").removeprefix("Bearer ")
        # compared in constant time; an empty token must let nobody in
        return bool(self._metrics_token) and hmac.compare_digest(
            shown.encode(), self._metrics_token.encode()
        )

    async def _upload(self, scope: Scope, receive: Receive, send: Send, session: str) -> None:
        """Let an upload of a visitor who came in pass, as far as that visitor's memory reaches."""
        if self._rules is None or not self._admitted.is_in(session):
            await _refuse(send, 403, "Sign in before you upload.")
            return
        if scope["method"] == "DELETE":
            await self._app(scope, receive, send)
            return
        length = _header(scope, b"content-length")
        # without a length no memory can be reserved for it
        if not length.isdecimal():
            await _refuse(send, 411, "An upload needs its length.")
            return
        limit = int(self._rules.upload_mb * _MB) + _FRAMING
        receipt = self._admitted.reserve(session, int(length), limit)
        if receipt is None:
            await _refuse(send, 413, "That is more than one visitor may upload.")
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._admitted.release(receipt)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_frame = _COMPONENT in str(scope["path"])
                added = self._component_headers if is_frame else self._headers
                ours = {b"x-frame-options", *(name for name, _ in added)}
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in ours]
                if is_document(scope, message):
                    cookie = browser_cookie(self._rules, _cookies(scope))
                    if cookie is not None:
                        kept.append((b"set-cookie", cookie.header(secure=_is_secure(scope))))
                if _is_secure(scope):
                    kept = [_secured(pair) for pair in kept]
                message = {**message, "headers": [*kept, *added]}
            await send(message)

        return sent


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _is_own_page(scope: Scope) -> bool:
    """Whether a WebSocket comes from a page of this server; a program that is no browser names no
    origin.
    """
    origin = _header(scope, b"origin")
    if not origin:
        return True
    return bool(
        origin != "null" and urlsplit(origin).netloc.lower() == _header(scope, b"host").lower()
    )


def _is_secure(scope: Scope) -> bool:
    """Whether the browser came by TLS: as uvicorn heard from a proxy that it trusts, or as the
    browser itself says of its page.
    """
    return scope.get("scheme") == "https" or _header(scope, b"origin").startswith("https://")


def _secured(pair: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Let a cookie go by TLS alone, Streamlit's too."""
    name, value = pair
    if name.lower() != b"set-cookie" or b"; secure" in value.lower():
        return pair
    return name, value + b"; Secure"


def _cookies(scope: Scope) -> dict[str, str]:
    return cookie_parser("; ".join(_headers(scope, b"cookie")))


def _headers(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _header(scope: Scope, name: bytes) -> str:
    return next(iter(_headers(scope, name)), "")


async def _refuse(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


_THREAD = "navviz-warm"

METRICS_VARIABLE = "NAVVIZ_METRICS_TOKEN"
"""Who sends it as ``Authorization: Bearer`` reads ``/_stcore/metrics`` of a server with a door."""

BELOW_VARIABLE = "STREAMLIT_SERVER_BASE_URL_PATH"
"""Path of the host below which the server stands, where a proxy serves several programs."""

FIRST_PAGES = ("explore", "replay")

LATER_PAGES = ("compare", "live", "annotate", "study")

_LATER_MODULES = ("navviz.views.figures.atlas", "scipy.stats")
"""What pages import when it is first needed.

Not streamlit-folium: it registers its component where it is first imported, and only within a
session; imported here, the atlas had no address to load from.
"""

_PAUSE_S = 5.0
"""The first page has the processor for itself before the other pages' modules are imported."""

_TRIES = 600


def main(arguments: Sequence[str]) -> None:
    """Serve the app with Streamlit's options as ``--NAME VALUE``, its address and port among
    them.
    """
    options = dict(zip(arguments[::2], arguments[1::2], strict=True))
    options = {name.removeprefix("--"): value for name, value in options.items()}
    host, port = options["server.address"], options["server.port"]
    host = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - asked of ourselves, not listened on
    # Streamlit itself reads this variable on its own command line alone, else a file of settings
    below = os.environ.get(BELOW_VARIABLE, "").strip("/")
    if below:
        options["server.baseUrlPath"] = below
    path = f"/{below}" if below else below_server("/").rstrip("/")
    address = f"http://{host}:{port}{path}"
    # what Streamlit warns of while it starts would be the first that a user reads: calls outside
    # of a session, and these settings, which it takes for an edited file
    contexts = logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context")
    # sessions have threads of their own; in these two such calls are meant
    contexts.addFilter(lambda record: record.threadName not in {"MainThread", _THREAD})
    settings = logging.getLogger("streamlit.config")
    settings.addFilter(lambda record: "[server]" not in record.getMessage())
    # Streamlit (1.67) takes a first request for one to its own list of the files in pages/,
    # which knows no hidden page, unless navigation was asked for before
    st.navigation([st.Page(page_file(FIRST_PAGES[0]))])
    gc.disable()  # until the first pages are imported: see `_garbage_later`
    opens_browser = options.get("server.headless") == "false"
    warming = partial(_warm_once_up, address, opens_browser=opens_browser)
    threading.Thread(target=warming, daemon=True, name=_THREAD).start()
    sys.argv[:] = [str(app_file())]  # Streamlit looks for its settings beside the script
    rules = serving()
    # `st.App.run` makes it, and takes no setting of it
    uvicorn.Config = _bounded(uvicorn.Config)
    guard = Middleware(Guard, rules, admitted, os.environ.get(METRICS_VARIABLE, ""))
    typed: dict[str, str | int | bool] = {**options, "server.port": int(options["server.port"])}
    typed["server.headless"] = options.get("server.headless") != "false"
    # its welcome comes with an offer to install files for coding agents, on the page over our head
    typed["logger.hideWelcomeMessage"] = True
    if rules is not None:
        # one visitor's megabytes bound a single file, too
        typed["server.maxUploadSize"] = max(1, math.ceil(rules.upload_mb))
    st.App(app_file(), middleware=[guard, Middleware(HistoryEntries)]).run(config=typed)


def _bounded(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return what makes uvicorn's settings, with bounds for what a page sends and leaves unread."""
    # Streamlit passes on the bound of what a page is *sent* (200 MB). A message is gathered in
    # memory before the guard sees it, that of somebody at the password form, too
    ours = {"ws_max_size": MESSAGE_BYTES, "ws": BoundedSocket}

    def made(*arguments: object, **options: object) -> object:
        return make(*arguments, **options | ours)

    return made


def _warm_once_up(address: str, *, opens_browser: bool = False) -> None:
    """Wait for the server: importing earlier would delay it, and Streamlit's caches want its
    runtime.
    """
    try:
        with _garbage_later():
            if not _is_up(address):
                return
            tell(f"NavViz: {address}")
            if opens_browser:
                webbrowser.open(address)
            _import_pages(FIRST_PAGES)
        warm()
        threading.Event().wait(_PAUSE_S)
        _import_pages(LATER_PAGES)
        for name in _LATER_MODULES:
            import_module(name)
        Pauses().watch()
    except Exception:  # a page that needs what failed here tells its visitor
        logging.getLogger(__name__).debug("the start could not be prepared", exc_info=True)


@contextmanager
def _garbage_later() -> Iterator[None]:
    """Collect garbage from here on, and never look through what was imported before."""
    # imports leave none, but each collection walks through all of them: 0.35 of the server's 2.4
    # seconds of processor time until a player is painted
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()


def _is_up(address: str) -> bool:
    for _ in range(_TRIES):
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):  # noqa: S310 - http, our own
                return True
        except OSError:
            threading.Event().wait(0.05)
    return False


def warm() -> dict[str, str] | None:
    """Import the first pages and read what they show first; returns the link of the replay that was
    made ready.
    """
    _import_pages(FIRST_PAGES)
    # the server answers before pages are imported, which takes 2 s
    from navviz.runs.sources import samples
    from navviz.ui.components.empty import first_look
    from navviz.ui.components.player import inspected, panels_key
    from navviz.ui.data import cache
    from navviz.ui.server import visitor

    operator_source = next(iter(visitor.from_operator()), None)
    if operator_source is None:
        place = first_look()
        run = cache.open_run(samples()[0]) if place is not None else None
    elif operator_source.fault or cache.is_unread(operator_source):
        return None
    else:
        run, place = cache.open_run(operator_source), {"run": operator_source.name}
        run.known_table()
    if run is None or place is None:
        return None
    episode = place.get("episode") or next(iter(run.traces), None)
    if episode is None:
        return None
    cache.document(run, episode, change=(panels_key({}), inspected))
    return place | {"episode": episode}


def _import_pages(names: Sequence[str]) -> None:
    for name in names:
        for module in imports_of(name):
            import_module(module)


def imports_of(page: str) -> Iterator[str]:
    """Name our modules that a page's script imports at its beginning."""
    for node in ast.parse(read_text(page_file(page))).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("navviz"):
            yield node.module
            # a package: what it holds are modules, most often
            if hasattr(import_module(node.module), "__path__"):
                names = (f"{node.module}.{alias.name}" for alias in node.names)
                yield from (name for name in names if find_spec(name) is not None)


if __name__ == "__main__":
    main(sys.argv[1:])
