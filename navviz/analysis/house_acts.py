"""The acts that an instruction asks for in a house, and the one that a failed walk did not do.

Clauses are read by `navviz.language.clauses` and placed on the reference path by the lattice of
phrases of ``rules-indoors``, which is forced along it. A clause is done when its viewpoint was
entered, or one off the route that has its things within 3 m.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from navviz.analysis.told_route import ToldRoute, lengths_along
from navviz.analysis.turns import Side
from navviz.language.clauses import Clause, content_words, read_clauses
from navviz.metrics.departures import Departure
from navviz.metrics.divergence import Divergence
from navviz.metrics.free_walks import free_scores
from navviz.records import Episode, Trace
from navviz.records.act import Act, ActKind, DecisiveAct, How
from navviz.systems.rules.indoors.deciding import ExploredHouse, best, judge, terms_of
from navviz.systems.rules.indoors.texts import Phrase, stems
from navviz.systems.rules.indoors.weights import IndexedRoute, load_weights
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph

_TURN_DEG: Final = 60.0

_STOP_CLAUSES: Final = 3

"""Clauses at the end of a text that may say where to stop; a stop before them is one on the way."""

_STOPPING: Final = re.compile(r"\bstopping\b", re.IGNORECASE)

_NAMED: Final = re.compile(r"(?:the|an?|some|this|that)\b", re.IGNORECASE)

_ROOMS: Final = frozenset(
    content_words(
        "bedroom bathroom kitchen hallway hall living room dining office lounge foyer entry"
        " entryway closet laundry garage patio balcony porch deck den library gym corridor lobby"
        " basement attic pantry studio"
    )
)

_DOORS: Final = frozenset(content_words("door doors doorway archway entrance opening gate"))


def told_house(episode: Episode, graph: Graph) -> ToldRoute:
    """Read the acts of an episode in a house and place them on its reference path."""
    text, path = episode.instruction, episode.reference_path
    clauses = read_clauses(text)
    places = _placed(clauses, episode, graph)
    acts: list[Act] = []
    begin = 0
    for clause, at in zip(clauses, places, strict=True):
        start = text.find(clause.text, begin)
        span = (start, start + len(clause.text)) if start >= 0 and clause.text else None
        begin = begin if span is None else span[1]
        acts.append(
            Act(
                number=len(acts),
                kind=_kind_of(clause),
                side=clause.turn if clause.turn in {"left", "right"} else None,
                place=" ".join(clause.words) or "none",
                text=" ".join(clause.text.split()),
                span=span,
                at=at,
                landmarks=clause.words,
            )
        )
    stops = [k for k, act in enumerate(acts) if act.kind == "stop"]
    end: dict[str, object] = {"kind": "stop", "side": None, "at": len(path) - 1}
    if stops and stops[-1] >= len(acts) - _STOP_CLAUSES:
        # what follows says where to stop
        last, rest = acts[stops[-1]], acts[stops[-1] + 1 :]
        spans = [act.span for act in (last, *rest) if act.span is not None]
        if rest and last.span is not None:
            end |= {"span": (last.span[0], spans[-1][1])}
            end |= {"text": " ".join(text[last.span[0] : spans[-1][1]].split())}
        words = [word for act in (last, *rest) for word in act.landmarks]
        end |= {"landmarks": tuple(dict.fromkeys(words))}
        acts[stops[-1] :] = [last.model_copy(update=end)]
    else:
        acts.append(Act(number=len(acts), kind="stop", text="stop", at=len(path) - 1))
    return ToldRoute(path, lengths_along(path, graph), (), tuple(acts), {})


def _kind_of(clause: Clause) -> ActKind:
    words = set(clause.words)
    if clause.stop or _STOPPING.search(clause.text):
        return "stop"
    if clause.stairs:
        return "stairs"
    if clause.turn in {"left", "right", "around"}:
        return "turn"
    if words & _ROOMS or clause.leave:
        return "room"
    if words & _DOORS:
        return "door"
    return "landmark" if words else "pass"


def _placed(clauses: Sequence[Clause], episode: Episode, graph: Graph) -> list[int | None]:
    """Return where on the reference path each clause is meant; ``None`` for one without a word that
    was learned.
    """
    weights = load_weights()
    phrases = [Phrase(clause.text, tuple(stems(clause.text))) for clause in clauses]
    learned = [k for k, rows in enumerate(weights.feature_rows(phrases)) if rows]
    places: list[int | None] = [None] * len(clauses)
    if not learned or len(episode.reference_path) < 2:
        return places
    nodes = tuple(graph.index[node] for node in episode.reference_path)
    house = ExploredHouse(graph, nodes[0], episode.start_heading_deg or 0.0)
    house.visit(nodes)
    terms = terms_of(weights, weights.feature_rows([phrases[k] for k in learned]))
    length_m = lengths_along(episode.reference_path, graph)[-1]
    route = [IndexedRoute(nodes, length_m)]
    judged = judge(weights, terms, house, route, length_prior=False)
    for k, place in zip(learned, best(judged.lattice, 0)[0], strict=False):
        places[k] = place
    return places


def missed_in_house(
    departure: Departure, route: ToldRoute, trace: Trace, graph: Graph
) -> DecisiveAct:
    """Name the first clause that a walk off its route did not do."""
    walk, place = trace.path, departure.place
    at = len(departure.before) - 1
    along_m, stop = route.along_m, route.acts[-1]
    due = _due(route, place)
    undone = _undone(due, walk[at + 1 :], graph)
    came_deg = trace.episode.start_heading_deg
    if at:
        came_deg = graph.heading_deg(walk[at - 1], walk[at])
    route_side = _side(graph, route.path[place : place + 2], came_deg)
    walked_side = _side(graph, walk[at : at + 2], came_deg)
    how: How = "other exit"
    if departure.backwards:
        how = "turned back"
    elif departure.kind == "overshoot":
        how, undone = "went on", [stop]
    elif place == 0:
        how = "set out wrong"
    elif len(undone) < len(due) and undone[0].number < max(
        act.number for act in due if act not in undone
    ):
        how = "skipped"
    left_m = along_m[-1] - along_m[place]
    where = "at the start" if place == 0 else f"{along_m[place]:.1f} m into the route"
    goes = _way(graph, route.path[place : place + 2], came_deg)
    went = _way(graph, walk[at : at + 2], came_deg)
    turned = "took another exit than the route"
    if went == goes and walked_side is not None:
        turned = f"took another exit to the {walked_side} than the route"
    if went != goes and goes and went:
        turned = f"went {went} where the route goes {goes}"
        if walked_side is not None:
            turned = f"turned {went} where the route goes {goes}"
        if route_side is not None:
            turned = turned.replace("route goes", "route turns")
    # a turn made at its place is done, though by another exit: the next act is the one missed
    if undone[0].kind == "turn" and undone[0].at == place and undone[0].side == walked_side:
        undone = undone[1:] if walked_side and len(undone) > 1 else undone
    act = undone[0]
    if act.kind == "turn" and act.side == walked_side != route_side and (act.at or 0) > place:
        early_m = along_m[act.at or 0] - along_m[place]
        turned = f"turned {walked_side} {early_m:.1f} m too early"
    end = f"within {left_m:.1f} m of the goal" if left_m >= 0.05 else "the end of the route"
    beyond_m = lengths_along(walk[at:], graph)[-1]
    did = {
        "turned back": f"turned back {where}",
        "went on": f"came to {end} and went {beyond_m:.1f} m on",
        "skipped": f"{turned}, {where}, and did what comes later",
    }.get(how, f"{turned}, {where}")
    step = next((step for step in trace.steps if step.index == departure.step), None)
    return DecisiveAct(
        act=undone[0],
        how=how,
        sentence=f"{not_done(undone[0])}; it {did}.",
        grade="hint",
        node=departure.node,
        step=departure.step,
        sub_goal=None if step is None else step.sub_goal,
        route_place=place,
        walk_place=at,
        route_side=route_side,
        walked_side=walked_side,
        due=tuple(due),
        acts=route.acts,
        at_m=along_m[place],
        off_m=left_m,
    )


def end_in_house(miss: DecisiveAct) -> str:
    """Return the sentence of a walk in a house that ended on its route."""
    ends: dict[str, str] = {"stopped early": "it stopped", "broke off": "the run broke off"}
    did = ends.get(miss.how, "the run ended without a stop")
    words = "" if miss.act is None else not_done(miss.act)
    return f"{words}; {did} {miss.off_m or 0.0:.1f} m before the end of the route."


def not_done(act: Act) -> str:
    """Begin a sentence with the words of an act."""
    verb = "reached" if _NAMED.match(act.text) else "done"
    return f"“{act.text[:1].upper()}{act.text[1:]}” was not {verb}"


def _due(route: ToldRoute, place: int) -> list[Act]:
    """Return what was still to be done at a place of the route: a turn is made in leaving it."""
    due = []
    for act in route.acts:
        if act.at is not None and (act.at > place or (act.at == place and act.kind == "turn")):
            due.append(act)
    return due or [route.acts[-1]]


def _undone(due: Sequence[Act], walked: Sequence[str], graph: Graph) -> list[Act]:
    """Return what of the due acts a walk off the route did not do elsewhere, in order.

    A turn cannot be done elsewhere; what names things is, at a viewpoint that has all of them near.
    """
    undone, at = [], 0
    for act in due:
        words = set(act.landmarks)
        places = [k for k in range(at, len(walked)) if words <= _near(graph, walked[k])]
        if act.kind in {"turn", "stop"} or not words or not places:
            undone.append(act)
        else:
            at = places[0] + 1
    return undone or [due[-1]]


def _near(graph: Graph, node: str) -> set[str]:
    """Return the words for the things within 3 m of a viewpoint: what is described there may be
    seen from afar.
    """
    seen = graph.info.observations
    if seen is None:
        return set()
    things = [near.name for sector in seen.objects.get(node, ()) for near in sector]
    return set(content_words(" ".join(things)))


def _side(graph: Graph, link: Sequence[str], came_deg: float | None) -> Side | None:
    """Return the side to which a link turns off the way that one came, from 60 degrees on."""
    if len(link) < 2 or came_deg is None:
        return None
    angle = turn_deg(came_deg, graph.heading_deg(*link))
    if not _TURN_DEG <= abs(angle) < 150.0:
        return None
    return "left" if angle < 0 else "right"


def _way(graph: Graph, link: Sequence[str], came_deg: float | None) -> str | None:
    """Return in words which way a link leads off the way that one came."""
    if len(link) < 2 or came_deg is None:
        return None
    angle = turn_deg(came_deg, graph.heading_deg(*link))
    side = "left" if angle < 0 else "right"
    ways = ((30.0, "straight on"), (_TURN_DEG, f"slightly {side}"), (150.0, side))
    return next((way for below_deg, way in ways if abs(angle) < below_deg), "back")


def missed_free(trace: Trace, divergence: Divergence) -> DecisiveAct | None:
    """Name the stop that a free walk miss: it came to the goal and went on, or stopped early on
    its way. ``None`` for any other walk: poses do not tell which clause was done.
    """
    scores = free_scores(trace)
    success, came = scores.get("SR_rec"), scores.get("OSR_rec")
    success = scores.get("SR_est") if success is None else success
    came = scores.get("OSR_est") if came is None else came
    if success is None or success >= 0.5 or came is None or trace.episode.tasks:
        return None
    if came < 0.5 and divergence.kind != "none":
        return None
    clauses = [clause for clause in read_clauses(trace.episode.instruction) if clause.stop]
    text = " ".join(clauses[-1].text.split()) if clauses else "stop"
    act = Act(number=0, kind="stop", text=text, span=None)
    how: How = "went on" if came >= 0.5 else "stopped early"
    did = "came to the goal and went on" if came >= 0.5 else "stayed on the route and stopped early"
    last = trace.steps[-1]
    return DecisiveAct(
        act=act,
        how=how,
        sentence=f"{not_done(act)}; it {did}.",
        grade="hint",
        node=last.path[-1] if last.path else last.node,
        step=last.index,
        sub_goal=last.sub_goal,
        acts=(act,),
    )
