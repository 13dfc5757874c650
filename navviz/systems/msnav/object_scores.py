"""MSNav's Table 4: the objects that were read from instructions against the true ones."""

from __future__ import annotations

from pathlib import Path

from navviz.errors import InputError
from navviz.records.trace_files import is_trace_name, read_trace
from navviz.support.guarded import is_folder
from navviz.systems.msnav.object_lists import ObjectLists, mean_objects, score_objects
from navviz.systems.msnav.place_map.prompt import reading_of
from navviz.systems.spatial import read_extended


def scored_objects(true: Path, given: Path) -> dict[str, float]:
    """Return F1 of direct and potential objects, and NDCG: means over the instructions of the true
    file; one that was not read scores 0, as in the paper.
    """
    truth, predictions = _lists(true), _lists(given)
    mean = mean_objects(
        [score_objects(predictions.get(text), lists) for text, lists in truth.items()]
    )
    if mean is None:
        raise InputError(
            "holds no objects", "name a file with direct_obj and potential_obj", file=true.name
        )
    return {
        "samples": len(truth),
        "unread": len(truth.keys() - predictions.keys()),
        "F1_DO": mean.f1_direct,
        "F1_IO": mean.f1_potential,
        "F1": mean.f1,
        "NDCG": mean.ndcg,
        "weighted": mean.weighted,
    }


def _lists(path: Path) -> dict[str, ObjectLists]:
    """Objects by instruction, of a file or of a folder of traces."""
    lists = {}
    if not is_folder(path):
        for key, entry in read_extended(path).entries.items():
            if entry.direct or entry.potential:
                lists[key[2]] = ObjectLists(entry.direct, entry.potential)
        return lists
    for place in sorted(place for place in path.iterdir() if is_trace_name(place.name)):
        trace = read_trace(place)
        reading = reading_of(trace)
        if reading is not None:
            text = " ".join(trace.episode.instruction.split())
            lists[text] = ObjectLists(reading.direct, reading.potential)
    return lists
