"""What both indoor navigators share: settings, the instruction as it is taken up, the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from navviz.records import Episode, SubGoal, Trace
from navviz.systems.base import Settings
from navviz.systems.indoors import place_after
from navviz.systems.plan import plan_at
from navviz.systems.rules.indoors.explain import Explainer
from navviz.systems.rules.indoors.explored import ExploredHouse
from navviz.systems.rules.indoors.phrases import Phrase, read_phrases
from navviz.systems.rules.indoors.scoring import terms_of
from navviz.systems.rules.indoors.weights import MOST_MOVES, load_weights
from navviz.systems.rules.length_prior import LengthSwitch, is_of_r2r, switched
from navviz.world.graph import Graph

NAMES = ("rules", "rules-indoors", "rules-indoors-map")


class IndoorSettings(Settings):
    """Settings of both."""

    length_prior: LengthSwitch = Field(
        "auto",
        description=(
            "Use what was learned about how long the routes of R2R are (four to six moves): auto"
            " does so for episodes of R2R only, known by their data set, scan and path id."
        ),
    )
    longest_moves: int = Field(
        20,
        ge=1,
        le=60,
        description="Routes of more moves are not searched; with the length prior, of more than 7.",
    )
    runners_up: int = Field(4, ge=0, le=20, description="How many other routes are shown.")

    def knows_lengths(self, episode: Episode) -> bool:
        """Whether the learned route lengths are used on this episode."""
        return self.length_prior == "on" or (self.length_prior == "auto" and is_of_r2r(episode))

    def resolved(self, episode: Episode) -> dict[str, Any]:
        """Say whether the learned route lengths are used."""
        return {"length_prior": switched(used=self.knows_lengths(episode))}

    def most_moves(self, episode: Episode) -> int:
        """How many moves the routes have that are searched."""
        return MOST_MOVES if self.knows_lengths(episode) else self.longest_moves


@dataclass(frozen=True)
class InstructionTask:
    """An instruction taken up at its start, or after the steps of a trace that is forked."""

    explainer: Explainer | None
    """``None`` where the instruction holds no word that was learned."""
    explored: ExploredHouse
    here: int
    heading_deg: float
    index: int
    """Number of the last step that was done."""

    @property
    def phrases(self) -> Sequence[Phrase]:
        """The phrases that say something."""
        return self.explainer.phrases if self.explainer is not None else ()


def take_up(episode: Episode, graph: Graph, past: Trace | None) -> InstructionTask:
    """Read the instruction and remember what was visited.

    Raises
    ------
    InputError
        When the start is not in the house.
    """
    node, heading_deg, index = place_after(episode, graph, past)
    start_deg = episode.start_heading_deg if episode.start_heading_deg is not None else 0.0
    explored = ExploredHouse(graph, graph.index[episode.start], start_deg)
    if past is not None:
        explored.visit(graph.index[place] for place in past.path if place in graph)
    weights = load_weights()
    phrases = _understood(_text(episode, past))
    terms = terms_of(weights, weights.feature_rows(phrases)) if phrases else None
    explainer = Explainer(weights, graph, phrases, terms) if terms is not None else None
    return InstructionTask(explainer, explored, graph.index[node], heading_deg, index)


def _understood(instruction: str) -> list[Phrase]:
    """Return the phrases that hold a word that was learned."""
    phrases = read_phrases(instruction)
    learned = load_weights().feature_rows(phrases)
    return [phrase for phrase, rows in zip(phrases, learned, strict=True) if rows]


def _text(episode: Episode, past: Trace | None) -> str:
    """Return the instruction, or the plan of `past` where somebody edited it."""
    plan = [goal.description for goal in past.sub_goals] if past is not None else []
    if past is None or not plan or past.header.navigator not in NAMES:
        return episode.instruction
    texts = {episode.instruction, past.episode.instruction}
    for text in texts:
        # nobody edited the plan; the instruction, which somebody may have edited, is read
        if plan == [phrase.text for phrase in _understood(text)]:
            return episode.instruction
    # a full stop always ends a phrase, so that what was edited stays apart from the next one
    return ". ".join(plan)


def sub_goals(phrases: Sequence[Phrase], done: int) -> tuple[SubGoal, ...]:
    """Return the phrases as a plan of which the first `done` are completed."""
    return plan_at((phrase.text for phrase in phrases), done)
