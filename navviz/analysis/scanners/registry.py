"""Scanners by name: NavViz's own, then those of other packages (entry point
``navviz.scanners``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from navviz.analysis.scanners.base import ScanHit, Scanner
from navviz.analysis.scanners.rules import (
    DroppedTurn,
    OtherSide,
    SamePlace,
    TextAgainstRoute,
    UnknownId,
    WordsRemain,
)
from navviz.errors import PluginError, SettingsError
from navviz.language.readable import readable_trace
from navviz.records import Trace
from navviz.support.installation.plugins import instance, load_plugin, note, plugin_names
from navviz.support.systems import System, load_part, systems
from navviz.world.graph import Graph

_SCANNERS = (OtherSide, UnknownId, SamePlace, WordsRemain, DroppedTurn, TextAgainstRoute)
_OWN: Mapping[str, Callable[[], Scanner]] = {scanner.name: scanner for scanner in _SCANNERS}
_PARTS = ("name", "title", "help", "scan")


def scanner_names() -> tuple[str, ...]:
    """Return all names, those of other packages last."""
    names = dict.fromkeys((*_OWN, *_targets(), *plugin_names("navviz.scanners")))
    return tuple(names)


def _targets() -> dict[str, tuple[System, str]]:
    """Return the system and place of each scanner that a system brings."""
    targets: dict[str, tuple[System, str]] = {}
    for system in systems():
        for name, target in system.scanners.items():
            targets.setdefault(name, (system, target))
    return targets


def get_scanners(names: Sequence[str] = ()) -> list[Scanner]:
    """Return the scanners of these names, or all that work.

    Raises
    ------
    SettingsError
        When there is none of a name; `PluginError` when another package brings it, and it cannot be
        used.
    """
    unknown = [name for name in names if name not in scanner_names()]
    if unknown:
        raise SettingsError(
            f"There is no scanner {unknown[0]!r}; choose of: {', '.join(scanner_names())}."
        )
    if names:
        return [_scanner(name) for name in dict.fromkeys(names)]
    working = []
    for name in scanner_names():
        try:
            working.append(_scanner(name))
        except PluginError:
            continue
    return working


def _scanner(name: str) -> Scanner:
    if name in _OWN:
        return _OWN[name]()

    def check(offered: object) -> str | None:
        return _unfit(name, offered)

    if name not in _targets():
        offered = load_plugin("navviz.scanners", name, check)
        return cast("Scanner", instance("navviz.scanners", name, offered))
    system, target = _targets()[name]
    offered = load_part(system, target, check)
    return cast("Scanner", instance("navviz.systems", system.name, offered))


def _unfit(name: str, offered: Any) -> str | None:  # noqa: ANN401 - whatever the package offers
    """Return what keeps a plug-in from being a scanner."""
    lacking = [part for part in _PARTS if not hasattr(offered, part)]
    if lacking:
        return f"is no scanner: it lacks {', '.join(lacking)}"
    return (
        None
        if offered.name == name
        else f"calls itself {offered.name!r}; name its entry point the same"
    )


def scan_run(
    traces: Mapping[str, Trace], graph_of: Callable[[str], Graph], scanners: Sequence[Scanner]
) -> dict[str, list[ScanHit]]:
    """Scan all traces of a run; returns the hits of each scanner by its name, in the order of the
    run.

    A scanner of another package that fails is noted (see `noticed` in
    `navviz.support.installation.plugins`), and keeps what it has.
    """
    hits: dict[str, list[ScanHit]] = {scanner.name: [] for scanner in scanners}
    working = list(scanners)
    # a trace after the other: scanners share what was read of a text, and a lazy run reads once
    for trace in traces.values():
        graph, read = graph_of(trace.episode.world), readable_trace(trace)
        for scanner in tuple(working):
            try:
                hits[scanner.name] += scanner.scan(read, graph)
            except Exception as error:
                if scanner.name in _OWN:
                    raise
                working.remove(scanner)
                fault = f"fails on episode {trace.episode.id} ({type(error).__name__}: {error})"
                note("navviz.scanners", scanner.name, fault)
    return hits
