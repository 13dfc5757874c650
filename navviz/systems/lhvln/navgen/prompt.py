"""NavGen's prompts in our own words: write a task from a scene and a robot; write a step task from
actions and tags.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from navviz.records import Message
from navviz.systems.lhvln.navgen.dictionary import SceneDictionary

ROBOTS: Mapping[str, str] = {
    "spot": (
        "Spot: a four-legged robot, agile, climbs stairs and walks on rough ground; its cameras and"
        " its arm are low, about 0.5 m above the floor."
    ),
    "stretch": (
        "Stretch: a robot on wheels for flat ground only; its cameras and its arm are about 1 m"
        " above the floor."
    ),
}

TASK_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "Task instruction": {"type": "string"},
        "Subtask list": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["Task instruction", "Subtask list"],
}
STEP_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"instruction": {"type": "string"}},
    "required": ["instruction"],
}

_PLANNER = (
    "You plan practical household tasks of several steps for a robot, from what is in its home."
)
_RULES = """Rules:
1. A sub-task has one of three forms: Move_to("object_regionid"), Grab("object"), Release("object"). Grab comes after \
moving to the object, with an empty arm; Release comes after moving to where it goes, with a full arm.
2. Never write the words grab or release in the instruction.
3. Take the objects from one or two regions, and name their rooms in the instruction, never the word region or its \
number.
4. Good tasks follow the pattern: take X from room A to Y in room B, then fetch Z from there.
5. What is taken must be something that can be carried.
6. Write 4 to 6 sub-tasks; every object and region id must be in the scene.
7. Write the instruction as a person would say it.
Answer with one dictionary with the keys "Task instruction" and "Subtask list"."""
_EXAMPLE = {
    "scene": {"Region 2: Bedroom": ["bag", "wardrobe"], "Region 5: Office": ["desk", "folder"]},
    "answer": {
        "Task instruction": (
            "Bring the bag from the bedroom to the desk in the office, then pick up the folder"
            " there"
        ),
        "Subtask list": [
            "Move_to('bag_2')",
            "Grab('bag')",
            "Move_to('desk_5')",
            "Release('bag')",
            "Move_to('folder_5')",
            "Grab('folder')",
        ],
    },
}
_STEP = """You turn a robot's path into spoken directions. You get its target and, for each part of the path in order, \
what the robot does and what it sees there. Keep the order and the number of parts. Use one fitting thing a part: a \
place for going ahead, a thing for a turn. The last part ends at the target. Do not write the word step. Write the \
directions only."""
_STEP_EXAMPLE = {
    "target": "kettle",
    "step_0": {"action": "move_forward", "tags": ["hallway", "picture"]},
    "step_1": {"action": "turn_left", "tags": ["door", "rug"]},
    "step_2": {"action": "move_forward", "tags": ["kitchen", "counter"]},
}
_STEP_ANSWER = (
    "Go along the hallway, turn left at the door, and walk on through the kitchen to the kettle."
)


def task_messages(scene: SceneDictionary, robot: str) -> tuple[Message, ...]:
    """Return the prompt of one task."""
    example_scene, answer = json.dumps(_EXAMPLE["scene"]), json.dumps(_EXAMPLE["answer"])
    example = f"Example:\nscene: {example_scene}\nanswer: {answer}"
    task = f"scene: {json.dumps(scene, ensure_ascii=False)}\nrobot: {ROBOTS.get(robot, robot)}"
    text = f"{_RULES}\n\n{example}\n\nKeep to the rules. Think before you answer.\n{task}"
    return Message(role="system", text=_PLANNER), Message(role="user", text=text)


def step_messages(target: str, parts: Sequence[tuple[str, Sequence[str]]]) -> tuple[Message, ...]:
    """Return the prompt of one step task; `parts` are pairs of action and tags."""
    path: dict[str, Any] = {"target": target}
    for k, (action, tags) in enumerate(parts):
        path[f"step_{k}"] = {"action": action, "tags": list(tags)}
    example = f"Example:\n{json.dumps(_STEP_EXAMPLE)}\n{json.dumps({'instruction': _STEP_ANSWER})}"
    text = f"{example}\n\nNow this path:\n{json.dumps(path, ensure_ascii=False)}"
    return Message(role="system", text=_STEP), Message(role="user", text=text)
