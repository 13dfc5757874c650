"""Ratings out of and into files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from navviz.annotation.exchange import Format, export, parse, take_in
from navviz.annotation.ratings import Mark
from navviz.annotation.records import (
    Difficulty,
    FailureLabel,
    Failures,
    Follow,
    Item,
    Mention,
    Mentions,
    Navigability,
    Rating,
    Skills,
)
from navviz.annotation.store import AnnotationStore, Study
from navviz.annotation.taxonomy import bundled_taxonomy
from navviz.errors import InputError

ONE, TWO = Item(dataset="sample", episode="1"), Item(dataset="sample", episode="2", run="rules")
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
]


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
def test_what_goes_out_comes_back_whole(form: Format, opened, tmp_path) -> None:
    study = filled(opened(f"sqlite:///{tmp_path / 'a.sqlite3'}"))
    text = export(everything(study), form, {ONE: TEXT, TWO: TEXT}, study.history(), TAXONOMY)
    found, problems = parse(text, form, [ONE, TWO], TAXONOMY)
    assert not problems.kept
    other = opened(f"sqlite:///{tmp_path / 'b.sqlite3'}").study("lead")
    assert take_in(other, found) == (11, problems)
    assert bare(everything(other)) == bare(everything(study))
    assert take_in(other, found)[0] == 11  # again changes nothing
    assert len(other.history()) == 11
    assert other.history()[0].action == "import"


def test_json_lines_hold_history_taxonomy_and_instructions(store: AnnotationStore) -> None:
    study = filled(store)
    lines = [
        json.loads(line)
        for line in export(
            study.ratings(), "jsonl", {ONE: TEXT}, study.history(), TAXONOMY
        ).splitlines()
    ]
    assert lines[0]["taxonomy"]["version"] == 1
    assert [line["text"] for line in lines if line["type"] == "instruction"] == [TEXT]
    assert sum(line["type"] == "edit" for line in lines) == 11


def test_blank_lines_lose_nothing(store: AnnotationStore) -> None:
    text = export(filled(store).ratings(), "jsonl", {ONE: TEXT})
    gaps = "\n" + text.replace("\n", "\n\n  \n", 6) + "\n \n"
    imported, problems = parse(gaps, "jsonl")
    assert not problems.kept
    assert [one.value for one in imported] == [one.value for one in parse(text, "jsonl")[0]]
    assert len(imported) == 10
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
def test_that_nothing_failed_is_a_rating_too(
    store: AnnotationStore, form: Format, value: Failures | Skills
) -> None:
    store.sign_in("fox").save(TWO, value, seen=0)
    text = export(store.study().ratings(), form, {TWO: TEXT}, taxonomy=TAXONOMY)
    imported, problems = parse(text, form, [TWO], TAXONOMY)
    assert not problems.kept
    assert [(one.item, one.annotator, one.value) for one in imported] == [(TWO, "fox", value)]


def test_label_studio_shows_that_nothing_failed(store: AnnotationStore) -> None:
    store.sign_in("fox").save(TWO, Failures(taxonomy=TAXONOMY.name, taxonomy_version=3), seen=0)
    [task] = json.loads(
        export(store.study().ratings(), "label_studio", {TWO: TEXT}, taxonomy=TAXONOMY)
    )
    [result] = task["annotations"][0]["result"]
    assert (result["from_name"], result["type"], result["value"]) == (
        "failure",
        "taxonomy",
        {"taxonomy": []},
    )
    assert result["meta"] == {"taxonomy": TAXONOMY.name, "taxonomy_version": 3}


def test_label_studio_shows_that_no_skill_was_judged(store: AnnotationStore) -> None:
    store.sign_in("fox").save(TWO, Skills(), seen=0)
    [task] = json.loads(export(store.study().ratings(), "label_studio", {TWO: TEXT}))
    [result] = task["annotations"][0]["result"]
    assert (result["from_name"], result["value"]) == ("skill", {"choices": []})


def test_csv_has_readable_columns_and_no_formulas(store: AnnotationStore) -> None:
    rows = list(csv.DictReader(io.StringIO(export(filled(store).ratings(), "csv"))))
    assert rows[0]["navigable"] == "False"
    assert rows[0]["comment"].startswith("'=")
    assert {row["codes"] for row in rows} == {"", "E2.1 L1"}
    assert {row["mentions"] for row in rows} == {"", "bank | Walk"}
    assert {row["linguistic"] for row in rows} == {"", "1"}
    assert [row["seconds"] for row in rows] == [
        "12.5",
        "13.5",
        "14.5",
        "15.5",
        "16.5",
        "",
        "",
        "",
        "",
        "",
    ]


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", "soon"])
def test_a_time_at_work_that_is_none_is_told(seconds: str) -> None:
    table = (
        f"dataset,episode,task,annotator,seconds,navigable\ns,1,navigability,fox,{seconds},yes\n"
    )
    table += "s,2,navigability,fox,,yes\ns,3,navigability,fox,7.25,yes\n"
    found, problems = parse(table, "csv", file="table.csv")
    assert [one.seconds for one in found] == [None, 7.25]
    assert str(problems.kept[0]).startswith(
        "table.csv:2, episode 1, field seconds: input should be"
    )


def test_a_table_that_somebody_else_made() -> None:
    table = "\ufeffdataset, episode ,task,annotator,navigable,linguistic,topological,operational\n"
    table += "s,1,navigability,fox,yes,,,\ns,1,difficulty,fox,,3,4,5\n"
    found, problems = parse(table, "csv")
    assert not problems.kept
    assert [one.value for one in found] == [
        Navigability(navigable=True), Difficulty(linguistic=3, topological=4, operational=5)
    ]  # fmt: skip


def test_faults_are_told_and_the_rest_is_taken() -> None:
    table = "dataset,episode,task,annotator,linguistic,topological,operational\n"
    table += "s,1,difficulty,fox,3,4,11\ns,9,difficulty,fox,3,4,5\ns,1,guess,fox,3,4,5\ns,1,difficulty,,1,1,1\n"
    table += "s,1,difficulty,fox,3,4,5\n"
    found, problems = parse(table, "csv", [Item(dataset="s", episode="1")], file="table.csv")
    assert len(found) == 1
    messages = [str(problem) for problem in problems.kept]
    assert messages[0].startswith(
        "table.csv:2, episode 1, field difficulty.operational: input should be less than or equal"
    )
    assert messages[1].startswith(
        "table.csv:3, episode 9, field episode: is not among the open episodes of s; the other"
    )
    assert "table.csv:4, episode 1" in messages[2]
    assert messages[3].startswith("table.csv:5, episode 1, field annotator: is missing")


def test_codes_that_the_taxonomy_lacks_are_told(store: AnnotationStore) -> None:
    wrong = FAILURES.model_copy(update={"labels": (FailureLabel(code="Z9"),)})
    store.sign_in("fox").save(TWO, wrong, seen=0)
    found, problems = parse(export(store.study().ratings(), "jsonl"), "jsonl", None, TAXONOMY)
    assert not found
    assert "Z9 is no code of navviz-failures version 1" in str(problems.kept[0])


def test_a_rating_that_is_otherwise_here_is_kept(store: AnnotationStore) -> None:
    study = filled(store)
    found, _ = parse(export(study.ratings("navigability"), "jsonl"), "jsonl")
    fox = store.sign_in("fox")
    fox.save(ONE, Navigability(navigable=True), seen=1)
    saved, problems = take_in(study, found)
    assert saved == 1
    assert str(problems.kept[0]).endswith(
        "fox has rated it otherwise here; the rating here is kept."
    )
    assert fox.rating(ONE, "navigability").value.navigable


def test_label_studio_shapes_and_its_own_users(store: AnnotationStore) -> None:
    tasks = json.loads(
        export(filled(store).ratings(), "label_studio", {ONE: TEXT}, taxonomy=TAXONOMY)
    )
    assert len(tasks) == 5
    assert all(len(task["annotations"]) == 2 for task in tasks)
    labels = next(task for task in tasks if task["data"]["task"] == "failure")["annotations"][0][
        "result"
    ]
    assert labels[0]["value"] == {"taxonomy": [["E", "E2", "E2.1"]]}
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
        ("{", "jsonl", "x:1: is no JSON"),
        ("[1]", "jsonl", "x:1: is no rating"),
        ('{"type": "navviz-annotations", "version": 9}', "jsonl", "version 9; update NavViz"),
        ("a,b\n1,2\n", "csv", "lacks the column annotator, episode, task"),
        ("{}", "label_studio", "is no list of tasks"),
        ("{", "label_studio", "is no JSON"),
        ("{", "groke", "is no JSON"),
        ("[]", "groke", "holds no ratings by episode"),
    ],
)
def test_files_that_are_none(text: str, form: Format, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        parse(text, form, file="x")


def test_names_that_nobody_can_have_are_told(store: AnnotationStore) -> None:
    table = "dataset,episode,task,annotator,navigable\ns,1,navigability,me@example.org,yes\n"
    saved, problems = take_in(store.study(), parse(table, "csv")[0])
    assert saved == 0
    assert "no e-mail address" in str(problems.kept[0])


def test_grokes_ratings_find_their_data_set_and_say_what_is_out_of_range() -> None:
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
    with pytest.raises(InputError, match="can only be read"):
        export([], "groke")


@pytest.mark.data
def test_grokes_published_ratings_load(data_dir: Path) -> None:
    text = (data_dir / "groke/annotations/correctness_hardness.json").read_text()
    found, problems = parse(text, "groke")
    assert len(found) == 200
    assert not problems.kept
