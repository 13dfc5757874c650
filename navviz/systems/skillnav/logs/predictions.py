"""Predictions of the DUET line with stored stop probabilities: ``[{instr_id, trajectory,
details?}]``.

``trajectory`` is a list of segments (lists of viewpoints, the first of which holds the start) or of
flat ``[viewpoint, heading, elevation]``; ``details = {viewpoint: {stop_prob}}``.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import Problem, Problems
from navviz.formats.files import Json, peek
from navviz.formats.r2r import first_item, iter_items
from navviz.formats.texts import as_list, as_mapping, as_number, id_text, say_unlike
from navviz.formats.trajectories import read_action
from navviz.support.guarded import files_like


@dataclass(frozen=True)
class Prediction:
    """One predicted walk."""

    walk: tuple[str, ...] = ()
    """Viewpoints, repeated neighbours merged."""
    last: tuple[str, ...] = ()
    """The last segment, where the trajectory comes in segments."""
    stop_prob: Mapping[str, float] = field(default_factory=dict)
    back: tuple[str, ...] = ()
    """The way back to the best stop, where a log shows it; else `walked_back` finds it by the
    probabilities.
    """
    lost: int = 0
    """Parts of the trajectory that name no viewpoint: without them the walk would be another."""
    file: str = ""
    """Name of the file that it was read from."""

    @property
    def walked_back(self) -> tuple[str, ...]:
        """The way back to the best stop, if the last segment is one.

        It is where it ends at a viewpoint that was passed before, whose stored stop probability is
        the highest of all and higher than that of the place where it began.
        """
        if self.back:
            return self.back
        if not self.last or len(self.walk) <= len(self.last):
            return ()
        before = self.walk[: len(self.walk) - len(self.last)]
        end, here = self.last[-1], before[-1]
        own, there = self.stop_prob.get(here), self.stop_prob.get(end)
        if end not in before or own is None or there is None or there <= own:
            return ()
        return (here, *self.last) if there >= max(self.stop_prob.values()) else ()


def is_predictions(path: Path) -> bool:
    """Whether a file's first entry is a prediction with details (NavGPT's logs are not)."""
    item = first_item(path)
    details = item.get("details")
    return _is_prediction(item) and isinstance(details, dict)


def _is_prediction(item: Mapping[str, Json]) -> bool:
    # NavGPT's logs have the same fields and thoughts
    return {"instr_id", "trajectory"} <= item.keys() and "llm_thought" not in item


def predictions_beside(
    path: Path, wanted: Container[str], problems: Problems
) -> dict[str, Prediction]:
    """Return the wanted predictions of the JSON files beside a log; stop probabilities win."""
    predictions: dict[str, Prediction] = {}
    for other in files_like(path.parent, "*.json"):
        if not _is_prediction(first_item(other)):
            text = peek(other).text
            if not peek(other).items and text.strip()[1:] not in {"]", "}"}:
                do = "its walks are missing, if it held any; get it again"
                problems.skip(Problem("breaks off within its first entry", do, other.name))
            if '"instr_id"' in text and "llm_thought" not in text and '"instruction' not in text:
                do = "its walks are left out; mend it or get it again"
                problems.skip(Problem("begins with an entry that is no prediction", do, other.name))
            continue
        for name, prediction in read_predictions(other, problems).items():
            if name in wanted and (name not in predictions or prediction.stop_prob):
                predictions[name] = prediction
    return predictions


def read_predictions(path: Path, problems: Problems) -> dict[str, Prediction]:
    """All predictions of a file by instruction id; raises `InputError` where it is no JSON."""
    predictions: dict[str, Prediction] = {}
    for number, item in enumerate(iter_items(path, problems), start=1):
        if item.get("instr_id") is None:
            do, where = "the other predictions are used", f"{path.name}, entry {number}"
            problems.skip(Problem("names no episode", do, where, field="instr_id"))
            continue
        name = id_text(item["instr_id"])
        if name in predictions:
            problems.skip(Problem("is there twice", "the last one is used", path.name, name))
        place = Problem("", "", path.name, name)
        kinds = {"id": "instr_id", "list": "trajectory", "values of object or lists": "details"}
        say_unlike(item, kinds, place, problems)
        for detail in as_mapping(item.get("details")).values():
            say_unlike(as_mapping(detail), {"number": "stop_prob"}, place, problems)
        raw = item.get("trajectory")
        walk: list[str] = []
        last: list[str] = []
        lost = 0
        for part in as_list(raw):
            lost += not _names_places(part)
            nodes, _ = read_action(part)
            segment = part if nodes is None and isinstance(part, list) else nodes or (part,)
            # begun anew with each segment, so that the last one is left
            last = []
            for node in segment:
                # a flat step holds its heading and elevation after the viewpoint
                if isinstance(node, str) and walk[-1:] != [node]:
                    walk.append(node)
                    last.append(node)
        stops = _stops(item.get("details"))
        predictions[name] = Prediction(tuple(walk), tuple(last), stops, lost=lost, file=path.name)
    return predictions


def _names_places(part: Json) -> bool:
    """Tell whether a part of a trajectory is a viewpoint, or a list that begins with one and holds
    nothing else but numbers.
    """
    if not isinstance(part, list):
        return isinstance(part, str)
    nodes, _ = read_action(part)
    return bool(nodes)


def _stops(raw: Json) -> dict[str, float]:
    stops = {}
    for node, detail in as_mapping(raw).items():
        value = as_number(as_mapping(detail).get("stop_prob"))
        if value is not None:
            stops[id_text(node)] = value
    return stops
