"""Who looks at a page: the name under which a visitor's runs are kept, and the account that pays
for them.

Somebody who signed in is known by that name. Whoever came in by a password, or by an open door, is
known by their browser, which keeps a signed ticket; a browser can throw it away, so such visitors
pay from an account of their network address.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from typing import Final

import streamlit as st

from navviz.annotation.tickets import read_ticket, secret_key, write_ticket
from navviz.runs.owners import Ownership, Viewer
from navviz.runs.sources import workspace_dir
from navviz.support.installation.serving import Serving, is_allowed, serving
from navviz.ui.state.session import current

BROWSER_COOKIE: Final = "navviz_visitor"
_STUDY: Final = "visitor"
_ID_BYTES = 8
_ID = re.compile(r"[0-9a-f]{16}")
_IPV6_PREFIX = 64
"""Bits of an address that tell one household from another; the rest its devices draw at will (RFC
8981).
"""


def viewer() -> Viewer:
    """Return whoever looks, for `navviz.runs.owners`; the user of a machine of their own is its
    operator.
    """
    rules = serving()
    if rules is None or is_operator(rules):
        return Viewer(operator=True)
    return Viewer(_name(rules), sees_recorded=is_allowed("keep") or is_allowed("paths"))


def ownership() -> Ownership | None:
    """Return the note for what this visitor makes; ``None`` for the operator."""
    rules = serving()
    if rules is None or is_operator(rules):
        return None
    return Ownership(owner=_name(rules), payer=account() or "")


def account() -> str | None:
    """Return the account that pays for this visitor's models; ``None`` for the operator, whom
    nobody limits.
    """
    rules = serving()
    if rules is None or is_operator(rules):
        return None
    return _name(rules) if rules.door in {"tokens", "oidc"} else address()


def is_operator(rules: Serving) -> bool:
    """Whether the operator has come in by the door: with the operator's password, or under a name
    of ``--operator``.
    """
    if rules.door == "tokens":
        return current().visitor in rules.operators
    if rules.door == "oidc":
        return bool(rules.operators & _proven_names())
    return current().operator


def _proven_names() -> set[str]:
    """Return the names that a provider vouches for; an address that it did not check may be
    anybody's.
    """
    names = {str(st.user.get("sub") or "")}
    if st.user.get("email_verified") in {True, "true"}:
        names.add(str(st.user.get("email") or ""))
    return names - {""}


def _name(rules: Serving) -> str:
    if rules.door == "tokens":
        return f"annotator:{current().visitor}"
    if rules.door == "oidc":
        return f"oidc:{st.user.get('iss') or ''}|{st.user.get('sub') or st.user.get('email') or ''}"
    return f"browser:{_browser()}"


# --- visitors without a name: their browser keeps a ticket, which outlives a restart of the server


def _browser() -> str:
    """Return the id of this browser: as its ticket says, or a new one for this session."""
    if not current().browser:
        current().browser = _browser_before() or secrets.token_hex(_ID_BYTES)
    return current().browser


def _browser_before() -> str | None:
    text = st.context.cookies.to_dict().get(BROWSER_COOKIE)
    ticket = read_ticket(text) if isinstance(text, str) else None
    if ticket is None or not _ID.fullmatch(ticket.name):
        return None
    return ticket.name if ticket.is_genuine(secret_key(workspace_dir()), _STUDY, "") else None


def browser_ticket() -> str:
    """Return what this browser is to keep; empty where visitors have names, and for the
    operator.
    """
    rules = serving()
    if rules is None or rules.door in {"tokens", "oidc"} or is_operator(rules):
        return ""
    if not current().browser_ticket:
        current().browser_ticket = write_ticket(secret_key(workspace_dir()), _STUDY, _browser())
    return current().browser_ticket


def address() -> str:
    """Return a network address as a digest with the workspace's key: ledger and audit are no list
    of addresses.
    """
    text = st.context.ip_address or "here"
    try:
        parsed = ipaddress.ip_address(text)
    except ValueError:
        pass
    else:
        if parsed.version == 6:
            # a socket for both versions tells an IPv4 address as ::ffff:1.2.3.4: it is the same
            # visitor
            parsed = (
                parsed.ipv4_mapped
                or ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False).network_address
            )
        text = str(parsed)
    digest = hmac.new(secret_key(workspace_dir()), text.encode(), hashlib.sha256).hexdigest()
    return f"address:{digest[:16]}"
