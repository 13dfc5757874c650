"""Episodes of several runs as the rows that tables and charts are made of, and the groups that they
fall into.

A `ScoredWalk` is one episode of one run with its scores. A grouping names the groups of a walk: its
run, its difficulty band, its split, the length of its route. One walk may be in several groups
(tags) or in none (nobody rated it).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from navviz.errors import InputError, SettingsError
from navviz.language.reorder import instruction_tags, skill_tags, temporal_tags
from navviz.metrics.agreement import Band, bands
from navviz.records import Trace
from navviz.records.base import plural
from navviz.runs.facts import WalkFacts
from navviz.runs.run import OpenRun
from navviz.support.guarded import read_text
from navviz.support.systems import offered

RATINGS_FILE: Final = "correctness_hardness.json"
"""The name under which GROKE publishes its ratings."""
_METRES: Final = (200, 300, 400, 500, 600)
_METRES_INDOORS: Final = (6, 8, 10, 12, 15)
_WORDS: Final = (20, 30, 40, 50, 60)
_BANDS: Final[tuple[Band, ...]] = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class Difficulties:
    """The difficulty band of each rated episode, and where the ratings come from."""

    bands: Mapping[str, Band | None] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, slots=True)
class ScoredWalk:
    """One episode of one run, with all that a table may ask of it."""

    run: str
    """The name of the run in the table."""
    key: str
    """The id of the episode."""
    facts: WalkFacts
    scores: Mapping[str, float | None]
    opened: OpenRun
    difficulty: Band | None = None

    @property
    def trace(self) -> Trace:
        """The trace; of a large run it is read anew, so `facts` goes first."""
        return self.opened.outline(self.key)

    @property
    def length_m(self) -> float | None:
        """Length of the reference path in metres; ``None`` where it is not known."""
        return self.scores.get("RL")


def walks_of(
    runs: Mapping[str, OpenRun], difficulties: Difficulties | None = None
) -> list[ScoredWalk]:
    """List the walks of several runs, without those that ended in a technical error."""
    given = difficulties or Difficulties()
    own = _own_bands(runs.values()) if not given.bands else {}
    rated = given.bands or own
    walks = []
    for name, run in runs.items():
        for key, facts in run.facts.items():
            if key not in run.scores.errors:
                band = rated.get(key)
                walks.append(ScoredWalk(name, key, facts, run.scores.rows[key], run, band))
    return walks


def _own_bands(runs: Iterable[OpenRun]) -> Mapping[str, Band | None]:
    """Bands by the ratings that episodes carry."""
    ratings = {}
    for run in runs:
        for key, facts in run.facts.items():
            if facts.difficulty is not None:
                ratings[key] = list(facts.difficulty)
    return bands(ratings)


def read_difficulties(path: Path) -> Difficulties:
    """Read GROKE's ratings; raises `InputError` where the file holds none."""
    ratings: dict[str, list[float]] = {}
    read = offered("rating_importers")["groke"].load()
    for _, row in read(read_text(path), path.name):
        value = row["value"]
        if value["task"] == "difficulty":
            levels = [value.get(axis) for axis in ("linguistic", "topological", "operational")]
            if not all(isinstance(level, int | float) for level in levels):
                raise InputError(
                    "is not rated on all three axes",
                    "mend it",
                    file=path.name,
                    episode=row["episode"],
                    field="complexity",
                )
            ratings[row["episode"]] = [float(level) for level in levels]
    if not ratings:
        raise InputError("holds no difficulty", f"choose {RATINGS_FILE}", file=path.name)
    return Difficulties(bands(ratings), path.name)


def difficulties_beside(paths: Iterable[Path]) -> Difficulties | None:
    """Read the ratings beside results, or in a folder ``annotations`` near them, if any."""
    for path in paths:
        for folder in list(path.resolve().parents)[:3]:
            for place in (folder / RATINGS_FILE, folder / "annotations" / RATINGS_FILE):
                if place.is_file():
                    return read_difficulties(place)
    return None


@dataclass(frozen=True, slots=True, order=True)
class Group:
    """One group; groups are sorted by `order`, then in the order in which they were met."""

    order: float
    label: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to sort walks into groups."""

    name: str
    label: str
    """Head of its column."""
    help: str
    of: Callable[[ScoredWalk], Sequence[Group]]
    """The groups of a walk; empty where it has none."""
    between: Callable[[Group, Group], Sequence[Group]] | None = None
    """The groups from one to another, in order, those that no walk is in too; ``None`` where groups
    have no order.
    """


def _single_group(value: object) -> Sequence[Group]:
    return () if value in (None, "") else (Group(0.0, str(value)),)


def _many(labels: Iterable[str]) -> Sequence[Group]:
    return tuple(Group(0.0, label) for label in dict.fromkeys(labels))


def _difficulty(walk: ScoredWalk) -> Sequence[Group]:
    return (
        ()
        if walk.difficulty is None
        else (Group(float(_BANDS.index(walk.difficulty)), walk.difficulty),)
    )


def _counted(count: int, name: str) -> Sequence[Group]:
    return (Group(float(count), plural(count, name)),) if count else ()


def _sub_goals(walk: ScoredWalk) -> Sequence[Group]:
    return _counted(walk.facts.sub_goals, "sub-goal")


def _sub_tasks(walk: ScoredWalk) -> Sequence[Group]:
    return _counted(walk.facts.sub_tasks, "sub-task")


def _counts_between(first: Group, last: Group) -> Sequence[Group]:
    # a label is the number and the noun, which may be a plural
    name = first.label.partition(" ")[2].removesuffix("s")
    groups: list[Group] = []
    for count in range(int(first.order), int(last.order) + 1):
        groups += _counted(count, name)
    return groups


def _bands_between(first: Group, last: Group, edges: Sequence[int], unit: str) -> Sequence[Group]:
    groups: list[Group] = []
    for edge in (0, *edges):
        if first.order <= edge <= last.order:
            # half a unit above its edge lies inside of a band
            groups += _banded(edge + 0.5, edges, unit)
    return groups


def _lengths_between(first: Group, last: Group) -> Sequence[Group]:
    # 0 is the band below the first edge, which streets and houses both have
    orders = {first.order, last.order} - {0.0}
    edges = _METRES if orders <= {float(edge) for edge in _METRES} else _METRES_INDOORS
    return _bands_between(first, last, edges, "m")


def _difficulties_between(first: Group, last: Group) -> Sequence[Group]:
    names = _BANDS[int(first.order) : int(last.order) + 1]
    return [Group(first.order + k, name) for k, name in enumerate(names)]


def bands_of(walks: Iterable[ScoredWalk], by: Grouping) -> list[Group]:
    """Return the groups of walks in order; ordered ones with those between that are empty."""
    present = dict.fromkeys(chain.from_iterable(map(by.of, walks)))
    groups = sorted(present, key=lambda group: group.order)
    if by.between is None or len(groups) < 2:
        return groups
    between = by.between(groups[0], groups[-1])
    labels = {group.label for group in between}
    # bands of houses and of streets in one table are no one row
    return list(between) if all(group.label in labels for group in groups) else groups


def _banded(value: float | None, edges: Sequence[int], unit: str) -> Sequence[Group]:
    if value is None or not math.isfinite(value) or value <= 0:
        return ()
    below = [edge for edge in edges if edge <= value]
    above = [edge for edge in edges if edge > value]
    if not below:
        return (Group(0.0, f"under {above[0]} {unit}"),)
    label = f"{below[-1]}–{above[0]} {unit}" if above else f"{below[-1]} {unit} and more"
    return (Group(float(below[-1]), label),)


def _length(walk: ScoredWalk) -> Sequence[Group]:
    outdoors = walk.opened.graph(walk.key).frame == "geo"
    return _banded(walk.length_m, _METRES if outdoors else _METRES_INDOORS, "m")


def _words(walk: ScoredWalk) -> Sequence[Group]:
    return _banded(float(len(walk.facts.instruction.split())), _WORDS, "words")


_GROUPINGS_IN_ORDER: Final = (
    Grouping("run", "Run", "The run", lambda w: (Group(0.0, w.run),)),
    Grouping(
        "difficulty",
        "Difficulty",
        "Easy, medium, hard, by people's ratings (GROKE's bands)",
        _difficulty,
        _difficulties_between,
    ),
    Grouping("split", "Split", "The split of the data set", lambda w: _single_group(w.facts.split)),
    Grouping("dataset", "Data set", "The data set", lambda w: _single_group(w.facts.dataset)),
    Grouping(
        "format",
        "Format",
        "How the surroundings were shown to the model",
        lambda w: _single_group(w.facts.format),
    ),
    Grouping("navigator", "Navigator", "The navigator", lambda w: _single_group(w.facts.navigator)),
    Grouping("model", "Model", "The language model", lambda w: _single_group(w.facts.model)),
    Grouping("length", "Length", "Length of the reference path", _length, _lengths_between),
    Grouping(
        "sub-goals", "Sub-goals", "Number of sub-goals of the plan", _sub_goals, _counts_between
    ),
    Grouping("sub-tasks", "Sub-tasks", "Number of sub-tasks (LH-VLN)", _sub_tasks, _counts_between),
    Grouping(
        "robot",
        "Robot",
        "The robot (LH-VLN: spot or stretch)",
        lambda w: _extra(w, key="robot"),
    ),
    Grouping(
        "words",
        "Words",
        "Number of words of the instruction",
        _words,
        lambda first, last: _bands_between(first, last, _WORDS, "words"),
    ),
    Grouping("world", "World", "House, town or scene", lambda w: _single_group(w.facts.world)),
    Grouping(
        "tag",
        "Tag",
        "Skills and temporal relations in the instruction; one episode may have several",
        lambda w: _many(instruction_tags(w.facts.tagged_text)),
    ),
    Grouping(
        "skill",
        "Skill",
        "Skills that the instruction asks for; one episode may have several",
        lambda w: _many(skill_tags(w.facts.tagged_text)),
    ),
    Grouping(
        "temporal",
        "Temporal",
        "Temporal relations in the instruction; one episode may have several",
        lambda w: _many(temporal_tags(w.facts.tagged_text)),
    ),
    Grouping(
        "first-skill",
        "First skill",
        "The skill whose agent acted first (SkillNav)",
        lambda w: _many(w.facts.skills[:1]),
    ),
    Grouping(
        "last-skill",
        "Last skill",
        "The skill whose agent acted last (SkillNav)",
        lambda w: _many(w.facts.skills[-1:]),
    ),
)
GROUPINGS: Final[Mapping[str, Grouping]] = {each.name: each for each in _GROUPINGS_IN_ORDER}
"""All groupings by name; `grouping` takes ``set.NAME`` (a setting) and ``extra.NAME`` (a field of
the episodes) too.
"""


def grouping(name: str) -> Grouping:
    """Return the grouping of a name; raises `SettingsError` for an unknown one."""
    if name in GROUPINGS:
        return GROUPINGS[name]
    kind, _, key = name.partition(".")
    if key and kind == "set":
        return Grouping(name, key, f"Setting {key} of the navigator", partial(_setting, key=key))
    if key and kind == "extra":
        return Grouping(name, key, f"Field {key} of the episode", partial(_extra, key=key))
    raise SettingsError(
        f"There is no grouping {name!r}: choose one of {', '.join(GROUPINGS)}, set.NAME (a setting)"
        " or extra.NAME (a field of the episodes)."
    )


def _setting(walk: ScoredWalk, key: str) -> Sequence[Group]:
    return _single_group(walk.trace.header.settings.get(key))


def _extra(walk: ScoredWalk, key: str) -> Sequence[Group]:
    return _single_group(walk.trace.episode.extra.get(key))
