"""What of a navigator's figures survives without reading: the same episodes with their instruction
spoilt.

A navigator that has learned how long routes are and where they lead reaches goals without reading a
word. So the same episodes are walked with the words shuffled, with left and right swapped, and with
the instruction of another episode (the permutation test of Ojala and Garriga 2010 for one
permutation); what is left of the figures is not due to the text. A false reference path must change
nothing, as no navigator may look at it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from navviz.analysis.described_route import OTHER_SIDE
from navviz.analysis.measures import Measure, measure
from navviz.analysis.significance import Inference, compare_to_baseline
from navviz.analysis.tables import inference_records
from navviz.errors import InputError
from navviz.metrics.intervals import Interval
from navviz.metrics.registry import format_value, is_near_radius
from navviz.metrics.score import RunScore, mean_scores, score_trace
from navviz.records import EndStatus, Episode, Trace
from navviz.runs.marks import RunMark, marks_document, walk_marks
from navviz.systems.base import Navigator, learned_from
from navviz.world.graph import Graph

_SIDE: Final = re.compile(r"\b(left|right)(?=\b|-)", re.IGNORECASE)

_LONGEST = 30
"""Most moves of a false route."""


def shuffled(text: str, seed: str) -> str:
    """Return the words of a text in another order; the seed decides which."""
    words = text.split()
    random.Random(seed).shuffle(words)  # noqa: S311 - a reproducible order, no secret
    return " ".join(words)


def swapped(text: str) -> str:
    """Return a text with left for right and right for left, in their case."""
    return _SIDE.sub(_other_side, text)


def _other_side(match: re.Match[str]) -> str:
    word = match[1]
    other = OTHER_SIDE[word.lower()]
    if word.isupper():
        return other.upper()
    return other.capitalize() if word[0].isupper() else other


def other_instructions(episodes: Sequence[Episode], seed: int) -> dict[str, str]:
    """Give each episode another one's instruction: of its data set, in another world or route."""
    by_set: dict[str, list[Episode]] = {}
    for episode in episodes:
        by_set.setdefault(episode.dataset, []).append(episode)
    others: dict[str, str] = {}
    for name, members in by_set.items():
        chance = random.Random(f"{seed} {name}")  # noqa: S311 - a reproducible choice, no secret
        order = _grouped(members, _world, chance) or _grouped(members, _route, chance)
        if order is None:
            continue
        ordered, largest = order
        # shifted by the largest group, nobody takes from the own group
        for place, taker in enumerate(ordered):
            giver = ordered[(place + largest) % len(ordered)]
            others[taker.id] = giver.instruction
    return others


def _world(episode: Episode) -> object:
    return episode.world


def _route(episode: Episode) -> object:
    return episode.start, episode.reference_path


def _grouped(
    episodes: Sequence[Episode], key: Callable[[Episode], object], chance: random.Random
) -> tuple[list[Episode], int] | None:
    """Order episodes by groups, which come in any order."""
    groups: dict[object, list[Episode]] = {}
    for episode in episodes:
        groups.setdefault(key(episode), []).append(episode)
    largest = max(map(len, groups.values()))
    if 2 * largest > len(episodes):
        return None
    shuffled_groups = list(groups.values())
    chance.shuffle(shuffled_groups)
    ordered: list[Episode] = []
    for group in shuffled_groups:
        chance.shuffle(group)
        ordered += group
    return ordered, largest


def false_reference(episode: Episode, graph: Graph, seed: int) -> Episode:
    """Return the episode with a route and goal that are not its own, of the same world."""
    chance = random.Random(f"{seed} {episode.id}")  # noqa: S311 - a reproducible choice, no secret
    node, seen = episode.start, [episode.start]
    for _ in range(chance.randint(2, _LONGEST)):
        ways = (
            [other for other in graph.neighbours(node) if other not in seen]
            if node in graph
            else []
        )
        if not ways:
            break
        node = chance.choice(ways)
        seen.append(node)
    # a false route must not end at the true goal
    if seen[-1] == episode.goal:
        seen.pop()
    route = tuple(seen)
    return episode.model_copy(update={"reference_path": route, "goal": route[-1]})


Control = Literal[
    "true-text", "words-shuffled", "sides-swapped", "other-instruction", "false-reference"
]

TRUE_TEXT: Final = "true-text"

OTHER_TEXT: Final = "other-instruction"

FALSE_REFERENCE: Final = "false-reference"

CONTROLS: Final[Mapping[Control, str]] = {
    "true-text": "true text",
    "words-shuffled": "words shuffled",
    "sides-swapped": "left and right swapped",
    "other-instruction": "another episode's instruction",
    "false-reference": "a false reference path",
}
"""What is walked, by name, in words."""

Walk = Callable[[str, Sequence[Episode]], Mapping[str, Trace]]
"""Walks episodes under a name, and gives the traces by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlSetup:
    """What is walked, and how."""

    episodes: tuple[Episode, ...]
    graph_of: Callable[[str], Graph]
    walk: Walk
    seed: int = 0
    """Of the shuffled words, the other instructions and the false routes."""
    asks_model: bool = False
    """Whether a walk that ended in an error is a technical one, and no walk that found nothing to
    follow.
    """


@dataclass(frozen=True)
class Controls:
    """What came of the controls."""

    inference: Inference
    """Means with intervals, and the paired differences from the true text."""
    scores: Mapping[Control, RunScore]
    changed_texts: Mapping[Control, int]
    """Episodes whose instruction is another one than the true text."""
    same_walks: Mapping[Control, int]
    """Episodes whose walk is the one of the true text, node for node."""
    leaks: tuple[str, ...]
    """Episodes whose walk a false reference path changed: the navigator looked at it."""
    stayed: Mapping[Control, int]
    """Episodes in which nothing was found to follow; they count as walks that stay at the start."""
    marks: Mapping[Control, tuple[RunMark, ...]]
    """What is to be said beside the figures of each: broken off, blind, without an answer."""
    near: bool = False
    """Whether lengths are shown with centimetres, as in houses; the first episode decides."""

    def mean(self, control: Control, metric: str) -> float | None:
        """Return the mean of a metric."""
        interval = self.inference.means.get(metric, {}).get(control)
        return None if interval is None else interval.mean

    @property
    def surviving(self) -> float | None:
        """Share of the success rate left with another episode's instruction; ``None``: unknown."""
        if OTHER_TEXT not in self.scores:
            return None
        true, other = self.mean(TRUE_TEXT, "SR"), self.mean(OTHER_TEXT, "SR")
        # of a navigator that never succeeds nothing can be left
        return other / true if true and other is not None else None


def sample_of(episodes: Sequence[Episode], limit: int | None, seed: int) -> tuple[Episode, ...]:
    """Return a seeded sample of so many episodes, in the order of the file."""
    if limit is None or limit >= len(episodes):
        return tuple(episodes)
    places = random.Random(seed).sample(range(len(episodes)), limit)  # noqa: S311 - a reproducible choice, no secret
    return tuple(episodes[place] for place in sorted(places))


def controls_of(setup: ControlSetup) -> Controls:
    """Walk the episodes of a setup under each control, and compare with the true text.

    Raises `InputError` without an episode that has a goal.
    """
    if not any(episode.goal for episode in setup.episodes):
        raise InputError("no episode has a goal", "choose a split with reference paths")
    variants = _variants(setup)
    return _compared(
        setup,
        variants,
        {control: setup.walk(control, walked) for control, walked in variants.items()},
    )


def recorded_controls(
    walks: Mapping[Control, Mapping[str, Trace]],
    graph_of: Callable[[str], Graph],
    *,
    asks_model: bool = False,
) -> Controls:
    """Compare walks of the controls that an earlier call has kept."""
    kept: dict[Control, list[Episode]] = {}
    for control, traces in walks.items():
        # the texts that were walked: another seed would spoil them in another way
        kept[control] = [trace.episode for trace in traces.values()]
    setup = ControlSetup(
        episodes=tuple(kept[TRUE_TEXT]),
        graph_of=graph_of,
        walk=lambda _control, _episodes: {},
        asks_model=asks_model,
    )
    return _compared(setup, kept, walks)


def _compared(
    setup: ControlSetup,
    variants: Mapping[Control, Sequence[Episode]],
    traces: Mapping[Control, Mapping[str, Trace]],
) -> Controls:
    truth = {episode.id: episode for episode in setup.episodes}
    scores = {control: _score(control, walked, setup) for control, walked in traces.items()}
    true_walks = traces[TRUE_TEXT]
    same_walks: dict[Control, int] = {}
    stayed: dict[Control, int] = {}
    leaks: list[str] = []
    for control, walked in traces.items():
        other = [key for key, trace in walked.items() if _way(trace) != _way(true_walks[key])]
        same_walks[control] = len(walked) - len(other)
        silent = sum(trace.unanswered is not None for trace in walked.values())
        stayed[control] = sum(map(_is_error, walked.values())) - silent
        if control == FALSE_REFERENCE:
            # the reference is all that differs, so that the agent must have read it
            leaks = other
    changed_texts = {}
    for control, episodes in variants.items():
        texts = [(episode.instruction, truth[episode.id].instruction) for episode in episodes]
        changed_texts[control] = sum(text != true_text for text, true_text in texts)
    by_name = {str(control): score for control, score in scores.items()}
    return Controls(
        inference=compare_to_baseline(by_name, TRUE_TEXT),
        scores=scores,
        changed_texts=changed_texts,
        same_walks=same_walks,
        leaks=tuple(leaks),
        stayed=stayed,
        marks={control: walk_marks([*walked.values()]) for control, walked in traces.items()},
        near=is_near_radius(setup.episodes[0].success_radius_m),
    )


def _score(control: Control, walked: Mapping[str, Trace], setup: ControlSetup) -> RunScore:
    """Score walks against the true routes."""
    truth = {episode.id: episode for episode in setup.episodes}
    rows = {}
    for key, trace in walked.items():
        # with the true route, since a spoilt episode must not judge its own walk; one that found
        # nothing to follow has stayed at the start
        header = trace.header.model_copy(update={"episode": truth[key]})
        end = trace.end
        if end is not None and end.status == EndStatus.ERROR:
            end = end.model_copy(
                update={"status": EndStatus.DONE, "node": end.node or truth[key].start}
            )
        rows[key] = score_trace(
            trace.model_copy(update={"header": header, "end": end}),
            setup.graph_of(truth[key].world),
        )
    errors = tuple(key for key, trace in walked.items() if setup.asks_model and _is_error(trace))
    means, counts = mean_scores(rows, frozenset(errors))
    return RunScore(control, rows, means, counts, errors)


def _is_error(trace: Trace) -> bool:
    return trace.end is not None and trace.end.status == EndStatus.ERROR


def _way(trace: Trace) -> tuple[tuple[str, ...], str | None]:
    return trace.path, trace.end.node if trace.end is not None else None


# --- what is walked


def _variants(setup: ControlSetup) -> dict[Control, list[Episode]]:
    episodes = setup.episodes
    others = other_instructions(episodes, setup.seed)
    variants: dict[Control, list[Episode]] = {
        "true-text": list(episodes),
        "words-shuffled": [],
        "sides-swapped": [],
        "other-instruction": [],
        "false-reference": [],
    }
    for each in episodes:
        # a seed of its own, so that an episode's words do not depend on the others
        words = shuffled(each.instruction, f"{setup.seed} {each.id}")
        variants["words-shuffled"].append(_with_text(each, words))
        variants["sides-swapped"].append(_with_text(each, swapped(each.instruction)))
        if each.id in others:
            variants["other-instruction"].append(_with_text(each, others[each.id]))
        misled = false_reference(each, setup.graph_of(each.world), setup.seed)
        variants["false-reference"].append(misled)
    return {control: walked for control, walked in variants.items() if walked}


def _with_text(episode: Episode, instruction: str) -> Episode:
    """Return the episode with another text; what was made of the old one goes."""
    return episode.model_copy(update={"instruction": instruction, "sub_goals": (), "landmarks": ()})


_SHOWN: Final = ("SR", "NE", "SPL")

_NAMED = 5
"""Episodes that a sentence names; the others are counted."""


def control_table(controls: Controls) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the head of a table, a row for each control, and a note for each row."""
    present = [measure(name) for name in _SHOWN if name in controls.inference.means]
    shown = [each.where(near=controls.near) for each in present]
    head = ["control", "n"]
    for column in shown:
        head += [column.label, f"Δ {column.name}"]
    rows = [[CONTROLS[control], *_cells(controls, control, shown)] for control in controls.scores]
    notes = [_note(controls, control) for control in controls.scores]
    return [*head, "same walk"], rows, notes


def _cells(controls: Controls, control: Control, shown: list[Measure]) -> list[str]:
    cells = [str(len(controls.inference.comparison.episodes))]
    for column in shown:
        difference = controls.inference.difference(column.name, control)
        cells.append(_interval(column, controls.inference.means[column.name][control]))
        cells.append("" if difference is None else _interval(column, difference.interval, sign="+"))
    return [*cells, f"{controls.same_walks[control]} of {len(controls.scores[control].rows)}"]


def _interval(column: Measure, interval: Interval | None, sign: str = "") -> str:
    """Write a mean with its interval, in the column's unit."""
    if interval is None:
        return "–"
    mean = f"{interval.mean * column.scale:{sign}.{column.digits}f}"
    if interval.low is None or interval.high is None:
        return mean  # the episodes tell nothing of the spread
    low, high = [
        f"{end * column.scale:{sign}.{column.digits}f}" for end in (interval.low, interval.high)
    ]
    return f"{mean} [{low}, {high}]"


def _note(controls: Controls, control: Control) -> str:
    parts = []
    total = len(controls.scores[control].rows)
    # only where some texts stayed: that all change is what a control promises
    if control != TRUE_TEXT and 0 < controls.changed_texts[control] < total:
        parts.append(f"{controls.changed_texts[control]} texts changed")
    if controls.stayed[control]:
        parts.append(f"{controls.stayed[control]} ended at the start: nothing to follow")
    parts += [mark.label for mark in controls.marks[control]]
    return "; ".join(parts)


def control_sentences(navigator: Navigator, controls: Controls) -> list[str]:
    """Say how to read the table, what survives without reading, and whether a walk leaks."""
    lines = [
        (
            "n: episodes that all controls walked; [95 % interval]; "
            "Δ: paired difference from the true text."
        )
    ]
    learned = learned_from(navigator)
    if learned is not None:
        lines.append(f"{navigator.name} has learned priors ({learned}).")
    if controls.surviving is not None:
        true, other = (
            format_value("SR", controls.mean(control, "SR")) for control in (TRUE_TEXT, OTHER_TEXT)
        )
        lines.append(
            f"Without reading: of {true} SR, {other} is reached with another episode's instruction "
            f"({100 * controls.surviving:.0f} % survives)."
        )
    elif OTHER_TEXT not in controls.scores:
        lines.append(
            "No episode has another one of its data set on another route, so no other instruction"
            " was tried."
        )
    if FALSE_REFERENCE not in controls.scores:
        # walks that were stopped before this control, and are read again
        sentence = "No false reference path was walked, so nobody knows whether it changes a walk."
        return [*lines, sentence]
    count = len(controls.scores[FALSE_REFERENCE].rows)
    # a script must notice that a navigator looks at the reference
    if controls.leaks:
        named = ", ".join(controls.leaks[:_NAMED])
        more = " ..." if len(controls.leaks) > _NAMED else ""
        lines.append(
            f"LEAK: a false reference path changed {len(controls.leaks)} of {count} walks"
            f" ({named}{more}): {navigator.name} looks at the reference."
        )
    else:
        lines.append(f"A false reference path changed none of {count} walks.")
    return lines


CONTROL_COLUMNS: Final = (
    *("control", "metric", "mean", "low", "high", "n", "difference", "difference_low"),
    *("difference_high", "difference_n", "p", "p_adjusted", "walks", "same_walks"),
    *("changed_texts", "stayed", "marks"),
)
"""The fields of `control_rows`: rates as fractions, lengths in metres; the paired difference is the
one from the true text.
"""


def control_rows(controls: Controls) -> Iterator[dict[str, Any]]:
    """Yield one record a control and metric."""
    for row in inference_records(controls.inference):
        control: Control = row["run"]
        counts = {
            "control": control,
            "walks": len(controls.scores[control].rows),
            "same_walks": controls.same_walks[control],
            "changed_texts": controls.changed_texts[control],
            "stayed": controls.stayed[control],
            "marks": " ".join(mark.sentence for mark in controls.marks[control]) or None,
        }
        record = row | counts
        yield {name: record[name] for name in CONTROL_COLUMNS}


def control_record(controls: Controls, control: Control) -> dict[str, Any]:
    """Return the figures of a control as JSON holds them."""
    metrics: dict[str, Any] = {}
    for name, means in controls.inference.means.items():
        interval, difference = means[control], controls.inference.difference(name, control)
        metrics[name] = {
            "mean": None if interval is None else interval.mean,
            "interval": None if interval is None else [interval.low, interval.high],
            "difference": None if difference is None else difference.interval.mean,
            "difference_interval": (
                None if difference is None else [difference.interval.low, difference.interval.high]
            ),
            "p": None if difference is None else difference.p,
            "p_adjusted": None if difference is None else difference.p_holm,
        }
    return {
        "control": control,
        "n": len(controls.scores[control].rows),
        "changed_texts": controls.changed_texts[control],
        "same_walks": controls.same_walks[control],
        "stayed": controls.stayed[control],
        "marks": marks_document(controls.marks[control]),
        "metrics": metrics,
    }
