"""What NavGPT's model reads.

The parts are those of Zhou et al. 2023 (section 3 and appendix), the words are ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from navviz.observations.panorama import angle_text
from navviz.records import Message, Panel, Trace
from navviz.systems.base import PromptField, PromptKind, PromptText
from navviz.systems.navgpt.prompts.text import side_text
from navviz.systems.navgpt.views import GRIDS
from navviz.world.geometry import turn_deg

TOOL, BACK_TOOL = "action_maker", "back_tracer"
STOP = ("\nObservation:",)
"""The model stops where the house would answer."""

_RULES = """\
You walk through a house by text alone. The house is a net of fixed viewpoints; you follow {given} that \
describes the whole way, and must end within 3 metres of the place it describes, in as few moves as you can.

At each viewpoint you read {count} directions, clockwise from the one you face. Each gives its range of angles, a \
sentence on what one sees there, the objects within 3 metres and the viewpoints you can go to, with angle and \
distance. Angles are relative to you, from left 180 to right 180: 0 is straight ahead, right 90 to your right, 180 \
behind you.

{tools}

In each turn think about three things: how much of the instruction is done, whether you have arrived, and if not, \
which viewpoint brings you on. Do not go back to viewpoints you have been to unless you are lost. Never make up an \
id. When {given_short} is done, or it tells you to wait where you are, finish instead of moving.

Write exactly one of these two forms, and nothing after it:

Thought: what you conclude, and why
Action: {names}
Action Input: "the viewpoint id"

Thought: why you have arrived
Final Answer: Finished!"""

_ONE_TOOL = f"""\
You have one tool, {TOOL}: it goes to a neighbouring viewpoint. Its input is the id of a viewpoint from the \
Navigable Viewpoints you read last."""

_TWO_TOOLS = f"""\
You have two tools. {TOOL} goes to a neighbouring viewpoint; its input is the id of a viewpoint from the Navigable \
Viewpoints you read last. {BACK_TOOL} is for when you have lost the way: it goes back to any viewpoint you have \
been to; its input is that viewpoint's id."""

_SEEN = "Initial Observation: {observation}\n\n{turns}"

_PLAN = (
    "You are given an instruction for a walk through a house. Break it into single steps, each with"
    " all that the instruction says of it. Write a numbered list, one step a line, and nothing"
    " else."
)

_HISTORY = (
    "Somebody walks through a house. You are given what was written down of the walk so far, the"
    " turn just made and what the new place is. Write the account anew with the new place in it,"
    " short, in the order of the walk, with the ids of the viewpoints."
)

WENT_BACK = "Lost the way and went back to a viewpoint visited before."
"""What the history says of a move by the second tool."""

_NUMBERED = re.compile(r"^[^\S\n]*\d+\s*[.):]\s*(\S.*?)\s*$", re.MULTILINE)

_SUMMARISE = (
    "You are given what can be seen in eight directions from one place in a house. Say in one short"
    ' sentence what kind of place it is and what stands out. It goes on from "Scene from the'
    ' viewpoint is a"; write only the rest.'
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn of the past: what the model wrote, and in short what the house answered."""

    reply: str
    answer: str
    refused: bool = False
    later: str = ""
    """What stays of a refused id once another turn was made; of all else the answer stays."""

    @property
    def line(self) -> str:
        """How an older turn stands in the prompt."""
        return self.later or self.answer


def scratchpad(past: Sequence[Exchange], observation: str, limit_characters: int) -> str:
    """Return the turns so far, the last answer in full, cut to the last `limit_characters`."""
    if not past:
        return ""
    last = f"{past[-1].answer}\n{observation}" if past[-1].refused else observation
    if past[-1].later:
        last = f"\n{past[-1].answer}{observation}"
    turns = [f"{turn.reply.strip()}\nObservation: {turn.line}\n" for turn in past[:-1]]
    whole = "".join([*turns, f"{past[-1].reply.strip()}\nObservation: {last}\n"])
    # by characters, in the middle of a word where it falls so, as NavGPT cuts its history
    return whole[-limit_characters:]


def decide_messages(
    task: str,
    first: str,
    past: Sequence[Exchange],
    observation: str,
    limit_characters: int,
    *,
    planned: bool = False,
    back_tracer: bool = False,
    directions: int = 8,
    prompt: str = "",
) -> tuple[Message, ...]:
    """Write the prompt of one turn: rules, instruction, first observation, the turns.

    After a move the first observation is short. `task` is the instruction, or the plan where one was made; with `back_tracer` there is a second
    tool. `prompt` is an edited text; the shipped one if empty.
    """
    text = PromptText.parse(prompt) if prompt else _template(planned, back_tracer, directions)
    turns = scratchpad(past, observation, limit_characters)
    messages = text.fill({"task": task, "observation": first, "turns": turns})
    # before the first turn nothing stands behind the observation
    return tuple(message.model_copy(update={"text": message.text.strip()}) for message in messages)


def with_guess(task: str, layout: str) -> str:
    """Return the instruction with a guess of its destination behind it; unchanged without one."""
    guess = f"\n\nPossible destination (a guess, it may be wrong): {layout}" if layout else ""
    return task + guess


_LAYOUT_TITLE = "Possible destination"


def layout_panel(layout: str, source: str) -> Panel:
    """Return the guess of a destination as a panel."""
    who = {"model": "Asked of the language model", "file": "From a file"}[source]
    text = f"{layout or 'No guess.'}\n\n{who}; a guess, which may be wrong."
    return Panel(kind="text", title=_LAYOUT_TITLE, data={"text": text, "layout": layout})


def layout_of(trace: Trace) -> str:
    """Return the guess that a walk began with; empty where it had none."""
    panels = [panel for panel in trace.plan_panels if panel.title == _LAYOUT_TITLE]
    return str(panels[0].data.get("layout", "")) if panels else ""


def _template(planned: bool, back_tracer: bool, directions: int) -> PromptText:
    heading, given, given_short = "Instruction", "an instruction", "the instruction"
    if planned:
        heading, given, given_short = "Action plan", "a plan", "the plan"
    tools, names = _ONE_TOOL, TOOL
    if back_tracer:
        tools, names = _TWO_TOOLS, f"{TOOL} or {BACK_TOOL}"
    count = "eight" if directions == 8 else "twelve"
    rules = _RULES.format(
        count=count, given=given, given_short=given_short, tools=tools, names=names
    )
    return PromptText(rules, f"{heading}: {{task}}\n\n{_SEEN}")


def _shipped(settings: Any) -> str:  # noqa: ANN401 - NavGPT's settings, which import this module
    return str(
        _template(settings.planner, settings.back_tracer, GRIDS[settings.granularity].headings)
    )


DECIDE_PROMPT = PromptKind(
    (
        PromptField("task", "the instruction, or the plan made of it", is_needed=True),
        PromptField("observation", "what is seen from the first viewpoint", is_needed=True),
        PromptField("turns", "the turns so far, the last observation whole", is_needed=True),
    ),
    _shipped,
)
"""The prompt of a turn."""


def plan_messages(instruction: str) -> tuple[Message, ...]:
    """Return the prompt of the planner."""
    return Message(role="system", text=_PLAN), Message(role="user", text=instruction)


def read_plan(reply: str) -> tuple[str, ...]:
    """Return the steps of a plan; empty where the reply holds no numbered list."""
    return tuple(_NUMBERED.findall(reply))


def history_messages(history: str, action: str, node: str, summary: str) -> tuple[Message, ...]:
    """Return the prompt of the history chain."""
    place = f'Viewpoint "{node}" is a {summary}'
    text = f"So far:\n{history}\n\nTurn:\n{action}\n\nNew place:\n{place}"
    return Message(role="system", text=_HISTORY), Message(role="user", text=text)


def summarise_messages(observation: str) -> tuple[Message, ...]:
    """Return the prompt of the summariser."""
    return Message(role="system", text=_SUMMARISE), Message(role="user", text=observation)


def moved(before_deg: float, after_deg: float, *, as_published: bool = False) -> str:
    """Return the turn of a move in words, as NavGPT writes it in its history."""
    start_deg, end_deg = turn_deg(0.0, before_deg), turn_deg(0.0, after_deg)
    if as_published:
        # its code does not wrap the turn: from 350 to 10 degrees is -340
        angle_deg = after_deg - before_deg
        start, end = side_text(start_deg), side_text(end_deg)
    else:
        angle_deg = turn_deg(before_deg, after_deg)
        start, end = angle_text(start_deg), angle_text(end_deg)
    return f"Turn heading direction {angle_deg:.2f} degrees from {start} to {end}."


def history_line(node: str, summary: str, action: str) -> str:
    """Return a move in short: the turn it took, and what the new place is."""
    return f'{action}\nCurrent viewpoint "{node}": Scene from the viewpoint is a {summary}'


def observed(text: str, node: str | None = None) -> str:
    """Return an observation below NavGPT's heading, which has the viewpoint's id after a move."""
    # letter by letter: the first heading has a tab
    if node is None:
        return f"\n\tCurrent Viewpoint:\n{text}"
    return f'\nCurrent Viewpoint "{node}":\n{text}'


def refusal(target: str, offered: Sequence[str]) -> str:
    """Return the answer to an id without a link from here; the observation follows it at once."""
    fault = f"ViewpointID '{target}' is not valid: no move was made."
    return f"{fault} Do not make up ids; from here you can go to: {list(offered)}."


def refused_turn(reply: str, answer: str, target: str | None, tool: str | None) -> Exchange:
    """Return a turn that was refused; of a refused id one line stays, as in NavGPT's code."""
    named = target is not None and tool == TOOL and answer.startswith("ViewpointID")
    later = f'ViewpointID "{target}" is not valid, and no move was made.' if named else ""
    return Exchange(reply, answer, refused=True, later=later)
