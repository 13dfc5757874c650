"""Picture files in the folders that were opened, whatever machine their names come from."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from navviz.errors import InputError
from navviz.support.guarded import is_folder, is_regular, path_inside

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

    Parameters
    ----------
    roots
        The run's own folder first, those given for its pictures, then those of its maps.
    named_in
        Those in which a log's own paths are looked up; all if not given. An uploaded log must not
        name the files beside the operator's maps.
    given
        Those that somebody named for the pictures: where they hold none of a walk, that is said.
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

    A folder without any would be opened in silence, and each step would look as before.

    Raises
    ------
    InputError
        It is no folder, or there is no picture and no film among its first 50,000 files.
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
