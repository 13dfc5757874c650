"""What `score` says of published runs: their authors' treatment beside ours, and their own
figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from navviz.metrics.score import RunScore
    from navviz.runs.opened import OpenRun
    from navviz.systems.groke.logs.individual_results import Figures

_SHOWN = 10
"""Differences printed; the rest is counted."""


def authors_document(run: OpenRun, score: RunScore) -> dict[str, Any]:
    """Return the means of GROKE's own scripts under ``groke_scripts``; empty where they are
    ours.
    """
    from navviz.systems.groke.metrics import as_authors

    authors = as_authors(run, score)
    if authors is None:
        return {}
    return {"groke_scripts": {**authors.means, "never_moved": list(authors.never_moved)}}


def authors_lines(runs: Sequence[OpenRun], scores: Sequence[RunScore]) -> Iterator[str]:
    """Return what GROKE's own scripts print, where it is not the same."""
    from navviz.metrics.registry import format_value
    from navviz.systems.groke.metrics import as_authors

    for run, score in zip(runs, scores, strict=True):
        authors = as_authors(run, score)
        if authors is not None:
            figures = []
            for name, value in authors.means.items():
                figures.append(f"{name} {format_value(name, value, near=run.is_near)}")
            yield (
                f"{run.label} as GROKE's scripts count ({len(authors.never_moved)} episodes that"
                f" never moved are left out of NE and have nDTW 1): {', '.join(figures)}"
            )


def published_figures(path: Path | None) -> dict[str, Figures]:
    """GROKE's ``individual_results.json`` by method; empty where none is named."""
    from navviz.systems.groke.logs.individual_results import read_individual_results

    return read_individual_results(path) if path is not None else {}


def compared_lines(
    runs: Sequence[OpenRun], scores: Sequence[RunScore], figures: Mapping[str, Figures]
) -> Iterator[str]:
    """How the figures agree with published ones, episode by episode."""
    from navviz.systems.groke.logs.individual_results import compare

    for run, score in zip(runs, scores, strict=True):
        published = figures.get(run.label)
        if published is None:
            continue
        count, differences = compare(published, score.rows)
        # an episode may differ in several metrics
        episodes = len({difference.episode for difference in differences})
        yield (
            f"{run.label}: {count} episodes compared with the published figures, {episodes} differ"
        )
        for difference in differences[:_SHOWN]:
            ours = "missing" if difference.ours is None else f"{difference.ours:.3f}"
            theirs = f"published {difference.published:.3f}"
            yield f"  episode {difference.episode}: {difference.metric} {ours}, {theirs}"
