"""What was found in a run, as one list: each finding is a set of its episodes with a sentence.

Acts and explanations are counted among failures; words, places and what scanners point at are set
against the successes. `SOURCES` is the registry: each takes what is known of a run and yields what
it finds there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlencode

from navviz.analysis.act_counts import ACT_SENTENCES, act_counts, act_slugs
from navviz.analysis.alike import AlikeFailures, alike_failures, alike_groups
from navviz.analysis.causes.counting import (
    NO_CAUSE_ID,
    cause_counts,
    leading_ids,
    share_text,
)
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.kept.marks import RunMarks, marks_of
from navviz.analysis.own_findings import IN_TEXTS, OwnFinding, read_own, saying
from navviz.analysis.scanners.registry import get_scanners
from navviz.analysis.slices import Slice, find_slices
from navviz.analysis.what_if.tables import WhatIfCounts
from navviz.metrics.intervals import mean_interval
from navviz.records.act import NO_ACT
from navviz.records.base import capital
from navviz.runs.episode_list import EpisodeList
from navviz.runs.opened import OpenRun

if TYPE_CHECKING:
    import pandas as pd

Group = Literal["own", "acts", "explanations", "words", "places", "data"]

GROUPS: Final[Mapping[Group, str]] = {
    "own": "Kept",
    "acts": "Acts",
    "explanations": "Explanations",
    "words": "Words",
    "places": "Places",
    "data": "Data",
}
"""What a finding is about, in the order of the list."""
OPEN: Final[Mapping[Group, int]] = {
    "own": 3,
    "acts": 3,
    "explanations": 3,
    "words": 1,
    "places": 1,
    "data": 1,
}
"""How many of a group stand open; the others are folded below them."""

OWN: Final = "own"
"""Stands for a column where a finding filters by more than one; its value is the whole query."""

LEFT_AT, SCAN, WHAT_IF = "left at: ", "scan: ", "what if: "
"""Begin the marks of junctions where agents left the route, of scanners, of decisive steps."""

_SURE: Final = 0.05
_MOST: Final = 8
"""Rows of one source that are no more than chance; surer ones are all listed."""

_OF_WORDS: Final = ("word: ", "phrase: ", "skill: ", "temporal: ", "sub-goal ")
_OF_DATA: Final = frozenset({"a landmark not on the map"})

_WHAT_IFS: Final = {
    "one": "One step decides: the reference's link mends the walk there",
    "several": "Several steps decide: each mends the walk alone",
    "none": "No single link of the reference mends the walk",
}

_CLAIMS: Final = {
    "turn": "The instruction turns to another side than its route",
    "missing": "The instruction lacks a turn of its route",
    "landmark": "A landmark lies on another side than the instruction says",
    "heading": "The instruction names another compass direction than its route",
}


@dataclass(frozen=True, slots=True)
class RunFinding:
    """One line of the list."""

    group: Group
    column: str
    """Column of the list of episodes that it filters, and the value there."""
    value: str
    sentence: str
    episodes: tuple[str, ...]
    """That have it, failures first."""
    failures: int
    """Of these, how many failed; then all failures, and the same of successes."""
    all_failures: int
    successes: int
    all_successes: int
    compared: bool = True
    """Whether successes could have it: they have no act, and so no explanation."""
    sure: bool = False
    """Whether the contrast is more than chance: its adjusted p is below 0.05."""
    hint: bool = False
    last: bool = False
    """Stands behind its group: what nobody can tell."""
    note: str = ""
    """How it was found, and its contrast in figures."""

    @property
    def share(self) -> str:
        """How many failures have it, with the interval of their share."""
        if not self.all_failures:
            return "–"
        flags = [k < self.failures for k in range(self.all_failures)]
        return share_text(mean_interval(flags, yes_no=True))

    @property
    def of_successes(self) -> str:
        """How many successes have it."""
        if not (self.compared and self.all_successes):
            return "–"
        return f"{self.successes} of {self.all_successes}"


@dataclass(frozen=True)
class FindingFacts:
    """What is known of a run; what is not known yet is ``None``, and nothing is found in it."""

    failed: Mapping[str, bool]
    """Of each episode whose end is known."""
    explained: Mapping[str, EpisodeCauses] | None = None
    alike: AlikeFailures | None = None
    marks: RunMarks | None = None
    what_ifs: WhatIfCounts | None = None
    claims: Mapping[str, str | None] | None = None
    """How each instruction contradicts its route, where that was checked."""
    run: OpenRun | None = None
    own: Sequence[OwnFinding] = ()
    """What people keep; they are looked for in the run."""

    @cached_property
    def counts(self) -> tuple[int, int]:
        """Failures and successes."""
        failures = sum(self.failed.values())
        return failures, len(self.failed) - failures

    def finding(
        self,
        group: Group,
        column: str,
        value: str,
        sentence: str,
        episodes: Iterable[str],
        **more: bool | str,
    ) -> RunFinding:
        """Return a finding, its episodes counted by how they ended."""
        # sorted is stable: within failures and successes the source's order stays
        ended = sorted((key for key in episodes if key in self.failed), key=self._succeeded)
        failures = sum(self.failed[key] for key in ended)
        counted = (failures, self.counts[0], len(ended) - failures, self.counts[1])
        return RunFinding(group, column, value, sentence, tuple(ended), *counted, **more)  # type: ignore[arg-type]

    def _succeeded(self, key: str) -> bool:
        return not self.failed[key]


def _own(facts: FindingFacts) -> Iterator[RunFinding]:
    if facts.run is None:
        return
    for own in facts.own:
        now = EpisodeList.from_query(own.query)
        if now.choice("feature") and facts.marks is None:
            continue  # its marks are not worked out yet
        keys = now.apply(_table(facts, facts.run, now))["episode"].astype(str)
        value = urlencode(now.to_query())
        yield facts.finding("own", OWN, value, own.name, keys)


def _table(facts: FindingFacts, run: OpenRun, now: EpisodeList) -> pd.DataFrame:
    """Return the table of a run with the columns that a list filters by."""
    table, explained = run.known_table(), facts.explained or {}
    keys = table["episode"]
    columns: dict[str, Mapping[str, object]] = {
        "act": act_slugs(explained),
        "cause": leading_ids(explained),
        "disagreement": facts.claims or {},
        "words": {} if facts.alike is None else facts.alike.ids,
    }
    wanted = now.choice("feature")
    if wanted:
        having = {mark: marked(facts, run, mark) for mark in wanted}
        columns["feature"] = {key: [mark for mark in wanted if key in having[mark]] for key in keys}
    chosen = {name for name, _ in now.choices}
    filled = {name: keys.map(values) for name, values in columns.items() if name in chosen}
    return table.assign(**filled)


def marked(facts: FindingFacts, run: OpenRun, mark: str) -> frozenset[str]:
    """Return the episodes that have a mark of words, places or transcripts."""
    if mark.startswith(IN_TEXTS):
        return saying(run, mark)
    if facts.marks is None:
        return frozenset()
    if mark.startswith(SCAN):
        return frozenset(hit.episode for hit in facts.marks.hits.get(mark.removeprefix(SCAN), ()))
    if mark.startswith(LEFT_AT):
        name, by_episode = mark.removeprefix(LEFT_AT), facts.marks.left_at
    else:
        name, by_episode = mark, facts.marks.features
    return frozenset(key for key, names in by_episode.items() if name in names)


def _acts(facts: FindingFacts) -> Iterator[RunFinding]:
    explained = facts.explained or {}
    by_slug = _grouped(act_slugs(explained))
    for act in act_counts(explained):
        name, is_last = ACT_SENTENCES[act.slug], act.slug == NO_ACT
        keys = by_slug[act.slug]
        yield facts.finding("acts", "act", act.slug, name, keys, compared=False, last=is_last)


def _decisive(facts: FindingFacts) -> Iterator[RunFinding]:
    for kind, sentence in _WHAT_IFS.items() if facts.what_ifs is not None else ():
        keys = getattr(facts.what_ifs, kind)
        if keys:
            note = "The same navigator walked on after each other link (what if)."
            yield facts.finding(
                "acts", "feature", WHAT_IF + kind, sentence, keys, compared=False, note=note
            )


def _explanations(facts: FindingFacts) -> Iterator[RunFinding]:
    explained = facts.explained or {}
    by_id = _grouped(leading_ids(explained))
    for count in cause_counts(explained):
        value = NO_CAUSE_ID if count.id is None else count.id
        if value in by_id:
            yield facts.finding(
                "explanations",
                "cause",
                value,
                capital(count.name),
                by_id[value],
                compared=False,
                hint=count.grade == "hint",
                last=count.id is None,
                note=f"Found in {share_text(count.failed)} of the failures; leads in those listed.",
            )


def _scans(facts: FindingFacts) -> Iterator[RunFinding]:
    if facts.marks is None:
        return
    hits = facts.marks.hits
    features: dict[str, set[str]] = {key: set() for key in facts.failed}
    for name, own in hits.items():
        for hit in own:
            features.get(hit.episode, set()).add(name)
    slices = {part.feature: part for part in find_slices(features, facts.failed)}
    for scanner in get_scanners():
        keys = dict.fromkeys(hit.episode for hit in hits[scanner.name])
        if keys:
            yield _contrast(
                facts,
                "explanations",
                SCAN + scanner.name,
                scanner.title,
                keys,
                slices.get(scanner.name),
                scanner.help,
            )


def _features(facts: FindingFacts) -> Iterator[RunFinding]:
    if facts.marks is None:
        return
    groups: dict[Group, list[Slice]] = {"words": [], "places": [], "data": []}
    for part in facts.marks.slices:
        groups[_group_of(part.feature)].append(part)
    for group, slices in groups.items():
        for part in _surest(slices):
            yield _contrast(facts, group, part.feature, part.claim, part.episodes, part)


def _departures(facts: FindingFacts) -> Iterator[RunFinding]:
    if facts.marks is None:
        return
    left: dict[str, list[str]] = {}
    for key, names in facts.marks.left_at.items():
        for name in names:
            left.setdefault(name, []).append(key)
    for part in _surest(facts.marks.departures):
        keys = left.get(part.feature, [])
        if keys:
            group = _group_of(part.feature)
            yield _contrast(facts, group, LEFT_AT + part.feature, part.claim, keys, part)


def _clusters(facts: FindingFacts) -> Iterator[RunFinding]:
    if facts.alike is None:
        return
    members = {cluster.id: cluster.episodes for cluster in facts.alike.clusters}
    for group in alike_groups(facts.alike):
        sentence = f"Failures alike by words: {group.words}"
        note = f"A group shares words; it is no cause. A typical one is {group.example}"
        yield facts.finding(
            "words", "words", group.id, sentence, members[group.id], compared=False, note=note
        )


def _claims(facts: FindingFacts) -> Iterator[RunFinding]:
    by_kind = _grouped(facts.claims or {})
    kinds = {key: (kind,) if kind else () for key, kind in (facts.claims or {}).items()}
    slices = {part.feature: part for part in find_slices(kinds, facts.failed)}
    for kind, keys in by_kind.items():
        sentence, part = _CLAIMS.get(kind, kind), slices.get(kind)
        yield _contrast(facts, "data", kind, sentence, keys, part, column="disagreement")


def _contrast(
    facts: FindingFacts,
    group: Group,
    value: str,
    sentence: str,
    episodes: Iterable[str],
    part: Slice | None,
    help: str = "",  # noqa: A002 - what a scanner calls it
    column: str = "feature",
) -> RunFinding:
    """Return a finding that is set against the successes, where there are enough to compare."""
    figures = "" if part is None else part.sentence
    sure = part is not None and part.p_adjusted < _SURE
    note = " ".join(filter(None, (help, figures)))
    return facts.finding(group, column, value, sentence, episodes, sure=sure, note=note)


def _surest(slices: Sequence[Slice]) -> Sequence[Slice]:
    """Return all that are more than chance, and a few of the others."""
    return slices[: max(_MOST, sum(part.p_adjusted < _SURE for part in slices))]


def _group_of(feature: str) -> Group:
    if feature.startswith(_OF_WORDS) or feature.endswith((" words", " sub-goals")):
        return "words"
    return "data" if feature in _OF_DATA else "places"


def _grouped(values: Mapping[str, str | None]) -> dict[str, list[str]]:
    """Return the episodes of each value."""
    keys: dict[str, list[str]] = {}
    for key, value in values.items():
        if value is not None:
            keys.setdefault(value, []).append(key)
    return keys


SOURCES: Final[tuple[Callable[[FindingFacts], Iterator[RunFinding]], ...]] = (
    _own,
    _acts,
    _decisive,
    _explanations,
    _scans,
    _clusters,
    _features,
    _departures,
    _claims,
)
"""All that finds something, in the order of its rows within a group."""


def failed_of(explained: Mapping[str, EpisodeCauses]) -> dict[str, bool]:
    """Tell which episodes failed, of those whose end is known."""
    return {key: not one.success for key, one in explained.items() if one.success is not None}


def kept_findings(run: OpenRun, explained: Mapping[str, EpisodeCauses]) -> list[RunFinding]:
    """Return what people keep for a run, counted in it."""
    own = read_own(run)
    if not own:
        return []
    marks, alike = None, None
    for each in own:
        now = EpisodeList.from_query(each.query)
        marks = marks_of(run) if now.choice("feature") and marks is None else marks
        alike = alike_failures(run) if now.choice("words") and alike is None else alike
    return [*_own(FindingFacts(failed_of(explained), explained, alike, marks, run=run, own=own))]


def run_findings(facts: FindingFacts) -> dict[Group, list[RunFinding]]:
    """Return what is found in a run, by group; a group without a finding is left out."""
    groups: dict[Group, list[RunFinding]] = {group: [] for group in GROUPS}
    for source in SOURCES:
        for finding in source(facts):
            groups[finding.group].append(finding)
    for rows in groups.values():
        # stable: within a kind the order of the sources stays
        rows.sort(key=lambda row: (row.last, not row.sure))
    return {group: rows for group, rows in groups.items() if rows}
