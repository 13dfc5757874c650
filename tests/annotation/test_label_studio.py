"""Label Studio's task JSON, result by result: what goes out, and what its own exports hold."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from typing import Any

import pytest

from navviz.annotation.exchange import export as export_all
from navviz.annotation.exchange import parse as take
from navviz.annotation.label_studio import export, interface, parse
from navviz.annotation.records import (
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
    Value,
)
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import InputError
from navviz.language.skills import SKILLS

ONE, TWO = Item(dataset="s", episode="1"), Item(dataset="s", episode="2", run="r")
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
YES = Navigability(navigable=True)


def _rating(value: Value | None, **changes: Any) -> Rating:
    fields = {
        "item": ONE,
        "task": value.task if value else "navigability",
        "annotator": "fox",
        "value": value,
    }
    return Rating(
        **{**fields, "revision": 2, "created": AT, "changed": AT.replace(year=2027), **changes}
    )


def _results(value: Value) -> list[dict[str, Any]]:
    [task] = json.loads(export([_rating(value)], {}, bundled_taxonomy()))
    return task["annotations"][0]["result"]


def _result(name: str, value: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"from_name": name, "value": value, **more}


def _read(task: str | None, *results: Any) -> dict[str, Any]:
    data = {"dataset": "s", "episode": "1"} | ({"task": task} if task else {})
    [(_, raw)] = parse(
        json.dumps([{"data": data, "annotations": [{"result": list(results)}]}]), "x"
    )
    return raw["value"]


def test_a_task_holds_an_item_and_each_annotator_s_answer():
    ratings = [
        _rating(YES, seconds=2.5),
        _rating(None, annotator="crow"),
        _rating(YES, item=TWO),
        _rating(YES, annotator="owl"),
        _rating(Difficulty(linguistic=1, topological=2, operational=3)),
    ]
    text = export(ratings, {ONE: "Straße"}, None)
    assert text.startswith('[\n {\n  "id": 1,\n  "data": {\n   "text": "Straße",')
    tasks = json.loads(text)
    assert [(task["id"], task["data"]) for task in tasks] == [
        (
            1,
            {
                "text": "Straße",
                "task": "navigability",
                "dataset": "s",
                "episode": "1",
                "run": "",
                "claim": "",
                "raters": {"1": "fox", "2": "owl"},
            },
        ),
        (
            2,
            {
                "text": "",
                "task": "navigability",
                "dataset": "s",
                "episode": "2",
                "run": "r",
                "claim": "",
                "raters": {"1": "fox"},
            },
        ),
        (
            3,
            {
                "text": "Straße",
                "task": "difficulty",
                "dataset": "s",
                "episode": "1",
                "run": "",
                "claim": "",
                "raters": {"1": "fox"},
            },
        ),
    ]
    assert [one["id"] for one in tasks[0]["annotations"]] == [1, 2]
    assert {name: each for name, each in tasks[0]["annotations"][0].items() if name != "id"} == {
        "created_at": "2026-01-02T03:04:05+00:00",
        "updated_at": "2027-01-02T03:04:05+00:00",
        "lead_time": 2.5,
        "result": [
            {
                "from_name": "navigable",
                "to_name": "text",
                "type": "choices",
                "value": {"choices": ["yes"]},
            }
        ],
    }


FAILED = {"taxonomy": "t", "taxonomy_version": 3}


@pytest.mark.parametrize(
    ("value", "results"),
    [
        (Navigability(navigable=False, confidence=4, comment="why?"),
         [("navigable", "choices", {"choices": ["no"]}, None), ("confidence", "rating", {"rating": 4}, None),
          ("comment", "textarea", {"text": ["why?"]}, None)]),
        (Difficulty(linguistic=1, topological=2, operational=3),
         [("linguistic", "number", {"number": 1}, None), ("topological", "number", {"number": 2}, None),
          ("operational", "number", {"number": 3}, None)]),
        (Failures(**FAILED, labels=(FailureLabel(code="E2.1", step=4, note="n", suggested=True),
                                    FailureLabel(code="mine"))),
         [("failure", "taxonomy", {"taxonomy": [["E", "E2", "E2.1"]]},
           {**FAILED, "step": 4, "note": "n", "suggested": True}),
          ("failure", "taxonomy", {"taxonomy": [["mine"]]}, {**FAILED, "step": None, "note": "", "suggested": False})]),
        (Mentions(mentions=(Mention(start=0, end=4, text="bank", poi_id="7"),)),
         [("landmark", "labels", {"start": 0, "end": 4, "text": "bank", "labels": ["landmark"]}, {"poi_id": "7"})]),
        (Skills(labels=(SkillLabel(step=2, named="a", skill="b"),)),
         [("skill", "choices", {"choices": ["b"]}, {"step": 2, "named": "a", "skill": "b"})]),
        (Skills(), [("skill", "choices", {"choices": []}, None)]),
        (Failures(**FAILED), [("failure", "taxonomy", {"taxonomy": []}, FAILED)]),
        (Follow(walk=("a", "b"), distance_m=1.5, success=True, elapsed_s=9.0, comment="far"),
         [("walk", "textarea", {"text": ["a", "b"]},
           {"gave_up": False, "distance_m": 1.5, "success": True, "elapsed_s": 9.0}),
          ("comment", "textarea", {"text": ["far"]}, None)]),
    ],
    ids=lambda each: type(each).__name__,
)  # fmt: skip
def test_each_kind_of_value_has_results_of_its_own(value, results):
    written = _results(value)
    assert [
        (one["from_name"], one["type"], one["value"], one.get("meta")) for one in written
    ] == results
    assert {one["to_name"] for one in written} == {"text"}


def test_a_task_is_told_by_its_number_and_a_rating_by_who_made_it():
    annotations = [
        {"completed_by": who, "lead_time": 3.5, "result": [_result("navigable", {"choices": ["YES"]})]}
        for who in (3, {"first_name": "owl", "email": "x@y.org", "id": 4}, {"email": "wren@nest@b.org", "id": 4},
                    {"id": 4, "email": None}, {}, None)
    ]  # fmt: skip
    tasks = [
        {
            "id": "9" * 50,
            "data": {"dataset": "s", "episode": 1, "run": "r"},
            "annotations": annotations,
        },
        {"data": 4, "annotations": [5]},
        # without its annotations a task is refused by the importer, not passed over
        {"data": {}},
        {"data": {}, "annotations": []},
    ]
    rows = parse(json.dumps(tasks), "x")
    assert [where for where, _ in rows] == [f"x, task {'9' * 40}"] * 6 + ["x, task 2", "x, task 3"]
    assert rows[0][1] == {
        "dataset": "s", "episode": 1, "run": "r", "annotator": "annotator 3", "seconds": 3.5,
        "value": {"task": "navigability", "navigable": True},
    }  # fmt: skip
    assert [raw["annotator"] for _, raw in rows[:6]] == ["annotator 3", "owl", "wren", "4", "", ""]
    assert rows[6][1] == {"annotator": "", "seconds": None, "value": {"task": None}}


def test_raters_come_back_from_label_studio_under_the_number_of_their_annotation():
    [task] = json.loads(export([_rating(YES), _rating(YES, annotator="owl")], {}, None))
    # the importer refuses people that it does not know, also by address
    assert all("completed_by" not in one for one in task["annotations"])
    assert [raw["annotator"] for _, raw in parse(json.dumps([task]), "x")] == ["fox", "owl"]
    # it numbers them anew, names who imported them, and keeps our number; a third was made there
    back = [
        {"id": 70 - k, "import_id": one["id"], "completed_by": 1, "result": one["result"]}
        for k, one in enumerate(task["annotations"])
    ]
    back.append({"id": 1, "import_id": None, "completed_by": 5, "result": back[0]["result"]})
    rows = parse(json.dumps([task | {"annotations": back}]), "x")
    assert [raw["annotator"] for _, raw in rows] == ["fox", "owl", "annotator 5"]


def test_the_interface_shows_whatever_is_exported():
    taxonomy = bundled_taxonomy()
    view = ET.fromstring(interface(taxonomy))
    label = taxonomy.labels()[-1]
    values = (
        Navigability(navigable=True, confidence=4, comment="ok"),
        Difficulty(linguistic=2, topological=3, operational=4),
        Failures(
            labels=(FailureLabel(code=label.code),),
            taxonomy=taxonomy.name,
            taxonomy_version=taxonomy.version,
        ),
        Mentions(mentions=(Mention(start=0, end=1, text="a"),)),
        Skills(labels=(SkillLabel(step=1, skill="Vertical Movement"),)),
        Follow(walk=("a", "b")),
        CauseVerdict(answer="partly"),
    )
    controls = {control.get("name"): control for control in view if control.get("toName") == "text"}
    exported = [result for value in values for result in _results(value)]
    assert {result["from_name"] for result in exported} == set(controls)
    assert {r["from_name"]: r["type"] for r in exported} == {
        name: c.tag.lower() for name, c in controls.items()
    }
    step = controls["failure"]
    for code in label.codes:  # nested as the exported path is
        [step] = [choice for choice in step if choice.get("value") == code]
    assert step.get("hint") == label.titles[-1]
    assert [choice.get("value") for choice in controls["skill"]] == [
        skill.value for skill in SKILLS
    ]
    assert "failure" not in interface(None)


def test_what_was_skipped_in_label_studio_is_no_rating():
    annotations = [{"was_cancelled": True, "result": []}, {"was_cancelled": False, "result": []}]
    data = {"episode": "1", "task": "failure"}
    assert len(parse(json.dumps([{"data": data, "annotations": annotations}]), "x")) == 1


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("navigable", "navigability"), ("failure", "failure"), ("landmark", "mentions"), ("walk", "follow"),
        ("skill", "skill"), ("linguistic", "difficulty"), ("topological", "difficulty"), ("operational", "difficulty"),
        ("comment", None),
    ],
)  # fmt: skip
def test_a_task_that_is_not_named_is_told_by_its_results(name, task):
    assert _read(None, "x", {"from_name": "other"}, _result(name, {}))["task"] == task


@pytest.mark.parametrize(
    ("task", "results", "value"),
    [
        ("navigability",
         [_result("navigable", {"choices": ["no", "yes"]}), _result("confidence", {"rating": 2}),
          _result("confidence", {"rating": 3}), _result("comment", {"text": ["a", "b"]}),
          _result("comment", {"text": ["c"]})],
         {"navigable": False, "confidence": 2, "comment": "a b c"}),
        ("navigability", [_result("navigable", {"choices": ["perhaps"]})], {"navigable": None}),
        ("navigability", [_result("confidence", {"rating": 2}), _result("navigable", "yes")],
         {"confidence": 2, "from_name": "{'from_name': 'navigable', 'value': 'yes"}),
        ("difficulty",
         [_result("linguistic", {"number": 1, "rating": 9}), _result("linguistic", {"number": 2}),
          _result("operational", {"rating": 3})],
         {"linguistic": 1, "operational": 3}),
        ("failure",
         [_result("failure", {"taxonomy": [["E", "E1"], [], "L"]}), _result("failure", {"taxonomy": [["L"]]}, meta=None),
          _result("failure", {"taxonomy": [["A", "A1"]]},
                  meta={**FAILED, "step": 2, "note": "n", "code": "old", "text": ["told"]})],
         {**FAILED, "labels": [{"code": "E1"}, {"code": "L"}, {"step": 2, "note": "n", "code": "A1"}]}),
        ("failure", [_result("failure", {"taxonomy": []}, meta={"taxonomy_version": 4})],
         {"taxonomy": "unknown", "taxonomy_version": 4, "labels": []}),
        ("failure", [], {"taxonomy": "unknown", "taxonomy_version": 1, "labels": []}),
        ("mentions",
         [_result("landmark", {"start": 0, "end": 4, "text": "bank", "labels": ["landmark"]},
                  meta={"poi_id": "7", "text": ["a note"]}),
          _result("landmark", {"start": 5, "end": 6, "text": "x"})],
         {"mentions": [{"start": 0, "end": 4, "text": "bank", "poi_id": "7"},
                       {"start": 5, "end": 6, "text": "x", "poi_id": None}]}),
        ("skill",
         [_result("skill", {"choices": ["b", "c"]}, meta={"step": 2, "named": "a", "skill": "old", "text": ["a note"]}),
          _result("skill", {"choices": []}, meta={"step": 3}), _result("skill", {"choices": ["d"]})],
         {"labels": [{"step": 2, "named": "a", "skill": "b"}, {"skill": "d"}]}),
        ("follow", [_result("walk", {"text": ["a", "b"]}, meta={"success": True, "text": ["a note"], "task": "x"}),
                    _result("walk", {"text": ["c"]})],
         {"walk": ["a", "b"], "success": True}),
        ("follow", [_result("walk", {}), _result("comment", {"text": "no list"})], {"walk": []}),
        ("follow", [], {}),
        ("guess", [_result("navigable", {"choices": ["yes"]})], {}),
    ],
)  # fmt: skip
def test_results_are_read_by_their_task(task, results, value):
    assert _read(task, *results) == {"task": task, **value}


def test_a_task_that_names_no_data_set_and_no_run_means_the_open_ones():
    """Somebody else's tasks hold the text and an episode, and no more."""
    annotation = {"completed_by": 3, "result": [_result("navigable", {"choices": ["yes"]})]}
    text = json.dumps([{"data": {"text": "Go.", "episode": "2"}, "annotations": [annotation]}])
    (one,), problems = take(text, "label_studio", [ONE, TWO])
    assert (one.item, one.value, problems.count) == (TWO, YES, 0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", r"^x: is no JSON .*; export JSON from Label Studio\.$"),
        *((text, r"^x: is no list of tasks; export JSON \(not JSON-MIN\) from Label Studio\.$")
          for text in ("{}", "[1]", '[{"id": 1}]', '[{"data": {}}, {"id": 1}]')),
    ],
)  # fmt: skip
def test_a_file_that_is_none_says_what_to_export(text, says):
    with pytest.raises(InputError, match=says):
        parse(text, "x")


SPEAKS = Mention(start=4, end=8, text="door", poi_id="d1")
BOXED = Mentions(
    mentions=(
        SPEAKS.model_copy(
            update={"box": PictureBox(picture="a/1.jpg", x=10, y=20.5, width=30, height=40)}
        ),
        Mention(start=13, end=18, text="table"),
        Mention(
            start=20,
            end=24,
            text="lamp",
            box=PictureBox(picture="b/2.jpg", x=0, y=0, width=100, height=0.5),
        ),
    )
)


def test_a_box_goes_out_as_label_studio_s_rectangle_and_comes_back():
    text = export([_rating(BOXED)], {}, None)
    [task] = json.loads(text)
    assert task["data"]["pictures"] == ["a/1.jpg", "b/2.jpg"]
    results = task["annotations"][0]["result"]
    assert [result["type"] for result in results] == [
        *("labels", "rectanglelabels", "relation"),
        "labels",
        *("labels", "rectanglelabels", "relation"),
    ]
    first, second = (result for result in results if result["type"] == "rectanglelabels")
    assert first["value"] == {
        "x": 10.0,
        "y": 20.5,
        "width": 30.0,
        "height": 40.0,
        "rotation": 0,
        "rectanglelabels": ["landmark"],
    }
    assert (first["to_name"], first["item_index"], second["item_index"]) == ("picture", 0, 1)
    for form in ("label_studio", "jsonl", "csv"):
        taken, problems = take(export_all([_rating(BOXED)], form), form)
        assert not problems.kept
        assert [one.value for one in taken] == [BOXED]
    view = ET.fromstring(interface(None, pictures=True))
    assert view.find("RectangleLabels").attrib["toName"] == "picture"
    assert ET.fromstring(interface(None)).find("Image") is None


def _drawn(*more: Any, **value: Any) -> str:
    corners = {"x": 1, "y": 2, "width": 3, "height": 4, "rotation": 0} | value
    words = _result("landmark", {"start": 0, "end": 4, "text": "door"}, id="w")
    box = _result("box", corners, id="b", type="rectanglelabels")
    data = {"dataset": "s", "episode": "1", "task": "mentions", "pictures": ["a.jpg"]}
    annotation = {"completed_by": {"first_name": "fox"}, "result": [words, box, *more]}
    return json.dumps([{"data": data, "annotations": [annotation]}])


def test_a_lone_box_belongs_to_the_lone_mention():
    [rating], problems = take(_drawn(), "label_studio")
    assert not problems.kept
    assert rating.value.mentions[0].box == PictureBox(picture="a.jpg", x=1, y=2, width=3, height=4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (_drawn(rotation=12.5), "a box is turned; draw it level"),
        (_drawn(x=99), "a box reaches out of its picture"),
        (_drawn(width=0), "should be greater than 0"),
        (_drawn(x="<b>"), "should be a valid number"),
        (_drawn(_result("box", {"x": 1, "y": 1, "width": 1, "height": 1})), "belongs to no words"),
    ],
)
def test_a_box_that_cannot_be_kept_is_refused_by_one_sentence(text, said):
    taken, problems = take(text, "label_studio")
    assert taken == []
    [problem] = problems.kept
    assert said in problem.what
    assert problem.episode == "1"
