"""Why it failed, in Explore and in Compare: causes with counts, and the filter that each sets."""

from __future__ import annotations

import re
import shutil

import pytest
from streamlit.testing.v1 import AppTest

import navviz
from navviz.analysis.act_counts import act_slugs
from navviz.analysis.causes import counting
from navviz.analysis.causes.counting import NO_CAUSE_ID, explain_run, leading_ids
from navviz.ui.data import finding
from navviz.ui.data.finding import cause_findings
from tests.pages.conftest import OpenPage, ran
from tests.pages.listed import listed
from tests.paths import SAMPLES
from tests.worlds import write_states, write_world

RUN = "harbour/groke-by-hand"


@pytest.fixture(scope="module")
def likely():
    folder = SAMPLES / "harbour"
    run = navviz.open_run(folder / "runs" / "groke-by-hand", graphs=folder / "osm" / "graph")
    return leading_ids(explain_run(run))


def _found(page: OpenPage, where: str, **query: str) -> AppTest:
    """Open a page and wait for its causes, however busy the machine is."""
    at = page(where, **query)
    for search in list(cause_findings()._by_run.values()):
        assert search.ended.wait(60)
    return ran(at)


def _count(drawn: str, value: str) -> int:
    """How many failures a finding has."""
    row = re.search(rf"data-value=\W+{value}\W.*?class=\W+share\W+(\d+) of ", drawn)
    assert row is not None, value
    return int(row[1])


def _drawn(at: AppTest, key: str) -> str:
    for part in at.get("bidi_component"):
        if part.proto.id.endswith(key):
            return str(part.proto)
    raise AssertionError(f"the page shows no {key}")


def test_causes_lead_with_their_counts(page, likely):
    at = _found(page, "explore", run=RUN)
    drawn = _drawn(at, "explore_found")
    named = [name for name in likely.values() if name is not None]
    for name in set(named):
        assert _count(drawn, f"cause {name}") == named.count(name)


def test_acts_stand_first_with_their_counts_and_filter_the_list(page):
    folder = SAMPLES / "harbour"
    run = navviz.open_run(folder / "runs" / "groke-by-hand", graphs=folder / "osm" / "graph")
    slugs = act_slugs(explain_run(run))
    act = next(slug for slug in slugs.values() if slug is not None)
    at = _found(page, "explore", run=RUN, act=act)
    drawn = _drawn(at, "explore_found")
    for slug in {slug for slug in slugs.values() if slug is not None}:
        assert _count(drawn, f"act {slug}") == list(slugs.values()).count(slug)
    assert list(listed(at)["episode"]) == [key for key, slug in slugs.items() if slug == act]


def test_a_cause_in_the_address_filters_the_list(page, likely):
    cause = next(name for name in likely.values() if name not in {None, NO_CAUSE_ID})
    at = _found(page, "explore", run=RUN, cause=str(cause))
    shown = listed(at)
    assert list(shown["episode"]) == [key for key, name in likely.items() if name == cause]
    assert set(shown["cause"]) == {cause}
    assert at.query_params["cause"] in (cause, [cause])


def test_a_link_to_replay_finds_its_list_on_a_server_that_has_just_started(page, likely):
    cause = next(name for name in likely.values() if name not in {None, NO_CAUSE_ID})
    episodes = [key for key, name in likely.items() if name == cause]
    cause_findings.clear()
    at = _found(page, "replay", run=RUN, episode=episodes[0], cause=str(cause))
    noun = "failures" if len(episodes) > 1 else "failure"
    assert f"1 of {len(episodes)} {noun}" in [text.value for text in at.text]


def test_a_run_without_failures_says_so(page):
    at = _found(page, "explore", run="harbour/rules")
    texts = " ".join(caption.value for caption in at.caption)
    failed = (listed(at)["outcome"] == "failure").any()
    assert failed or "no episode of this run failed" in texts


def test_causes_of_two_runs_are_paired(page):
    at = _found(page, "compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    texts = " ".join(caption.value for caption in at.caption)
    assert "McNemar's exact test, then adjusted over the table" in texts
    assert "Of the 14 episodes that both walked" in texts
    assert "gone" in _drawn(at, "compare_cause_rows")


def test_only_walks_that_changed_are_explained_again(tmp_path, monkeypatch):
    explained = []
    explain = counting.explain_episode

    def counted(trace, graph, **given):
        explained.append(trace.episode.id)
        return explain(trace, graph, **given)

    monkeypatch.setattr(counting, "explain_episode", counted)
    monkeypatch.setattr(finding, "_EXPLAINED", {})
    graph = SAMPLES / "harbour" / "osm" / "graph"
    for name in ("3", "7"):
        shutil.copy(
            SAMPLES / "harbour" / "runs" / "groke-by-hand" / f"{name}.trace.jsonl", tmp_path
        )

    def found(graphs):
        explained.clear()
        finding._explained(navviz.open_run(tmp_path, graphs=graphs), lambda _: None)
        return set(explained)

    assert found(graph) == {"3", "7"}
    with (tmp_path / "3.trace.jsonl").open("a") as file:
        file.write("\n")
    assert found(graph) == {"3"}
    # causes on another map are other causes
    shutil.copytree(graph, tmp_path / "graph")
    assert found(tmp_path / "graph") == {"3", "7"}


def test_a_log_of_another_project_that_grows_is_explained_as_a_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(finding, "_EXPLAINED", {})
    graph = write_world(tmp_path)

    def successes(walk):
        log = write_states(tmp_path / "states.json", {"1": {"json": walk}})
        run = navviz.open_run(log, graphs=graph)
        return [one.success for one in finding._explained(run, lambda _: None).values()]

    assert successes(["s1", "s0", "x", "e0", "e1"]) != successes(["s1"])
