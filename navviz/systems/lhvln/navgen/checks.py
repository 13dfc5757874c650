"""Check a written task: what NavGen rejects, and what its rules ask for, each as a mark that can be
shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from navviz.records import Message
from navviz.systems.lhvln.navgen.places import NOT_EXTRACTED, Places, SceneDictionary, Thing

_SUBTASK = re.compile(r"""^\s*(Move_to|Grab|Release)\(\s*['"](.+)['"]\s*\)\s*$""")

_LEAST, _MOST = 4, 6

_HEAPS = frozenset({"stack", "pile", "pair"})
"""``stack of papers`` can be carried, ``wall of books`` cannot."""

PORTABLE = frozenset(
    {
        "kettle",
        "towel",
        "bag",
        "book",
        "box",
        "bottle",
        "cup",
        "mug",
        "plate",
        "bowl",
        "glass",
        "jar",
        "vase",
        "basket",
        "blanket",
        "cushion",
        "toy",
        "ball",
        "hat",
        "shoe",
        "shirt",
        "jacket",
        "coat",
        "scarf",
        "umbrella",
        "newspaper",
        "magazine",
        "folder",
        "paper",
        "pen",

        "lamp",
        "candle",
        "tray",
        "pan",
        "pot",
        "knife",
        "spoon",
        "fork",
        "remote",
        "phone",
        "laptop",
        "tablet",
        "camera",
        "plant",
        "flower",
        "brush",
        "soap",
        "shampoo",
        "tissue",
        "toothbrush",
        "hanger",
        "suitcase",
        "backpack",
        "purse",
        "key",
        "teddy",
        "doll",
        "guitar",
        "radio",
    }
)  # fmt: skip
"""Things that can be carried; a name counts by its last word (``stuffed toy``)."""


@dataclass(frozen=True, slots=True)
class Written:
    """A task as an author wrote it."""

    instruction: str
    subtasks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """One rule, and whether the task keeps it."""

    rule: str
    passed: bool
    detail: str = ""
    """What is wrong, for a user."""
    required: bool = True
    """Whether NavGen rejects the task for it; the others are rules of the prompt only."""


@dataclass(frozen=True, slots=True)
class TaskForm:
    """One sub-task taken apart."""

    kind: str
    name: str
    region: str = ""


def read_task(reply: Mapping[str, Any] | None) -> Written | None:
    """Read a reply's dictionary as a task; ``None`` where one of its two keys is missing."""
    instruction, subtasks = (reply or {}).get("Task instruction"), (reply or {}).get("Subtask list")
    if not isinstance(instruction, str) or not isinstance(subtasks, list) or not subtasks:
        return None
    return Written(instruction.strip(), tuple(str(text) for text in subtasks))


def cut_end(instruction: str) -> str:
    """Cut the instruction without a last full stop or question mark, as NavGen keeps it."""
    return instruction[:-1] if instruction.endswith((".", "?")) else instruction


def forms_of(subtasks: Sequence[str]) -> tuple[TaskForm | None, ...]:
    """Sub-tasks taken apart; ``None`` for what is none of the three forms."""
    forms: list[TaskForm | None] = []
    for text in subtasks:
        match = _SUBTASK.match(text)
        if match is None:
            forms.append(None)
        elif match[1] == "Move_to":
            # names hold underscores themselves: the region is behind the last one
            name, _, region = match[2].rpartition("_")
            forms.append(TaskForm("Move_to", name, region))
        else:
            forms.append(TaskForm(match[1], match[2]))
    return tuple(forms)


def things_of(written: Written, places: Places) -> tuple[tuple[TaskForm, Thing], ...]:
    """Return the targets in order if each ``Move_to`` is known, merged by name and region."""
    placed = []
    for form in forms_of(written.subtasks):
        if form is not None and form.kind == "Move_to" and form.region in places.regions:
            things = places.regions[form.region].named(form.name)
            if things:
                goals = dict.fromkeys(chain.from_iterable(thing.goals for thing in things))
                placed.append((form, Thing(form.name, tuple(goals), things[0].poi)))
    return tuple(placed)


def check_task(written: Written | None, places: Places) -> tuple[Check, ...]:
    """Return all marks of a task; unlike in NavGen, region ``1`` is no part of ``10``."""
    if written is None:
        detail = "the reply is no dictionary with 'Task instruction' and 'Subtask list'"
        return (Check("can be read", passed=False, detail=detail),)
    forms = forms_of(written.subtasks)
    read = [form for form in forms if form is not None]
    moves = [form for form in read if form.kind == "Move_to"]
    return (
        Check("can be read", passed=True),
        _mark("sub-tasks are Move_to, Grab or Release", _strange(written, forms)),
        _mark("every region exists", _regions(moves, places)),
        _mark("every object is in its region", _objects(moves, places)),
        _mark(
            "the instruction does not say 'region'",
            _forbidden_words(written.instruction, ("region",)),
        ),
        _mark(
            "the instruction does not say 'grab' or 'release'",
            _forbidden_words(written.instruction, ("grab", "release")),
            hint=True,
        ),
        _mark(f"{_LEAST} to {_MOST} sub-tasks", _length(read), hint=True),
        _mark("the arm is empty before a grab and full before a release", _arm(read), hint=True),
        _mark("what is taken can be carried", _carried(read), hint=True),
    )


def _mark(rule: str, fault: str, *, hint: bool = False) -> Check:
    return Check(rule, not fault, fault, required=not hint)


def _strange(written: Written, forms: Sequence[TaskForm | None]) -> str:
    wrong = [text for text, form in zip(written.subtasks, forms, strict=True) if form is None]
    if wrong:
        return f"{wrong[0]!r} is none of them"
    return "" if any(forms) else "there is none"


def _regions(moves: Sequence[TaskForm], places: Places) -> str:
    wrong = [move.region for move in moves if move.region not in places.regions]
    if not moves:
        return "no sub-task moves"
    return f"there is no region {wrong[0]!r}" if wrong else ""


def _objects(moves: Sequence[TaskForm], places: Places) -> str:
    for move in moves:
        # NavGen leaves walls and windows out of a house's list; outdoors there is no such list
        if move.name in NOT_EXTRACTED and not places.outdoors:
            return f"{move.name!r} is none of the things that tasks are written about"
        region = places.regions.get(move.region)
        if region is not None and not region.named(move.name):
            return f"there is no {move.name!r} in {region.label}"
    return ""


def _forbidden_words(instruction: str, words: Sequence[str]) -> str:
    forbidden = [word for word in words if word in instruction.lower()]
    return f"it says {forbidden[0]!r}" if forbidden else ""


def _length(forms: Sequence[TaskForm]) -> str:
    return "" if _LEAST <= len(forms) <= _MOST else f"there are {len(forms)}"


def _arm(forms: Sequence[TaskForm]) -> str:
    load, moved = "", False
    for form in forms:
        if form.kind == "Move_to":
            moved = True
        elif not moved:
            return f"{form.kind} {form.name!r} comes before any move"
        elif form.kind == "Grab" and load:
            return f"it takes {form.name!r} while it holds {load!r}"
        elif form.kind == "Release" and not load:
            return f"it puts down {form.name!r} without holding anything"
        else:
            # the arm has acted here: the next grab or release wants another move first
            load, moved = (form.name if form.kind == "Grab" else ""), False
    return ""


def _carried(forms: Sequence[TaskForm]) -> str:
    heavy = [form.name for form in forms if form.kind == "Grab" and not portable(form.name)]
    return f"{heavy[0]!r} is not among the things that can be carried" if heavy else ""


def portable(name: str) -> bool:
    """Whether a thing of this name can be carried."""
    words = name.lower().split()
    heaped = "of" in words and words[0] not in _HEAPS
    return (
        bool(words)
        and not heaped
        and (words[-1] in PORTABLE or words[-1].removesuffix("s") in PORTABLE)
    )


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
