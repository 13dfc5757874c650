"""POIs that are multipolygons, and extracts in ``.osm.pbf``: the same world as from XML."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from navviz.errors import InputError, MissingExtraError
from navviz.formats import kind_of, open_graph
from navviz.support.guarded import ReadProgress, reporting_to
from tests.formats.osm.test_extracts import CROSS, node, osm, way, write

PARK = (
    node(20, 0.1, -0.9), node(21, 0.1, -0.6), node(22, 0.4, -0.6), node(23, 0.4, -0.9),
    node(30, -0.2, 0.5), node(31, -0.2, 0.6), node(32, -0.3, 0.6),
    way(40, 20, 21, 22), way(41, 20, 23, 22), way(42, 30, 31, 32, 30),
)  # fmt: skip


def relation(key: int, members: list[tuple[int, str]], **tags: str) -> str:
    inner = "".join(f'<member type="way" ref="{ref}" role="{role}"/>' for ref, role in members)
    inner += "".join(f'<tag k="{k}" v="{v}"/>' for k, v in tags.items())
    return f'<relation id="{key}">{inner}</relation>'


def _park(kind: str = "multipolygon") -> str:
    members = [(40, "outer"), (41, "outer"), (42, "outer"), (99, "outer"), (11, "inner")]
    return osm(*CROSS, *PARK, relation(7, members, type=kind, leisure="park", name="Elm Park"))


def test_a_multipolygon_is_a_poi_with_the_outline_of_its_outer_ways(tmp_path):
    graph = open_graph(write(tmp_path, _park()))
    park = graph.pois["r7"]
    assert park.tags == {"name": "Elm Park", "leisure": "park"}
    np.testing.assert_allclose(park.position, (0.25 * 0.0009, -0.75 * 0.0009), atol=1e-9)
    linked = [link for name in graph.ids for link in graph.poi_links(name) if link.poi == "r7"]
    assert any(link.position[0] > 0 for link in linked), "its large ring"
    assert any(link.position[0] < 0 for link in linked), "its small ring, south of the street"
    assert all(
        link.position[1] <= -0.6 * 0.0009 + 1e-9 or link.position[0] < 0 for link in linked
    ), "nothing between"


def test_other_relations_and_areas_without_a_way_are_no_pois(tmp_path):
    assert "r7" not in open_graph(write(tmp_path, _park("route"))).pois
    lost = osm(*CROSS, relation(8, [(98, "outer")], type="multipolygon", leisure="park"))
    assert "r8" not in open_graph(write(tmp_path, lost)).pois


def test_pbf_gives_the_same_world_as_xml(tmp_path):
    osmium = pytest.importorskip("osmium")
    source = write(tmp_path, _park())
    packed = tmp_path / "town.osm.pbf"
    with osmium.SimpleWriter(str(packed)) as writer:
        for each in osmium.FileProcessor(str(source)):
            writer.add(each)
    assert kind_of(packed) == "graph"
    a, b = open_graph(source), open_graph(packed)
    assert (b.name, b.ids, dict(b.pois)) == (a.name, a.ids, dict(a.pois))
    assert "r7" in b.pois
    for array in (
        "positions",
        "sources",
        "targets",
        "headings_deg",
        "poi_link_nodes",
        "poi_link_positions",
    ):
        np.testing.assert_array_equal(getattr(b, array), getattr(a, array))


def _told(path) -> list[tuple[int, int]]:
    result = list[tuple[int, int]]()
    with reporting_to(
        ReadProgress(
            report=lambda reading: result.append((reading.done_bytes, reading.total_bytes))
        )
    ):
        open_graph(path)
    return result


def test_reading_an_extract_tells_how_far_it_is_and_in_pieces_gives_the_same(tmp_path, monkeypatch):
    osmium = pytest.importorskip("osmium")
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "no" / "cache"))
    (tmp_path / "no").write_text("a file")
    source = write(tmp_path, _park())
    packed = tmp_path / "town.osm.pbf"
    with osmium.SimpleWriter(str(packed)) as writer:
        for each in osmium.FileProcessor(str(source)):
            writer.add(each)
    whole = open_graph(packed)
    monkeypatch.setattr("navviz.formats.osm.extracts._PIECE_BYTES", 1)
    again = open_graph(packed)
    assert (again.ids, dict(again.pois)) == (whole.ids, dict(whole.pois))
    np.testing.assert_array_equal(again.positions, whole.positions)
    for path in (source, packed):
        result = _told(path)
        assert result[-1] == (path.stat().st_size, path.stat().st_size)
        assert [done for done, _ in result] == sorted(done for done, _ in result)


@pytest.mark.parametrize("kept", [30, 200])
def test_a_pbf_that_ends_early_is_told(tmp_path, kept):
    osmium = pytest.importorskip("osmium")
    packed = tmp_path / "town.osm.pbf"
    with osmium.SimpleWriter(str(packed)) as writer:
        for each in osmium.FileProcessor(str(write(tmp_path, _park()))):
            writer.add(each)
    assert packed.stat().st_size > kept
    packed.write_bytes(packed.read_bytes()[:kept])
    with pytest.raises(
        InputError, match=r"town\.osm\.pbf: is broken OSM PBF .*; get the extract again"
    ):
        open_graph(packed)


def test_a_broken_pbf_is_told(tmp_path):
    pytest.importorskip("osmium")
    (tmp_path / "town.osm.pbf").write_bytes(
        b"\x00\x00\x00\x0dno pbf at all, whatever its name says"
    )
    with pytest.raises(
        InputError, match=r"town\.osm\.pbf: is broken OSM PBF .*; get the extract again"
    ):
        open_graph(tmp_path / "town.osm.pbf")


def test_without_pyosmium_one_is_told_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "osmium", None)
    (tmp_path / "town.osm.pbf").write_bytes(b"anything")
    with pytest.raises(
        MissingExtraError, match=r"\(osmium\); install it with: pip install 'navviz-vln\[osm\]'"
    ):
        open_graph(tmp_path / "town.osm.pbf")
