"""Plug-ins: systems and models of other packages' entry points.

A package names them in its ``pyproject.toml`` (docs/extend.md shows how). They are imported when
they are first asked for. One that is broken is noted and named in one sentence; everything else
goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from navviz.errors import PluginError, Problem

Group = Literal["navviz.systems", "navviz.llm"]
Check = Callable[[Any], str | None]
"""Says what is wrong with a loaded plug-in, without a full stop; ``None`` where it is fit for use.
"""

_noticed: dict[tuple[str, str, str], Problem] = {}


def plugin_names(group: Group) -> tuple[str, ...]:
    """Return the names of a group's plug-ins, sorted, without importing one."""
    return tuple(_entries(group, tuple(sys.path)))


def plugin_packages() -> tuple[str, ...]:
    """Return packages that may change reading, scores or judgements, without an import."""
    entries = _entries("navviz.systems", tuple(sys.path)).values()
    return tuple(dict.fromkeys(entry.module.partition(".")[0] for entry in entries))


def load_plugin(group: Group, name: str, check: Check) -> Any:  # noqa: ANN401 - whatever the package offers
    """Import a plug-in and check that it has the shape of its group.

    Raises `PluginError` naming the plug-in, its package and what is wrong with it; `KeyError` where
    no package brings a plug-in of that name.
    """
    entry = _entries(group, tuple(sys.path))[name]
    loaded = _imported(entry)
    wrong = loaded.reason if isinstance(loaded, _Failure) else check(loaded)
    if wrong is not None:
        raise PluginError(str(note(group, name, wrong)))
    return loaded


def note(group: Group, name: str, wrong: str, part: str = "") -> Problem:
    """Remember what is wrong with a plug-in, or with one part of it, for whoever asks `noticed`."""
    entry = _entries(group, tuple(sys.path)).get(name)
    package = entry.dist.name if entry is not None and entry.dist is not None else "its package"
    what = f"the plug-in {name} ({group.removeprefix('navviz.')}) of {package} {wrong}"
    problem = Problem(what, f"mend or uninstall {package}; everything else goes on")
    _noticed[group, name, part] = problem
    return problem


def noticed() -> tuple[Problem, ...]:
    """Return what was wrong with plug-ins so far, one problem a plug-in or part."""
    return tuple(_noticed.values())


@cache
def _entries(group: str, _path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Entry points by name; reading opens all packages' metadata, so once a ``sys.path``."""
    in_order = sorted(entry_points(group=group), key=lambda entry: entry.name)
    return {entry.name: entry for entry in in_order}


class _Failure:
    """Why a plug-in cannot be imported."""

    def __init__(self, error: BaseException) -> None:
        self.reason = f"cannot be imported ({type(error).__name__}: {error})"


@cache
def _imported(entry: EntryPoint) -> Any:  # noqa: ANN401
    try:
        return entry.load()
    except Exception as error:  # noqa: BLE001 - another package's code may raise anything
        # returned, not raised: a cache keeps no exceptions, and would import the package each time
        return _Failure(error)
