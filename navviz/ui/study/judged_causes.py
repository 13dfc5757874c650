"""How often each detector of causes is right, by people and by models; who says yes to placebos."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from navviz.analysis.causes.judged import (
    DetectorAgreement,
    RaterPlacebos,
    agreement_frame,
    detector_agreement,
    placebo_frame,
    placebos_by_rater,
)
from navviz.annotation.claims import CauseClaim
from navviz.annotation.records import Rating
from navviz.annotation.store import Study
from navviz.ui.state.session import set_widget

_HELP = """**Yes** is a detector's precision: of the causes on which more than half of the raters
agree (or that you settled), the share that they hold right. A cause counts once, however many
judged it.
**Alpha** is Krippendorff's, ordinal (no, partly, yes), among people; *cannot tell* counts as no
answer.
**Kappa** is Cohen's with quadratic weights, of a model with people.
**Placebos** are sentences that do not hold in their episode. Who says yes or partly to them as
often as to causes does not tell them apart.
Intervals are 95 %: exact (Clopper and Pearson) for fewer than 30 causes, else by the bootstrap."""
_SHOWS = """**Nobody has judged a cause yet**

Here you will see:

- how often people find each detector of causes right, with n and 95 % interval
- how far people agree, and how often they take a placebo for a cause
- a language model as a judge, beside them

Annotators judge causes in the task *Is this the cause?*, without the detector's name."""
_NAMES = {
    "cause": "Cause",
    "by": "Judged by",
    "yes": "Yes",
    "yes or partly": "Yes or partly",
    "undecided": "Undecided",
    "alpha": "Alpha among people",
    "kappa": "Kappa with people",
}


@st.cache_data(max_entries=16, show_spinner="Resampling …")
def _computed(
    key: str, _claims: dict[str, CauseClaim], _ratings: list[Rating], _settled: list[Rating]
) -> tuple[list[DetectorAgreement], list[RaterPlacebos]]:
    del key
    rows = detector_agreement(_claims, _ratings, _settled)
    return rows, placebos_by_rater(_claims, _ratings)


def judged_causes(study: Study) -> None:
    """Show the two tables, or what they will show."""
    ratings, settled = study.ratings("cause"), study.adjudicated("cause")
    if not ratings:
        with st.container(border=True, width=720):
            st.markdown(_SHOWS)
            st.button(
                "Make a queue of causes",
                icon=":material/add:",
                type="primary",
                key="evaluate_causes_start",
                on_click=_start,
            )
        return
    claims = study.claims.all()
    lacking = {rating.item.claim for rating in ratings} - claims.keys()
    # revisions tell one state of the ratings from the next
    key = repr([(one.item, one.annotator, one.revision) for one in (*ratings, *settled)])
    rows, raters = _computed(f"{key}{len(claims)}", claims, ratings, settled)
    _table(
        agreement_frame(rows).reset_index()[list(_NAMES)].rename(columns=_NAMES),
        "How often each detector is right, by people and by models",
    )
    with st.popover("How to read this", icon=":material/help:", type="tertiary"):
        st.markdown(_HELP)
    left, _ = st.columns([3, 2], gap="medium")
    with left:
        st.subheader("Who says yes to placebos", anchor=False)
        _table(
            placebo_frame(raters)
            .reset_index()
            .rename(
                columns={
                    "rater": "Rater",
                    "placebos": "Yes or partly, placebos",
                    "causes": "Yes or partly, causes",
                }
            ),
            "How often each rater says yes to placebos and to causes",
        )
    if lacking:
        st.caption(
            f"{len(lacking)} judged causes are not in this database, so nobody knows their"
            " detectors: import the JSON lines that their ratings came with."
        )


def _table(frame: pd.DataFrame, alt: str) -> None:
    st.dataframe(frame, hide_index=True, width="stretch", alt=alt)


def _start() -> None:
    """Go to the form for queues, with this task chosen."""
    st.query_params["group"], st.query_params["part"] = "set-up", "queues"
    set_widget("evaluate_task", "cause")
