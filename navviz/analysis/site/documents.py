"""The player's document of an episode as it is published: whole, or without some of its parts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.replays import explained_document, with_findings
from navviz.analysis.site.redaction import Part, RepeatedThoughts, redacted, without_ground
from navviz.analysis.what_if.kept import EpisodeWhatIf
from navviz.runs.run import OpenRun
from navviz.views.player.pictures import PictureTable, with_data

PICTURE_BYTES = 2_000_000
"""For the pictures of one episode, so that it opens in a moment; the player says what is left out.
"""


def published_document(
    run: OpenRun,
    key: str,
    causes: EpisodeCauses,
    what_if: EpisodeWhatIf | None,
    without: Collection[Part],
    *,
    picture_bytes: int = PICTURE_BYTES,
) -> dict[str, Any]:
    """Return it with its pictures; `causes` are those of `redacted_causes`."""
    trace, graph = run.trace(key), run.graph(key)
    # the panels first, so that those that show a prompt go with the prompts
    shown = redacted(with_findings(trace, graph), without)
    if "thoughts" in without:
        causes = RepeatedThoughts(trace).causes_without(causes)
    table = None if "pictures" in without else PictureTable(run.pictures(key))
    document = explained_document(
        shown,
        graph,
        divergence=run.divergences[key],
        causes=causes,
        metrics=run.scores.rows[key],
        pictures=table,
        what_if=what_if,
    )
    if table is None:
        return without_ground(document)
    return with_data(document, table, picture_bytes)
