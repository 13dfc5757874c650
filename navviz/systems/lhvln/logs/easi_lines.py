"""The lines of one EASI trajectory, and what is wrong with them as a sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from navviz.errors import Problem, Problems
from navviz.formats.files import json_lines
from navviz.formats.texts import as_count

_ACTIONS = ("move_forward", "turn_left", "turn_right", "stop")


def trajectory_lines(path: Path, name: str, problems: Problems) -> list[dict[str, Any]]:
    """Read the lines of an episode's trajectory; what is broken in them is named with the
    episode.
    """
    broken = Problems()
    lines = []
    for number, line in json_lines(path, broken):
        if isinstance(line, dict):
            lines.append(line)
        else:
            where = f"{path.name}:{number}"
            broken.skip(Problem("is no JSON object", "the other lines are read", where))
    for problem in broken.kept:  # every episode has a file of this name
        problems.skip(replace(problem, file=f"{path.parent.name}/{problem.file}", episode=name))
    # only the first problems are kept, but all of them are counted
    problems.count += broken.count - len(broken.kept)
    return lines


def say_other_actions(
    steps: Sequence[Mapping[str, Any]], where: str, name: str, problems: Problems
) -> None:
    """Report actions of other names: turns that nobody counts leave every later heading wrong."""
    others = [str(step.get("action")) for step in steps]
    others = [action for action in others if action not in _ACTIONS]
    if others:
        what = f"{len(others)} actions are none of {', '.join(_ACTIONS)}, such as {others[0]:.40}"
        do = "they count as no turn and no stop"
        problems.add(Problem(what, do, where, name, "action"))


def say_lost_steps(
    steps: Sequence[Mapping[str, Any]], where: str, name: str, problems: Problems
) -> None:
    """Report a line that is missing or stands there twice: a lost turn makes headings wrong."""
    for due, step in enumerate(steps, start=1):
        number = as_count(step.get("step"))
        # some writers number no steps
        if number is not None and number != due:
            what = f"step {number} stands where step {due} is due"
            do = "look for lines that are missing or repeated; later headings may be wrong"
            problems.add(Problem(what, do, where, name, "step"))
            return
