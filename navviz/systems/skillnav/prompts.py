"""What SkillNav's models read.

The contents are those of Ma et al. 2025 (appendix), the words are ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from navviz.language.skills import SKILLS, Skill
from navviz.observations.panorama import angle_text
from navviz.records import Message
from navviz.systems.base import PromptField, PromptKind, PromptText
from navviz.systems.skillnav.agents import KEY, REASON
from navviz.systems.skillnav.memory import STOP, GlobalMap, Place

_REORDER = """\
You turn a navigation instruction into detailed sub-instructions in the order in which they are carried out.

Break it into the smallest steps that each have a goal. Say openly what it only implies about time and place, and \
where the order of the words is not the order of doing, put the steps right, adding an implied action where one is \
missing.

- "A after B", "A once B", "A as soon as B", "then": first the one that must be complete, then the other.
- "B before A": go towards A, and do B at a point short of it.
- "A until B": go on with A; its end is to reach B.
Do not use these connecting words in what you write.

Write one line and nothing else: concrete steps, each ended by a period.

Walk to the sofa after you pass the piano. -> Pass the piano. Walk to the sofa.
Head for the dining room, but turn left before you go in and cross the open space. -> Walk towards the dining room. \
Stop at its entrance. Turn left. Cross the open space.
Follow the hall until you see the clock, then wait. -> Follow the hall. Reach the clock. Wait there.
Once upstairs, enter the second door. -> Go up the stairs. Enter the second door."""

_LOCALISE = f"""\
You reason about where an agent in a house stands in its instruction. You are given the whole instruction, the parts \
of it that were handed out so far, and what the agent read at the viewpoints of its way, oldest first. Decide what has \
been done and hand out the part that is due.

- Use the instruction's exact words.
- Never hand out a part that the list holds already.
- One move may complete several parts: skip those that are done.
- At the goal, hand out the last part. A last part that says where to stand or to wait is still handed out there.
- If all is done, hand out nothing.

Work so: split the instruction into clauses; strike those in the list; read the viewpoints in order; test which of the \
rest are done; choose the first that is not.

Answer with JSON alone, without a code fence: {{"{KEY}": "...", "{REASON}": "..."}}"""

_ABOUT = {
    Skill.DIRECTION: (
        "turning and changing one's heading: turn left, right or around, go back, face something"
    ),
    Skill.VERTICAL: "changing the floor: upstairs, downstairs, stairs, elevator, up, down",
    Skill.STOP: "stopping at a place and waiting there: stop, wait, pause, stand",
    Skill.LANDMARK: "acting on a thing that can be seen: a lamp, a chair, a sofa, a painting",
    Skill.REGION: "entering, leaving or recognising a room: enter, exit, kitchen, bedroom, hallway",
}
_NAMES = "\n".join(f"- {skill.value}: {_ABOUT[skill]}." for skill in SKILLS)

_ROUTE = f"""\
An agent that follows instructions in a house has five skills:

{_NAMES}

Read the sub-instruction and the reasoning behind it, and choose the one skill that it needs most. Write only its \
name between two runs of five asterisks, for example *****{Skill.LANDMARK.value}*****"""

# the older variant, which gives percentages, has another name for the third skill
_CONFIDENCES = f"""\
An agent that follows instructions in a house has five skills:

{_NAMES.replace(Skill.STOP.value, "Halt and Pause")}

Read the sub-instruction and the reasoning behind it, and say for each skill with how many per cent it is needed; the \
five add up to 100. Answer with JSON alone, from name to number."""

_WEIGH = {
    Skill.DIRECTION: "Weigh above all whether an option lies where the sub-instruction turns to.",
    Skill.VERTICAL: (
        "Weigh above all whether an option leads up or down as the sub-instruction says."
    ),
    Skill.STOP: "Weigh above all whether this is the place at which the sub-instruction stops.",
    Skill.LANDMARK: (
        "Weigh above all which option leads to, or past, the thing that the sub-instruction names."
    ),
    Skill.REGION: (
        "Weigh above all which option enters or leaves the room as the sub-instruction says."
    ),
}

_ACT = PromptText(
    "You choose the next move of an agent that follows an instruction. Your skill is {skill}:"
    " {about}. {weigh} An option that is not next to you is reached by going back over the way you"
    ' know. Give each option a score from 0 to 100, "stop" included; stop ends the walk for good.'
    ' Answer with JSON alone: {"scores": {"id": number, ...}}.',
    "Instruction: {instruction}\nDue now: {sub_goal}\nHere: {place}{near}\nOptions:\n{options}",
)

ACT_PROMPT = PromptKind(
    (
        PromptField("instruction", "the whole instruction"),
        PromptField("sub_goal", "the part that is due", is_needed=True),
        PromptField("options", "the moves that may be chosen, a line each", is_needed=True),
        PromptField("place", "what the agent reads where it stands"),
        PromptField("near", "a line with the objects within 3 m, empty without any"),
        PromptField("skill", "name of the skill that acts"),
        PromptField("about", "what that skill is for"),
        PromptField("weigh", "what that skill weighs above all"),
    ),
    lambda _settings: str(_ACT),
)
"""The prompt of a skill's stand-in."""


def reorder_messages(instruction: str) -> tuple[Message, ...]:
    """Return the prompt of the temporal reordering."""
    return Message(role="system", text=_REORDER), Message(role="user", text=instruction)


def localise_messages(
    reordered: str, given: Sequence[str], views: Sequence[str]
) -> tuple[Message, ...]:
    """Return the prompt of the sub-goal localiser; `views` has one line a viewpoint, in order."""
    parts = "\n".join(f"{k}. {part}" for k, part in enumerate(given, start=1)) or "(none)"
    lines = "\n".join(views)
    text = f"Instruction: {reordered}\n\nHanded out so far:\n{parts}\n\nViewpoints:\n{lines}"
    return Message(role="system", text=_LOCALISE), Message(role="user", text=text)


def route_messages(instruction: str, sub_goal: str, reason: str | None) -> tuple[Message, ...]:
    """Return the router's prompt: one name."""
    return Message(role="system", text=_ROUTE), _routed(instruction, sub_goal, reason)


def confidence_messages(instruction: str, sub_goal: str, reason: str | None) -> tuple[Message, ...]:
    """Return the older router's prompt: a percentage for each skill."""
    return Message(role="system", text=_CONFIDENCES), _routed(instruction, sub_goal, reason)


def _routed(instruction: str, sub_goal: str, reason: str | None) -> Message:
    parts = f"Whole instruction: {instruction}\n\nSub-instruction: {sub_goal}"
    text = f"{parts}\n\nReasoning: {reason or '(none)'}"
    return Message(role="user", text=text)


def agent_messages(
    skill: Skill,
    place: Place,
    sub_goal: str,
    instruction: str,
    memory: GlobalMap,
    allowed: Sequence[str],
    prompt: str = "",
) -> tuple[Message, ...]:
    """Return the prompt of a skill's stand-in: place, options, and what to weigh.

    `prompt` is an edited text; the shipped one if empty.
    """
    near = f"\nWithin 3 m: {', '.join(place.near[:20])}" if place.near else ""
    values = {
        "skill": skill.value,
        "about": _ABOUT[skill],
        "weigh": _WEIGH[skill],
        "instruction": instruction,
        "sub_goal": sub_goal,
        "place": place.summary,
        "near": near,
        "options": "\n".join(_option(node, place, memory) for node in allowed),
    }
    return (PromptText.parse(prompt) if prompt else _ACT).fill(values)


def _option(node: str, place: Place, memory: GlobalMap) -> str:
    if node == STOP:
        return "stop: stay here, the instruction is done"
    way = place.way(node)
    if way is None:
        words = memory.seen[node].text if node in memory.seen else ""
        return f"{node}: seen earlier, not next to you; {words}"
    where = f"{angle_text(way.angle_deg)} degrees, {way.distance_m:.1f} m"
    if abs(way.rise_m) >= 0.3:
        where += f", {abs(way.rise_m):.1f} m {'up' if way.rise_m > 0 else 'down'}"
    visited = "; you have been there" if node in memory.visited else ""
    return f"{node}: {where}; {way.text}{visited}"
