"""What one sees stands in the address: views, panels, compared runs."""

import pytest

from navviz.ui.state import shell
from tests.paths import ROOT

RUN = "harbour/groke-by-hand"


def test_the_menu_has_six_pages():
    assert [page.name for page in shell.PAGES] == [
        "explore", "replay", "live", "compare", "annotate", "study",
    ]  # fmt: skip
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == {
        page.name for page in shell.PAGES
    }


def test_a_link_opens_view_and_panels(page):
    at = page("explore", run=RUN, view="gallery", panel="instruction-tags")
    assert at.segmented_control(key="explore_view").value == "gallery"
    assert at.toggle(key="explore_panel_instruction-tags").value is True
    at.segmented_control(key="explore_view").set_value("table").run()
    assert "view" not in at.query_params
    assert at.query_params["panel"] in ("instruction-tags", ["instruction-tags"])


def test_a_view_that_nobody_offers_is_the_usual_one(page):
    at = page("explore", run=RUN, view="carousel", panel="nonsense")
    assert at.segmented_control(key="explore_view").value == "table"
    assert not at.exception


def test_a_bare_address_takes_what_was_chosen_last(page):
    at = page("explore", run=RUN, view="gallery")
    for key in list(at.query_params):
        del at.query_params[key]
    at.session_state["navviz"].page = "compare"  # the menu leads here from another page
    at.run()
    assert at.segmented_control(key="explore_view").value == "gallery"
    assert at.query_params["view"] in ("gallery", ["gallery"])


def test_another_run_keeps_all_values_of_a_parameter(page):
    at = page("explore", run=RUN)
    others = [f"another/{number}" for number in range(7)]  # of eight compared runs
    at.query_params["panel"] = ["instruction-tags", "skills"]
    at.query_params["other"] = others
    at.run()
    at.selectbox(key="pickers_run_Run").set_value("harbour/rules").run()
    assert at.query_params["panel"] == ["instruction-tags", "skills"]
    assert at.query_params["other"] == others


def test_a_link_opens_compare_s_charts_as_they_were(page):
    others = {"other": "harbour/rules", "episode": "7"}
    at = page(
        "compare", run=RUN, **others, whole="true", metric="NE", shown="differences", each="SPL"
    )
    chosen = {box.label: box.value for box in at.selectbox}
    assert (chosen["Metric"], chosen["Each episode in two runs"]) == ("NE", "SPL")
    ways = {one.label: one.value for one in at.segmented_control}
    assert ways["Shown"] == "differences"
    metric = next(box for box in at.selectbox if box.label == "Metric")
    metric.set_value("SPL").run()
    assert "SPL" in at.query_params["metric"]


@pytest.mark.parametrize(("written", "shown"), [({"floor": "1"}, "1"), ({"floor": "9"}, None)])
def test_a_link_opens_the_atlas_on_its_floor(page, written, shown):
    at = page("explore", run="house/navgpt-by-hand", view="map", layer="atlas", **written)
    floor = next(one for one in at.segmented_control if one.label == "Floor")
    assert not at.exception
    assert floor.value == (shown or "0")
