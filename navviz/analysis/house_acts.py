"""The acts that an instruction asks for in a house, and the one that a failed walk did not do.

An act is a verb with all that belongs to it. Its phrases are placed on the reference path by the
lattice of phrases of ``rules-indoors``, in order, with the turns and stairs of the route held
against them. How sure a place is comes from the sum over all alignments: where two acts cannot be
told apart, the sentence names both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from navviz.analysis.told_route import ToldRoute, left_at, lengths_along
from navviz.analysis.turns import Side
from navviz.language.clauses import content_words, read_clauses
from navviz.language.house_told import act_spans, tells_stop, told_climb, told_side
from navviz.metrics.departures import Departure, moves_of
from navviz.metrics.divergence import Divergence
from navviz.metrics.free_walks import free_scores
from navviz.records import Episode, Trace
from navviz.records.act import Act, ActKind, DecisiveAct, How
from navviz.systems.rules.indoors.deciding import ExploredHouse, align, judge, shares, terms_of
from navviz.systems.rules.indoors.texts import Phrase, read_phrases
from navviz.systems.rules.indoors.weights import IndexedRoute, load_weights
from navviz.world.geometry import heading_metric_deg, turn_deg
from navviz.world.graph import Graph

Places = NDArray[np.float64]
"""Probability of each place of the route, one row an act."""

_SURE: Final = 0.7

_FIT: Final = 2.0
"""Logarithm by which a turn or stairs of a phrase are likelier where the route has them."""

_TURN_DEG, _SLIGHT_DEG, _BACK_DEG = 60.0, 25.0, 150.0

_ARM_M: Final = 2.0
"""Viewpoints stand so near each other that one link alone does not tell which way a walk goes."""

_NEAR_M: Final = 3.0
"""Farther before a turn, what comes before it is still to be done."""

_EARLY_M: Final = 8.0
"""A turn so near before a told one to its side is that one, whatever else was still due."""

_BESIDE_M, _PARALLEL_DEG = 1.5, 20.0
"""Viewpoints this near to one of the route, and ways in its direction, look the same."""

_ON_LINE_M: Final = 0.75

_RISE_M: Final = 0.3

_ROOMS: Final = frozenset(
    content_words(
        "bedroom bathroom kitchen hallway hall living room dining office lounge foyer entry"
        " entryway closet laundry garage patio balcony porch deck den library gym corridor lobby"
        " basement attic pantry studio"
    )
)

_DOORS: Final = frozenset(content_words("door doors doorway archway entrance opening gate"))


@dataclass(frozen=True)
class HouseRoute(ToldRoute):
    """A reference path in a house with how sure the places of its acts are."""

    graph: Graph
    start_deg: float | None
    begins: Places
    """Where each act begins."""
    ends: Places
    """Where the last phrase of each act lies."""
    turned: Places
    """Where each act turns; zero for one without a turn."""

    def bounds(self, place: int, *, behind: bool = False) -> tuple[int, int]:
        """Return the last act that was surely done before a place (or at it, where the walk is
        behind it already), -1 for none, and the first one that surely comes later.
        """
        gone = self.ends[:, : place + behind].sum(1) >= _SURE
        ahead = self.begins[:, place + 1 :].sum(1) >= _SURE
        ahead[-1] = True
        first = int(np.flatnonzero(ahead)[0])
        if place == 0 and not behind:
            # nothing was done before the first move
            return -1, 1 if len(self.acts) > 1 else 0
        done = [k for k in np.flatnonzero(gone) if k < first]
        return int(done[-1]) if done else -1, first


def told_house(episode: Episode, graph: Graph) -> HouseRoute:
    """Read the acts of an episode in a house and place them on its reference path."""
    path, start_deg = episode.reference_path, episode.start_heading_deg
    acts = _told(episode.instruction)
    begins, ends, turned = _placed(acts, episode, graph)
    for k, act in enumerate(acts):
        row = turned[k] if turned[k].any() else begins[k]
        acts[k] = act.model_copy(update={"at": int(row.argmax())})
    along_m = lengths_along(path, graph)
    return HouseRoute(path, along_m, (), tuple(acts), {}, graph, start_deg, begins, ends, turned)


def _told(text: str) -> list[Act]:
    """Read the acts of a text; the last one is the stop, with all that says where."""
    acts: list[Act] = []
    for begin, end in act_spans(text[:4000]):
        words = " ".join(text[begin:end].split())
        side = told_side(words)
        # the place that one leaves is not looked for
        named = [word for clause in read_clauses(words) for word in clause.words]
        acts.append(
            Act(
                number=len(acts),
                kind=_kind_of(words, side),
                side=None if side == "around" else side,
                place=" ".join(content_words(words)) or "none",
                text=words,
                span=(begin, end),
                landmarks=tuple(dict.fromkeys(named)),
            )
        )
    stops = [k for k, act in enumerate(acts) if act.kind == "stop"]
    if not stops or stops[-1] < len(acts) - 2:
        return [*acts, Act(number=len(acts), kind="stop", text="stop")]
    last, rest = acts[stops[-1]], acts[stops[-1] :]
    begin, end = (last.span or (0, 0))[0], (rest[-1].span or (0, 0))[1]
    landmarks = tuple(dict.fromkeys(word for act in rest for word in act.landmarks))
    update = {"span": (begin, end), "text": " ".join(text[begin:end].split())}
    return [*acts[: stops[-1]], last.model_copy(update=update | {"landmarks": landmarks})]


def _kind_of(text: str, side: str | None) -> ActKind:
    words = set(content_words(text))
    if tells_stop(text):
        return "stop"
    if side is not None:
        return "turn"
    if told_climb(text):
        return "stairs"
    if words & _ROOMS or re.match(r"(?:leave|exit)\b", text, re.IGNORECASE):
        return "room"
    if words & _DOORS:
        return "door"
    return "landmark" if words else "pass"


def _placed(acts: Sequence[Act], episode: Episode, graph: Graph) -> tuple[Places, Places, Places]:
    """Return the probabilities of where each act begins, ends and turns on the reference path."""
    path, weights = episode.reference_path, load_weights()
    begins, ends, turned = np.zeros((3, len(acts), len(path)))
    begins[-1, -1] = ends[-1, -1] = 1.0
    phrases: list[Phrase] = []
    owners: list[int] = []
    for k, act in enumerate(acts):
        if act.span is not None:
            parts = read_phrases(act.text)
            phrases += parts
            owners += [k] * len(parts)
    rows = weights.feature_rows(phrases)
    learned = [k for k, columns in enumerate(rows) if columns]
    if learned and len(path) > 1:
        nodes = tuple(graph.index[node] for node in path)
        house = ExploredHouse(graph, nodes[0], episode.start_heading_deg or 0.0)
        house.visit(nodes)
        along_m = lengths_along(path, graph)
        terms = terms_of(weights, [rows[k] for k in learned])
        routes = [IndexedRoute(nodes, along_m[-1])]
        lattice = judge(weights, terms, house, routes, length_prior=False).lattice
        speaks = lattice.speaks.copy()
        for row, k in enumerate(learned):
            speaks[row, 0] += _fits(phrases[k].text, path, graph, episode.start_heading_deg)
        lattice = replace(lattice, speaks=speaks)
        share = shares(lattice, align(lattice), np.ones(1, np.float32)).speaks[:, 0]
        for row, k in enumerate(learned):
            owner, place = owners[k], share[row] / max(share[row].sum(), 1e-9)
            if acts[owner].kind == "stop" and owner == len(acts) - 1:
                continue
            ends[owner] = place
            if not begins[owner].any():
                begins[owner] = place
            if told_side(phrases[k].text) is not None and not turned[owner].any():
                turned[owner] = place
    # an act without a known word lies anywhere between its neighbours
    for k in range(len(acts)):
        if not begins[k].any():
            begins[k] = ends[k - 1] if k else np.eye(len(path))[0]
            later = [row for row in begins[k + 1 :] if row.any()]
            ends[k] = later[0]
    return begins, ends, turned


def _fits(
    text: str, route: Sequence[str], graph: Graph, start_deg: float | None
) -> NDArray[np.float32]:
    """Return what each place adds to a phrase's score: whether its turn or stairs are there."""
    side, climb = told_side(text), told_climb(text)
    fits = np.zeros(len(route), np.float32)
    if side is not None:
        fits += [_fit(side, _turns_at(route, k, graph, start_deg)) for k in range(len(route))]
    if climb:
        height_m = climb * graph.metric_positions[[graph.index[node] for node in route], 2]
        fits += np.where(np.diff(height_m, append=height_m[-1:]) > _RISE_M, 1, -1)
    return _FIT * fits


def _fit(side: str, angles: Sequence[float]) -> int:
    """Return 1 where a turn is to the side, 0 where it may be, -1 where it is not."""
    if not angles:
        return -1
    if side == "around":
        most = max(map(abs, angles))
        return 1 if most >= 110.0 else 0 if most >= 75.0 else -1
    most = max(angle if side == "right" else -angle for angle in angles)
    return 1 if most >= 35.0 else 0 if most >= _SLIGHT_DEG else -1


def _turns_at(
    path: Sequence[str], k: int, graph: Graph, start_deg: float | None
) -> tuple[float, ...]:
    """Return the turn at a place in degrees from link to link, and between longer arms."""
    if k + 1 >= len(path) or (k == 0 and start_deg is None):
        return ()
    out_deg, far_out_deg = graph.heading_deg(path[k], path[k + 1]), _arm_deg(path, k, graph, 1)
    in_deg = far_in_deg = start_deg or 0.0
    if k:
        in_deg, far_in_deg = graph.heading_deg(path[k - 1], path[k]), _arm_deg(path, k, graph, -1)
    return turn_deg(in_deg, out_deg), turn_deg(far_in_deg, far_out_deg)


def _arm_deg(path: Sequence[str], k: int, graph: Graph, step: int) -> float:
    """Return the heading between a place and the first one at least 2 m on, or 2 m back."""
    positions, here = graph.metric_positions, graph.index[path[k]]
    far = here
    j = k + step
    while 0 <= j < len(path):
        far = graph.index[path[j]]
        if np.linalg.norm(positions[far][:2] - positions[here][:2]) >= _ARM_M:
            break
        j += step
    ends = (here, far) if step > 0 else (far, here)
    return heading_metric_deg(positions[ends[0]], positions[ends[1]])


def _parting(route: HouseRoute, walk: Sequence[str], at: int, place: int) -> tuple[int, float]:
    """Return where a walk really leaves its route: its index, and the metres along the route.

    Viewpoints beside those of the route, and ways in its direction, look the same; one without a
    link to the rest of the route lies behind a wall.
    """
    graph, along_m = route.graph, np.array(route.along_m)
    line, here_m = _points(route, along_m), along_m[place]
    while at + 1 < len(walk):
        here, there = (graph.metric_positions[graph.index[node]] for node in walk[at : at + 2])
        link_m = float(np.linalg.norm(there - here))
        points_m = np.arange(here_m, min(here_m + link_m + 1.0, along_m[-1]) + 0.05, 0.1)
        off_m = np.linalg.norm(_points(route, points_m) - there, axis=1)
        nearest, aim = int(off_m.argmin()), _points(route, here_m + link_m)
        apart_deg = abs(turn_deg(heading_metric_deg(here, there), heading_metric_deg(here, aim)))
        limit_m = 2 * _BESIDE_M if apart_deg < _PARALLEL_DEG else _ON_LINE_M
        ahead = (along_m > here_m + 0.3) & (along_m < here_m + link_m + _BESIDE_M)
        sees = [node == walk[at + 1] or graph.has_link(walk[at + 1], node) for node in route.path]
        near = ahead & (np.linalg.norm(line - there, axis=1) < _BESIDE_M) & sees
        if near.any():
            here_m = float(along_m[near][-1])
        elif (
            points_m[nearest] > here_m + 0.3
            and off_m[nearest] <= limit_m
            and any(along_m[sees] > here_m + 0.3)
        ):
            here_m = float(points_m[nearest])
        else:
            break
        at += 1
    return at, float(here_m)


def _points(route: HouseRoute, at_m: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points of a route so many metres from its start."""
    line = route.graph.metric_positions[[route.graph.index[node] for node in route.path]]
    return np.stack([np.interp(at_m, route.along_m, line[:, k]) for k in range(3)], axis=-1)


def missed_in_house(departure: Departure, route: HouseRoute, trace: Trace) -> DecisiveAct:
    """Name the act in which a walk left its route."""
    walk, along_m = trace.path, route.along_m
    first, left_place = left_at(departure, walk, route.path)
    at, here_m = _parting(route, walk, first, left_place)
    ended = at + 1 == len(walk)
    if ended and along_m[-1] - here_m < _BESIDE_M:
        at, here_m, ended = first, along_m[left_place], False
    steps = [0]
    for step, node in moves_of(trace):
        if len(steps) < len(walk) and node == walk[len(steps)]:
            steps.append(step.index)
    index = steps[-1] if ended else steps[at + 1]
    left = trace.step_at(index)
    place = max(k for k, m in enumerate(along_m) if m <= here_m + 0.5)
    goes = _turns_at(route.path, place, route.graph, route.start_deg)
    if at != first and at:
        # beside the route, or between two of its places, it leads on from where the walk is
        here = route.graph.metric_positions[route.graph.index[walk[at]]]
        ahead_deg = heading_metric_deg(here, _points(route, here_m + _ARM_M))
        goes = (turn_deg(_arm_deg(walk, at, route.graph, -1), ahead_deg),) * 2
    elif goes and at and place and walk[at - 1] != route.path[place - 1]:
        # who came from elsewhere turns otherwise to go where the route goes
        came_deg = route.graph.heading_deg(walk[at - 1], walk[at])
        far_deg = _arm_deg(walk, at, route.graph, -1), _arm_deg(route.path, place, route.graph, 1)
        near_deg = came_deg, route.graph.heading_deg(*route.path[place : place + 2])
        goes = (turn_deg(*near_deg), turn_deg(*far_deg))
    went = _turns_at(walk, at, route.graph, route.start_deg)
    miss = DecisiveAct(
        act=route.acts[-1],
        how="turned back" if departure.backwards and at == first else "other exit",
        sentence="-",
        node=walk[at],
        step=index,
        sub_goal=None if left is None else left.sub_goal,
        route_place=place,
        walk_place=at,
        route_side=_side(goes),
        walked_side=_side(went),
        acts=route.acts,
        at_m=here_m,
        off_m=along_m[-1] - here_m,
    )
    if ended:
        done = trace.end is not None and trace.end.status == "done"
        how: How = "stopped early" if done else "did not stop"
        return ended_in_house(miss.model_copy(update={"how": how}), route)
    return _left(miss, route, walk, (went, goes), trace.episode.success_radius_m)


def _left(
    miss: DecisiveAct,
    route: HouseRoute,
    walk: Sequence[str],
    turns: tuple[Sequence[float], Sequence[float]],
    radius_m: float,
) -> DecisiveAct:
    """Say in which act a walk left its route, and how."""
    place, at = miss.route_place or 0, miss.walk_place or 0
    here_m, left_m = miss.at_m or 0.0, miss.off_m or 0.0
    done, ahead = route.bounds(place, behind=here_m > route.along_m[place] + 1.0)
    due = route.acts[done + 1 : ahead + 1]
    where = "at the start" if here_m == 0 else f"{here_m:.1f} m into the route"
    how, act = miss.how, due[0]
    did = "turned back" if how == "turned back" else _did(*turns)
    left = did if how == "turned back" else f"left the route: it {did},"
    sentence = f"{_during(route, done, ahead)} it {left} {where}."
    for turn in due if place else due[:1]:
        turn_m = _turn_m(route, turn, here_m)
        if how != "other exit" or turn_m is None:
            continue
        first = turn is due[0] or (turn_m <= _NEAR_M and turn in due[:2])
        words, fit = quoted(turn, upper=True), _fit(turn.side or "around", turns[0])
        if turn.side and turns[0] and _way(turns[0][0]) == "back" != _way(turns[1][0]):
            fit = -1
        # who came from elsewhere may have made it on the way
        due_fit = 0 if not turns[1] else _fit(turn.side or "around", turns[1])
        soon = _soon(walk, at, turn, route.graph)
        if turn_m < _ARM_M and fit < 0 <= due_fit and not soon:
            how, act = "skipped" if miss.walked_side is None else "wrong side", turn
            sentence = f"{not_done(turn)}; it {did}, {where}."
        elif turn_m < _ARM_M and fit > 0 and first:
            act, sentence = turn, f"At {quoted(turn)} it left the route: it {did}, {where}."
            if turn_m < 0.5:
                sentence = f"{words} was done by another exit: it {did}, {where}."
        elif (
            (_ARM_M <= turn_m <= _EARLY_M or (first and turn_m >= _ARM_M))
            and all(each.kind != "turn" for each in due[: due.index(turn)])
            and miss.walked_side == turn.side != miss.route_side
        ):
            how, act = "too early", turn
            early = f"it turned {turn.side} {turn_m:.1f} m before the route does"
            sentence = f"{words} was done too early: {early}, {where}."
        break
    on = left_m < 1.0 or done == len(route.acts) - 2 or abs(_apart_deg(*turns)) < 30.0
    on = left_m <= radius_m and (how == "turned back" or (how == "other exit" and on))
    # who looks around may have been at the end before
    begin = walk.index(route.path[-1]) if route.path[-1] in walk[: at + 1] else at
    if on or begin < at:
        how, act = "went on", route.acts[-1]
        line = route.graph.metric_positions[[route.graph.index[node] for node in walk[begin:]]]
        goal = route.graph.metric_positions[route.graph.index[route.path[-1]]]
        off_m = np.linalg.norm(line - goal, axis=1)
        # beside its route it may have come nearer still
        nearest = int(off_m.argmin())
        near_m, beyond_m = off_m[nearest], lengths_along(walk[begin + nearest :], route.graph)[-1]
        end = f"within {near_m:.1f} m of the goal" if near_m >= 0.05 else "the end of the route"
        sentence = f"{not_done(act)}; it came to {end} and went {beyond_m:.1f} m on."
    elif place == 0 and how != "turned back":
        how = "set out wrong"
    update = {"how": how, "act": act, "due": due, "sentence": sentence}
    return miss.model_copy(update=update)


def _turn_m(route: HouseRoute, act: Act, here_m: float) -> float | None:
    """Return how many metres on the route makes a told turn; ``None`` if that is not sure."""
    if act.kind != "turn":
        return None
    at, along_m = act.at or 0, np.array(route.along_m)
    near = np.abs(along_m - along_m[at]) <= _ARM_M
    angles = _turns_at(route.path, at, route.graph, route.start_deg)
    sure = route.turned[act.number, near].sum() >= _SURE and along_m[at] > here_m - 0.5
    return along_m[at] - here_m if sure and _fit(act.side or "around", angles) >= 0 else None


def _soon(walk: Sequence[str], at: int, turn: Act, graph: Graph) -> bool:
    """Tell whether a walk makes a turn at its next viewpoint, or within 2 m."""
    along_m = lengths_along(walk[at:], graph)
    near = [k for k, m in enumerate(along_m) if k == 1 or 0 < m <= _ARM_M]
    return any(_fit(turn.side or "around", _turns_at(walk, at + k, graph, None)) == 1 for k in near)


def _side(angles: Sequence[float]) -> Side | None:
    """Return the side of a turn of 60 to 150 degrees that links and arms agree on."""
    ways = {_way(angle) for angle in angles}
    return "left" if ways == {"left"} else "right" if ways == {"right"} else None


def _apart_deg(walked: Sequence[float], due: Sequence[float]) -> float:
    """Return how far to the right of its route a walk went; 0 where links and arms disagree."""
    apart = [turn_deg(b, a) for a, b in zip(walked, due, strict=False)] or [0.0]
    least_deg = min(apart, key=abs)
    return 0.0 if apart[0] * apart[-1] < 0 and abs(least_deg) < _BACK_DEG else least_deg


def _did(walked: Sequence[float], due: Sequence[float]) -> str:
    """Say which way a walk went, and which way the route goes there."""
    if not walked or not due:
        return "went to another viewpoint than the route"
    went, goes = _way(walked[0]), _way(due[0])
    if went != goes and abs(_apart_deg(walked, due)) >= 30.0:
        past = "turned" if went in {"left", "right"} else "went"
        does = "turns" if goes in {"left", "right"} else "goes"
        return f"{past} {went} where the route {does} {goes}"
    apart_deg = turn_deg(due[0], walked[0])
    if abs(apart_deg) < _PARALLEL_DEG:
        return "went to another viewpoint than the route"
    return (
        f"went further {'left' if apart_deg < 0 else 'right'} than the next viewpoint of the route"
    )


def _way(angle_deg: float) -> str:
    """Return in words which way a turn leads."""
    side = "left" if angle_deg < 0 else "right"
    ways = ((30.0, "straight on"), (_TURN_DEG, f"slightly {side}"), (_BACK_DEG, side))
    return next((way for below_deg, way in ways if abs(angle_deg) < below_deg), "back")


def _during(route: HouseRoute, done: int, ahead: int) -> str:
    """Begin a sentence with the acts that may have been under way: of three or more with those that
    were surely done and surely not.
    """
    acts = route.acts
    # before the first act nothing else can be under way
    under_way = acts[done + 1 : max(ahead, 1)]
    if 1 <= len(under_way) <= 2:
        return f"At {' or '.join(quoted(act) for act in under_way)}"
    if done < 0:
        return f"Before {quoted(acts[ahead])}"
    return f"Between {quoted(acts[done])} and {quoted(acts[ahead])}"


def ended_in_house(miss: DecisiveAct, route: HouseRoute) -> DecisiveAct:
    """Name the act before which a walk on its route ended."""
    ends: dict[str, str] = {"stopped early": "it stopped", "broke off": "the run broke off"}
    did = ends.get(miss.how, "the run ended without a stop")
    left = f"{did} {miss.off_m or 0.0:.1f} m before the end of the route."
    done, ahead = route.bounds(miss.route_place or 0)
    turned = route.turned[done + 1, : miss.route_place or 0].sum()
    if turned >= _SURE and done + 2 <= ahead:
        # its turn was made, which is what it says
        done += 1
    act = route.acts[done + 1]
    sentence = f"{_during(route, done, ahead)} {left}"
    due_turn = _turn_m(route, act, miss.at_m or 0.0) is not None
    if (ahead == done + 1 or due_turn) and act.span is not None:
        sentence = f"{not_done(act)}; {left}"
    due = route.acts[done + 1 : ahead + 1]
    update = {"act": act, "due": due, "sentence": sentence}
    return miss.model_copy(update=update)


def quoted(act: Act, *, upper: bool = False) -> str:
    """Return the words of an act in quotes."""
    if act.span is None:
        return "the end of the instruction"
    head = act.text[:1].upper() if upper or act.text[:2].isupper() else act.text[:1].lower()
    return f"“{head}{act.text[1:]}”"


def not_done(act: Act) -> str:
    """Begin a sentence with the act that was not done."""
    return "It did not stop" if act.span is None else f"{quoted(act, upper=True)} was not done"


def missed_free(trace: Trace, divergence: Divergence) -> DecisiveAct | None:
    """Name the stop that a free walk missed: it came to the goal and went on, or stopped early on
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
    act = _told(trace.episode.instruction)[-1].model_copy(update={"number": 0})
    how: How = "went on" if came >= 0.5 else "stopped early"
    did = "came to the goal and went on" if came >= 0.5 else "stayed on the route and stopped early"
    last = trace.steps[-1]
    return DecisiveAct(
        act=act,
        how=how,
        sentence=f"{not_done(act)}; it {did}.",
        node=last.path[-1] if last.path else last.node,
        step=last.index,
        sub_goal=last.sub_goal,
        acts=(act,),
    )
