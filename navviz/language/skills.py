"""The five skills of SkillNav (Ma et al. 2025): names, indices, cue words, and their steps.

The router names a skill; a table turns the name into the index of the agent that acts. The
published code spells one name in its table otherwise than in its prompt, so that a direction reply
is not found and the default acts: `index_of`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from navviz.language.mentions import readable
from navviz.records import Step, Trace


class Skill(StrEnum):
    """What a part of an instruction asks for; the value is the name in the router's prompt."""

    DIRECTION = "Direction Adjustment"
    VERTICAL = "Vertical Movement"
    STOP = "Stop and Pause"
    LANDMARK = "Landmark Detection"
    REGION = "Area and Region Identification"

    @property
    def short(self) -> str:
        """One word, for where there is little room."""
        return "Region" if self is Skill.REGION else self.value.split()[0]


SKILLS: tuple[Skill, ...] = (
    Skill.DIRECTION,
    Skill.VERTICAL,
    Skill.STOP,
    Skill.LANDMARK,
    Skill.REGION,
)
"""In the order of the published index."""

DEFAULT_INDEX = 1
"""Acts where the router's name is missing or unknown, and for episodes that have ended."""

ROUTER_TITLE = "Router"
"""Title of the panel that holds a step's skill."""

_SPELLED = {"Directional Adjustment": 0} | {skill.value: k for k, skill in enumerate(SKILLS) if k}
"""The published index table: the first name is spelled otherwise than in the prompt."""

_OTHER_NAMES = {"halt and pause": Skill.STOP, "directional adjustment": Skill.DIRECTION}
"""Names of an older prompt variant."""

_ROOMS = """\
    alcove apartment attic balcony bar basement bathroom bedroom cellar chapel closet
    conservatory corridor courtyard deck den dining entrance entry entryway family foyer
    gallery game garage garden gym hall hallway kitchen landing laundry library living lobby
    loft lounge master mudroom nursery office outside outdoors pantry parlor parlour passage
    patio pool porch restroom room sauna shower sitting spa storage study terrace theater
    theatre toilet tv utility vestibule washroom workshop yard"""

ROOM_WORDS = frozenset(_ROOMS.split())
"""Words that name rooms and areas."""

_LANDMARKS = """\
    altar appliance armchair artwork banister basket basin bath bathtub bed bench bicycle bidet
    blanket blind blinds board book bookcase bookshelf bottle bowl box bunk cabinet candle
    carpet chair chandelier chest clock coat column computer console cooker couch counter
    countertop cupboard curtain cushion decoration desk dishwasher door doorway drapes drawer
    dresser easel exercise fan faucet fireplace flower fountain freezer fridge glass globe
    grill hanger instrument island jar keyboard lamp lantern light machine mantel mat microwave
    mirror monitor nightstand oven painting paintings photo piano picture pictures pillar
    pillow plant plants pole post pot printer rack radiator railing refrigerator rope rug
    screen sculpture shelf shelves sign sink sofa speaker stand statue stool stove table tables
    tapestry telephone television towel tree trolley tub urn vase wardrobe washbasin washer
    wheelchair window windows wine"""

LANDMARK_WORDS = frozenset(_LANDMARKS.split())
"""Words that name visible things."""

_DIRECTION = re.compile(
    r"\bturn(?:s|ing|ed)?\b|\bleft\b|\b(?:turn|turning|a|the|your|bear|veer) right\b|"
    r"\bright\b(?! (?:at|by|before|after|next|past|in front))|\bgo(?:ing)? back\b|"
    r"\baround\b|\bu-turn\b|\bfac(?:e|ing)\b|\bveer\b|\bswivel\b"
)

_VERTICAL = re.compile(
    r"\b(?:up|down)stairs\b|\bstair\w*\b|\belevator\b|\blift\b|\bclimb\w*\b|\bascend\w*\b|\bdescend\w*\b|\bsteps\b|"
    r"\bup\b|\bdown\b(?! (?:the |this |that )?(?:long )?(?:hall|hallway|corridor|passage|aisle)\b)"
)

_STOP = re.compile(
    r"\b(?:stop(?:s|ping|ped)?|paus(?:e|es|ing|ed)|(?:wait|stand|halt|stay)(?:s|ing|ed)?)\b"
)

_REGION = re.compile(
    r"\b(?:(?:enter|exit)(?:s|ing|ed)?|leav(?:e|es|ing))\b|\binto\b|\bin to\b|\bout of\b"
)

_WORD = re.compile(r"[a-z]+")

_TIES = (Skill.VERTICAL, Skill.STOP, Skill.DIRECTION, Skill.REGION, Skill.LANDMARK)


def count_cues(text: str) -> dict[Skill, int]:
    """How many cue words of each skill a text holds."""
    lower = text.lower()
    words = _WORD.findall(lower)
    return {
        Skill.DIRECTION: len(_DIRECTION.findall(lower)),
        Skill.VERTICAL: len(_VERTICAL.findall(lower)),
        Skill.STOP: len(_STOP.findall(lower)),
        Skill.LANDMARK: sum(_contains_word(word, LANDMARK_WORDS) for word in words),
        Skill.REGION: len(_REGION.findall(lower))
        + sum(_contains_word(word, ROOM_WORDS) for word in words),
    }


def _contains_word(word: str, words: frozenset[str]) -> bool:
    return word in words or (word.endswith("s") and word[:-1] in words)


def skill_by_rules(text: str) -> Skill | None:
    """Return the skill with most cue words; ties: vertical, stop, direction, region, landmark.

    ``None`` where the text holds no cue at all.
    """
    counts = count_cues(text)
    most = max(counts.values())
    return next(skill for skill in _TIES if counts[skill] == most) if most else None


def read_skill(name: str | None) -> Skill | None:
    """Read the skill of a name, older prompts' names included; ``None`` for any other text."""
    lower = " ".join((name or "").lower().split())
    return next(
        (skill for skill in SKILLS if skill.value.lower() == lower), None
    ) or _OTHER_NAMES.get(lower)


def index_of(name: str | None, *, index_bug: bool) -> int:
    """Index of the agent that acts for a router's reply.

    `name`: what the router named; ``None`` or an unknown name gives `DEFAULT_INDEX`. `index_bug`:
    as the published code runs: its table spells "Directional Adjustment", so that the prompt's
    "Direction Adjustment" is not found and the default acts.
    """
    if index_bug:
        return _SPELLED.get((name or "").strip(), DEFAULT_INDEX)
    skill = read_skill(name)
    return DEFAULT_INDEX if skill is None else SKILLS.index(skill)


def router_data(step: Step) -> Mapping[str, Any]:
    """Return data of a step's router panel; empty where it has none."""
    for panel in step.panels:
        if panel.title == ROUTER_TITLE and "ran" in panel.data:
            return panel.data
    return {}


def skill_of(step: Step) -> Skill | None:
    """Return the skill that the router named in a step; ``None`` where it named none."""
    return read_skill(router_data(step).get("skill"))


def skill_that_ran(step: Step) -> Skill | None:
    """Return the skill whose agent acted in a step; ``None`` where the trace does not say."""
    return read_skill(router_data(step).get("ran"))


def skill_legs(trace: Trace) -> list[tuple[Skill | None, tuple[str, ...]]]:
    """Return the walk cut where another skill acts: the skill, and the nodes of its leg."""
    legs: list[tuple[Skill | None, tuple[str, ...]]] = []
    here = trace.episode.start
    for step in trace.steps:
        skill = skill_that_ran(step)
        path = step.path
        if not path and step.node:
            path = (step.node,)
        # the path of a step begins where the last one ended
        nodes = [node for node in path if node != here]
        if not nodes:
            continue
        if legs and legs[-1][0] is skill:
            legs[-1] = (skill, (*legs[-1][1], *nodes))
        else:
            legs.append((skill, (here, *nodes)))
        here = nodes[-1]
    return legs


class Relation(StrEnum):
    """How two parts of an instruction stand in time."""

    IMMEDIACY = "conditional immediacy"
    DURATION = "bounded duration"
    FORWARD = "forward sequential"
    BACKWARD = "backward sequential"


@dataclass(frozen=True, slots=True)
class RelationTag:
    """One cue in an instruction."""

    relation: Relation
    cue: str
    start: int
    """Characters of the instruction, `end` not included."""
    end: int

    @property
    def label(self) -> str:
        """As filters show it: ``until``, ``before (at the head)``."""
        return f"{self.cue} (at the head)" if self.relation is Relation.BACKWARD else self.cue


# whole words: "afterwards" and "beforehand" are no cues
_CUES = re.compile(
    r"\b(once|as soon as|upon|until|while|then|finally|before|after)\b", re.IGNORECASE
)

_RELATIONS = {
    "once": Relation.IMMEDIACY,
    "as soon as": Relation.IMMEDIACY,
    "upon": Relation.IMMEDIACY,
    "until": Relation.DURATION,
    "while": Relation.DURATION,
    "then": Relation.FORWARD,
    "finally": Relation.FORWARD,
    "before": Relation.FORWARD,
    "after": Relation.FORWARD,
}

_AT_HEAD = re.compile(
    r"(?:^|[.,;:!?\n]|\b(?:and|but|then))\s*(?:(?:just|right|immediately)\s+)?$", re.IGNORECASE
)

_GOES_ON = re.compile(r"\s++(?:that|this)\b(?!\s+\w)|\s++(?:that|this)\s*+,", re.IGNORECASE)
"""``after that``: what was said before it is done before it."""


def relation_tags(instruction: str) -> tuple[RelationTag, ...]:
    """All cues of an instruction in order; whole words, whatever their case."""
    text = readable(instruction)
    return tuple(_tag(text, cue) for cue in _CUES.finditer(text))


def _tag(instruction: str, cue: re.Match[str]) -> RelationTag:
    word = cue[1].lower()
    relation = _RELATIONS[word]
    at_head = (
        word in {"before", "after"} and _AT_HEAD.search(instruction[: cue.start()]) is not None
    )
    if at_head and not _GOES_ON.match(instruction, cue.end()):
        relation = Relation.BACKWARD
    return RelationTag(relation, word, cue.start(), cue.end())
