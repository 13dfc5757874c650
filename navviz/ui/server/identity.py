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
from typing import Final

import streamlit as st

from navviz.annotation.tickets import secret_key
from navviz.runs.owners import Ownership, Viewer
from navviz.runs.sources import workspace_dir
from navviz.support.installation.serving import Serving, is_allowed, serving
from navviz.ui.server.cookies import browser_of, new_browser
from navviz.ui.state.session import current

_IPV6_PREFIX: Final = 64
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
        # some providers let people choose a subject that looks like somebody's address. An address
        # that the provider did not check may be anybody's
        subject, email = st.user.get("sub"), st.user.get("email")
        names = {f"sub:{subject}"} if isinstance(subject, str) and subject else set()
        # 1, "true" or a list is no word of the provider's
        is_proven = st.user.get("email_verified") is True
        if is_proven and isinstance(email, str) and not email.startswith("sub:"):
            names.add(email)
        return bool(rules.operators & names)
    return current().operator


def door_name() -> str:
    """Return the pseudonym under which the door knows this visitor at the desk; empty where it
    knows no names.

    Ratings are published: of somebody who signed in at a provider only a digest stands there.
    """
    rules = serving()
    if rules is None or rules.door not in {"tokens", "oidc"}:
        return ""
    if rules.door == "tokens":
        return current().visitor
    digest = hmac.new(secret_key(workspace_dir()), f"desk {_name(rules)}".encode(), hashlib.sha256)
    return f"oidc-{digest.hexdigest()[:16]}"


def _name(rules: Serving) -> str:
    if rules.door == "tokens":
        return f"annotator:{current().visitor}"
    if rules.door == "oidc":
        return f"oidc:{st.user.get('iss') or ''}|{st.user.get('sub') or st.user.get('email') or ''}"
    return f"browser:{_browser()}"


# --- visitors without a name: their browser keeps a ticket, which outlives a restart of the server


def _browser() -> str:
    """Return the id of this browser: as its cookie says, or a new one for this session."""
    if not current().browser:
        current().browser = known_browser() or new_browser()
    return current().browser


def known_browser() -> str:
    """Return the id in the cookies with which this page's socket came; empty where there is
    none.
    """
    cookies = st.context.cookies.to_dict()
    texts = {name: value for name, value in cookies.items() if isinstance(value, str)}
    return browser_of(serving(), texts)


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
