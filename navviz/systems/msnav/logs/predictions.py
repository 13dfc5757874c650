"""Predictions of MapGPT and MSNav: ``case_*.json`` for each case, ``submit_*.json`` for all.

``{"instr_id", "trajectory": [[viewpoint], ...], "a_t": {step: option index}, "scan", "gt_traj",
"evaluation"}``; the option index is 0 for stopping and k for the k-th candidate. A list holds the
first three fields of each case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.export.predictions import check_on_graph
from navviz.formats.files import Json, peek
from navviz.formats.r2r import first_item, iter_items
from navviz.formats.texts import (
    as_count,
    as_flag,
    as_list,
    as_mapping,
    as_number,
    id_text,
    say_unlike,
)
from navviz.observations.discrete_views import candidate_views
from navviz.records import EndStatus, Trace
from navviz.support.guarded import json_text, natural, read_json


@dataclass(frozen=True, slots=True)
class CasePrediction:
    """What one case ended with."""

    instr_id: str
    nodes: tuple[str, ...]
    """The place of each step, the start first."""
    choices: Mapping[int, int]
    """Option index by step, from 0."""
    scan: str | None = None
    evaluation: Mapping[str, float] | None = None
    """The figures that the log itself gives, by its own names."""


def is_prediction(path: Path) -> bool:
    """Whether a file holds predictions with their option indices."""
    if not path.name.endswith((".json", ".json.gz")):
        return False
    seen = peek(path)
    if seen.opener == "{":
        # a file of one case may have it on one line or on several
        keys = {key for key, _ in seen.items} | set(
            seen.first_line if isinstance(seen.first_line, dict) else ()
        )
        return {"a_t", "instr_id"} <= keys
    return {"instr_id", "trajectory", "a_t"} <= first_item(path).keys()


_KINDS = {"id": "instr_id", "values of number": "a_t", "text": "scan", "object": "evaluation"}

_FIGURES = {
    "figure or figures": "nav_error, oracle_error, action_steps, steps, trajectory_steps,"
    " trajectory_lengths, success, oracle_success, spl, nDTW, SDTW, CLS"
}


def read_predictions(path: Path, problems: Problems) -> Iterator[CasePrediction]:
    """Yield the cases of a file; what is none is reported."""
    for item in _items(path, problems):
        where = Problem("", "", path.name, str(item.get("instr_id", "")))
        say_unlike(item, _KINDS, where, problems)
        say_unlike(as_mapping(item.get("evaluation")), _FIGURES, where, problems)
        prediction = _prediction(item)
        if prediction is None:
            what = "is no case with an instr_id and a trajectory of viewpoint ids"
            problems.skip(
                Problem(what, "the other cases are shown", path.name, str(item.get("instr_id", "")))
            )
        else:
            yield prediction


def predictions_text(traces: Iterable[Trace]) -> Iterator[str]:
    """Yield the text of a ``submit_*.json``: a list with a case for each trace.

    Raises `InputError` for a walk that has no viewpoints, or several stops.
    """
    # piece by piece, so that a large run is never one text in memory
    yield "["
    separator = "\n"
    for trace in traces:
        check_on_graph(trace, "viewpoints")
        case = {
            "instr_id": trace.episode.id,
            "trajectory": [[node] for node in trace.path],
            "a_t": dict(_option_indices(trace)),
        }
        yield separator + json_text(case)
        separator = ",\n"
    yield "\n]\n"


def _option_indices(trace: Trace) -> Iterator[tuple[str, int]]:
    """Yield step and option index: 0 for stopping, k for the k-th way there, else nothing."""
    # a step of MapGPT is a place of the trajectory, and its options are the ways there in the order
    # of the views; other navigators walk several places a step, and list what they see in an order
    # of their own
    graph = None if trace.graphs is None else trace.graphs(trace.episode.world)
    path = trace.path
    for number, (here, following) in enumerate(pairwise(path)):
        if graph is not None and here in graph:
            ways = [way.node for way in candidate_views(graph, here)]
            if following in ways:
                yield str(number), ways.index(following) + 1
    if trace.end is not None and trace.end.status == EndStatus.DONE:
        yield str(len(path) - 1), 0


def _items(path: Path, problems: Problems) -> Iterator[dict[str, Json]]:
    # a list may be large and is read item by item; a single case is read whole
    if peek(path).opener != "{":
        yield from iter_items(path, problems)
        return
    try:
        item = read_json(path, lenient=True)
    except InputError:
        item = None
    if isinstance(item, dict):
        yield item
    else:
        problems.skip(
            Problem("is no whole JSON", "the other cases are shown; get the file again", path.name)
        )


def _prediction(item: Mapping[str, Json]) -> CasePrediction | None:
    actions = as_list(item.get("trajectory"))
    nodes = tuple(_nodes(actions))
    # an action without a place is a place that was lost, and the walk would be another
    if item.get("instr_id") is None or not nodes or not all(map(_names_places, actions)):
        return None
    raw = item.get("a_t")
    choices: dict[int, int] = {}
    for step, index in as_mapping(raw).items():
        # JSON has the step numbers as texts
        number, chosen = natural(str(step)), as_count(index)
        if number is not None and chosen is not None:
            choices[number] = chosen
    scan = item.get("scan")
    if not isinstance(scan, str):
        scan = None
    figures = _figures(item.get("evaluation"))
    return CasePrediction(id_text(item["instr_id"]), nodes, choices, scan, figures)


def _nodes(raw: Json) -> Iterator[str]:
    for action in as_list(raw):
        if isinstance(action, str):
            yield action
        elif isinstance(action, list):
            yield from (node for node in action if isinstance(node, str))


def _names_places(action: Json) -> bool:
    """Tell whether an action is a viewpoint, or a list of some."""
    if isinstance(action, list):
        return bool(action) and isinstance(action[0], str)
    return isinstance(action, str)


def _figures(raw: Json) -> dict[str, float] | None:
    """Return the evaluation, which wraps each figure into a list of one."""
    figures = {}
    for name, value in as_mapping(raw).items():
        figure = value[0] if isinstance(value, list) and len(value) == 1 else value
        number = as_number(figure)
        flag = as_flag(figure) if number is None else None
        if number is not None or flag is not None:
            figures[str(name)] = float(flag or 0) if number is None else number
    return figures or None
