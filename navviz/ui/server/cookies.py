"""Cookies of NavViz, which no script of a page can read, and who a browser is by them.

A page speaks by a WebSocket, which can set no cookie. So it tells its browser a receipt; the
browser shows it once by a request of its own, and the answer to that sets the cookie.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from navviz.annotation.tickets import LASTS_S, read_ticket, secret_key, write_ticket
from navviz.errors import StoreError
from navviz.runs.sources import workspace_dir
from navviz.support.installation.serving import Serving

RECEIPTS: Final = "/_navviz/cookie"
"""Address at which a browser shows a receipt, in a header: addresses stand in the logs of
proxies.
"""
RECEIPT_HEADER: Final = b"x-navviz-receipt"
BROWSER_COOKIE: Final = "navviz_visitor"
_LOCAL_COOKIE: Final = "navviz_browser"
"""On a machine of one's own, where nothing is signed; servers on other ports share it."""
_PURPOSE: Final = "visitor"
_ID_BYTES: Final = 8
_ID = re.compile(r"[0-9a-f]{16}")
_LOCAL_ID = re.compile(r"[0-9a-f]{32}")
_MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Cookie:
    """What a browser is to keep; with no seconds left it forgets it."""

    name: str
    value: str
    max_age_s: int = LASTS_S
    same_site: Literal["Strict", "Lax"] = "Strict"
    """Lax comes along where a link of another site leads here, and with no other request of it."""

    def header(self, *, secure: bool) -> bytes:
        """Return the value of ``Set-Cookie``; `secure` where the browser came by TLS."""
        text = f"{self.name}={self.value}; Path=/; Max-Age={self.max_age_s}; HttpOnly"
        text += f"; SameSite={self.same_site}"
        return (f"{text}; Secure" if secure else text).encode("latin-1")


class Receipts:
    """Cookies that wait for their browsers; safe in threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, Cookie] = {}

    def put(self, cookie: Cookie) -> str:
        """Keep a cookie for whoever shows its receipt, which is good for once."""
        receipt = secrets.token_urlsafe(24)
        with self._lock:
            self._waiting[receipt] = cookie
            if len(self._waiting) > _MOST:  # the oldest was never asked for
                del self._waiting[next(iter(self._waiting))]
        return receipt

    def take(self, receipt: str) -> Cookie | None:
        """Return the cookie of a receipt, once."""
        with self._lock:
            return self._waiting.pop(receipt, None)


receipts = Receipts()
"""Of this server process: pages write them, requests take them."""


def browser_of(rules: Serving | None, cookies: Mapping[str, str]) -> str:
    """Return the id of the browser that sent these cookies; empty where they tell none.

    Raises `StoreError` where the key that signs them cannot be read.
    """
    if rules is None:
        local = cookies.get(_LOCAL_COOKIE, "")
        return local if _LOCAL_ID.fullmatch(local) else ""
    ticket = read_ticket(cookies.get(BROWSER_COOKIE, ""))
    if ticket is None or not _ID.fullmatch(ticket.name):
        return ""
    return ticket.name if ticket.is_genuine(secret_key(workspace_dir()), _PURPOSE, "") else ""


def new_browser() -> str:
    """Draw the id of a browser that a server has not seen before."""
    return secrets.token_hex(_ID_BYTES)


def browser_cookie(rules: Serving | None, cookies: Mapping[str, str]) -> Cookie | None:
    """Return what a browser keeps to be known again: the id it has, for thirty days more, or a new
    one; ``None`` where nothing can be signed, which the page says.
    """
    try:
        browser = browser_of(rules, cookies)
        if rules is None:
            return Cookie(_LOCAL_COOKIE, browser or secrets.token_hex(16), same_site="Lax")
        ticket = write_ticket(secret_key(workspace_dir()), _PURPOSE, browser or new_browser())
    except StoreError:
        return None
    # a link of another site must not make its visitor a newcomer
    return Cookie(BROWSER_COOKIE, ticket, same_site="Lax")
