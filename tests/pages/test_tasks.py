"""New episode: what is written is checked mark by mark; a walk is cut into step tasks."""

import json

from streamlit.testing.v1 import AppTest

from navviz.runs.opened import OPEN_VARIABLE
from tests.pages.conftest import ran

RUN = "house/mgdm-scripted"


def texts(at: AppTest) -> str:
    """All that is written on the page."""
    return " ".join(
        str(part.value)
        for kind in ("text", "markdown", "caption", "error")
        for part in at.get(kind)
    )


def test_rules_write_a_task_with_its_marks(page):
    at = page("live", part="new", way="write-a-task", run=RUN, episode="LH-1")
    assert not at.exception
    at.segmented_control(key="tasks_targets").set_value(3).run()
    ran(at.button(key="tasks_write").click())
    page_texts = texts(at)
    assert "every object is in its region" in page_texts
    assert "Move_to(" in page_texts
    assert "Rejected" not in page_texts
    first = page_texts
    at.number_input(key="tasks_seed").set_value(5).run()
    at.button(key="tasks_write").click().run()
    assert texts(at) != first


def test_an_experts_walk_is_cut_into_step_tasks(page):
    at = page("live", part="new", way="cut-a-walk", run=RUN, episode="LH-1")
    assert "Step task 1" in texts(at)
    table = at.dataframe[0].value
    assert list(table.columns) == ["Actions", "Segment", "Tags"]
    assert table["Segment"].iloc[0] == "move_forward"
    assert any("nv-actions" in part.proto.body for part in at.get("html"))


def test_published_step_tasks_are_checked_against_the_algorithm(page, data_dir, monkeypatch):
    folder = data_dir / "lhvln"
    opened = {"graphs": str(folder / "scene"), "results": str(folder / "lhpr")}
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps(opened))
    at = page("live", part="new", way="cut-a-walk")
    assert "cuts this walk into these step tasks exactly" in texts(at)
    assert "**Step task 2**, actions 87-131" in texts(at)


def test_an_episode_without_parts_says_so(page):
    at = page("live", part="new", way="cut-a-walk", run="house/rules-indoors", episode="101_0")
    assert not at.exception
    assert "has no expert's path through its targets" in texts(at)


def test_ways_for_tasks_of_several_parts_wait_to_be_asked_for(page):
    at = page("live", part="new", run="house/rules-indoors", episode="101_0")
    assert at.segmented_control(key="live_way").options == ["Draw a route"]
    at.button(key="live_more_ways").click().run()
    assert at.query_params["way"] in ("write-a-task", ["write-a-task"])
    assert at.button(key="tasks_write").label == "Write a task"
    offered = page("live", part="new", run=RUN, episode="LH-1").segmented_control(key="live_way")
    assert offered.options == ["Draw a route", "Write a task", "Cut a walk"]
