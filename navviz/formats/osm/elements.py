"""The parts of an OpenStreetMap extract that a world needs, whatever the file format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class OsmArea:
    """A relation of type multipolygon."""

    id: str
    outer: tuple[str, ...]
    """Ids of the ways along its outside."""
    tags: dict[str, str]

    @classmethod
    def of(
        cls, key: str, members: Iterable[tuple[str, str, str]], tags: dict[str, str]
    ) -> OsmArea | None:
        """Return the area of a relation, members ``(type, ref, role)``; ``None`` for others."""
        if tags.get("type") != "multipolygon":
            return None
        # editors leave out the role of a single ring
        outer = [ref for kind, ref, role in members if kind == "way" and role in {"outer", ""}]
        return cls(key, tuple(outer), tags)


@dataclass(slots=True)
class Elements:
    """Nodes, tagged nodes, ways and areas, in file order."""

    nodes: dict[str, tuple[float, float]] = field(default_factory=dict)
    """``(lat, lon)`` in degrees by id."""
    tagged: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    ways: list[tuple[str, list[str], dict[str, str]]] = field(default_factory=list)
    """Id, refs, tags."""
    areas: list[OsmArea] = field(default_factory=list)

    def add_node(self, key: str, place: tuple[float, float], tags: dict[str, str]) -> None:
        """Add a node, and its tags where it has any."""
        self.nodes[key] = place
        if tags:
            self.tagged.append((key, tags))


def outer_lines(area: OsmArea, refs_of: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Join the outer ways of an area, end to end, to its rings; the longest first.

    Ways that are not in the extract are skipped, and their ring stays open.
    """
    pieces = [list(refs_of[way]) for way in area.outer if len(refs_of.get(way, ())) > 1]
    lines: list[list[str]] = []
    while pieces:
        line = pieces.pop(0)
        while line[0] != line[-1]:
            joined = (k for k, piece in enumerate(pieces) if line[-1] in (piece[0], piece[-1]))
            following = next(joined, None)
            if following is None:
                break
            piece = pieces.pop(following)
            line += piece[1:] if piece[0] == line[-1] else piece[-2::-1]
        lines.append(line)
    return sorted(lines, key=len, reverse=True)
