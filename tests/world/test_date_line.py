"""A world on both sides of 180 degrees is one piece, and as large as anywhere else."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from navviz.formats import open_episodes, open_graph
from navviz.formats.osm.world import write_world
from navviz.views.episode_map import episode_map
from navviz.views.figures.atlas import atlas_map
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.views.figures.overview import thumbnail_points
from navviz.views.player.document import replay_document
from navviz.world.graph import Graph, Poi
from navviz.world.link_shapes import LinkShapes
from tests.grids import episode, grid, straight, trace

PATH = straight(3, 0, 6)
WEST_OF_180 = re.compile(r"-1(?:79|80)\.\d")


def moved(lon_deg: float) -> Graph:
    """The grid with its middle at a longitude, a POI, and a link that bends."""
    here = grid()
    lon = here.positions[:, 1] - here.positions[:, 1].mean() + lon_deg
    lon = (lon + 180.0) % 360.0 - 180.0
    at = [float(here.positions[6, 0]), float(lon[6])]
    begin = np.full(len(here.targets) + 1, 1, np.int64)
    begin[: _link(here, "r3c3", "r3c4") + 1] = 0
    bend = [(here.positions[24, 0] + 1e-4), float(lon[25])]
    return Graph(
        name="grid",
        frame="geo",
        ids=here.ids,
        positions=np.column_stack([here.positions[:, 0], lon]),
        sources=here.sources,
        targets=here.targets,
        given_lengths_m=here.lengths_m,
        shapes=LinkShapes(begin, np.array([bend])),
        pois={"cafe": Poi("cafe", tuple(at), {"amenity": "cafe"})},
        poi_link_nodes=np.array([6], np.int32),
        poi_link_pois=np.array([0], np.int32),
        poi_link_headings_deg=np.array([0.0]),
        poi_link_positions=np.array([at]),
    )


def _link(graph: Graph, a: str, b: str) -> int:
    return int(graph.begin[graph.index[a]]) + graph.neighbours(a).index(b)


@pytest.fixture
def across():
    return moved(180.0)


def test_distances_headings_and_neighbours_do_not_know_the_line(across):
    plain = moved(30.0)
    assert np.ptp(across.positions[:, 1]) < 1
    assert across.lengths_m == pytest.approx(plain.lengths_m, abs=1e-6)
    assert across.headings_deg == pytest.approx(plain.headings_deg, abs=1e-6)
    assert across.metric_positions == pytest.approx(plain.metric_positions, abs=1e-4)
    assert across.geodesic_m(*PATH[:: len(PATH) - 1]) == pytest.approx(
        plain.geodesic_m(*PATH[:: len(PATH) - 1])
    )
    lat, lon = across.position("r3c6")
    # as files and people write it, and as the world has it
    for written in (lon, lon - 360.0):
        assert across.nearest((lat, written)) == ("r3c6", pytest.approx(0.0, abs=1e-4))
        assert across.within((lat, written), 25.0) == plain.within(plain.position("r3c6"), 25.0)
    east = across.position("r0c6")
    assert [poi.id for poi in across.pois_near((east[0], east[1] - 360.0), 5.0)] == ["cafe"]


def test_it_is_drawn_in_one_piece(across):
    walk = trace(episode(PATH), [PATH])
    drawn = {
        "map": episode_map(walk, across).get_root().render(),
        "player": json.dumps(replay_document(walk, across)),
        "atlas": atlas_map(across, [AtlasWalk("e1", PATH, "success")]).get_root().render(),
    }
    for name, text in drawn.items():
        assert "180.000" in text or "179.99" in text, name
        assert not WEST_OF_180.search(text), name
    thumbnail, plain = (thumbnail_points(graph, PATH, PATH) for graph in (across, moved(30.0)))
    assert thumbnail == plain


def test_it_is_written_as_files_have_it_and_opens_again(across, tmp_path):
    write_world(across, tmp_path / "world")
    assert "180.0001" not in (tmp_path / "world" / "nodes.txt").read_text()
    again = open_graph(tmp_path / "world")
    assert again.positions == pytest.approx(across.positions, abs=1e-6)
    assert again.pois["cafe"].position == pytest.approx(across.pois["cafe"].position, abs=1e-6)
    assert again.bends("r3c3", "r3c4") == pytest.approx(across.bends("r3c3", "r3c4"), abs=1e-6)
    assert Graph.from_networkx(across.to_networkx()).positions == pytest.approx(across.positions)


def test_a_file_of_it_has_no_misplaced_node(data_dir):
    folder = data_dir / "cases" / "antimeridian"
    graph = open_graph(folder)
    assert len(graph) == 24
    (entry,) = open_episodes(folder / "splits" / "val.json").episodes.values()
    assert graph.path_length_m(entry.reference_path) == pytest.approx(372.6, rel=1e-3)


def test_a_node_at_0_0_or_swapped_is_still_misplaced(across, tmp_path):
    write_world(across, tmp_path)
    nodes = tmp_path / "nodes.txt"
    lines = nodes.read_text().splitlines()
    key, lat, lon = lines[0].split(",")
    lines[0], lines[1] = f"{key},{lon},{lat}", lines[1].split(",")[0] + ",0,0"
    nodes.write_text("\n".join(lines) + "\n")
    graph = open_graph(tmp_path)
    said = " ".join(map(str, graph.info.problems.kept))
    assert len(graph) == len(across) - 2
    assert "is swapped" in said
    assert "lies more than 5 degrees" in said
