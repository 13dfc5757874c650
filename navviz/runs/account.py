"""What a folder holds and what of it is read: entries in against entries out, file by file.

`check_folder` opens all that NavViz finds, as a page would, and keeps count: the entries (items,
lines, rows) that each file holds, those that are not shown, and what was written otherwise than it
is kept.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from navviz.errors import InputError, Problem, Problems, merged_problems
from navviz.formats import Discovery, discover, format_of, open_episodes, open_worlds
from navviz.formats.base import Kind
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.guess_checks import checks_of
from navviz.formats.mapping.model import saved_mapping
from navviz.formats.mapping.structure import format_by_content, structure
from navviz.formats.passed_over import looked_into
from navviz.records.base import plural
from navviz.runs.opened import load_all
from navviz.runs.source import Source
from navviz.runs.sources import graphs_of_run, holds_traces, path_name
from navviz.support.guarded import (
    MAX_BYTES,
    Notes,
    is_folder,
    is_regular,
    read_text,
    size_of,
    taking_notes,
    whole_floats,
)

_JSON = (".json", ".jsonl", ".geojson", ".json.gz", ".jsonl.gz")
_OWN = ("NavViz", "episodes of NavViz")
"""Names of the formats whose numbers NavViz wrote itself."""
_MEASURE = re.compile(
    r"heading|elevation|distance|height|width|length|lat|lng|lon|yaw|pos|score|prob|time|stage"
    r"|reward|error|cost|_m$|_deg$"
)
"""Keys under which a whole float is most likely no integer, but a measure that happens to be whole.
"""
_SEVERAL = 8
"""Files of one kind that are listed one by one; more are one line."""


@dataclass(frozen=True, slots=True)
class FileAccount:
    """One file, or several of one kind."""

    name: str
    """Within the folder; with ``*`` where it stands for several."""
    files: int
    entries: int
    """Entries; a file that is read as a whole is one."""
    skipped: int
    changed: Mapping[str, int]
    """What was written otherwise than it is kept, in words, and how often."""

    @property
    def read(self) -> int:
        """Entries that are shown."""
        return max(0, self.entries - self.skipped)


@dataclass(frozen=True, slots=True)
class PartAccount:
    """A graph, a file of episodes or results, with the files that it was read from."""

    path: str
    kind: Kind
    format: str
    sentence: str
    """What was read, or why nothing was."""
    files: tuple[FileAccount, ...] = ()
    problems: Problems = field(default_factory=Problems)
    failed: bool = False
    checked: tuple[str, ...] = ()
    """What was checked of the mapping that the file is read by."""

    @property
    def lost(self) -> int:
        """Entries that are not shown; at least one where nothing was read."""
        return sum(self.problems.skipped.values()) + self.failed


@dataclass(frozen=True, slots=True)
class FolderAccount:
    """What a folder holds and what of it is read."""

    folder: Path
    parts: tuple[PartAccount, ...]
    not_read: tuple[Problem, ...]
    """Files that look like data, and that nothing takes."""
    others: Mapping[str, int]
    """Number of other files by ending: pictures, texts, code."""

    @property
    def lost(self) -> int:
        """Entries and files that are not shown."""
        return sum(part.lost for part in self.parts) + len(self.not_read)

    @property
    def named(self) -> int:
        """Sentences that are said of what is there: not all are about something lost."""
        counts = (part.problems.count + part.failed for part in self.parts)
        return sum(counts) + len(self.not_read)


def check_folder(folder: Path) -> FolderAccount:
    """Open all that a folder holds, or one file, and count what is read.

    Raises `InputError` where there is nothing of this name.
    """
    if is_regular(folder):
        return _check_file(folder)
    contents = discover(folder, tell_others=True)
    parts = tuple(_parts(contents))
    not_read = tuple(
        problem for problem in contents.problems.kept if not _is_of(folder, problem, parts)
    )
    taken = {contents.folder / part.path for part in parts}
    named = {problem.file for problem in not_read}
    files = [path for path in looked_into(contents.folder) if not is_folder(path)]
    others: dict[str, list[Path]] = {}
    for path in files:
        if not _is_in(path, taken) and "/".join(path.parts[-2:]) not in named:
            others.setdefault(path.suffix or path.name, []).append(path)
    # the first one of each ending speaks for those that end alike
    unknown = {ending: paths for ending, paths in others.items() if _is_walked(paths[0])}
    not_read += tuple(_unknown_log(folder, paths) for paths in unknown.values())
    endings = Counter({end: len(paths) for end, paths in others.items() if end not in unknown})
    return FolderAccount(folder, parts, not_read, dict(endings.most_common()))


def _is_walked(path: Path) -> bool:
    """Tell whether a file that no reader takes is a log in which a mapping finds a walk."""
    try:
        return format_by_content(path) is not None and guess(path).has_walks
    except (InputError, OSError):
        return False


def _unknown_log(folder: Path, paths: Sequence[Path]) -> Problem:
    alike = f", and {len(paths) - 1} more that end alike" if len(paths) > 1 else ""
    whole = shlex.quote(str(paths[0] if len(paths) == 1 else folder))
    do = f"say what is what in it: navviz data map {whole}"
    name = "/".join(paths[0].parts[-2:])
    return Problem(f"is a log of walks that no reader knows{alike}", do, name)


def _check_file(file: Path) -> FolderAccount:
    """Count what is read of one file, beside which lies what it may need."""
    kinds: tuple[Kind, ...] = ("graph", "results", "episodes")
    kind = next((kind for kind in kinds if format_of(kind, file)), None)
    if kind is None:
        do = "see docs/data.md"
        if format_by_content(file) is not None:
            place = shlex.quote(str(file.absolute()))
            do = f"say what is what in it: navviz data map {place} --save"
        problem = Problem("is of no kind that is read", do, file.name)
        return FolderAccount(file, (), (problem,), {})
    around = discover(file.parent)
    with taking_notes() as notes:
        part = _part(file.parent, file, kind, _Given(around.graphs, around.episodes))
    files = _files(file.parent, file, [*notes.files], notes, part)
    return FolderAccount(file, (replace(part, files=files),), (), {})


def _parts(contents: Discovery) -> Iterator[PartAccount]:
    """Open graphs, episodes and results; a file counts for one of them alone, for itself where it
    is opened.
    """
    episodes = [path for path in contents.episodes if path not in contents.results]
    parts: list[tuple[Kind, Path]] = [("graph", path) for path in contents.graphs]
    parts += [("episodes", path) for path in episodes]
    parts += [("results", path) for path in contents.results]
    given = _Given(contents.graphs, contents.episodes)
    counted, opened = set[Path](), {path for _, path in parts}
    for kind, path in parts:
        with taking_notes() as notes:
            part = _part(contents.folder, path, kind, given)
        own = [file for file in notes.files if not _is_in(file, counted | (opened - {path}))]
        yield replace(part, files=_files(contents.folder, path, own, notes, part))
        counted.update(own)


@dataclass(frozen=True, slots=True)
class _Given:
    """What results may need."""

    graphs: Sequence[Path]
    episodes: Sequence[Path]

    def graphs_of(self, results: Path) -> tuple[Path, ...]:
        """Return the graphs of results; those that `score` finds, where the folder holds none."""
        if self.graphs or not holds_traces(results):
            return tuple(self.graphs)
        return graphs_of_run(results if is_folder(results) else results.parent)[0]


def _part(folder: Path, path: Path, kind: Kind, given: _Given) -> PartAccount:
    name, failed, problems = format_of(kind, path), False, Problems()
    try:
        if kind == "graph":
            worlds = open_worlds(path)
            graphs = [worlds(name) for name in worlds.names]
            nodes = sum(len(graph) for graph in graphs)
            links = sum(len(graph.targets) for graph in graphs)
            sentence = f"{nodes:,} nodes, {links:,} links"
            if len(graphs) > 1:
                sentence += f" in {len(graphs)} worlds"
            problems = merged_problems(graph.info.problems for graph in graphs)
        elif kind == "episodes":
            read = open_episodes(path)
            sentence, problems = plural(len(read), "episode"), read.problems
        else:
            sentence, problems = _results(path, given)
    except InputError as error:
        sentence, failed = str(error), True
        # `data check` takes one folder, and no option that names another
        if kind == "results" and not given.graphs_of(path):
            do = "check the folder that holds them and their graph"
            sentence = str(InputError(error.problem.what, do, file=path_name(path)))
    checked: tuple[str, ...] = ()
    with suppress(InputError):
        mapping = saved_mapping(path)
        if mapping is not None and not failed:
            checked = tuple(checks_of(structure(path), mapping))
    within = _within(folder, path)
    return PartAccount(within, kind, name, sentence, (), problems, failed, checked)


def _is_in(file: Path, places: Container[Path]) -> bool:
    return file in places or any(parent in places for parent in file.parents)


def _results(path: Path, given: _Given) -> tuple[str, Problems]:
    """Open results; those that name episodes by id alone with the first file that knows them."""
    source = Source(path_name(path), "opened", given.graphs_of(path), None, path)
    try:
        return _runs(source)
    except InputError:
        for episodes in given.episodes:
            with suppress(InputError):
                sentence, problems = _runs(replace(source, episodes=episodes))
                return f"{sentence}, with {episodes.name}", problems
        raise


def _runs(source: Source) -> tuple[str, Problems]:
    runs = load_all(source)
    for run in runs:
        # a page shows a large run while it is still read; counts need all of it
        run.finish()
    problems = merged_problems(run.problems for run in runs)
    if len(runs) == 1:
        return plural(len(runs[0]), "episode"), problems
    counts = [f"{run.label} {plural(len(run), 'episode')}" for run in runs]
    return ", ".join(counts), problems


def _within(folder: Path, path: Path) -> str:
    try:
        return str(path.relative_to(folder))
    except ValueError:
        return str(path)


# --- files


def _files(
    folder: Path, path: Path, paths: Sequence[Path], notes: Notes, part: PartAccount
) -> tuple[FileAccount, ...]:
    """Count each file that was read for one part."""
    if not paths and not is_folder(path):
        paths = [path]
    foreign = not part.format.startswith(_OWN)
    # by the name alone where it is none of the files that were read
    skipped = Counter[Path | str]()
    for (name, _), number in part.problems.skipped.items():
        named = [path for path in paths if path.name == name or str(path).endswith(f"/{name}")]
        skipped[named[0] if named else name] += number
    rows = []
    for file in paths:
        changed = dict(notes.changes.get(file, {}))
        if foreign and file.name.endswith(_JSON):
            floats = _whole_floats(file)
            whole = {key: count for key, count in floats.items() if not _MEASURE.search(key)}
            if whole:
                keys = ", ".join(sorted(whole)[:3])
                changed[f"integers written as floats ({keys})"] = sum(whole.values())
        rows.append(
            FileAccount(
                _within(folder, file),
                1,
                notes.entries.get(file, max(1, skipped[file])),
                skipped[file],
                changed,
            )
        )
    for label, count in skipped.items():
        if isinstance(label, str):
            rows.append(FileAccount(label or path.name, 0, count, count, {}))
    return tuple(_together(rows))


def _whole_floats(file: Path) -> Counter[str]:
    try:
        size_of(file, MAX_BYTES)
        text = read_text(file, lenient=True)
    except InputError:
        return Counter()
    whole = whole_floats(text)
    if whole or not file.name.endswith((".jsonl", ".jsonl.gz")):
        return whole
    # several lines are no JSON text together, so that nothing was found in them
    return sum((whole_floats(line) for line in text.splitlines()), Counter[str]())


def _together(rows: Iterable[FileAccount]) -> list[FileAccount]:
    """Put many files of one folder or of one name together."""
    groups: dict[tuple[str, str], list[FileAccount]] = {}
    for row in rows:
        groups.setdefault(_pattern(row.name), []).append(row)
    together = []
    for (start, end), group in groups.items():
        if len(group) <= _SEVERAL:
            together += group
            continue
        changed = sum((Counter(row.changed) for row in group), Counter[str]())
        entries, skipped = sum(row.entries for row in group), sum(row.skipped for row in group)
        together.append(FileAccount(f"{start}*{end}", len(group), entries, skipped, changed))
    return together


def _pattern(name: str) -> tuple[str, str]:
    """Return what files of a kind share: a folder and an ending, or parent folder and name."""
    path = Path(name)
    ending = "".join(path.suffixes[-2:])
    if path.stem.rstrip("0123456789_-") in {"trajectory", "config", "result", "task"}:
        return f"{path.parts[0]}/", f"/{path.name}"
    return ("" if path.parent == Path() else f"{path.parent}/"), ending


# --- what is left


def _is_of(folder: Path, problem: Problem, parts: Sequence[PartAccount]) -> bool:
    """Tell whether a damaged file was read as far as that goes, and is counted there."""
    paths = [part.path for part in parts if not part.failed]
    for part in parts:
        paths += [row.name for row in part.files]
    # as problems name files, with their folder: a good file of the same name lies in another one
    named = Path(problem.file).parts
    return any((folder / path).parts[-len(named) :] == named for path in paths)
