"""What a site shows of one run: its list, figures, causes, maps and sources."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from navviz.analysis.alike import (
    AlikeFailures,
    AlikeGroup,
    alike_failures,
    alike_groups,
    alike_sentence,
)
from navviz.analysis.causes.counting import NO_CAUSE_ID, cause_counts, cause_labels, leading_ids
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.headline import Headline, headlines
from navviz.analysis.site.redaction import (
    Part,
    is_picture,
    published_settings,
    without_addresses,
)
from navviz.metrics.intervals import Interval
from navviz.runner.provenance import Provenance, counted_names, provenance_of
from navviz.runs.listed import column_entries, list_columns
from navviz.runs.run import OpenRun
from navviz.support.guarded import parse_json
from navviz.views.figures.atlas import PackedAtlas, pack_atlas, walked_floors
from navviz.views.site.schema import (
    ShareEntry,
    SiteCause,
    SiteColumn,
    SiteFigure,
    SiteFile,
    SiteGroup,
    SiteMap,
    SiteRun,
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
    table = table.assign(cause=table["episode"].map(leading_ids(explained)))
    if alike is not None:
        table = table.assign(words=table["episode"].map(alike.ids).astype(object))
    columns = list_columns(table)
    labels = {"cause": cause_labels(columns.get("cause", []))}
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
    """Describe a run.

    Parameters
    ----------
    name
        As the site calls it.
    run, explained
        The run and the causes of its episodes.
    alike
        From `grouped`.
    parts
        What was counted while its chunks were written: the fields of `SiteRun` that this does not
        know.
    without
        What is left out: without pictures their files are not named either.
    """
    provenance = provenance_of(run)
    failures = sum(one.success is False for one in explained.values())
    return SiteRun(
        name=name,
        navigator=run.run.navigator,
        model=", ".join(_bare(provenance.models)) or None,
        episodes=len(run.traces),
        summary=run.scores.summary(),
        marks=[mark.sentence for mark in run.marks],
        figures=[_figure(one) for one in headlines(run.scores, near=run.is_near)],
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
            succeeded=_share(count.succeeded),
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
