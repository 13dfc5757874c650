"""The pictures of one walk: what each step saw, and what stood in its prompts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from navviz.observations.pictures.files import PictureFile, PictureFolders
from navviz.observations.pictures.films import film_frame, film_of
from navviz.observations.pictures.layouts import (
    FACES,
    VIEWS,
    PictureHome,
    Seen,
    homes_of,
    views_at,
)
from navviz.records import PicturePart, Step, StepView, Trace


class WalkPictures:
    """Finds the pictures of one walk in the folders that were opened.

    Parameters
    ----------
    folders
        Nothing outside of them is read.
    trace
        The walk; views that it names itself come first, then a film of its episode, then what
        lies there for its viewpoints.
    rotations
        Of the poses of the world's viewpoints, 9 numbers each (`WorldInfo.rotations`).
    films
        Whether a film of the episode shows what was seen. Who follows an instruction must not see
        the film of an agent that did.
    """

    def __init__(
        self,
        folders: PictureFolders,
        trace: Trace,
        rotations: Mapping[str, tuple[float, ...]] | None = None,
        *,
        films: bool = True,
    ) -> None:
        self.folders, self._trace = folders, trace
        self._rotations = rotations or {}
        self._found: dict[str, Path | None] = {}
        self._at: dict[str, list[Seen]] = {}
        self._homes: tuple[PictureHome, ...] | None = None
        episode = trace.episode
        self._film: Path | None = None
        if films and folders.roots and trace.steps:
            self._film = film_of(folders, episode.id, episode.world)

    def of_step(self, step: Step, number: int) -> list[Seen]:
        """Return what a step saw; `number` is its place in the walk, counted from 0."""
        logged = [self._logged(view) for view in step.views]
        # views that a trace names count only where a file of them was opened with it
        if any(any(seen.files) for seen in logged):
            return logged
        return self._beside(step, number) or logged

    def _beside(self, step: Step, number: int) -> list[Seen]:
        """Return what lies in the folders for a step whose own pictures are not there."""
        if self._film is not None:
            frame = film_frame(self._film, number, len(self._trace.steps))
            if frame is not None:
                return [frame]
        return self.at(step.node)

    def at(self, node: str | None) -> list[Seen]:
        """Return what lies there for a viewpoint, whoever stood at it."""
        if node is None or not self.folders.roots:
            return []
        if node not in self._at:
            world = self._trace.episode.world
            if self._homes is None:
                self._homes = homes_of(self.folders, world)
            rotation = self._rotations.get(node)
            self._at[node] = views_at(self.folders, world, node, rotation, self._homes)
        return self._at[node]

    def of_part(self, part: PicturePart) -> PictureFile | None:
        """Return the picture of a prompt; ``None`` where it is not there."""
        if part.raw is not None:  # of a log of another program, which held it itself
            return PictureFile.of_bytes(part.raw)
        path = self._named(part.source) if part.source else None
        return None if path is None else PictureFile(path)

    def _logged(self, view: StepView) -> Seen:
        """Return a view that the trace names, with its files; its folder holds faces or views."""
        if view.kind == "frame":
            path = self._named(view.source)
            return Seen(view, (None if path is None else PictureFile(path, view.frame or 0),))
        if view.kind in {"cube", "discrete"}:
            count = FACES if view.kind == "cube" else VIEWS
            names = [f"{view.source}/{number}" for number in range(count)]
            files = tuple(self._find_file(name) for name in names)
            return Seen(view, files, self._rotations.get(view.node or ""))
        path = self._named(view.source)
        return Seen(view, (None if path is None else PictureFile(path),))

    def _find_file(self, name: str) -> PictureFile | None:
        for ending in ("jpg", "webp", "png", "jpeg"):
            path = self._named(f"{name}.{ending}")
            if path is not None:
                return PictureFile(path)
        return None

    def _named(self, source: str) -> Path | None:
        if source not in self._found:
            self._found[source] = self.folders.named(source)
        return self._found[source]
