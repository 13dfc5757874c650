"""Floor pictures as a page holds them: small WebP pictures in data addresses."""

from __future__ import annotations

import base64
import io
import logging
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navviz.errors import InputError
from navviz.support.guarded import decoded_picture, read_picture
from navviz.views.player.schema_world import FloorImage
from navviz.world.floor_pictures import FloorPicture, pictures_by_floor
from navviz.world.floors import Floors
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE_PX = 1600
"""Longer side at first: a floor of 30 m then has 2 cm a pixel, which no screen shows finer."""
MAX_BYTES = 260_000
"""Of one floor's picture; a document of five floors stays under 2 MB."""
_QUALITY = 78
_LOG = logging.getLogger(__name__)


def floor_images(graph: Graph, floors: Floors) -> list[FloorImage]:
    """Return the pictures of a house's floors, the best of each; broken ones are left out."""
    images = []
    for floor, picture in chosen_pictures(graph, floors).items():
        url = _address(picture.file)
        if url is not None:
            box_m, source = picture.box_m, picture.source
            images.append(FloorImage(floor=floor, box_m=box_m, url=url, source=source))
    return images


def ground_of(graph: Graph, floors: Floors, floor: int) -> dict[str, Any] | None:
    """Return the picture of one floor as Leaflet draws it; ``None`` where there is none."""
    for picture in floor_images(graph, floors):
        if picture.floor == floor:
            west, south, east, north = picture.box_m
            return {"url": picture.url, "corners": [[south, west], [north, east]]}
    return None


def chosen_pictures(graph: Graph, floors: Floors) -> dict[int, FloorPicture]:
    """Return the best picture of each floor; floors without one are absent."""
    return pictures_by_floor(graph.info.floor_pictures, floors.levels_m)


def floor_pixels(picture: FloorPicture, most_px: int = SIDE_PX) -> Image | None:
    """Decode a floor picture, made smaller; ``None`` where it is broken."""
    try:
        raw, _ = read_picture(picture.file, [picture.file.parent])
        return decoded_picture(raw, picture.file.name, most_px=most_px)
    except InputError as error:
        _LOG.warning("%s", error)
        return None


def _address(file: Path) -> str | None:
    try:
        state = file.stat()
    except OSError:
        return None
    # time and size are parts of the key, so that a picture made anew is encoded anew
    return _encoded(file, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=32)
def _encoded(file: Path, _changed: int, _size: int) -> str | None:
    """Encode a picture at the largest size that has room; kept, as each step asks again."""
    # only its file counts here: where it lies on the floor is no part of the pixels
    picture = FloorPicture(file, 1.0, (0.0, 0.0), (0.0, 0.0), (1, 1))
    image = floor_pixels(picture)
    if image is None:
        return None
    # a palette may have a transparent colour, which RGB alone would lose
    if image.mode not in {"RGB", "RGBA"}:
        image = image.convert("RGBA")
    for share in (1.0, 0.75, 0.5, 0.3):
        size = (max(1, round(image.width * share)), max(1, round(image.height * share)))
        file_ = io.BytesIO()
        image.resize(size).save(file_, "WEBP", quality=_QUALITY, method=4)
        if len(file_.getvalue()) <= MAX_BYTES:
            break
    return f"data:image/webp;base64,{base64.b64encode(file_.getvalue()).decode('ascii')}"
