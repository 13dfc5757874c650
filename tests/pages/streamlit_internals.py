"""The only place of the tests that touches names of Streamlit that are not public.

AppTest makes some things anew for each run of a page: it reads the metadata of all installed
packages (over half of a page test's processor time), compiles ``app.py`` and the page, which no test
writes, and makes a mock of Streamlit's runtime, which makes further ones at each look at a visitor's
headers and cookies (a tenth of the rest). Streamlit has no public way to keep them. A name that a
later version does not have is passed over: tests are slower then, and `test_streamlit_internals`
says which name is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from unittest.mock import MagicMock

import pytest

CHECKED_WITH = "1.67"
"""Streamlit's version whose names these are."""


def _one(kind: Callable[[], object]) -> Callable[[], object]:
    one = kind()
    return lambda: one


def _one_runtime(mock: type[MagicMock]) -> Callable[[type], MagicMock]:
    """Make one runtime, to which AppTest gives its managers before each run; it knows no client, so
    no headers either.
    """

    @cache
    def runtime(spec: type) -> MagicMock:
        made = mock(spec=spec)
        made.get_client = lambda _session: None
        return made

    return runtime


PATCHES: tuple[tuple[str, str, Callable[..., object]], ...] = (
    ("components.v2.manifest_scanner", "scan_component_manifests", cache),
    ("testing.v1.app_test", "MagicMock", _one_runtime),
    ("testing.v1.app_test", "ScriptCache", _one),
    ("testing.v1.local_script_runner", "ScriptCache", _one),
)
"""Module below ``streamlit``, its name, and what keeps the first thing that it makes."""


def private_name(module: str, name: str) -> object:
    """Return what a name stands for; ``None`` where this version has no such name."""
    try:
        return getattr(import_module(f"streamlit.{module}"), name, None)
    except ImportError:
        return None


@contextmanager
def made_once() -> Iterator[None]:
    """Make once, while the block lasts, what AppTest makes anew for each run of a page."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, keep in PATCHES:
            made = private_name(module, name)
            if made is not None:
                patch.setattr(f"streamlit.{module}.{name}", keep(made))
        yield
