"""What a foreign run was read from, and whether that is still as it was.

A reader looks at more than one file: predictions beside a log, a split in a folder further up. So
every file that was read counts, and every folder in which something may have been looked for. Where
nobody can be sure, there is no answer, and the run is read anew.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from navviz.support.guarded import Notes, is_folder, is_there
from navviz.support.installation.files import checkout_dir, import_root
from navviz.support.installation.plugins import plugin_packages
from navviz.support.version import VERSION

_MOST = 20_000
"""Files and folders looked at, in 0.1 s; a run of more is read anew each time."""
TICK_NS = 20_000_000
"""Clocks of file systems stand still for up to 10 ms: what was written so shortly before it was
read may be written again and look the same.
"""
_BEGAN_NS = time.time_ns()


class _UncertainError(Exception):
    """Nobody can say what a run hangs on."""


def inputs_of(places: Iterable[Path], notes: Notes, begun_ns: int) -> dict[str, str] | None:
    """Return the states of everything that a run was read from; ``None`` where one may have changed
    since reading began, or there are too many.
    """
    names: dict[str, None] = {}
    for path in (*places, *notes.files):
        if is_folder(path):
            names[f"tree {path}"] = None
            continue
        names[f"file {path}"] = None
        # a reader may have looked for a file that was not there
        names[f"folder {path.parent}"] = None
    names |= dict.fromkeys(f"folder {path}" for path in notes.folders)
    try:
        return {name: _state(name, begun_ns - TICK_NS) for name in names}
    except (_UncertainError, OSError):
        return None


def unchanged(inputs: Mapping[str, str]) -> bool:
    """Tell whether everything is as it was."""
    try:
        return all(_state(name) == state for name, state in inputs.items())
    except (_UncertainError, OSError, ValueError):
        return False


def _state(name: str, before_ns: int | None = None) -> str:
    """Return the state of one input; `before_ns` is the time that nothing may be younger than."""
    kind, _, path = name.partition(" ")
    if not is_there(Path(path)):
        return "missing"
    if kind == "file":
        states = iter([("", Path(path).stat())])
    else:
        states = _below(path, deep=kind == "tree")
    digest = hashlib.blake2b(digest_size=12)
    for count, (inner, state) in enumerate(states):
        if count > _MOST:
            raise _UncertainError
        if stat.S_ISDIR(state.st_mode):
            # its time changes with what others write there; what counts of it is looked at itself
            digest.update(f"{inner}\0folder\n".encode(errors="surrogateescape"))
            continue
        times = (state.st_mtime_ns, state.st_ctime_ns)
        if before_ns is not None and max(times) >= before_ns:
            raise _UncertainError
        own = (*times, state.st_size, state.st_ino)
        digest.update(f"{inner}\0{own}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _below(path: str, *, deep: bool) -> Iterator[tuple[str, os.stat_result]]:
    """Yield what a folder holds, by name; with `deep`, what its folders hold, too."""
    with os.scandir(path) as listing:
        entries = sorted(listing, key=lambda entry: entry.name)
    for entry in entries:
        try:
            state = entry.stat()
        except FileNotFoundError:
            # a link into nowhere is no input, and its name is in its folder's time
            continue
        yield entry.name, state
        if deep and stat.S_ISDIR(state.st_mode):
            yield from _below(entry.path, deep=True)


# --- the code that reads


def code_stamp() -> str | None:
    """Return what tells one state of all code that reads runs from others; ``None`` where a module
    has changed since this process began: it may run the older one.

    An installed NavViz is told by its version. A checkout, and packages that bring readers or
    metrics, are edited while people try them.
    """
    return _code_stamp(tuple(sys.path))


@cache
def _code_stamp(_path: tuple[str, ...]) -> str | None:
    places = [str(import_root() / "navviz")] if checkout_dir() is not None else []
    digest, is_ours = _state_of([*places, *_plugin_places()])
    return digest if is_ours else None


def plugin_stamp() -> str:
    """Return what tells one state of other packages' code from others; empty without any.

    NavViz's own detectors, metrics and scanners count up a number when they find otherwise; nobody
    does so in a package that is being written. Where a module has changed since this process began,
    which may run the older one, the stamp is this process's own.
    """
    return _plugin_stamp(tuple(sys.path))


@cache
def _plugin_stamp(_path: tuple[str, ...]) -> str:
    places = _plugin_places()
    if not places:
        return ""
    digest, is_ours = _state_of(places)
    return digest if is_ours else f"{digest} of the process of {_BEGAN_NS}"


def _plugin_places() -> list[str]:
    places = []
    for name in plugin_packages():
        places += _places_of(name)
    return places


def _state_of(places: Iterable[str]) -> tuple[str, bool]:
    """Digest times and sizes of modules; tell whether all are older than this process."""
    whole, newest_ns = hashlib.blake2b(VERSION.encode(), digest_size=12), 0
    for place in places:
        for name, state in sorted(_modules(place)):
            newest_ns = max(newest_ns, state[0])
            whole.update(f"{name}\0{state}\n".encode(errors="surrogateescape"))
    return whole.hexdigest(), newest_ns < _BEGAN_NS


def _places_of(package: str) -> list[str]:
    """Return the folders or the file of another package's code."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return []
    if spec is None:
        return []
    return list(spec.submodule_search_locations or filter(None, [spec.origin]))


def _modules(place: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the files of code and data below a folder, with their times and sizes."""
    if not is_folder(Path(place)):
        state = Path(place).stat()
        yield place, (state.st_mtime_ns, state.st_size)
        return
    with os.scandir(place) as listing:
        entries = list(listing)
    for entry in entries:
        if entry.name == "__pycache__":
            continue
        state = entry.stat()
        if stat.S_ISDIR(state.st_mode):
            yield from _modules(entry.path)
        else:
            yield entry.path, (state.st_mtime_ns, state.st_size)
