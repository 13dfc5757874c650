"""Explore: the run's figures, its table, its filters, and what is said when something is
missing.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from navviz.runs.opened import OPEN_VARIABLE
from navviz.ui.explore.page import tiles_of
from tests.pages.conftest import WITHIN_APP, ran
from tests.pages.listed import columns, listed, query
from tests.systems.lhvln.logs.easi_run import write_run
from tests.worlds import write_states, write_world


def _tiles(at: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in at.metric}


def _far(folder: Path) -> Path:
    """Make a folder whose three next ones above are this test's own: maps are looked for in them,
    and the one that all tests share holds thousands.
    """
    place = folder / "a" / "b" / "c"
    place.mkdir(parents=True)
    return place


def _shown(at: AppTest) -> list[str]:
    return list(listed(at)["episode"])


@pytest.mark.usefixtures("opened")
def test_headline_and_table_of_the_opened_run(page):
    at = page("explore")
    assert _tiles(at)["Success rate"] == "50.0 %"
    assert _shown(at) == ["1", "2"]
    assert at.query_params["run"] in ("walks/json", ["walks/json"])


@pytest.mark.usefixtures("opened")
def test_a_link_chooses_the_method(page):
    at = page("explore", run="walks/grid")
    table = listed(at).set_index("episode")
    assert list(table["outcome"]) == ["failure", "success"]


def test_without_arguments_the_bundled_sample_is_shown(page):
    at = page("explore")
    assert at.selectbox(key="pickers_run_Run").value.startswith("harbour/")
    assert len(_shown(at)) == 10


def test_a_run_that_is_not_there_names_those_that_may_be_meant(page):
    said = page("explore", run="groke-by-hand").warning[0].value
    assert "no run named “groke-by-hand” here (perhaps “harbour/groke-by-hand”)" in said
    assert (
        "(perhaps “harbour/random-walker”)"
        in page("explore", run="harbour/random-waker").warning[0].value
    )
    assert "perhaps" not in page("explore", run="nothing").warning[0].value


def test_a_file_that_is_no_run_is_told_in_one_sentence(page, tmp_path, monkeypatch):
    foreign = _far(tmp_path) / "notes.json"
    foreign.write_text('{"hello": "world"}')
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"results": str(foreign)}))
    at = page("explore")
    (error,) = at.error
    assert "notes.json" in error.value
    assert error.value.endswith(".")


@pytest.mark.usefixtures("opened")
def test_filters_and_sort_stand_in_the_link_and_come_from_it(page):
    at = page("explore", run="walks/json", outcome="failure,success", sort="-NE")
    assert _shown(at) == ["2", "1"]
    assert query(at) == {"outcome": "failure,success", "sort": "-NE"}
    assert at.query_params["sort"] in ("-NE", ["-NE"])


@pytest.mark.usefixtures("opened")
def test_an_old_link_still_filters_by_how_the_path_was_left(page):
    at = page("explore", run="walks/json", kind="wrong turn")
    assert _shown(at) == ["2"]
    assert "kind" in columns(at)
    assert "kind" not in columns(page("explore", run="walks/json"))


def test_success_stands_first_with_its_interval_and_the_rest_is_folded(page):
    at = page("explore", run="harbour/groke-by-hand")
    first, *others = at.metric
    assert (first.label, first.value, first.delta) == ("Success rate", "40.0 %", "[12, 74] · n 10")
    assert [tile.label for tile in others[:2]] == ["Navigation error", "SPL"]
    assert list(columns(at))[:3] == ["episode", "outcome", "instruction"]


def test_instructions_alone_are_called_that(page, tmp_path, monkeypatch):
    graph = write_world(tmp_path)
    split = tmp_path / "splits" / "tiny.json"
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"graphs": str(graph), "episodes": str(split)}))
    at = page("explore")
    assert any("nobody has walked them" in text.value for text in at.markdown)
    assert not at.metric
    assert _shown(at) == ["1"]


def test_tasks_of_several_parts_have_their_own_figures(page):
    at = page("explore", run="house/mgdm-scripted")
    assert not at.exception
    tables = [frame.value for frame in at.dataframe if "sub_tasks" in frame.value]
    assert list(tables[0]["group"]) == ["all", "2 sub-tasks", "3 sub-tasks"]
    at.toggle(key="explore_lh_published").set_value(True).run()
    assert any("system" in frame.value for frame in at.dataframe)
    house = page("explore", run="house/msnav-by-hand")
    assert not [frame for frame in house.dataframe if "sub_tasks" in frame.value]
    assert _tiles(house)["Map efficiency"] == "50.4 %"


def test_reverie_is_judged_by_the_object():
    plain = SimpleNamespace(has_tasks=False)
    labels = [tile.label or tile.name for tile in tiles_of(plain, {"SR_reverie": 0.5, "ME": 0.4})]
    assert labels[5:] == ["Target seen", "SPL, target seen", "RGS", "RGSPL"]
    assert "SDTW (GROKE)" in [tile.label for tile in tiles_of(plain, {"SR_reverie": None})]
    assert [tile.name for tile in tiles_of(plain, {"SR": 0.5, "GP": 3.0})][:3] == [
        "SR",
        "OSR",
        "GP",
    ]


def test_instructions_against_their_routes_are_found_on_request(page):
    at = page("explore", run="harbour/rules")
    assert "disagreement" not in columns(at)
    ran(at.toggle(key="explore_route_check").set_value(True))
    assert len(listed(at)) == 14
    replay = page("explore", run="harbour/rules", disagreement="turn")
    assert replay.toggle(key="explore_route_check").value is True


def test_a_run_of_easi_opens_without_scene_lists(page, tmp_path, monkeypatch):
    run = write_run(_far(tmp_path))
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"results": str(run)}))
    at = page("explore")
    assert not at.exception
    assert _tiles(at)["Success rate"] == "33.3 %"
    tables = [frame.value for frame in at.dataframe if "sub_tasks" in frame.value]
    assert list(tables[0]["group"]) == ["all", "2 sub-tasks", "3 sub-tasks", "spot", "stretch"]
    assert not page("replay", episode="b2").exception


@WITHIN_APP
def test_the_worst_failures_are_one_button_away(page):
    at = page("explore", run="harbour/groke-by-hand")
    worst = (
        listed(at)
        .query("outcome == 'failure'")
        .sort_values("NE", ascending=False)["episode"]
        .tolist()
    )
    at.button(key="explore_replay_failures").click().run()
    assert at.query_params["outcome"] in ("failure", ["failure"])
    assert at.query_params["sort"] in ("-NE", ["-NE"])
    assert at.selectbox(key="pickers_episode").value == worst[0]
    assert any(
        f"1 of {len(worst)} failures, by NE, highest first" in text.value for text in at.text
    )


def test_indoors_centimetres_are_shown(page):
    at = page("explore", run="house/rules-indoors")
    assert _tiles(at)["Navigation error"].count(".") == 1
    assert len(_tiles(at)["Navigation error"].removesuffix(" m").partition(".")[2]) == 2
    assert columns(at)["NE"]["digits"] == 2
    assert columns(page("explore", run="harbour/groke-by-hand"))["NE"]["digits"] == 0


def test_what_was_read_is_one_line(page, tmp_path, monkeypatch):
    write_world(tmp_path / "town")
    walks = {key: {"json": ["s1", "s0"]} for key in ("1", "2", "3")}
    states = write_states(tmp_path / "town" / "walks.json", walks, "Geh am Café vorbei.")
    text = states.read_text().replace('"osm_path"', '"way"', 1).replace("\\u00e9", "é")
    states.write_text(text, encoding="latin-1")
    with (tmp_path / "town" / "osm" / "graph" / "links.txt").open("a") as file:
        file.write("x,90,nowhere\n")
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"data": str(tmp_path / "town")}))
    at = page("explore")
    (line,) = [each for each in at.get("popover") if each.proto.popover.label.startswith("Read ")]
    label = "Read 2 of 3 episodes from 1 file; 1 other entry not read"
    assert line.proto.popover.label == label
    said = [text.value for text in at.text]
    assert "walks.json, episode 1: has no osm_path; it is left out." in said
    assert any("it is read as Latin-1" in one for one in said)
    assert (
        "links.txt: link x to nowhere names a node that is not in nodes.txt; it is left out."
        in said
    )
    assert "walks.json: decoded as Latin-1" in said
    assert "Read: walks.json" in [caption.value for caption in at.caption]


def test_that_all_was_read_is_said_beside_the_run(page):
    at = page("explore", run="harbour/rules")
    (line,) = [each for each in at.get("popover") if each.proto.popover.label.startswith("Read ")]
    assert line.proto.popover.label == "Read 14 of 14 episodes from 14 files"
