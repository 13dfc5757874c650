"""LangNav's captions and detections: ``SCAN.json``, one house a file (arXiv:2310.07889).

``{viewpoint: {view index: {"global_cap": text, "dense_cap": [{"obj_class", "coordinates": "x1 y1 x2
y2", "confidence": "0.81", "caption"}]}}}`` from https://github.com/pbw-Berwin/LangNav,
``img_features/r2r_blip_DETR_vis2text``: BLIP wrote the captions, Deformable DETR found the objects.
The view index is the simulator's (0 to 35).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.texts import as_mapping, as_number
from navviz.observations.discrete_views import VIEWS
from navviz.observations.view_captions import Detection, ViewCaption, ViewCaptions
from navviz.support.guarded import natural, packed_or_not, read_json

FOLDERS = ("langnav", "r2r_blip_DETR_vis2text", "captions")
"""Names under which the folder of captions is looked for."""


def find_captions(folder: Path, scan: str) -> Path | None:
    """Find the file of a house in `folder`, in one of `FOLDERS` within it, or beside it."""
    for place in (folder, folder.parent):
        for candidate in (place, *(place / name for name in FOLDERS)):
            path = packed_or_not(candidate / f"{scan}.json")
            # NavGPT's lists of objects are called `SCAN.json` as well, so a folder beside needs a
            # name that says what it holds
            if path is not None and (candidate == folder or candidate.name in FOLDERS):
                return path
    return None


def read_captions(folder: Path, scan: str, problems: Problems) -> ViewCaptions:
    """Read the captions of one house; empty (and false) where there is no file of it.

    Viewpoints and views that are none are reported in `problems` and left out.
    """
    path = find_captions(folder, scan)
    if path is None:
        return ViewCaptions(scan)
    try:
        raw = read_json(path, lenient=True)
    except InputError:
        raw = None
    if not isinstance(raw, dict):
        problems.skip(
            Problem("is no JSON object of captions", "the house is read without it", path.name)
        )
        return ViewCaptions(scan)
    views = {node: _views(node, item, path.name, problems) for node, item in raw.items()}
    return ViewCaptions(scan, {node: item for node, item in views.items() if item})


def _views(node: str, raw: Json, file: str, problems: Problems) -> dict[int, ViewCaption]:
    captions = {}
    for key, item in as_mapping(raw).items():
        view = natural(key)
        caption = as_mapping(item).get("global_cap")
        if view is not None and view < VIEWS and isinstance(caption, str):
            captions[view] = ViewCaption(caption.strip(), _detections(item.get("dense_cap")))
    if not captions:
        problems.skip(
            Problem(
                f"viewpoint {node} has no view with a caption", "it is left out", file, field=node
            )
        )
    return captions


def _detections(raw: Json) -> tuple[Detection, ...]:
    items = [item for item in raw if isinstance(item, dict)] if isinstance(raw, list) else []
    detections = [detection for item in items if (detection := _detection(item)) is not None]
    return tuple(sorted(detections, key=lambda detection: -detection.confidence))


def _detection(item: Mapping[str, Json]) -> Detection | None:
    name, confidence = item.get("obj_class"), _number(item.get("confidence"))
    if not isinstance(name, str) or confidence is None:
        return None
    corners = [_number(part) for part in str(item.get("coordinates", "")).split()]
    box_px = [value for value in corners if value is not None]
    box = (box_px[0], box_px[1], box_px[2], box_px[3]) if len(box_px) == len(corners) == 4 else None
    return Detection(name.strip(), confidence, box)


def _number(raw: Json) -> float | None:
    """Return a number, or a text that is one, as LangNav writes them."""
    if isinstance(raw, str):
        try:
            return as_number(float(raw))
        except ValueError:
            return None
    return as_number(raw)
