"""OpenStreetMap extracts as outdoor worlds."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from navviz.datasets.places import open_place
from navviz.errors import InputError
from navviz.formats import discover, open_graph
from navviz.formats.osm.extracts import OsmGraph
from navviz.formats.osm.world import write_world
from navviz.records import Episode, TraceHeader
from navviz.records.trace_files import fold
from navviz.systems.registry import get_navigator, settings_from
from navviz.world.geometry import great_circle_m, turn_deg
from navviz.world.graph import Graph
from tests.command import invoke
from tests.fake_servers.openai import FakeOpenAI

STEP = 0.0009
"""Degrees of latitude that make about 100 m."""


def node(key: int, north: float, east: float, **tags: str) -> str:
    inner = "".join(f'<tag k="{k}" v="{v}"/>' for k, v in tags.items())
    return f'<node id="{key}" lat="{north * STEP}" lon="{east * STEP}">{inner}</node>'


def way(key: int, *refs: int, **tags: str) -> str:
    inner = "".join(f'<nd ref="{ref}"/>' for ref in refs) + "".join(
        f'<tag k="{k}" v="{v}"/>' for k, v in tags.items()
    )
    return f'<way id="{key}">{inner}</way>'


def osm(*elements: str) -> str:
    return f"<?xml version='1.0'?><osm version=\"0.6\">{''.join(elements)}</osm>"


CROSS = (
    node(1, 0, -1),
    node(2, 0, 0),
    node(3, 0, 1),
    node(4, 1, 0, highway="traffic_signals"),
    node(5, 0.1, 0.5, amenity="cafe", name="Quay & Co".replace("&", "and")),
    node(6, 9, 9, shop="bakery"),
    way(10, 1, 2, 3, highway="residential"),
    way(11, 2, 4, highway="footway"),
    way(12, 1, 4, highway="motorway"),
)


def write(folder: Path, text: str, name: str = "town.osm") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_streets_are_split_every_ten_metres_between_junctions(tmp_path: Path) -> None:
    graph = open_graph(write(tmp_path, osm(*CROSS)))
    assert graph.name == "town"
    assert graph.frame == "geo"
    assert len(graph) == 1 + 3 * 10, (
        "three arms of 100 m around one crossing; the motorway is not walked on"
    )
    assert np.allclose(graph.lengths_m, 10.0, atol=0.05)
    assert graph.degree("2") == 3
    assert graph.info.attribution == "© OpenStreetMap contributors"
    assert graph.geodesic_m("1", "4") == pytest.approx(200, abs=0.5)
    assert {graph.degree(n) for n in graph.ids} == {1, 2, 3}
    north = dict(graph.links("2"))[
        next(n for n in graph.neighbours("2") if graph.position(n)[0] > 1e-6)
    ]
    assert north == pytest.approx(0, abs=0.01)


def test_pois_come_from_tags_and_are_linked_to_the_streets_near_them(tmp_path: Path) -> None:
    graph = open_graph(write(tmp_path, osm(*CROSS)))
    assert {poi.name for poi in graph.pois.values()} == {"Quay and Co", "traffic signals", "bakery"}
    linked = {link.poi for n in graph.ids for link in graph.poi_links(n)}
    assert linked == {"n5", "n4"}, "the bakery is a kilometre away"
    near = min(
        (link for n in graph.ids for link in graph.poi_links(n) if link.poi == "n5"),
        key=lambda link: float(great_circle_m(graph.position(link.node), link.position)),
    )
    assert abs(turn_deg(near.heading_deg, 0)) < 30


def test_an_outline_is_linked_at_its_nearest_point(tmp_path: Path) -> None:
    corners = [node(20, 0.2, 0.4), node(21, 0.2, 0.9), node(22, 0.8, 0.9), node(23, 0.8, 0.4)]
    park = way(30, 20, 21, 22, 23, 20, leisure="park", name="Green")
    graph = open_graph(write(tmp_path, osm(*CROSS[:4], *corners, *CROSS[6:], park)))
    links = [link for n in graph.ids for link in graph.poi_links(n) if link.poi == "w30"]
    assert links
    assert all(
        float(great_circle_m(graph.position(link.node), link.position)) <= 33.1 for link in links
    )
    south = [link for link in links if abs(graph.position(link.node)[0]) < 1e-9]
    assert all(link.position[0] == pytest.approx(0.2 * STEP, abs=1e-6) for link in south)
    assert graph.pois["w30"].position == pytest.approx((0.5 * STEP, 0.65 * STEP), abs=1e-6)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<osm><node id='1'", "is broken OSM XML"),
        ("<html></html>", "its first element is html, not osm"),
        (osm(), "holds no OpenStreetMap node"),
        (osm(node(1, 0, 0)), "has no street that one can walk"),
        (osm(*CROSS[:4], way(12, 1, 4, highway="motorway")), "has no street that one can walk"),
        (osm("<node id='1' lat='x' lon='0'/>"), "node 1 has no position"),
        (osm(*CROSS[:4], way(1, 98, 99, highway="path")), "has no street that one can walk"),
        ("", "the file is empty"),
    ],
)
def test_a_bad_file_gives_one_clear_sentence(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        open_graph(write(tmp_path, text))
    assert says in str(caught.value)
    assert "town.osm" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_street_that_leaves_the_extract_is_said(tmp_path: Path) -> None:
    graph = open_graph(
        write(
            tmp_path,
            osm(*CROSS, way(13, 3, 99, 98, highway="path"), way(14, 4, 3, 97, highway="path")),
        )
    )
    assert "2 streets lead out of the extract" in str(graph.info.problems.kept[0])


def streets() -> nx.MultiDiGraph:
    """A small graph as osmnx gives it, one edge simplified."""
    shapely = pytest.importorskip("shapely.geometry")
    graph = nx.MultiDiGraph(crs="epsg:4326", simplified=True)
    graph.add_node(1, x=0.0, y=0.0)
    graph.add_node(2, x=STEP, y=STEP)
    bend = shapely.LineString([(0, 0), (0, STEP), (STEP, STEP)])
    graph.add_edge(1, 2, 0, osmid=5, highway="footway", length=200.0, geometry=bend)
    graph.add_edge(2, 1, 0, osmid=5, highway="footway", length=200.0, geometry=bend.reverse())
    return graph


def test_graphml_of_osmnx_opens_as_the_graph_that_was_saved(tmp_path: Path) -> None:
    osmnx = pytest.importorskip("osmnx")
    path = tmp_path / "town.graphml"
    osmnx.save_graphml(streets(), path)
    graph = open_graph(path)
    assert (graph.name, list(graph.ids)) == ("town", ["1", "2"])
    assert graph.geodesic_m("1", "2") == 200.0
    assert graph.bends("1", "2").tolist() == [[STEP, 0.0]]
    assert graph.info.attribution == "© OpenStreetMap contributors"
    path.write_text("<graphml>")
    with pytest.raises(InputError, match="is no GraphML file of osmnx"):
        open_graph(path)


def test_graphml_says_what_it_cannot_use(tmp_path: Path) -> None:
    osmnx = pytest.importorskip("osmnx")
    path = tmp_path / "town.graphml"
    graph = streets()
    graph.add_node(3, x=195.0, y=0.0)
    graph.add_edge(2, 3, 0, length=50.0)
    osmnx.save_graphml(graph, path)
    opened = open_graph(path)
    assert list(opened.ids) == ["1", "2"]
    assert "town.graphml: node 3 is no position" in str(opened.info.problems.kept[0])
    graph.remove_edges_from(list(graph.edges))
    osmnx.save_graphml(graph, path)
    with pytest.raises(InputError, match=r"town\.graphml: has no street that one can walk"):
        open_graph(path)
    osmnx.save_graphml(osmnx.project_graph(streets()), path)
    with pytest.raises(InputError, match=r"town\.graphml: is projected"):
        open_graph(path)


BENT = (
    node(1, 0, 0),
    node(2, 0.05, 0),
    node(3, 0.05, 0.04),
    node(4, 0, 0.04),
    node(5, 0, 1.04),
    way(10, 1, 2, 3, 4, 5, highway="footway"),
)
"""5 m north, 4 m east, 5 m south, then 100 m east."""


def test_a_street_that_is_split_keeps_its_length_and_its_bends(tmp_path: Path) -> None:
    graph = open_graph(write(tmp_path, osm(*BENT)))
    line = np.array([(0, 0), (0.05, 0), (0.05, 0.04), (0, 0.04), (0, 1.04)]) * STEP
    whole_m = great_circle_m(line[:-1], line[1:]).sum()
    path = graph.shortest_path("1", "5")
    assert len(path) == 12
    assert graph.path_length_m(path) == pytest.approx(whole_m, abs=1e-6)
    assert graph.path_length_m(path[::-1]) == pytest.approx(whole_m, abs=1e-6)
    np.testing.assert_allclose(graph.bends(path[0], path[1]), line[1:3], atol=1e-12)
    np.testing.assert_allclose(graph.bends(path[1], path[0]), line[2:0:-1], atol=1e-12)
    assert len(graph.bends(path[5], path[6])) == 0
    assert dict(graph.links("1"))[path[1]] == pytest.approx(0, abs=1e-6), "one leaves to the north"


def test_straight_streets_keep_no_lengths(tmp_path: Path) -> None:
    graph = open_graph(write(tmp_path, osm(*CROSS)))
    assert graph.given_lengths_m is None
    assert graph.shapes is None


def test_a_place_is_downloaded_through_osmnx(monkeypatch: pytest.MonkeyPatch) -> None:
    osmnx, geopandas = pytest.importorskip("osmnx"), pytest.importorskip("geopandas")
    shapely = pytest.importorskip("shapely.geometry")
    index = [("node", 7), ("way", 8), ("node", 9)]
    shapes = [
        shapely.Point(0, STEP / 2),
        shapely.box(0, STEP, STEP / 2, 2 * STEP),
        shapely.Point(0, 0),
    ]
    features = geopandas.GeoDataFrame(
        {
            "amenity": ["cafe", None, "bench"],
            "leisure": [None, "park", None],
            "name": ["Corner", None, None],
        },
        geometry=shapes,
        index=index,
    )
    monkeypatch.setattr(osmnx, "graph_from_place", lambda *_, **__: streets())
    monkeypatch.setattr(osmnx, "features_from_place", lambda *_, **__: features)
    graph = open_place("Smallville")
    assert graph.name == "Smallville"
    assert {poi.name for poi in graph.pois.values()} == {"Corner", "park"}
    assert len(graph.poi_link_nodes) > 5


@pytest.fixture(autouse=True)
def nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test asks the real server: port 9 of this machine answers to nobody."""
    monkeypatch.setattr(
        pytest.importorskip("osmnx").settings, "overpass_url", "http://127.0.0.1:9/api"
    )


def test_the_settings_of_osmnx_are_its_own_again_and_its_rate_limit_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    osmnx, geopandas = pytest.importorskip("osmnx"), pytest.importorskip("geopandas")
    during: list[tuple[str, bool]] = []

    def download(*_: object, **__: object) -> nx.MultiDiGraph:
        during.append((osmnx.settings.cache_folder, osmnx.settings.overpass_rate_limit))
        return streets()

    monkeypatch.setattr(osmnx, "graph_from_place", download)
    monkeypatch.setattr(
        osmnx, "features_from_place", lambda *_, **__: geopandas.GeoDataFrame({"geometry": []})
    )
    before = osmnx.settings.cache_folder, osmnx.settings.overpass_rate_limit
    assert before[1]
    open_place("Smallville", tmp_path)
    with FakeOpenAI([]) as server:  # whoever answers is there
        monkeypatch.setattr(osmnx.settings, "overpass_url", server.address)
        open_place("Smallville", tmp_path)
    assert during == [(str(tmp_path), False), (str(tmp_path), True)]
    assert (osmnx.settings.cache_folder, osmnx.settings.overpass_rate_limit) == before


def test_no_network_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    osmnx = pytest.importorskip("osmnx")

    def fail(*_: object, **__: object) -> None:
        raise ConnectionError("no route to host")

    monkeypatch.setattr(osmnx, "graph_from_bbox", fail)
    with pytest.raises(
        InputError,
        match=r"could not be downloaded .*no route to host.*; check the spelling and the network",
    ):
        open_place((0, 0, 1, 1))


def test_a_world_is_saved_in_map2seqs_format_and_opens_again(tmp_path: Path) -> None:
    graph = open_graph(write(tmp_path, osm(*CROSS)))
    write_world(graph, tmp_path / "world")
    again = open_graph(tmp_path / "world")
    assert list(again.ids) == list(graph.ids)
    assert np.allclose(again.positions, graph.positions, atol=1e-7)
    assert sorted(zip(again.sources, again.targets, strict=True)) == sorted(
        zip(graph.sources, graph.targets, strict=True)
    )
    assert {key: poi.tags for key, poi in again.pois.items()} == {
        key: poi.tags for key, poi in graph.pois.items()
    }
    assert len(again.poi_link_nodes) == len(graph.poi_link_nodes)


def test_a_world_that_is_saved_keeps_lengths_and_shapes(tmp_path: Path) -> None:
    graph = open_graph(write(tmp_path, osm(*BENT)))
    write_world(graph, tmp_path / "world")
    again = open_graph(tmp_path / "world")
    path = graph.shortest_path("1", "5")
    assert again.path_length_m(path) == pytest.approx(graph.path_length_m(path), abs=1e-6)
    np.testing.assert_allclose(
        again.bends(path[0], path[1]), graph.bends(path[0], path[1]), atol=1e-7
    )
    np.testing.assert_allclose(
        again.bends(path[1], path[0]), graph.bends(path[1], path[0]), atol=1e-7
    )
    assert not again.info.problems.kept
    straight = tmp_path / "straight"
    straight.mkdir()
    write_world(open_graph(write(straight, osm(*CROSS))), tmp_path / "world")
    assert open_graph(tmp_path / "world").given_lengths_m is None, (
        "nothing of the world before is left"
    )


def test_the_command_makes_a_world(tmp_path: Path) -> None:

    path = write(tmp_path, osm(*CROSS))
    result = invoke("world", str(path), "--out", str(tmp_path / "world"))
    assert result.exit_code == 0, result.output
    assert "31 street nodes" in result.output
    assert (tmp_path / "world" / "nodes.txt").is_file()
    bad = invoke("world", "3,2,1,0")
    assert bad.exit_code == 2
    assert "is no box" in bad.output
    gone = invoke("world", str(tmp_path / "gone.osm"))
    assert (gone.exit_code, "gone.osm: there is no such file; check the path." in gone.output) == (
        2,
        True,
    )


def test_extracts_are_found_in_a_folder(tmp_path: Path) -> None:
    path = write(tmp_path, osm(*CROSS))
    assert discover(tmp_path).graphs == (path,)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "nodes"),
    [("planet_10.068,48.135_10.071,48.137.osm", 46), ("West-Oakland.osm.bz2", 742)],
)
def test_real_extracts_open_route_and_run(data_dir: Path, name: str, nodes: int) -> None:
    graph = OsmGraph.read(data_dir / "osm" / name)
    assert len(graph) == nodes
    assert np.median(graph.lengths_m) == pytest.approx(10, abs=0.5)
    start = graph.ids[0]
    reached = graph.geodesics_from(start)
    goal = max(reached, key=reached.__getitem__)
    path = graph.shortest_path(start, goal)
    assert graph.path_length_m(path) == pytest.approx(reached[goal])
    episode = Episode(
        id="1",
        dataset="drawn",
        instruction="Go on.",
        start=start,
        start_heading_deg=0,
        reference_path=path,
        goal=goal,
    )
    navigator = get_navigator("random-walker")
    events = navigator.navigate(episode, graph, None, settings_from(navigator))
    trace = fold([TraceHeader(episode=episode, navigator="random-walker"), *events])
    assert trace.end.status in {"done", "limit"}
    assert len(trace.path) > 1
    assert all(graph.has_link(a, b) for a, b in zip(trace.path, trace.path[1:], strict=False))


@pytest.mark.data
def test_oaklands_pois_come_from_its_tags(data_dir: Path) -> None:
    graph = OsmGraph.read(data_dir / "osm" / "West-Oakland.osm.bz2")
    assert sum(poi.tags.get("highway") == "traffic_signals" for poi in graph.pois.values()) == 4
    assert len(graph.poi_link_nodes) > 100


def test_graph_is_the_readers_own(tmp_path: Path) -> None:
    graph = open_graph(write(tmp_path, osm(*CROSS)))
    assert isinstance(graph, Graph)
    assert OsmGraph.worlds(tmp_path / "town.osm") == ("town",)
