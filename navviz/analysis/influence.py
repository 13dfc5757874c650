"""Which words of an instruction mattered: change it piece by piece, walk again, compare."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from navviz.analysis.described_route import OTHER_SIDE, SIDE
from navviz.analysis.landmarks import fate_of_landmarks
from navviz.analysis.slices import poi_kind
from navviz.errors import NavVizError
from navviz.language.grammar.grammar import read_instruction
from navviz.language.mentions import landmark_names, readable
from navviz.language.skills import LANDMARK_WORDS, ROOM_WORDS
from navviz.llm.prices import usd_of
from navviz.metrics.intervals import Interval, grouped_mean_interval
from navviz.metrics.score import score_trace
from navviz.records import EndEvent, EndStatus, Episode, Landmark, Trace, TraceHeader
from navviz.records.trace_files import Folder
from navviz.records.walker import BLIND
from navviz.systems.base import Navigator, Settings, check_views, missing_views
from navviz.world.graph import Graph, Poi

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


Change = Literal["phrase", "landmark", "side", "rival"]
"""What was changed: a phrase or a landmark taken away, sides swapped, a landmark called by its
rival's name.
"""

Hidden = Literal["leave out", "mask"]

_BREAK: Final = re.compile(
    r"[.;!?]+\s*|,\s*(?:and\s+|then\s+)*|(?<!\s)\s++(?:and"
    r" then|then|and(?=\s+(?:turn|take|make|go|head|walk|continue|stop|"
    r"pass|proceed|keep|bear|cross|follow|you|at|when|after|enter|exit|wait)\b))\s+",
    re.IGNORECASE,
)

_ROOM_OR_THING: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(ROOM_WORDS | LANDMARK_WORDS, key=len, reverse=True))})s?\b",
    re.IGNORECASE,
)

_MASK: Final = "…"

_MASKED_PLACE: Final = "the place"

_LEAST: Final = 3
"""Characters of a phrase that is worth a walk."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A stretch of the instruction, in characters."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class InstructionVariant:
    """One changed instruction."""

    change: Change
    part: TextPart
    instruction: str
    description: str
    """What was done, in words."""


def instruction_variants(
    episode: Episode, graph: Graph, hidden: Hidden = "leave out"
) -> list[InstructionVariant]:
    """Make the variants of an instruction, in its order; those that change nothing are left out."""
    text = episode.instruction
    made = [
        *_phrases(text, hidden),
        *_landmarks(episode, graph, hidden),
        *_sides(text),
        *_rivals(episode, graph),
    ]
    # the text itself is in it from the start: a change that changes nothing is none
    texts = {" ".join(text.split())}
    variants = []
    for variant in sorted(made, key=lambda variant: (variant.part.start, -variant.part.end)):
        key = " ".join(variant.instruction.split())
        if key and key not in texts:
            texts.add(key)
            variants.append(variant)
    return variants


def _replaced(text: str, part: TextPart, words: str) -> str:
    joined = text[: part.start] + words + text[part.end :]
    # a part that is cut out leaves two blanks, or one before a sign
    return re.sub(r"(?<!\s)\s++([.,;!?])", r"\1", re.sub(r"[ \t]{2,}", " ", joined)).strip()


def _phrases(text: str, hidden: Hidden) -> Iterator[InstructionVariant]:
    begin = 0
    spans = [*(match.span() for match in _BREAK.finditer(readable(text))), (len(text), len(text))]
    parts = []
    for start, end in spans:
        if start - begin >= _LEAST:
            parts.append((begin, start))
        begin = end
    # without its only phrase nothing is left to follow
    if len(parts) < 2:
        return
    for start, end in parts:
        part = TextPart(start, end, text[start:end])
        words = "" if hidden == "leave out" else _MASK
        yield InstructionVariant(
            "phrase", part, _replaced(text, part, words), f"“{part.text}” {_done(hidden)}"
        )


def _done(hidden: Hidden) -> str:
    return "left out" if hidden == "leave out" else "masked"


def _mentions(episode: Episode, graph: Graph) -> list[TextPart]:
    """Find where the instruction names places."""
    text = episode.instruction
    if graph.frame == "metric":
        return [TextPart(*match.span(), match[0]) for match in _ROOM_OR_THING.finditer(text)]
    spans = [(mention.start, mention.end) for mention in read_instruction(text).mentions]
    # the reader may have tidied the text, and counts in its own
    spans = [(start, end) for start, end in spans if 0 <= start < end <= len(text)]
    for name in landmark_names(text):
        at = text.find(name)
        # what the reading has found already is not taken out twice
        if at >= 0 and not any(start < at + len(name) and at < end for start, end in spans):
            spans.append((at, at + len(name)))
    return [TextPart(start, end, text[start:end]) for start, end in sorted(set(spans))]


def _landmarks(episode: Episode, graph: Graph, hidden: Hidden) -> Iterator[InstructionVariant]:
    for part in _mentions(episode, graph):
        words = "" if hidden == "leave out" else _MASKED_PLACE
        changed = _replaced(episode.instruction, part, words)
        yield InstructionVariant(
            "landmark", part, changed, f"landmark “{part.text}” {_done(hidden)}"
        )


def _sides(text: str) -> Iterator[InstructionVariant]:
    for match in SIDE.finditer(text):
        other = OTHER_SIDE[match[0].lower()]
        part = TextPart(*match.span(), match[0])
        words = other.capitalize() if match[0][0].isupper() else other
        yield InstructionVariant(
            "side", part, _replaced(text, part, words), f"“{_led(text, part)}” made “{other}”"
        )


def _led(text: str, part: TextPart) -> str:
    """Return a part with the two words before it, so that one "right" is told from another."""
    before = re.search(r"(?:[\w'’-]{1,40}\s{1,9}){0,2}$", text[: part.start])
    return (before[0] if before is not None else "") + part.text


def _rivals(episode: Episode, graph: Graph) -> Iterator[InstructionVariant]:
    """Call each landmark with an own name by that of the nearest other place of its kind."""
    parts = _mentions(episode, graph)
    named = episode.model_copy(
        update={"landmarks": tuple(Landmark(name=part.text) for part in parts)}
    )
    # no steps: the route alone says which places are meant
    bare = Trace(header=TraceHeader(episode=named, navigator="none"))
    places = {
        fate.name: fate.poi for fate in fate_of_landmarks(bare, graph) if fate.poi is not None
    }
    for part in parts:
        poi = graph.pois.get(places.get(part.text, ""))
        # words in lower case mean a kind, such as "the bank", and no place by its name
        if poi is None or "name" not in poi.tags or part.text.islower():
            continue
        rival = _nearest_rival(poi, graph)
        if rival is not None:
            changed = _replaced(episode.instruction, part, rival)
            yield InstructionVariant("rival", part, changed, f"“{part.text}” called “{rival}”")


def _nearest_rival(poi: Poi, graph: Graph) -> str | None:
    """Name of the nearest place of the same kind that is called otherwise."""
    kind, name = poi_kind(poi), str(poi.tags["name"]).casefold()
    others = [
        each for each in graph.pois.values() if "name" in each.tags and poi_kind(each) == kind
    ]
    others = [each for each in others if str(each.tags["name"]).casefold() != name]
    if not others:
        return None
    places = np.array([each.position for each in (poi, *others)], float)
    metric = graph.to_metric(places) if graph.frame == "geo" else places
    away = np.linalg.norm(metric[1:] - metric[0], axis=1)
    return str(others[int(away.argmin())].tags["name"])


@dataclass(frozen=True)
class Effect:
    """What one change of the instruction did."""

    variant: InstructionVariant
    trace: Trace
    success: bool | None
    """``None`` where nobody knows the goal, or where the walk ended in an error."""
    error_m: float | None
    """Navigation error in metres."""
    change_m: float | None
    """Navigation error minus that of the whole instruction."""
    parted_at: str | None
    """The node after which the two walks go apart; ``None`` where they are the same."""
    parted_after_m: float | None
    """How far along the walk that is, in metres."""

    @property
    def same_path(self) -> bool:
        """Whether the agent walked the same way."""
        return self.parted_at is None


@dataclass(frozen=True)
class WordInfluence:
    """The walk of the whole instruction, and the effects of its variants in order."""

    episode: Episode
    trace: Trace
    success: bool | None
    error_m: float | None
    effects: tuple[Effect, ...]

    def weight(self, effect: Effect) -> float:
        """How much a change mattered, 0 (the same walk) to 1 (another outcome, or the goal missed
        by 200 m more).

        A walk that parts and ends as near to the goal counts a quarter.
        """
        if effect.same_path:
            return 0.0
        if effect.success is not None and effect.success != self.success:
            return 1.0
        return min(1.0, 0.25 + abs(effect.change_m or 0.0) / _FULL_M)


_FULL_M = 200.0
"""Metres of navigation error at which a shading is full: about two blocks of Manhattan."""


@dataclass(frozen=True, slots=True)
class ChangeEffect:
    """Mean effect of one kind of change over a run."""

    change: Change
    variants: int
    episodes: int
    other_path: Interval
    """Share of variants whose walk differs; intervals are drawn by whole episodes."""
    success: Interval | None
    """Mean change of success, of variants with a known outcome."""
    error_m: Interval | None
    """Mean change of the navigation error in metres."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What the walks of some variants will cost, by what one walk has cost."""

    walks: int
    calls: int | None
    tokens: int | None
    usd: float | None


def walk_once(
    navigator: Navigator,
    episode: Episode,
    graph: Graph,
    llm: LanguageModel | None,
    settings: Settings,
) -> Trace:
    """Walk an episode in memory; a fault becomes the end of the trace, as in a run."""
    check_views(navigator, graph, settings, episode.id)
    folder = Folder()
    settings_used: dict[str, Any] = settings.model_dump(mode="json")
    model = llm.name if llm is not None else None
    blind = settings.blind and missing_views(navigator, graph, settings) is not None
    folder.add(
        TraceHeader(
            episode=episode,
            navigator=navigator.name,
            settings=settings_used,
            resolved={BLIND: True} if blind else {},
            model=model,
        )
    )
    try:
        for event in navigator.navigate(episode, graph, llm, settings):
            folder.add(event)
    except NavVizError as error:
        folder.add(EndEvent(status=EndStatus.ERROR, reason=str(error)))
    return folder.trace


def influence_of(
    episode: Episode,
    graph: Graph,
    walk: Callable[[Episode], Trace],
    hidden: Hidden = "leave out",
) -> WordInfluence:
    """Walk an episode with its whole instruction and with each variant."""
    variants = instruction_variants(episode, graph, hidden)
    base = walk(episode)
    success, error_m = _outcome(base, graph)
    effects = []
    for variant in variants:
        trace = walk(
            episode.model_copy(
                # plan and landmarks were made of the whole text
                update={"instruction": variant.instruction, "sub_goals": (), "landmarks": ()}
            )
        )
        effects.append(_effect(variant, trace, base, graph, error_m))
    return WordInfluence(episode, base, success, error_m, tuple(effects))


def _outcome(trace: Trace, graph: Graph) -> tuple[bool | None, float | None]:
    if trace.end is not None and trace.end.status is EndStatus.ERROR:
        return None, None
    metrics = score_trace(trace, graph)
    rate = metrics.get("SR")
    return None if rate is None else rate >= 0.5, metrics.get("NE")


def _effect(
    variant: InstructionVariant, trace: Trace, base: Trace, graph: Graph, error_m: float | None
) -> Effect:
    success, own_m = _outcome(trace, graph)
    change_m = None if own_m is None or error_m is None else own_m - error_m
    ours, theirs = trace.path, base.path
    same = next(
        (k for k, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b),
        min(len(ours), len(theirs)),
    )
    if ours == theirs:
        return Effect(variant, trace, success, own_m, change_m, None, None)
    walked = [node for node in ours[:same] if node in graph]
    return Effect(
        variant,
        trace,
        success,
        own_m,
        change_m,
        ours[max(same - 1, 0)],
        graph.path_length_m(walked),
    )


def estimated_cost(trace: Trace | None, walks: int) -> Cost:
    """Estimate what walks will cost by one that was walked; ``None`` stays unknown."""
    calls = trace.calls if trace is not None else ()
    if not calls:
        return Cost(walks, None, None, None)
    tokens = [call.tokens for call in calls]
    usd = usd_of(calls)
    counted = [count for count in tokens if count is not None]
    return Cost(
        walks,
        walks * len(calls),
        walks * sum(counted) if len(counted) == len(tokens) else None,
        None if usd is None else walks * usd,
    )


def mean_effects(influences: Iterable[WordInfluence]) -> list[ChangeEffect]:
    """Average the effects of a run by kind of change, most variants first."""
    by_change: dict[Change, list[tuple[WordInfluence, Effect]]] = {}
    for influence in influences:
        for effect in influence.effects:
            by_change.setdefault(effect.variant.change, []).append((influence, effect))
    rows = [_mean(change, pairs) for change, pairs in by_change.items()]
    return sorted(rows, key=lambda row: (-row.variants, row.change))


def _mean(change: Change, pairs: Sequence[tuple[WordInfluence, Effect]]) -> ChangeEffect:
    # by episode, since the variants of one instruction are no independent trials
    others: dict[str, list[float]] = {}
    changes: dict[str, list[float]] = {}
    metres: dict[str, list[float]] = {}
    for influence, effect in pairs:
        key = influence.episode.id
        others.setdefault(key, []).append(float(not effect.same_path))
        if effect.success is not None and influence.success is not None:
            changes.setdefault(key, []).append(float(effect.success) - float(influence.success))
        if effect.change_m is not None:
            metres.setdefault(key, []).append(effect.change_m)
    return ChangeEffect(
        change,
        len(pairs),
        len(others),
        grouped_mean_interval(list(others.values())),
        grouped_mean_interval(list(changes.values())) if changes else None,
        grouped_mean_interval(list(metres.values())) if metres else None,
    )
