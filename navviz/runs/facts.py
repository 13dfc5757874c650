"""What tables and charts ask of a walk besides its scores: a small record, so that 50,000 of them
fit in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from navviz.language.reorder import tagged_text
from navviz.language.skills import skill_that_ran
from navviz.llm.prices import list_price_usd
from navviz.records import Call, Trace
from navviz.records.walker import edited_steps

_AXES = ("cognitive", "spatial", "execution")
_STAND_INS = ("stand-in", "text variant")
"""What settings say of SkillNav's agents by rules or a model, and of MSNav on texts instead of
pictures.
"""


@dataclass(frozen=True, slots=True)
class WalkFacts:
    """One walk, told by its header, its plan and its calls.

    Numbers that no log tells are ``None``, and so are sums over calls of which one lacks its part.
    """

    instruction: str
    dataset: str
    split: str | None
    world: str
    format: str | None
    """How the surroundings were shown to the model."""
    navigator: str
    model: str | None
    sub_goals: int
    sub_tasks: int
    calls: int
    tokens: float | None
    prompt_tokens: float | None
    thoughts_tokens: float | None
    output_tokens: float | None
    cost_usd: float | None
    """At list price where the log does not tell."""
    seconds: float | None
    never_moved: bool
    """Whether a published log holds no waypoint but the start."""
    difficulty: tuple[float, ...] | None
    """The ratings that the episode carries, in the order of GROKE's three axes."""
    skills: tuple[str, ...]
    """The skill that acted, of each step that names one."""
    original: str | None
    """The instruction as the data set gives it, where the episode's is a reordered one."""
    stand_in: str | None
    """The setting that tells that other agents walked than the paper's."""
    unanswered: str | None
    """Why the service did not answer its last call, which ended the walk."""
    edits: str | None
    """What a person changed, by step."""
    nuance: bool
    """Whether the episode has an annotation of NavNuances."""

    @property
    def tagged_text(self) -> str:
        """The text that tags are read from; see `navviz.language.reorder.tagged_text`."""
        return self.original or self.instruction


def sum_of_calls(calls: Iterable[Call], figure: Callable[[Call], float | None]) -> float | None:
    """Add up a figure of a walk's calls; ``None`` where nobody knows it of one of them.

    A sum of the rest would pass for what the walk took. A call that failed may lack its counts: it
    has no reply, and most servers bill none.
    """
    total = None
    for call in calls:
        value = figure(call)
        if value is not None:
            total = (total or 0) + value
        elif call.error is None:
            return None
    return total


def facts_of(trace: Trace) -> WalkFacts:
    """Gather the facts of a walk; its outline suffices."""
    header, episode, calls = trace.header, trace.episode, trace.calls
    # logs without token counts leave the usage out: their sums are missing, not zero
    usages = [call.usage for call in calls if call.usage is not None]
    thought = any(usage.thoughts_tokens is not None for usage in usages)
    shown = header.settings.get("format") or header.settings.get("method")
    text = tagged_text(episode)
    return WalkFacts(
        instruction=episode.instruction,
        dataset=episode.dataset,
        split=episode.split,
        world=episode.world,
        format=None if shown is None else str(shown),
        navigator=header.navigator,
        model=header.model or next((call.model for call in calls if call.model), None),
        sub_goals=len(trace.sub_goals or episode.sub_goals),
        sub_tasks=len(episode.tasks),
        calls=len(calls),
        tokens=sum_of_calls(calls, lambda call: call.tokens),
        prompt_tokens=sum_of_calls(calls, _prompt_tokens),
        # servers leave thoughts out where there were none
        thoughts_tokens=sum_of_calls(calls, _thoughts_tokens) if thought else None,
        output_tokens=sum_of_calls(calls, _output_tokens),
        cost_usd=sum_of_calls(calls, _cost_usd),
        seconds=sum_of_calls(calls, lambda call: call.seconds),
        never_moved=trace.never_moved,
        difficulty=_difficulty(trace),
        skills=tuple(
            skill.value for step in trace.steps if (skill := skill_that_ran(step)) is not None
        ),
        original=None if text == episode.instruction else text,
        stand_in=stand_in(trace),
        unanswered=trace.unanswered,
        edits=edited_steps(trace),
        nuance=isinstance(episode.extra.get("nuances"), dict),
    )


def stand_in(trace: Trace) -> str | None:
    """Return the setting that tells of a stand-in, as ``agents=rules (stand-in)``; ``None`` where
    nothing stands in.
    """
    for name, value in trace.header.settings.items():
        if any(word in str(value) for word in _STAND_INS):
            return f"{name}={value}"
    return None


def _prompt_tokens(call: Call) -> int | None:
    return None if call.usage is None else call.usage.prompt_tokens


def _thoughts_tokens(call: Call) -> int | None:
    return None if call.usage is None else call.usage.thoughts_tokens or 0


def _output_tokens(call: Call) -> int | None:
    return None if call.usage is None else call.usage.output_tokens


def _cost_usd(call: Call) -> float | None:
    return call.cost_usd if call.cost_usd is not None else list_price_usd(call)


def _difficulty(trace: Trace) -> tuple[float, ...] | None:
    """Return the ratings that an episode carries (``complexity``); all zero: nobody rated."""
    levels = trace.episode.extra.get("complexity")
    if not isinstance(levels, dict):
        return None
    axes = [levels.get(axis) for axis in _AXES]
    # zero stands for a level that nobody rated
    rated = [float(level) for level in axes if isinstance(level, int | float) and level > 0]
    return tuple(rated) if len(rated) == len(_AXES) else None
