"""One entry of the browser's history for each thing that a visitor does.

Streamlit pushes an entry whenever a script writes the address, also where a page only fills in what
it shows: opening ``/explore`` then took two presses of the back button, and the first one led to
the bare address, which filled itself in again. A script in the document of every page, which runs
before Streamlit's own, turns such entries into replacements: nobody has pressed anything since the
last entry.
"""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPT: Final = b"""<script>
(() => {
  let acted = false;
  const act = () => { acted = true; };
  // "click" for screen readers, which press no button of a mouse
  for (const name of ["pointerdown", "keydown", "click"]) addEventListener(name, act, true);
  addEventListener("popstate", () => { acted = false; }, true);
  const push = history.pushState, replace = history.replaceState;
  history.pushState = function (...entry) {
    (acted ? push : replace).apply(history, entry);
    acted = false;
  };
})();
</script>"""
_BEFORE: Final = b"<head>"
_NO_PAGES: Final = ("/static/", "/_stcore/", "/media/", "/component/")
_CONDITIONS: Final = frozenset({b"accept-encoding", b"if-none-match", b"if-modified-since"})
"""A compressed answer could not be added to, and "not modified" speaks of the document without the
script.
"""
_OF_THE_FILE: Final = frozenset({b"content-length", b"etag", b"last-modified"})


class HistoryEntries:
    """ASGI middleware around Streamlit's app: adds the script to each page's document."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or _is_no_page(path) or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        headers = [pair for pair in scope["headers"] if pair[0].lower() not in _CONDITIONS]
        await self._app({**scope, "headers": headers}, receive, _Document(send))


class _Document:
    """Passes an answer on; that of a page waits until it is whole, and gets the script."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._sent(self._start)

    async def _sent(self, start: Message) -> None:
        body = self._body.replace(_BEFORE, _BEFORE + SCRIPT, 1)
        kept = [pair for pair in start["headers"] if pair[0].lower() not in _OF_THE_FILE]
        length = (b"content-length", str(len(body)).encode())
        await self._send({**start, "headers": [*kept, length]})
        await self._send({"type": "http.response.body", "body": body})


def is_document(scope: Scope, start: Message) -> bool:
    """Whether an answer that starts is the document of a page."""
    is_read = scope["method"] in {"GET", "HEAD"} and not _is_no_page(str(scope["path"]))
    return is_read and _is_page(start)


def _is_no_page(path: str) -> bool:
    # not only at the beginning: a server may stand below a path of its host
    return any(part in path for part in _NO_PAGES)


def _is_page(start: Message) -> bool:
    headers = {name.lower(): value for name, value in start.get("headers", [])}
    is_html = headers.get(b"content-type", b"").startswith(b"text/html")
    return bool(start["status"] == 200 and is_html and b"content-encoding" not in headers)
