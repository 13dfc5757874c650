"""Everything that draws streets and walks draws a curved street with its shape."""

import re

import folium
import networkx as nx
import numpy as np
import pytest

from navviz.formats import open_graph
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.trace import Step
from navviz.views.episode_map import episode_map
from navviz.views.figures.atlas import pack_atlas
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.views.figures.bundle import bundle_svg
from navviz.views.figures.figure_panels import FigureEpisode, panels_of
from navviz.views.figures.overview import Overview, Walked, thumbnail_points
from navviz.views.palette import AGENT, REFERENCE, STREET
from navviz.views.player.cut import cut_graph
from navviz.views.player.document import replay_document
from navviz.views.player.pick import pick_document
from navviz.world.geometry import destination

BEGIN = (54.0, 10.0)
CURVE = [
    BEGIN,
    destination(BEGIN, 0.0, 35.0),
    destination(destination(BEGIN, 0.0, 35.0), 90.0, 19.0),
]
END = destination(CURVE[2], 180.0, 35.0)


@pytest.fixture(scope="module")
def world():
    shape = nx.DiGraph(frame="geo", name="block")
    for node, place in (("a", BEGIN), ("b", END), ("c", destination(END, 90.0, 60.0))):
        shape.add_node(node, position=place)
    shape.add_edge("a", "b", shape=[*CURVE, END])
    shape.add_edge("b", "a", shape=[END, *CURVE[::-1]])
    shape.add_edge("b", "c")
    shape.add_edge("c", "b")
    return open_graph(shape)


@pytest.fixture(scope="module")
def trace():
    episode = Episode(
        id="1", dataset="d", instruction="Go round.", start="a", start_heading_deg=0.0,
        reference_path=("a", "b", "c"), goal="c",
    )  # fmt: skip
    steps = (Step(index=1, node="a", path=("a", "b")), Step(index=2, node="b", path=("b",)))
    return Trace(header=TraceHeader(episode=episode, navigator="drawn"), steps=steps)


def test_the_player_draws_the_bends_of_links_and_streets(world, trace):
    document = replay_document(trace, world)
    ids = document["nodes"]["ids"]
    (link,) = document["bends"]
    assert [ids[end] for end in link["ends"]] == ["a", "b"]
    np.testing.assert_allclose(np.reshape(link["at"], (-1, 2)), CURVE[1:], atol=1e-6)
    points = {
        tuple(street[k : k + 2]) for street in document["streets"] for k in range(0, len(street), 2)
    }
    assert points == {
        (round(lat, 6), round(lon, 6)) for lat, lon in (*CURVE, END, world.position("c"))
    }


def test_a_world_of_straight_streets_has_no_bends(trace):
    shape = nx.DiGraph(frame="geo", name="block")
    for node, place in (("a", BEGIN), ("b", END), ("c", destination(END, 90.0, 60.0))):
        shape.add_node(node, position=place)
    shape.add_edges_from([("a", "b"), ("b", "c")])
    assert "bends" not in replay_document(trace, open_graph(shape))
    assert cut_graph(open_graph(shape), ["a", "b"]).bends == []


def test_the_picker_draws_them(world):
    document = pick_document(world, "a", route=("a", "b", "c"))
    ((number, line),) = document["bends"]
    assert [document["ids"][end] for end in document["links"][number]] == ["a", "b"]
    np.testing.assert_allclose(line, CURVE[1:], atol=1e-6)
    np.testing.assert_allclose(document["route"][0], [*CURVE, END, world.position("c")], atol=1e-6)


def test_folium_draws_them(world, trace):
    chart = episode_map(trace, world)
    layers = [
        child for layer in chart._children.values() for child in (layer, *layer._children.values())
    ]
    lines = {
        line.options["color"]: line.locations
        for line in layers
        if isinstance(line, folium.PolyLine)
    }
    np.testing.assert_allclose(lines[AGENT][0], [*CURVE, END])
    np.testing.assert_allclose(lines[REFERENCE][0], [*CURVE, END, world.position("c")])
    assert sum(map(len, lines[STREET])) == 5


def test_the_figure_draws_them_and_leaves_room(world, trace):
    (panel,) = panels_of(FigureEpisode(trace, world))
    np.testing.assert_allclose(panel.walked[0], world.to_metric(np.array([*CURVE, END])), atol=1e-6)
    assert panel.streets.shape == (4, 2, 2), "three pieces of the curve, and the straight street"
    assert (panel.high >= world.to_metric(np.array(CURVE)).max(axis=0)).all()


def test_thumbnails_and_the_overview_draw_them(world):
    small = thumbnail_points(world, ("a", "b"), ("a", "b"))
    assert [len(small[name]) for name in ("r", "a")] == [8, 8], "four points, x and y"
    whole = Overview(world, [Walked("1", ("a", "b"), "success", "walk")]).svg()
    assert len(re.findall(r'class="walk" points="([^"]+)"', whole)[0].split()) == 4
    assert re.findall(r'class="streets" d="([^"]+)"', whole)[0].count("M") == 4


def test_the_bundle_draws_them(world):
    drawn = bundle_svg(world, {("a", "b"): 2, ("b", "c"): 1}, 2, [], ("a", "b"))
    curved = re.findall(r'<polyline points="([^"]+)"', drawn)
    assert [len(points.split()) for points in curved] == [4, 4], "the link, and the reference"
    assert drawn.count("<line ") == 1


@pytest.mark.parametrize("density", [False, True])
def test_the_atlas_draws_them(world, density):
    walk = AtlasWalk("1", ("a", "b"), "success")
    packed = pack_atlas(world, [walk], density=density)
    drawn = packed.drawn
    lines = (
        [line for band in drawn["traffic"] for line in band["lines"]]
        if density
        else drawn["walks"][0]["p"]
    )
    assert [len(line) // 2 for line in lines] == [4]
    assert sum(len(line) // 2 for line in drawn["streets"]) == 5
    np.testing.assert_allclose(
        packed.corners[1][0], CURVE[1][0], atol=1e-6, err_msg="the curve is in sight"
    )
