"""The environment prompt of MapGPT and MSNav, written and read: its labelled parts and its lettered
options.

::

    Instruction: Walk past the table ...
    History: step 0: turn left to Place 3 which is corresponding to Image 3
    Trajectory: Place 0 3
    Map:
    Place 0 is connected with Places 1, 2, 3
    Supplementary Info:
    Place 1, which is corresponding to Image 1
    Previous Planning:
    ...
    Possible Destination Info: The destination is ...
    Action Options (step 1): ['A. go forward to Place 4 which is corresponding to Image 4', ...]

The labels and their order are those of the published logs, so that one reader serves both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from navviz.observations.discrete_views import (
    CandidateView,
    direction_words,
    view_elevation_deg,
    view_heading_deg,
)
from navviz.systems.msnav.place_map.memory import MapMemory

BEGUN = "You have only just set out: there is no history."
NO_PLANNING = "You have only just set out: there is no planning yet."
NOTHING = "Nothing yet."
STOP = "stop"

_LABELS = (
    ("instruction", r"Instruction"),
    ("history", r"History"),
    ("trajectory", r"Trajectory"),
    ("map", r"Map"),
    ("supplementary", r"Supplementary Info"),
    ("planning", r"Previous Planning"),
    # a remark may stand before the colon, as in our own prompt
    ("destination", r"Possible Destination Info[^\n:]*"),
    ("options", r"Action Options \(step (?P<step>\d+)\)"),
)
# options are printed as a Python list, with single or double quotes around each
_OPTION = re.compile(
    r"(?:^|['\"])(\S)\. (stop|(.+?) to Place (\d+) which is corresponding to Image \d+)",
    re.IGNORECASE,
)
_CONNECTED = re.compile(r"^Place (\d+) is connected with Places ?([\d, ]*)", re.MULTILINE)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Option:
    """One lettered action."""

    letter: str
    direction: str | None
    """``turn left`` ...; ``None`` for stopping."""
    place: int | None
    """Place number; ``None`` for stopping."""

    @property
    def text(self) -> str:
        """The action as it stands in the list and in the history."""
        if self.direction is None or self.place is None:
            return STOP
        return action_text(self.direction, self.place)

    def __str__(self) -> str:
        return f"{self.letter}. {self.text}"


@dataclass(frozen=True, slots=True)
class PlacePrompt:
    """The parts of one environment prompt, as texts."""

    step: int
    """Time step t, from 0."""
    instruction: str
    history: str
    trajectory: str
    map: str
    supplementary: str
    planning: str
    options: tuple[Option, ...]
    destination: str | None = None
    """``None`` where the prompt has no such part (MapGPT)."""

    def __str__(self) -> str:
        parts = [
            f"Instruction: {self.instruction}",
            f"History: {self.history}",
            f"Trajectory: {self.trajectory}",
            f"Map:\n{self.map}",
            f"Supplementary Info: {self.supplementary}",
            f"Previous Planning:\n{self.planning}",
        ]
        if self.destination is not None:
            parts.append(
                f"Possible Destination Info (a guess, it may be wrong): {self.destination}"
            )
        options = [str(option) for option in self.options]
        return "\n".join([*parts, f"Action Options (step {self.step}): {options}"])


def letter(place: int) -> str:
    """Letter of an option by its place in the list: A for 0."""
    return chr(ord("A") + place)


def action_text(direction: str, place: int) -> str:
    """Return a move in words."""
    return f"{direction} to Place {place} which is corresponding to Image {place}"


def make_options(
    ways: Sequence[CandidateView], places: Mapping[str, int], heading_deg: float, *, stop: bool
) -> tuple[Option, ...]:
    """Make the lettered actions: stopping first, where allowed, then the candidates in order.

    The direction words come from the view that MapGPT keeps of a candidate (`CandidateView.view`),
    relative to the agent's heading in degrees.
    """
    options = [Option(letter(0), None, None)] if stop else []
    for way in ways:
        # not wrapped: `direction_words` wants the plain difference, as MapGPT takes it
        angle_deg = view_heading_deg(way.view) - heading_deg % 360.0
        words = direction_words(angle_deg, view_elevation_deg(way.view))
        options.append(Option(letter(len(options)), words, places[way.node]))
    return tuple(options)


def history_text(actions: Sequence[str]) -> str:
    """``step 0: turn left to Place 3 ..., step 1: ...``; a sentence before the first action."""
    return ", ".join(f"step {k}: {action}" for k, action in enumerate(actions)) or BEGUN


def make_prompt(
    memory: MapMemory,
    instruction: str,
    actions: Sequence[str],
    planning: str,
    options: Sequence[Option],
    destination: str | None,
    step: int,
) -> PlacePrompt:
    """Make the prompt of a step, with the map as it stands after pruning."""
    numbers = [memory.places[node] for node in memory.supplementary()]
    seen = [f"\nPlace {n}, which is corresponding to Image {n}" for n in numbers]
    return PlacePrompt(
        step=step,
        instruction=instruction,
        history=history_text(actions),
        trajectory=memory.trajectory_text(),
        map="\n".join(memory.map_lines()),
        supplementary="".join(seen) or NOTHING,
        planning=planning,
        options=tuple(options),
        destination=destination,
    )


def read_prompt(text: str) -> PlacePrompt | None:
    """Read a prompt back; ``None`` where it has no instruction or no options.

    Parts may stand in any order and be missing; text after the line of the options is ignored.
    """
    spots = _spots(text)
    options = next((match for name, match in spots if name == "options"), None)
    if options is None or not any(name == "instruction" for name, _ in spots):
        return None
    ends = [match.start() for _, match in spots[1:]] + [len(text)]
    parts: dict[str, str] = {}
    for (name, match), end in zip(spots, ends, strict=True):
        parts[name] = text[match.end() : end].strip()
    line = parts["options"].partition("\n")[0]
    offered = tuple(map(_option, _OPTION.finditer(line)))
    return PlacePrompt(
        step=int(options["step"]),
        instruction=parts.get("instruction", ""),
        history=parts.get("history", ""),
        trajectory=parts.get("trajectory", ""),
        map=parts.get("map", ""),
        supplementary=parts.get("supplementary", ""),
        planning=parts.get("planning", ""),
        options=offered,
        destination=parts.get("destination"),
    )


def _spots(text: str) -> list[tuple[str, re.Match[str]]]:
    """Return the labels in the order in which they stand: each the first time, but the options the
    last time.

    A plan may quote any label; it stands after most of them and before the options.
    """
    spots = []
    for name, pattern in _LABELS:
        matches = list(re.finditer(rf"^{pattern}: ?", text, re.MULTILINE | re.IGNORECASE))
        if matches:
            spots.append((name, matches[-1] if name == "options" else matches[0]))
    return sorted(spots, key=lambda spot: spot[1].start())


def _option(match: re.Match[str]) -> Option:
    if match[4] is None:
        return Option(match[1], None, None)
    return Option(match[1], match[3], int(match[4]))


def read_map(text: str) -> dict[int, list[int]]:
    """Return the numbers of the explored places with those of their neighbours."""
    near: dict[int, list[int]] = {}
    for match in _CONNECTED.finditer(text):
        near[int(match[1])] = [int(number) for number in _NUMBER.findall(match[2])]
    return near
