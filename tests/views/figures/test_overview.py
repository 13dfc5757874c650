"""The map of all episodes, and the breakdown of their endings: what is drawn, and that data stays
text.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Container, Sequence
from dataclasses import replace

import pytest

from navviz.formats import open_graph
from navviz.views.figures.lists import breakdown_html
from navviz.views.figures.overview import PATHS_DRAWN, Overview, Walked
from navviz.world.graph import Graph
from navviz.world.info import WorldInfo
from tests.worlds import write_world

HOSTILE = '"><script>alert(1)</script>'


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return open_graph(write_world(tmp_path_factory.mktemp("world")))


def overview_svg(
    graph: Graph, walks: Sequence[Walked], passing: Container[str] | None = None
) -> str:
    return Overview(graph, walks).svg(passing)


def _parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg.partition("</svg>")[0] + "</svg>")


def test_each_walk_can_be_chosen_and_ends_in_a_shape_of_its_own(graph):
    good = Walked("1", ["s1", "s0", "x", "e0", "e1"], "success", "1: success")
    drawn = _parsed(
        overview_svg(graph, [good, Walked("2", ["s1", "s0", "x", "w0"], "failure", "2: failure")])
    )
    groups = {group.get("data-value"): group for group in drawn.iter("g")}
    assert set(groups) == {"1", "2"}
    ends = {key: group.find("path").get("d") for key, group in groups.items()}  # type: ignore[union-attr]
    assert "a" in str(ends["1"])
    assert "l" in str(ends["2"])
    assert [group.get("class") for group in drawn.iter("g")] == ["success", "failure"]


def test_everything_lies_inside_the_picture(graph):
    drawn = _parsed(overview_svg(graph, [Walked("1", ["w1", "x", "e2"], "unknown", "")]))
    left, top, width, height = map(float, str(drawn.get("viewBox")).split())
    pairs = [pair for line in drawn.iter("polyline") for pair in line.get("points", "").split()]
    points = [tuple(map(float, pair.split(","))) for pair in pairs]
    assert points
    assert all(left <= x <= left + width and top <= y <= top + height for x, y in points)


def test_walks_that_do_not_pass_are_a_shade_below_the_others(graph):
    walks = [Walked("1", ["s1", "x"], "failure", ""), Walked("2", ["s1", "x"], "success", "")]
    shade, shown = _parsed(overview_svg(graph, walks, {"1"})).iter("g")
    assert (shade.get("class"), shade.get("data-value")) == ("success shade", None)
    assert shown.get("data-value") == "1"


def test_nodes_that_the_graph_lacks_are_left_out_and_so_is_what_is_too_much(graph):
    assert "data-value" not in overview_svg(graph, [Walked("1", ["nowhere"], "failure", "")])
    many = [Walked(str(i), ["s1", "x"], "success", "") for i in range(PATHS_DRAWN + 5)]
    svg = overview_svg(graph, many)
    assert svg.count("data-value") == PATHS_DRAWN
    assert 'class="overview many"' in svg


def test_data_stays_text(graph):
    svg = overview_svg(graph, [Walked(HOSTILE, ["s1", "x"], "failure", HOSTILE)])
    assert "<script" not in svg
    assert next(_parsed(svg).iter("g")).get("data-value") == HOSTILE


def test_a_backdrop_shows_water_and_what_is_wrong_in_it_is_passed_over(graph):
    ring = [[10.0, 54.0], [10.001, 54.0], [10.001, 54.001], [10.0, 54.0]]
    water = {
        "properties": {"kind": "water"},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    wrong = {
        "properties": {"kind": "water"},
        "geometry": {"type": "Polygon", "coordinates": [[["x"]]]},
    }
    world = replace(graph, info=WorldInfo(backdrop={"features": [water, wrong, {}, 3]}))
    svg = overview_svg(world, [Walked("1", ["s1", "x"], "failure", "")])
    assert svg.count('class="ground water"') == 1


def test_whoever_the_map_comes_from_is_named(graph):
    named = replace(graph, info=WorldInfo(attribution="© OpenStreetMap <contributors>"))
    svg = overview_svg(named, [Walked("1", ["s1", "x"], "failure", "")])
    assert svg.endswith('<p class="credit">© OpenStreetMap &lt;contributors&gt;</p>')
    assert "credit" not in overview_svg(replace(graph, info=WorldInfo()), [])


def test_the_breakdown_counts_and_marks_what_is_chosen():
    html = breakdown_html({"success": 3, "failure": 1}, 4, {"failure"})
    assert "<b>1</b> of 4 failed" in html
    rows = html.split("<button")[1:]
    assert ['aria-pressed="true"' in row for row in rows] == [False, True]
    nothing = breakdown_html({"success": 3, "failure": 0}, 3).split("<button")[1:]
    assert [" disabled" in row for row in nothing] == [False, True]
    assert "No outcome is known" in breakdown_html({"success": 0}, 0)


def test_recorded_outcomes_are_marked():
    counts = {"success": 1, "failure": 2}
    assert "failed, as recorded" in breakdown_html(counts, 3, recorded=True)
    assert "recorded" not in breakdown_html(counts, 3)
    assert "recorded" not in breakdown_html({"success": 0}, 0, recorded=True)
