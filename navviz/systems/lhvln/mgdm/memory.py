"""MGDM's short-term memory: slots with confidences that blur into each other when they are full.

Source: Song et al. 2025, "Towards Long-Horizon Vision-Language Navigation", CVPR 2025, section 5.2
and the released ``NavModel/LLMModel/tools/memory.py``. In the code a confidence is a whole action
vector; here it is one probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

JOINED_CHARACTERS = 200
"""A blurred memory is cut to this many characters."""

_EPSILON = 1e-10
"""The published code's guard against the logarithm of 0."""

Blur = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Slot:
    """One memory."""

    text: str
    confidence: float
    """Probability of the action that was taken."""
    first: int
    """First step that it holds."""
    last: int
    """Last step that it holds."""
    pooled: int = 0
    """How often it was pooled."""

    @property
    def age(self) -> str:
        """Its steps in words: ``step 3``, ``steps 4-6, pooled twice``."""
        span = (
            f"step {self.first}" if self.first == self.last else f"steps {self.first}-{self.last}"
        )
        times = {0: "", 1: ", pooled once", 2: ", pooled twice"}.get(
            self.pooled, f", pooled {self.pooled} times"
        )
        return span + times


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What happened when the memory was full."""

    index: int
    """The index that was chosen, from 0."""
    entropies_bits: tuple[float, ...]
    """Of every index; empty where the oldest memory was dropped without asking."""
    before: tuple[Slot, ...]
    after: tuple[Slot, ...]

    @property
    def blurred(self) -> tuple[Slot, ...]:
        """The memories that were put together, or dropped."""
        kept = set(self.after)
        return tuple(slot for slot in self.before if slot not in kept)

    @property
    def results(self) -> tuple[Slot, ...]:
        """What they became."""
        former = set(self.before)
        return tuple(slot for slot in self.after if slot not in former)


def pooled(values: Sequence[float], index: int) -> tuple[float, ...]:
    """Confidences with one place pooled: n become n - 1.

    First or last: the mean of the two at the edge replaces both. Between: the means with the left
    and with the right neighbour replace the three.
    """
    last = len(values) - 1
    if last < 1:
        return tuple(values)
    if index in {0, last}:
        # the last place has no right neighbour: it is pooled with the one before it
        at = min(index, last - 1)
        return (*values[:at], (values[at] + values[at + 1]) / 2, *values[at + 2 :])
    left, right = (values[index - 1] + values[index]) / 2, (values[index] + values[index + 1]) / 2
    return (*values[: index - 1], left, right, *values[index + 2 :])


def entropy_bits(values: Sequence[float]) -> float:
    """Entropy of values divided by their sum, in bits, with 1e-10 inside the logarithm; 0 where all
    are 0.
    """
    total = math.fsum(values)
    if total <= 0:
        return 0.0
    shares = [value / total for value in values]
    # fsum, so that the choice of the least entropy does not hang on the order of additions
    return -math.fsum(share * math.log2(share + _EPSILON) for share in shares)


def entropies_bits(confidences: Sequence[float]) -> tuple[float, ...]:
    """Entropy that pooling at each index would leave."""
    return tuple(entropy_bits(pooled(confidences, index)) for index in range(len(confidences)))


def joined(first: str, second: str) -> str:
    """Two memories as one text, cut to 200 characters."""
    text = f"{first.rstrip('. ')}; {second}"
    return text if len(text) <= JOINED_CHARACTERS else text[: JOINED_CHARACTERS - 1] + "…"


def forget(slots: Sequence[Slot], blur: Blur = joined) -> Forgetting:
    """Pool where the least entropy is left (the first wins); memories and confidences alike.

    Parameters
    ----------
    slots
        At least two memories in order.
    blur
        Puts the texts of two memories together.
    """
    entropies = entropies_bits([slot.confidence for slot in slots])
    index = entropies.index(min(entropies))
    # texts and confidences are pooled at one place, else a memory would carry another one's trust
    return Forgetting(index, entropies, tuple(slots), _pooled_slots(slots, index, blur))


def forget_oldest(slots: Sequence[Slot]) -> Forgetting:
    """Drop the oldest memory."""
    return Forgetting(0, (), tuple(slots), tuple(slots[1:]))


def _pooled_slots(slots: Sequence[Slot], index: int, blur: Blur) -> tuple[Slot, ...]:
    last = len(slots) - 1
    if last < 1:
        return tuple(slots)
    if index in {0, last}:
        at = min(index, last - 1)
        return (*slots[:at], _merged(slots[at], slots[at + 1], blur), *slots[at + 2 :])
    left = _merged(slots[index - 1], slots[index], blur)
    right = _merged(slots[index], slots[index + 1], blur)
    return (*slots[: index - 1], left, right, *slots[index + 2 :])


def _merged(a: Slot, b: Slot, blur: Blur) -> Slot:
    return replace(
        a,
        text=blur(a.text, b.text),
        confidence=(a.confidence + b.confidence) / 2,
        first=min(a.first, b.first),
        last=max(a.last, b.last),
        pooled=max(a.pooled, b.pooled) + 1,
    )
