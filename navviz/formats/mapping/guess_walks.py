"""Guess where an agent went in a log: nodes or positions, their frame, and what goes along them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from navviz.formats.mapping import values
from navviz.formats.mapping.guess_along import (
    guess_actions,
    guess_headings,
    guess_pictures,
)
from navviz.formats.mapping.guess_order import degrees_frame
from navviz.formats.mapping.model import Frame, WalkFields
from navviz.formats.mapping.paths import parse_path, series
from navviz.support.guarded import Json
from navviz.world.graph import Graph

_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("episode_id", "instr_id", "episode", "ep_id", "traj_id", "trajectory_id", "task_id",
           "sample_id", "sample_idx", "uid", "uuid", "idx", "index", "run_id", "trial", "name",
           "id", "ep", "key", "no", "number", "nr"),
    "world": ("scene_id", "scan_id", "scan", "scene", "world", "house", "env_name", "environment",
              "map", "city", "building", "env", "zone", "site", "floor_plan"),
    "instruction": ("instruction", "instruction_text", "episode_instruction", "navigation_text",
                    "instr", "command", "query", "prompt_text", "task", "goal_text", "text", "said",
                    "description", "utterance", "language"),
    "positions": ("trajectory", "positions", "position", "path", "poses", "pose", "locations",
                  "location", "agent_path", "pred_path", "walk", "route", "track", "states", "xyz",
                  "pos", "coords", "coordinates", "points", "waypoints", "gps"),
    "nodes": ("trajectory", "path", "pred_path", "viewpoints", "viewpoint", "nodes", "node",
              "panos", "pano", "route", "walk", "visited", "viewpoint_id", "place"),
    "headings": ("heading", "headings", "yaw", "yaws", "bearing", "rotation", "orientation",
                 "compass", "theta", "heading_deg", "yaw_deg"),
    "actions": ("action", "actions", "act", "move", "decision", "command", "primitive"),
    "prompts": ("prompt", "prompts", "input", "messages", "question", "llm_input", "request"),
    "thoughts": ("thought", "thoughts", "reasoning", "rationale", "think", "cot", "analysis",
                 "why", "reason", "explanation"),
    "replies": ("reply", "response", "output", "answer", "raw", "completion", "llm_output",
                "generation"),
    "reference": ("reference_path", "gt_path", "reference", "expert_path", "ground_truth",
                  "gt_trajectory", "gold_path"),
    "start": ("start_position", "start", "start_pos", "origin"),
    "goal": ("goal_position", "goal", "target", "target_position", "end_position", "goal_pos"),
    "start_heading": ("start_heading", "start_yaw", "initial_heading", "initial_yaw", "heading0",
                      "start_bearing", "yaw0"),
}  # fmt: skip
_NOT_WALKED = ("gt", "reference", "ref", "expert", "gold", "ground", "teacher", "goal", "target")
_SCAN = re.compile(r"(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9]{11}")


def last_name(path: str) -> str:
    """Return the last key of a path, in small letters."""
    keys = [part.key for part in parse_path(path) if part.kind == "key"]
    return keys[-1].lower() if keys else ""


def rank(name: str, role: str) -> float:
    """Return how well a name fits a role: 2 for the usual ones, less for those that contain one."""
    names = _NAMES[role]
    if name in names:
        return 2.0 - names.index(name) / 100
    words = set(re.split(r"[^a-z]+", name))
    inner = [each for each in names if each in words or (len(each) > 4 and each in name)]
    return 1.0 if inner else 0.0


def is_reference(path: str) -> bool:
    """Tell whether a path names where somebody should have gone."""
    words = re.split(r"[^a-z]+", path.lower())
    return any(word in _NOT_WALKED for word in words)


def is_scan(text: str) -> bool:
    """Tell whether a text names a scan of Matterport3D, alone or as a file."""
    return _SCAN.fullmatch(text.rsplit("/", maxsplit=1)[-1].split(".", maxsplit=1)[0]) is not None


def guess_walk(
    records: Sequence[Json], leaves: Sequence[str], graphs: Sequence[Graph], world: str
) -> tuple[dict[str, Any], float]:
    """Return the fields of the walk, and how good they are; none where there is no walk."""
    nodes, node_score = _nodes(records, leaves, graphs)
    positions, position_score = _positions(records, leaves)
    if max(node_score, position_score) <= 0.0:
        # less than any walk with places: those are where the agent really was
        by_actions = guess_actions(records, leaves)
        return by_actions, 2.0 if by_actions else 0.0
    walk: dict[str, Any] = {}
    if position_score >= node_score:
        walk["positions"] = positions
        walk["frame"] = _frame(records, positions, graphs, world)
        count_path = positions[0]
    else:
        walk["nodes"] = nodes
        count_path = nodes
    for role in ("headings", "actions", "prompts", "thoughts", "replies"):
        path = _along(records, leaves, role, count_path)
        if path is not None:
            walk[role] = path
    if "headings" in walk:
        walk |= guess_headings(records, walk)
    pictures = guess_pictures(records, leaves, count_path)
    if pictures is not None:
        walk["pictures"] = pictures
    return walk, 4.0 + max(node_score, position_score)


def _nodes(
    records: Sequence[Json], leaves: Sequence[str], graphs: Sequence[Graph]
) -> tuple[str, float]:
    """Return the path to the nodes of the walk: those that stand in a graph, or look like ids."""
    best, best_score = "", 0.0
    for path in leaves:
        if is_reference(path):
            continue
        ids, longest, empty = list[str](), 0, 0
        for record in records[:20]:
            nodes = values.nodes_at(record, path)
            ids += nodes
            longest = max(longest, len(nodes))
            empty += not nodes
        if len(ids) < 2 or ("[*]" not in path and longest < 2):
            continue
        # ids have no blanks: such texts are sentences
        if any(" " in node or len(node) > 64 for node in ids[:100]):
            continue
        there = any(set(ids[:100]) <= set(graph.ids) for graph in graphs)
        score = rank(last_name(path), "nodes") + (3.0 if there else 0.0) - 0.05 * len(path) / 10
        score -= 2.0 * empty / len(records[:20])
        if score > best_score and (there or rank(last_name(path), "nodes") > 0):
            best, best_score = path, score
    return best, best_score


def _positions(records: Sequence[Json], leaves: Sequence[str]) -> tuple[list[str], float]:
    """Return the path, or the paths of the coordinates, to the positions of the walk."""
    best, best_score = [""], 0.0
    for paths in [*([path] for path in leaves), *_columns(leaves)]:
        # where somebody should have gone looks just like where the agent went
        if is_reference(paths[0]) or "[*]" not in paths[0]:
            continue
        flat = _all_positions(records, paths)
        sound = [each for each in flat if each is not None and 2 <= len(each) <= 7]
        # a few broken positions are faults of the log, many are another kind of list
        if not sound or len(sound) < len(flat) * 0.9 or len(flat) <= len(records[:20]):
            continue
        name = last_name(paths[0])
        score = 1.0 + max(rank(name, "positions"), 1.5 if len(paths) > 1 else 0.0)
        # quaternions and one-hot actions are lists of three or four numbers, too
        if rank(name, "headings") > 0 or rank(name, "actions") > 0:
            score -= 2.0
        if score > best_score:
            best, best_score = paths, score
    return best, best_score


def _all_positions(records: Sequence[Json], paths: Sequence[str]) -> list[list[float] | None]:
    """Return the positions of the first entries, one after the other."""
    taken: list[list[float] | None] = []
    for record in records[:20]:
        taken += values.raw_positions(record, paths)
    return taken


def _columns(leaves: Sequence[str]) -> Iterable[list[str]]:
    """Yield paths of coordinates that stand beside each other: x, y, z or latitude, longitude."""
    there = set(leaves)
    ends = (
        ("x", "y", "z"), ("pos_x", "pos_y", "pos_z"), ("px", "py", "pz"), ("x_m", "y_m", "z_m"),
        ("lat", "lon", "alt"), ("latitude", "longitude", "altitude"), ("lat", "lng", "alt"),
        ("lat", "lon"), ("latitude", "longitude"), ("lat", "lng"), ("x", "y"), ("px", "py"),
        ("col", "row"), ("u", "v"),
    )  # fmt: skip
    for path in leaves:
        # a column of lists has the coordinate of all places in one cell
        tail = "[*]" if path.endswith("[*]") else ""
        bare = path.removesuffix("[*]")
        for names in ends:
            if bare.lower().endswith(names[0]):
                stem = bare[: -len(names[0])]
                taken = [stem + _in_case(name, bare) + tail for name in names]
                if set(taken) <= there and stem[-1:] in {"", ".", "_"}:
                    yield taken


def _in_case(name: str, like: str) -> str:
    """Return a name in the case of another path's end: X beside Y and Z."""
    return name.upper() if like[-1:].isupper() else name


def _frame(
    records: Sequence[Json], paths: Sequence[str], graphs: Sequence[Graph], world: str
) -> Frame:
    """Return the frame of positions: by names, by the bounds of a graph, by the flattest axis.

    Of agents in Matterport3D's scans, those that log positions walk in Habitat.
    """
    name = " ".join(paths).lower()
    points = [each for each in _all_positions(records, paths) if each is not None]
    # names before numbers: metres near 48 and 11 would look like Munich
    in_order = degrees_frame(records, paths, points, graphs)
    if in_order is not None:
        return in_order
    if any(len(point) < 3 for point in points):
        return "enu"
    for graph in graphs:
        if graph.frame == "metric" and len(graph.ids) and graph.name in {world, ""}:
            fitting = [each for each in _INDOORS if _within(points, each, graph)]
            if len(fitting) == 1:
                return fitting[0]
    if is_scan(world) or "ned" in name:
        return "habitat" if is_scan(world) else "ned"
    return _by_heights(points)


def _by_heights(points: Sequence[Sequence[float]]) -> Frame:
    """Return the frame whose height changes least; heights of AirSim are negative."""
    spans = []
    for k in range(3):
        along = [point[k] for point in points]
        spans.append(max(along) - min(along))
    # people and robots change their height least of all
    if spans[1] <= spans[2]:
        return "habitat"
    heights = [point[2] for point in points]
    return "ned" if max(heights) < 0 and min(heights) < -3.0 else "enu"


_INDOORS: tuple[Frame, ...] = ("habitat", "enu", "ned")


def _within(points: Sequence[Sequence[float]], frame: Frame, graph: Graph) -> bool:
    """Tell whether nearly all positions of a frame lie in the bounds of a graph."""
    # 2 m: the outermost viewpoint stands in a room, not at its wall
    low, high = graph.positions.min(axis=0) - 2.0, graph.positions.max(axis=0) + 2.0
    inside = 0
    for point in points:
        placed = values.placed(point, WalkFields(frame=frame), None)
        if placed is not None:
            inside += all(low[k] <= placed[k] <= high[k] for k in range(3))
    return inside >= 0.9 * len(points)


def _along(
    records: Sequence[Json], leaves: Sequence[str], role: str, count_path: str
) -> str | None:
    """Return the path of a series that runs along the walk."""
    best, best_score = None, 0.5
    for path in leaves:
        if path == count_path or ("[*]" not in path):
            continue
        score = rank(last_name(path), role)
        if score <= best_score:
            continue
        for record in records[:5]:
            count = len(series(record, count_path))
            taken = values.aligned(record, path, count)
            if taken is None or all(each is None for each in taken):
                score = 0.0
        if score > best_score:
            best, best_score = path, score
    return best
