"""What is asked of annotators, as tables: raters by items, ready for the statistics of
`navviz.metrics`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from navviz.annotation.records import (
    CauseVerdict,
    Difficulty,
    Failures,
    Follow,
    Item,
    Mentions,
    Navigability,
    Rating,
    Skills,
    Task,
)
from navviz.annotation.taxonomy import Level as TaxonomyLevel
from navviz.annotation.taxonomy import Taxonomy
from navviz.metrics.agreement import Level
from navviz.metrics.extraction import normal_name


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that raters may agree on."""

    name: str
    task: Task
    level: Level
    read: Callable[[Any], Hashable | None]
    """From a value of the task to the answer; ``None`` where it was not given."""


def questions(taxonomy: Taxonomy) -> tuple[Question, ...]:
    """All questions, failure labels at each level of the taxonomy."""
    return (
        Question("Navigable (yes / no)", "navigability", "nominal", _navigable),
        Question("Confidence (1 to 5)", "navigability", "ordinal", _confidence),
        Question("Followed it to the goal", "follow", "nominal", _reached),
        *(_axis(axis) for axis in ("linguistic", "topological", "operational")),
        *(_codes(level, taxonomy) for level in ("dimension", "category", "subcategory")),
        Question("Landmark mentions", "mentions", "set", _names),
        Question("Right skill of each step", "skill", "set", _skills),
        Question("Is this the cause?", "cause", "nominal", _verdict),
    )


def _navigable(value: Navigability) -> bool:
    return value.navigable


def _confidence(value: Navigability) -> int | None:
    return value.confidence


def _reached(value: Follow) -> bool | None:
    return value.success


def _verdict(value: CauseVerdict) -> str | None:
    # who cannot tell gives no answer: as a category of its own it would count as agreement
    return None if value.answer == "cannot tell" else value.answer


def _names(value: Mentions) -> frozenset[str]:
    return frozenset(normal_name(mention.text) for mention in value.mentions)


def _skills(value: Skills) -> frozenset[str]:
    return frozenset(f"{label.step}: {label.skill}" for label in value.labels)


def _axis(axis: str) -> Question:
    def read(value: Difficulty) -> int:
        return int(getattr(value, axis))

    return Question(f"Difficulty: {axis} (1 to 10)", "difficulty", "interval", read)


def _codes(level: TaxonomyLevel, taxonomy: Taxonomy) -> Question:
    def read(value: Failures) -> frozenset[str]:
        coded = (
            # codes of another version may name other failures
            value if value.taxonomy_version == taxonomy.version else taxonomy.translate(value)[0]
        )
        return taxonomy.at_level(coded.codes, level)

    return Question(f"Failure labels: {level}", "failure", "set", read)


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Answers to one question: a row a rater, a column an item, ``None`` where missing."""

    raters: tuple[str, ...]
    items: tuple[Item, ...]
    rows: tuple[tuple[Hashable | None, ...], ...]

    def answers(self, item: Item) -> dict[str, Hashable]:
        """Who answered what on one item."""
        column = self.items.index(item)
        given = {rater: row[column] for rater, row in zip(self.raters, self.rows, strict=True)}
        return {rater: answer for rater, answer in given.items() if answer is not None}

    @property
    def disagreements(self) -> list[Item]:
        """Items with at least two different answers, in order."""
        if not self.rows:
            return []
        different = []
        for item, answers in zip(self.items, zip(*self.rows, strict=True), strict=True):
            if len(set(answers) - {None}) > 1:
                different.append(item)
        return different


def rating_table(ratings: Iterable[Rating], question: Question) -> RatingTable:
    """Return the answers to a question; items and raters in the order they first appear."""
    given: dict[tuple[str, Item], Hashable | None] = {}
    for rating in ratings:
        if rating.task == question.task and rating.value is not None:
            given[rating.annotator, rating.item] = question.read(rating.value)
    raters = tuple(dict.fromkeys(rater for rater, _ in given))
    items = tuple(dict.fromkeys(item for _, item in given))
    rows = []
    for rater in raters:
        # a missing answer stays None: statistics of agreement must see the gap
        row = [given.get((rater, item)) for item in items]
        rows.append(tuple(row))
    return RatingTable(raters, items, tuple(rows))


def human_labels(
    ratings: Sequence[Rating], adjudicated: Sequence[Rating], task: Task, dataset: str | None = None
) -> dict[str, float]:
    """Navigability of each episode as people see it: the adjudicated label, else the mean of the
    raters' (0 to 1).
    """
    read = _navigable if task == "navigability" else _reached
    labels: dict[str, list[float]] = {}
    for rating in ratings:
        answer = read(rating.value) if rating.task == task else None  # type: ignore[arg-type]
        if answer is not None and dataset in {None, rating.item.dataset}:
            labels.setdefault(rating.item.episode, []).append(float(answer))
    means = {episode: fmean(answers) for episode, answers in labels.items()}
    # a settled label stands alone and is not averaged with what it settles
    settled = human_labels(adjudicated, (), task, dataset) if adjudicated else {}
    return {**means, **settled}


def difficulty_ratings(ratings: Iterable[Rating]) -> dict[str, list[float]]:
    """All axes by all annotators, by episode id, as `navviz.metrics.agreement` takes them."""
    levels: dict[str, list[float]] = {}
    for rating in ratings:
        if isinstance(rating.value, Difficulty):
            levels.setdefault(rating.item.episode, []).extend(
                float(level) for level in rating.value.axes
            )
    return levels


def marked_names(
    ratings: Iterable[Rating], adjudicated: Iterable[Rating] = ()
) -> Mapping[str, tuple[str, ...]]:
    """Landmark names marked in each episode, by anybody, or as a researcher settled it."""
    marked: dict[str, dict[str, None]] = {}
    for rating in ratings:
        if isinstance(rating.value, Mentions):
            names = marked.setdefault(rating.item.episode, {})
            names.update(dict.fromkeys(mention.text for mention in rating.value.mentions))
    for rating in adjudicated:
        if isinstance(rating.value, Mentions):
            marked[rating.item.episode] = dict.fromkeys(
                mention.text for mention in rating.value.mentions
            )
    return {episode: tuple(names) for episode, names in marked.items()}


def skill_labels(
    ratings: Iterable[Rating], run: str, adjudicated: Iterable[Rating] = ()
) -> dict[tuple[str, int], str]:
    """Return the right skill of each judged step of a run, by episode and step: adjudicated, else
    the majority's.

    Of skills named equally often the first one met counts.
    """
    votes: dict[tuple[str, int], list[str]] = {}
    for rating in ratings:
        if isinstance(rating.value, Skills) and rating.item.run == run:
            for label in rating.value.labels:
                votes.setdefault((rating.item.episode, label.step), []).append(label.skill)
    # `max` keeps the first of equals, and a dict the order of the votes
    skills = {key: max(dict.fromkeys(named), key=named.count) for key, named in votes.items()}
    for rating in adjudicated:
        if isinstance(rating.value, Skills) and rating.item.run == run:
            skills |= {
                (rating.item.episode, label.step): label.skill for label in rating.value.labels
            }
    return skills
