"""What every request to the server passes first: uploads, metrics, origins and the headers of
answers.

Streamlit checks that an upload names a session, not that its visitor came in. Here nothing is
uploaded before the door, what one visitor's files hold in memory is bounded, metrics need a token,
a WebSocket's page must be one that this server has served, only the browser with which a session
began takes it up again, and pages of others show ours in no frame unless the operator names them.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import streamlit
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from navviz.errors import StoreError
from navviz.support.guarded import read_text
from navviz.support.installation.serving import Serving
from navviz.ui.server.admitted import Admitted
from navviz.ui.server.cookies import RECEIPT_HEADER, RECEIPTS, browser_cookie, browser_of, receipts
from navviz.ui.server.history_entries import SCRIPT, is_document
from navviz.ui.server.shelves import PREFIX, shelves

_MB: Final = 1_000_000
_FRAMING: Final = 65_536
"""Bytes that a form adds around its file."""
MESSAGE_BYTES: Final = 8 * _MB
"""Largest message that a page sends: the state of its widgets; files come by uploads. The server
ends a socket at this size before it has the message whole (`navviz.ui.server.serve`).
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
    """Return the headers of every answer.

    Parameters
    ----------
    embedders
        Origins whose pages may show NavViz in a frame (``https://lab.example``).
    scripts
        What may run as a script; that of pages if not given.
    """
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
    """ASGI middleware around Streamlit's app.

    Parameters
    ----------
    app
        What answers where nothing is refused.
    rules
        Of this server; ``None`` where NavViz belongs to whoever sits at the machine.
    admitted
        Which sessions came in by the door.
    metrics_token
        Who shows it may read the metrics of a server with a door; nobody where it is empty.
    """

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
        asked = ",".join(_headers(scope, _PROTOCOLS)).split(",")
        if len(asked) < 3:
            return scope
        session = asked[2].strip()
        if session and self._admitted.is_of(session, self._browser(scope)):
            return scope
        kept = [pair for pair in scope["headers"] if pair[0].lower() != _PROTOCOLS]
        offered = ",".join(asked[:2]).encode("latin-1")
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
