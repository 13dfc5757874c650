"""The pictures that an agent is sent: views of a viewpoint, from the disk or cut by geometry.

What lies there for a viewpoint (`navviz.observations.pictures`) is a folder of the simulator's 36
views, sent byte by byte, or a cube or a panorama, from which a view is computed.
"""

from __future__ import annotations

import io
import math
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from navviz.errors import InputError
from navviz.observations.discrete_views import nearest_view, view_elevation_deg, view_heading_deg
from navviz.observations.pictures.files import PictureFile, PictureFolders, Seen, views_at
from navviz.observations.pictures.films import pictures
from navviz.records import PicturePart
from navviz.support.guarded import decoded_picture, picture_head, read_picture
from navviz.world.graph import Graph

Floats = NDArray[np.float64]

Picture = NDArray[np.uint8]

FACES = 6

VERTICAL_DEG = 60.0
"""Vertical field of the simulator's views, and of those that MapGPT and MSNav are shown."""

# face 0 is +y, 1 is +z, 2 is +x, 3 is -z, 4 is -x, 5 is -y: by axis, the positive side first
_FACE_OF = np.array([[2, 4], [0, 5], [1, 3]])


@dataclass(frozen=True, slots=True)
class Camera:
    """Where a perspective view looks, and its size in pixels."""

    heading_deg: float
    elevation_deg: float = 0.0
    vertical_deg: float = VERTICAL_DEG
    width: int = 640
    height: int = 480

    @property
    def axes(self) -> Floats:
        """Right, up and ahead as rows, ``(3, 3)``."""
        heading, elevation = math.radians(self.heading_deg), math.radians(self.elevation_deg)
        sin_h, cos_h = math.sin(heading), math.cos(heading)
        sin_e, cos_e = math.sin(elevation), math.cos(elevation)
        return np.array(
            [
                [cos_h, -sin_h, 0.0],
                [-sin_h * sin_e, -cos_h * sin_e, cos_e],
                [sin_h * cos_e, cos_h * cos_e, sin_e],
            ]
        )

    @property
    def half_extent(self) -> tuple[float, float]:
        """Half the width and half the height of the image plane at distance 1."""
        up = math.tan(math.radians(self.vertical_deg) / 2)
        return up * self.width / self.height, up


class Sphere(Protocol):
    """All that can be seen from one viewpoint."""

    def colours(self, directions: Floats) -> Picture:
        """Return the colours in directions ``(..., 3)``, which need not be of length 1."""
        ...


@dataclass(frozen=True, slots=True)
class Skybox:
    """Six square faces of a viewpoint, in the order of Matterport3D's files (0 up, 5 down)."""

    faces: Picture
    """``(6, size, size, 3)``."""
    rotation: Floats
    """Rotation of the viewpoint's ``pose``, ``(3, 3)``."""

    def colours(self, directions: Floats) -> Picture:
        """See `Sphere.colours`."""
        face, s, t = face_places(-directions @ self.rotation)
        size = self.faces.shape[1]
        # a pixel's middle is at 0.5; clipped, since a face's edge has no pixels of the next face
        columns = np.clip(s * size - 0.5, 0, size - 1)
        rows = np.clip(t * size - 0.5, 0, size - 1)
        left, top = columns.astype(np.intp), rows.astype(np.intp)
        right, bottom = np.minimum(left + 1, size - 1), np.minimum(top + 1, size - 1)
        corners = (
            self.faces[face, top, left],
            self.faces[face, top, right],
            self.faces[face, bottom, left],
            self.faces[face, bottom, right],
        )
        return _blended(corners, columns - left, rows - top)


@dataclass(frozen=True, slots=True)
class Panorama:
    """An equirectangular picture, twice as wide as high."""

    pixels: Picture
    """``(height, width, 3)``."""
    heading_deg: float = 0.0
    """Of its middle column."""

    def colours(self, directions: Floats) -> Picture:
        """See `Sphere.colours`."""
        height, width = self.pixels.shape[:2]
        east, north, up = np.moveaxis(directions, -1, 0)
        turned = np.degrees(np.arctan2(east, north)) - self.heading_deg
        elevation = np.arctan2(up, np.hypot(east, north))
        columns = (turned / 360.0 + 0.5) * width - 0.5
        rows = np.clip((0.5 - elevation / math.pi) * height - 0.5, 0, height - 1)
        before = np.floor(columns)
        # the picture closes in itself from side to side, but not from top to bottom
        left, top = before.astype(np.intp) % width, rows.astype(np.intp)
        right, bottom = (left + 1) % width, np.minimum(top + 1, height - 1)
        corners = (
            self.pixels[top, left],
            self.pixels[top, right],
            self.pixels[bottom, left],
            self.pixels[bottom, right],
        )
        return _blended(corners, columns - before, rows - top)


def face_places(directions: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Return where directions meet a cube map by OpenGL's rule.

    `directions`: ``(..., 3)`` in the texture's own frame, of any length but 0. Returns the index of
    the face (0 to 5 in the order of Matterport3D's files), and s and t in 0 to 1, each of shape
    ``(...)``; s grows to the right of the face's picture, t downwards.
    """
    x, y, z = np.moveaxis(np.asarray(directions, dtype=float), -1, 0)
    axis = np.abs(directions).argmax(axis=-1)
    major = np.select([axis == 0, axis == 1], [x, y], z)
    negative = major < 0
    sign = np.where(negative, -1.0, 1.0)
    across = np.select([axis == 0, axis == 1], [-sign * z, x], sign * x)
    down = np.where(axis == 1, sign * z, -y)
    away = np.maximum(np.abs(major), np.finfo(float).tiny)
    face = _FACE_OF[axis, negative.astype(np.intp)]
    return face.astype(np.intp), (across / away + 1) / 2, (down / away + 1) / 2


def rays(camera: Camera) -> Floats:
    """Return the direction through the middle of each pixel, ``(height, width, 3)``."""
    half_width, half_height = camera.half_extent
    right, up, ahead = camera.axes
    across = (2 * (np.arange(camera.width) + 0.5) / camera.width - 1) * half_width
    above = (1 - 2 * (np.arange(camera.height) + 0.5) / camera.height) * half_height
    rows = above[:, None, None] * up + ahead
    return np.asarray(rows + across[None, :, None] * right)


def project(camera: Camera, offsets: Floats) -> Floats:
    """Project places into a view: the inverse of `rays`.

    `offsets`: ``(n, 3)``: places relative to the camera, in metres. Returns ``(n, 2)``: columns and
    rows in pixels, which may lie outside of the picture; not a number for what is behind the
    camera.
    """
    across, above, ahead = camera.axes @ np.asarray(offsets, dtype=float).reshape(-1, 3).T
    half_width, half_height = camera.half_extent
    depth = np.where(ahead > 1e-9, ahead, np.nan)
    columns = (across / depth / half_width + 1) / 2 * camera.width
    rows = (1 - above / depth / half_height) / 2 * camera.height
    return np.column_stack([columns, rows])


def perspective(sphere: Sphere, camera: Camera) -> Picture:
    """Return the picture that a camera takes, ``(height, width, 3)``."""
    return sphere.colours(rays(camera))


def discretised_camera(view: int, width: int = 640, height: int = 480) -> Camera:
    """Return the camera of one of the simulator's 36 views."""
    heading_deg, elevation_deg = view_heading_deg(view), view_elevation_deg(view)
    return Camera(heading_deg, elevation_deg, VERTICAL_DEG, width, height)


def faces_of_strip(strip: Picture, name: str = "") -> Picture:
    """Cut a ``skybox_small`` picture, six faces side by side, into ``(6, size, size, 3)``.

    Raises `InputError` where it is not six times as wide as high; `name` is the file's.
    """
    height, width = strip.shape[:2]
    if width != FACES * height:
        raise InputError(
            f"is {width} x {height} pixels, not six square faces side by side",
            "give the skybox_small picture of the viewpoint",
            file=name,
        )
    return np.stack(np.split(strip, FACES, axis=1))


def _blended(corners: tuple[Picture, ...], across: Floats, down: Floats) -> Picture:
    """Mix the four pixels around each place by its distance from them."""
    right, below = across[..., None].astype(np.float32), down[..., None].astype(np.float32)
    upper = corners[0] * (1 - right) + corners[1] * right
    lower = corners[2] * (1 - right) + corners[3] * right
    mixed = upper * (1 - below) + lower * below
    # astype cuts off; the half makes it round
    return np.asarray((mixed + 0.5).astype(np.uint8))


WIDTH, HEIGHT = 640, 480
"""Of the simulator's views, as MapGPT and MSNav are shown them."""

_QUALITY = 85

_SPHERES = 2
"""Decoded viewpoints that are kept: 36 views of one are taken one after another; each has 19 MB."""

_PARTS = 256
"""Encoded views that are kept, some 40 kB each: a prompt repeats those of all places."""


class AgentPictures:
    """Takes pictures at the viewpoints of a house.

    `folders`: where its pictures lie; nothing outside of them is read.
    """

    def __init__(self, graph: Graph, folders: PictureFolders) -> None:
        self._graph, self._folders = graph, folders
        self._spheres: OrderedDict[str, Sphere] = OrderedDict()
        self._parts: OrderedDict[tuple[str, Camera], PicturePart | None] = OrderedDict()

    def has(self, node: str) -> bool:
        """Tell whether views of a viewpoint can be taken."""
        return self._panoramic_view(node) is not None

    def view(self, node: str, view: int) -> PicturePart | None:
        """Return one of the simulator's 36 views; ``None`` where there is no picture of it."""
        return self._kept(node, discretised_camera(view, WIDTH, HEIGHT), view)

    def take(self, node: str, camera: Camera) -> PicturePart | None:
        """Return any view; of a folder of 36 views, the one that looks that way best."""
        return self._kept(node, camera, None)

    def _kept(self, node: str, camera: Camera, view: int | None) -> PicturePart | None:
        key = (node, camera)
        if key not in self._parts:
            self._parts[key] = self._taken(node, camera, view)
            if len(self._parts) > _PARTS:
                self._parts.popitem(last=False)
        # so that the view unused for longest is dropped first
        self._parts.move_to_end(key)
        return self._parts[key]

    def _taken(self, node: str, camera: Camera, view: int | None) -> PicturePart | None:
        from PIL import Image  # 0.05 s, and most navigators need no picture

        seen = self._panoramic_view(node)
        if seen is None:
            return None
        if seen.view.kind == "discrete":
            number = (
                nearest_view(camera.heading_deg, camera.elevation_deg) if view is None else view
            )
            return self._as_it_is(seen, number)
        sphere = self._spheres.get(node)
        if sphere is None:
            sphere = self._spheres[node] = sphere_of(seen, self._folders)
            if len(self._spheres) > _SPHERES:
                self._spheres.popitem(last=False)
        pixels = perspective(sphere, camera)

        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "JPEG", quality=_QUALITY)
        return _part(file.getvalue(), "view")

    def _panoramic_view(self, node: str) -> Seen | None:
        rotation = self._graph.info.rotations.get(node)
        for seen in views_at(self._folders, self._graph.name, node, rotation):
            if seen.view.kind in {"cube", "panorama", "discrete"}:
                return seen
        return None

    def _as_it_is(self, seen: Seen, view: int) -> PicturePart | None:
        file = seen.files[view]
        if file is None:
            return None
        raw, _ = read_picture(file.path, self._folders.roots)
        return _part(raw, file.path.name)


def sphere_of(seen: Seen, folders: PictureFolders) -> Sphere:
    """Decode a cube or a panorama. Raises `InputError` where one of its pictures is broken."""
    pictures = [_pixels(file, folders) for file in seen.files if file is not None]
    if seen.view.kind == "panorama":
        return Panorama(pictures[0], seen.view.heading_deg or 0.0)
    rotation = np.array(seen.rotation, dtype=float).reshape(3, 3)
    # a cube may come as one strip of its six faces
    if len(pictures) == 1:
        return Skybox(faces_of_strip(pictures[0], seen.view.source), rotation)
    return Skybox(np.stack(pictures), rotation)


def pixels_seen(seen: Seen, folders: PictureFolders, heading_deg: float) -> Picture | None:
    """Return what a view shows towards a heading; ``None`` where its picture is not there.

    A picture and a frame of a film look where they look; from a cube or a panorama a level view is
    cut, and of 36 views the nearest is taken. Raises `InputError` where the picture is broken.
    """
    if not any(seen.files):
        return None
    if seen.view.kind in {"cube", "panorama"}:
        camera = Camera(heading_deg, width=WIDTH, height=HEIGHT)
        return perspective(sphere_of(seen, folders), camera)
    is_discrete = seen.view.kind == "discrete"
    file = seen.files[nearest_view(heading_deg, 0.0) if is_discrete else 0]
    return None if file is None else _pixels(file, folders)


def _pixels(file: PictureFile, folders: PictureFolders) -> Picture:
    raw, _ = pictures.read(file, folders)
    return np.asarray(decoded_picture(raw, file.path.name).convert("RGB"))


def folder_of(graph: Graph, files: str = "") -> Path | None:
    """Return the folder that settings name, else the one that the house was read from."""
    if files:
        return Path(files).expanduser()
    read = Path(graph.info.source) if graph.info.source else None
    # a source with an ending is a file in the folder
    return read.parent if read is not None and read.suffix else read


def pictures_of(graph: Graph, files: str = "") -> AgentPictures:
    """Return the pictures of a house.

    `files`: folder of its pictures; where empty, the folder of its graph and the one above it.
    """
    if files:
        return AgentPictures(graph, PictureFolders((Path(files).expanduser(),)))
    folder = folder_of(graph)
    if folder is None:
        return AgentPictures(graph, PictureFolders(()))
    return AgentPictures(graph, PictureFolders((folder, folder.parent)))


def required_pictures(graph: Graph, files: str, setting: str) -> AgentPictures:
    """Return the pictures of a house; see `pictures_of`.

    Raises `InputError` where there is none of any viewpoint; `setting` names the folder.
    """
    pictures = pictures_of(graph, files)
    if not any(pictures.has(node) for node in graph.ids):
        raise InputError(
            f"there are no pictures of scan {graph.name}",
            "put its 36 views, skyboxes or panoramas beside the graphs, or name their folder in"
            f" the setting {setting}",
            file=files,
            field="views",
        )
    return pictures


def _part(raw: bytes, name: str) -> PicturePart:
    head = picture_head(raw, name)
    return PicturePart(
        at=0,
        mime=head.mime,
        detail="low",
        width=head.width,
        height=head.height,
        size_bytes=len(raw),
        raw=raw,
    )
