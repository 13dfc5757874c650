"""Alike by words, in Explore: groups with their counts, the filter that each sets, and the failures
nearest to an episode or to a few words.
"""

from __future__ import annotations

import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import navviz
from navviz.analysis.alike import NEAREST, AlikeFailures, LikeTarget, alike_failures
from navviz.runs.episode_list import EpisodeList
from navviz.runs.opened import OpenRun
from navviz.runs.tables import episode_columns
from navviz.ui.components.neighbours import fitting
from navviz.ui.data.finding import alikes, cause_findings
from navviz.ui.data.marks import looks
from tests.pages.conftest import OpenPage, ran
from tests.pages.listed import columns, listed
from tests.paths import SAMPLES

RUN = "harbour/random-walker"


@pytest.fixture(scope="module")
def run() -> OpenRun:
    folder = SAMPLES / "harbour"
    return navviz.open_run(folder / "runs" / "random-walker", graphs=folder / "osm" / "graph")


@pytest.fixture(scope="module")
def alike(run: OpenRun) -> AlikeFailures:
    return alike_failures(run)


def _found(page: OpenPage, **query: str) -> AppTest:
    """Open Explore and wait for what it compares, however busy the machine is."""
    at = page("explore", **query)
    for many in (cause_findings(), looks(), alikes()):
        for finding in list(many._by_run.values()):
            assert finding.ended.wait(60)
        at = ran(at)
    return at


def _captions(at: AppTest) -> str:
    return " ".join(caption.value for caption in at.caption)


def _drawn(at: AppTest) -> str:
    [drawn] = [str(p.proto) for p in at.get("bidi_component") if "explore_found" in p.proto.id]
    return drawn


def test_groups_stand_with_their_counts_and_say_that_they_are_no_cause(
    page: OpenPage, alike: AlikeFailures
) -> None:
    at = _found(page, run=RUN)
    drawn = _drawn(at)
    for cluster in alike.clusters:
        row = re.search(rf"words {cluster.id}\W.*?class=\W+share\W+(\d+) of ", drawn)
        assert row is not None, cluster.id
        assert int(row[1]) == len(cluster.episodes)
    assert f"{alike.failures} failures grouped by their instructions" in drawn
    assert "it is no cause" in drawn


def test_a_group_in_the_address_filters_the_list(page: OpenPage, alike: AlikeFailures) -> None:
    cluster = alike.clusters[-1]
    at = _found(page, run=RUN, words=cluster.id)
    shown = listed(at)
    assert set(shown["episode"]) == set(cluster.episodes)
    assert set(shown["outcome"]) == {"failure"}
    assert columns(at)["words"]["labels"] == alike.labels


@pytest.mark.parametrize(
    "target", [LikeTarget("1"), LikeTarget(None, text="across the bridge, past the fire station")]
)
def test_the_nearest_in_the_address_are_listed_with_their_likeness(
    page: OpenPage, run: OpenRun, alike: AlikeFailures, target: LikeTarget
) -> None:
    at = _found(page, run=RUN, like=target.value, sort="-likeness")
    near = alike.near(run, target)
    shown = listed(at)
    assert list(shown["episode"]) == list(near)
    assert list(shown["likeness"]) == pytest.approx(list(near.values()), abs=1e-4)
    count = len(near.keys() - {target.episode})
    assert 0 < count <= NEAREST
    assert f"{count} of {alike.failures} failures nearest by" in _captions(at)
    at.button(key="explore_like").click().run()
    assert len(listed(at)) == len(run.traces)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("groke-by-hand", "too few for groups; 10 are needed"),
        ("staged-rules", "one failure alone cannot be compared"),
    ],
)
def test_too_few_failures_say_so(page: OpenPage, name: str, words: str) -> None:
    assert words in _drawn(_found(page, run=f"harbour/{name}"))


def test_what_another_run_has_leaves_the_list_with_a_sentence(
    page: OpenPage, alike: AlikeFailures
) -> None:
    group = alike.clusters[-1].id
    at = _found(page, run=RUN, words=group, outcome="failure", sort="-likeness")
    [info] = [info.value for info in at.info if "Removed" in info.value]
    assert info.endswith("has nothing of the kind: the order by Likeness.")
    at.selectbox(key="pickers_run_Run").set_value("harbour/groke-by-hand").run()
    for finding in list(alikes()._by_run.values()):
        assert finding.ended.wait(60)
    at.run()
    [info] = [info.value for info in at.info if "Removed" in info.value]
    name = "harbour/groke-by-hand"
    assert info == (
        f"Removed from the list, since “{name}” has nothing of the kind: Alike by words {group}."
    )
    assert {"words", "sort"}.isdisjoint(at.query_params)
    assert at.query_params["outcome"] in ("failure", ["failure"])
    shown = listed(at)
    assert list(shown["outcome"]) == ["failure"] * 6
    at.selectbox(key="pickers_run_Run").set_value(RUN).run()
    assert not [info for info in at.info if "Removed" in info.value]


def test_a_target_that_the_run_does_not_have_leaves_the_list(page: OpenPage) -> None:
    at = _found(page, run=RUN, like="no-such;3")
    assert "like" not in at.query_params
    assert len(listed(at)) == len(listed(_found(page, run=RUN)))
    [info] = [info.value for info in at.info if "Removed" in info.value]
    assert info.endswith("has nothing of the kind: Like no-such, step 3.")


EMPTY: dict[str, object] = dict.fromkeys(episode_columns())
ROWS = pd.DataFrame(
    [
        {**EMPTY, "episode": "1", "outcome": "success", "NE": 2.0, "skills": ["vertical"]},
        {**EMPTY, "episode": "2", "outcome": "success", "feature": ["long"], "skills": []},
    ]
)


@pytest.mark.parametrize(
    ("query", "left"),
    [
        # none is an answer where the run can give one
        ({"outcome": "failure", "act": "went-on", "cause": "loop"}, "all"),
        ({"disagreement": "turn", "skills": "landmark", "q": "no such words"}, "all"),
        ({"NE": "900,901", "sort": "-NE"}, "all"),
        ({"feature": "long,short"}, {"feature": "long"}),
        ({"words": "w2", "like": "9;4", "outcome": "success"}, {"outcome": "success"}),
        ({"length_m": "1,2", "kind": "overshoot", "sort": "nDTW", "temporal": "after"}, {}),
    ],
)
def test_only_what_a_run_can_answer_stays(
    query: dict[str, str], left: dict[str, str] | str
) -> None:
    foreign = {"feature": ("short",), "words": ("w2",), "like": ("9;4",)}
    fitted = fitting(EpisodeList.from_query(query), ROWS, foreign)
    assert fitted.episodes.to_query() == (query if left == "all" else left)
    assert bool(fitted.removed) == (left != "all")
    assert fitting(fitted.episodes, ROWS, foreign).removed == ()


def test_a_run_whose_end_nobody_knows_has_no_failures_to_list() -> None:
    rows = ROWS.assign(outcome="unknown")
    assert fitting(EpisodeList.from_query({"cause": "loop"}), rows, {}).removed == (
        "Likely cause loop",
    )
