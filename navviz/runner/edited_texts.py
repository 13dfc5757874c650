"""Landmarks and places taken out of what an agent is shown, or written into it.

A text that is JSON loses the entries that name them, any other text their lines. Nothing here knows
the format of a system; a person sees the text that comes out, and may edit it further.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, get_args

from navviz.errors import InputError
from navviz.records import Observation, SeenPoi, SubGoal
from navviz.records.episode import SubGoalStatus
from navviz.support.guarded import decode_reply

_NOTHING = object()


def without(seen: Observation, name: str) -> Observation:
    """Return an observation without a landmark, by name, or a candidate, by node or label.

    Raises `InputError` where it shows neither.
    """
    pois = tuple(poi for poi in seen.pois if name in {poi.name, poi.poi_id})
    ways = tuple(way for way in seen.candidates if name in {way.node, way.label, way.direction})
    if not pois and not ways:
        shown = ", ".join(dict.fromkeys(poi.name for poi in seen.pois)) or "no landmark"
        raise InputError(f"the agent is not shown {name}", f"it is shown: {shown}")
    names = {poi.name for poi in pois} | {way.node for way in ways}
    letters = {poi.letter for poi in pois if poi.letter}
    return seen.model_copy(
        update={
            "text": text_without(seen.text, names, letters),
            "pois": tuple(poi for poi in seen.pois if poi not in pois),
            "candidates": tuple(way for way in seen.candidates if way not in ways),
        }
    )


def text_without(text: str, names: Collection[str], letters: Collection[str] = ()) -> str:
    """Return a text without what names these things; `letters` stand for them on a map."""
    value = _parsed(text)
    if value is not _NOTHING:
        return _dumped(_pruned(value, set(names), set(letters)), text, value)
    kept = []
    for line in text.splitlines(keepends=True):
        words = line.rstrip("\n").rstrip(".")
        items = words.split(", ")
        others = [item for item in items if _bare(item) not in names]
        if 0 < len(others) < len(items):
            kept.append(line.replace(words, ", ".join(others)))
        elif not any(name in line for name in names):
            kept.append(_row_without(line, letters))
    return "".join(kept)


def _row_without(line: str, letters: Collection[str]) -> str:
    """Return a row of a map in letters with an empty field for each of these."""
    head, colon, row = line.partition(": ")
    if not letters or not colon or not head.startswith("row "):
        return line
    return head + colon + " ".join("0" if cell in letters else cell for cell in row.split(" "))


def with_landmark(seen: Observation, name: str, like: str | None = None) -> Observation:
    """Return an observation with one more landmark, written as another one is.

    Raises `InputError` where there is no other landmark that shows how one is written.
    """
    models = [poi for poi in seen.pois if like in {None, poi.name}]
    if not models:
        what = "no landmark is shown that another could be written like"
        raise InputError(what, "write it into the text of the observation")
    model = models[0]
    taken = {poi.letter for poi in seen.pois}
    letter = next((each for each in "ZYXWVUTSRQPONMLKJIHGFEDCBA" if each not in taken), "?")
    own = letter if model.letter else None
    update = {"name": name, "letter": own, "poi_id": None}
    text = _text_with(seen.text, model, name, letter)
    return seen.model_copy(
        update={"text": text, "pois": (*seen.pois, model.model_copy(update=update))}
    )


def _text_with(text: str, model: SeenPoi, name: str, letter: str) -> str:
    value = _parsed(text)
    if value is not _NOTHING:
        return _dumped(_doubled(value, model, name, letter), text, value)
    lines = []
    for line in text.splitlines(keepends=True):
        lines.append(line)
        if model.name in line:
            other = line.replace(model.name, name)
            if model.letter:
                for before, after in (("(", ")"), ("- ", " is"), ("// ", " =")):
                    old = f"{before}{model.letter}{after}"
                    other = other.replace(old, f"{before}{letter}{after}")
            lines.append(other if other.endswith("\n") else f"\n{other}")
    return "".join(lines)


def _bare(item: str) -> str:
    return item.strip().removeprefix("- ").removeprefix("a ").removeprefix("an ")


def _parsed(text: str) -> Any:  # noqa: ANN401 - any JSON
    if not text.lstrip().startswith(("{", "[")):
        return _NOTHING
    try:
        return decode_reply(text, mend=False)
    except ValueError:
        return _NOTHING


def _dumped(changed: Any, text: str, value: Any) -> str:  # noqa: ANN401 - any JSON
    """Write JSON as the text before was written, where that can be told."""
    for ascii_only in (False, True):
        for indent in (None, 2, 4):
            if json.dumps(value, ensure_ascii=ascii_only, indent=indent) == text:
                return json.dumps(changed, ensure_ascii=ascii_only, indent=indent)
    return json.dumps(changed, ensure_ascii=False)


def _names(value: Any, names: set[str], letters: set[str]) -> bool:  # noqa: ANN401 - any JSON
    """Whether an entry is about one of these: it has a name or a letter, or is one."""
    if isinstance(value, dict):
        return any(isinstance(each, str) and each in names | letters for each in value.values())
    return isinstance(value, str) and value in names


def _pruned(value: Any, names: set[str], letters: set[str]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        kept = [each for each in value if not _names(each, names, letters)]
        return [_pruned(each, names, letters) for each in kept]
    if isinstance(value, dict):
        kept_items = {}
        for key, each in value.items():
            if key not in names and not (isinstance(each, str) and each in names):
                kept_items[key] = _pruned(each, names, letters)
        return kept_items
    return value


def _doubled(value: Any, model: SeenPoi, name: str, letter: str) -> Any:  # noqa: ANN401 - any JSON
    """Return JSON with a copy of each entry about a landmark, under another name and letter."""
    swaps = {model.name: name} | ({model.letter: letter} if model.letter else {})
    if isinstance(value, list):
        entries = []
        for each in value:
            entries.append(_doubled(each, model, name, letter))
            if isinstance(each, dict) and _names(each, {model.name}, {model.letter or ""}):
                swapped = {}
                for key, part in each.items():
                    swapped[key] = swaps.get(part, part) if isinstance(part, str) else part
                entries.append(swapped)
            elif each == model.name:
                entries.append(name)
        return entries
    if isinstance(value, dict):
        doubled = {key: _doubled(each, model, name, letter) for key, each in value.items()}
        for key, each in value.items():
            # a legend: letters to names, or names to anything
            if each == model.name and key == model.letter:
                doubled[letter] = name
            elif key == model.name:
                doubled[name] = each
        return doubled
    return value


_STATES: tuple[SubGoalStatus, ...] = get_args(SubGoalStatus)


def plan_text(plan: Collection[SubGoal]) -> str:
    """Write a plan for editing: a sub-goal a line, with its state in front."""
    return "\n".join(f"{goal.status}: {' '.join(goal.description.split())}" for goal in plan)


def plan_of(text: str, before: Collection[SubGoal]) -> tuple[SubGoal, ...]:
    """Read a plan as it was edited; a line that stayed keeps its sub-goal, tries and all."""
    kept = {plan_text([goal]): goal for goal in before}
    plan = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line in kept:
            plan.append(kept[line])
            continue
        head, colon, rest = line.partition(":")
        state = next((each for each in _STATES if colon and each == head.strip()), None)
        words = line if state is None else rest.strip()
        plan.append(SubGoal(description=words, status=state or "TODO"))
    return tuple(plan)
