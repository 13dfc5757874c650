"""Write runs as a static site: a folder for any host, or for a talk without one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.kept import explained_run
from navviz.analysis.replays import explained_document, with_findings
from navviz.analysis.site.comparing import comparing
from navviz.analysis.site.redaction import Part, redacted, redacted_causes, without_ground
from navviz.analysis.site.run_parts import grouped, listed, map_parts, run_entry
from navviz.analysis.site.thoughts import RepeatedThoughts
from navviz.errors import InputError, SettingsError
from navviz.runs.listed import thumb_of
from navviz.runs.run import OpenRun
from navviz.support.guarded import head_text, replacing, writing_folder
from navviz.support.version import VERSION
from navviz.views.player.pictures import PictureTable, with_data
from navviz.views.site.files import MARK, badge_svg, chunk_text, index_html, packed, site_assets
from navviz.views.site.schema import SiteDocument, SiteRun

_CHUNK_BYTES = 300_000
"""Packed documents of one chunk: from a disk it is read in some milliseconds."""
_PICTURE_BYTES = 2_000_000
"""For the pictures of one episode, so that it opens in a moment; the player says what is left out.
"""
_THUMBS = 400
"""Thumbnails of one chunk."""
_BADGES = ("SR", "SR_rec", "ISR")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOptions:
    """What a site says about itself, and what it leaves out."""

    title: str = ""
    """The names of the runs where empty."""
    authors: str = ""
    """For the BibTeX entry: names with `` and `` between them."""
    url: str = ""
    """Where it will lie; for the BibTeX entry."""
    licence: str = ""
    source: str = ""
    """Where the runs come from: a paper, a repository."""
    bibtex: str = ""
    """An entry to be shown instead of one about the site."""
    without: frozenset[Part] = frozenset()
    year: int | None = None
    """Of the BibTeX entry; this year where not given."""


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """A site that was written."""

    folder: Path
    episodes: int
    files: int
    size_bytes: int

    @property
    def index(self) -> Path:
        """The page to open."""
        return self.folder / "index.html"


def publish_runs(
    runs: Mapping[str, OpenRun],
    out: Path,
    options: SiteOptions | None = None,
    after: Callable[[int], None] | None = None,
) -> PublishedSite:
    """Write a site of one or several runs.

    Parameters
    ----------
    runs
        By the names that they shall have.
    out
        A folder that is not there, is empty, or holds an older site, which it replaces.
    options
        See `SiteOptions`.
    after
        Called after each episode.

    Raises
    ------
    InputError
        Where there is no run.
    SettingsError
        Where the folder holds something else.
    StoreError
        Where it cannot be written; an older site is still there then.
    """
    if not runs:
        raise InputError("a site needs a run", "name one")
    _check_folder(out)
    # what is replaced is an empty folder or an older site, as was checked before
    with writing_folder(out) as made:
        _Writing(made, options or SiteOptions(), after).write(runs)
        # whatever the user's umask is: a web server reads as somebody else
        made.chmod(0o755)
    files = [path for path in out.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    return PublishedSite(out, sum(len(run.traces) for run in runs.values()), len(files), size)


def _check_folder(out: Path) -> None:
    if not out.exists():
        return
    if not out.is_dir():
        raise SettingsError(f"--out {out}: is a file; name a folder.")
    index = out / "index.html"
    is_site = index.is_file() and MARK in head_text(index, 4000)
    if not is_site and any(out.iterdir()):
        raise SettingsError(f"--out {out}: holds something else than a site; name another folder.")


class _Writing:
    """One site that is being written."""

    def __init__(
        self, folder: Path, options: SiteOptions, after: Callable[[int], None] | None
    ) -> None:
        self.folder, self.options, self.after = folder, options, after
        self.done = 0
        self.indoors = False

    def write(self, runs: Mapping[str, OpenRun]) -> None:
        (self.folder / "data").mkdir(parents=True)
        entries = [self.run(k, name, run) for k, (name, run) in enumerate(runs.items())]
        scores = {name: run.scores for name, run in runs.items()}
        near = any(run.is_near for run in runs.values())
        compared, fault = comparing(scores, near=near)
        options = self.options
        document = SiteDocument(
            title=options.title or ", ".join(runs),
            authors=options.authors,
            url=options.url,
            licence=options.licence,
            source=options.source,
            made_with=f"NavViz {VERSION}",
            without=sorted(options.without),
            runs=entries,
            compare=compared,
            compare_fault=fault,
        )
        # last, since the entry is made of the document
        document = document.model_copy(update={"bibtex": _bibtex(document, options)})
        self.chunk("site", [packed(document.model_dump(mode="json", exclude_none=True))])
        self.put("index.html", index_html(document))
        (self.folder / "assets").mkdir()
        for name, text in site_assets(indoors=self.indoors).items():
            self.put(f"assets/{name}", text)
        for k, entry in enumerate(entries):
            self.badge(k, entry)

    def run(self, number: int, name: str, run: OpenRun) -> SiteRun:
        """Write the chunks of a run and describe it."""
        causes = explained_run(run)
        explained = {key: redacted_causes(one, self.options.without) for key, one in causes.items()}
        alike = grouped(run, self.options.without)
        columns, entries = listed(run, explained, alike)
        self.chunk(f"list-{number}", [packed(columns)])
        self.thumbs(number, run)
        maps = []
        for k, (entry, drawn) in enumerate(map_parts(run)):
            maps.append(entry)
            bare = {"ground": None} if "pictures" in self.options.without else {}
            self.chunk(f"map-{number}-{k}", [packed({**drawn, **bare})])
            self.indoors = self.indoors or entry.frame == "metric"
        parts = {
            "columns": entries,
            "maps": maps,
            "chunk_of": self.episodes(number, run, explained),
            "thumbs": _THUMBS,
        }
        return run_entry(name, run, explained, alike, parts, self.options.without)

    def episodes(
        self, number: int, run: OpenRun, explained: Mapping[str, EpisodeCauses]
    ) -> list[int]:
        """Write the documents in chunks; return the chunk of each episode."""
        chunk_of: list[int] = []
        parts: list[str] = []
        size = chunk = 0
        for document in self.documents(run, explained):
            text = packed(document)
            # a document that is larger than a chunk has one of its own
            if parts and size + len(text) > _CHUNK_BYTES:
                self.chunk(f"episodes-{number}-{chunk}", parts)
                parts, size, chunk = [], 0, chunk + 1
            parts.append(text)
            size += len(text)
            chunk_of.append(chunk)
        self.chunk(f"episodes-{number}-{chunk}", parts)
        return chunk_of

    def documents(
        self, run: OpenRun, explained: Mapping[str, EpisodeCauses]
    ) -> Iterator[dict[str, Any]]:
        for key, trace in run.traces.items():
            graph = run.graph(key)
            # the panels first, so that those that show a prompt go with the prompts
            shown = redacted(with_findings(trace, graph), self.options.without)
            causes = explained[key]
            if "thoughts" in self.options.without:
                causes = RepeatedThoughts(trace).causes_without(causes)
            without = "pictures" in self.options.without
            table = None if without else PictureTable(run.pictures(key))
            document = explained_document(
                shown,
                graph,
                divergence=run.divergences[key],
                causes=causes,
                metrics=run.scores.rows[key],
                pictures=table,
            )
            if table is None:
                yield without_ground(document)
            else:
                yield with_data(document, table, _PICTURE_BYTES)
            self.done += 1
            if self.after is not None:
                self.after(self.done)

    def thumbs(self, number: int, run: OpenRun) -> None:
        has_floor = "pictures" not in self.options.without
        rows = [thumb_of(run, key, has_floor=has_floor) for key in run.outlines]
        # a run without episodes has one chunk, which is empty
        for k in range(0, max(1, len(rows)), _THUMBS):
            self.chunk(f"thumbs-{number}-{k // _THUMBS}", [packed(rows[k : k + _THUMBS])])

    def badge(self, number: int, entry: SiteRun) -> None:
        """Write the badge of a run; the first run's is the site's."""
        figures = {one.metric: one for one in entry.figures}
        chosen = next((figures[name] for name in _BADGES if name in figures), None)
        label = chosen.metric if chosen is not None else "NavViz"
        value = f"{entry.episodes:,} episodes"
        if chosen is not None:
            value = f"{chosen.text} · n = {chosen.n:,}"
        for sentence in entry.marks:
            # a mark's sentence begins with its few words
            value += f" · {re.split('[:;]', sentence)[0].lower()}"
        self.put(f"badge-{number + 1}.svg", badge_svg(label, value))
        if number == 0:
            self.put("badge.svg", badge_svg(label, value))

    def chunk(self, name: str, parts: list[str]) -> None:
        self.put(f"data/{name}.js", chunk_text(name, parts))

    def put(self, name: str, text: str) -> None:
        with replacing(self.folder / name) as part:
            # the same bytes on every system
            part.write_bytes(text.encode())


def _bibtex(document: SiteDocument, options: SiteOptions) -> str:
    """Return the entry that was given, or one about the site."""
    if options.bibtex.strip():
        return options.bibtex.strip()
    year = options.year or datetime.now(UTC).year
    lines = [f"  title = {{{_latex(document.title)}}},"]
    if options.authors:
        lines.append(f"  author = {{{_latex(options.authors)}}},")
    lines.append(f"  year = {{{year}}},")
    if options.url:
        lines.append(f"  howpublished = {{\\url{{{options.url}}}}},")
    lines.append(f"  note = {{Runs published with {document.made_with}}},")
    return "\n".join(["@misc{navviz-site,", *lines, "}"])


def _latex(text: str) -> str:
    """Return a text in which no sign of it is one of BibTeX's."""
    # left out, since they would begin a command or close the field
    for sign in "\\{}":
        text = text.replace(sign, "")
    for sign in "%&$#_":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
