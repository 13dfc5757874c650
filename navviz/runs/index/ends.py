"""What the two ends of a trace say, in whatever spelling: its header, its last step and how it
ended.

A trace that NavViz wrote is read at its ends alone, which takes a third of the time; of any other
one each event is parsed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.errors import InputError
from navviz.records.trace_lines import is_own, trace_lines
from navviz.support.guarded import parse_json

_LINE = b'\n{"type":"'
_STEP, _MOVE, _WAYPOINTS = _LINE + b'step"', _LINE + b'move"', _LINE + b'waypoints"'


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
    """Return what the ends of one trace say; ``None`` where its header is no JSON.

    Parameters
    ----------
    raw
        The trace.
    name
        Of its file.
    own
        What `is_own` says, where somebody has asked it.
    """
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
    return Ends(header, raw.count(_STEP), node, _status(last), _WAYPOINTS in raw)


def _line_behind(raw: bytes, at: int) -> bytes:
    """Return the line behind a line break."""
    end = raw.find(b"\n", at + 1)
    return raw[at + 1 : end if end >= 0 else len(raw)]


def _by_events(header: _Header, raw: bytes) -> Ends:
    steps, node, status, waypoints = 0, None, None, False
    for event in _events(raw):
        steps += event.type == "step"
        waypoints = waypoints or event.type == "waypoints"
        # events may follow the end where a run was taken up again
        status = _status(event) or status
        if event.type == "step" or (event.type == "move" and steps):
            node = _node_after(event)
    return Ends(header, steps, node, status, waypoints)


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
