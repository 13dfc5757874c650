"""The pictures that an agent is sent: views of a viewpoint, from the disk or cut by geometry.

What lies there for a viewpoint (`navviz.observations.pictures`) is a folder of the simulator's 36
views, sent byte by byte, or a cube or a panorama, from which a view is computed.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from pathlib import Path

import numpy as np

from navviz.errors import InputError
from navviz.observations.discrete_views import nearest_view
from navviz.observations.pictures.files import PictureFile, PictureFolders
from navviz.observations.pictures.kept import pictures
from navviz.observations.pictures.layouts import Seen, views_at
from navviz.observations.skybox import (
    Camera,
    Panorama,
    Picture,
    Skybox,
    Sphere,
    discretised_camera,
    faces_of_strip,
    perspective,
)
from navviz.records import PicturePart
from navviz.support.guarded import decoded_picture, picture_head, read_picture
from navviz.world.graph import Graph

WIDTH, HEIGHT = 640, 480
"""Of the simulator's views, as MapGPT and MSNav are shown them."""
_QUALITY = 85
_SPHERES = 2
"""Decoded viewpoints that are kept: 36 views of one are taken one after another; each has 19 MB."""
_PARTS = 256
"""Encoded views that are kept, some 40 kB each: a prompt repeats those of all places."""


class AgentPictures:
    """Takes pictures at the viewpoints of a house.

    Parameters
    ----------
    graph
        The house.
    folders
        Where its pictures lie; nothing outside of them is read.
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
        seen = self._panoramic_view(node)
        if seen is None:
            return None
        if seen.view.kind == "discrete":
            number = _nearest(camera) if view is None else view
            return self._as_it_is(seen, number)
        return _encoded(perspective(self._sphere(node, seen), camera))

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

    def _sphere(self, node: str, seen: Seen) -> Sphere:
        sphere = self._spheres.get(node)
        if sphere is None:
            sphere = self._spheres[node] = sphere_of(seen, self._folders)
            if len(self._spheres) > _SPHERES:
                self._spheres.popitem(last=False)
        return sphere


def sphere_of(seen: Seen, folders: PictureFolders) -> Sphere:
    """Decode a cube or a panorama.

    Raises
    ------
    InputError
        Where one of its pictures is broken.
    """
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
    cut, and of 36 views the nearest is taken.

    Raises
    ------
    InputError
        Where the picture is broken.
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


def pictures_of(graph: Graph, files: str = "") -> AgentPictures:
    """Return the pictures of a house.

    Parameters
    ----------
    graph
        The house.
    files
        Folder of its pictures; where empty, the folder of its graph and the one above it.
    """
    if files:
        return AgentPictures(graph, PictureFolders((Path(files).expanduser(),)))
    source = Path(graph.info.source) if graph.info.source else None
    if source is None:
        return AgentPictures(graph, PictureFolders(()))
    folder = source.parent if source.suffix else source
    return AgentPictures(graph, PictureFolders((folder, folder.parent)))


def required_pictures(graph: Graph, files: str, setting: str) -> AgentPictures:
    """Return the pictures of a house; see `pictures_of`.

    Raises
    ------
    InputError
        Where there is none of any viewpoint; `setting` names the folder.
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


def _nearest(camera: Camera) -> int:
    """Return the view of the simulator whose centre is closest in heading and row."""
    return nearest_view(camera.heading_deg, camera.elevation_deg)


def _encoded(pixels: Picture) -> PicturePart:
    from PIL import Image  # 0.05 s, and most navigators need no picture

    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=_QUALITY)
    return _part(file.getvalue(), "view")


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
