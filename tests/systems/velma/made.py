"""Outputs of VELMA, made by the form of its code on the grid of `tests.grids`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from navviz.world.graph import Graph
from tests.grids import grid

__all__ = ["TEMPLATE", "instance", "output", "panoramas"]

TEMPLATE = "Walk by the text.\n{}\n"


def panoramas() -> Graph:
    """Return the grid as a graph of panoramas."""
    graph = grid()
    return replace(graph, info=replace(graph.info, yaw_deg=np.zeros(len(graph))))


def instance(**changes: Any) -> dict[str, Any]:
    """Return one walk: two links ahead, a turn on the spot, one link, stop."""
    walk: dict[str, Any] = {
        "idx": 5,
        "navigation_text": "Two blocks, then left.",
        "start_heading": 90,
        "gold_pano_path": ["r0c0", "r0c1", "r0c2", "r0c2", "r1c2"],
        "gold_actions": ["init", "forward", "forward", "left", "forward", "stop"],
        "agent_actions": ["init", "forward", "forward", "left", "forward", "stop"],
        "agent_states": [["r0c0", 90], ["r0c1", 90], ["r0c2", 90], ["r0c2", 0], ["r1c2", 0], ["r1c2", 0]],
        "agent_pano_path": ["r0c0", "r0c1", "r0c2", "r0c2", "r1c2", "r1c2"],
        "agent_navigation_lines": [
            "1. forward", "A café is on your left.", "2. forward", "There is a 4-way intersection.",
            "3. left", "4. forward", "5. stop",
        ],
        "agent_is_actions": [1, 0, 1, 0, 1, 1, 1],
    }  # fmt: skip
    return {**walk, **changes}


def output(**instances: Any) -> dict[str, Any]:
    """Return a whole output; without instances it holds one."""
    return {
        "opts": {"dataset_name": "map2seq", "model": "gpt-4"},
        "prompt_template": TEMPLATE,
        "time": 3,
        "instances": instances or {"5": instance()},
    }
