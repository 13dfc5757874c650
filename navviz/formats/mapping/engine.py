"""Read a log by its `Mapping`: entries in, episodes and traces out; what is left out is named."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping as Pairs
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf
from navviz.formats.mapping import values
from navviz.formats.mapping.entries import MappedEntry, name_of, read_entries
from navviz.formats.mapping.episodes import (
    OpenGraphs,
    episodes_by_id,
    known_episode,
    own_episode,
    say_far_walks,
)
from navviz.formats.mapping.large import WHOLE_ROWS, TableTraces
from navviz.formats.mapping.model import Mapping
from navviz.formats.mapping.parts import check_means, run_name
from navviz.formats.mapping.paths import first_value
from navviz.formats.mapping.units import in_its_units, say_doubts
from navviz.formats.mapping.walks import MappedWalk, as_trace
from navviz.formats.texts import as_number
from navviz.records import EndEvent, EndStatus, Episode, Trace, TraceHeader

_NO_FIGURE = frozenset({"", "nan", "none", "null", "na", "n/a", "-", "inf", "-inf"})
"""Words by which writers of tables say that a figure is missing."""


@dataclass(frozen=True, slots=True)
class _Log:
    """A log that is being read."""

    mapping: Mapping
    path: Path
    run: str
    episodes: Pairs[str, Episode]
    worlds: OpenGraphs
    problems: Problems


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of an entry."""

    trace: Trace
    """Whole, or of a large table with its first step alone."""
    steps: int
    entry: MappedEntry
    name: str
    """The entry's own id."""


def read_log(
    mapping: Mapping,
    path: Path,
    graph_of: GraphOf | None,
    other_episodes: Pairs[str, Episode] | None,
    problems: Problems,
) -> Pairs[str, Trace]:
    """Read a file or folder by its mapping; the traces by the ids of their episodes.

    Parameters
    ----------
    graph_of
        Gives the graph of a world, to check the nodes of a walk; positions need none.
    other_episodes
        Episodes of a file that is open besides, by id.

    Returns
    -------
    Those of a large table are made of its rows on demand (`TableTraces`).

    Raises
    ------
    InputError
        Where not one episode can be read.
    """
    return _read_some(mapping, path, graph_of, other_episodes, problems, None)[0]


def read_first(
    mapping: Mapping, path: Path, graph_of: GraphOf, problems: Problems, most: int
) -> tuple[Pairs[str, Trace], bool]:
    """Read the first entries of a log, as `read_log` does; tell whether there are more."""
    return _read_some(mapping, path, graph_of, None, problems, most)


def _read_some(
    mapping: Mapping,
    path: Path,
    graph_of: GraphOf | None,
    other_episodes: Pairs[str, Episode] | None,
    problems: Problems,
    most: int | None,
) -> tuple[Pairs[str, Trace], bool]:
    # positions in metres need no map: asking for one would choose it before all worlds are known
    asks_graphs = bool(mapping.walk.nodes) or mapping.in_degrees
    worlds = OpenGraphs(graph_of if asks_graphs else None)
    read = read_entries(mapping, path, problems, most)
    mapping = in_its_units(mapping, read.episodes, path.name, problems)
    named = [(entry, _id_of(mapping, entry, problems)) for entry in read.episodes]
    ids = {name for _, name in named if name}
    episodes = episodes_by_id(mapping, path, ids, other_episodes, worlds, problems)
    log = _Log(mapping, path, run_name(path, mapping.parts), episodes, worlds, problems)
    rows = sum(entry.size for entry in read.episodes)
    is_large = rows > WHOLE_ROWS
    traces = _traces(log, [(entry, name) for entry, name in named if name], is_large=is_large)
    if not traces:
        raise _refusal(mapping, path, problems)
    by_id = _by_id(traces)
    heads = {key: each.trace for key, each in by_id.items()}
    say_far_walks(worlds, path.name, problems)
    say_doubts(mapping, heads.values(), path.name, problems)
    check_means(mapping, path, [entry.value for entry in read.means], heads, problems)
    return (_on_demand(log, by_id) if is_large else heads), read.is_cut


def _on_demand(log: _Log, by_id: Pairs[str, _Read]) -> TableTraces:
    """Return traces of a large table, which are made of its rows each time they are wanted."""
    heads = {key: each.trace for key, each in by_id.items()}
    # what was wrong is reported already
    quiet = replace(log, problems=Problems())

    def read(key: str) -> Trace:
        each = by_id[key]
        trace = _trace(quiet, each.entry, each.name)
        if trace is None:  # it was read before, and its rows are still in memory
            raise InputError("cannot be read again", "open it again", file=log.path.name)
        return trace.model_copy(update={"header": each.trace.header})

    return TableTraces(heads, {key: each.steps for key, each in by_id.items()}, read)


def _id_of(mapping: Mapping, entry: MappedEntry, problems: Problems) -> str:
    """Return the id of an entry; empty, and reported, where it has none."""
    field = mapping.episode.id
    name = name_of(entry.taken(field)) if field else entry.key or entry.file.stem
    if not name:
        problems.skip(Problem("has no id", "it is left out", entry.where, field=field))
    return name


def _traces(
    log: _Log, named: Sequence[tuple[MappedEntry, str]], *, is_large: bool
) -> dict[tuple[str, str], _Read]:
    """Return what was read by world and id; of entries that repeat an episode, one counts.

    Of a large table only the first step is kept.
    """
    mapping, problems = log.mapping, log.problems
    by_episode: dict[tuple[str, str], _Read] = {}
    repeated = unknown = 0
    for entry, name in named:
        trace = _trace(log, entry, name)
        # what is left out was reported where the fault was found
        if trace is None:
            continue
        unknown += name not in log.episodes and not trace.episode.instruction
        # numbers begin anew in each house of some logs
        key = trace.episode.world, trace.episode.id
        repeated += key in by_episode
        if key not in by_episode or mapping.duplicates == "last":
            steps = len(trace.steps)
            if is_large:
                trace = trace.model_copy(update={"steps": trace.steps[:1]})
            by_episode[key] = _Read(trace, steps, entry, name)
    if repeated:
        what = f"{repeated} entries repeat an episode"
        do = f"the {mapping.duplicates} of each counts"
        problems.skip(Problem(what, do, log.path.name, field=mapping.episode.id))
    if unknown and mapping.find_episodes:
        what = f"{unknown} of {len(named)} entries are of episodes that no open file knows"
        do = "open the episode file of their split with it (val_seen.json.gz)"
        problems.add(Problem(what, do, log.path.name))
    return by_episode


def _refusal(mapping: Mapping, path: Path, problems: Problems) -> InputError:
    """Say why nothing can be read, and what the smallest file that opens is."""
    if mapping.smallest:
        what = f"looks like {mapping.name} and holds none that can be read{problems.because}"
        return InputError(what, f"the smallest file is {mapping.smallest}", file=path.name)
    what = f"holds no episode by the mapping {mapping.name}{problems.because}"
    do = f"correct the mapping: navviz data map {shlex.quote(str(path.absolute()))}"
    return InputError(what, do, file=path.name)


def _by_id(by_episode: Pairs[tuple[str, str], _Read]) -> dict[str, _Read]:
    """Return what was read by id; where two worlds give one id, the world stands before it."""
    counts = Counter(name for _, name in by_episode)
    by_id: dict[str, _Read] = {}
    for (world, name), each in by_episode.items():
        trace = each.trace
        if counts[name] > 1:
            episode = trace.episode.model_copy(update={"id": f"{world}-{name}"})
            header = trace.header.model_copy(update={"episode": episode})
            trace = trace.model_copy(update={"header": header})
        by_id[trace.episode.id] = replace(each, trace=trace)
    return by_id


def _trace(log: _Log, entry: MappedEntry, name: str) -> Trace | None:
    """Return the trace of an entry; ``None``, and reported, where it has none."""
    mapping, problems = log.mapping, log.problems
    episode = known_episode(mapping, entry, name, log.episodes)
    if episode is None and mapping.find_episodes == "required":
        do = "open the split it belongs to"
        problems.skip(Problem("no such episode", do, entry.file.name, name))
        return None
    episode = episode or own_episode(mapping, entry, name, log.worlds)
    figures = _figures(mapping, entry)
    graph = log.worlds(episode.world)
    walked = as_trace(
        MappedWalk(mapping.walk, entry.value, episode, graph, log.run, entry.file.name, problems)
    )
    source = str(log.path)
    if isinstance(walked, Trace):
        end = walked.end or EndEvent(status=EndStatus.UNKNOWN)
        header = walked.header.model_copy(update={"source": source})
        # what the evaluator wrote stays apart from what is measured on the walk
        ended = end.model_copy(update={"figures": figures})
        return walked.model_copy(update={"header": header, "end": ended})
    if walked == "faulty":
        return None
    header = TraceHeader(run=log.run, episode=episode, navigator=log.run, source=source)
    # a log of episodes alone: nobody has walked them yet
    if not mapping.has_results:
        return Trace(header=header)
    if not figures or _is_garbage(mapping, entry, figures):
        do = "the other entries are shown"
        what = "has neither a walk nor a figure"
        problems.skip(Problem(what, do, entry.where, "" if name == entry.key else name))
        return None
    return Trace(header=header, end=EndEvent(status=EndStatus.UNKNOWN, figures=figures))


def _is_garbage(mapping: Mapping, entry: MappedEntry, figures: Pairs[str, float | None]) -> bool:
    """Tell whether a row of text has something else in place of every figure."""
    if mapping.format != "csv" or any(value is not None for value in figures.values()):
        return False
    paths = [figure.path for figure in mapping.figures.values()]
    cells = [first_value(entry.value, path) for path in paths if values.exists(entry.value, path)]
    words = [str(cell).strip().lower() for cell in cells if cell is not None]
    return any(word not in _NO_FIGURE for word in words)


def _figures(mapping: Mapping, entry: MappedEntry) -> dict[str, float | None]:
    """Return the figures of an entry; one that is no finite number is missing."""
    figures: dict[str, float | None] = {}
    if mapping.all_figures and isinstance(entry.value, dict):
        for name, value in entry.value.items():
            if name not in mapping.not_figures and (
                value is None or isinstance(value, bool | int | float)
            ):
                figures[name] = float(value) if isinstance(value, bool) else as_number(value)
    for label, figure in mapping.figures.items():
        if values.exists(entry.value, figure.path):
            figures[label] = values.figure(first_value(entry.value, figure.path), figure.unit)
    return figures
