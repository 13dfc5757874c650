"""Floor pictures beside a graph or a run: ``SCAN_floorK.png`` with its place in a JSON beside it.

The JSON holds ``metres_per_pixel``, ``origin`` (``[x, y]`` of the top left corner in the frame of
the graph), ``z`` (``[low, high]``, the heights that it shows), ``north_up`` and, where a program
made it, ``source``: ``habitat`` (the recorder) or ``mesh`` (``navviz data floor``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from navviz.errors import InputError, Problems
from navviz.formats.mapping.model import WalkFields
from navviz.support.guarded import is_folder, is_regular, read_json, read_picture
from navviz.world.floor_pictures import FloorPicture, FloorSource

FOLDER = "floors"
"""Beside or in the folder of graphs; `navviz data floor` writes there."""
_SUFFIXES = (".png", ".webp", ".jpg", ".jpeg")
_DO = "give metres_per_pixel, origin [x, y], z [low, high] and north_up: true"
_MOST = 200
"""Pictures of one house that are looked at."""

_Metres = Annotated[float, Field(ge=-1e5, le=1e5, allow_inf_nan=False)]


class _FloorPlace(BaseModel):
    model_config = ConfigDict(extra="ignore")

    metres_per_pixel: Annotated[float, Field(gt=1e-4, le=10, allow_inf_nan=False)]
    origin: tuple[_Metres, _Metres]
    z: tuple[_Metres, _Metres]
    north_up: Literal[True]
    source: FloorSource = "picture"


def find_floor_pictures(
    folders: Iterable[Path], scan: str, problems: Problems
) -> tuple[FloorPicture, ...]:
    """Find the floor pictures of a house.

    Parameters
    ----------
    folders
        Where to look: in each, and in its folder ``floors``.
    scan
        Name of the house, as its files begin.
    problems
        Pictures without a place, or whose file is none, are reported here and left out.
    """
    pictures = []
    for path in _files(folders, scan):
        try:
            pictures.append(_read(path))
        except InputError as error:
            problems.skip(error.problem)
        if len(pictures) >= _MOST:
            break
    return tuple(pictures)


def picture_of_pixels(walk: WalkFields, folder: Path, world: str) -> FloorPicture | None:
    """Return the picture whose pixels a mapped log names; ``None`` where its mapping names none.

    Raises `InputError` where it cannot be read. The world's name may be of a stranger, too: what it
    leads to has to lie in the folder.
    """
    scale_m = walk.metres_per_pixel
    if not walk.picture or scale_m is None:
        return None
    picture = folder / walk.picture.replace("{world}", world)
    _, head = read_picture(picture, [folder])
    # pixels are counted from the top left corner, and have no height
    return FloorPicture(picture, scale_m, (0.0, 0.0), (-1.0, 1.0), (head.width, head.height))


def _files(folders: Iterable[Path], scan: str) -> Iterator[Path]:
    name = re.compile(re.escape(scan) + r"_floor\d{1,3}\.json")
    seen = set[Path]()
    for folder in folders:
        for place in (folder, folder / FOLDER):
            if place in seen or not is_folder(place):
                continue
            seen.add(place)
            for path in sorted(place.glob("*_floor*.json")):
                if name.fullmatch(path.name):
                    yield path


def _read(path: Path) -> FloorPicture:
    raw = read_json(path)
    try:
        place = _FloorPlace.model_validate(raw)
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(part) for part in fault["loc"])
        what = f"does not say where its floor picture lies ({fault['msg'].lower()})"
        raise InputError(what, _DO, file=path.name, field=field) from error
    pictures = [path.with_suffix(suffix) for suffix in _SUFFIXES]
    picture = next((each for each in pictures if is_regular(each)), None)
    if picture is None:
        do = f"put {pictures[0].name} beside it"
        raise InputError("has no picture beside it", do, file=path.name)
    _, head = read_picture(picture, [path.parent])
    return FloorPicture(
        picture,
        place.metres_per_pixel,
        place.origin,
        (min(place.z), max(place.z)),
        (head.width, head.height),
        place.source,
    )
