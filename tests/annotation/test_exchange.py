"""Ratings out of and into files: cell by cell, and what is said of each fault of a file."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from navviz.annotation.exchange import Imported, export, parse, take_in
from navviz.annotation.ratings import Mark
from navviz.annotation.records import (
    ADJUDICATED,
    Difficulty,
    Edit,
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
    Value,
)
from navviz.annotation.store import AnnotationStore, Study
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import InputError

ONE, TWO = Item(dataset="s", episode="1"), Item(dataset="s", episode="2", run="rules")
TEXT = "Walk to the bank."
TAXONOMY = bundled_taxonomy()
FAILURES = Failures(
    taxonomy=TAXONOMY.name,
    taxonomy_version=1,
    labels=(
        FailureLabel(code="E2.1", step=4, note="too early", suggested=True),
        FailureLabel(code="L1"),
    ),
    comment="see step 4",
)
VALUES = [
    Navigability(navigable=False, confidence=2, comment='=1+1, said the "fox"\nor so'),
    Follow(walk=("a", "b"), distance_m=3.5, success=True, elapsed_s=9.0),
    Difficulty(linguistic=1, topological=2, operational=10),
    FAILURES,
    Mentions(
        mentions=(
            Mention(start=12, end=16, text="bank", poi_id="7"),
            Mention(start=0, end=4, text="Walk"),
        )
    ),
    Skills(
        labels=(
            SkillLabel(step=1, named="Stop and Pause", skill="Landmark Detection"),
            SkillLabel(step=2, skill="Vertical Movement"),
        ),
        comment="sure",
    ),
]


AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OTHERS = "the other ratings are taken."


def _rating(value: Value | None, **changes: Any) -> Rating:
    fields = {
        "item": ONE,
        "task": value.task if value else "navigability",
        "annotator": "fox",
        "value": value,
    }
    return Rating(**{**fields, "revision": 2, "created": AT, "changed": AT, **changes})


def _rows(*ratings: Rating) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(export(ratings, "csv"))))


def _line(**changes: Any) -> str:
    value = {"task": "navigability", "navigable": True}
    item = {"dataset": "s", "episode": "1", "run": ""}
    return json.dumps(
        {"type": "rating", "item": item, "annotator": "fox", "value": value, **changes}
    )


def _told(text: str, form: Any = "jsonl", **more: Any) -> list[str]:
    return [str(problem) for problem in parse(text, form, file="x", **more)[1].kept]


def filled(store: AnnotationStore) -> Study:
    for name in ("fox", "owl"):
        desk = store.sign_in(name)
        for number, value in enumerate(VALUES):
            mark = Mark(f"{name} {number}", seconds=12.5 + number) if name == "fox" else None
            desk.save(TWO if value.task == "failure" else ONE, value, seen=0, mark=mark)
    study = store.study("lead")
    study.adjudicate(ONE, VALUES[0], seen=0)
    return study


def everything(study: Study) -> list[Rating]:
    return [*study.ratings(), *study.adjudicated()]


def bare(ratings: list[Rating]) -> set[str]:
    return {
        f"{rating.item} {rating.annotator} {rating.seconds} {rating.value}" for rating in ratings
    }


@pytest.mark.parametrize("form", ["jsonl", "csv", "label_studio"])
def test_what_goes_out_comes_back_whole(form, opened, tmp_path):
    study = filled(opened(f"sqlite:///{tmp_path / 'a.sqlite3'}"))
    text = export(everything(study), form, {ONE: TEXT, TWO: TEXT}, study.history(), TAXONOMY)
    found, problems = parse(text, form, [ONE, TWO], TAXONOMY)
    assert not problems.kept
    other = opened(f"sqlite:///{tmp_path / 'b.sqlite3'}").study("lead")
    assert take_in(other, found) == (13, problems)
    assert bare(everything(other)) == bare(everything(study))
    assert take_in(other, found)[0] == 13  # again changes nothing
    assert len(other.history()) == 13
    assert other.history()[0].action == "import"


def test_blank_lines_lose_nothing():
    ratings = [_rating(value, annotator=name) for name in ("fox", "owl") for value in VALUES]
    text = export(ratings, "jsonl", {ONE: TEXT})
    gaps = "\n" + text.replace("\n", "\n\n  \n", 6) + "\n \n"
    imported, problems = parse(gaps, "jsonl")
    assert not problems.kept
    assert [one.value for one in imported] == [one.value for one in parse(text, "jsonl")[0]]
    assert len(imported) == len(ratings)
    edited = text.replace('"type":', '"type ":').replace('"episode":', '" episode":')
    assert parse(edited, "jsonl")[0] == imported
    nothing, problems = parse(text.partition("\n")[0], "jsonl", file="a.jsonl")
    assert not nothing
    assert str(problems.kept[0]).startswith("a.jsonl: holds no rating")


@pytest.mark.parametrize("form", ["jsonl", "csv", "label_studio"])
@pytest.mark.parametrize(
    "value",
    [
        Failures(taxonomy=TAXONOMY.name, taxonomy_version=1),
        Failures(taxonomy=TAXONOMY.name, taxonomy_version=1, comment="nothing failed"),
        Skills(),
    ],
    ids=["no failure", "no failure, with a comment", "no skill"],
)
def test_that_nothing_failed_is_a_rating_too(form, value):
    text = export([_rating(value, item=TWO)], form, {TWO: TEXT}, taxonomy=TAXONOMY)
    imported, problems = parse(text, form, [TWO], TAXONOMY)
    assert not problems.kept
    assert [(one.item, one.annotator, one.value) for one in imported] == [(TWO, "fox", value)]


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", "soon"])
def test_a_time_at_work_that_is_none_is_told(seconds):
    table = (
        f"dataset,episode,task,annotator,seconds,navigable\ns,1,navigability,fox,{seconds},yes\n"
    )
    table += "s,2,navigability,fox,,yes\ns,3,navigability,fox,7.25,yes\n"
    found, problems = parse(table, "csv", file="table.csv")
    assert [one.seconds for one in found] == [None, 7.25]
    assert str(problems.kept[0]).startswith(
        "table.csv:2, episode 1, field seconds: input should be"
    )


def test_a_table_that_somebody_else_made():
    table = "\ufeffdataset, episode ,task,annotator,navigable,linguistic,topological,operational\n"
    table += "s,1,navigability,fox,yes,,,\ns,1,difficulty,fox,,3,4,5\n"
    found, problems = parse(table, "csv")
    assert not problems.kept
    assert [one.value for one in found] == [
        Navigability(navigable=True), Difficulty(linguistic=3, topological=4, operational=5)
    ]  # fmt: skip


def test_label_studio_s_own_users_rate_once():
    result = {
        "from_name": "navigable",
        "to_name": "text",
        "type": "choices",
        "value": {"choices": ["yes"]},
    }
    annotations = [
        {"completed_by": who, "result": [result]} for who in (3, {"id": 4, "email": "owl@nest.org"})
    ]
    foreign = json.dumps(
        [{"id": 8, "data": {"text": TEXT, "episode": "1"}, "annotations": annotations}]
    )
    found, problems = parse(foreign, "label_studio")
    assert not problems.kept
    assert [(one.annotator, one.value.navigable) for one in found] == [
        ("annotator 3", True),
        ("owl", True),
    ]
    again, problems = parse(
        json.dumps([*json.loads(foreign), *json.loads(foreign)]), "label_studio"
    )
    assert again == found, "a task that was exported twice counts once"
    assert [str(problem) for problem in problems.kept] == [
        f"import, task 8, episode 1, field navigability: {name} rates it twice in this file; the"
        " first is taken."
        for name in ("annotator 3", "owl")
    ]


@pytest.mark.parametrize(
    ("text", "form", "sentence"),
    [
        ("{}", "label_studio", "is no list of tasks"),
        ("{", "groke", "is no JSON"),
        ("[]", "groke", "holds no ratings by episode"),
    ],
)
def test_files_that_are_none(text, form, sentence):
    with pytest.raises(InputError, match=sentence):
        parse(text, form, file="x")


def test_grokes_ratings_find_their_data_set_and_say_what_is_out_of_range():
    levels = {"cognitive": 2, "spatial": 3, "execution": 4}
    text = json.dumps(
        {
            "1": {"complexity": levels, "human_annotation": "1"},
            "2": {"complexity": {**levels, "spatial": 0}},
        }
    )
    found, problems = parse(
        text, "groke", [Item(dataset="s", episode="1"), Item(dataset="s", episode="2")]
    )
    assert [one.value for one in found] == [
        Difficulty(linguistic=2, topological=3, operational=4), Navigability(navigable=True)
    ]  # fmt: skip
    assert {one.item.dataset for one in found} == {"s"}
    assert "episode 2, field difficulty.topological" in str(problems.kept[0])


@pytest.mark.data
def test_grokes_published_ratings_load(data_dir):
    text = (data_dir / "groke/annotations/correctness_hardness.json").read_text()
    found, problems = parse(text, "groke")
    assert len(found) == 200
    assert not problems.kept


def test_json_lines_begin_with_their_version_and_hold_every_record():
    edit = Edit(item=ONE, task="navigability", annotator="fox", revision=1, who="lead", at=AT, action="save",
                before=None, after=Navigability(navigable=True))  # fmt: skip
    rating = _rating(Navigability(navigable=True, comment="Straße"), seconds=2.5)
    text = export([rating], "jsonl", {ONE: "Geh."}, [edit], TAXONOMY)
    head, instruction, first, change = map(json.loads, text.splitlines())
    assert head == {
        "type": "navviz-annotations",
        "version": 1,
        "taxonomy": TAXONOMY.model_dump(mode="json"),
    }
    assert instruction == {
        "type": "instruction",
        "dataset": "s",
        "episode": "1",
        "run": "",
        "claim": "",
        "text": "Geh.",
    }
    where = {"queue": "", "part": "main"}
    assert first == {"type": "rating", **rating.model_dump(mode="json"), **where}
    assert change == {"type": "edit", **edit.model_dump(mode="json")}
    assert "Straße" in text
    assert json.loads(export([], "jsonl")) == {"type": "navviz-annotations", "version": 1}


def test_a_row_of_a_table_has_readable_cells():
    at = "2026-01-02T03:04:05+00:00"
    value = Navigability(navigable=False, confidence=2, comment="=1+1")
    (row,) = _rows(_rating(value, item=Item(dataset="s", episode="1", run="r"), seconds=2.5))
    assert {name: cell for name, cell in row.items() if cell} == {
        "dataset": "s", "episode": "1", "run": "r", "task": "navigability", "annotator": "fox",
        "part": "main", "revision": "2", "edits": "1",
        "created": at, "changed": at, "seconds": "2.5", "navigable": "False", "confidence": "2", "comment": "'=1+1",
        "value": value.model_dump_json(),
    }  # fmt: skip
    (bare,) = _rows(_rating(None, changed=AT.replace(year=2027)))
    assert {name for name, cell in bare.items() if cell} == {
        "dataset", "episode", "task", "annotator", "part", "revision", "edits", "created", "changed"
    }  # fmt: skip
    assert (bare["created"], bare["changed"]) == (at, at.replace("2026", "2027"))


@pytest.mark.parametrize(
    ("value", "cells"),
    [
        (Follow(walk=("a",), distance_m=3.5, success=True, gave_up=True, elapsed_s=9.0),
         {"distance_m": "3.5", "success": "True", "gave_up": "True", "elapsed_s": "9.0"}),
        (Difficulty(linguistic=1, topological=2, operational=3),
         {"linguistic": "1", "topological": "2", "operational": "3"}),
        (Failures(taxonomy="t", taxonomy_version=1, labels=(FailureLabel(code="B"), FailureLabel(code="A"))),
         {"codes": "A B"}),
        (Skills(labels=(SkillLabel(step=1, skill="turn"), SkillLabel(step=3, skill="stop"))),
         {"codes": "1: turn | 3: stop"}),
        (Mentions(mentions=(Mention(start=0, end=1, text="a"), Mention(start=2, end=3, text="b"))),
         {"mentions": "a | b"}),
    ],
)  # fmt: skip
def test_each_kind_of_value_has_columns_of_its_own(value, cells):
    (row,) = _rows(_rating(value))
    others = _rows(_rating(None))[0]
    shown = {name: cell for name, cell in row.items() if cell and not others[name]}
    assert shown == cells | {"value": value.model_dump_json()}


@pytest.mark.parametrize("form", ["groke", "groke_failures"])
def test_grokes_files_are_read_only(form):
    with pytest.raises(InputError) as caught:
        export([], form)
    assert str(caught.value) == "GROKE's format can only be read; choose another format."


def test_label_studio_needs_no_instructions():
    (task,) = json.loads(export([_rating(Navigability(navigable=True))], "label_studio"))
    assert task["data"]["episode"] == "1"
    (task,) = json.loads(
        export([_rating(Navigability(navigable=True))], "label_studio", {ONE: "Go."})
    )
    assert task["data"]["text"] == "Go."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"annotator": ""}, "x:1, episode 1, field annotator: is missing; " + OTHERS),
        ({"annotator": None}, "x:1, episode 1, field annotator: is missing; " + OTHERS),
        ({"item": {"dataset": "s"}}, "x:1, field episode: is missing; " + OTHERS),
        ({"item": "1"}, "x:1, field episode: is missing; " + OTHERS),
        ({"value": None}, "x:1, episode 1: input should be a valid dictionary or object to extract fields from; " + OTHERS),
        ({"seconds": "soon"}, "x:1, episode 1, field seconds: input should be a valid number, unable to parse string as a number; " + OTHERS),
        ({"value": {"task": "difficulty", "linguistic": 1, "topological": 2, "operational": 11}},
         "x:1, episode 1, field difficulty.operational: input should be less than or equal to 10; " + OTHERS),
    ],
)  # fmt: skip
def test_a_rating_that_is_wrong_is_told_and_the_rest_is_taken(changes, sentence):
    ratings, problems = parse(_line(**changes) + "\n" + _line(annotator="owl"), "jsonl", file="x")
    assert [str(problem) for problem in problems.kept] == [sentence]
    assert [one.annotator for one in ratings] == ["owl"]


def test_what_is_whole_comes_in_as_it_is():
    (one,), problems = parse(
        _line(seconds=2.5, item={"dataset": "s", "episode": 7, "run": "r"}), "jsonl"
    )
    assert one == Imported(
        item=Item(dataset="s", episode="7", run="r"),
        annotator="fox",
        value=Navigability(navigable=True),
        seconds=2.5,
    )
    assert problems.count == 0
    (blank,), _ = parse(_line(seconds=""), "jsonl")
    assert blank.seconds is None


def test_only_episodes_that_are_open_come_in():
    known = [Item(dataset="s", episode="1"), Item(dataset="s", episode="2", run="r")]
    items = [{"dataset": "s", "episode": "9"}, {"dataset": "t", "episode": "1"}, {"episode": "9"}]
    text = "\n".join(_line(item=item) for item in items)
    assert _told(text, known_items=iter(known)) == [
        "x:1, episode 9, field episode: is not among the open episodes of s; " + OTHERS,
        "x:2, episode 1, field episode: is not among the open episodes of t; " + OTHERS,
        "x:3, episode 9, field episode: is not among the open episodes of any data set; " + OTHERS,
    ]
    assert _told(text, known_items=[])[1].endswith("of t; " + OTHERS)
    assert _told(text) == []


def test_a_file_that_names_no_data_set_and_no_run_means_the_open_ones():
    known = [Item(dataset="s", episode="1"), Item(dataset="t", episode="2", run="r")]
    table = "episode,task,annotator,navigable\n1,navigability,fox,yes\n2,navigability,fox,no\n"
    ratings, problems = parse(table, "csv", iter(known))
    assert problems.count == 0
    assert [one.item for one in ratings] == known
    ratings, _ = parse(table, "csv")
    assert [one.item for one in ratings] == [
        Item(dataset="", episode="1"),
        Item(dataset="", episode="2"),
    ]


def test_codes_are_those_of_the_taxonomy_in_its_version():
    def value(version: int, *codes: str) -> dict[str, Any]:
        labels = [{"code": code} for code in codes]
        return {
            "task": "failure",
            "taxonomy": TAXONOMY.name,
            "taxonomy_version": version,
            "labels": labels,
        }

    good = next(iter(TAXONOMY.labels())).code
    result = _told(_line(value=value(TAXONOMY.version, "Z9", good, "Y8")), taxonomy=TAXONOMY)
    assert result == [
        f"x:1, episode 1, field labels: Y8, Z9 is no code of {TAXONOMY.name} version {TAXONOMY.version}; {OTHERS}"
    ]
    assert _told(_line(value=value(TAXONOMY.version, good)), taxonomy=TAXONOMY) == []
    assert _told(_line(value=value(TAXONOMY.version + 1, "Z9")), taxonomy=TAXONOMY) == []
    assert _told(_line(value=value(TAXONOMY.version, "Z9"))) == []


HEAD = '{"type": "navviz-annotations", "version": %s}'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (_line() + "\n{", "x:2: is no JSON"),
        ("\n[1]", "x:2: is no rating; choose a file that NavViz exported."),
        (HEAD % "2", "x: has version 2; update NavViz."),
        (HEAD % '"99"', "x: has version 99; update NavViz."),
        (HEAD % f'"{"9" * 50}"', f"x: has version {'9' * 40}; update NavViz."),
    ],
)
def test_a_file_that_is_no_export_says_why(text, sentence):
    with pytest.raises(InputError) as caught:
        parse(text, "jsonl", file="x")
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(("choose a file that NavViz exported.", "update NavViz."))


def test_versions_up_to_ours_are_read_and_the_first_line_alone_names_one():
    for head in (HEAD % "1", HEAD % "0", '{"type": "other"}', _line()):
        assert len(parse(f"{head}\n{_line(annotator='owl')}\n{HEAD % '9'}", "jsonl")[0]) >= 1
    assert parse("", "jsonl")[0] == []


def test_a_table_without_its_columns_is_no_table():
    with pytest.raises(InputError) as caught:
        parse("dataset,task\ns,navigability\n", "csv", file="x")
    assert str(caught.value) == "x: lacks the column annotator, episode; name it in the first row."


def test_cells_of_a_table_are_read_by_their_task():
    table = "dataset,episode,task,annotator,navigable,confidence,linguistic,topological,operational,comment,other,value\n"
    table += "s,1,navigability,fox,yes,3,9,9,9,'=fine,x,\n"
    table += "s,2,difficulty,fox,yes,3,1,2,3,,x,\n"
    table += 's,3,navigability,fox,no,,,,,,,"{""task"": ""navigability"", ""navigable"": true}"\n'
    table += "s,4,navigability,fox,yes,,,,,,,broken\ns,5,follow,fox,yes,,,,,,,\n"
    ratings, problems = parse(table, "csv", file="x")
    assert [one.value for one in ratings] == [
        Navigability(navigable=True, confidence=3, comment="=fine"),
        Difficulty(linguistic=1, topological=2, operational=3),
        Navigability(navigable=True),
    ]
    assert [str(problem).split(": ")[0] for problem in problems.kept] == [
        "x:5, episode 4",
        "x:6, episode 5, field follow.walk",
    ]


def test_ratings_come_in_under_their_names_and_the_history_says_who_brought_them(opened, tmp_path):
    study = opened(f"sqlite:///{tmp_path / 'a.sqlite3'}").study("lead")
    yes, no = Navigability(navigable=True), Navigability(navigable=False)

    def one(annotator: str, value: Value, episode: str = "1") -> Imported:
        return Imported(
            item=Item(dataset="s", episode=episode), annotator=annotator, value=value, seconds=2.5
        )

    saved, problems = take_in(
        study, [one("fox", yes), one(ADJUDICATED, no), one("me@x.org", yes), one("owl", yes, "2")]
    )
    assert saved == 3
    assert [(rating.annotator, rating.value, rating.seconds) for rating in study.ratings()] == [
        ("fox", yes, 2.5),
        ("owl", yes, 2.5),
    ]
    assert [(rating.value, rating.seconds) for rating in study.adjudicated()] == [(no, 2.5)]
    assert [(edit.who, edit.annotator, edit.action) for edit in study.history()] == [
        ("lead", "fox", "import"), ("lead", ADJUDICATED, "save"), ("lead", "owl", "import")
    ]  # fmt: skip
    assert "is no pseudonym" in str(problems.kept[0])
    saved, problems = take_in(
        study, [one("fox", no), one(ADJUDICATED, yes), one("owl", yes, "2"), one("owl", no, "3")]
    )
    assert saved == 2
    assert list(map(str, problems.kept)) == [
        "episode 1, field navigability: fox has rated it otherwise here; the rating here is kept.",
        f"episode 1, field navigability: {ADJUDICATED} has rated it otherwise here; the rating here is kept.",
    ]


def test_a_file_without_a_name_is_the_import_and_a_reader_that_breaks_is_named():
    with pytest.raises(InputError, match="import:1: is no JSON"):
        parse("{", "jsonl")
    with pytest.raises(InputError, match=r"x: cannot be read as jsonl \(AttributeError: "):
        parse(None, "jsonl", file="x")  # type: ignore[arg-type]


def test_grokes_failure_labels_are_told_in_the_taxonomy_that_is_open():
    axis, label = next(iter(TAXONOMY.foreign["groke"])).split(": ")
    text = json.dumps([{"id": "1", "responses": {axis: [{"value": [label], "user_id": "u"}]}}])
    mine = TAXONOMY.model_copy(update={"name": "mine"})
    for given, name in ((None, TAXONOMY.name), (mine, "mine")):
        (one,), problems = parse(text, "groke_failures", taxonomy=given, file="x")
        assert (one.value.taxonomy, one.annotator, problems.count) == (name, "GROKE u", 0)
    with pytest.raises(InputError, match="x: is no JSON"):
        parse("{", "groke_failures", file="x")
