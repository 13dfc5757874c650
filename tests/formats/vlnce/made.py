"""Small files in the forms of VLN-CE, in our own words."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

SCAN = "zsNo4HB9uLZ"


def episode(number: int, **changes: Any) -> dict[str, Any]:
    entry = {
        "episode_id": number,
        "trajectory_id": 40 + number,
        "scene_id": f"mp3d/{SCAN}/{SCAN}.glb",
        "start_position": [0.0, 0.5, 0.0],
        "start_rotation": [0.0, 0.0, 0.0, 1.0],
        "info": {"geodesic_distance": 4.0},
        "goals": [{"position": [0.0, 0.5, -4.0], "radius": 3.0}],
        "instruction": {
            "instruction_text": f"Go ahead, number {number}. ",
            "instruction_tokens": [1],
        },
        "reference_path": [[0.0, 0.5, 0.0], [0.0, 0.5, -4.0]],
    }
    return entry | changes


def expert(metres: float = 4.0) -> dict[str, Any]:
    count = round(metres / 0.25)
    places = [[0.0, 0.5, -0.25 * k] for k in range(count + 1)]
    return {"locations": places, "actions": [1] * count + [0], "forward_steps": count}


def write(path: Path, value: Any) -> Path:
    text = json.dumps(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def split(folder: Path, count: int = 2, name: str = "val_seen.json.gz") -> Path:
    fields = {"episodes": [episode(k) for k in range(1, count + 1)], "instruction_vocab": {}}
    return write(folder / name, fields)


def predictions(count: int = 2) -> dict[str, Any]:
    turned = {"position": [0.0, 0.5, 0.0], "heading": math.pi / 12, "stop": False}
    walk = [
        {"position": [0.0, 0.5, 0.0], "heading": 0.0, "stop": False},
        turned,
        {**turned, "position": [0.0, 0.5, -2.5]},
        {**turned, "position": [0.0, 0.5, -2.5], "stop": True},
    ]
    return {str(k): walk for k in range(1, count + 1)}


def figures(success: float = 1.0) -> dict[str, Any]:
    return {"distance_to_goal": 1.5, "success": success, "spl": 0.5, "ndtw": 0.25, "steps_taken": 9}
