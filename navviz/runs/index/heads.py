"""What stands at the two ends of a trace: episode and instruction in its header, the stop and how it ended behind.

50,000 traces are read so in two seconds. Nothing of it is a result: `measure` reads each trace as any other is read
and replaces every value.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from navviz.errors import InputError
from navviz.formats import GraphOf
from navviz.guarded import Json, bytes_at, expect_all, is_regular, listed_bytes, parse_json, passed
from navviz.records import Episode
from navviz.records.trace_files import SUFFIX
from navviz.records.trace_parts import part_named
from navviz.runs.index.columns import Stage, Table, table_of
from navviz.runs.index.files import FileState
from navviz.world.geometry import great_circle_m

__all__ = ["read_heads", "with_errors"]

_LIMIT = 1 << 24
"""Longer traces are read as a whole at once, when they are measured."""
_AT_ONCE = 100
"""Traces between two reports of how far it is."""
_HEADER = b'{"type":"header"'
_STEP, _MOVE, _WAYPOINTS = b'\n{"type":"step",', b'\n{"type":"move",', b'\n{"type":"waypoints",'
_END = b'{"type":"end","status":"'
_NODE = b'"node":"'
_RADIUS_M = Episode.model_fields["success_radius_m"].default

_Row = tuple[Any, ...]
_COLUMNS = (
    *FileState._fields,
    *("stage", "run", "world", "start", "dataset", "ended", "foreign", "tasks", "posed", "stop", "goal", "radius_m"),
    *("episode", "instruction", "outcome", "steps"),
)
_UNTOLD: _Row = (None,) * (len(_COLUMNS) - len(FileState._fields) - 1)


def read_heads(folder: Path, states: Sequence[FileState]) -> Table:
    """Return a row for each trace that NavViz wrote; those written otherwise get one when they are measured."""
    # tuples, since the garbage collector passes over those: with dictionaries it took a third of the time
    rows: list[_Row] = []
    one_file, run = is_regular(folder), folder.name.removesuffix(SUFFIX)
    expect_all(sum(state.size for state in states))
    for at in range(0, len(states), _AT_ONCE):
        part = states[at : at + _AT_ONCE]
        rows += [_row(_raw_in(folder, state, one_file=one_file), state, run) for state in part]
        passed(sum(state.size for state in part))
    columns = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
    return table_of(dict(zip(_COLUMNS, columns, strict=True)), len(rows))


def _raw_in(folder: Path, state: FileState, *, one_file: bool) -> bytes | None:
    """Return a trace as it lies on the disk; ``None`` where it is too long for that or cannot be opened."""
    if state.size > _LIMIT:
        return None
    try:
        if one_file:
            return bytes_at(folder, *part_named(state.file))
        return listed_bytes(f"{folder}{os.sep}{state.file}", state.size)
    except InputError:
        return None


def _row(raw: bytes | None, state: FileState, run: str) -> _Row:
    if state.size == 0:
        return (*state, Stage.NOT_BEGUN.value, *_UNTOLD)
    if raw is None:
        return (*state, Stage.HEAD.value, *_UNTOLD)
    try:
        if not raw.startswith(_HEADER):
            return (*state, Stage.HEAD.value, *_UNTOLD)
        line = raw[: raw.find(b"\n")] if b"\n" in raw else raw
        header = parse_json(line.decode("utf-8", errors="replace"), state.file, lenient=True)
    except InputError:
        return (*state, Stage.HEAD.value, *_UNTOLD)
    return (*state, Stage.HEAD.value, *_told(header, raw, run))


def _told(header: Json, raw: bytes, run: str) -> _Row:
    episode = header.get("episode")
    if not isinstance(episode, dict):
        return _UNTOLD
    key, instruction = episode.get("id"), episode.get("instruction")
    if not isinstance(key, str) or not isinstance(instruction, str):
        return _UNTOLD
    posed, tasks = bool(header.get("poses")), bool(episode.get("tasks"))
    told = (str(header.get("run") or run), *(str(episode.get(name) or "") for name in ("world", "start", "dataset")))
    kind = (_ended(raw), header.get("source") is not None, tasks, posed)
    stop = (None, None, None) if posed or tasks or _WAYPOINTS in raw else _stop(raw, episode)
    return (*told, *kind, *stop, key, instruction, "unknown", raw.count(_STEP))


def _ended(raw: bytes) -> str | None:
    last = raw[raw.rfind(b"\n", 0, max(len(raw) - 1, 0)) + 1 :]
    return last[len(_END) :].partition(b'"')[0].decode(errors="replace") if last.startswith(_END) else None


def _stop(raw: bytes, episode: Mapping[str, Json]) -> _Row:
    """Return where the walk stopped, where the goal is and how near counts, as far as the last step tells."""
    reference, radius_m = episode.get("reference_path"), episode.get("success_radius_m", _RADIUS_M)
    goal = episode.get("goal") or (reference[-1] if isinstance(reference, list) and reference else None)
    if not isinstance(goal, str) or not isinstance(radius_m, int | float):
        return (None, None, None)
    return (_last_node(raw, str(episode.get("start"))), goal, float(radius_m))


def _last_node(raw: bytes, start: str) -> str | None:
    at = raw.rfind(_STEP)
    if at < 0:
        return start
    move = raw.rfind(_MOVE, at)
    if move >= 0:
        nodes = raw[move : raw.find(b"]", move)].rsplit(b'"', 2)
        return nodes[-2].decode(errors="replace")
    node, end = raw.find(_NODE, at), raw.find(b"\n", at + 1)
    if not at < node < (end if end > 0 else len(raw)):
        return None
    return raw[node + len(_NODE) :].partition(b'"')[0].decode(errors="replace")


def with_errors(table: Table, graph_of: GraphOf) -> Table:
    """Return an index whose heads have outcome and navigation error: outdoors, where it is a straight line."""
    stages, stops, goals, worlds, radii = (
        table[name].to_pylist() for name in ("stage", "stop", "goal", "world", "radius_m")
    )
    errors_m, outcomes = table["NE"].to_pylist(), table["outcome"].to_pylist()
    open_rows = [k for k, stage in enumerate(stages) if stage == Stage.HEAD and stops[k] and errors_m[k] is None]
    for world in dict.fromkeys(worlds[k] for k in open_rows):
        graph = graph_of(world)
        index = graph.index
        rows = [k for k in open_rows if worlds[k] == world and stops[k] in index and goals[k] in index]
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
        table = table.set_column(at, table.schema.field(at), pa.array(values, table.schema.field(at).type))
    return table
