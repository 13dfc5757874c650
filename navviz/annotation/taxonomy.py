"""The failure taxonomy: dimension, category, subcategory, each with a code; one versioned JSON
file.

A team may put its own ``taxonomy.json`` into the workspace. A later version carries crosswalks from
the earlier ones, so that old labels can still be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from navviz.annotation.records import FailureLabel, Failures
from navviz.errors import InputError
from navviz.records import Record
from navviz.support.guarded import is_there, read_text
from navviz.support.installation.files import asset

Level = Literal["dimension", "category", "subcategory"]
FILE_NAME = "taxonomy.json"


class Subcategory(Record):
    """The finest label."""

    code: str
    title: str
    help: str = ""


class Category(Record):
    """Subcategories of one kind."""

    code: str
    title: str
    help: str = ""
    subcategories: tuple[Subcategory, ...] = ()


class Dimension(Record):
    """One of the axes."""

    code: str
    title: str
    help: str = ""
    categories: tuple[Category, ...] = ()


class Crosswalk(Record):
    """How an earlier version's codes map to this one; codes not listed kept their meaning."""

    from_version: int
    codes: Mapping[str, tuple[str, ...]]
    """One old code to none, one or several new ones."""


class Label(Record):
    """A code with what a menu shows of it."""

    code: str
    level: Level
    titles: tuple[str, ...]
    """Titles from the dimension down."""
    codes: tuple[str, ...]
    """Codes from the dimension down, its own last."""
    help: str = ""


class Taxonomy(Record):
    """One version of a taxonomy."""

    name: str
    version: int = Field(ge=1)
    title: str = ""
    dimensions: tuple[Dimension, ...] = Field(min_length=1)
    suggestions: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Codes to suggest for a kind of divergence (see `navviz.metrics.divergence`), or for a
    contradiction between instruction and route (``contradiction: turn``; see
    `navviz.analysis.contradictions`).
    """
    crosswalks: tuple[Crosswalk, ...] = ()
    foreign: Mapping[str, Mapping[str, tuple[str, ...]]] = Field(default_factory=dict)
    """What the labels of others are here, by the name of their scheme: each label to none, one or
    several codes.
    """

    def labels(self) -> list[Label]:
        """All codes, parents before their children."""
        return list(self._walk())

    def _walk(self) -> Iterator[Label]:
        for d in self.dimensions:
            yield Label(
                code=d.code, level="dimension", titles=(d.title,), codes=(d.code,), help=d.help
            )
            for c in d.categories:
                titles, codes = (d.title, c.title), (d.code, c.code)
                yield Label(code=c.code, level="category", titles=titles, codes=codes, help=c.help)
                for s in c.subcategories:
                    yield Label(
                        code=s.code,
                        level="subcategory",
                        titles=(*titles, s.title),
                        codes=(*codes, s.code),
                        help=s.help,
                    )

    def label(self, code: str) -> Label:
        """One label; raises `InputError` for a code that is not there."""
        for label in self._walk():
            if label.code == code:
                return label
        raise InputError(
            f"code {code} is not in {self.name} version {self.version}", "choose one of its codes"
        )

    def at_level(self, codes: Iterable[str], level: Level) -> frozenset[str]:
        """Codes cut down to a level; a coarser label than asked for stays as it is."""
        depth = ("dimension", "category", "subcategory").index(level) + 1
        codes_of = {label.code: label.codes for label in self._walk()}
        return frozenset(codes_of[code][:depth][-1] for code in codes if code in codes_of)

    def translate(self, failures: Failures) -> tuple[Failures, tuple[str, ...]]:
        """Labels of an earlier version in this one, and the codes that found no place.

        Steps and notes stay; an old code with several new ones becomes several labels.
        """
        present = {label.code for label in self._walk()}
        walk = self._crosswalk(failures.taxonomy_version)
        placed: list[FailureLabel] = []
        lost: list[str] = []
        for label in failures.labels:
            # an empty entry of the crosswalk is another thing than none: the code was given up
            targets = [code for code in walk.get(label.code, (label.code,)) if code in present]
            placed.extend(label.model_copy(update={"code": code}) for code in targets)
            if not targets:
                lost.append(label.code)
        update = {"taxonomy": self.name, "taxonomy_version": self.version, "labels": tuple(placed)}
        return failures.model_copy(update=update), tuple(lost)

    def _crosswalk(self, version: int) -> Mapping[str, tuple[str, ...]]:
        if version == self.version:
            return {}
        for crosswalk in self.crosswalks:
            if crosswalk.from_version == version:
                return crosswalk.codes
        raise InputError(
            f"{self.name} version {self.version} has no crosswalk from version {version}",
            "add one to the taxonomy file",
            field="crosswalks",
        )


def read_taxonomy(path: Path) -> Taxonomy:
    """Read and check a taxonomy file; raises `InputError` that names every fault."""
    try:
        taxonomy = Taxonomy.model_validate_json(read_text(path))
    except ValidationError as error:
        wrong = []
        for fault in error.errors()[:5]:  # one mistake may break every label
            where = ".".join(map(str, fault["loc"])) or "file"
            wrong.append(f"{where}: {fault['msg'].lower()}")
        raise InputError("; ".join(wrong), "mend the file", file=path.name) from error
    faults = list(_faults(taxonomy))
    if faults:
        raise InputError("; ".join(faults), "mend the file", file=path.name)
    return taxonomy


def _faults(taxonomy: Taxonomy) -> Iterator[str]:
    labels = taxonomy.labels()
    counts = Counter(label.code for label in labels)
    for code, n in counts.items():
        if n > 1 and code.strip():
            yield f"code {code} occurs {n} times"
    for label in labels:
        if not label.code.strip():
            yield f"“{' / '.join(label.titles)}” has no code"
    for label in labels:
        if not label.titles[-1].strip():
            yield f"code {label.code} has no title"
    yield from _missing_codes(taxonomy, counts)


def _missing_codes(taxonomy: Taxonomy, counts: Counter[str]) -> Iterator[str]:
    """Name codes that suggestions, foreign labels and crosswalks lead to and that are not there."""
    for kind, codes in taxonomy.suggestions.items():
        for code in set(codes) - counts.keys():
            yield f"the suggestion for “{kind}” names code {code}, which is not there"
    for scheme, walk in taxonomy.foreign.items():
        for code in sorted(set(chain.from_iterable(walk.values())) - counts.keys()):
            yield f"the foreign labels {scheme} name code {code}, which is not there"
    for crosswalk in taxonomy.crosswalks:
        for code in sorted(set(chain.from_iterable(crosswalk.codes.values())) - counts.keys()):
            yield f"the crosswalk from version {crosswalk.from_version} names code {code}"
        if crosswalk.from_version >= taxonomy.version:
            yield f"a crosswalk comes from version {crosswalk.from_version}, which is not earlier"


def bundled_taxonomy() -> Taxonomy:
    """Return the taxonomy that comes with NavViz."""
    return read_taxonomy(asset("taxonomy_v1.json"))


def workspace_taxonomy(workspace: Path) -> Taxonomy:
    """Return the team's own ``taxonomy.json`` in the workspace, or the bundled one."""
    own = workspace / FILE_NAME
    return read_taxonomy(own) if is_there(own) else bundled_taxonomy()
