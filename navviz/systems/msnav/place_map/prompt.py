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

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navviz.formats.texts import as_mapping
from navviz.observations.discrete_views import (
    CandidateView,
    direction_words,
    view_elevation_deg,
    view_heading_deg,
)
from navviz.records import Landmark, Panel, Trace
from navviz.support.guarded import decode_reply
from navviz.systems.msnav.place_map.memory import MapMemory
from navviz.systems.spatial import SpatialReading

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


NO_PLAN = "No plans currently."
"""The plan of a reply that gives none."""

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "Thought": {"type": "string"},
        "New Planning": {"type": "string"},
        "Action": {"type": "string"},
    },
    "required": ["Thought", "New Planning", "Action"],
}
"""JSON Schema of a reply."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One decision: where it goes, and which rule made it where it was not the model's own."""

    candidate: int | None
    """Place of the chosen candidate in the list of moves; ``None`` to stop."""
    thought: str = ""
    planning: str = NO_PLAN
    letter: str | None = None
    """The option that was taken; ``None`` for a stop that is no option."""
    rule: str | None = None
    """Why this is not what the reply said; ``None`` for the model's own decision."""
    parse_error: str | None = None

    @property
    def stop(self) -> bool:
        """Whether the walk ends here."""
        return self.candidate is None


def forced_stop(
    rule: str, *, thought: str = "", planning: str = NO_PLAN, parse_error: str | None = None
) -> Chosen:
    """Return a stop that a rule makes."""
    return Chosen(None, thought, planning, rule=rule, parse_error=parse_error)


def read_reply(reply: str | None, options: Sequence[Option]) -> Chosen:
    """Read a reply against the options of its step."""
    value, error = _object(reply)
    if error is not None:
        return forced_stop("a reply that is no JSON stops the walk", parse_error=error)
    thought, planning = _text(value.get("Thought")), _text(value.get("New Planning")) or NO_PLAN
    action = value.get("Action")
    letters = [option.letter for option in options]
    if str(action) in letters:
        return _taken(options, letters.index(str(action)), thought, planning, None)
    what = "the reply names no action"
    if action is not None:
        what = f"the action {_short(action)} is not among the options"
    if not options:
        rule = f"{what} and no way leads on: the walk stops"
        return forced_stop(rule, thought=thought, planning=planning)
    # the published code takes index 0 of the list, whatever it is
    first = "the walk stops" if options[0].place is None else "the first move is taken"
    return _taken(options, 0, thought, planning, f"{what}: {first}")


def _taken(
    options: Sequence[Option], place: int, thought: str, planning: str, rule: str | None
) -> Chosen:
    # stopping stands first where it is offered, but is no move
    stops = sum(option.place is None for option in options)
    option = options[place]
    candidate = None if option.place is None else place - stops
    return Chosen(candidate, thought, planning, option.letter, rule)


def _object(reply: str | None) -> tuple[dict[str, Any], str | None]:
    """Return the reply's JSON object, or why there is none; other JSON has no fields."""
    text = (reply or "").strip()
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json").strip()
    try:
        value = decode_reply(text)
    except ValueError as error:
        return {}, f"the reply is no JSON ({error})" if text else "the reply is empty"
    return as_mapping(value), None


def _text(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # JSON may hold half a character, which no file can take
    return text.encode("utf-8", "replace").decode("utf-8").strip()


def _short(value: object) -> str:
    text = _text(value)
    return f"'{text[:40]}…'" if len(text) > 40 else f"'{text}'"


DIRECT = "direct object"

POTENTIAL = "potential object"
"""Categories of the landmarks that a reading becomes."""

TITLE = "Spatial reading"

FROM_LOG = "from the log"
"""Source of a reading that a log or a file beside it tells; a log prints no objects."""


def landmarks(reading: SpatialReading) -> tuple[Landmark, ...]:
    """Return the objects as landmarks, so that text and map show where they occur."""
    # a name in both lists is a direct object: one landmark, not two
    others = [name for name in reading.potential if name not in reading.direct]
    direct = [Landmark(name=name, category=DIRECT) for name in reading.direct]
    potential = [Landmark(name=name, category=POTENTIAL) for name in others]
    return (*direct, *potential)


def spatial_panel(reading: SpatialReading, marking: str) -> Panel:
    """Return the reading as a panel; `marking` says how objects are found in the views."""
    who = {"model": "asked of the language model", "file": "from a file", "off": "switched off"}
    # what a log does not print is not the same as none
    lacking = "not told" if reading.source == FROM_LOG and not reading.names else "none"
    entries = [
        {
            "label": "Direct objects",
            "text": "" if reading.direct else lacking,
            "objects": list(reading.direct),
        },
        {
            "label": "Potential objects",
            "text": "" if reading.potential else lacking,
            "objects": list(reading.potential),
        },
        {"label": "Destination", "text": reading.layout or "no guess"},
        {"label": "Source", "text": f"{who.get(reading.source, reading.source)}; {marking}"},
    ]
    data = {
        "directions": entries,
        "direct": list(reading.direct),
        "potential": list(reading.potential),
    }
    return Panel(
        kind="directions",
        title=TITLE,
        data=data | {"layout": reading.layout, "source": reading.source},
    )


def reading_of(trace: Trace) -> SpatialReading | None:
    """Return the reading that a trace holds in its panel; ``None`` where it has none."""
    data: Mapping[str, Any] | None = next(
        (p.data for p in trace.plan_panels if p.title == TITLE), None
    )
    if data is None:
        return None
    return SpatialReading(
        _strings(data.get("direct")),
        _strings(data.get("potential")),
        str(data.get("layout", "")),
        str(data.get("source")),
    )


def _strings(value: Iterable[object] | None) -> tuple[str, ...]:
    return tuple(str(item) for item in value or ())
