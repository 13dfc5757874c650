"""Failures that are alike by words, found once for all sessions in a thread of their own.

What was found stays in the cache on disk (`navviz.analysis.alike`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd
import streamlit as st

from navviz.analysis.alike import AlikeFailures, LikeTarget, alike_failures, failed_keys
from navviz.runs.episode_list import EpisodeList
from navviz.runs.opened import OpenRun
from navviz.ui.data.finding import Findings

CLUSTER, LIKE, LIKENESS = "words", "like", "likeness"
"""Columns of the list: a failure's cluster, what it is near to, and how near."""


_WAIT_S = 10.0
"""700 failures take less than a second; who comes to a larger run by a link waits no longer."""


@st.cache_resource(show_spinner=False)
def alikes() -> Findings[AlikeFailures]:
    """Return what all sessions share."""
    return Findings(alike_failures, "alike failures", lambda run: len(failed_keys(run)))


def found(run: OpenRun) -> AlikeFailures | None:
    """Return the failures of a run by their words; ``None`` until they are found."""
    finding = alikes().get(run)
    return None if finding is None else finding.result


def is_wanted(episodes: EpisodeList) -> bool:
    """Tell whether a list cannot be shown without them."""
    return bool(episodes.choice(CLUSTER) or episodes.choice(LIKE))


def nearest_list(target: LikeTarget) -> EpisodeList:
    """Return the list of what is nearest to a target: without other filters, the nearest first."""
    near = EpisodeList().with_choice(LIKE, (target.value,))
    return replace(near, sort=LIKENESS, descending=True)


def with_alike(run: OpenRun, table: pd.DataFrame, episodes: EpisodeList) -> pd.DataFrame:
    """Fill the columns that tell of likeness, as far as it is found.

    Parameters
    ----------
    run, table
        The run and its episodes.
    episodes
        How the list is filtered.
    """
    if run.complete and is_wanted(episodes):
        # Explore has waited for it; other pages take Next and Previous from the same list
        alikes().begin(run).ended.wait(_WAIT_S)
    alike = found(run)
    if alike is None:
        return table
    keys = table["episode"]
    if alike.clusters:
        table = table.assign(**{CLUSTER: keys.map(alike.ids).astype(object)})
    # one alone: an episode could be near to two, and would have two likenesses
    for value in episodes.choice(LIKE)[:1]:
        near = alike.near(run, LikeTarget.of(value))
        is_near = keys.isin(list(near))
        likeness = keys.map(near).astype("float64")
        marks = is_near.map({True: value, False: None}).astype(object)
        table = table.assign(**{LIKE: marks, LIKENESS: likeness})
    return table


def labels(run: OpenRun, targets: Iterable[str | None]) -> dict[str, dict[str, str]]:
    """Return what people read for the values of these columns."""
    alike = found(run)
    return {
        CLUSTER: {} if alike is None else alike.labels,
        LIKE: {value: LikeTarget.of(value).name for value in {*targets} if value is not None},
    }
