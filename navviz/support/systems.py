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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Literal, Protocol, get_args

from navviz.errors import PluginError
from navviz.support.installation.files import import_root
from navviz.support.installation.plugins import load_plugin, note, plugin_names

PartField = Literal[
    "graph_readers",
    "episode_readers",
    "results_readers",
    "navigators",
    "wrappers",
    "branches",
    "metric_families",
    "scanners",
    "causes",
    "rating_importers",
    "mappings",
    "panels",
    "choices",
    "remarks",
    "worlds",
    "published",
    "group_tables",
    "answer_scores",
    "paper_tables",
    "exporters",
    "commands",
    "page_parts",
]

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
    """One table of a paper: which rows, columns and metrics it has."""

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
    printed: tuple[tuple[str, str], ...] = ()
    """Rows as the paper prints them, to stand below a user's runs where no published run holds them
    (else they are a `PaperTable`): a name, and the figures in the order of `metrics` with blanks
    between; a dash where none is printed.
    """


@dataclass(frozen=True, slots=True)
class PromptSource:
    """Where a prompt stands in the code that a system's authors publish, and what fills it."""

    name: str
    """Of the prompt, as in ``--prompts``: ``navgpt-gpt-3.5``."""
    navigator: str
    repository: str
    """Owner and name on GitHub."""
    file: str = ""
    """Within the repository."""
    constant: str = ""
    """Name of the user's text, ``SCOPE.NAME`` within functions."""
    user: str = ""
    """The user's text in our words, where the code puts it together of many pieces."""
    system: str = ""
    """Name of the text that becomes the system message, where there is one."""
    holes: Mapping[str, str] = field(default_factory=dict)
    """What stands in each hole, in our fields; ``@NAME`` is another constant of the file."""
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Values of settings that it belongs to; ``as_published`` takes it with these alone."""
    note: str = ""
    """What the repository lacks, or what stays ours."""


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


@dataclass(frozen=True, slots=True)
class PanelChoice:
    """Panels beside a walk for whoever asks for them, in one of several ways."""

    target: str
    """``module:function`` of ``(trace, graph, option)``; returns the trace with these panels."""
    applies: str
    """``module:function`` of ``(trace, graph)``: whether they can stand beside the walk."""
    label: str
    """On the button."""
    title: str
    help: str
    options: Mapping[str, str]
    """What to choose from, by the name in links; the first one is what a notebook shows."""


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
    branches: Mapping[str, str] = field(default_factory=dict)
    """By the name of a navigator without a model: ``module:Class``, see
    `navviz.systems.branches.Branches`.
    """
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
    choices: Mapping[str, PanelChoice] = field(default_factory=dict)
    """Panels to choose, by the name of the choice in links."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """By name: ``module:function`` of ``(trace, graph)``, which returns a sentence about the walk
    to stand under its replay, or nothing.
    """
    worlds: Mapping[str, str] = field(default_factory=dict)
    """By the beginning of a world's name: ``module:name``, see `navviz.runs.graphs.WorldKind`."""
    published: str = ""
    """A module that knows the runs that its authors published, see `navviz.systems.base.Published`.
    """
    group_tables: Mapping[str, str] = field(default_factory=dict)
    """By name: ``module:function`` of ``(run, graph_of, success, lengths)``, for ``navviz score
    --groups``: a table and its problems, or nothing for runs of another kind; the first one counts.
    """
    answer_scores: Mapping[str, str] = field(default_factory=dict)
    """By the option of ``navviz score``: ``module:function`` of the files with the true and the
    given answers; returns figures by name.
    """
    table_presets: tuple[TablePreset, ...] = ()
    prompt_sources: tuple[PromptSource, ...] = ()
    """The prompts in its authors' code, for ``navviz data prompts``."""
    paper_tables: str = ""
    """``module:name`` of a tuple of `PaperTable`: the figures that the paper prints."""
    exporters: Mapping[str, str] = field(default_factory=dict)
    """By the name for ``navviz export --format``: ``module:function`` of traces, which yields the
    text of the file piece by piece.
    """
    commands: Mapping[str, str] = field(default_factory=dict)
    """By the name of the command: ``module:register``, which adds it to a `typer.Typer`."""
    page_parts: tuple[PagePart, ...] = ()


NAVVIZ = System(name="navviz", title="NavViz", paper="")
"""Stands for what NavViz brings besides its systems."""


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
    """Return other packages' systems; read once for each ``sys.path``."""
    foreign = []
    for name in plugin_names("navviz.systems"):
        try:
            foreign.append(load_plugin("navviz.systems", name, partial(unfit_system, name)))
        except PluginError:
            continue
    return tuple(foreign)


def unfit_system(name: str, offered: object) -> str | None:
    """Return what keeps an object from being the system of that name; ``None`` where it is fit."""
    if not isinstance(offered, System):
        return "is no navviz.systems.base.System"
    if offered.name != name:
        return f"calls itself {offered.name!r}; name its entry point the same"
    taken = {system.name for system in own_systems()}
    if name in taken:
        return "has the name of one of NavViz's own systems"
    for field_name in get_args(PartField):
        # these name whole modules or files
        if field_name in {"metric_families", "published", "mappings"}:
            continue
        for _, entry in _named(offered, field_name):
            written = [entry] if isinstance(entry, str) else [entry.target]
            if getattr(entry, "applies", ""):
                written.append(entry.applies)
            for target in written:
                module, colon, attribute = target.partition(":")
                if not (module and colon and attribute):
                    return f"names {target!r}; write module:name"
    return None


def is_own(system: System) -> bool:
    """Whether a system lies in ``navviz/systems``."""
    return any(own is system for own in own_systems())


@dataclass(frozen=True, slots=True)
class OfferedPart:
    """One thing that a system brings: imported when asked for, a stranger's guarded."""

    field: PartField
    name: str
    """Its key where the field is a mapping, else its target."""
    system: System
    """`NAVVIZ` for what NavViz has outside of its systems."""
    entry: Any
    """What stands in the field: a target, something with a `target`, or the loaded thing itself."""
    protocol: Any
    """What it has to be, see `offered`."""

    @property
    def is_own(self) -> bool:
        """Whether it is NavViz's, so that its error is a fault of NavViz and never hidden."""
        return self.system is NAVVIZ or is_own(self.system)

    @property
    def target(self) -> str:
        """``module:name``, or a module."""
        return str(getattr(self.entry, "target", self.entry))

    def load(self, target: str = "") -> Any:  # noqa: ANN401 - whatever stands there
        """Import it, or another `target` of its entry, and check that it is what the field asks
        for; what is asked for as an object is made of a class.

        Raises `PluginError` where it is another package's, and cannot be imported, is unfit or
        cannot be made.
        """
        target = target or self.target
        wrong = f"names {target}, which cannot be imported"
        try:
            loaded = self.entry if isinstance(self.entry, type) else imported(target)
            unfit = None if self.is_own else self._unfit(loaded)
            if unfit is None and self.field in _MADE and isinstance(loaded, type):
                wrong = "cannot be made"
                loaded = loaded()
        except Exception as error:
            if self.is_own:
                raise
            raise self.refused(f"{wrong} ({type(error).__name__}: {error})") from error
        if unfit is not None:
            raise self.refused(f"names {target}, which {unfit}")
        return loaded

    def _unfit(self, loaded: object) -> str | None:
        """Return what keeps a loaded object from being what its field asks for."""
        if Protocol not in self.protocol.__bases__:
            noun = {Callable: "function"}.get(self.protocol, self.protocol.__name__)
            return None if isinstance(loaded, self.protocol) else f"is no {noun}"
        members = (*self.protocol.__annotations__, *vars(self.protocol))
        public = [member for member in members if not member.startswith("_")]
        lacking = [member for member in public if not hasattr(loaded, member)]
        if lacking:
            return f"is no {_NOUNS[self.field]}: it lacks {', '.join(lacking)}"
        # traces and links hold its own name, and it is looked up by that again
        own_name = getattr(loaded, "id" if "id" in public else "name", None)
        if self.field in _MADE and own_name != self.name:
            return f"calls itself {own_name!r}; name it the same in System.{self.field}"
        return None

    def refused(self, wrong: str) -> PluginError:
        """Note what is wrong with it; returns the error that says so."""
        return PluginError(str(note("navviz.systems", self.system.name, wrong, self.target)))

    @contextmanager
    def guarded(self, wrong: str) -> Iterator[None]:
        """Note an error of a stranger's code and go on; one of NavViz's own is raised.

        `wrong`: what it then does: ``fails on episode 7``.
        """
        try:
            yield
        except Exception as error:
            if self.is_own:
                raise
            self.refused(f"{wrong} ({type(error).__name__}: {error})")


_MADE = ("navigators", "scanners", "causes")
"""Fields whose targets may be classes, of which one object is made without arguments."""

_NOUNS: Mapping[PartField, str] = {
    "graph_readers": "reader",
    "episode_readers": "reader",
    "results_readers": "reader",
    "navigators": "navigator",
    "metric_families": "family of metrics",
    "published": "module about published runs",
    "scanners": "scanner",
    "causes": "detector of causes",
}


def _named(system: System, field_name: PartField) -> Iterable[tuple[str, Any]]:
    """Return name and entry of all that a system names in a field."""
    entries = getattr(system, field_name)
    if isinstance(entries, str):
        return [(system.name, entries)] if entries else []
    if isinstance(entries, Mapping):
        return entries.items()
    return [(entry.target, entry) for entry in entries]


def offered(
    field_name: PartField,
    protocol: Any = Callable,  # noqa: ANN401 - a protocol or a class
    own: Mapping[str, Any] | None = None,
) -> dict[str, OfferedPart]:
    """Return all that systems bring in a field, by name; the first one keeps a shared name.

    `field_name`: a field of `System`. `protocol`: what each part has to be: a protocol, whose
    members are checked, or a class. `own`: what NavViz brings besides its systems, by name. Returns
    navViz's own parts first; where entries have an `order`, the lowest first.
    """
    parts = [
        OfferedPart(field_name, name, NAVVIZ, entry, protocol)
        for name, entry in (own or {}).items()
    ]
    for system in systems():
        for name, entry in _named(system, field_name):
            parts.append(OfferedPart(field_name, name, system, entry, protocol))
    parts.sort(key=lambda part: (not part.is_own, getattr(part.entry, "order", 0)))
    by_name: dict[str, OfferedPart] = {}
    for part in parts:
        by_name.setdefault(part.name, part)
    return by_name


def working(parts: Iterable[OfferedPart]) -> Iterator[tuple[OfferedPart, Any]]:
    """Yield each part that can be loaded, with what was loaded; the others are noted."""
    for part in parts:
        with suppress(PluginError):
            yield part, part.load()


def imported(target: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Import what ``module:name`` names, or a whole module where there is no colon."""
    module, _, attribute = target.partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, attribute) if attribute else loaded
