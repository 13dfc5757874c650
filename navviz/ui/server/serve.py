"""The server process of ``navviz app``: Streamlit, which imports and reads while the browser opens
what comes first.

A browser needs a second or two until it asks for a page. In that time a thread imports what the
pages import, and reads the run that the command line names (else the sample that a newcomer sees),
its table and its first replay into the caches that the pages use. A large run waits for its page,
which shows how far it is.
"""

from __future__ import annotations

import ast
import gc
import logging
import math
import os
import sys
import threading
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import streamlit as st
import uvicorn
from starlette.middleware import Middleware

from navviz.support.guarded import read_text
from navviz.support.installation.files import app_file, page_file
from navviz.support.installation.serving import Serving, serving
from navviz.ui.server.admitted import admitted
from navviz.ui.server.guard import MESSAGE_BYTES, Guard
from navviz.ui.server.history_entries import HistoryEntries
from navviz.ui.server.pauses import Pauses
from navviz.ui.server.slow_downloads import BoundedRequests
from navviz.ui.server.slow_readers import BoundedSocket
from navviz.ui.state.address import below_server

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
    _leave_out_warnings()
    # Streamlit takes a server's first request for one to its own list of the files in pages/, which
    # does not know the hidden pages of old links (1.67), unless navigation was asked for before
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
    st.App(app_file(), middleware=[guard, Middleware(HistoryEntries)]).run(
        config=_typed(options, rules)
    )


def _leave_out_warnings() -> None:
    """Leave out what Streamlit warns of while it starts: it would be the first that a user reads.

    It warns of calls outside of a session, and takes the settings of `main` for an edited file.
    """
    contexts = logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context")
    # sessions have threads of their own; in these two such calls are meant
    contexts.addFilter(lambda record: record.threadName not in {"MainThread", _THREAD})
    settings = logging.getLogger("streamlit.config")
    settings.addFilter(lambda record: "[server]" not in record.getMessage())


def _bounded(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return what makes uvicorn's settings, with bounds for what a page sends and leaves unread.

    Streamlit passes on the bound of what a page is *sent* (200 MB). A message is gathered in memory
    before the guard sees it, that of somebody at the password form, too.
    """
    ours = {"ws_max_size": MESSAGE_BYTES, "ws": BoundedSocket, "http": BoundedRequests}

    def made(*arguments: object, **options: object) -> object:
        return make(*arguments, **options | ours)

    return made


def _typed(options: Mapping[str, str], rules: Serving | None) -> dict[str, str | int | bool]:
    """Return Streamlit's settings with their types; one visitor's megabytes bound a single file,
    too.
    """
    typed: dict[str, str | int | bool] = {**options, "server.port": int(options["server.port"])}
    typed["server.headless"] = options.get("server.headless") != "false"
    if rules is not None:
        typed["server.maxUploadSize"] = max(1, math.ceil(rules.upload_mb))
    return typed


def _warm_once_up(address: str, *, opens_browser: bool = False) -> None:
    """Wait for the server: importing earlier would delay it, and Streamlit's caches want its
    runtime.
    """
    try:
        with _garbage_later():
            if not _is_up(address):
                return
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
    """Collect garbage from here on, and never look through what was imported before.

    Imports leave none, but each collection walks through all of them: 0.35 of the server's 2.4
    seconds of processor time until a player is painted.
    """
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
    from navviz.ui.components.inspectors import inspected
    from navviz.ui.components.welcome import first_look
    from navviz.ui.data import cache
    from navviz.ui.server import visitor
    from navviz.ui.state.session import Session

    operator_source = next(iter(visitor.from_operator()), None)
    if operator_source is None:
        place = first_look()
        run = cache.open_run(samples()[0]) if place is not None else None
    elif operator_source.fault or cache.is_unread(operator_source):
        return None
    else:
        run, place = cache.open_run(operator_source), {"run": operator_source.name}
        cache.whole_table(run)
    if run is None or place is None:
        return None
    episode = place.get("episode") or next(iter(run.traces), None)
    if episode is None:
        return None
    cache.document(run, episode, change=(Session().memory, inspected))
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
