"""The plan in words: legs that end with a turn, and the stop, each as a sentence that the grammar
reads back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navviz.systems.rules.grammar.grammar import PlaceMention, Reading, Relation, StopKind, Unit

_PLACE_WORDS = {
    "light": "light",
    "T": "T-intersection",
    "side": "side street",
    "intersection": "intersection",
    "corner": "corner",
    "fork": "fork",
    "end": "end of the block",
    "none": "intersection",
}
_TURN_WORDS = {
    "left": "turn left",
    "right": "turn right",
    "slight-left": "bear left",
    "slight-right": "bear right",
}
_STOP_WORDS: dict[StopKind, str] = {
    "before-junction": "just before the {place}",
    "after-junction": "just after the {place}",
    "at-junction": "in the {place}",
    "steps": "after a few steps",
    "third": "a third of the way down the block",
    "half": "halfway down the block",
    "two-thirds": "two-thirds of the way down the block",
    "almost": "almost all the way down the block",
    "end": "at the end of the block",
    "building-1": "at the first building",
    "building-2": "at the second building",
    "building-n": "after a few buildings",
    "building-last": "at the last building",
    "middle": "in the middle of it",
}
_RELATION_WORDS: dict[Relation, str] = {
    "before": "just before",
    "at": "in front of",
    "after": "just after",
    "near": "near",
}


@dataclass(frozen=True, slots=True)
class Leg:
    """Units up to and with a turn (or the passages and landmarks before the stop, with the
    stop).
    """

    units: tuple[int, ...]
    """Indices into the units of the plan."""
    text: str
    stops: bool = False


def legs_of(reading: Reading, units: Sequence[Unit]) -> tuple[Leg, ...]:
    """Legs of a plan, the last of which ends with the stop."""
    legs, current = [], list[int]()
    for k, unit in enumerate(units):
        current.append(k)
        # `any` is a side street that is passed on the way to a turn, so the leg goes on
        if unit.kind == "junction" and unit.turn not in ("straight", "any"):
            legs.append(
                Leg(
                    tuple(current),
                    _sentence([describe_unit(units[i], reading.mentions) for i in current]),
                )
            )
            current = []
    parts = [describe_unit(units[i], reading.mentions) for i in current]
    legs.append(Leg(tuple(current), _sentence([*parts, describe_stop(reading)]), stops=True))
    return tuple(legs)


def _sentence(parts: list[str]) -> str:
    text = ", then ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}."


def describe_mention(mention: PlaceMention) -> str:
    """Describe a landmark with its side, as the grammar understood it."""
    name = mention.text if mention.category is None else f"the {mention.text}"
    if mention.corner:
        words = " ".join(word for word in (mention.near, mention.side, "corner") if word)
        return f"{name} on the {words}"
    return f"{name} on the {mention.side}" if mention.side else name


def describe_unit(unit: Unit, mentions: Sequence[PlaceMention]) -> str:
    """Return what the walker does at a unit."""
    named = " and ".join(describe_mention(mentions[m]) for m in unit.mentions)
    if unit.kind == "landmark":
        return f"pass {named}"
    if unit.turn == "any":
        return "go past the side street"
    company = f" with {named}" if named else ""
    place = _PLACE_WORDS[unit.place]
    which = "next " if unit.next else ""
    if unit.turn == "straight":
        return f"go through the {which}{'double ' if unit.double else ''}{place}{company}"
    if unit.place == "none":
        return f"{_TURN_WORDS[unit.turn]}{f' at {named}' if named else ''}"
    return f"{_TURN_WORDS[unit.turn]} at the {which}{place}{company}"


def describe_stop(reading: Reading) -> str:
    """Where the walker stops."""
    stop = reading.stop
    place = _PLACE_WORDS[stop.place]
    kinds = [_STOP_WORDS[kind].format(place=place) for kind in stop.kinds]
    exact, beyond = [], []
    for m, relation in stop.mentions:
        name = describe_mention(reading.mentions[m])
        if relation == "too-far":
            beyond.append(name)
        else:
            exact.append(f"{_RELATION_WORDS[relation]} {name}")
    text = " ".join(["stop", ", ".join([*kinds, *exact])]).strip()
    # a sentence of its own: one word of having gone too far makes the grammar read its whole
    # sentence as a warning
    return f"{text}. If you see {' or '.join(beyond)} you have gone too far" if beyond else text
