"""Where runs lie: bundled samples, the workspace's own, and whatever the user pointed at.

A `Source` says where things lie and costs nothing; `navviz.runs.opened.load` reads it.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import os
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from navviz.errors import InputError, Problem, Problems, StoreError
from navviz.formats import discover, format_of, graphs_within, kind_of, methods_of
from navviz.formats.traces import OwnTraces
from navviz.records.trace_files import TRACE_SUFFIXES
from navviz.runs.folder_states import holds_name, state_of
from navviz.runs.index.build import names_of_runs
from navviz.runs.source import Identity, Source
from navviz.support.guarded import is_folder, is_there, parse_json, read_json, write_whole
from navviz.support.installation.files import samples_dir

if TYPE_CHECKING:
    from navviz.runs.run import OpenRun

__all__ = [
    "OPEN_VARIABLE",
    "Identity",
    "Source",
    "catalogue",
    "expanded",
    "from_folder",
    "from_path",
    "graphs_beside",
    "graphs_of_run",
    "holds_traces",
    "opened_from_environment",
    "recorded_names",
    "samples",
    "samples_dir",
    "workspace_dir",
    "workspace_runs",
]


_ENDINGS = (".gz", ".bz2", ".json", ".jsonl", ".trace", ".osm", ".graphml", ".xml", ".txt")

"""Endings that tell a format.

Any other dot belongs to the name: ``gemini-2.5-pro`` is not ``gemini-2``.
"""


def path_name(path: Path) -> str:
    """Return the name of a path: a folder's own, a file's without the format's endings."""
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
    """Return names without the folder that all share: it tells nothing and takes room."""
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


OPEN_VARIABLE = "NAVVIZ_OPEN"

"""Environment variable by which ``navviz app`` tells the pages what to open (JSON)."""


_FIRST = ("groke-by-hand", "rules", "rules-indoors", "regex-heuristic")

"""Recorded runs that a newcomer is shown first."""


def workspace_dir() -> Path:
    """Folder for what NavViz writes: ``NAVVIZ_WORKSPACE``, or ``workspace`` right here."""
    return Path(os.environ.get("NAVVIZ_WORKSPACE", "workspace")).expanduser()


def samples() -> list[Source]:
    """Return runs of the bundled sample worlds."""
    return list(_bundled(samples_dir()))


@cache
def _bundled(folder: Path) -> tuple[Source, ...]:
    """Look into the samples once: they stay, and every page asks for them (70 ms)."""
    return tuple(
        itertools.chain.from_iterable(
            map(
                _sample_runs,
                [path for path in sorted(folder.iterdir()) if is_folder(path / "runs")],
            )
        )
    )


def _by_interest(run: Path) -> tuple[int, str]:
    return (_FIRST.index(run.name) if run.name in _FIRST else len(_FIRST), run.name)


def _sample_runs(world: Path) -> Iterator[Source]:
    contents = discover(world)
    for run in sorted((world / "runs").iterdir(), key=_by_interest):
        # a foreign log names its episodes by id alone
        log = next(iter(sorted(run.glob("*.log"))), None)
        episodes = None
        if log is not None:
            episodes = next((path for path in contents.episodes if path.parent == world), None)
        # named after the world too: several worlds have a run of the rules
        name, graphs = f"{world.name}/{run.name}", tuple(contents.graphs)
        yield Source(name, "sample", graphs, episodes, log or run)


def workspace_runs(listed: Callable[[Path], bool] = is_folder) -> list[Source]:
    """Return recorded runs of the workspace, newest first; only those of `listed` folders."""
    root = workspace_dir() / "runs"
    if not is_folder(root):
        return []
    folders = [path for path in root.iterdir() if is_folder(path) and listed(path)]
    folders = [path for path in folders if holds_name(path, TRACE_SUFFIXES)]
    folders.sort(key=lambda path: state_of(path).newest_ns, reverse=True)
    return [_recorded(path) for path in folders]


def _recorded(folder: Path) -> Source:
    graphs, problems = graphs_of_run(folder)
    return Source(folder.name, "workspace", graphs, None, folder, folder_problems=problems)


def graphs_of_run(folder: Path) -> tuple[tuple[Path, ...], tuple[Problem, ...]]:
    """Graph folders as ``run.json`` notes them; where it notes none the bundled ones, and a
    sentence about that.
    """
    noted = _noted_graphs(folder)
    if noted is not None:
        return noted, ()
    graphs = itertools.chain.from_iterable(sample.graphs for sample in samples())
    bundled = tuple(dict.fromkeys(graphs))
    # samples are walked on the bundled maps, so nothing has to be said
    if samples_dir() in folder.resolve().parents:
        return bundled, ()
    what = (
        "names no map (run.json is missing or names none), so the run is shown on the bundled"
        " sample maps"
    )
    do = "if it was walked elsewhere, open its folder with that map"
    return bundled, (Problem(what, do, f"{folder.name}/run.json"),)


def _noted_graphs(folder: Path) -> tuple[Path, ...] | None:
    try:
        noted = read_json(folder / "run.json").get("graphs")
    except (InputError, AttributeError):
        return None
    if isinstance(noted, str):
        return (Path(noted),)
    if not isinstance(noted, list):
        return None
    return tuple(Path(str(path)) for path in noted)


def from_folder(folder: Path) -> list[Source]:
    """Everything that a folder holds: each result file with the graphs beside it.

    Raises `InputError` when the folder is missing, or holds nothing that NavViz reads.
    """
    if not is_there(folder):
        raise InputError("is not there", "check the path", file=str(folder))
    contents = discover(folder, tell_others=True)
    folder_problems = tuple(contents.problems.kept)
    graphs = tuple(contents.graphs)
    if graphs and not contents.results and not contents.episodes:
        return [Source(folder.name, "opened", graphs, folder_problems=folder_problems)]
    if not contents.results and not contents.episodes:
        what = f"holds nothing that NavViz reads{_and(contents.problems)}"
        do = "choose a folder with a graph and episodes or results (docs/open.md lists all formats)"
        if any(path.suffix == ".gz" for path in folder.iterdir()):
            # their calls are looked up by their place in the file, which a packed one does not have
            do = "unpack its .gz files first (gunzip): logs of several files are read unpacked"
        raise InputError(what, do, file=str(folder))
    if not contents.results:
        alone = []
        for path in contents.episodes:
            alone.append(
                Source(
                    path_name(path), "opened", graphs, path, None, folder_problems=folder_problems
                )
            )
        return alone
    sources = []
    for path in sorted(contents.results, key=_logs_first):
        sources += expanded(
            Source(path_name(path), "opened", graphs, None, path, folder_problems=folder_problems)
        )
    return sources


def _logs_first(path: Path) -> tuple[int, Path, bool]:
    """Keep the order of folders; in each, logs come first: their predictions lie beside."""
    return len(path.parts), path.parent, path.suffix != ".log"


def _and(problems: Problems) -> str:
    first = next(iter(problems.kept), None)
    if first is None:
        return ""
    more = f", nor {problems.count - 1} more" if problems.count > 1 else ""
    return f"; not even {first.file}, which {first.what}{more}"


def from_path(path: Path, graphs: Path | None = None) -> list[Source]:
    """Return what a path holds: a folder, a map, results or episodes; with the graphs beside it if
    none are given.

    Raises `InputError` when it is missing, empty, or a folder that holds nothing that NavViz reads.
    """
    given = (graphs,) if graphs is not None else ()
    if is_folder(path):
        return [replace(source, graphs=given or source.graphs) for source in from_folder(path)]
    if not is_there(path):
        raise InputError("is not there", "check the path", file=str(path))
    kind = kind_of(path)
    if kind == "graph":
        return [Source(path_name(path), "opened", (path,))]
    around = given or graphs_beside(path)
    if kind == "episodes":
        return [Source(path_name(path), "opened", around, path)]
    return expanded(Source(path_name(path), "opened", around, None, path))


def expanded(source: Source) -> list[Source]:
    """One source a method, or a run of a folder, where there are several: ``NAME/METHOD``."""
    names = (
        _methods(source.results, source.graphs)
        if source.results is not None and source.method is None
        else []
    )
    if len(names) < 2:
        return [source]
    return [replace(source, name=f"{source.name}/{method}", method=method) for method in names]


def _methods(results: Path, graphs: Sequence[Path]) -> list[str]:
    """Names of a state file's methods, or of the runs in a folder or file of traces."""
    return names_of_runs(results, graphs) if holds_traces(results) else methods_of(results)


def holds_traces(results: Path) -> bool:
    """Whether results are traces of NavViz: a trace, a file of several, or a folder of them."""
    return format_of("results", results) == OwnTraces.name


def graphs_beside(path: Path) -> tuple[Path, ...]:
    """Graph folders near a result file: beside it, or in the folders above it, up to three levels.

    The search does not climb into folders that everything shares: home, the temporary folder, the
    root.
    """
    nearest, *above = list(path.resolve().parents)[:3]
    shared = {Path.home(), Path(tempfile.gettempdir()).resolve(), Path(nearest.anchor)}
    own = itertools.takewhile(lambda folder: folder not in shared, above)
    for folder in (nearest, *own):
        if graphs := graphs_within(folder):
            return graphs
    return ()


def opened_from_environment(arguments: Sequence[str] = ()) -> list[Source]:
    """Return what the command line asked to open.

    Raises `InputError` when a folder is not there, or holds nothing that NavViz reads.
    """
    # a wrong argument must not end the server that the pages run in
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for name in ("data", "episodes", "graphs", "results", "pictures"):
        parser.add_argument(f"--{name}")
    options = vars(parser.parse_known_args(list(arguments))[0])
    places: Mapping[str, str | None] = {name: value for name, value in options.items() if value}
    if not places:
        places = parse_json(os.environ.get(OPEN_VARIABLE) or "{}", OPEN_VARIABLE)
    if not places:
        return []
    sources = _opened_places(places)
    if not places.get("pictures"):
        return sources
    folder = Path(str(places["pictures"]))
    return [replace(source, pictures=(folder,)) for source in sources]


def _opened_places(places: Mapping[str, str | None]) -> list[Source]:
    if places.get("data"):
        return from_folder(Path(str(places["data"])))
    paths = {name: Path(value) for name, value in places.items() if value}
    episodes, graphs, results = (paths.get(name) for name in ("episodes", "graphs", "results"))
    place = results or episodes or graphs
    near: tuple[tuple[Path, ...], tuple[Problem, ...]] = ((), ())
    if graphs is not None:
        near = ((graphs,), ())
    elif results is not None and holds_traces(results):
        # a trace that is opened with a double click names no map; its run's configuration does
        near = graphs_of_run(results if is_folder(results) else results.parent)
    elif results is not None:
        near = (graphs_beside(results), ())
    named = Source(
        name=path_name(place) if place is not None else "opened",
        origin="opened",
        graphs=near[0],
        episodes=episodes,
        results=results,
        folder_problems=near[1],
    )
    folder = named.results
    # a folder that is no run may hold runs
    if folder is not None and is_folder(folder) and not format_of("results", folder):
        with contextlib.suppress(InputError):
            given = Path(str(places["graphs"])) if places.get("graphs") else None
            sources = from_path(folder, given)
            return [replace(each, episodes=named.episodes or each.episodes) for each in sources]
    return expanded(named)


def catalogue(
    opened: Sequence[Source] = (), *, recorded: Callable[[Path], bool] = is_folder
) -> list[Source]:
    """List all sources by preference: what the user opened, the workspace's `recorded` runs, the
    samples.

    No two have one name. Samples keep theirs and the workspace's runs come next, so that nothing
    that somebody opens or uploads stands in for them.
    """
    bundled = samples()
    own = named([*bundled, *workspace_runs(recorded)])
    recorded_runs, bundled = own[len(bundled) :], own[: len(bundled)]
    names = recorded_names(opened, recorded_runs)
    by_name = {source.name: source for source in recorded_runs}
    taken = {source.name for source in own}
    # one by one, so that a recorded run stands where it was opened: behind later uploads
    first: list[Source] = []
    for source in opened:
        if id(source) in names:
            first.append(by_name[names[id(source)]])
            continue
        fresh = named([source], taken)
        taken.update(other.name for other in fresh)
        first += fresh
    rest = [source for source in recorded_runs if source not in first]
    return [*dict.fromkeys(first), *rest, *bundled]


def recorded_names(opened: Sequence[Source], recorded: Sequence[Source]) -> dict[int, str]:
    """Return names of the workspace's runs that somebody opened by their path, by the `id` of what
    was opened: they are one run, not two.
    """
    root = (workspace_dir() / "runs").resolve()
    names: dict[int, str] = {}
    for source in opened:
        place = None if source.results is None else source.results.resolve()
        # another method, map or folder of pictures makes it another run
        if place is None or place.parent != root or source.method or source.pictures:
            continue
        for run in recorded:
            is_same = run.results is not None and run.results.name == place.name
            if is_same and source.graphs in ((), run.graphs) and source.episodes == run.episodes:
                names[id(source)] = run.name
    return names


KEPT = 30

"""How many are kept."""


_lock = threading.Lock()


class _RecentEntry(BaseModel):
    """One run as the file keeps it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    graphs: tuple[Path, ...] = ()
    episodes: Path | None = None
    results: Path | None = None
    method: str | None = None
    pictures: tuple[Path, ...] = ()

    def source(self) -> Source:
        """Return where it lies; a place that is gone makes an entry with its sentence."""
        paths = [
            *self.graphs,
            *(path for path in (self.episodes, self.results) if path is not None),
        ]
        gone = next((path for path in paths if not is_there(path)), None)
        fault = (
            f"{gone}: is not there any more; open it from where it lies now."
            if gone is not None
            else ""
        )
        return Source(
            self.name,
            "opened",
            self.graphs,
            self.episodes,
            self.results,
            self.method,
            fault,
            pictures=self.pictures,
        )


_FILE: TypeAdapter[list[_RecentEntry]] = TypeAdapter(list[_RecentEntry])


def _path() -> Path:
    return workspace_dir() / "recent.json"


def _entries() -> list[_RecentEntry]:
    """Read the file; a missing or broken one holds nothing, for it only spares clicks."""
    try:
        return _FILE.validate_python(read_json(_path()))
    except (InputError, ValidationError):
        return []


def recent() -> list[Source]:
    """Return the runs opened lately, the newest first."""
    return [entry.source() for entry in _entries()]


def remember(sources: Sequence[Source]) -> None:
    """Put runs first in the file; a file that cannot be written is passed over."""
    # what cannot be opened now would only be in the way later
    new = [_entry(source) for source in sources if not source.fault]
    with _lock:
        names = {entry.name for entry in new}
        # read again within the lock: two windows may open runs at once
        _write([*new, *(entry for entry in _entries() if entry.name not in names)][:KEPT])


def forget(name: str) -> None:
    """Take a run out of the file."""
    with _lock:
        _write([entry for entry in _entries() if entry.name != name])


def _entry(source: Source) -> _RecentEntry:
    def whole(path: Path | None) -> Path | None:
        return None if path is None else path.resolve()

    # absolute: the next server may start in another folder
    graphs = tuple(path.resolve() for path in source.graphs)
    return _RecentEntry(
        name=source.name,
        graphs=graphs,
        episodes=whole(source.episodes),
        results=whole(source.results),
        method=source.method,
        pictures=tuple(folder.resolve() for folder in source.pictures),
    )


def _write(entries: list[_RecentEntry]) -> None:
    """Replace the file in one move, so that a kill leaves the old one or the new one."""
    with contextlib.suppress(StoreError):
        write_whole(_path(), _FILE.dump_json(entries, indent=1).decode())
