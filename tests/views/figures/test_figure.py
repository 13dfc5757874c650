"""The figure for a paper: real files, the same bytes each time, and no crash on degenerate
episodes.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from navviz.formats import open_graph
from navviz.records import Episode, Landmark, Observation, SeenPoi, Step, Trace, TraceHeader
from navviz.views.figures.figure import FigureEpisode, episodes_figure, figure_bytes
from navviz.world.graph import Graph
from tests.worlds import ROUTE, write_world


@pytest.fixture
def graph(tmp_path):
    return open_graph(write_world(tmp_path))


def _trace(*, route: list[str], walked: list[str], name: str = "Blue Door Café") -> Trace:
    episode = Episode(
        id="1", dataset="tiny", instruction="Walk.", start="s1", reference_path=tuple(route), goal=route[-1] if route else None,
        landmarks=(Landmark(name=name),),
    )  # fmt: skip
    seen = Observation(format="json", pois=(SeenPoi(name=name, node="e1", letter="B"),))
    step = Step(index=1, node="s1", path=tuple(walked), observation=seen)
    return Trace(
        header=TraceHeader(episode=episode, navigator="test"), steps=(step,) if walked else ()
    )


def _svg(trace: Trace, graph: Graph) -> bytes:
    return figure_bytes(episodes_figure([FigureEpisode(trace, graph)]), "svg")


def test_svg_holds_both_paths_the_landmark_and_a_legend(graph):
    svg = _svg(_trace(route=ROUTE, walked=["s1", "s0", "x", "n0"]), graph)
    words = " ".join(
        element.text or "" for element in ET.fromstring(svg).iter() if element.tag.endswith("text")
    )
    for word in ("reference", "agent", "start", "stop", "goal", "Blue Door Café", "50 m"):
        assert word in words


def test_the_same_episode_gives_the_same_bytes(graph):
    trace = _trace(route=ROUTE, walked=ROUTE)
    assert _svg(trace, graph) == _svg(trace, graph)


def test_png_and_pdf_are_what_they_say(graph):
    figure = episodes_figure([FigureEpisode(_trace(route=ROUTE, walked=ROUTE), graph)])
    assert figure_bytes(figure, "png", dpi=100).startswith(b"\x89PNG")
    assert figure_bytes(figure, "pdf").startswith(b"%PDF")


@pytest.mark.parametrize("name", ["<script>", "$\\frac{1", "a & b"])
def test_names_are_never_read_as_markup(graph, name):
    svg = _svg(_trace(route=ROUTE, walked=ROUTE, name=name), graph)
    assert name in {element.text for element in ET.fromstring(svg).iter()}


def test_an_episode_with_no_path_at_all_is_drawn(graph):
    assert _svg(_trace(route=[], walked=[]), graph).startswith(b"<?xml")


def test_an_episode_that_nobody_walked_shows_no_agent_and_no_divergence(graph):
    svg = _svg(_trace(route=ROUTE, walked=[]), graph)
    words = " ".join(element.text or "" for element in ET.fromstring(svg).iter())
    assert "reference" in words
    for word in ("agent", "stop", "divergence"):
        assert word not in words


def test_the_divergence_and_the_success_radius_stand_in_the_legend(graph):
    svg = _svg(_trace(route=ROUTE, walked=["s1", "s0", "x", "n0"]), graph)
    words = {element.text for element in ET.fromstring(svg).iter()}
    assert {
        "divergence (wrong turn)",
        "success radius 25 m",
        "N",
        "© OpenStreetMap contributors",
    } <= words
