"""Episodes that are spoilt on purpose: words shuffled, sides swapped, the text of another, a false
route.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

from navviz.analysis.side_words import OTHER_SIDE
from navviz.records import Episode
from navviz.world.graph import Graph

_SIDE: Final = re.compile(r"\b(left|right)(?=\b|-)", re.IGNORECASE)
_LONGEST = 30
"""Most moves of a false route."""


def shuffled(text: str, seed: str) -> str:
    """Return the words of a text in another order; the seed decides which."""
    words = text.split()
    random.Random(seed).shuffle(words)  # noqa: S311 - a reproducible order, no secret
    return " ".join(words)


def swapped(text: str) -> str:
    """Return a text with left for right and right for left, in their case."""
    return _SIDE.sub(_other_side, text)


def _other_side(match: re.Match[str]) -> str:
    word = match[1]
    other = OTHER_SIDE[word.lower()]
    if word.isupper():
        return other.upper()
    return other.capitalize() if word[0].isupper() else other


def other_instructions(episodes: Sequence[Episode], seed: int) -> dict[str, str]:
    """Give each episode the instruction of another one: of its data set, in another world, or on
    another route.

    Returns
    -------
    By id, a derangement of the instructions of each data set; without the episodes that have no
    other to take it from.
    """
    by_set: dict[str, list[Episode]] = {}
    for episode in episodes:
        by_set.setdefault(episode.dataset, []).append(episode)
    others: dict[str, str] = {}
    for name, members in by_set.items():
        chance = random.Random(f"{seed} {name}")  # noqa: S311 - a reproducible choice, no secret
        order = _grouped(members, _world, chance) or _grouped(members, _route, chance)
        if order is None:
            continue
        ordered, largest = order
        # shifted by the largest group, nobody takes from the own group
        for place, taker in enumerate(ordered):
            giver = ordered[(place + largest) % len(ordered)]
            others[taker.id] = giver.instruction
    return others


def _world(episode: Episode) -> object:
    return episode.world


def _route(episode: Episode) -> object:
    return episode.start, episode.reference_path


def _grouped(
    episodes: Sequence[Episode], key: Callable[[Episode], object], chance: random.Random
) -> tuple[list[Episode], int] | None:
    """Order episodes by groups, which come in any order; who then looks on by the largest group's
    size is in another.

    Returns
    -------
    The order and that size; ``None`` where one group holds more than half of all.
    """
    groups: dict[object, list[Episode]] = {}
    for episode in episodes:
        groups.setdefault(key(episode), []).append(episode)
    largest = max(map(len, groups.values()))
    if 2 * largest > len(episodes):
        return None
    shuffled_groups = list(groups.values())
    chance.shuffle(shuffled_groups)
    ordered: list[Episode] = []
    for group in shuffled_groups:
        chance.shuffle(group)
        ordered += group
    return ordered, largest


def false_reference(episode: Episode, graph: Graph, seed: int) -> Episode:
    """Return the episode with a route and a goal that are not its own: to another place of the same
    world.
    """
    chance = random.Random(f"{seed} {episode.id}")  # noqa: S311 - a reproducible choice, no secret
    route = _false_route(episode, graph, chance)
    return episode.model_copy(update={"reference_path": route, "goal": route[-1]})


def _false_route(episode: Episode, graph: Graph, chance: random.Random) -> tuple[str, ...]:
    node, seen = episode.start, [episode.start]
    for _ in range(chance.randint(2, _LONGEST)):
        ways = (
            [other for other in graph.neighbours(node) if other not in seen]
            if node in graph
            else []
        )
        if not ways:
            break
        node = chance.choice(ways)
        seen.append(node)
    # a false route must not end at the true goal
    if seen[-1] == episode.goal:
        seen.pop()
    return tuple(seen)
