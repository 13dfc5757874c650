"""Walks as the leaderboards of VLN-CE and R2R take them; read again they are the same walks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from navviz.errors import InputError
from navviz.records import Step, Trace
from navviz.records.base import Position
from navviz.records.frames import from_navviz

_SPACE = 3
"""Coordinates of a position in a house."""


def vlnce_predictions(traces: Iterable[Trace]) -> dict[str, list[dict[str, Any]]]:
    """Return ``predictions.json`` of VLN-CE: one pose before the first action and after each.

    Raises
    ------
    InputError
        Where an episode was walked from node to node, or its positions are not those of a house.
    """
    return {trace.episode.id: list(_entries(trace)) for trace in traces}


def _entries(trace: Trace) -> Iterator[dict[str, Any]]:
    if not trace.is_free or not trace.steps:
        raise InputError(
            "was not walked freely, so it has no poses",
            "write it with --format r2r",
            episode=trace.episode.id,
        )
    poses = [(step.position, step.heading_deg) for step in trace.steps]
    poses.append(_last(trace, trace.steps[-1]))
    last = len(poses) - 1
    stops = trace.steps[-1].decision is not None and trace.steps[-1].decision.stop
    for k, (position, heading_deg) in enumerate(poses):
        if position is None or len(position) != _SPACE:
            raise InputError(
                f"has no position in a house before step {k + 1}",
                "leave this episode out",
                episode=trace.episode.id,
            )
        entry: dict[str, Any] = {"position": list(from_navviz(position, "habitat"))}
        if heading_deg is not None:
            # Habitat counts counter-clockwise; the angle stays within half a turn
            entry["heading"] = math.radians((180.0 - heading_deg) % 360.0 - 180.0)
        yield entry | {"stop": stops and k == last}


def _last(trace: Trace, step: Step) -> tuple[Position | None, float | None]:
    """Return the pose after the last step."""
    end = trace.end
    stopped = None if end is None else end.position
    heading_deg = step.heading_deg if step.end_heading_deg is None else step.end_heading_deg
    return step.end_position or stopped or step.position, heading_deg


def r2r_results(traces: Iterable[Trace]) -> list[dict[str, Any]]:
    """Return results as R2R's leaderboard takes them: viewpoint, heading and elevation in radians.

    A viewpoint without a known heading stands alone.

    Raises
    ------
    InputError
        Where an episode was walked freely: it has poses and no viewpoints.
    """
    return [
        {"instr_id": trace.episode.id, "trajectory": list(_viewpoints(trace))} for trace in traces
    ]


def _viewpoints(trace: Trace) -> Iterator[list[Any]]:
    if trace.is_free:
        raise InputError(
            "was walked freely, so it has no viewpoints",
            "write it with --format vlnce",
            episode=trace.episode.id,
        )
    here = ""
    for step in trace.steps:
        for node in step.path or (step.node,):
            if node is None:
                continue
            has_heading = node == step.node and step.heading_deg is not None
            if node != here or has_heading:
                yield [node, math.radians(step.heading_deg or 0.0), 0.0] if has_heading else [node]
            here = node
    if not here:
        yield [trace.episode.start]
