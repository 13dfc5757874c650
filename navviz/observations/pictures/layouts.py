"""The published layouts of pictures: what lies where for a viewpoint of a scan.

Matterport3D's skyboxes (``SCAN/matterport_skybox_images/VP_skybox{0..5}_sami.jpg``, or
``VP_skybox_small.jpg``), the simulator's 36 views (``SCAN/VP/INDEX.jpg``, MapGPT's and MSNav's
``--img_root``), and users' own pictures by viewpoint or panorama id (``SCAN/VP.jpg``, ``VP.jpg``):
one that is twice as wide as high is a panorama.
"""

from __future__ import annotations

import itertools
import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from navviz.errors import InputError
from navviz.observations.pictures.files import (
    ENDINGS,
    PictureFile,
    PictureFolders,
    is_plain,
)
from navviz.records import StepView
from navviz.support.guarded import Json, head_bytes, picture_head, read_json

SKYBOX = "matterport_skybox_images"
FACES = 6
VIEWS = 36
_VIEW_FIELD_DEG = 60.0
_HEAD_BYTES = 1 << 18
"""Enough for the size of a JPEG with a profile and a preview before it."""
_MOST_LISTED = 5_000
"""Names of a folder that are read at once (3 ms); a larger folder is asked for each name."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A view with its files: one, the six faces of a cube, or the simulator's 36 views."""

    view: StepView
    files: tuple[PictureFile | None, ...]
    """``None`` for what is missing."""
    rotation: tuple[float, ...] | None = None
    """Of a cube: rotation of its viewpoint's pose, 9 numbers row by row."""


@dataclass(frozen=True, slots=True)
class PictureHome:
    """A folder in which pictures of a world's places may lie."""

    path: Path
    names: frozenset[str] | None = None
    """What lay in it when it was looked at, as `_alike` spells it; ``None`` where nobody looked."""

    def may_hold(self, node: str) -> bool:
        """Whether a picture or a folder of a place can be in it."""
        if self.names is None or _alike(SKYBOX) in self.names:
            return True
        return any(_alike(node + ending) in self.names for ending in ("", *ENDINGS))


def homes_of(folders: PictureFolders, scan: str) -> tuple[PictureHome, ...]:
    """Look once into the folders that many places of a world are looked up in.

    Without this each place costs 40 questions to the file system, also where a run has no
    pictures: a million for the site of 700 walks, 7 ms of processor time for each of them.
    """
    return tuple(PictureHome(path, _listed(path)) for path in folders.homes(scan))


def _listed(folder: Path) -> frozenset[str] | None:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in itertools.islice(entries, _MOST_LISTED + 1)]
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()
    except OSError:
        return None  # a folder may let files be read that it does not list
    return frozenset(map(_alike, names)) if len(names) <= _MOST_LISTED else None


def _alike(name: str) -> str:
    """Return one spelling of all that any file system takes for the same name."""
    return unicodedata.normalize("NFC", name).casefold()


def views_at(
    folders: PictureFolders,
    scan: str,
    node: str,
    rotation: tuple[float, ...] | None,
    homes: Sequence[PictureHome] | None = None,
) -> list[Seen]:
    """Return what the opened folders hold of one viewpoint; the best kind alone.

    Parameters
    ----------
    folders
        Where to look.
    scan, node
        Names of the house and its viewpoint, or of a city and its panorama.
    rotation
        Of the viewpoint's pose, which a cube needs.
    homes
        From `homes_of`, where many places are asked for; looked for anew where not given.
    """
    if not is_plain(node):
        return []
    if homes is None:
        homes = [PictureHome(path) for path in folders.homes(scan)]
    for home in homes:
        seen = _at(folders, home.path, node, rotation) if home.may_hold(node) else None
        if seen is not None:
            return [seen]
    return []


def _at(
    folders: PictureFolders, home: Path, node: str, rotation: tuple[float, ...] | None
) -> Seen | None:
    faces = tuple(_cube(folders, home, node))
    # without the pose nobody knows where the faces look
    if faces and rotation is not None:
        view = StepView(source=f"{home.name}/{SKYBOX}/{node}", kind="cube", node=node)
        return Seen(view, faces, rotation)
    if (home / node).is_dir():
        files = [folders.with_ending(home / node / str(index)) for index in range(VIEWS)]
        if any(files):
            view = StepView(
                source=f"{home.name}/{node}", kind="discrete", node=node, field_deg=_VIEW_FIELD_DEG
            )
            return Seen(view, tuple(map(_as_file, files)))
    path = folders.with_ending(home / node)
    return None if path is None else _alone(path, home, node)


def _as_file(path: Path | None) -> PictureFile | None:
    return None if path is None else PictureFile(path)


def _cube(folders: PictureFolders, home: Path, node: str) -> Iterator[PictureFile]:
    """Yield the six faces of a skybox in their order, or the strip of all; nothing where one is
    missing.
    """
    folder = home / SKYBOX
    if not folder.is_dir():
        return
    faces = [folders.with_ending(folder / f"{node}_skybox{face}_sami") for face in range(FACES)]
    if all(faces):
        yield from (PictureFile(face) for face in faces if face is not None)
        return
    strip = folders.with_ending(folder / f"{node}_skybox_small")
    if strip is not None:
        yield PictureFile(strip)


def _alone(path: Path, home: Path, node: str) -> Seen:
    source = f"{home.name}/{path.name}"
    if not is_panorama(path, path.stat().st_mtime_ns):
        return Seen(StepView(source=source, node=node), (PictureFile(path),))
    view = StepView(source=source, kind="panorama", node=node, heading_deg=_centre_deg(path))
    return Seen(view, (PictureFile(path),))


@lru_cache(maxsize=4096)
def is_panorama(path: Path, _mtime_ns: int) -> bool:
    """Tell whether a picture is twice as wide as high; false for what is no picture."""
    try:
        head = picture_head(head_bytes(path, _HEAD_BYTES), path.name)
    except InputError:
        return False
    return head.width == 2 * head.height


def _centre_deg(path: Path) -> float:
    """Return the heading of a panorama's centre column, as the JSON beside it says; else 0."""
    try:
        noted: Json = read_json(path.with_suffix(".json"))
    except InputError:
        return 0.0
    heading = noted.get("heading_deg") if isinstance(noted, dict) else None
    return float(heading) if isinstance(heading, int | float) else 0.0
