"""What stands at the two ends of a trace: episode and instruction in its header, the stop and how
it ended behind.

50,000 traces are read so in two seconds. Nothing of it is a result: `measure` reads each trace as
any other is read and replaces every value.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.errors import InputError, Problems
from navviz.formats import GraphOf
from navviz.formats.world_cache import packed_problems
from navviz.records import Episode
from navviz.records.trace_files import SUFFIX, bare_name, empty_trace
from navviz.records.trace_lines import LINE_LIMIT, is_own, trace_lines
from navviz.records.trace_parts import (
    is_recoded,
    part_named,
    parts_of,
    trace_parts,
    unpacked_bytes_at,
)
from navviz.records.walker import is_cut_off
from navviz.runs.index.files import NOT_REGULAR, FileState
from navviz.runs.index.measure import Stage, Table, table_of
from navviz.support.guarded import (
    Json,
    is_regular,
    listed_bytes,
    marked_encoding,
    opened_lines,
    parse_json,
    report_bytes,
    report_sizes,
    size_of,
)
from navviz.world.geometry import great_circle_m

_LINE = b'\n{"type":"'

_STEP, _MOVE, _WAYPOINTS = _LINE + b'step"', _LINE + b'move"', _LINE + b'waypoints"'
_EDIT = _LINE + b'edit"'


class _Header(BaseModel):
    """The fields of a header that the list needs; the parser passes over everything else."""

    model_config = ConfigDict(extra="ignore")
    type: Any = None
    run: Any = None
    source: Any = None
    poses: Any = None
    episode: Any = None


class Ends(NamedTuple):
    """What is known of a trace by its ends; nothing of it is a result."""

    header: _Header
    steps: int
    node: str | None
    """Where the last step or move ended; ``None`` where there is none, or nobody knows."""
    status: str | None
    """How it ended; ``None`` where it did not."""
    waypoints: bool
    """Whether it has the waypoints of a published log."""


class _Glance(BaseModel):
    """The few fields of an event that tell where a walk stopped."""

    model_config = ConfigDict(extra="ignore")
    type: Any = None
    node: Any = None
    path: Any = None
    status: Any = None


def ends_of(raw: bytes, name: str, *, own: bool | None = None) -> Ends | None:
    """Return what the ends of one trace say; ``None`` where its header is no JSON."""
    if is_own(raw) if own is None else own:
        header = _header(_line_behind(raw, -1), name)
        return None if header is None else _by_ends(header, raw)
    first = next(trace_lines(io.BytesIO(raw)), None)
    header = _header(first.raw, name) if first is not None else None
    return None if header is None else _by_events(header, raw)


def _header(raw: bytes, name: str) -> _Header | None:
    try:
        return _Header.model_validate_json(raw)
    except (
        ValidationError
    ):  # Python's parser takes halves of characters, and bytes that are no UTF-8
        try:
            value = parse_json(raw.decode("utf-8", errors="replace"), name, lenient=True)
        except InputError:
            return None
    return _Header.model_validate(value) if isinstance(value, dict) else None


def _by_ends(header: _Header, raw: bytes) -> Ends:
    last = _glance(_line_behind(raw, raw.rfind(b"\n", 0, len(raw) - 1)))
    # searched from the end: the middle of a trace is most of its bytes
    step = raw.rfind(_STEP)
    node = None
    if step >= 0:
        node = _node_after(_glance(_line_behind(raw, max(step, raw.rfind(_MOVE, step)))))
    # what an edited walk came to is no result of its run
    node = None if _EDIT in raw else node
    return Ends(header, raw.count(_STEP), node, _status(last), _WAYPOINTS in raw)


def _line_behind(raw: bytes, at: int) -> bytes:
    """Return the line behind a line break."""
    end = raw.find(b"\n", at + 1)
    return raw[at + 1 : end if end >= 0 else len(raw)]


def _by_events(header: _Header, raw: bytes) -> Ends:
    steps, node, status, waypoints, edited = 0, None, None, False, False
    for event in _events(raw):
        edited = edited or event.type == "edit"
        steps += event.type == "step"
        waypoints = waypoints or event.type == "waypoints"
        # events may follow the end where a run was taken up again
        status = _status(event) or status
        if event.type == "step" or (event.type == "move" and steps):
            node = _node_after(event)
    return Ends(header, steps, None if edited else node, status, waypoints)


def _events(raw: bytes) -> Iterator[_Glance]:
    for line in trace_lines(io.BytesIO(raw)):
        event = _glance(line.raw)
        if event is not None:
            yield event


def _glance(raw: bytes) -> _Glance | None:
    try:
        return _Glance.model_validate_json(raw)
    except ValidationError:
        return None


def _node_after(event: _Glance | None) -> str | None:
    """Return where the agent stands after a step has begun, or after a move."""
    if event is None:
        return None
    if event.type == "move":
        node = event.path[-1] if isinstance(event.path, list) and event.path else None
    else:
        node = event.node
    return node if isinstance(node, str) else None


def _status(event: _Glance | None) -> str | None:
    if event is None or event.type != "end" or not isinstance(event.status, str):
        return None
    return event.status


_LIMIT = 1 << 24

"""Of longer traces only the first line is read; the rest when they are measured."""

_AT_ONCE = 100

"""Traces between two reports of how far it is."""

_RADIUS_M = Episode.model_fields["success_radius_m"].default


_Row = tuple[Any, ...]

_COLUMNS = (
    *FileState._fields,
    *(
        "stage",
        "problems",
        "run",
        "world",
        "start",
        "dataset",
        "ended",
        "foreign",
        "tasks",
        "posed",
    ),
    *("stop", "goal", "radius_m", "episode", "instruction", "outcome", "steps", "walked"),
)

_NOTHING: _Row = (None,) * (len(_COLUMNS) - len(FileState._fields) - 2)


def read_heads(folder: Path, states: Sequence[FileState]) -> Table:
    """Return a row for each trace, in the order of files; a file may have several."""
    # tuples, since the garbage collector passes over those: with dictionaries it took a third of
    # the time
    rows: list[_Row] = []
    one_file, run = is_regular(folder), bare_name(folder.name)
    report_sizes(sum(max(state.size, 0) for state in states))
    for at in range(0, len(states), _AT_ONCE):
        piece = states[at : at + _AT_ONCE]
        for state in piece:
            rows += (
                _rows_of_part(folder, state, run) if one_file else _rows_of_file(folder, state, run)
            )
        report_bytes(sum(max(state.size, 0) for state in piece))
    columns = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
    return table_of(dict(zip(_COLUMNS, columns, strict=True)), len(rows))


def _rows_of_file(folder: Path, state: FileState, run: str) -> list[_Row]:
    """Return a row for each trace of a file in a folder."""
    if state.size == 0:
        problems = Problems()
        problems.skip(empty_trace(state.file))
        packed = packed_problems(problems)
        return [(*state, Stage.NOT_BEGUN.value, packed, *_NOTHING)]
    name, part = part_named(state.file) if "@" in state.file else (state.file, None)
    if state.size == NOT_REGULAR:
        path = folder / name
        problems = Problems()
        try:
            size_of(path)
        except InputError as error:
            problems.skip(error.problem)
        return [(*state, Stage.UNREADABLE.value, packed_problems(problems), *_NOTHING)]
    if part is not None:
        return _rows_of_part(folder / name, state, run)
    raw = _raw(folder, state)
    if raw is not None and is_own(raw):
        return [_row(ends_of(raw, name, own=True), state, run)]
    path = folder / name
    parts = (
        parts_of(io.BytesIO(raw)) if raw is not None and not is_recoded(path) else trace_parts(path)
    )
    if len(parts) < 2:
        ends = ends_of(raw if raw is not None else _first_line(path), state.file)
        return [_row(ends, state, run, whole=raw is not None)]
    rows = []
    for each in parts:
        rows += _rows_of_part(
            path, state._replace(file=f"{path.name}@{each.name}", size=each.size), run
        )
    return rows


def _raw(folder: Path, state: FileState) -> bytes | None:
    """Return a trace as it was written."""
    # one long trace would hold up the list of all
    if state.size > _LIMIT:
        return None
    try:
        if not state.file.endswith(SUFFIX):
            return _unpacked(folder / state.file)
        raw = listed_bytes(f"{folder}{os.sep}{state.file}", state.size)
        return _unpacked(folder / state.file) if marked_encoding(raw[:4]) else raw
    except InputError:
        return None


def _unpacked(path: Path) -> bytes:
    """Return what a packed file holds, up to where it is damaged."""
    pieces = []
    try:
        with opened_lines(path) as file:
            while line := file.readline(LINE_LIMIT):
                pieces.append(line)
    except InputError:
        if not pieces:
            raise
    return b"".join(pieces)


def _first_line(path: Path) -> bytes:
    try:
        with opened_lines(path) as file:
            return file.readline(LINE_LIMIT)
    except InputError:
        return b""


def _rows_of_part(path: Path, state: FileState, run: str) -> list[_Row]:
    """Return the row of one of the traces of a file."""
    part = part_named(state.file)[1]
    if part is None:
        return []
    try:
        raw = unpacked_bytes_at(path, part.start, min(part.size, _LIMIT))
    except InputError:
        raw = b""
    return [_row(ends_of(raw, state.file), state, run, whole=part.size <= _LIMIT)]


def _row(ends: Ends | None, state: FileState, run: str, *, whole: bool = True) -> _Row:
    facts = _NOTHING if ends is None else _of_episode(ends, run, whole=whole)
    return (*state, Stage.HEAD.value, None, *facts)


def _of_episode(ends: Ends, run: str, *, whole: bool) -> _Row:
    header = ends.header
    episode = header.episode
    if header.type != "header" or not isinstance(episode, dict):
        return _NOTHING
    key, instruction = episode.get("id"), episode.get("instruction")
    if not isinstance(key, str) or not isinstance(instruction, str):
        return _NOTHING
    # records leave blanks out, and both ways of reading must name the episode alike
    if key != key.strip():
        return _NOTHING
    posed, tasks = bool(header.poses or episode.get("places")), bool(episode.get("tasks"))
    names = (
        str(header.run or run),
        *(str(episode.get(name) or "") for name in ("world", "start", "dataset")),
    )
    foreign = header.source is not None
    stop = (None, None, None)
    # poses, sub-tasks and waypoints are measured otherwise than by the last node
    # where a walk of ours stands that ended in the middle is no result
    is_open = is_cut_off(ends.status) and not foreign
    if whole and not (posed or tasks or ends.waypoints or is_open):
        stop = _stop(ends, episode)
    outcome = "unfinished" if is_open else "unknown"
    ways: _Row = (None, None)
    if whole:
        ways = (ends.steps, bool(ends.steps or ends.waypoints))
    return (*names, ends.status, foreign, tasks, posed, *stop, key, instruction, outcome, *ways)


def _stop(ends: Ends, episode: Mapping[str, Json]) -> _Row:
    """Return where the walk stopped, the goal, and how near counts, by the last step."""
    reference, radius_m = episode.get("reference_path"), episode.get("success_radius_m", _RADIUS_M)
    goal = episode.get("goal") or (
        reference[-1] if isinstance(reference, list) and reference else None
    )
    if not isinstance(goal, str) or not isinstance(radius_m, int | float):
        return (None, None, None)
    stop = ends.node if ends.steps else str(episode.get("start"))
    return (stop, goal, float(radius_m))


def with_errors(table: Table, graph_of: GraphOf) -> Table:
    """Return an index whose heads have outcome and error: outdoors, where that is straight."""
    stages, stops, goals, worlds, radii = (
        table[name].to_pylist() for name in ("stage", "stop", "goal", "world", "radius_m")
    )
    errors_m, outcomes = table["NE"].to_pylist(), table["outcome"].to_pylist()
    unmeasured = [k for k, stage in enumerate(stages) if stage == Stage.HEAD]
    open_rows = [k for k in unmeasured if stops[k] and errors_m[k] is None]
    for world in dict.fromkeys(worlds[k] for k in open_rows):
        graph = graph_of(world)
        index = graph.index
        rows = [
            k for k in open_rows if worlds[k] == world and stops[k] in index and goals[k] in index
        ]
        # indoors the error is a walk on the graph, which takes as long as measuring
        if graph.frame != "geo" or not rows:
            continue
        ends = graph.positions[[index[stops[k]] for k in rows]]
        at_goal = graph.positions[[index[goals[k]] for k in rows]]
        for k, error_m in zip(rows, great_circle_m(at_goal, ends).tolist(), strict=True):
            errors_m[k] = error_m
            outcomes[k] = "success" if error_m <= radii[k] else "failure"
    return _replaced(table, {"NE": errors_m, "outcome": outcomes}) if open_rows else table


def _replaced(table: Table, columns: Mapping[str, Sequence[object]]) -> Table:
    for name, values in columns.items():
        at = table.schema.get_field_index(name)
        table = table.set_column(
            at, table.schema.field(at), pa.array(values, table.schema.field(at).type)
        )
    return table
