"""Our own traces: one ``*.trace.jsonl``, a file of several, or a folder of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.formats.files import json_lines, peek
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.trace_files import bare_name, empty_trace, is_trace_name, natural, read_traces
from navviz.records.trace_parts import begins_with_header
from navviz.support.guarded import is_folder, is_regular, note_entries, write_whole


def _files(path: Path) -> list[Path]:
    if not is_folder(path):
        return [path]
    named = [file for file in path.iterdir() if is_trace_name(file.name)]
    return sorted(named, key=lambda file: natural(file.name))


def _handles(path: Path) -> bool:
    if is_folder(path):
        return any(is_trace_name(file.name) and is_regular(file) for file in path.iterdir())
    return is_trace_name(path.name) or _begins_with_header(path)


def _begins_with_header(path: Path) -> bool:
    head = peek(path)
    if isinstance(head.first_line, dict):
        return head.first_line.get("type") == "header"
    # a first line that is no whole value is very long, or the first of an indented header
    fields = {key for key, _ in head.items}
    return bool(fields & TraceHeader.model_fields.keys()) and begins_with_header(path)


def _traces(path: Path, problems: Problems) -> Iterator[Trace]:
    for file in _files(path):
        if is_folder(path) and is_regular(file) and file.stat().st_size == 0:
            problems.skip(empty_trace(file.name))
            note_entries(file, 1)
            continue
        try:
            yield from read_traces(file, problems)
        except InputError as error:
            problems.skip(error.problem)


class OwnTraces:
    """Runs that NavViz recorded."""

    name: ClassVar[str] = "NavViz traces"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it is a trace, or a folder that holds one."""
        return _handles(path)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read the traces, a run for each run name that their headers give."""
        del graph_of  # our traces hold whole paths
        problems = Problems()
        runs: dict[str, dict[str, Trace]] = {}
        for trace in _traces(path, problems):
            name = trace.header.run or _run_name(path)
            key = trace.episode.id
            if key in runs.setdefault(name, {}):
                problems.skip(
                    Problem("has two traces", "keep one; the first is used", path.name, key)
                )
                continue
            if episodes is not None and key not in episodes:
                problems.add(
                    Problem(
                        "is not in the episodes file", "it is shown as recorded", path.name, key
                    )
                )
            runs[name][key] = trace
        if not runs:
            raise InputError(nothing_read(problems), "choose another", file=path.name)
        return [_run(name, traces, problems, path) for name, traces in runs.items()]


def nothing_read(problems: Problems) -> str:
    """Say why traces give no run, by the first problem that tells."""
    if not problems.kept:
        return "holds no trace"
    # what was left out of an event is not why there is no trace
    why = next((problem for problem in problems.kept if not problem.times), problems.kept[0])
    return f"holds no trace that can be read ({why})"


def _run_name(path: Path) -> str:
    return bare_name(path.name)


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
            raise InputError(nothing_read(problems), "choose another", file=path.name)
        return EpisodeSet(_run_name(path), cls.name, episodes, problems, path)


_NEEDED = {"id", "dataset", "instruction", "start", "world"}


class EpisodeLines:
    """Reads episodes that NavViz wrote."""

    name: ClassVar[str] = "NavViz episodes"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line is an episode of NavViz."""
        first = peek(path).first_line
        return isinstance(first, dict) and first.keys() >= _NEEDED

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all lines; raises `InputError` where not one is an episode."""
        problems, episodes = Problems(), dict[str, Episode]()
        for number, line in json_lines(path, problems):
            try:
                episode = Episode.model_validate(line)
            except ValidationError as error:
                fault = error.errors()[0]
                field = ".".join(str(part) for part in fault["loc"])
                where = f"{path.name}:{number}"
                problems.skip(
                    Problem(fault["msg"].lower(), "the other lines are shown", where, field=field)
                )
                continue
            if episode.id in episodes:
                problems.skip(
                    Problem(
                        "is there twice",
                        "the last one is shown",
                        f"{path.name}:{number}",
                        episode.id,
                    )
                )
            episodes[episode.id] = episode
        if not episodes:
            raise InputError(
                "holds no episode of NavViz",
                "write it with navgen, or open another",
                file=path.name,
            )
        return EpisodeSet(path.stem, cls.name, episodes, problems, path)


def write_episodes(episodes: Iterable[Episode], path: Path) -> None:
    """Write episodes, one a line; raises `StoreError` where that is not possible."""
    lines = [
        json.dumps(_written_fields(episode), ensure_ascii=False) + "\n" for episode in episodes
    ]
    write_whole(path, "".join(lines))


def _written_fields(episode: Episode) -> dict[str, Any]:
    """Return the fields to write: those that are no defaults, and those that a reader needs."""
    fields = episode.model_dump(mode="json", exclude_defaults=True)
    return {name: getattr(episode, name) for name in sorted(_NEEDED)} | fields
