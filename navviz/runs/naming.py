"""Names of runs: from a path, whole; and no two alike."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from navviz.errors import InputError
from navviz.runs.source import Source
from navviz.support.guarded import is_folder

if TYPE_CHECKING:
    from navviz.runs.run import OpenRun

_ENDINGS = (".gz", ".bz2", ".json", ".jsonl", ".trace", ".osm", ".graphml", ".xml", ".txt")
"""Endings that tell a format.

Any other dot belongs to the name: ``gemini-2.5-pro`` is not ``gemini-2``.
"""


def path_name(path: Path) -> str:
    """Return the name of what lies at a path: a folder's own, a file's without the endings that
    tell its format.
    """
    name = path.name
    if is_folder(path):
        return name
    while True:
        ending = next(
            # a file that is called .json keeps its name, which would be empty else
            (ending for ending in _ENDINGS if name.lower().endswith(ending) and name != ending),
            None,
        )
        if ending is None:
            return name
        name = name[: -len(ending)]


def side_by_side(names: Sequence[str]) -> list[str]:
    """Return names without the folder that all of them share: beside each other it tells nothing
    and takes room.
    """
    folder = names[0].rpartition("/")[0] + "/" if names else ""
    # a folder that only some share tells them apart
    shared = len(folder) if all(name.startswith(folder) for name in names) else 0
    return [name[shared:] for name in names]


def named(sources: Sequence[Source], reserved: Iterable[str] = ()) -> list[Source]:
    """Give sources names that no two share; a name that is taken gets a tail made of where the
    source lies.

    The tail depends on nothing else, so a link to the source stays right when others come and go.
    """
    taken = set(reserved)
    unique: list[Source] = []
    for source in sources:
        name = source.name if source.name not in taken else f"{source.name}~{_tail(source)}"
        if name in taken:
            continue  # the very same place, opened twice
        taken.add(name)
        unique.append(source if name == source.name else replace(source, name=name))
    return unique


def check_run(run: object) -> None:
    """Refuse what is no opened run: a path is what people give first."""
    if not hasattr(run, "traces"):
        what = f"takes a run of navviz.open_run, not {str(run)[:60]!r} ({type(run).__name__})"
        raise InputError(what, "open it first, as navviz.open_run(PATH)", field="run")


def named_runs(runs: Iterable[OpenRun]) -> dict[str, OpenRun]:
    """Return runs by their names, made unique by their methods, else by a number.

    Several methods of one file share its name, as ``test_seen``: they become ``test_seen/json`` and
    ``test_seen/textual``, which is what the app calls them.
    """
    if not isinstance(runs, Iterable):
        raise InputError("takes a list of runs", "write [run, other]", field="runs")
    listed = list(runs)
    for run in listed:
        check_run(run)
    counts = Counter(run.name for run in listed)
    by_name: dict[str, OpenRun] = {}
    for run in listed:
        first = run.name
        if counts[first] > 1 and run.run.method:
            first = f"{first}/{run.run.method}"
        name, number = first, 2
        # the same method of two files of the same name
        while name in by_name:
            name, number = f"{first} ({number})", number + 1
        by_name[name] = run
    return by_name


def _tail(source: Source) -> str:
    places = [*source.graphs, source.episodes, source.results, source.method]
    # the zero byte stands in no path, so that no two lists of places read alike
    return hashlib.sha256("\0".join(map(str, places)).encode()).hexdigest()[:6]
