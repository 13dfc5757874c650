"""NavGPT's extras (Zhou et al. 2023, section 4.1): an instruction and a map of a walked path.

Both show what the model has understood of a walk: it reads the moves and summaries, never a
coordinate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from navviz.formats.texts import as_list
from navviz.llm.base import Request
from navviz.metrics.text import scores_line
from navviz.observations.panorama import angle_text, summary_of
from navviz.records import Event, Message, Panel, PanelEvent, Trace
from navviz.systems.asking import ask
from navviz.world.geometry import turn_deg
from navviz.world.graph import Graph
from navviz.world.house import HouseObservations

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

_INSTRUCT = (
    "You are given a walk through a house: turns, distances and what each place is. Write the"
    " instruction that would lead a stranger the same way: two to four sentences, with the places"
    " and things one passes and where to stop. No ids, no angles, no numbers of metres."
)

_DRAW = (
    "You are given a walk through a house: turns, distances and what each place is. Draw it seen"
    " from above: give each place a position in metres, the first at x = 0, y = 0, with y pointing"
    " the way one first walks. Turns to the right are clockwise. Compute carefully, and answer in"
    " JSON only."
)

MAP_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "places": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "place": {"type": "integer"},
                    "x": {"type": "number"},
                    "y": {"type": "number"},
                },
                "required": ["place", "x", "y"],
            },
        }
    },
    "required": ["places"],
}
"""JSON Schema of the drawn map: places by their number in the walk, counted from 1."""


WRITTEN = "Instruction for this walk"
"""Title of the panel with the text that the model wrote."""


def written_instruction(trace: Trace) -> str:
    """Return what the model wrote for its walk; empty where it wrote nothing."""
    for step in reversed(trace.steps):
        for panel in step.panels:
            if panel.title == WRITTEN and step.calls and step.calls[-1].error is None:
                return str(panel.data.get("text", ""))
    return ""


def with_reference(trace: Trace, graph: Graph) -> Trace:
    """Put the episode's instruction beside the one that the model wrote for its walk, with scores
    where the walk is the reference path.
    """
    del graph
    written = written_instruction(trace)
    if not written:
        return trace
    of_route = trace.path == trace.episode.reference_path
    scores = "another path than the reference: no reference to score it against"
    if of_route:
        scores = f"{scores_line(written, [trace.episode.instruction])} (one reference)"
    entries = [
        {"label": "Written by the model", "text": written},
        {"label": "Instruction of the episode", "text": trace.episode.instruction},
        {"label": "Likeness", "text": scores},
    ]
    shown = Panel(kind="directions", title=WRITTEN, data={"directions": entries})
    steps = []
    for step in trace.steps:
        panels = tuple(shown if panel.title == WRITTEN else panel for panel in step.panels)
        steps.append(step.model_copy(update={"panels": panels}))
    return trace.model_copy(update={"steps": tuple(steps)})


def extras(
    path: Sequence[str],
    graph: Graph,
    model: LanguageModel,
    seen: HouseObservations,
    *,
    instruction: bool,
    top_down_map: bool,
) -> Iterator[Event]:
    """Ask for the extras that are wanted; nothing for a walk that went nowhere."""
    if len(path) < 2:
        return
    words = path_in_words(path, graph, seen)
    if instruction:
        request = Request(_messages(_INSTRUCT, words), purpose="write-instruction")
        call = yield from ask(model, request)
        text = call.reply or f"The model gave none: {call.error}."
        data = {"text": text.strip()}
        yield PanelEvent(panel=Panel(kind="text", title=WRITTEN, data=data))
    if top_down_map:
        request = Request(_messages(_DRAW, words), purpose="draw-map", schema=MAP_SCHEMA)
        call = yield from ask(model, request)
        for panel in map_panels(path, graph, read_places(call.parsed)):
            yield PanelEvent(panel=panel)


def _messages(task: str, text: str) -> tuple[Message, ...]:
    return Message(role="system", text=task), Message(role="user", text=text)


def path_in_words(path: Sequence[str], graph: Graph, seen: HouseObservations) -> str:
    """Return a path in words: summaries, turns and distances, no coordinates."""
    lines = [f"Place 1: a {summary_of(graph, path[0], seen)}"]
    # no turn before the first link: the text does not say where the agent faced at the start
    heading_deg: float | None = None
    for k, (here, there) in enumerate(pairwise(path), start=2):
        link_deg = graph.heading_deg(here, there)
        move = "Walk"
        if heading_deg is not None:
            move = f"Turn {angle_text(turn_deg(heading_deg, link_deg))} degrees, walk"
        # on the ground, since the climb is said apart
        ground_m = math.dist(graph.position(here)[:2], graph.position(there)[:2])
        lines.append(f"{move} {ground_m:.2f} m{_stairs(graph, here, there)}.")
        lines.append(f"Place {k}: a {summary_of(graph, there, seen)}")
        heading_deg = link_deg
    return "\n".join(lines)


def _stairs(graph: Graph, here: str, there: str) -> str:
    """Return the stairs of a link in words, empty for less than 0.4 m of height."""
    rise_m = graph.position(there)[2] - graph.position(here)[2]
    if abs(rise_m) < 0.4:
        return ""
    return f", {abs(rise_m):.1f} m {'up' if rise_m > 0 else 'down'} the stairs"


def read_places(parsed: Mapping[str, Any] | None) -> dict[int, tuple[float, float]]:
    """Positions of a drawn map by place; what is no position is left out."""
    places = parsed.get("places") if parsed else None
    coordinates: dict[int, tuple[float, float]] = {}
    for item in as_list(places):
        try:
            place, x, y = int(item["place"]), float(item["x"]), float(item["y"])
        # not every model keeps to the schema: an item may be anything
        except (KeyError, TypeError, ValueError):
            continue
        if math.isfinite(x) and math.isfinite(y):
            coordinates[place] = (x, y)
    return coordinates


def align(
    drawn: NDArray[np.float64], true: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Turn and shift a drawn map onto the true one; the scale stays, for the text gives metres."""
    middle, goal = drawn.mean(axis=0), true.mean(axis=0)
    u, _, v = np.linalg.svd((drawn - middle).T @ (true - goal))
    # a map drawn mirrored is wrong: only turns are allowed
    flip = np.diag([1.0, np.sign(np.linalg.det(u @ v)) or 1.0])
    moved = (drawn - middle) @ (u @ flip @ v) + goal
    return moved, _error_m(moved, true)


def _error_m(drawn: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    return float(np.sqrt(((drawn - true) ** 2).sum(axis=1).mean()))


def scaled_error_m(moved: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """Return the error that stays when an aligned map is also made larger or smaller."""
    middle = true.mean(axis=0)
    around, wanted = moved - middle, true - middle
    size = float((around**2).sum())
    scale = float((around * wanted).sum()) / size if size else 1.0
    return _error_m(around * scale + middle, true)


def turned_alike(
    drawn: NDArray[np.float64], true: NDArray[np.float64], least_deg: float = 22.5
) -> tuple[int, int]:
    """Return how many turns of at least `least_deg` a map draws right, and how many there are."""
    turns = [_turns_deg(line) for line in (drawn, true)]
    there = np.abs(turns[1]) >= least_deg
    alike = there & (np.sign(turns[0]) == np.sign(turns[1]))
    return int(alike.sum()), int(there.sum())


def _turns_deg(line: NDArray[np.float64]) -> NDArray[np.float64]:
    headings = np.degrees(np.arctan2(*np.diff(line, axis=0).T))
    return np.asarray((np.diff(headings) + 180.0) % 360.0 - 180.0)


def map_panels(
    path: Sequence[str], graph: Graph, places: Mapping[int, tuple[float, float]]
) -> tuple[Panel, ...]:
    """Return the scores of the drawn map, and the map laid over the true one."""
    # places beyond the walk are inventions of the model
    drawn = {k: places[k] for k in range(1, len(path) + 1) if k in places}
    # a single place can be laid on any other: its error would always be 0
    if len(drawn) < 2:
        text = "The model drew no map that can be read."
        return (Panel(kind="text", title="Map drawn from text", data={"text": text}),)
    true = np.array([graph.position(path[k - 1])[:2] for k in drawn])
    moved, error_m = align(np.array(list(drawn.values())), true)
    nodes = [_place(f"true {k}", p, str(k)) for k, p in zip(drawn, true.tolist(), strict=True)]
    for k, p in zip(drawn, moved.tolist(), strict=True):
        nodes.append(_place(f"drawn {k}", p, f"{k} drawn") | {"chosen": True})
    # a place that is missing is passed over in both maps, so that they have the same links
    links = [[f"true {a}", f"true {b}"] for a, b in pairwise(drawn)]
    links += [[f"drawn {a}", f"drawn {b}"] for a, b in pairwise(drawn)]
    alike, turns = turned_alike(moved, true)
    items = [
        ["Places drawn", f"{len(drawn)} of {len(path)}"],
        ["Error after turning and shifting", f"{error_m:.2f} m"],
        ["Error after scaling, too", f"{scaled_error_m(moved, true):.2f} m"],
        ["Turns to the right side", f"{alike} of {turns}"],
    ]
    title = f"Map drawn from text: {error_m:.2f} m off"
    missing = len(path) - len(drawn)
    if missing:
        title += f", {missing} places missing"
    return (
        Panel(kind="keyvalue", title="Scores of the map", data={"items": items}),
        Panel(
            kind="graph",
            title=title,
            data={"nodes": nodes, "links": links, "error_m": error_m},
        ),
    )


def _place(name: str, at: Sequence[float], label: str) -> dict[str, Any]:
    return {"id": name, "x": round(at[0], 3), "y": round(at[1], 3), "label": label}
