"""Which causes a new queue asks about, and how many placebos stand among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from navviz.analysis.causes.claims import PLACEBO_SHARE, claims_of_run
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.registry import get_detector
from navviz.annotation.claims import CauseClaim
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.ui.components import measuring
from navviz.ui.components.finding import begin_finding, found_or_bar
from navviz.ui.components.plain import plain


def choose_claims(run: OpenRun, episodes: Sequence[str], seed: int) -> list[CauseClaim]:
    """Ask which causes, how many of each, and the share of placebos; returns the drawn claims.

    Empty until the causes of the run are found, which a bar shows.
    """
    measuring.wait_for(run)
    begin_finding(run)
    explained = found_or_bar(run, "evaluate_causes")
    if explained is None:
        return []
    names = _counted_kinds(explained)
    chosen = st.multiselect(
        "Causes",
        list(names),
        format_func=names.__getitem__,
        key=f"evaluate_cause_kinds_{run.name}",
        placeholder="All that were found in failures",
    )
    with st.container(horizontal=True):
        most = st.number_input(
            "Most of each kind", 1, 1000, 30, key="evaluate_cause_most", width=160
        )
        share = st.slider(
            "Placebos, %",
            0,
            50,
            round(100 * PLACEBO_SHARE),
            5,
            key="evaluate_cause_placebos",
            help=(
                "Sentences that do not hold in their episode. They show who says yes to"
                " everything; annotators are not told which they are."
            ),
        )
    claims = claims_of_run(
        explained,
        run.trace,
        run.name,
        detectors=chosen or None,
        episodes=episodes,
        most_each=int(most),
        placebo_share=share / 100,
        seed=seed,
    )
    placebos = sum(bool(claim.placebo) for claim in claims)
    detectors = len({claim.cause.id for claim in claims if not claim.placebo})
    st.caption(
        plain(
            f"{plural(len(claims) - placebos, 'cause')} of {plural(detectors, 'detector')},"
            f" {plural(placebos, 'placebo')}."
        )
    )
    return claims


def _counted_kinds(explained: Mapping[str, EpisodeCauses]) -> dict[str, str]:
    """Return the kinds found in failures, by id, each with its name and how often it was found."""
    counts: dict[str, int] = {}
    for one in explained.values():
        # only what is found in a failure can have caused one
        for cause in () if one.success else one.causes:
            counts[cause.id] = counts.get(cause.id, 0) + 1
    return {kind: f"{get_detector(kind).name} ({count})" for kind, count in counts.items()}
