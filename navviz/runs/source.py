"""Where a run lies: the value that names its files, and the key under which a cache keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from navviz.errors import Problem
from navviz.formats.mapping.model import sidecar_of
from navviz.formats.mapping.reader import has_saved_mapping
from navviz.runs.folder_states import state_of
from navviz.support.guarded import is_folder

_CONNECTIVITY = "connectivity"
Identity = tuple[str, str | None, tuple[tuple[str, int], ...]]
"""Name and method of a run, and its paths with their modification times."""
Origin = Literal["sample", "workspace", "opened", "upload"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where one or several runs, their episodes and their graphs lie."""

    name: str
    origin: Origin
    graphs: tuple[Path, ...] = ()
    episodes: Path | None = None
    results: Path | None = None
    method: str | None = None
    """One of several methods (or, in a folder of traces, runs) in `results`; ``None`` opens the
    first.
    """
    fault: str = ""
    """Why it cannot be shown, in one sentence; empty where nothing speaks against it."""
    folder_problems: tuple[Problem, ...] = ()
    """Files of the opened folder that look like data and could not be taken."""
    pictures: tuple[Path, ...] = ()
    """Folders of pictures, besides those of run and maps."""
    opened_as: Identity | None = field(default=None, compare=False, repr=False)
    """The identity with which a run was opened: its files may grow while pages show it."""

    @property
    def stamp(self) -> tuple[tuple[str, int], ...]:
        """Paths with their modification times: the key of a cache of what was loaded."""
        paths = list(self.graphs)
        for path in (self.episodes, self.results):
            if path is not None:
                paths.append(path)
            # a changed mapping is another reading of the same file
            if path is not None and has_saved_mapping(path):
                paths.append(sidecar_of(path))
        return tuple((str(path), state_of(path).digest) for path in paths)

    @property
    def picture_roots(self) -> tuple[Path, ...]:
        """Folders whose pictures a log may name: of the run, and those given for its pictures."""
        first = self.results or self.episodes
        own = (first,) if first is not None else ()
        return tuple(dict.fromkeys(map(_folder, (*own, *self.pictures))))

    @property
    def map_roots(self) -> tuple[Path, ...]:
        """Folders that may hold pictures of places: of the maps; scans lie beside connectivity."""
        folders = list(map(_folder, self.graphs))
        for folder in tuple(folders):
            if folder.name == _CONNECTIVITY:
                folders.append(folder.parent)
        return tuple(dict.fromkeys(folders))

    @property
    def identity(self) -> Identity:
        """What tells this state of a run from others: the key of a cache made of it."""
        if self.opened_as is not None:
            return self.opened_as
        # pictures by name alone: to look at 20,000 of them takes a second
        pictures = tuple((str(folder), 0) for folder in self.pictures)
        return self.name, self.method, self.stamp + pictures


def _folder(path: Path) -> Path:
    return path if is_folder(path) else path.parent
