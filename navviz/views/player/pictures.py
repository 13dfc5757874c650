"""The pictures of a document: numbered for the player, found again by the app that serves them."""

from __future__ import annotations

import base64
import io
import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navviz.errors import InputError, NavVizError
from navviz.llm.pictures import picture_tokens
from navviz.observations.pictures.files import PictureFile, PictureFolders, Seen
from navviz.observations.pictures.films import PictureCache, WalkPictures, pictures
from navviz.records import PicturePart, Step, StepView
from navviz.records.provider_messages import IN_LOG, MOST_BYTES, ROOM_BYTES
from navviz.support.guarded import decoded_picture, read_picture
from navviz.views.player.schema import (
    DocumentPictures,
    PictureEntry,
    PlaceViewEntry,
    PromptPicture,
    ViewEntry,
)
from navviz.views.player.schema_world import FloorImage
from navviz.world.floors import Floors
from navviz.world.graph import Graph
from navviz.world.info import FloorPicture, pictures_by_floor

if TYPE_CHECKING:
    from PIL.Image import Image


INLINE_PX = 512
"""Longer side of pictures that stand in a file or a notebook."""

FILE_BYTES = 20_000_000
"""Of a whole file with pictures; those that would pass it are left out, and the file says so."""

_AROUND = frozenset({"cube", "panorama", "discrete"})

_LEVEL_FACES = ((1, 2, 1.0), (2, 0, 1.0), (3, 2, -1.0), (4, 0, -1.0))
"""Faces of a cube that look neither up nor down: number, axis of the texture, and its sign."""

_LEVEL_VIEWS = range(12, 24)
"""Those of 36 views that look neither up nor down, 30 degrees apart, clockwise from north."""

_FACES = 6

_NOT_THERE = "This picture is not in the opened folders."

_NOT_SOUND = (
    "The log holds this as data that is no JPEG, PNG, WebP or GIF, or too large: a picture has at"
    f" most {MOST_BYTES // 1_000_000} MB, those of one prompt {ROOM_BYTES // 1_000_000} MB."
)

Numbered = tuple[PictureFile, PictureFolders]


@dataclass(frozen=True, slots=True)
class LevelView:
    """What one sees straight ahead at a place: a picture, or the part of one."""

    picture: int
    heading_deg: float | None = None
    """Of its middle; ``None`` for a panorama, and where nothing says so."""
    cut: tuple[float, float] | None = None
    """Left edge and width in percent, for one face of a strip of six; ``None`` for the whole."""


class PictureTable:
    """Numbers the pictures of one document as they are named."""

    def __init__(self, walk: WalkPictures | None = None, *, around: bool = True) -> None:
        self.walk, self._around = walk, around
        self._numbers: dict[object, int] = {}
        self._entries: list[PictureEntry] = []
        self._prompts: list[PromptPicture] = []
        self._prompt_numbers: dict[tuple[PicturePart, str | None], int] = {}
        self._places: dict[int, ViewEntry] = {}
        self._own_steps: list[Sequence[Seen]] = []
        self.files: list[Numbered | None] = []
        """By number; ``None`` for what is not there."""

    def step(self, step: Step, number: int, walk: WalkPictures | None = None) -> list[ViewEntry]:
        """Return what a step saw; `walk` is another than the document's own."""
        own, walk = walk is None, walk or self.walk
        if walk is None:
            return []
        views = walk.of_step(step, number)
        if own:
            self._own_steps.append(views)
        entries = [self._view(seen, walk.folders) for seen in views]
        if step.heading_deg is None or len(views) != 1 or not _looks_ahead(views[0].view, step):
            return entries
        return [entries[0].model_copy(update={"heading_deg": round(step.heading_deg, 2)})]

    def missing(self) -> str | None:
        """Say in a sentence how much of what the steps saw is not there; ``None`` where all is."""
        steps = len(self._own_steps)
        shown = [views for views in self._own_steps if any(_files_of(views))]
        if not shown:
            if any(self._own_steps):
                return "The pictures that the log names are not in the opened folders: open theirs."
            given = self.walk.folders.given if self.walk is not None and self._own_steps else ()
            if not given:
                return None
            names = ", ".join(f"“{folder.name}”" for folder in given)
            return f"No step of this walk has a picture in the folder {names}."
        parts = []
        if bare := steps - len(shown):
            parts.append(f"what {bare} of {steps} steps saw")
        # of a step without any, each picture would count twice
        files = list(chain.from_iterable(map(_files_of, shown)))
        if gaps := files.count(None):
            whose = "of the others" if parts else "that the steps saw"
            parts.append(f"{gaps} of {len(files)} pictures {whose}")
        return f"Not in the opened folders: {', and '.join(parts)}." if parts else None

    def surroundings(self, nodes: Iterable[str], index: Mapping[str, int], graph: Graph) -> None:
        """Add what can be looked around in at some places, and at those beside them.

        `index` numbers the nodes of the document.
        """
        # without a folder there is nothing to look for
        if self.walk is None or not self._around or not self.walk.folders.roots:
            return
        # a dict for its order: with a set the same walk would give another document each time
        around: dict[str, None] = {}
        for node in nodes:
            if node in graph:
                around |= dict.fromkeys([node, *graph.neighbours(node)])
        for node in around:
            for seen in self.walk.at(node) if node in index else ():
                if seen.view.kind in _AROUND:
                    self._places[index[node]] = self._view(seen, self.walk.folders)

    def level(self, node: str) -> list[LevelView]:
        """Return the plain pictures of a place that look level: faces, views, or the one there."""
        if self.walk is None:
            return []
        for seen in self.walk.at(node):
            return _level_views(self._view(seen, self.walk.folders))
        return []

    def name_of(self, number: int) -> str:
        """Return the folder and file of a picture."""
        return self._entries[number].name

    def part(self, part: PicturePart, model: str | None) -> int:
        """Return the index of a picture of a prompt."""
        key = (part, model)
        if key not in self._prompt_numbers:
            file, folders = self._sent(part)
            name = part.source or _name_of(part, file)
            tokens = picture_tokens(model, part)
            entry = PromptPicture(
                picture=self._number(file, folders, name, _fault_of(part)),
                detail=part.detail,
                mime=part.mime,
                width=part.width,
                height=part.height,
                size_bytes=part.size_bytes,
                tokens=tokens,
                label=part.label,
            )
            self._prompt_numbers[key] = len(self._prompts)
            self._prompts.append(entry)
        return self._prompt_numbers[key]

    def dump(self) -> DocumentPictures | None:
        """Return the table as the player reads it; ``None`` where there are no pictures."""
        if not self._entries:
            return None
        places = [PlaceViewEntry(node=node, view=view) for node, view in self._places.items()]
        return DocumentPictures(all=self._entries, prompts=self._prompts, places=places)

    def _view(self, seen: Seen, folders: PictureFolders) -> ViewEntry:
        view, numbers = seen.view, list[int | None]()
        for file in seen.files:
            # one missing view among many stays a gap, a lone one gets an entry that says why
            is_gap = file is None and len(seen.files) > 1
            name = view.source if file is None else f"{file.path.parent.name}/{file.path.name}"
            numbers.append(None if is_gap else self._number(file, folders, name))
        return ViewEntry(
            kind=view.kind,
            pictures=numbers,
            heading_deg=view.heading_deg,
            elevation_deg=view.elevation_deg,
            field_deg=view.field_deg,
            label=view.label,
            rotation=None if seen.rotation is None else list(seen.rotation),
        )

    def _sent(self, part: PicturePart) -> tuple[PictureFile | None, PictureFolders | None]:
        """Return the picture of a prompt; one that stood in the log needs no folder."""
        if self.walk is not None:
            return self.walk.of_part(part), self.walk.folders
        if part.raw is not None:
            return PictureFile.of_bytes(part.raw), PictureFolders(())
        return None, None

    def _number(
        self,
        file: PictureFile | None,
        folders: PictureFolders | None,
        name: str,
        fault: str = _NOT_THERE,
    ) -> int:
        key = name if file is None else file
        if key not in self._numbers:
            self._numbers[key] = len(self._entries)
            there = file is not None and folders is not None
            self._entries.append(PictureEntry(name=name, fault=None if there else fault))
            self.files.append((file, folders) if file is not None and folders is not None else None)
        return self._numbers[key]


def _looks_ahead(view: StepView, step: Step) -> bool:
    """Whether a picture without a heading looks where the agent looked: its step's only one."""
    # of several, of one that the log calls by a name of its own ("3 before"), of one that lies
    # there for a place whoever stood at it, and of a film's frame, which has a map beside its view
    # in published code, nobody says where they look: an arrow in them would be false
    is_plain = view.kind == "picture" and view.label is None and view.heading_deg is None
    return is_plain and view in step.views


def _files_of(views: Iterable[Seen]) -> Iterator[PictureFile | None]:
    for seen in views:
        yield from seen.files


def _level_views(view: ViewEntry) -> list[LevelView]:
    """Take a view apart into what looks level; missing pictures stay out."""
    if view.kind == "cube":
        turn = view.rotation or (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        faces = []
        for face, axis, sign in _LEVEL_FACES:
            # a look along d meets the texture in direction -R^T d, so that d is minus a column of R
            heading_deg = (
                math.degrees(math.atan2(-sign * turn[axis], -sign * turn[3 + axis])) % 360.0
            )
            # a cube is six files, or one strip of its faces in their order
            number = view.pictures[0] if len(view.pictures) == 1 else view.pictures[face]
            cut = (100.0 * face / _FACES, 100.0 / _FACES) if len(view.pictures) == 1 else None
            if number is not None:
                faces.append(LevelView(number, heading_deg, cut))
        return faces
    if view.kind == "discrete":
        turned = [(view.pictures[k], 30.0 * (k % 12)) for k in _LEVEL_VIEWS]
        return [LevelView(number, deg) for number, deg in turned if number is not None]
    whole = [number for number in view.pictures if number is not None]
    return [LevelView(number, view.heading_deg) for number in whole]


def _name_of(part: PicturePart, file: PictureFile | None) -> str:
    if file is None:
        return "a picture without a name"
    return f"a picture in the log, {part.width} x {part.height} pixels"


def _fault_of(part: PicturePart) -> str:
    return _NOT_SOUND if (part.source or "").startswith(IN_LOG) else _NOT_THERE


def _shown_first(document: Mapping[str, Any]) -> Iterator[int]:
    """Yield the pictures in the order in which a reader meets them; places come last."""
    pictures = document["pictures"]
    for step in document["steps"]:
        for view in step.get("views", ()):
            yield from (number for number in view["pictures"] if number is not None)
    for part in pictures["prompts"]:
        yield part["picture"]
    yield from range(len(pictures["all"]))


def with_data(
    document: Mapping[str, Any],
    table: PictureTable,
    room_bytes: int,
    cache: PictureCache = pictures,
    most_px: int = INLINE_PX,
) -> dict[str, Any]:
    """Return a document that holds its pictures itself."""
    if not document.get("pictures"):
        return dict(document)
    entries = [dict(entry) for entry in document["pictures"]["all"]]
    left_out = 0
    # each once: a picture may stand in several steps and prompts, and takes its room once
    for number in dict.fromkeys(_shown_first(document)):
        picture = table.files[number]
        if picture is None:
            continue
        try:
            raw, head = cache.read(*picture, most_px=most_px)
        except NavVizError as error:
            entries[number]["fault"] = str(error)
            continue
        url = f"data:{head.mime};base64,{base64.b64encode(raw).decode('ascii')}"
        # not the end of the loop: a smaller picture further on may still fit
        if len(url) > room_bytes:
            entries[number]["fault"] = "This picture is left out: the file would be too large."
            left_out += 1
            continue
        room_bytes -= len(url)
        entries[number]["data"] = url
    notes = list(document["notes"])
    if left_out:
        notes.append(
            f"{left_out} of {len(entries)} pictures are left out: the file would have more than"
            f" {FILE_BYTES / 1e6:.0f} MB. The app shows all of them."
        )
    pictures = {**document["pictures"], "all": entries}
    return {**document, "pictures": pictures, "notes": notes}


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
