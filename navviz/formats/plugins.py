"""Readers that other packages bring, kept from harming what else is opened.

They come with a system (entry points ``navviz.systems``), or alone (``navviz.formats``, read until
0.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from navviz.errors import InputError, NavVizError, PluginError
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.records import Episode
from navviz.support.installation.plugins import Group, note, working_plugins
from navviz.support.systems import ReaderKind, is_own, load_part, systems
from navviz.world.graph import Graph

Kind = ReaderKind
_PARTS: dict[str, tuple[str, ...]] = {
    "graph": ("name", "handles", "worlds", "read"),
    "episodes": ("name", "handles", "read"),
    "results": ("name", "handles", "read"),
}


def plugin_readers(kind: Kind) -> list[_Guarded]:
    """Return the readers of one kind that other packages bring; broken ones are noted."""
    guarded = _of_systems(kind)
    for name, reader in working_plugins("navviz.formats", _unfit):
        if reader.kind == kind:
            guarded.append(_Guarded("navviz.formats", name, reader))
    return guarded


def _of_systems(kind: Kind) -> list[_Guarded]:
    """Return the readers of other packages' systems, the lowest order first."""
    ranked = []
    for system in systems():
        if not is_own(system):
            ranked += [(reader.order, system, reader.target) for reader in system.readers(kind)]
    ranked.sort(key=lambda entry: entry[0])
    guarded = []
    for _, system, target in ranked:
        try:
            reader = load_part(system, target, lambda offered: _lacking(offered, kind))
        except PluginError:
            continue
        guarded.append(_Guarded("navviz.systems", system.name, reader))
    return guarded


def _unfit(reader: object) -> str | None:
    """Return what keeps a plug-in from being a reader."""
    kind = getattr(reader, "kind", None)
    if kind not in _PARTS:
        return f"does not say what it reads: give it kind = one of {', '.join(_PARTS)}"
    return _lacking(reader, kind)


def _lacking(reader: object, kind: str) -> str | None:
    lacking = [part for part in _PARTS[kind] if not hasattr(reader, part)]
    return f"is no reader: it lacks {', '.join(lacking)}" if lacking else None


class _Guarded:
    """A reader of another package: its errors become sentences, and the next reader is tried."""

    def __init__(self, group: Group, plugin: str, reader: Any) -> None:  # noqa: ANN401 - a protocol of `base`
        self._group, self._plugin, self._reader = group, plugin, reader
        self.name: str = reader.name

    def handles(self, path: Path) -> bool:
        """Whether the reader takes the path; one that fails takes nothing."""
        try:
            return bool(self._reader.handles(path))
        except Exception as error:  # noqa: BLE001 - another package's code may raise anything
            note(
                self._group,
                self._plugin,
                f"failed to look at {path.name} ({type(error).__name__}: {error})",
            )
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
            what = (
                f"the plug-in {self._plugin} ({self.name}) failed to read it"
                f" ({type(error).__name__}: {error})"
            )
            raise InputError(
                what, "tell its authors, or choose another file", file=path.name
            ) from error
