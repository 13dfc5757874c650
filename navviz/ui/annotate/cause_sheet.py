"""What belongs to a cause that is judged: the walk without a word of a detector, and the claim."""

from __future__ import annotations

from typing import Any

import streamlit as st

from navviz.analysis.landmarks import places_or_reasons
from navviz.annotation.records import Item
from navviz.records import Cause
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import PictureTable


def cause_sheet(run: OpenRun, item: Item, cause: Cause) -> dict[str, Any]:
    """Return the sheet of a claim; built once for each run and claim.

    Parameters
    ----------
    run
        Whose walk is looked at.
    item
        Of the claim.
    cause
        Blind (`navviz.annotation.claims.CauseClaim.blind`): nothing else of a detector leaves the
        server, no departure either.
    """
    return _sheet(run.source.identity, item.model_dump_json(), run, item, cause)


# Streamlit leaves arguments that begin with an underscore out of a cache's key: identity and name
# of the item stand for them
@st.cache_resource(max_entries=128, show_spinner=False)
def _sheet(
    identity: Identity, name: str, _run: OpenRun, _item: Item, _cause: Cause
) -> dict[str, Any]:
    del identity, name
    trace, graph = _run.trace(_item.episode), _run.graph(_item.episode)
    table = PictureTable(_run.pictures(_item.episode))
    shown = _cause.model_dump(mode="json", exclude_none=True)
    document = replay_document(
        trace,
        graph,
        causes={"causes": [shown], "likely": 0},
        places=places_or_reasons(trace, graph),
        running=False,
        pictures=table,
    )
    # taken from the document, so that the desk asks about the sentence that the player shows
    [entry] = document["causes"]["all"]
    claim = {name: entry[name] for name in ("sentence", "step")}
    return {"document": document, "claim": claim, "table": table}
