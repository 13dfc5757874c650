"""The player's document of an episode with all that is known of it: divergence, causes, places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from navviz.analysis.causes.engine import EpisodeCauses, causes_document, explain_episode
from navviz.analysis.informed import information_document
from navviz.analysis.landmarks import landmarks_panel, places_or_reasons
from navviz.analysis.what_if.document import what_if_document
from navviz.analysis.what_if.kept import EpisodeWhatIf
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.metrics.score import score_result
from navviz.records import Trace
from navviz.systems.registry import with_panels
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import PictureTable
from navviz.world.graph import Graph


def with_findings(trace: Trace, graph: Graph) -> Trace:
    """Lay the panels of its system and what became of its landmarks over a trace."""
    trace = with_panels(trace, graph)
    panel = landmarks_panel(trace, graph)
    if panel is None:
        return trace
    return trace.model_copy(update={"plan_panels": (*trace.plan_panels, panel)})


def explained_document(
    trace: Trace,
    graph: Graph,
    *,
    divergence: Divergence | None = None,
    causes: EpisodeCauses | None = None,
    metrics: Mapping[str, float | None] | None = None,
    pictures: PictureTable | None = None,
    what_if: EpisodeWhatIf | None = None,
) -> dict[str, Any]:
    """Build the document of a finished episode."""
    left = divergence if divergence is not None else find_divergence(trace, graph)
    explained = causes if causes is not None else explain_episode(trace, graph, left)
    failed = not explained.success and explained.departure is not None
    return replay_document(
        trace,
        graph,
        divergence=left,
        causes=causes_document(explained) if failed else None,
        what_if=what_if_document(what_if, trace, graph),
        information=information_document(trace, graph),
        places=places_or_reasons(trace, graph),
        metrics=metrics if metrics is not None else score_result(trace, graph),
        running=False,
        pictures=pictures,
    )
