"""Our own traces: one ``*.trace.jsonl``, a file of several, or a folder of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.formats.files import peek
from navviz.guarded import is_folder, is_regular
from navviz.records import Episode, Trace
from navviz.records.trace_files import SUFFIX, natural, read_trace
from navviz.records.trace_parts import TracePart, part_header, read_part, trace_parts

__all__ = ["OwnEpisodes", "OwnTraces", "run_names"]


def _files(path: Path) -> list[Path]:
    return sorted(path.glob(f"*{SUFFIX}"), key=lambda file: natural(file.name)) if is_folder(path) else [path]


def _handles(path: Path) -> bool:
    if is_folder(path):
        return any(is_regular(file) for file in path.glob(f"*{SUFFIX}"))
    first = peek(path).first_line
    return path.name.endswith(SUFFIX) or (isinstance(first, dict) and first.get("type") == "header")


def _traces(path: Path, problems: Problems) -> Iterator[Trace]:
    for read in _reads(path):
        try:
            yield read(problems)
        except InputError as error:
            problems.add(error.problem)


def _reads(path: Path) -> Iterator[Callable[[Problems], Trace]]:
    """Return what reads each trace of a file or a folder."""
    parts = trace_parts(path)
    if len(parts) > 1:
        yield from (partial(read_part, path, part.name) for part in parts)
        return
    for file in _files(path):
        if is_folder(path) and file.stat().st_size == 0:
            continue  # a run that was killed before the header: the episode was not begun
        yield partial(read_trace, file)


class OwnTraces:
    """Runs that NavViz recorded."""

    name: ClassVar[str] = "NavViz traces"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a trace, or a folder that holds one."""
        return _handles(path)

    @classmethod
    def read(cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None) -> list[Run]:
        """Read the traces, a run for each run name that their headers give."""
        del graph_of  # our traces hold whole paths
        problems = Problems()
        runs: dict[str, dict[str, Trace]] = {}
        for trace in _traces(path, problems):
            name = trace.header.run or _run_name(path)
            key = trace.episode.id
            if key in runs.setdefault(name, {}):
                problems.add(Problem("has two traces", "keep one; the first is used", path.name, key))
                continue
            if episodes is not None and key not in episodes:
                problems.add(Problem("is not in the episodes file", "it is shown as recorded", path.name, key))
            runs[name][key] = trace
        if not runs:
            raise InputError(_nothing(problems), "choose another", file=path.name)
        return [_run(name, traces, problems, path) for name, traces in runs.items()]


def run_names(path: Path) -> list[str]:
    """Return the names of the runs in a folder or a file of traces, by their headers, in the order of the files."""
    parts = trace_parts(path)
    headers = _headers(path, parts) if len(parts) > 1 else (_header(file) for file in _files(path))
    names = (str(header.get("run") or _run_name(path)) for header in headers if header.get("type") == "header")
    return list(dict.fromkeys(names))


def _header(file: Path) -> dict[str, Any]:
    """First line of a trace as it was peeked at already; empty where it is none."""
    first = peek(file).first_line
    return first if isinstance(first, dict) else {}


def _headers(path: Path, parts: Sequence[TracePart]) -> Iterator[dict[str, Any]]:
    """First lines of the traces of one file; those that cannot be read are left out."""
    for part in parts:
        with contextlib.suppress(InputError):
            yield part_header(path, part)


def _nothing(problems: Problems) -> str:
    return f"holds no trace that can be read ({problems.kept[0]})" if problems.kept else "holds no trace"


def _run_name(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _run(name: str, traces: dict[str, Trace], problems: Problems, path: Path) -> Run:
    header = next(iter(traces.values())).header
    details = {"model": header.model, "settings": header.settings, "created": header.created}
    return Run(name, header.navigator, None, traces, problems, path, details)


class OwnEpisodes:
    """The episodes that our traces hold."""

    name: ClassVar[str] = "episodes of NavViz traces"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a trace, or a folder that holds one."""
        return _handles(path)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read the episode of each trace; of several traces of one episode the first counts."""
        problems, episodes = Problems(), dict[str, Episode]()
        for trace in _traces(path, problems):
            episodes.setdefault(trace.episode.id, trace.episode)
        if not episodes:
            raise InputError(_nothing(problems), "choose another", file=path.name)
        return EpisodeSet(_run_name(path), cls.name, episodes, problems, path)
