"""Choose the skill of a sub-goal (Ma et al. 2025, section 3.3): by model, cue words or chance."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navviz.language.skills import SKILLS, Skill, count_cues, read_skill, skill_by_rules
from navviz.support.guarded import decode_reply

_NAMED = re.compile(r"\*{5}(.*?)\*{5}", re.DOTALL)
# the name is bounded: a long reply without numbers would cost time by its square
_SHARE = re.compile(r"([A-Za-z][A-Za-z ]{1,200}?)[\"'* ]*[:=-]+[\"'* ]*(\d+(?:\.\d+)?)\s*%?")


@dataclass(frozen=True, slots=True)
class Routed:
    """What the router named."""

    named: str | None
    """As it was written; ``None`` where nothing was named."""
    votes: Mapping[Skill, float] | None = None
    note: str | None = None

    @property
    def valid(self) -> bool:
        """Whether it is one of the five."""
        return read_skill(self.named) is not None


def named_in(reply: str | None) -> list[str]:
    """All texts between two runs of five asterisks, in order."""
    return [text.strip() for text in _NAMED.findall(reply or "")]


def vote(replies: Sequence[str | None]) -> Routed:
    """Return the most frequent name between asterisks in all replies; the first wins a tie."""
    counts: Counter[str] = Counter()
    for reply in replies:
        counts.update(named_in(reply))
    if not counts:
        return Routed(None, note="no reply names a skill between five asterisks")
    # a Counter keeps the order of the first meeting
    best = max(counts, key=lambda name: counts[name])
    votes, unknown = dict.fromkeys(SKILLS, 0.0), 0
    for name, count in counts.items():
        skill = read_skill(name)
        if skill is None:
            unknown += count
        else:
            votes[skill] += count
    note = f"{unknown} of {counts.total()} votes name no skill" if unknown else None
    return Routed(best, votes, note)


def read_confidences(reply: str | None) -> Routed:
    """Return the skill with the highest percentage; index order breaks ties."""
    shares: dict[Skill, float] = {}
    for name, value in _shares(reply):
        skill = read_skill(name)
        if skill is not None:
            shares[skill] = value
    if not shares:
        return Routed(None, note="the reply gives no percentage for any skill")
    # a skill that the reply leaves out has to lose even against 0 per cent
    best = max(SKILLS, key=lambda skill: shares.get(skill, -1.0))
    return Routed(best.value, {skill: shares.get(skill, 0.0) for skill in SKILLS})


def _shares(reply: str | None) -> list[tuple[str, float]]:
    text = (reply or "").strip()
    first, last = text.find("{"), text.rfind("}")
    if 0 <= first < last:
        try:
            value: Any = decode_reply(text[first : last + 1])
        except ValueError:
            value = None
        if isinstance(value, dict):
            shares = [(str(key), _percentage(raw)) for key, raw in value.items()]
            return [(name, share) for name, share in shares if share is not None]
    return [(name, float(number)) for name, number in _SHARE.findall(text)]


def _percentage(raw: object) -> float | None:
    # for Python true is the number 1
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int | float):
        return float(raw)
    read = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%?\s*", raw) if isinstance(raw, str) else None
    return float(read[1]) if read else None


def route_by_rules(sub_goal: str) -> Routed:
    """Return the skill with most cue words, see `skill_by_rules`."""
    skill = skill_by_rules(sub_goal)
    counts = {each: float(count) for each, count in count_cues(sub_goal).items()}
    if skill is None:
        return Routed(None, counts, "the sub-goal holds no cue word")
    return Routed(skill.value, counts)


def route_at_random(seed: int, episode: str, step: int) -> Routed:
    """One of the five with equal chance: a row of the paper's ablation (Table 4).

    The same seed, episode and step give the same skill, so that a fork goes on as the run it comes
    from.
    """
    return Routed(random.Random(f"{seed} {episode} {step}").choice(SKILLS).value)  # noqa: S311 - an ablation, no secret
