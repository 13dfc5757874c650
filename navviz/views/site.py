"""A published site: a folder of static files that shows runs without a server."""

from __future__ import annotations

import base64
import gzip
import html
import json
from typing import Any, Literal

from pydantic import Field

from navviz.views import palette
from navviz.views.player.files import (
    font_css,
    leaflet_css,
    leaflet_js,
    own_file,
    player_css,
    player_js,
)
from navviz.views.player.html import TILES
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
    acts: list[SiteCause]
    """How the decisive acts of its failures were missed."""
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


MARK = "navviz-site"
"""Name of the meta tag by which a folder is known as a site, which may be written anew."""

_LETTER_PX = 7.2
"""Mean width of a letter of a badge, 12 px Verdana; a little more than measured."""

_LABEL = palette.THEMES["light"]["badge-label"]


def packed(value: object) -> str:
    """Return a value as base64 of its gzipped JSON; the same value always gives the same text."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    zipped = gzip.compress(text.encode("utf-8", "replace"), compresslevel=6, mtime=0)
    return base64.b64encode(zipped).decode("ascii")


def chunk_text(name: str, parts: list[str]) -> str:
    """Return a classic script that hands packed parts to the page under a name."""
    return f"navviz_chunk({json.dumps(name)},{json.dumps(parts)});\n"


def site_assets(*, indoors: bool) -> dict[str, str]:
    """Return the scripts and style sheets of a site by file name."""
    files = {
        "leaflet.js": leaflet_js(),
        "leaflet.css": leaflet_css(),
        "player.js": player_js(),
        "player.css": player_css(),
    }
    for name in ("site.js", "site.css", "atlas.js", "atlas.css"):
        files[name] = own_file(name)
    files["site.css"] = f"{font_css()}\n{files['site.css']}"
    if indoors:
        from plotly.offline import get_plotlyjs

        files["plotly.js"] = get_plotlyjs()
    return files


def index_html(document: SiteDocument) -> str:
    """Return the page of a site; texts are escaped, and no script stands in it."""
    # `file:` since 'self' is nothing on a page that has no host
    own = "'self' file:"
    policy = (
        f"default-src 'none'; script-src {own}; style-src {own} 'unsafe-inline'; img-src {own}"
        f" data: {TILES}; font-src data:; base-uri 'none'; form-action 'none'"
    )
    title = html.escape(document.title)
    lines = []
    for run in document.runs:
        # this list is all that a reader without JavaScript gets
        figures = ", ".join(f"{one.metric} {one.text} (n = {one.n:,})" for one in run.figures[:4])
        lines.append(f"<li>{html.escape(run.name)}: {html.escape(figures)}</li>")
    return f"""<!DOCTYPE html>
<html lang="en" class="navviz-site">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="{html.escape(document.made_with)}">
<meta name="{MARK}" content="{document.version}">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="stylesheet" href="assets/site.css">
</head>
<body>
<main id="site" class="nv-site"><h1>{title}</h1><ul>{"".join(lines)}</ul></main>
<noscript>This page needs JavaScript to show lists and replays.</noscript>
<script src="assets/site.js"></script>
<script src="data/site.js"></script>
</body>
</html>
"""


def badge_svg(label: str, value: str) -> str:
    """Return a badge for a README: a label, and a figure with its n."""
    left, right = (round(12 + _LETTER_PX * len(text)) for text in (label, value))
    middles = {label: left / 2, value: left + right / 2}
    parts: list[Any] = []
    for text, middle in middles.items():
        parts.append(f'<text x="{middle:.1f}" y="14">{html.escape(text)}</text>')
    texts = "".join(parts)
    name = html.escape(f"{label}: {value}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img"'
        f' aria-label="{name}"><title>{name}</title><clipPath id="r"><rect'
        f' width="{left + right}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect'
        f' width="{left}" height="20" fill="{_LABEL}"/><rect x="{left}" width="{right}"'
        f' height="20" fill="{palette.GOOD}"/></g><g fill="{palette.PAPER}" text-anchor="middle"'
        ' font-family="Verdana,DejaVu Sans,sans-serif"'
        f' font-size="{palette.SMALL_PX}">{texts}</g></svg>\n'
    )
