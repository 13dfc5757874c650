"""Explore's findings: words, places and transcripts among them, and the filter that each sets."""

from __future__ import annotations

import json
import re
import shutil
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

import navviz
from navviz.analysis.own_findings import FILE, read_own
from navviz.errors import InputError
from navviz.runs.opened import OPEN_VARIABLE
from navviz.ui.data.finding import cause_findings
from navviz.ui.data.marks import looks
from tests.formats.vlnce import made
from tests.pages.conftest import OpenPage, ran
from tests.pages.listed import columns, listed
from tests.paths import SAMPLES


def _found(page: OpenPage, **query: str) -> AppTest:
    """Open Explore and wait for all that it finds, however busy the machine is."""
    at = page("explore", **query)
    for many in (cause_findings(), looks()):
        for search in list(many._by_run.values()):
            assert search.ended.wait(120)
        at = ran(at)
    for _ in range(50):
        if at.metric:
            return at
        at = ran(at)  # a run of the page that was asked for meanwhile ends without its figures
    shown = [each.value for each in (*at.error, *at.warning, *at.info, *at.caption)]
    pytest.fail(f"never came true: the page shows figures; it shows {shown}")


def _drawn(at: AppTest) -> str:
    [drawn] = [str(p.proto) for p in at.get("bidi_component") if "explore_found" in p.proto.id]
    return drawn


def test_one_list_has_acts_explanations_words_and_places(page):
    drawn = _drawn(_found(page, run="harbour/rules-local"))
    kinds = re.findall(r"class=\W+kind\W+>(\w+)<", drawn)
    assert kinds == ["Acts", "Explanations", "Words", "Places"]
    assert "may be chance" in drawn


def test_instructions_against_their_routes_are_findings_once_they_are_checked(page):
    at = _found(page, run="harbour/rules")
    ran(at.toggle(key="explore_route_check").set_value(True))
    assert list(listed(_found(page, run="harbour/rules"))["episode"])


def test_a_mark_in_the_link_filters_in_words(page):
    at = page("explore", run="harbour/groke-by-hand", feature="scan: unknown-id")
    assert list(listed(at)["episode"]) == ["10"]
    labels = columns(at)["feature"]["labels"]
    assert labels == {"scan: unknown-id": "“Id that was not in the prompt”"}


@pytest.mark.usefixtures("opened")
def test_a_word_filters_and_one_that_nobody_says_leaves_the_address(page):
    at = page("explore", run="walks/json", feature="word: light")
    assert list(listed(at)["episode"]) == ["1", "2"]
    other = page("explore", run="walks/json", feature="word: zebra")
    assert list(listed(other)["episode"]) == ["1", "2"]
    [note] = [info.value for info in other.info if "Removed from the list" in info.value]
    assert "zebra" in note
    assert "feature" not in other.query_params


def test_words_are_searched_in_transcripts_and_the_list_is_kept_for_the_next_run(
    page, tmp_path, monkeypatch
):
    runs = tmp_path / "runs"
    for name in ("groke-by-hand", "staged-rules"):
        shutil.copytree(SAMPLES / "harbour" / "runs" / name, runs / name)
    shutil.copytree(SAMPLES / "harbour" / "osm", tmp_path / "osm")
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"data": str(tmp_path)}))
    run = "groke-by-hand"
    at = _found(page, run=run)
    at.text_input(key="explore_search_words").set_value("Supermarket").run()
    wanted = []
    for key, trace in navviz.open_run(runs / run, graphs=tmp_path / "osm" / "graph").traces.items():
        thoughts = " ".join(call.thoughts or "" for call in trace.calls)
        wanted += [key] if "supermarket" in thoughts.lower() else []
    assert wanted
    assert list(listed(at)["episode"]) == wanted
    at.text_input(key="explore_keep_name").set_value("Thinks of the supermarket").run()
    ran(at.button(key="explore_keep_it").click())
    kept = json.loads((runs / FILE).read_text())["findings"]
    assert kept == [
        {"name": "Thinks of the supermarket", "query": {"feature": "in thoughts: Supermarket"}}
    ]
    assert "Thinks of the supermarket" in _drawn(_found(page, run="staged-rules"))
    ran(at.button(key="explore_forget").click())
    assert json.loads((runs / FILE).read_text())["findings"] == []


def test_a_damaged_file_of_findings_is_one_sentence(tmp_path):
    run = SimpleNamespace(source=SimpleNamespace(results=tmp_path / "run", origin="opened"))
    (tmp_path / FILE).write_text('{"findings": [{"name": ""}]}')
    with pytest.raises(InputError, match=r"findings\.json, field findings\.0\.name"):
        read_own(run)


def test_a_file_of_figures_alone_offers_nothing_that_needs_walks(page, tmp_path, monkeypatch):
    made.split(tmp_path, 12)
    figures = {}
    for number in range(1, 13):
        figures[str(number)] = {"distance_to_goal": 1.0, "success": number % 2, "path_length": 5.0}
    results = tmp_path / "stats_ep_ckpt_0_val_seen_r0_w1.json"
    results.write_text(json.dumps(figures))
    opened = {"results": str(results), "episodes": str(tmp_path / "val_seen.json.gz")}
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps(opened))
    at = _found(page)
    assert at.metric[0].value == "50.0 %"
    kinds = re.findall(r"class=\W+kind\W+>(\w+)<", _drawn(at))
    assert not {"Acts", "Explanations"} & {*kinds}
    assert "holds figures alone" in _drawn(at)
    keys = {str(button.key) for button in at.button}
    walks = {"explore_replay_failures", "explore_verify", "explore_what_if_begin", "explore_repair"}
    assert not keys & walks
    assert not [one for one in at.segmented_control if one.label == "View"]
