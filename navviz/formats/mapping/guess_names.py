"""What the fields of logs are called, and how well a name fits a role."""

from __future__ import annotations

import re

from navviz.formats.mapping.paths import parse_path

_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("episode_id", "instr_id", "episode", "ep_id", "episode_index", "episode_idx", "traj_id",
           "trajectory_id", "trip_id", "trip", "track_id", "task_id", "sample_id", "sample_idx",
           "uid", "uuid", "idx", "index", "run_id", "trial", "name", "id", "ep", "key", "no",
           "number", "nr"),
    "world": ("scene_id", "scan_id", "scan", "scene", "world", "house", "env_name", "environment",
              "map", "city", "building", "env", "zone", "site", "floor_plan"),
    "instruction": ("instruction", "instruction_text", "episode_instruction", "navigation_text",
                    "instr", "command", "query", "prompt_text", "task", "goal_text", "text", "said",
                    "description", "utterance", "language"),
    "positions": ("trajectory", "positions", "position", "path", "poses", "pose", "locations",
                  "location", "agent_path", "pred_path", "walk", "route", "track", "states",
                  "state", "xyz", "pos", "coords", "coordinates", "points", "waypoints", "gps",
                  "polyline", "geometry", "linestring", "line", "shape", "geom", "wkt",
                  "encodedpolyline", "encoded_polyline", "overview_polyline"),
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
    "start": ("start_position", "start", "start_pos", "origin", "init_action", "init_position",
              "initial_position", "start_pose", "init_pose", "initial_pose", "start_location"),
    "goal": ("goal_position", "goal", "target", "target_position", "end_position", "goal_pos"),
    "start_heading": ("start_heading", "start_yaw", "initial_heading", "initial_yaw", "heading0",
                      "start_bearing", "yaw0"),
}  # fmt: skip
_NOT_WALKED = frozenset((
    "gt", "reference", "ref", "expert", "gold", "ground", "teacher", "goal", "target",
    # things, not the agent
    "object", "objects", "obj", "bbox", "box", "boxes", "landmark", "landmarks", "detection",
    "detections", "obstacle", "obstacles", "candidate", "candidates", "receptacle", "receptacles",
    "neighbor", "neighbors", "neighbour", "neighbours", "furniture", "poi", "pois",
    # speeds and turns, not places
    "twist", "linear", "angular", "velocity", "vel", "acceleration", "accel", "acc", "imu", "gyro",
    "covariance", "cmd", "force",
))  # fmt: skip
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SCAN = re.compile(r"(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9]{11}")


def last_name(path: str) -> str:
    """Return the last key of a path, in small letters."""
    keys = [part.key for part in parse_path(path) if part.kind == "key"]
    return snake(keys[-1]) if keys else ""


def snake(name: str) -> str:
    """Return a name in small letters, its words parted by lines: ``taskDesc`` is ``task_desc``."""
    return _HUMP.sub("_", name).lower()


def words_of(path: str) -> set[str]:
    """Return the words in a path."""
    return set(re.split(r"[^a-z0-9]+", snake(path))) - {""}


def rank(name: str, role: str) -> float:
    """Return how well a name fits a role: 2 for the usual ones, less for those that contain one."""
    names = _NAMES[role]
    if name in names:
        return 2.0 - names.index(name) / 100
    words = set(re.split(r"[^a-z]+", name))
    inner = [each for each in names if each in words or (len(each) > 4 and each in name)]
    return 1.0 if inner else 0.0


def is_reference(path: str) -> bool:
    """Tell whether a path names no place of the agent: where it should have gone, or a thing."""
    return not _NOT_WALKED.isdisjoint(words_of(path))


def names_an_id(path: str) -> bool:
    """Tell whether a path leads to an id by its name: it is neither a walk nor an action."""
    # more than a name that only contains one
    return rank(last_name(path), "id") > 1.0


def is_scan(text: str) -> bool:
    """Tell whether a text names a scan of Matterport3D, alone or as a file."""
    return _SCAN.fullmatch(text.rsplit("/", maxsplit=1)[-1].split(".", maxsplit=1)[0]) is not None
