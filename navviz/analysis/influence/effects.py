"""Which words mattered: walk each variant of an instruction, and tell what became of the walk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from navviz.analysis.influence.variants import (
    Change,
    Hidden,
    InstructionVariant,
    instruction_variants,
)
from navviz.errors import NavVizError
from navviz.llm.prices import list_price_usd
from navviz.metrics.intervals import Interval, grouped_mean_interval
from navviz.metrics.score import score_trace
from navviz.records import EndEvent, EndStatus, Episode, Trace, TraceHeader
from navviz.records.trace_files import Folder
from navviz.systems.base import Navigator, Settings
from navviz.systems.views_needed import check_views
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


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
    """The walk of the whole instruction, and the effects of its variants in the order of the
    text.
    """

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
    folder.add(
        TraceHeader(episode=episode, navigator=navigator.name, settings=settings_used, model=model)
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
    on_walk: Callable[[int, int], None] | None = None,
) -> WordInfluence:
    """Walk an episode with its whole instruction and with each variant.

    Parameters
    ----------
    episode, graph
        What is walked.
    walk
        Walks an episode, mostly `walk_once` with its navigator bound.
    hidden
        Whether phrases and landmarks are left out or masked.
    on_walk
        Called after each walk with how many are done, and how many there are.
    """
    variants = instruction_variants(episode, graph, hidden)
    base = walk(episode)
    success, error_m = _outcome(base, graph)
    effects = []
    for k, variant in enumerate(variants, 1):
        trace = walk(
            episode.model_copy(
                # plan and landmarks were made of the whole text
                update={"instruction": variant.instruction, "sub_goals": (), "landmarks": ()}
            )
        )
        effects.append(_effect(variant, trace, base, graph, error_m))
        if on_walk is not None:
            on_walk(k, len(variants))
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
    """Estimate what walks will cost by one that was walked; what its log does not tell stays
    unknown.
    """
    calls = trace.calls if trace is not None else ()
    if not calls:
        return Cost(walks, None, None, None)
    tokens = [call.tokens for call in calls]
    prices = []
    for call in calls:
        # a log of another project has no prices, but may name a model that has one
        price = call.cost_usd if call.cost_usd is not None else list_price_usd(call)
        prices.append(price)
    counted = [count for count in tokens if count is not None]
    paid = [price for price in prices if price is not None]
    return Cost(
        walks,
        walks * len(calls),
        walks * sum(counted) if len(counted) == len(tokens) else None,
        walks * sum(paid) if len(paid) == len(prices) else None,
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
