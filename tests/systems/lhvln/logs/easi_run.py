"""A run of EASI made up for tests: three episodes, one cut off at 500 steps, one with replies that
are null.

The figures of ``summary.json`` were worked out by hand from the arrays below.
"""

import json
from pathlib import Path
from typing import Any

SCENE = "00999-TestHouse"
SUMMARY = {
    "base": {
        "SR": 0.3333, "OSR": 0.3333, "SPL": 0.303, "NE": 1.5333, "ISR": 0.5714, "CSR": 0.5278, "CGT": 0.537,
        "TAR": 0.8264, "contest_score": 0.6578, "num_episodes": 3, "avg_steps": 220.0,
    },
}  # fmt: skip
EPISODES: dict[str, dict[str, Any]] = {
    "a1": {
        "robot": "spot", "successes": [1, 1], "oracle": [1, 1], "errors": [0.5, 0.8], "steps": [50, 60],
        "gt_steps": [40, 60], "gt_paths": [6.0, 9.0], "stops": 2,
    },
    "b2": {
        "robot": "spot", "successes": [1, 0, 0], "oracle": [1, 1, 0], "errors": [0.3, 4.0], "steps": [100, 400],
        "gt_steps": [50, 60, 70], "gt_paths": [5.0, 8.0], "stops": 1,
    },
    "c3": {
        "robot": "stretch", "successes": [0, 1], "oracle": [0, 1], "errors": [3.0, 0.6], "steps": [30, 20],
        "gt_steps": [10, 20], "gt_paths": [2.0, 7.0], "stops": 2,
    },
}  # fmt: skip
OBJECTS = ("kettle", "lamp", "towel")


def write_run(folder: Path, *, arrays_as_text: bool = True) -> Path:
    """Write the run, with the split's episodes beside it; returns its folder."""
    run = folder / "lhpr_vln_val" / "20260101_scripted"
    for number, (name, each_episode) in enumerate(EPISODES.items()):
        place = run / "episodes" / f"{number:03d}_{name}"
        place.mkdir(parents=True)
        lines = _trajectory(each_episode, replies=name != "c3", as_text=arrays_as_text)
        (place / "trajectory.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        (place / "result.json").write_text(
            json.dumps({"task_success": float(all(each_episode["successes"]))})
        )
    (run / "config.json").write_text(json.dumps({"cli_options": {"model": "scripted-model"}}))
    (run / "summary.json").write_text(json.dumps(SUMMARY))
    lines = [json.dumps(_episode(name, each_episode)) for name, each_episode in EPISODES.items()]
    (run.parent / "val.jsonl").write_text("\n".join(lines) + "\n")
    return run


def _episode(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    count = len(fields["successes"])
    return {
        "id": name,
        "instruction": f"Visit {count} things in order",
        "scene": SCENE,
        "robot": fields["robot"],
        "objects": list(OBJECTS[:count]),
        "regions": [str(k) for k in range(count)],
        "rooms": ["Kitchen", "Bedroom", "Bathroom"][:count],
        "gt_steps": fields["gt_steps"],
        "subtask_list": [f"Move_to('{OBJECTS[k]}_{k}')" for k in range(count)],
        "num_targets": count,
        "batch": "batch_6",
    }


def _trajectory(fields: dict[str, Any], *, replies: bool, as_text: bool) -> list[dict[str, Any]]:
    wrap = json.dumps if as_text else (lambda value: value)
    arrays = {
        "subtask_successes": wrap(fields["successes"]),
        "subtask_oracle_successes": wrap(fields["oracle"]),
        "subtask_nav_errors": wrap(fields["errors"]),
        "subtask_nav_steps": wrap(fields["steps"]),
        "gt_steps": wrap(fields["gt_steps"]),
        "gt_paths": wrap(fields["gt_paths"]),
    }
    lines: list[dict[str, Any]] = [
        {"step": 0, "type": "reset", "agent_pose": [1.0, 0.2, -2.0, 0, 0, 0]}
    ]
    total, z, stage = sum(fields["steps"]), -2.0, 0
    ends = [sum(fields["steps"][: k + 1]) for k in range(fields["stops"])]
    for step in range(1, total + 1):
        stop = step in ends
        stage += stop
        z -= 0.0 if stop or step % 5 == 0 else 0.25
        action = "stop" if stop else "turn_left" if step % 5 == 0 else "move_forward"
        info = {
            "subtask_stage": float(stage),
            "current_geo_distance": max(0.4, 6.0 - 0.05 * step),
            "feedback": "OK",
        }
        lines.append(
            {
                "step": step,
                "type": "step",
                "action": action,
                "llm_response": _reply(step) if replies and step % 3 == 1 else None,
                "agent_pose": [1.0, 0.2, z, 0, 0, 0],
                "reward": 0.0,
                "done": step == total,
                "info": info | (arrays if step == total else {}),
            }
        )
    return lines


def _reply(step: int) -> str:
    return json.dumps(
        {
            "visual_state_description": f"A corridor at step {step}.",
            "reasoning_and_reflection": "The door lies ahead.",
            "language_plan": "Go on.",
            "executable_plan": [
                {"action_id": 0, "action_name": "move_forward"},
                {"action_id": 0, "action_name": "move_forward"},
                {"action_id": 1, "action_name": "turn_left"},
            ],
        }
    )
