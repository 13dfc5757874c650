"""``navviz score RUN --objects FILE``: how well the objects of instructions were read (MSNav,
Table 4).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from navviz.cli.output import Form, print_json, print_records
from navviz.errors import InputError
from navviz.support.guarded import is_folder

if TYPE_CHECKING:
    from navviz.systems.msnav.object_lists import ObjectLists


def print_objects(true: Path, predicted: Path, form: Form) -> None:
    """Print F1 of direct and potential objects, and NDCG, as one record.

    Parameters
    ----------
    true
        File with the true lists.
    predicted
        File of the same shape, or a folder of traces.
    form
        How they are printed.
    """
    document = _document(true, predicted)
    lines = []
    for name, value in document.items():
        text = str(value) if isinstance(value, int) else f"{value:.3f}"
        lines.append(f"{name:10} {text}")
    if form is Form.JSON:
        print_json(document)
        return
    print_records(form, tuple(document), [document], lines)


def _document(true: Path, predicted: Path) -> dict[str, float]:
    """Return the means over the instructions of the true file; one that was not read scores 0, as
    in the paper.
    """
    from navviz.systems.msnav.object_lists import mean_objects, score_objects

    truth, predictions = _lists(true), _lists(predicted)
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
    """Objects by instruction."""
    from navviz.systems.msnav.logs.instructions import read_extended
    from navviz.systems.msnav.object_lists import ObjectLists

    if is_folder(path):
        return _of_traces(path)
    lists = {}
    for key, entry in read_extended(path).entries.items():
        if entry.direct or entry.potential:
            lists[key[2]] = ObjectLists(entry.direct, entry.potential)
    return lists


def _of_traces(folder: Path) -> dict[str, ObjectLists]:
    from navviz.records.trace_files import is_trace_name, read_trace
    from navviz.systems.msnav.object_lists import ObjectLists
    from navviz.systems.msnav.place_map.spatial import reading_of

    lists = {}
    for path in sorted(path for path in folder.iterdir() if is_trace_name(path.name)):
        trace = read_trace(path)
        reading = reading_of(trace)
        if reading is not None:
            lists[" ".join(trace.episode.instruction.split())] = ObjectLists(
                reading.direct, reading.potential
            )
    return lists
