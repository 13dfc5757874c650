"""Write runs as a static site: a folder for any host, or for a talk without one."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from navviz.analysis.act_counts import ACT_LABELS, act_counts, act_slugs
from navviz.analysis.alike import (
    AlikeFailures,
    AlikeGroup,
    alike_failures,
    alike_groups,
    alike_sentence,
)
from navviz.analysis.causes.counting import (
    NO_CAUSE_ID,
    cause_counts,
    cause_labels,
    explained_run,
    leading_ids,
)
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.compare import Headline, compare_scores, headlines
from navviz.analysis.family import Difference
from navviz.analysis.significance import Inference, compare_to_baseline
from navviz.analysis.site.documents import published_document
from navviz.analysis.site.redaction import (
    Part,
    is_picture,
    published_settings,
    redacted_causes,
    without_addresses,
)
from navviz.analysis.what_if.kept import ready_what_ifs
from navviz.errors import InputError, SettingsError
from navviz.metrics.intervals import Interval
from navviz.metrics.registry import format_value, shown_in
from navviz.metrics.score import RunScore
from navviz.records.base import plural
from navviz.runner.provenance import Provenance, counted_names, provenance_of
from navviz.runs.episode_list import column_entries, list_columns, thumb_of
from navviz.runs.run import OpenRun
from navviz.support.guarded import head_text, json_text, parse_json, replacing, writing_folder
from navviz.support.version import VERSION
from navviz.views.figures.atlas import PackedAtlas, pack_atlas, walked_floors
from navviz.views.site import (
    MARK,
    ComparedFigure,
    Comparing,
    ShareEntry,
    SiteCause,
    SiteColumn,
    SiteDocument,
    SiteFigure,
    SiteFile,
    SiteGroup,
    SiteMap,
    SiteRun,
    badge_svg,
    chunk_text,
    index_html,
    packed,
    site_assets,
)


def grouped(run: OpenRun, without: Collection[Part]) -> AlikeFailures | None:
    """Return the failures of a run by their words, as Explore groups them.

    ``None`` where there are no groups, and where they count by thoughts that are left out: the
    words of a group, and its example, are the model's.
    """
    alike = alike_failures(run)
    if not alike.clusters or (alike.basis == "said" and "thoughts" in without):
        return None
    return alike


def listed(
    run: OpenRun, explained: Mapping[str, EpisodeCauses], alike: AlikeFailures | None
) -> tuple[dict[str, list[Any]], list[SiteColumn]]:
    """Return the columns of a run's list and what each is; causes by their ids, as in links."""
    table = run.listing()
    table = table.assign(
        act=table["episode"].map(act_slugs(explained)),
        cause=table["episode"].map(leading_ids(explained)),
    )
    if alike is not None:
        table = table.assign(words=table["episode"].map(alike.ids).astype(object))
    columns = list_columns(table)
    labels = {"act": dict(ACT_LABELS), "cause": cause_labels(columns.get("cause", []))}
    if alike is not None:
        labels["words"] = alike.labels
    return columns, column_entries(columns, labels, near=run.is_near)


def run_entry(
    name: str,
    run: OpenRun,
    explained: Mapping[str, EpisodeCauses],
    alike: AlikeFailures | None,
    parts: Mapping[str, Any],
    without: Collection[Part] = (),
) -> SiteRun:
    """Describe a run."""
    provenance = provenance_of(run)
    failures = sum(one.success is False for one in explained.values())
    entries = []
    for count in act_counts(explained):
        share = _share(count.share)
        entry = SiteCause(
            id=count.slug, name=count.name, hint=False, likely=count.failures, failed=share
        )
        entries.append(entry)
    return SiteRun(
        name=name,
        navigator=run.run.navigator,
        model=", ".join(_bare(provenance.models)) or None,
        episodes=len(run.traces),
        summary=run.scores.summary(),
        marks=[mark.sentence for mark in run.marks],
        figures=[_figure(one) for one in headlines(run.scores, near=run.is_near)],
        acts=entries,
        causes=_causes(explained),
        failures=failures,
        groups=[] if alike is None else list(map(_group, alike_groups(alike))),
        groups_note="" if alike is None else alike_sentence(alike),
        about=list(_about(provenance, without)),
        files=list(_files(provenance, pictures="pictures" not in without)),
        notes=_notes(run, without),
        **parts,
    )


def _figure(headline: Headline) -> SiteFigure:
    metric, interval = headline.metric, headline.interval
    return SiteFigure(
        metric=metric.name,
        title=metric.title,
        unit=metric.unit,
        value=interval.mean,
        low=interval.low,
        high=interval.high,
        n=interval.episodes,
        text=headline.text,
        span=headline.span,
    )


def _causes(explained: Mapping[str, EpisodeCauses]) -> list[SiteCause]:
    entries = []
    for count in cause_counts(explained):
        entry = SiteCause(
            id=NO_CAUSE_ID if count.id is None else count.id,
            name=count.name,
            hint=count.grade == "hint",
            likely=count.likely + count.hinted,
            failed=_share(count.failed),
        )
        entries.append(entry)
    return entries


def _group(group: AlikeGroup) -> SiteGroup:
    share = group.share
    return SiteGroup(
        id=group.id,
        words=group.words,
        failures=group.count,
        share=ShareEntry(value=share.mean, low=share.low, high=share.high, n=share.episodes),
        example=group.example,
    )


def _share(interval: Interval | None) -> ShareEntry | None:
    if interval is None:
        return None
    return ShareEntry(
        value=interval.mean, low=interval.low, high=interval.high, n=interval.episodes
    )


def _bare(models: Mapping[str, int]) -> Counter[str]:
    """Count episodes by the models' names without their addresses."""
    bare = Counter[str]()
    for name, count in models.items():
        bare[without_addresses(name)] += count
    return bare


def _about(provenance: Provenance, without: Collection[Part]) -> Iterator[tuple[str, str]]:
    yield "Navigator", counted_names(provenance.navigators)
    yield "Model", counted_names(_bare(provenance.models)) or "none stated"
    yield "Walked with", counted_names(provenance.code_versions)
    if provenance.created:
        yield "Begun", provenance.created
    yield "Scored with", provenance.scored_with
    for written, count in provenance.settings.items():
        several = len(provenance.settings) > 1
        settings = json.dumps(
            published_settings(parse_json(written, "settings"), without), sort_keys=True
        )
        yield "Settings", f"{settings} ({count})" if several else settings


def _files(provenance: Provenance, *, pictures: bool) -> Iterator[SiteFile]:
    """Name files without their folders, which are nobody's business."""
    for file in provenance.files:
        if file.role == "begun with":
            continue  # no figure of the site hangs on it, and its name may be private
        name = re.split(r"[/\\]", file.path.rstrip("/\\"))[-1]
        if is_picture(name) and not pictures:
            continue  # a name may say what it shows, and a digest proves which picture it is
        yield SiteFile(role=file.role, name=name, sha256=file.sha256)


def _notes(run: OpenRun, without: Collection[Part]) -> list[str]:
    if not run.problems.count:
        return []
    if "pictures" in without:  # the first may be of a picture, and names it
        return [f"{run.problems.count} problems in its files"]
    first = str(run.problems.kept[0]) if run.problems.kept else ""
    return [f"{run.problems.count} problems in its files; the first: {first}"]


def map_parts(run: OpenRun) -> Iterator[tuple[SiteMap, dict[str, Any]]]:
    """Yield the maps of a run, the most walked first, each with what the map's script draws."""
    for world in run.worlds:
        graph, walks = run.map_walks(world)
        if graph.frame == "geo":
            packed = pack_atlas(graph, walks)
            yield _map(world, len(walks), packed), packed.drawn
            continue
        # walks of several floors would lie over each other on one map
        for floor, count in walked_floors(graph, walks).items():
            packed = pack_atlas(graph, walks, floor=floor)
            yield _map(f"{world}, floor {floor}", count, packed), packed.drawn


def _map(name: str, walks: int, packed: PackedAtlas) -> SiteMap:
    frame = "geo" if packed.frame == "geo" else "metric"
    return SiteMap(
        name=name,
        walks=walks,
        frame=frame,
        attribution=packed.attribution or None,
        corners=packed.corners,
    )


def comparing(
    scores: Mapping[str, RunScore], *, near: bool = False
) -> tuple[Comparing | None, str]:
    """Compare runs with the first of them; returns what is shown, or why there is nothing.

    Both are empty for a single run. `near` shows lengths with centimetres.
    """
    if len(scores) < 2:
        return None, ""
    try:
        means = compare_scores(scores).means
        # the comparison refuses a metric that no run has
        named = [metric.name for metric in shown_in("site") if any(_values(means, metric.name))]
        if not named:
            return None, "These runs have no figure that could be compared."
        inference = compare_to_baseline(scores, metrics=named)
    except InputError as error:
        return None, str(error)
    figures = []
    for metric, runs in inference.means.items():
        for run, interval in runs.items():
            if interval is not None:
                figures.append(_compared_figure(inference, metric, run, interval, near=near))
    count = len(inference.comparison.episodes)
    note = (
        f"Means over the {plural(count, 'episode')} that all runs walked, with 95 % intervals; p of"
        f" paired tests; {inference.family_note}. The intervals go with the tests as they are"
        " before p is adjusted: one may leave out zero where the adjusted p is above 0.05."
    )
    return Comparing(baseline=inference.baseline, episodes=count, figures=figures, note=note), ""


def _values(means: Mapping[str, Mapping[str, float | None]], metric: str) -> list[bool]:
    return [value is not None for value in means.get(metric, {}).values()]


def _compared_figure(
    inference: Inference, metric: str, run: str, interval: Interval, *, near: bool
) -> ComparedFigure:
    difference = inference.difference(metric, run)
    figure = ComparedFigure(
        metric=metric,
        run=run,
        text=format_value(metric, interval.mean, near=near),
        span=_span(metric, interval, near=near),
        n=interval.episodes,
    )
    if difference is None:
        return figure
    return figure.model_copy(update=_tested(difference, near=near))


def _tested(difference: Difference, *, near: bool) -> dict[str, str | int]:
    interval, metric = difference.interval, difference.metric
    sign = "+" if interval.mean > 0 else ""
    span = _span(metric, interval, near=near) or "no interval"
    # a difference of rates is no per cent of anything
    text = f"{sign}{format_value(metric, interval.mean, near=near)} ({span})".replace(
        " %", " points"
    )
    adjusted = difference.p_holm is not None
    value = difference.p if difference.p_holm is None else difference.p_holm
    p = ("< 0.001" if value < 0.001 else f"{value:.3f}") + ("" if adjusted else ", not adjusted")
    pairs = interval.episodes
    return {"difference": text, "pairs": pairs, "p": p, "test": difference.test}


def _span(metric: str, interval: Interval, *, near: bool) -> str:
    if interval.low is None or interval.high is None:
        return ""
    low, high = [format_value(metric, end, near=near) for end in (interval.low, interval.high)]
    return f"{low} to {high}"


_CHUNK_BYTES = 300_000
"""Packed documents of one chunk: from a disk it is read in some milliseconds."""

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
    space: bool = False
    """Whether the folder shall run as a static Space of Hugging Face."""


_SPACE = """---
title: TITLE
emoji: \U0001f9ed
colorFrom: blue
colorTo: green
sdk: static
app_file: index.html
pinned: false
tags:
- navviz
- vision-and-language-navigation
---

Walks of navigation agents, step by step, with why they failed. Made with NavViz.
"""
"""Front matter: https://huggingface.co/docs/hub/spaces-config-reference"""


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
    runs: Mapping[str, OpenRun], out: Path, options: SiteOptions | None = None
) -> PublishedSite:
    """Write a site of one or several runs.

    Raises `InputError` where there is no run; `SettingsError` where the folder holds something
    else; `StoreError` where it cannot be written; an older site is still there then.
    """
    if not runs:
        raise InputError("a site needs a run", "name one")
    _check_folder(out)
    # what is replaced is an empty folder or an older site, as was checked before
    with writing_folder(out) as made:
        _Writing(made, options or SiteOptions()).write(runs)
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

    def __init__(self, folder: Path, options: SiteOptions) -> None:
        self.folder, self.options = folder, options
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
        if options.space:
            # quoted as JSON, which is YAML, too: a title may hold anything
            title = json_text(document.title, ensure_ascii=False)
            self.put("README.md", _SPACE.replace("TITLE", title))

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
        what_ifs = ready_what_ifs(run)
        for key in run.traces:
            yield published_document(
                run, key, explained[key], what_ifs.get(key), self.options.without
            )

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
