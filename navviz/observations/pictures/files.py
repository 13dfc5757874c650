"""Picture files in the folders that were opened, whatever machine their names come from."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import InputError
from navviz.support.guarded import is_folder, is_regular, path_inside

ENDINGS = (".jpg", ".png", ".webp", ".jpeg", ".gif")
_FILMS = (".mp4",)
_MOST_LOOKED_AT = 50_000
"""Files of a folder among which the first picture must be: half a second."""
_SEPARATORS = re.compile(r"[/\\]+")
_UNSAFE = frozenset({"", ".", ".."})
_LAYOUT_FOLDERS = ("", "pictures", "views_img", "panoramas", "v1/scans", "scans")
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
    """

    roots: tuple[Path, ...]
    named_in: tuple[Path, ...] | None = None

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
            for root in self.roots if self.named_in is None else self.named_in:
                if self.holds(root / tail):
                    return root / tail
        return None

    def bases(self) -> Iterator[Path]:
        """Yield the folders in which a published layout may begin."""
        for root in self.roots:
            for name in _LAYOUT_FOLDERS:
                base = root / name
                if base.is_dir():
                    yield base

    def with_ending(self, stem: Path) -> Path | None:
        """Return the picture of a name without its ending; ``None`` where there is none."""
        for ending in ENDINGS:
            path = stem.with_name(stem.name + ending)
            if is_regular(path) and self.holds(path):
                return path
        return None


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
