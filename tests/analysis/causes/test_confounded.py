"""The figure of docs/causes.md on landmarks that were never shown, recomputed from the logs."""

from __future__ import annotations

import pytest
from scipy.stats import fisher_exact

import navviz
from navviz.analysis.causes.counts import stretches
from navviz.analysis.causes.engine import context_of
from navviz.analysis.causes.landmarks import has_own_name, named_span, nearest_m

pytestmark = [pytest.mark.data, pytest.mark.nightly]


def _never_shown(context, *, near_only):
    """Whether a landmark of a sub-goal that became due was never shown though the map has it."""
    due = " | ".join(stretch.text for stretch in stretches(context))
    for place in context.landmarks:
        if place.poi is None or place.shown_in is not None or not has_own_name(place):
            continue
        near = nearest_m(context, place.poi, context.trace.path) <= 60.0
        if named_span(place.name, due) is not None and (near or not near_only):
            return True
    return False


@pytest.fixture(scope="module")
def contexts(data_dir):
    folder = data_dir / "groke" / "paper_results" / "ablation_study_json"
    run = navviz.open_run(folder, graphs=data_dir / "map2seq" / "osm" / "graph")
    found = []
    for key, trace in run.traces.items():
        found.append(context_of(trace, run.graph(key)))
    return found


@pytest.mark.parametrize(
    ("near_only", "failures", "successes", "p"),
    [(False, [17, 9], [68, 6], 0.0027), (True, [22, 4], [68, 6], 0.28)],
)
def test_never_shown_landmarks_in_failures_and_successes(
    contexts, near_only, failures, successes, p
):
    counts = {True: [0, 0], False: [0, 0]}
    for context in contexts:
        counts[context.success][_never_shown(context, near_only=near_only)] += 1
    assert counts == {False: failures, True: successes}
    assert fisher_exact([failures, successes]).pvalue == pytest.approx(p, rel=0.02)
