"""Readers that other packages bring (entry points ``navviz.formats``), kept from harming what else is opened."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from navviz.errors import InputError, NavVizError
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.records import Episode
from navviz.support.installation.plugins import note, working_plugins
from navviz.world.graph import Graph

__all__ = ["Kind", "plugin_readers"]

Kind = Literal["graph", "episodes", "results"]
_PARTS: dict[str, tuple[str, ...]] = {
    "graph": ("name", "handles", "worlds", "read"),
    "episodes": ("name", "handles", "read"),
    "results": ("name", "handles", "read"),
}


def plugin_readers(kind: Kind) -> list[_Guarded]:
    """Return the readers of one kind that other packages bring; one that is broken is noted and left out."""
    readers = working_plugins("navviz.formats", _unfit)
    return [_Guarded(name, reader) for name, reader in readers if reader.kind == kind]


def _unfit(reader: object) -> str | None:
    """Return what keeps a plug-in from being a reader."""
    kind = getattr(reader, "kind", None)
    if kind not in _PARTS:
        return f"does not say what it reads: give it kind = one of {', '.join(_PARTS)}"
    lacking = [part for part in _PARTS[kind] if not hasattr(reader, part)]
    return f"is no reader: it lacks {', '.join(lacking)}" if lacking else None


class _Guarded:
    """A reader of another package: whatever it raises is told as a sentence, and the next reader is asked."""

    def __init__(self, plugin: str, reader: Any) -> None:  # noqa: ANN401 - one of the three protocols of `base`
        self._plugin, self._reader = plugin, reader
        self.name: str = reader.name

    def handles(self, path: Path) -> bool:
        """Whether the reader takes the path; one that fails takes nothing."""
        try:
            return bool(self._reader.handles(path))
        except Exception as error:  # noqa: BLE001 - another package's code may raise anything
            note("navviz.formats", self._plugin, f"failed to look at {path.name} ({type(error).__name__}: {error})")
            return False

    def worlds(self, path: Path) -> tuple[str, ...]:
        """Names of the graphs in a path."""
        worlds: tuple[str, ...] = tuple(self._call("worlds", path))
        return worlds

    def read(
        self, path: Path, *arguments: GraphOf | Mapping[str, Episode] | str | None
    ) -> Graph | EpisodeSet | list[Run]:
        """Read the path, as the protocol of the reader's kind says."""
        content: Graph | EpisodeSet | list[Run] = self._call("read", path, *arguments)
        return content

    def _call(self, method: str, path: Path, *arguments: object) -> Any:  # noqa: ANN401
        try:
            return getattr(self._reader, method)(path, *arguments)
        except NavVizError:
            raise
        except Exception as error:
            what = f"the plug-in {self._plugin} ({self.name}) failed to read it ({type(error).__name__}: {error})"
            raise InputError(what, "tell its authors, or choose another file", file=path.name) from error
