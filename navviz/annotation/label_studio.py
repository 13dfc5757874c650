"""Label Studio's task JSON: one task an item, one annotation an annotator, one result a field.

Control names: ``navigable``, ``confidence``, ``linguistic``, ``topological``, ``operational``, ``failure``,
``landmark``, ``walk``, ``skill``, ``comment``; `interface` is the labelling interface that shows them.
``lead_time`` is the time at work in seconds, as Label Studio has it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from navviz.annotation.records import (
    AXES,
    Difficulty,
    FailureLabel,
    Failures,
    Follow,
    Item,
    Mention,
    Mentions,
    Navigability,
    Rating,
    SkillLabel,
    Skills,
    Task,
    Value,
)
from navviz.annotation.taxonomy import Taxonomy
from navviz.errors import InputError
from navviz.language.skills import SKILLS
from navviz.records import Record
from navviz.support.guarded import parse_json

__all__ = ["export", "interface", "parse"]

Result = dict[str, Any]


def export(ratings: Sequence[Rating], instructions: Mapping[Item, str], taxonomy: Taxonomy | None) -> str:
    """Ratings as a list of tasks."""
    paths = {label.code: list(label.codes) for label in taxonomy.labels()} if taxonomy is not None else {}
    tasks: dict[tuple[Item, Task], dict[str, Any]] = {}
    for rating in ratings:
        if rating.value is None:
            continue
        key = (rating.item, rating.task)
        data = {"text": instructions.get(rating.item, ""), "task": rating.task, **rating.item.model_dump()}
        task = tasks.setdefault(key, {"id": len(tasks) + 1, "data": data, "annotations": []})
        task["annotations"].append(_annotation(rating, rating.value, paths, len(task["annotations"]) + 1))
    return json.dumps(list(tasks.values()), ensure_ascii=False, indent=1)


def interface(taxonomy: Taxonomy | None) -> str:
    """Return the labelling interface of a Label Studio project that shows the exported tasks, as XML."""
    view = Element("View")
    SubElement(view, "Text", name="text", value="$text")
    _choices(view, "navigable", ("yes", "no"))
    _control(view, "Rating", "confidence", maxRating="5")
    for axis in AXES:
        _control(view, "Number", axis, min="1", max="10")
    if taxonomy is not None:
        nodes: dict[tuple[str, ...], Element] = {(): _control(view, "Taxonomy", "failure")}
        for label in taxonomy.labels():
            parent = nodes[label.codes[:-1]]
            nodes[label.codes] = SubElement(parent, "Choice", value=label.code, hint=label.titles[-1])
    SubElement(_control(view, "Labels", "landmark"), "Label", value="landmark")
    _choices(view, "skill", [skill.value for skill in SKILLS])
    _control(view, "TextArea", "walk")
    _control(view, "TextArea", "comment")
    indent(view)
    return tostring(view, encoding="unicode") + "\n"


def _control(view: Element, tag: str, name: str, **settings: str) -> Element:
    return SubElement(view, tag, {"name": name, "toName": "text", **settings})


def _choices(view: Element, name: str, values: Sequence[str]) -> None:
    control = _control(view, "Choices", name)
    for value in values:
        SubElement(control, "Choice", value=value)


def _annotation(rating: Rating, value: Value, paths: Mapping[str, list[str]], number: int) -> dict[str, Any]:
    results = list(_results(value, paths))
    if value.comment:
        results.append(_result("comment", "textarea", {"text": [value.comment]}))
    return {
        "id": number,
        "completed_by": {"first_name": rating.annotator},
        "created_at": rating.created.isoformat(),
        "updated_at": rating.changed.isoformat(),
        "lead_time": rating.seconds,
        "result": results,
    }


def _results(value: Value, paths: Mapping[str, list[str]]) -> Iterable[Result]:
    match value:
        case Navigability():
            yield _result("navigable", "choices", {"choices": ["yes" if value.navigable else "no"]})
            if value.confidence is not None:
                yield _result("confidence", "rating", {"rating": value.confidence})
        case Difficulty():
            yield from (_result(axis, "number", {"number": getattr(value, axis)}) for axis in AXES)
        case Failures():
            where = {"taxonomy": value.taxonomy, "taxonomy_version": value.taxonomy_version}
            for label in value.labels:
                meta = {**where, **label.model_dump(exclude={"code"})}
                path = paths.get(label.code, [label.code])
                yield {**_result("failure", "taxonomy", {"taxonomy": [path]}), "meta": meta}
            if not value.labels:
                yield {**_result("failure", "taxonomy", {"taxonomy": []}), "meta": where}
        case Mentions():
            for mention in value.mentions:
                span = {**mention.model_dump(exclude={"poi_id"}), "labels": ["landmark"]}
                yield {**_result("landmark", "labels", span), "meta": {"poi_id": mention.poi_id}}
        case Skills():
            yield from _skill_results(value)
        case Follow():
            facts = value.model_dump(exclude={"task", "comment", "walk"})
            yield {**_result("walk", "textarea", {"text": list(value.walk)}), "meta": facts}


def _skill_results(value: Skills) -> Iterable[Result]:
    for label in value.labels:
        yield {**_result("skill", "choices", {"choices": [label.skill]}), "meta": label.model_dump()}
    if not value.labels:
        yield _result("skill", "choices", {"choices": []})


def _result(name: str, kind: str, value: dict[str, Any]) -> Result:
    return {"from_name": name, "to_name": "text", "type": kind, "value": value}


def parse(text: str, file: str) -> list[tuple[str, dict[str, Any]]]:
    """Annotations of a task list, as ``(where, raw rating)``; raises `InputError` for a file that is none."""
    try:
        tasks = parse_json(text, file)
    except InputError as error:
        raise InputError(error.problem.what, "export JSON from Label Studio", file=file) from error
    if not isinstance(tasks, list) or not all(isinstance(task, dict) and "data" in task for task in tasks):
        raise InputError("is no list of tasks", "export JSON (not JSON-MIN) from Label Studio", file=file)
    return [
        (f"{file}, task {str(task.get('id', number))[:40]}", _raw(_mapping(task["data"]), annotation))
        for number, task in enumerate(tasks, start=1)
        for annotation in map(_mapping, _items(task.get("annotations")))
        if not annotation.get("was_cancelled")  # skipped there, and no rating
    ]


def _raw(data: Mapping[str, Any], annotation: Mapping[str, Any]) -> dict[str, Any]:
    results = [result for result in _items(annotation.get("result")) if isinstance(result, dict)]
    task = data.get("task") or _guess(results)
    comment = " ".join(
        str(line) for result in _named(results, "comment") for line in _items(result["value"].get("text"))
    )
    value = {**_READERS.get(str(task), _nothing)(results), "task": task}
    if comment:
        value["comment"] = comment
    return {
        **{name: data[name] for name in ("dataset", "episode", "run") if name in data},
        "annotator": _name(annotation.get("completed_by")),
        "seconds": annotation.get("lead_time"),
        "value": value,
    }


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _name(completed_by: object) -> str:
    """Label Studio gives a number, or a record of the user."""
    if isinstance(completed_by, Mapping):
        email = str(completed_by.get("email") or "")
        return str(completed_by.get("first_name") or email.split("@", maxsplit=1)[0] or completed_by.get("id", ""))
    return f"annotator {completed_by}" if completed_by is not None else ""


def _guess(results: Iterable[Result]) -> str | None:
    tasks = {
        "navigable": "navigability",
        "failure": "failure",
        "landmark": "mentions",
        "walk": "follow",
        "skill": "skill",
    }
    tasks |= dict.fromkeys(AXES, "difficulty")
    return next((tasks[name] for result in results if (name := str(result.get("from_name"))) in tasks), None)


def _named(results: Iterable[Result], name: str) -> list[Result]:
    return [result for result in results if result.get("from_name") == name and isinstance(result.get("value"), dict)]


def _known(value: object, kind: type[Record]) -> dict[str, Any]:
    """Return the fields that belong to a record; Label Studio keeps notes of its own beside them (``meta.text``)."""
    return {name: each for name, each in _mapping(value).items() if name in kind.model_fields}


def _nothing(_results: list[Result]) -> dict[str, Any]:
    return {}


def _navigability(results: list[Result]) -> dict[str, Any]:
    chosen = [choice for result in _named(results, "navigable") for choice in _items(result["value"].get("choices"))]
    rated = [result["value"].get("rating") for result in _named(results, "confidence")]
    answer: dict[str, Any] = {"navigable": {"yes": True, "no": False}.get(str(chosen[0]).lower())} if chosen else {}
    return {**answer, "confidence": rated[0]} if rated else answer


def _difficulty(results: list[Result]) -> dict[str, Any]:
    values = {axis: [result["value"] for result in _named(results, axis)] for axis in AXES}
    return {
        axis: results_of[0].get("number", results_of[0].get("rating"))
        for axis, results_of in values.items()
        if results_of
    }


def _failures(results: list[Result]) -> dict[str, Any]:
    named = _named(results, "failure")
    meta: dict[str, Any] = next((result["meta"] for result in named if isinstance(result.get("meta"), dict)), {})
    labels = [
        {**_known(result.get("meta"), FailureLabel), "code": codes[-1]}
        for result in named
        for path in _items(result["value"].get("taxonomy"))
        if (codes := _items(path))
    ]
    where: dict[str, Any] = {key: meta[key] for key in ("taxonomy", "taxonomy_version") if key in meta}
    return {"taxonomy": "unknown", "taxonomy_version": 1, **where, "labels": labels}


def _mentions(results: list[Result]) -> dict[str, Any]:
    return {
        "mentions": [
            {"poi_id": _mapping(result.get("meta")).get("poi_id"), **_known(result["value"], Mention)}
            for result in _named(results, "landmark")
        ]
    }


def _skills(results: list[Result]) -> dict[str, Any]:
    return {
        "labels": [
            {**_known(result.get("meta"), SkillLabel), "skill": choices[0]}
            for result in _named(results, "skill")
            if (choices := _items(result["value"].get("choices")))
        ]
    }


def _follow(results: list[Result]) -> dict[str, Any]:
    named = _named(results, "walk")
    return {**_known(named[0].get("meta"), Follow), "walk": _items(named[0]["value"].get("text"))} if named else {}


_READERS: dict[str, Callable[[list[Result]], dict[str, Any]]] = {
    "navigability": _navigability,
    "difficulty": _difficulty,
    "failure": _failures,
    "mentions": _mentions,
    "follow": _follow,
    "skill": _skills,
}
