"""Picture files in the folders that were opened, whatever machine their names come from."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from navviz.errors import InputError
from navviz.records import StepView
from navviz.support.guarded import (
    Json,
    head_bytes,
    is_folder,
    is_regular,
    path_inside,
    picture_head,
    read_json,
)

ENDINGS = (".jpg", ".png", ".webp", ".jpeg", ".gif")

# cameras and Windows write endings in capitals, and Linux takes them for other names
_SPELLED = (*ENDINGS, *(ending.upper() for ending in ENDINGS))

_FILMS = (".mp4",)

_ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".7z", ".rar")

_MOST_LOOKED_AT = 50_000
"""Files of a folder among which the first picture must be: half a second."""

_SEPARATORS = re.compile(r"[/\\]+")

_UNSAFE = frozenset({"", ".", ".."})

_LAYOUT_FOLDERS = ("", "pictures", "views_img", "panoramas", "v1/scans", "scans")

_MOST_INNER = 500
"""Folders of one folder that are looked into for a house: a run may have 20,000, one a trial."""

_LONGEST_TAIL = 8
"""Parts of a path that are tried: its last folders tell pictures apart, its first a machine."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A file that may hold a picture, or a film with the frame that is meant."""

    path: Path
    frame: int | None = None
    raw: bytes | None = field(default=None, repr=False)
    """The picture itself, where a log held it; `path` is then a name made of its content."""

    @classmethod
    def of_bytes(cls, raw: bytes) -> PictureFile:
        """Name a picture that lies in no folder by its content, so that it is numbered once."""
        return cls(Path(f"in-the-log-{hashlib.sha256(raw).hexdigest()[:16]}"), raw=raw)


@dataclass(frozen=True)
class PictureFolders:
    """Folders that a user opened: nothing outside of them is read.

    `roots`: the run's own folder first, those given for its pictures, then those of its maps.
    `named_in`: those in which a log's own paths are looked up; all if not given. An uploaded log
    must not name the files beside the operator's maps. `given`: those that somebody named for the
    pictures: where they hold none of a walk, that is said.
    """

    roots: tuple[Path, ...]
    named_in: tuple[Path, ...] | None = None
    given: tuple[Path, ...] = ()

    def holds(self, path: Path) -> bool:
        """Tell whether a path is a regular file within the folders, links resolved."""
        try:
            path_inside(path, self.roots)
        except InputError:
            return False
        return True

    def named(self, source: str) -> Path | None:
        """Find what a log names by a path, of its own machine or relative to the run.

        The longest tail of the path that exists in one of the folders counts: logs name absolute
        paths of the machine that ran.
        """
        parts = [part for part in _SEPARATORS.split(source) if part not in _UNSAFE]
        # the longest first: file names such as 12.jpg repeat in every folder
        for length in range(min(len(parts), _LONGEST_TAIL), 0, -1):
            tail = Path(*parts[-length:])
            # the copy that lies here may spell its ending in other letters than the log
            spelled = (tail, tail.with_suffix(tail.suffix.swapcase()))
            for root in self.roots if self.named_in is None else self.named_in:
                path = next((root / each for each in spelled if self.holds(root / each)), None)
                if path is not None:
                    return path
        return None

    def bases(self) -> Iterator[Path]:
        """Yield the folders in which a published layout may begin."""
        for root in self.roots:
            for name in _LAYOUT_FOLDERS:
                base = root / name
                if base.is_dir():
                    yield base

    def homes(self, scan: str) -> Iterator[Path]:
        """Yield the folders in which the pictures of a house may lie, the likeliest first."""
        for base in self.bases():
            if not is_plain(scan):
                yield base
                continue
            yield base / scan
            yield base
            # what an archive unpacks to often lies one folder deeper; only a folder with the name
            # of the house counts there, since viewpoints of two houses may have the same number
            yield from _inner_homes(base, scan, base.stat().st_mtime_ns)

    def with_ending(self, stem: Path) -> Path | None:
        """Return the picture of a name without its ending; ``None`` where there is none."""
        for ending in _SPELLED:
            path = stem.with_name(stem.name + ending)
            if is_regular(path) and self.holds(path):
                return path
        return None


@lru_cache(maxsize=256)
def _inner_homes(base: Path, scan: str, _mtime_ns: int) -> tuple[Path, ...]:
    """Return the folders of a house that lie one folder deeper; kept, as each viewpoint asks."""
    try:
        with os.scandir(base) as entries:
            inner = [Path(entry) for entry in itertools.islice(entries, _MOST_INNER)]
    except OSError:
        return ()
    return tuple(folder / scan for folder in sorted(inner) if (folder / scan).is_dir())


def is_plain(name: str) -> bool:
    """Tell whether an id can be a file's name: it then names no other folder."""
    return bool(name) and name not in _UNSAFE and not re.search(r"[/\\\0]", name)


def check_has_pictures(folder: Path) -> None:
    """See that a folder which somebody names for its pictures holds one.

    A folder without any would be opened in silence, and each step would look as before. Raises
    `InputError` where it is no folder, or there is no picture and no film among its first 50,000
    files.
    """
    if not is_folder(folder):
        # pictures are read one by one when they are shown: an archive would be unpacked each time
        if folder.suffix.lower() in _ARCHIVES:
            raise InputError("is an archive", "unpack it and name its folder", file=folder)
        raise InputError("is no folder", "name the folder that holds the pictures", file=folder)
    left = _MOST_LOOKED_AT
    for _, _, names in os.walk(folder):
        if any(name.lower().endswith((*ENDINGS, *_FILMS)) for name in names):
            return
        left -= len(names)
        if left < 0:
            break
    raise InputError(
        "holds no picture", "name a folder with JPEG, PNG, WebP, GIF or MP4 files", file=folder
    )


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

    `scan` and `node`: names of the house and its viewpoint, or of a city and its panorama.
    `rotation`: of the viewpoint's pose, which a cube needs. `homes`: from `homes_of`, where many
    places are asked for; looked for anew where not given.
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
    """Yield the six faces of a skybox in their order, or the strip of all."""
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
