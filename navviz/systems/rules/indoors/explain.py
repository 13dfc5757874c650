"""What the indoor rules say about themselves: how they read each phrase, what they matched it with,
other routes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navviz.records import Panel
from navviz.records.base import plural
from navviz.systems.rules.indoors.deciding import Judged, Terms, best
from navviz.systems.rules.indoors.texts import Phrase, texts_of
from navviz.systems.rules.indoors.weights import FEATURES, ROLE_TABLES, ROLES, Weights
from navviz.world.graph import Graph

_PLAIN = 0.8
"""A weight from here on is worth telling; smaller ones only add up."""
_SHOWN = 3
"""Reasons told of a place; further ones change no choice."""
_TURN_NAMES = {
    0: "straight on",
    30: "slightly right",
    60: "right",
    90: "right",
    120: "right",
    150: "around",
} | {180: "around", 210: "around", 240: "left", 270: "left", 300: "left", 330: "slightly left"}
_LOOKED_FOR = (
    "here",
    "ahead",
    "objects here",
    "summary here",
    "summary of the next",
    "summary at the end",
)


def feature_text(name: str) -> str:
    """Return a feature in words: ``turn: 90`` is ``right``, ``turn before: 270`` is ``left
    before``.
    """
    group, _, value = name.partition(": ")
    if group.startswith("turn"):
        return f"{_TURN_NAMES[int(value)]}{group.removeprefix('turn')}"
    return value if group in {"place", "choice", "floor"} else f"{group} {value}"


@dataclass(frozen=True)
class Explainer:
    """Tells what was read and matched."""

    weights: Weights
    graph: Graph
    phrases: Sequence[Phrase]
    terms: Terms

    def places(self, judged: Judged, route: int) -> list[int]:
        """Index into the route of each phrase's place; phrases not reached are missing."""
        return best(judged.lattice, route)[0]

    def reading(self, number: int) -> str:
        """How a phrase is read: what it says of the way, and which words it looks for."""
        # without the weights that all phrases share: only what its own words say
        own = self.terms.features[number] - self.weights.values["features"]
        strongest = [k for k in np.argsort(-own)[:_SHOWN].tolist() if own[k] >= _PLAIN]
        ways = [feature_text(FEATURES[k]) for k in strongest]
        roles = [k for k, (role, _) in enumerate(ROLES) if role in _LOOKED_FOR]
        pull = np.max(self.terms.compared[roles, number] @ self.weights.values["tokens"].T, axis=0)
        words = [
            self.weights.tokens[k] for k in np.argsort(-pull)[:_SHOWN].tolist() if pull[k] >= _PLAIN
        ]
        parts = [", ".join(dict.fromkeys(ways)), f"looks for {', '.join(words)}" if words else ""]
        return "; ".join(part for part in parts if part) or "says little that was learned"

    def evidence(
        self, judged: Judged, route: int, number: int, place: int
    ) -> list[tuple[str, float]]:
        """Return what speaks for and against a phrase's place, strongest first, in logarithms."""
        laid = judged.laid
        own = self.terms.features[number] * laid.features[route, place]
        sums = {feature_text(FEATURES[k]): float(own[k]) for k in np.flatnonzero(own).tolist()}
        tables, tokens = (
            texts_of(self.graph, self.weights.tokens).tables,
            self.weights.values["tokens"],
        )
        for role, table in enumerate(ROLE_TABLES):
            row = int(laid.rows[route, place, role])
            if row < 0:
                continue
            # cut out by hand: a slice of a sparse matrix is a matrix, which takes longer than all
            # else here
            cells = slice(*tables[table].indptr[row : row + 2])
            counted = tables[table].indices[cells]
            pulls = tables[table].data[cells] * (
                tokens[counted] @ self.terms.compared[role, number]
            )
            for token, pull in zip(counted.tolist(), pulls.tolist(), strict=True):
                name = f"{self.weights.tokens[token]} ({ROLES[role][0]})"
                sums[name] = sums.get(name, 0.0) + pull
        items = list(sums.items())
        order = np.argsort(-np.abs([value for _, value in items]), kind="stable")
        return [items[k] for k in order.tolist()]

    def reading_panel(self, judged: Judged | None = None, route: int = 0) -> Panel:
        """How each phrase was read and, where a route is given, where on it."""
        places = self.places(judged, route) if judged is not None else []
        rows = []
        for number, phrase in enumerate(self.phrases):
            row = [phrase.text, self.reading(number)]
            if judged is not None:
                where = "not reached yet"
                if number < len(places):
                    place = places[number]
                    node = self.graph.ids[judged.routes[route].nodes[place]]
                    where = f"after {plural(place, 'move')} at {node}"
                    if place == 0:
                        where = f"at the start, {node}"
                row.append(where)
            rows.append(row)
        columns = ["Phrase", "Reading", "Where"] if judged is not None else ["Phrase", "Reading"]
        return Panel(
            kind="table",
            title="How it read the instruction",
            data={"columns": columns, "rows": rows},
        )

    def matches_panel(self, judged: Judged, route: int) -> Panel:
        """Return what each phrase was matched with on a route, and what speaks against it."""
        rows = []
        for number, place in enumerate(self.places(judged, route)):
            pulls = self.evidence(judged, route, number, place)
            rows.append(
                [
                    self.phrases[number].text,
                    self.graph.ids[judged.routes[route].nodes[place]],
                    _listed([item for item in pulls if item[1] > 0]),
                    _listed([item for item in pulls if item[1] < 0]),
                ]
            )
        columns = ["Phrase", "Viewpoint", "For", "Against"]
        return Panel(
            kind="table", title="What was matched", data={"columns": columns, "rows": rows}
        )

    def matched(self, judged: Judged, route: int, place: int) -> str:
        """Return the phrases that a route hears at a place, each with what speaks for it most."""
        parts = []
        for number, at in enumerate(self.places(judged, route)):
            if at == place:
                evidence = self.evidence(judged, route, number, at)
                names = [name for name, value in evidence if value > 0][:2]
                part = f'"{self.phrases[number].text}"'
                if names:
                    part += f" ({', '.join(names)})"
                parts.append(part)
        return "; ".join(parts)


def _listed(items: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {value:+.1f}" for name, value in items[:_SHOWN])


def routes_panel(
    graph: Graph, judged: Judged, shares: NDArray[np.float64], order: Sequence[int]
) -> Panel:
    """Return the chosen route and the runners-up by probability."""
    items = []
    for number, k in enumerate(order):
        route = judged.routes[k]
        note = f"{route.length_m:.1f} m, {len(route.nodes) - 1} moves"
        if judged.laid.open[k]:
            note += ", goes on"
        item = {
            "label": graph.ids[route.nodes[-1]],
            "value": round(float(shares[k]), 4),
            "chosen": number == 0,
            "note": note,
        }
        items.append(item)
    return Panel(kind="bars", title="Where it could stop", data={"items": items})


def confidence_panel(
    confidence: float, judged: Judged, phrases: int, *, length_prior: bool, sees: str
) -> Panel:
    """Return the probability within the success radius of the answer; ``data["confidence"]`` is the
    number itself.
    """
    items: list[list[object]] = [
        ["Probability of stopping here (within the success radius)", round(confidence, 3)],
        ["Phrases read", phrases],
        ["Routes compared", len(judged.routes)],
        ["Knows how long the data set's routes are", "yes" if length_prior else "no"],
        ["Sees", sees],
    ]
    return Panel(
        kind="keyvalue",
        title="Confidence",
        data={"items": items, "confidence": round(confidence, 6)},
    )
