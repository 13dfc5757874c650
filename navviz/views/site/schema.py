"""What a published site is given beside the players' documents: runs, columns, figures, sources.

``assets/player/src/site`` reads it; its types stand in ``site/types.d.ts``. Only one file of a site
holds it, so that the first page is there at once; lists, maps and episodes lie in chunks.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from navviz.views.player.schema_world import Part

SITE_VERSION = 1


class SiteFigure(Part):
    """The mean of a metric with its 95 % interval."""

    metric: str
    title: str
    unit: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int
    """Episodes that the mean is over."""
    text: str
    """The value as people read it."""
    span: str = ""
    """The interval as people read it; empty where there is none."""


class ShareEntry(Part):
    """A share of episodes with its 95 % interval."""

    value: float
    low: float | None = None
    high: float | None = None
    n: int


class SiteCause(Part):
    """How often a cause was found in a run."""

    id: str
    """By which links and filters know it."""
    name: str
    hint: bool
    likely: int
    """Failures whose likely cause it is."""
    failed: ShareEntry | None = None
    succeeded: ShareEntry | None = None


class SiteGroup(Part):
    """Failures that use the same words."""

    id: str
    """By which links and the list's column know it."""
    words: str
    failures: int
    share: ShareEntry
    """Of the failures that have words."""
    example: str
    """The most typical episode, and how its text begins."""


class SiteColumn(Part):
    """A column of the list."""

    name: str
    label: str
    help: str
    kind: Literal["text", "number", "tags"]
    digits: int | None = None
    filter: Literal["choice", "tags", "range"] | None = None
    labels: dict[str, str] | None = None
    """What people read for a value, where filters know it by an id."""


class SiteMap(Part):
    """One map of walks: a world, or one floor of a house."""

    name: str
    walks: int
    frame: Literal["geo", "metric"]
    attribution: str | None = None
    corners: list[list[float]] | None = None


class SiteFile(Part):
    """A file that the figures were computed from."""

    role: str
    name: str
    sha256: str | None = None


class SiteRun(Part):
    """One published run."""

    name: str
    navigator: str
    model: str | None = None
    episodes: int
    summary: str
    marks: list[str] = Field(default_factory=list)
    """What has to be said beside its figures, one sentence each; see `navviz.runs.marks`."""
    figures: list[SiteFigure]
    columns: list[SiteColumn]
    causes: list[SiteCause]
    failures: int
    groups: list[SiteGroup] = Field(default_factory=list)
    groups_note: str = ""
    """What the groups count by; empty where there are none."""
    maps: list[SiteMap]
    chunk_of: list[int]
    """Of each episode, in file order, the chunk that holds its document."""
    thumbs: int
    """Episodes of one chunk of thumbnails."""
    about: list[tuple[str, str]]
    """Where the figures come from: names and values."""
    files: list[SiteFile]
    notes: list[str] = Field(default_factory=list)


class ComparedFigure(Part):
    """One metric of one run on the shared episodes, beside the baseline."""

    metric: str
    run: str
    text: str
    span: str
    n: int
    difference: str = ""
    """Of the baseline, with its interval."""
    pairs: int = 0
    """Episodes of the difference: those that both runs have a figure of."""
    p: str = ""
    """Adjusted over all metrics and runs (Holm 1979)."""
    test: str = ""


class Comparing(Part):
    """The published runs on the episodes that all of them walked."""

    baseline: str
    episodes: int
    figures: list[ComparedFigure]
    note: str


class SiteDocument(Part):
    """Everything that the first page of a site needs."""

    version: int = SITE_VERSION
    title: str
    authors: str = ""
    url: str = ""
    licence: str = ""
    source: str = ""
    bibtex: str = ""
    made_with: str
    without: list[str] = Field(default_factory=list)
    runs: list[SiteRun]
    compare: Comparing | None = None
    compare_fault: str = ""
    """Why the runs cannot be compared."""
