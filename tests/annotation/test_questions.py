"""Ratings as tables."""

from __future__ import annotations

from datetime import UTC, datetime

from navviz.annotation.questions import (
    Question,
    difficulty_ratings,
    human_labels,
    marked_names,
    questions,
    rating_table,
)
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
    Value,
)
from navviz.annotation.taxonomy import bundled_taxonomy

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TAXONOMY = bundled_taxonomy()


def rating(episode: str, annotator: str, value: Value, dataset: str = "s") -> Rating:
    return Rating(
        item=Item(dataset=dataset, episode=episode), task=value.task, annotator=annotator, value=value, revision=1,
        created=NOW, changed=NOW,
    )  # fmt: skip


def question(name: str) -> Question:
    return next(one for one in questions(TAXONOMY) if one.name.startswith(name))


def test_a_table_has_holes_where_ratings_are_missing():
    ratings = [
        rating("1", "fox", Navigability(navigable=True, confidence=3)),
        rating("1", "owl", Navigability(navigable=False)),
        rating("2", "owl", Navigability(navigable=True, confidence=5)),
        rating("2", "owl", Difficulty(linguistic=1, topological=2, operational=3)),
    ]
    table = rating_table(ratings, question("Navigable"))
    assert table.raters == ("fox", "owl")
    assert table.rows == ((True, None), (False, True))
    assert [item.episode for item in table.disagreements] == ["1"]
    assert table.answers(table.items[1]) == {"owl": True}
    assert rating_table(ratings, question("Confidence")).rows == ((3, None), (None, 5))
    assert rating_table([], question("Navigable")).disagreements == []


def test_failure_labels_are_sets_at_each_level():
    labels = tuple(FailureLabel(code=code) for code in ("E2.1", "E2.3", "A1"))
    ratings = [
        rating("1", "fox", Failures(taxonomy="navviz-failures", taxonomy_version=1, labels=labels))
    ]
    rows = [
        rating_table(ratings, question(f"Failure labels: {level}")).rows[0][0]
        for level in ("dim", "cat", "sub")
    ]
    assert rows == [{"E", "A"}, {"E2", "A1"}, {"E2.1", "E2.3", "A1"}]


def test_human_labels_are_means_and_a_settled_label_wins():
    ratings = [
        rating("1", "fox", Navigability(navigable=True)),
        rating("1", "owl", Navigability(navigable=False)),
        rating("2", "owl", Navigability(navigable=True)),
        rating("3", "owl", Navigability(navigable=True), dataset="other"),
        rating("1", "fox", Follow(walk=("a",), success=None)),
        rating("2", "fox", Follow(walk=("a",), success=False)),
    ]
    settled = [rating("1", "@adjudicated", Navigability(navigable=False))]
    assert human_labels(ratings, [], "navigability") == {"1": 0.5, "2": 1.0, "3": 1.0}
    assert human_labels(ratings, settled, "navigability", "s") == {"1": 0.0, "2": 1.0}
    assert human_labels(ratings, [], "follow") == {"2": 0.0}


def test_difficulty_takes_all_axes_of_all_annotators():
    ratings = [
        rating("1", name, Difficulty(linguistic=n, topological=n, operational=n))
        for name, n in (("a", 1), ("b", 3))
    ]
    assert difficulty_ratings(ratings) == {"1": [1, 1, 1, 3, 3, 3]}


def test_marks_are_joined_over_annotators_unless_settled():
    def marks(*names: str) -> Mentions:
        return Mentions(
            mentions=tuple(Mention(start=0, end=len(name), text=name) for name in names)
        )

    ratings = [rating("1", "fox", marks("bank", "bar")), rating("1", "owl", marks("bar", "park"))]
    assert marked_names(ratings) == {"1": ("bank", "bar", "park")}
    assert marked_names(ratings, [rating("1", "@adjudicated", marks("bar"))]) == {"1": ("bar",)}
