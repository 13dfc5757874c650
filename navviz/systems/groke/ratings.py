"""GROKE's ``correctness_hardness.json``: difficulty on three axes and navigability of each
instruction.

``{episode id: {complexity: {cognitive, spatial, execution}, human_annotation: "0" or "1"}}``
"""

from __future__ import annotations

from typing import Any

from navviz.errors import InputError
from navviz.formats.texts import id_text
from navviz.support.guarded import parse_json

ANNOTATOR = "GROKE annotators"
"""The file gives one rating an episode and names nobody."""
_AXES = {"linguistic": "cognitive", "topological": "spatial", "operational": "execution"}


def read_groke_ratings(
    text: str, file: str, _taxonomy: object = None
) -> list[tuple[str, dict[str, Any]]]:
    """Return ratings as ``(where, raw rating)``, a difficulty and a navigability for each episode.

    Raises `InputError` where the file is none of these; values out of range are left for the caller
    to refuse.
    """
    try:
        raw = parse_json(text, file)
    except InputError as error:
        raise InputError(
            error.problem.what, "choose correctness_hardness.json", file=file
        ) from error
    if not isinstance(raw, dict) or not all(isinstance(entry, dict) for entry in raw.values()):
        raise InputError(
            "holds no ratings by episode", "choose correctness_hardness.json", file=file
        )
    rows: list[tuple[str, dict[str, Any]]] = []
    for episode, entry in raw.items():
        rows += [(file, row) for row in _rows(id_text(episode), entry)]
    if not rows:
        raise InputError(
            "holds no ratings by episode", "choose correctness_hardness.json", file=file
        )
    return rows


def _rows(episode: str, entry: dict[str, Any]) -> list[dict[str, Any]]:
    levels = entry.get("complexity")
    rows = []
    if isinstance(levels, dict):
        axes = {axis: levels.get(name) for axis, name in _AXES.items()}
        rows.append({"task": "difficulty", **axes})
    label = entry.get("human_annotation")
    # not by truth: the number 0 is a rating
    if label is not None and label != "":
        # any other value is kept as it is, so that the importer refuses it by name
        navigable = {"1": True, "0": False}.get(id_text(label), label)
        rows.append({"task": "navigability", "navigable": navigable})
    return [{"episode": episode, "annotator": ANNOTATOR, "value": value} for value in rows]
