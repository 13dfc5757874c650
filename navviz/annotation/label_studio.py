"""Label Studio's task JSON: one task an item, one annotation an annotator, one result a field.

Control names: ``navigable``, ``confidence``, ``linguistic``, ``topological``, ``operational``,
``failure``, ``landmark``, ``box``, ``walk``, ``skill``, ``cause``, ``comment``; `interface` is the
labelling interface that shows them. A ``box`` is a rectangle in the picture of its ``item_index``,
and a relation joins it to the words that name it. ``lead_time`` is the time at work in seconds, as
Label Studio has it.

Its importer takes no ``completed_by`` of people that it does not know, so the task's
``data.raters`` names who rated, by the number of the annotation; that number comes back as
``import_id``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from navviz.annotation.records import (
    AXES,
    Answer,
    CauseVerdict,
    Difficulty,
    FailureLabel,
    Failures,
    Follow,
    Item,
    Mention,
    Mentions,
    Navigability,
    PictureBox,
    Rating,
    SkillLabel,
    Skills,
    Task,
    Value,
)
from navviz.annotation.taxonomy import Taxonomy
from navviz.errors import InputError
from navviz.formats.texts import as_list, as_mapping, id_text, is_id
from navviz.language.skills import SKILLS
from navviz.records import Record
from navviz.support.guarded import parse_json

Result = dict[str, Any]


def export(
    ratings: Sequence[Rating], instructions: Mapping[Item, str], taxonomy: Taxonomy | None
) -> str:
    """Ratings as a list of tasks."""
    paths = (
        {label.code: list(label.codes) for label in taxonomy.labels()}
        if taxonomy is not None
        else {}
    )
    tasks: dict[tuple[Item, Task], dict[str, Any]] = {}
    for rating in ratings:
        if rating.value is None:
            continue
        key = (rating.item, rating.task)
        data = {
            "text": instructions.get(rating.item, ""),
            "task": rating.task,
            **rating.item.model_dump(),
        }
        task = tasks.setdefault(key, {"id": len(tasks) + 1, "data": data, "annotations": []})
        names = task["data"].get("pictures", [])
        # boxes name their picture by its number, so that later ones are only added behind
        pictures = list(dict.fromkeys([*names, *_boxed_pictures(rating.value)]))
        if pictures:
            task["data"]["pictures"] = pictures
        number = len(task["annotations"]) + 1
        task["data"].setdefault("raters", {})[str(number)] = rating.annotator
        value = rating.value
        results = list(_results(value, paths))
        if isinstance(value, Mentions):
            results = list(_mention_results(value, pictures))
        if value.comment:
            results.append(_result("comment", "textarea", {"text": [value.comment]}))
        task["annotations"].append(
            {
                "id": number,
                "created_at": rating.created.isoformat(),
                "updated_at": rating.changed.isoformat(),
                "lead_time": rating.seconds,
                "result": results,
            }
        )
    return json.dumps(list(tasks.values()), ensure_ascii=False, indent=1)


def _boxed_pictures(value: Value) -> list[str]:
    if not isinstance(value, Mentions):
        return []
    return [mention.box.picture for mention in value.mentions if mention.box is not None]


def interface(taxonomy: Taxonomy | None, *, pictures: bool = False) -> str:
    """Return the labelling interface of a Label Studio project that shows the exported tasks, as
    XML.

    `pictures` shows those that boxes were drawn in; Label Studio takes no task without any then.
    """
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
            nodes[label.codes] = SubElement(
                parent, "Choice", value=label.code, hint=label.titles[-1]
            )
    SubElement(_control(view, "Labels", "landmark"), "Label", value="landmark")
    if pictures:
        SubElement(view, "Image", name="picture", valueList="$pictures")
        boxes = SubElement(view, "RectangleLabels", name="box", toName="picture", canRotate="false")
        SubElement(boxes, "Label", value="landmark")
    _choices(view, "skill", [skill.value for skill in SKILLS])
    _choices(view, "cause", get_args(Answer))
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
                # Label Studio names a choice by the whole way from the root
                path = paths.get(label.code, [label.code])
                yield {**_result("failure", "taxonomy", {"taxonomy": [path]}), "meta": meta}
            # "nothing failed" is an answer: without a result it would look like no annotation
            if not value.labels:
                yield {**_result("failure", "taxonomy", {"taxonomy": []}), "meta": where}
        case Skills():
            yield from _skill_results(value)
        case CauseVerdict():
            yield _result("cause", "choices", {"choices": [value.answer]})
        case Follow():
            facts = value.model_dump(exclude={"task", "comment", "walk"})
            yield {**_result("walk", "textarea", {"text": list(value.walk)}), "meta": facts}


def _mention_results(value: Mentions, pictures: Sequence[str]) -> Iterable[Result]:
    """Yield each mention, with its box and the relation between them where it has one."""
    for number, mention in enumerate(value.mentions, start=1):
        span = {**mention.model_dump(exclude={"poi_id", "box"}), "labels": ["landmark"]}
        words = {**_result("landmark", "labels", span), "meta": {"poi_id": mention.poi_id}}
        if mention.box is None:
            yield words
            continue
        ids = f"words-{number}", f"box-{number}"
        corners = mention.box.model_dump(exclude={"picture"})
        drawn = {**corners, "rotation": 0, "rectanglelabels": ["landmark"]}
        box = {**_result("box", "rectanglelabels", drawn), "to_name": "picture", "id": ids[1]}
        yield {**words, "id": ids[0]}
        yield {**box, "item_index": pictures.index(mention.box.picture)}
        yield {"type": "relation", "from_id": ids[0], "to_id": ids[1], "direction": "right"}


def _skill_results(value: Skills) -> Iterable[Result]:
    for label in value.labels:
        yield {
            **_result("skill", "choices", {"choices": [label.skill]}),
            "meta": label.model_dump(),
        }
    if not value.labels:
        yield _result("skill", "choices", {"choices": []})


def _result(name: str, kind: str, value: dict[str, Any]) -> Result:
    return {"from_name": name, "to_name": "text", "type": kind, "value": value}


def parse(text: str, file: str) -> list[tuple[str, dict[str, Any]]]:
    """Annotations of a task list, as ``(where, raw rating)``; raises `InputError` for no list."""
    try:
        tasks = parse_json(text, file)
    except InputError as error:
        raise InputError(error.problem.what, "export JSON from Label Studio", file=file) from error
    is_list = isinstance(tasks, list)
    if not is_list or not all(isinstance(task, dict) and "data" in task for task in tasks):
        do = "export JSON (not JSON-MIN) from Label Studio"
        raise InputError("is no list of tasks", do, file=file)
    ratings = []
    for number, task in enumerate(tasks, start=1):
        where = f"{file}, task {str(task.get('id', number))[:40]}"
        annotations = as_list(task.get("annotations"))
        if not isinstance(task.get("annotations"), list):
            # the importer refuses it by name
            annotations = [{}]
        for annotation in map(as_mapping, annotations):
            # an item that was skipped there has an annotation, but no rating
            if annotation.get("was_cancelled"):
                continue
            raw = _raw(as_mapping(task["data"]), annotation)
            ratings.append((where, raw))
    return ratings


def _raw(data: Mapping[str, Any], annotation: Mapping[str, Any]) -> dict[str, Any]:
    results = [result for result in as_list(annotation.get("result")) if isinstance(result, dict)]
    task = data.get("task") or _guess(results)
    lines: list[Any] = []
    for result in _named(results, "comment"):
        lines += as_list(result["value"].get("text"))
    comment = " ".join(map(str, lines))
    value = {**_READERS.get(str(task), _nothing)(results), "task": task}
    if task == "mentions":
        value["mentions"] += _boxes(results, value["mentions"], as_list(data.get("pictures")))
    for mention in as_list(value.get("mentions")):
        # only the relation of a box needed it
        mention.pop("id", None)
    if comment:
        value["comment"] = comment
    for result in as_list(annotation.get("result")):
        named = result.get("from_name") if isinstance(result, dict) else 0
        # a relation has neither a name nor a value
        is_sound = named is None or isinstance(as_mapping(result).get("value"), dict)
        if not isinstance(named, str | None) or not is_sound:
            # the importer refuses it by name
            value["from_name"] = str(result)[:40]
    # empty for one that was made in Label Studio
    number = annotation.get("import_id")
    if number is None and "completed_by" not in annotation:
        number = annotation.get("id")
    name = as_mapping(data.get("raters")).get(str(number))
    return {
        **{name: data[name] for name in ("dataset", "episode", "run", "claim") if name in data},
        "annotator": (name if isinstance(name, str) else "")
        or _name(annotation.get("completed_by")),
        "seconds": annotation.get("lead_time"),
        "value": value,
    }


def _name(completed_by: object) -> str:
    """Label Studio gives a number, or a record of the user; what is neither names nobody."""
    if isinstance(completed_by, Mapping):
        email = str(completed_by.get("email") or "")
        names = (completed_by.get("first_name"), email.split("@", maxsplit=1)[0])
        given = [one for one in (*names, completed_by.get("id")) if one and is_id(one)]
        return str(given[0]) if given else ""
    return f"annotator {id_text(completed_by)}" if is_id(completed_by) else ""


def _guess(results: Iterable[Result]) -> str | None:
    tasks = {
        "navigable": "navigability",
        "failure": "failure",
        "landmark": "mentions",
        "box": "mentions",
        "walk": "follow",
        "skill": "skill",
        "cause": "cause",
    }
    tasks |= dict.fromkeys(AXES, "difficulty")
    return next(
        (tasks[name] for result in results if (name := str(result.get("from_name"))) in tasks), None
    )


def _named(results: Iterable[Result], name: str) -> list[Result]:
    named = [result for result in results if result.get("from_name") == name]
    return [result for result in named if isinstance(result.get("value"), dict)]


def _fields_of(value: object, kind: type[Record]) -> dict[str, Any]:
    """Return the fields of a record; Label Studio keeps notes of its own (``meta.text``)."""
    return {name: each for name, each in as_mapping(value).items() if name in kind.model_fields}


def _nothing(_results: list[Result]) -> dict[str, Any]:
    return {}


def _navigability(results: list[Result]) -> dict[str, Any]:
    chosen: list[Any] = []
    for result in _named(results, "navigable"):
        chosen += as_list(result["value"].get("choices"))
    rated = [result["value"].get("rating") for result in _named(results, "confidence")]
    answer: dict[str, Any] = {}
    if chosen:
        answer["navigable"] = {"yes": True, "no": False}.get(str(chosen[0]).lower())
    if rated:
        answer["confidence"] = rated[0]
    return answer


def _difficulty(results: list[Result]) -> dict[str, Any]:
    answer = {}
    for axis in AXES:
        named = _named(results, axis)
        if named:
            value = named[0]["value"]
            # a field for numbers, or stars
            answer[axis] = value.get("number", value.get("rating"))
    return answer


def _failures(results: list[Result]) -> dict[str, Any]:
    named = _named(results, "failure")
    metas = [result["meta"] for result in named if isinstance(result.get("meta"), dict)]
    meta: dict[str, Any] = metas[0] if metas else {}
    labels = []
    for result in named:
        for path in as_list(result["value"].get("taxonomy")):
            codes = as_list(path)
            if codes:  # from the root of the taxonomy down
                labels.append({**_fields_of(result.get("meta"), FailureLabel), "code": codes[-1]})
    return {
        "taxonomy": meta.get("taxonomy", "unknown"),
        "taxonomy_version": meta.get("taxonomy_version", 1),
        "labels": labels,
    }


def _mentions(results: list[Result]) -> dict[str, Any]:
    mentions = []
    for result in _named(results, "landmark"):
        poi_id = as_mapping(result.get("meta")).get("poi_id")
        mention = {"poi_id": poi_id, **_fields_of(result["value"], Mention), "id": result.get("id")}
        mentions.append(mention)
    return {"mentions": mentions}


def _boxes(
    results: list[Result], mentions: list[dict[str, Any]], pictures: list[Any]
) -> list[dict[str, Any]]:
    """Give each mention the box that a relation joins to it; return boxes that belong to none.

    A lone mention takes a lone box without a relation: who draws one in Label Studio need not join
    them. A box that belongs to no words is returned as a mention that says so, and is refused.
    """
    joined: dict[str, str] = {}
    for result in results:
        if result.get("type") == "relation":
            ends = str(result.get("from_id")), str(result.get("to_id"))
            joined |= {ends[0]: ends[1], ends[1]: ends[0]}
    drawn = _named(results, "box")
    alone = []
    for result in drawn:
        wanted = joined.get(str(result.get("id")))
        owner = next((one for one in mentions if wanted and one["id"] == wanted), None)
        if owner is None and len(mentions) == len(drawn) == 1:
            owner = mentions[0]
        box = {**_fields_of(result["value"], PictureBox), "picture": _picture_of(result, pictures)}
        if result["value"].get("rotation"):
            box["rotation"] = result["value"]["rotation"]
        if owner is None:
            alone.append({"start": 0, "end": 0, "text": "", "box": box})
        else:
            owner["box"] = box
    return alone


def _picture_of(result: Result, pictures: list[Any]) -> object:
    """Return the picture that a rectangle lies in; the first where a project shows one a task."""
    index = result.get("item_index", 0)
    is_there = isinstance(index, int) and 0 <= index < len(pictures)
    return pictures[index] if is_there else ""


def _skills(results: list[Result]) -> dict[str, Any]:
    labels = []
    for result in _named(results, "skill"):
        choices = as_list(result["value"].get("choices"))
        if choices:
            labels.append({**_fields_of(result.get("meta"), SkillLabel), "skill": choices[0]})
    return {"labels": labels}


def _verdict(results: list[Result]) -> dict[str, Any]:
    chosen: list[Any] = []
    for result in _named(results, "cause"):
        chosen += as_list(result["value"].get("choices"))
    return {"answer": str(chosen[0])} if chosen else {}


def _follow(results: list[Result]) -> dict[str, Any]:
    named = _named(results, "walk")
    return (
        {**_fields_of(named[0].get("meta"), Follow), "walk": as_list(named[0]["value"].get("text"))}
        if named
        else {}
    )


_READERS: dict[str, Callable[[list[Result]], dict[str, Any]]] = {
    "navigability": _navigability,
    "difficulty": _difficulty,
    "failure": _failures,
    "mentions": _mentions,
    "follow": _follow,
    "skill": _skills,
    "cause": _verdict,
}
