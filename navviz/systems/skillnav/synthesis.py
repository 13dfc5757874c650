"""Episodes that stress one skill, on any house (Ma et al. 2025, "Skill-Specific Data Synthesis").

The paper names factors and few numbers, and publishes no sampling code: numbers below that it does
not print are ours. An instruction is written by rules or a model, and checked; a failed check that
must hold asks again twice.
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from rapidfuzz import fuzz

from navviz.language.rooms import room_word
from navviz.language.said import sides_of
from navviz.language.skills import SKILLS, Skill
from navviz.llm.base import Request
from navviz.observations.panorama import observations_of
from navviz.records import Call, Message
from navviz.records.base import capital
from navviz.systems.authoring import RULES, DraftFile, ask_until, trials_of
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

TEMPORAL: Final = "Temporal"
KINDS: Final = (TEMPORAL, *(skill.short for skill in SKILLS))
"""Names of the six sets."""
TRIES: Final = 2000
"""Paths drawn for each item wanted, before it is given up."""
_CLIMB_M: Final = 0.4
_DROPPED: Final = frozenset(
    ["wall", "floor", "ceiling", "door", "window", "picture", "light", "unknown", "frame", "sheet"]
)
_MARKERS: Final = re.compile(r"\b(then|next|before|after)\b", re.IGNORECASE)
_BAD: Final = re.compile(r"[\"“”{}\[\]*#]|\bview \d|\bimages?\b|^\s*[-\d]+[.)]?\s", re.IGNORECASE)
_REFUSAL: Final = re.compile(r"\b(sorry|I cannot|I can't|as an AI)\b", re.IGNORECASE)
_MIDDLE: Final = re.compile(r"[.!?]\s+\S")
_DOWN: Final = re.compile(r"\b(down|descend)", re.IGNORECASE)
_UP: Final = re.compile(r"\b(up|climb|ascend)", re.IGNORECASE)
_STOPS: Final = re.compile(r"\b(stop|wait|pause|stand|halt)", re.IGNORECASE)
_CUES: Final = {
    Skill.DIRECTION.short: re.compile(r"\b(left|right)\b", re.IGNORECASE),
    Skill.VERTICAL.short: re.compile(r"\b(stair|step|up|down|climb|descend)", re.IGNORECASE),
    Skill.STOP.short: _STOPS,
}
_ABOUT: Final = {
    Skill.DIRECTION.short: "each turn to the left or to the right, in order",
    Skill.VERTICAL.short: "going up or down the stairs",
    Skill.STOP.short: "where to pause on the way, and where to stop at the end",
    Skill.LANDMARK.short: "the thing that stands out along the way",
    Skill.REGION.short: "the rooms that are left and entered",
}


class HouseWords:
    """What the words of a house say of its places."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.seen = observations_of(graph)

    def room(self, node: str) -> str:
        """Name of a place's room, guessed from its summary; empty where it names none."""
        return room_word(self.seen.summaries.get(node, "")) or ""

    def things(self, node: str) -> list[str]:
        """Names within 3 m, each once, without what every room has."""
        names: dict[str, None] = {}
        for sector in self.seen.objects.get(node, ()):
            for thing in sector:
                name = re.sub(r"_\d+$", "", thing.name.strip().lower())
                if name and not set(name.split()) & _DROPPED:
                    names[name] = None
        return list(names)

    @cached_property
    def counts(self) -> Counter[str]:
        """At how many places each thing stands."""
        counts: Counter[str] = Counter()
        for node in self.graph.ids:
            counts.update(self.things(node))
        return counts

    def has_stairs(self, node: str) -> bool:
        """Whether a view's text speaks of stairs."""
        texts = (*self.seen.scenes.get(node, ()), self.seen.summaries.get(node, ""))
        return any("stair" in text.lower() or "steps" in text.lower() for text in texts)


@dataclass(frozen=True)
class SkillPath:
    """A path with what its skill is about."""

    kind: str
    nodes: tuple[str, ...]
    turns_deg: tuple[float, ...]
    """Between successive links."""
    rises_m: tuple[float, ...]
    """Of each link."""
    rooms: tuple[str, ...]
    things: tuple[tuple[str, ...], ...]
    landmark: str = ""

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides of its clear turns."""
        clear = [turn for turn in self.turns_deg if abs(turn) >= 30.0]
        return tuple("right" if turn > 0 else "left" for turn in clear)

    @property
    def climb_m(self) -> float:
        """Sum of its climbs, with sign."""
        return sum(rise for rise in self.rises_m if abs(rise) >= _CLIMB_M)


def draw_path(house: HouseWords, rng: random.Random, kind: str) -> tuple[SkillPath | None, str]:
    """Draw one path of 4 to 7 places; ``None`` with the factor that it lacks."""
    graph = house.graph
    starts = [node for node in graph.ids if graph.degree(node)]
    nodes = [rng.choice(starts)]
    wanted = rng.randint(4, 7)
    while len(nodes) < wanted:
        ways = [node for node in graph.neighbours(nodes[-1]) if node not in nodes]
        if not ways:
            return None, "no way on"
        nodes.append(rng.choice(ways))
    headings = [graph.heading_deg(a, b) for a, b in pairwise(nodes)]
    path = SkillPath(
        kind,
        tuple(nodes),
        tuple(turn_deg(a, b) for a, b in pairwise(headings)),
        tuple(graph.position(b)[2] - graph.position(a)[2] for a, b in pairwise(nodes)),
        tuple(map(house.room, nodes)),
        tuple(tuple(house.things(node)) for node in nodes),
        _landmark(house, nodes),
    )
    return (None, fault) if (fault := _lacks(path, house)) else (path, "")


def _landmark(house: HouseWords, nodes: Sequence[str]) -> str:
    rare = max(3.0, 0.1 * len(house.graph.ids))
    for a, b in pairwise(nodes):
        shared = [name for name in house.things(a) if name in house.things(b)]
        kept = [name for name in shared if house.counts[name] <= rare]
        if kept:
            return min(kept, key=lambda name: (house.counts[name], name))
    return ""


def _lacks(path: SkillPath, house: HouseWords) -> str:
    """Return the factor that a path lacks for its skill; empty where it has all."""
    rooms, turns = path.rooms, path.turns_deg
    climbs = [rise for rise in path.rises_m if abs(rise) >= _CLIMB_M]
    one_way = bool(climbs) and min(climbs) * max(climbs) > 0 and abs(sum(climbs)) >= 2.0
    stairs: set[str] = set()
    level = True
    for (a, b), rise in zip(pairwise(range(len(rooms))), path.rises_m, strict=True):
        if abs(rise) >= _CLIMB_M:
            stairs |= {path.nodes[a], path.nodes[b]}
            level &= rooms[a] == rooms[b]
    before, last = set(path.things[-2]), set(path.things[-1])
    is_alike = bool(last) and 2 * len(before & last) >= len(before | last)
    clear = sum(30.0 <= abs(turn) <= 120.0 for turn in turns)
    is_known, regions = all(rooms), len(set(rooms))
    begins = len(set(rooms[: math.ceil(len(rooms) / 2)]))
    factors = {
        TEMPORAL: [("unknown rooms", is_known), ("regions", begins == 1 and regions > 1)],
        Skill.DIRECTION.short: [("turns", clear >= 2 and all(abs(t) <= 120.0 for t in turns))],
        Skill.VERTICAL.short: [("climb", one_way), ("stairs", any(map(house.has_stairs, stairs)))],
        Skill.STOP.short: [("likeness of the last views", is_alike)],
        Skill.LANDMARK.short: [("distinct thing", bool(path.landmark))],
        Skill.REGION.short: [
            ("unknown rooms", is_known),
            ("horizontal change", level),
            ("regions", regions > 1),
        ],
    }
    return next((factor for factor, kept in factors[path.kind] if not kept), "")


def rules_text(path: SkillPath) -> str:
    """Write the instruction from templates."""
    end = path.things[-1][0] if path.things[-1] else path.rooms[-1] or "end of the way"
    passed = dict.fromkeys(names[0] for names in path.things[1:-1] if names)
    cues = [name for name in passed if name not in {end, path.landmark}]
    turns = []
    for k, side in enumerate(path.sides):
        turns.append(f"turn {side} by the {cues[k]}" if k < len(cues) else f"turn {side}")
    entered = [f"enter the {b}" for a, b in pairwise(path.rooms) if a != b]
    way = "up" if path.climb_m > 0 else "down"
    stress = {
        Skill.DIRECTION.short: turns,
        Skill.VERTICAL.short: [f"go {way} the stairs all the way"],
        Skill.LANDMARK.short: [f"walk along to the {path.landmark} and keep it in sight"],
        Skill.STOP.short: [f"pause for a moment by the {cues[0] if cues else 'way on'}"],
    }
    used = {Skill.DIRECTION.short: len(turns), Skill.STOP.short: 1}.get(path.kind, 0)
    parts = [f"leave the {path.rooms[0] or 'place where you stand'}"]
    parts += stress.get(path.kind, entered)
    parts += [f"walk past the {cue}" for cue in cues[used:]]
    ends = {Skill.STOP.short: "stop", Skill.DIRECTION.short: "finish"}
    goal = f"and {ends.get(path.kind, 'come to stand')} by the {end}"
    low, high = _words_of(path.kind)
    while len(parts) > 2 and len(" ".join([*parts, goal]).split()) > high:
        parts.pop()
    for filler in ("go on for a short while", "keep on without leaving the way") * 3:
        if len(" ".join([*parts, goal]).split()) < low:
            parts.append(filler)
    text = ", ".join([*parts, goal])
    return f"{capital(text)}."


def _words_of(kind: str) -> tuple[int, int]:
    return (30, 90) if kind == TEMPORAL else (20, 30)


def faults_of(text: str, path: SkillPath, used: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return what an instruction breaks of what must hold, a sentence each."""
    low, high = _words_of(path.kind)
    count = len(text.split())
    rules = {
        "it is empty": not text.strip(),
        "it refuses": bool(_REFUSAL.search(text)),
        "it is a list, quotes or speaks of views": bool(_BAD.search(text)),
        f"it has {count} words, not {low} to {high}": not low <= count <= high,
        "it is no single sentence": path.kind != TEMPORAL and bool(_MIDDLE.search(text)),
        "it stands there twice": text in used,
    }
    if path.kind == TEMPORAL and (marker := _MARKERS.search(text)):
        rules[f"it says {marker[0]!r}"] = True
    cue = _CUES.get(path.kind)
    rules["no word of the skill is in it"] = cue is not None and not cue.search(text)
    if path.kind == Skill.DIRECTION.short:
        sides = sides_of(text)
        rules[f"it turns {', '.join(sides) or 'nowhere'}, the path {', '.join(path.sides)}"] = (
            sides != path.sides
        )
    if path.kind == Skill.VERTICAL.short:
        wrong = _DOWN if path.climb_m > 0 else _UP
        rules["it goes the other way on the stairs"] = bool(wrong.search(text))
    if path.kind == Skill.LANDMARK.short:
        is_named = fuzz.partial_ratio(path.landmark, text.lower()) >= 90
        rules[f"it does not name the {path.landmark}"] = not is_named
    if path.kind == Skill.REGION.short:
        after = {b for a, b in pairwise(path.rooms) if a != b}
        rules["it names no room that is entered"] = not any(room in text.lower() for room in after)
    if path.kind == Skill.STOP.short:
        last = re.split(r"[,;]| and ", text)[-1]
        rules["its last part does not stop or wait"] = not _STOPS.search(last)
    return tuple(rule for rule, broken in rules.items() if broken)


def synthesis_messages(path: SkillPath, house: HouseWords) -> tuple[Message, ...]:
    """Return the prompt; text stands for the paper's pictures."""
    low, high = _words_of(path.kind)
    ask = (
        "You know vision-and-language navigation. Write one natural instruction that leads a person"
        " along the views below, from the first to the last. Use only what can be seen there."
    )
    if path.kind == TEMPORAL:
        ask += (
            " Tell the order by places alone: never write then, next, before or after. Write"
            f" {low} to {high} words, fluently, without decoration."
        )
    else:
        ask += (
            f" Lay the stress on {_ABOUT[path.kind]}. Write one sentence of {low} to {high} words,"
            " without quotes or lists."
        )
    lines = []
    for k, node in enumerate(path.nodes):
        move = ""
        if k:
            turn = path.turns_deg[k - 2] if k > 1 else 0.0
            side = f"turned {'right' if turn > 0 else 'left'} {abs(turn):.0f} degrees, "
            move = f" ({side if k > 1 else ''}{house.graph.distance_m(path.nodes[k - 1], node):.1f}"
            move += f" m, {path.rises_m[k - 1]:+.1f} m of height)"
        things = ", ".join(path.things[k][:8]) or "nothing told"
        room = path.rooms[k] or "room not told"
        summary = house.seen.summaries.get(node, "").strip()
        lines.append(f"view {k + 1} of {len(path.nodes)}{move}: {room}; {summary} Near: {things}")
    skill = f"skill: {path.kind}"
    if path.landmark and path.kind == Skill.LANDMARK.short:
        skill += f" ({path.landmark})"
    text = "\n".join(["text variant, no pictures", *lines, skill, "Write the instruction only."])
    return Message(role="system", text=ask), Message(role="user", text=text)


@dataclass(frozen=True)
class SkillDraft:
    """One item wanted: its path and text, or why there is none."""

    kind: str
    world: str
    tries: int
    """Paths drawn."""
    failed: dict[str, int]
    """How many paths lacked which factor."""
    path: SkillPath | None = None
    author: str = RULES
    text: str = ""
    faults: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether it becomes an episode."""
        return self.path is not None and not self.faults

    @property
    def key(self) -> str:
        """What names it: a path of a kind is written once by each author."""
        nodes = self.path.nodes if self.path is not None else ()
        return hashlib.sha256("|".join((self.author, self.kind, *nodes)).encode()).hexdigest()[:12]

    @property
    def record(self) -> dict[str, Any]:
        """Everything that led to it, for a file of drafts."""
        plain: dict[str, Any] = {"tries": self.tries, "failed": self.failed, "text": self.text}
        plain |= {"key": self.key, "kind": self.kind, "world": self.world, "author": self.author}
        plain["path"] = None if self.path is None else asdict(self.path)
        return plain | {"faults": list(self.faults), "trials": trials_of(self.calls)}

    def episode(self, graph: Graph, seed: int) -> dict[str, Any]:
        """Return an accepted draft in R2R's form; readers find further fields in ``extra``."""
        nodes = self.path.nodes if self.path is not None else ()
        length_m = sum(graph.distance_m(a, b) for a, b in pairwise(nodes))
        extra = {"skill": self.kind, "author": self.author, "seed": seed, "tries": self.tries}
        return {
            "distance": round(length_m, 2),
            "scan": self.world,
            "path_id": int(self.key, 16),
            "path": list(nodes),
            "heading": round(math.radians(graph.heading_deg(nodes[0], nodes[1])), 4),
            "instructions": [self.text],
            **extra,
        }


def synthesize(
    graph: Graph,
    kind: str,
    count: int,
    *,
    seed: int = 0,
    llm: LanguageModel | None = None,
    kept: DraftFile | None = None,
) -> Iterator[SkillDraft]:
    """Yield `count` items of a set; the same seed draws the same paths.

    `kind`: one of `KINDS`. `count`: items wanted; fewer come where a path is not found in `TRIES`
    draws, and the last one says what they lacked. `llm`: the author; rules without one. `kept`:
    drafts that are not to be paid for again.
    """
    rng = random.Random(f"{seed}|{graph.name}|{kind}")  # noqa: S311 - draws paths, no secret
    house, drawn, used = HouseWords(graph), set[tuple[str, ...]](), set[str]()
    for _ in range(count):
        failed: Counter[str] = Counter()
        path = None
        for _try in range(TRIES):
            path, fault = draw_path(house, rng, kind)
            if path is not None and path.nodes not in drawn:
                break
            failed[fault or "drawn before"] += 1
            path = None
        tries = sum(failed.values()) + (path is not None)
        if path is None:
            yield SkillDraft(kind, graph.name, tries, dict(failed))
            return
        drawn.add(path.nodes)
        author = RULES if llm is None else llm.name
        draft = SkillDraft(kind, graph.name, tries, dict(failed), path, author)
        text = kept.text_of(draft.key) if kept is not None else ""
        if not text:
            text, calls = _write(path, house, frozenset(used), llm)
            draft = replace(draft, calls=calls)
        yield replace(draft, text=text, faults=faults_of(text, path, frozenset(used)))
        used.add(text)


def _write(
    path: SkillPath, house: HouseWords, used: frozenset[str], llm: LanguageModel | None
) -> tuple[str, tuple[Call, ...]]:
    if llm is None:
        return rules_text(path), ()
    request = Request(synthesis_messages(path, house), purpose="synthesize")
    return ask_until(
        llm,
        request,
        lambda call: " ".join((call.reply or "").split()),
        lambda text: "; ".join(faults_of(text, path, used)),
    )
