"""REVERIE's objects: ``BBox/SCAN_VIEWPOINT.json`` (Qi et al. 2020, arXiv:1904.10151).

One file a viewpoint: ``{viewpoint: {object id: {"name", "visible_pos": [view index], "bbox2d": [[x,
y, w, h]]}}}``, the objects within 3 m; `visible_pos` counts the simulator's 36 views and may be
empty. Names hold ``#`` for a blank. The repository has no licence, so users bring the folder
themselves; it may lie beside the connectivity folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.texts import as_count, as_mapping, as_number
from navviz.observations.discrete_views import VIEWS
from navviz.support.guarded import files_like, is_folder, read_json
from navviz.world.house_objects import Box, HouseObjects, VisibleObject

FOLDER = "BBox"


def find_objects(folder: Path) -> Path | None:
    """Find the folder of object files: `folder`, its parent, or ``reverie`` in one of them."""
    for place in (folder, folder.parent):
        for candidate in (place, place / FOLDER, place / "reverie" / FOLDER):
            if candidate.name == FOLDER and is_folder(candidate):
                return candidate
    return None


def read_objects(folder: Path, scan: str, problems: Problems) -> HouseObjects:
    """Read the objects of one house.

    Parameters
    ----------
    folder
        The ``BBox`` folder, a folder that holds it, or one beside it (see `find_objects`).
    scan
        Name of the house.
    problems
        Takes what could not be read; the rest is returned.

    Returns
    -------
    The objects by viewpoint; empty (and false) where there is no file of this house.
    """
    place = find_objects(folder)
    if place is None:
        return HouseObjects(scan)
    objects: dict[str, tuple[VisibleObject, ...]] = {}
    # sorted, as folders list their files in another order on each machine
    for path in files_like(place, f"{scan}_*.json"):
        viewpoint = path.name.partition(".json")[0].removeprefix(f"{scan}_")
        raw = _viewpoint(path, viewpoint, problems)
        if raw is not None:
            objects[viewpoint] = tuple(_things(raw, path.name, problems))
    return HouseObjects(scan, objects)


def _viewpoint(path: Path, viewpoint: str, problems: Problems) -> Mapping[str, Json] | None:
    try:
        raw = read_json(path, lenient=True)
    except InputError:
        raw = None
    things = as_mapping(raw).get(viewpoint)
    if isinstance(things, dict):
        return things
    what = f"holds no objects of viewpoint {viewpoint}"
    problems.skip(Problem(what, "the viewpoint is shown without objects", f"{FOLDER}/{path.name}"))
    return None


def _things(raw: Mapping[str, Json], file: str, problems: Problems) -> list[VisibleObject]:
    things = []
    for name, entry in raw.items():
        thing = _thing(str(name), entry) if isinstance(entry, dict) else None
        if thing is None:
            what = f"object {name} has no name, views and boxes that fit together"
            problems.skip(Problem(what, "it is left out", f"{FOLDER}/{file}", field=str(name)))
        else:
            things.append(thing)
    return things


def _thing(name: str, entry: Mapping[str, Json]) -> VisibleObject | None:
    views, boxes, called = entry.get("visible_pos"), entry.get("bbox2d"), entry.get("name")
    if not isinstance(views, list) or not isinstance(boxes, list) or not isinstance(called, str):
        return None
    read = [_box(box) for box in boxes]
    seen_in = [view for view in map(as_count, views) if view is not None and 0 <= view < VIEWS]
    if (
        # a box belongs to the view at its place in the list: one that is lost would shift the
        # others
        len(views) != len(read) or None in read or len(seen_in) != len(views)
    ):
        return None
    plain = " ".join(called.replace("#", " ").split())
    return VisibleObject(name, plain, tuple(seen_in), tuple(box for box in read if box is not None))


def _box(raw: Json) -> Box | None:
    numbers = [as_number(value) for value in raw] if isinstance(raw, list) and len(raw) == 4 else []
    if len(numbers) != 4 or any(value is None for value in numbers):
        return None
    x, y, width, height = (float(value or 0.0) for value in numbers)
    return x, y, width, height
