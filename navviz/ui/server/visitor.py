"""What one visitor can choose from: their own list, what the operator opened, recorded runs and
samples.

Nothing that a visitor opens changes what another sees. Whoever sits at the machine itself keeps
their list over restarts, in the workspace; a server's visitors keep it for the session, and an
upload while they have its link.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from navviz.errors import NavVizError
from navviz.runs import sources as recent
from navviz.runs.owners import check_may_open, may_open
from navviz.runs.sources import (
    OPEN_VARIABLE,
    Source,
    catalogue,
    named,
    opened_from_environment,
    recorded_names,
)
from navviz.runs.uploads import upload_named
from navviz.support.installation.serving import is_allowed, is_loopback, serving
from navviz.ui.server import audit
from navviz.ui.server.identity import viewer
from navviz.ui.state.session import current

_PROXY_HEADERS = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Forwarded")


@st.cache_resource(show_spinner=False, max_entries=4)
def _operator(arguments: tuple[str, ...], names: str) -> tuple[Source, ...]:
    """Return what the command line opened, the same for all; what it could not open is an entry
    with its sentence.
    """
    # part of the key alone: another value of the variable is read anew
    del names
    try:
        return tuple(opened_from_environment(arguments))
    except NavVizError as error:
        return (Source("what was asked for", "opened", fault=str(error)),)


def from_operator() -> tuple[Source, ...]:
    """Return what the command line opened; nothing where it named nothing."""
    return _operator(tuple(sys.argv[1:]), os.environ.get(OPEN_VARIABLE, ""))


def sources() -> list[Source]:
    """List everything that this visitor can choose, what cannot be shown last (but for what the
    operator asked for).
    """
    remembered = recent.recent() if is_local() else []
    # what was opened in this visit stands first, and the list of before must not repeat it
    names = {source.name for source in current().opened}
    own = [
        *current().opened,
        *from_operator(),
        *(source for source in remembered if source.name not in names),
    ]
    listed = catalogue(own, recorded=_is_listed)
    gone = {source.name for source in remembered if source.fault}
    return sorted(listed, key=lambda source: bool(source.fault) and source.name in gone)


def _is_listed(folder: Path) -> bool:
    """Whether a recorded run stands in this visitor's list: an own one always, the operator's with
    the right to it.
    """
    looks = viewer()
    return may_open(replace(looks, sees_recorded=is_allowed("keep")), folder)


def check_source(source: Source) -> None:
    """Raise `NotFoundError` for a run that this visitor may not open; every page opens runs by way
    of this.

    The samples and what the operator opened for all are open to everybody.
    """
    if serving() is None:
        return
    for_all = source.origin == "sample" or _place(source) in {
        _place(opened) for opened in from_operator()
    }
    try:
        if not for_all:
            check_may_open(viewer(), source.results, source.episodes)
    except NavVizError:
        audit.note_once("was refused", source.name)
        raise
    audit.note_once("opened", source.name)


def source_named(name: str, listed: Sequence[Source]) -> Source | None:
    """Return what a link means, of `sources`; an upload joins the list of whoever holds its
    link.
    """
    source_of_name = next((source for source in listed if source.name == name), None)
    if source_of_name is not None:
        return source_of_name
    upload = upload_named(name)
    if upload is not None:
        current().opened.insert(0, upload)
    return upload


def remember(opened: Sequence[Source]) -> list[Source]:
    """Put opened sources first in the visitor's list; return them with their names in the list."""
    visitors_own = current().opened
    listed = sources()
    places = {
        _place(source): source.name for source in listed if source.origin in {"opened", "upload"}
    }
    others = {source.name for source in listed} - set(places.values())
    recorded = [source for source in listed if source.origin == "workspace"]
    again = recorded_names(opened, recorded)
    # what is open already keeps its name, so that its links stay good
    fresh = [source for source in opened if _place(source) not in places]
    names = {
        _place(source): source.name for source in named(fresh, {*others, *places.values()})
    } | places
    kept = []
    for source in opened:
        # the list shows a run of the workspace once, by its own name
        name = again.get(id(source)) or names[_place(source)]
        kept.append(replace(source, name=name))
    new = {source.name for source in kept}
    # in place: the session holds this very list
    visitors_own[:] = [*kept, *(source for source in visitors_own if source.name not in new)]
    if is_local():
        recent.remember(kept)
    return kept


def _place(source: Source) -> tuple[object, ...]:
    def whole(path: Path | None) -> Path | None:
        return None if path is None else path.resolve()

    return (
        *map(whole, source.graphs),
        whole(source.episodes),
        whole(source.results),
        source.method,
    )


def is_newcomer() -> bool:
    """Whether nothing was opened here yet."""
    return all(source.origin in {"sample", "workspace"} for source in sources())


def is_local() -> bool:
    """Whether the page is looked at on the machine that serves it, by its own user and no proxy's
    visitor.

    A server that was told to let other machines in is nobody's own, not even for a browser beside
    it.
    """
    if serving() is not None:
        return False
    address = st.get_option("server.address")
    if address and not is_loopback(str(address)):
        return False
    headers = st.context.headers
    if any(headers.get(name) for name in _PROXY_HEADERS):
        return False
    host = headers.get("Host")
    if host is None:  # no browser, but a test that runs the page
        return True
    return is_loopback(urlsplit(f"//{host}").hostname or "") and st.context.ip_address is None
