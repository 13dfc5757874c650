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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from navviz.analysis.significance import Inference, compare_to_baseline
from navviz.analysis.spoilt_texts import false_reference, other_instructions, shuffled, swapped
from navviz.errors import InputError
from navviz.metrics.registry import is_near_radius
from navviz.metrics.score import RunScore, mean_scores, score_trace
from navviz.records import EndStatus, Episode, Trace
from navviz.world.graph import Graph

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
    near: bool = False
    """Whether lengths are shown with centimetres, as in houses; the first episode decides."""

    def mean(self, control: Control, metric: str) -> float | None:
        """Return the mean of a metric."""
        interval = self.inference.means.get(metric, {}).get(control)
        return None if interval is None else interval.mean

    @property
    def surviving(self) -> float | None:
        """Share of the success rate that is left with the instruction of another episode; ``None``
        where unknown.
        """
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

    Returns
    -------
    Without ``other-instruction`` where no episode has another one of its data set on another route.

    Raises
    ------
    InputError
        Without an episode that has a goal.
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
    """Compare walks of the controls that an earlier call has kept.

    Parameters
    ----------
    walks
        Traces by id, of the true text and of the other controls that were walked.
    graph_of, asks_model
        As in `ControlSetup`.
    """
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
        stayed[control] = sum(map(_is_error, walked.values()))
        if control == FALSE_REFERENCE:
            # the reference is all that differs, so that the agent must have read it
            leaks = other
    changed_texts = {}
    for control, episodes in variants.items():
        texts = [(episode.instruction, truth[episode.id].instruction) for episode in episodes]
        changed_texts[control] = sum(text != true_text for text, true_text in texts)
    return Controls(
        inference=_inference(scores),
        scores=scores,
        changed_texts=changed_texts,
        same_walks=same_walks,
        leaks=tuple(leaks),
        stayed=stayed,
        near=is_near_radius(setup.episodes[0].success_radius_m),
    )


def _inference(scores: Mapping[Control, RunScore]) -> Inference:
    """Means with intervals and paired differences: the one place where the controls ask for
    them.
    """
    by_name = {str(control): score for control, score in scores.items()}
    return compare_to_baseline(by_name, TRUE_TEXT)


def _score(control: Control, walked: Mapping[str, Trace], setup: ControlSetup) -> RunScore:
    """Score walks against the true routes."""
    truth = {episode.id: episode for episode in setup.episodes}
    rows = {}
    for key, trace in walked.items():
        rows[key] = score_trace(_judged(trace, truth[key]), setup.graph_of(truth[key].world))
    errors = tuple(key for key, trace in walked.items() if setup.asks_model and _is_error(trace))
    means, counts = mean_scores(rows, frozenset(errors))
    return RunScore(control, rows, means, counts, errors)


def _judged(trace: Trace, episode: Episode) -> Trace:
    """Return the walk as one of the true episode; one that found nothing to follow has stayed at
    the start.
    """
    # with the true route, since a spoilt episode must not judge its own walk
    header = trace.header.model_copy(update={"episode": episode})
    end = trace.end
    if end is not None and end.status == EndStatus.ERROR:
        end = end.model_copy(update={"status": EndStatus.DONE, "node": end.node or episode.start})
    return trace.model_copy(update={"header": header, "end": end})


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
