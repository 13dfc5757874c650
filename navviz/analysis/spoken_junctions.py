"""Which junction of the route a phrase speaks of: "the next light", "the T-intersection".

No map of places has them, and of the lights near a route any might be meant. The rules' reading of
the whole instruction, aligned with the reference path, says which: each of its parts is done at a
node of the route (`navviz.systems.rules.search.given_route`). It takes 45 ms an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from navviz.records import Episode
from navviz.systems.rules.explain import route_to
from navviz.systems.rules.grammar.grammar import read_instruction
from navviz.systems.rules.search.given_route import GivenRoute
from navviz.world.graph import Graph

_JUNCTION: Final = re.compile(
    r"\b(?:intersections?|junctions?|side ?streets?|corners?|forks?|(?:stop)?lights?|signals?)\b",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(r"\b(?:buildings?|houses?|shops?|stores?)\b", re.IGNORECASE)
"""What stands at a junction is not the junction: "the corner store"."""
_LEAST_LINKS: Final = 3


def names_junction(name: str) -> bool:
    """Whether a landmark's name is that of a junction or of its lights."""
    return _JUNCTION.search(name) is not None and _OTHER.search(name) is None


def spoken_junctions(episode: Episode, graph: Graph, names: Sequence[str]) -> dict[str, str]:
    """Return the node of the route that each phrase of an instruction speaks of.

    Parameters
    ----------
    episode
        With a reference path on streets; without one the result is empty.
    graph
        Its map.
    names
        All landmarks of the instruction. A name that the text has twice speaks of two places, and
        one that the alignment did not place of none: both are missing in the result. Of several
        junctions ("the next three lights") it is the last.
    """
    wanted = [name for name in dict.fromkeys(names) if names_junction(name)]
    # a text that names no junction needs no alignment, which takes 45 ms
    route = GivenRoute.of_episode(episode, graph) if wanted else None
    if route is None:
        return {}
    _, aligned = route.align(read_instruction(episode.instruction))
    explained = route_to(route.part, aligned, aligned.node, 1.0)
    if explained is None:
        return {}
    places: dict[str, str] = {}
    for name in wanted:
        if _times(name, names, episode.instruction) != 1:
            continue
        texts = [unit.text for unit in aligned.scored.units]
        parts = _parts(name, names, texts)
        places_of_parts = [explained.unit_at.get(part) for part in parts]
        node = _node(episode.reference_path, places_of_parts)
        # the reading may place a phrase at a node where no ways meet
        if node is not None and len(graph.neighbours(node)) >= _LEAST_LINKS:
            places[name] = node
    return places


def _parts(name: str, names: Sequence[str], texts: Sequence[str]) -> list[int]:
    """Return the parts of a reading that say a name.

    The reading drops what follows a junction: "the light directly in front" becomes "the light",
    which counts where no other part says that ("the third light" is three parts of one text).
    """
    parts = [number for number, text in enumerate(texts) if _times(name, names, text)]
    word = _JUNCTION.search(name)
    if parts or word is None or word.end() == len(name):
        return parts
    short = name[: word.end()]
    parts = [number for number, text in enumerate(texts) if _times(short, names, text)]
    last_phrases = {texts[part].rsplit(" · ", maxsplit=1)[-1] for part in parts}
    return parts if len(last_phrases) == 1 else []


def _node(path: Sequence[str], places: Sequence[int | None]) -> str | None:
    """Return the node of the last part; ``None`` where that has no place."""
    last = places[-1] if places else None
    return None if last is None else path[last]


def _times(name: str, names: Iterable[str], text: str) -> int:
    """How often a text says a name by itself, and not within a longer one."""
    longer = [other for other in names if name.lower() in other.lower()]
    rest = text
    # the longest first, as it may hold another one of these names
    for other in sorted(longer, key=len, reverse=True):
        if other.lower() != name.lower():
            rest = re.sub(re.escape(other), " ", rest, flags=re.IGNORECASE)
    return len(re.findall(rf"(?<![\w-]){re.escape(name)}(?![\w-])", rest, re.IGNORECASE))
