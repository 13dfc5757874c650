"""The systems that this installation holds: NavViz's own folders, then those of other packages.

One system is one published agent with what belongs to it: readers, navigators, metrics, scanners,
causes, panels, tables and more. NavViz's own are found by listing ``navviz/systems``, since
installed metadata may be older than a checkout; others come by the entry point group
``navviz.systems``. Both kinds pass `unfit_system`. A `System` names modules as text, so that
listing all of them imports nothing heavy.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from navviz.errors import PluginError
from navviz.support.installation.files import import_root
from navviz.support.installation.plugins import Check, load_plugin, note, plugin_names

ReaderKind = Literal["graph", "episodes", "results"]
PartField = Literal["panels", "exporters", "commands"]

_PACKAGE = "navviz.systems"


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of one foreign format."""

    target: str
    """``module:Class``, see `navviz.formats.base`."""
    order: int = 100
    """Readers are asked in this order, the lowest first; those of other packages come after all of
    NavViz's own.
    """


@dataclass(frozen=True, slots=True)
class MetricFamily:
    """Metrics that only one system defines."""

    target: str
    """A module with ``METRICS`` and ``score_walk``, see `navviz.metrics.registry.Family`."""
    order: int = 100
    """Columns of tables stand in this order; those of other packages come last."""
    navigators: tuple[str, ...] = ()
    """Of another package: whose walks it measures, by the navigator that the header of a trace
    names. Empty stands for the system's own name and its navigators, ``("*",)`` for all runs.
    """


@dataclass(frozen=True, slots=True)
class RatingImporter:
    """What reads the annotations that a system's authors published."""

    target: str
    """``module:function`` of ``(text, file, taxonomy)``; returns ``(where, raw rating)`` of each
    rating.
    """
    title: str
    """For menus, with the usual name of the file."""
    about_run: bool = False
    """Whether the ratings are about the walks of one run, as failure labels are."""


@dataclass(frozen=True, slots=True)
class TablePreset:
    """One table of a paper: which rows, columns and metrics it has. No figure stands here."""

    name: str
    """As in ``navviz table --preset NAME``."""
    title: str
    rows: tuple[str, ...]
    """Groups, see `navviz.analysis.walks.grouping`."""
    metrics: tuple[str, ...]
    """See `navviz.analysis.measures.measure`."""
    columns: str | None = None
    treatment: Literal["own", "authors"] = "own"
    """``authors``: as GROKE's scripts treat episodes that never moved."""
    totals: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One row of a paper's table as it is printed, and the published run that it is of."""

    name: str
    run: str
    """File of the run; empty where no published file holds it."""
    figures: str
    """In the order of the table's columns, with blanks between; a dash where none is printed."""
    episodes: int
    """How many episodes the figures are over."""
    method: str = "json"
    band: str = ""
    """Difficulty band; empty for all episodes."""
    logs: str = ""
    """Folder with the calls of the run, for steps and tokens."""
    correlated: str = ""
    """The metric whose correlation with people's ratings the row prints."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table of a paper as it is printed, for ``navviz diagnose verify --paper``."""

    name: str
    columns: Mapping[str, str]
    """Measure of each heading, see `navviz.analysis.measures.measure`; of a correlation
    ``pearson``, ``pearson_p``, ``spearman`` or ``spearman_p``.
    """
    rows: tuple[PaperRow, ...]
    preset: str = ""
    """The `TablePreset` that prints it."""
    note: str = ""

    def printed(self, row: PaperRow) -> dict[str, str]:
        """Return the figures of a row by heading; a heading is absent where none is printed."""
        figures = zip(self.columns, row.figures.split(), strict=True)
        return {heading: figure for heading, figure in figures if figure != "–"}


@dataclass(frozen=True, slots=True)
class PagePart:
    """What a system adds to a page of the app."""

    page: Literal["explore", "live", "study"]
    """``explore``: under the figures of the run. ``live``: a way to make a new episode. ``study``:
    a section of its own.
    """
    title: str
    target: str
    """``module:function`` that draws it with Streamlit: of the opened run on Explore, of the run
    and the id of the chosen episode on Live, of the study on Study. Only the app imports the
    module.
    """
    applies: str = ""
    """``module:function`` that tells of an opened run whether it has anything to show there. On
    Explore the part is then a panel that a button opens.
    """

    @property
    def slug(self) -> str:
        """Name in addresses: the title in small letters, with dashes."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """What one folder of ``navviz/systems``, or a package of somebody else, brings.

    Every field but the first three may be empty. Targets are ``module:name``, or a module where
    that is said.
    """

    name: str
    """The folder's name, or that of the entry point."""
    title: str
    """For menus and documentation."""
    paper: str
    """Citation with a link; what is exact and what stands in is said in the package's docstring."""
    order: int = 100
    """Place in menus, the lowest first."""
    graph_readers: tuple[Reader, ...] = ()
    episode_readers: tuple[Reader, ...] = ()
    results_readers: tuple[Reader, ...] = ()
    navigators: Mapping[str, str] = field(default_factory=dict)
    """By the name on the command line: ``module:Class``, made without arguments, or
    ``module:object``.
    """
    wrappers: Mapping[str, str] = field(default_factory=dict)
    """Navigators made of another one, ``WRAPPER(NAME)``: ``module:function`` of a navigator."""
    metric_families: tuple[MetricFamily, ...] = ()
    scanners: Mapping[str, str] = field(default_factory=dict)
    """By name: ``module:Class``, see `navviz.analysis.scanners.registry.Scanner`."""
    causes: Mapping[str, str] = field(default_factory=dict)
    """By id: ``module:Class``, see `navviz.systems.causes.CauseDetector`."""
    rating_importers: Mapping[str, RatingImporter] = field(default_factory=dict)
    """By the format's name."""
    mappings: Mapping[str, str] = field(default_factory=dict)
    """By name: ``package:FILE.toml``, a mapping of a result file (`navviz.formats.mapping`)."""
    panels: Mapping[str, str] = field(default_factory=dict)
    """By name: ``module:function`` of ``(trace, graph)``, which returns the trace with more panels
    at its steps, or as it is.
    """
    table_presets: tuple[TablePreset, ...] = ()
    paper_tables: str = ""
    """``module:name`` of a tuple of `PaperTable`: the figures that the paper prints."""
    exporters: Mapping[str, str] = field(default_factory=dict)
    """By the name for ``navviz export --format``: ``module:function`` of traces, which yields the
    text of the file piece by piece.
    """
    commands: Mapping[str, str] = field(default_factory=dict)
    """By the name of the command: ``module:register``, which adds it to a `typer.Typer`."""
    page_parts: tuple[PagePart, ...] = ()

    def readers(self, kind: ReaderKind) -> tuple[Reader, ...]:
        """Return the readers of one kind."""
        by_kind = {
            "graph": self.graph_readers,
            "episodes": self.episode_readers,
            "results": self.results_readers,
        }
        return by_kind[kind]


@cache
def own_systems() -> tuple[System, ...]:
    """Return NavViz's own systems in the order of menus."""
    place = str(import_root() / "navviz" / "systems")
    folders = [module.name for module in pkgutil.iter_modules([place]) if module.ispkg]
    own = [importlib.import_module(f"{_PACKAGE}.{name}").SYSTEM for name in folders]
    return tuple(sorted(own, key=lambda system: (system.order, system.name)))


def systems() -> tuple[System, ...]:
    """Return all systems that work: NavViz's own, then those of other packages by name.

    A package that cannot be loaded, or that takes a name that is in use, is noted
    (`navviz.support.installation.plugins.noticed`) and left out.
    """
    return (*own_systems(), *_foreign(tuple(sys.path)))


@cache
def _foreign(_path: tuple[str, ...]) -> tuple[System, ...]:
    """Return the systems of other packages; read once for each ``sys.path``, as entry points
    are.
    """
    foreign = []
    for name in plugin_names("navviz.systems"):
        try:
            foreign.append(load_plugin("navviz.systems", name, _check_for(name)))
        except PluginError:
            continue
    return tuple(foreign)


def _check_for(name: str) -> Check:
    def check(offered: object) -> str | None:
        return unfit_system(name, offered)

    return check


def unfit_system(name: str, offered: object) -> str | None:
    """Return what keeps an object from being the system of that name; ``None`` where it is fit."""
    if not isinstance(offered, System):
        return "is no navviz.systems.base.System"
    if offered.name != name:
        return f"calls itself {offered.name!r}; name its entry point the same"
    taken = {system.name for system in own_systems()}
    if name in taken:
        return "has the name of one of NavViz's own systems"
    return _wrong_target(offered)


def _wrong_target(system: System) -> str | None:
    """Name the first target that is not written as ``module:name``."""
    targets = []
    for kind in ("graph", "episodes", "results"):
        targets += [reader.target for reader in system.readers(kind)]
    # metric families name whole modules, and mappings name files: neither has this form
    named = (
        system.navigators,
        system.wrappers,
        system.scanners,
        system.causes,
        system.panels,
        system.exporters,
        system.commands,
    )
    for targets_by_name in named:
        targets += targets_by_name.values()
    targets += [importer.target for importer in system.rating_importers.values()]
    targets += [part.target for part in system.page_parts]
    targets += [system.paper_tables] if system.paper_tables else []
    targets += [part.applies for part in system.page_parts if part.applies]
    for target in targets:
        module, colon, attribute = target.partition(":")
        if not (module and colon and attribute):
            return f"names {target!r}; write module:name"
    return None


def is_own(system: System) -> bool:
    """Whether a system lies in ``navviz/systems``."""
    return any(own is system for own in own_systems())


def load_part(system: System, target: str, check: Check) -> Any:  # noqa: ANN401 - whatever stands there
    """Import what a system names, and check that it has the shape that its field asks for.

    Raises
    ------
    PluginError
        Where the system is another package's, and the part cannot be imported or is unfit.
    """
    # a broken part of NavViz itself is shown as the error that it is, not as a note on a plug-in
    if is_own(system):
        return imported(target)
    try:
        loaded = imported(target)
    except Exception as error:
        wrong = f"names {target}, which cannot be imported ({type(error).__name__}: {error})"
        raise PluginError(str(note("navviz.systems", system.name, wrong, target))) from error
    wrong_shape = check(loaded)
    if wrong_shape is not None:
        wrong = f"names {target}, which {wrong_shape}"
        raise PluginError(str(note("navviz.systems", system.name, wrong, target)))
    return loaded


def parts_of(field_name: PartField) -> dict[str, tuple[System, str]]:
    """Return the system and target of all that systems name in a field; the first one wins a
    shared name.
    """
    parts: dict[str, tuple[System, str]] = {}
    for system in systems():
        targets: Mapping[str, str] = getattr(system, field_name)
        for name, target in targets.items():
            parts.setdefault(name, (system, target))
    return parts


def no_function(offered: object) -> str | None:
    """Check for `load_part`: the part has to be callable."""
    return None if callable(offered) else "is no function"


def imported(target: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Import what ``module:name`` names, or a whole module where there is no colon."""
    module, _, attribute = target.partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, attribute) if attribute else loaded
