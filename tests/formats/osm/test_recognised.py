"""Maps are known by what they hold, whatever they are called and written in."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

from navviz.errors import InputError
from navviz.formats import discover, kind_of, open_graph
from navviz.runs.account import check_folder
from navviz.support.guarded import taking_notes
from tests.formats.osm.test_extracts import CROSS, osm

TEXT = osm(*CROSS)
OVERPASS = {
    "version": 0.6,
    "generator": "Overpass API",
    "elements": [
        {"type": "node", "id": 1, "lat": 48.1, "lon": 11.5},
        {"type": "node", "id": 2, "lat": 48.1, "lon": 11.501, "tags": {"amenity": "cafe"}},
        {"type": "way", "id": 9, "nodes": [1, 2], "tags": {"highway": "footway"}},
        {
            "type": "way",
            "id": 8,
            "nodes": [2, 3],
            "geometry": [{"lat": 48.1, "lon": 11.501}, {"lat": 48.101, "lon": 11.501}],
            "tags": {"highway": "path"},
        },
    ],
}

NAMES: dict[str, Callable[[bytes], bytes]] = {
    "town.osm": bytes, "town.osm.xml": bytes, "town.osm.xml.gz": gzip.compress,
    "town.osm.xml.bz2": bz2.compress, "town.xml": bytes, "map": bytes,
}  # fmt: skip


def _shape(path: Path) -> tuple[object, ...]:
    graph = open_graph(path)
    return graph.positions.tolist(), graph.lengths_m.tolist(), list(graph.pois)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    path = tmp_path_factory.mktemp("plain") / "town.osm"
    path.write_text(TEXT)
    return _shape(path)


@pytest.mark.parametrize("name", NAMES)
def test_a_map_is_found_and_read_under_any_name(
    tmp_path: Path, name: str, plain: tuple[object, ...]
) -> None:
    path = tmp_path / name
    path.write_bytes(NAMES[name](TEXT.encode()))
    assert discover(tmp_path).graphs == (path,)
    assert kind_of(path) == "graph"
    assert _shape(path) == plain


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "latin-1"])
@pytest.mark.parametrize("declared", [True, False])
def test_xml_is_read_in_every_encoding(
    tmp_path: Path, encoding: str, declared: bool, plain: tuple[object, ...]
) -> None:
    told = f" encoding='{encoding.removesuffix('-sig')}'" if declared else ""
    text = TEXT.replace("version='1.0'", f"version='1.0'{told}")
    path = tmp_path / "map"
    path.write_bytes(text.encode(encoding))
    assert discover(tmp_path).graphs == (path,)
    assert _shape(path) == plain


@pytest.mark.parametrize("order", ["as it is", "sorted", "reversed"])
@pytest.mark.parametrize("name", ["export.json", "export.json.gz", "interpreter"])
def test_an_answer_of_overpass_opens(tmp_path: Path, name: str, order: str) -> None:
    pairs = list(OVERPASS.items())
    keyed = {"as it is": pairs, "sorted": sorted(pairs), "reversed": pairs[::-1]}[order]
    raw = json.dumps(dict(keyed)).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    assert discover(tmp_path).graphs == (path,)
    graph = open_graph(path)
    assert graph.lengths_m.sum() / 2 == pytest.approx(74.26 + 111.19, abs=0.1)
    assert list(graph.pois) == ["n2"]
    assert check_folder(tmp_path).lost == 0


def test_what_an_editor_deleted_is_not_walked_on(data_dir: Path) -> None:
    graph = open_graph(data_dir / "cases" / "josm-deleted" / "edited.osm")
    assert graph.lengths_m.sum() / 2 == pytest.approx(74.3, rel=1e-3)


def test_the_extract_of_the_case_opens(data_dir: Path) -> None:
    folder = data_dir / "cases" / "osm-by-content"
    (path,) = discover(folder).graphs
    assert open_graph(path).lengths_m.sum() / 2 == pytest.approx(185.5, rel=1e-3)


@pytest.mark.parametrize("place", ["lat='north' lon='11.5'", "lon='11.5'", "lat='nan' lon='1'"])
def test_a_node_without_a_position_is_named(tmp_path: Path, place: str) -> None:
    path = tmp_path / "town.osm"
    path.write_text(TEXT.replace("</osm>", f"<node id='77' {place}/></osm>"))
    problems = open_graph(path).info.problems
    assert "node 77 has no position" in str(problems.kept[-1])
    assert sum(problems.skipped.values()) == 1


def _streets(scale: float, **more: object) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph(**more)
    for node, (x, y) in {"1": (11.5, 48.1), "2": (11.501, 48.1), "3": (11.501, 48.101)}.items():
        graph.add_node(node, x=x * scale, y=y * scale)
    return graph


def test_graphml_of_networkx_opens_in_degrees(data_dir: Path) -> None:
    path = data_dir / "cases" / "graphml-of-networkx" / "streets.graphml"
    with taking_notes() as notes:
        graph = open_graph(path)
    assert (len(graph), len(graph.targets), graph.frame) == (3, 3, "geo")
    assert graph.link_m("2", "3") == 111.2
    assert any("positions taken as degrees" in what for what in notes.changes[path])


@pytest.mark.parametrize(("crs", "length_m"), [(None, 900.0), ("epsg:4326", None)])
def test_graphml_of_networkx_says_what_its_positions_are(
    tmp_path: Path, crs: str | None, length_m: float | None
) -> None:
    graph = _streets(1.0, **({"crs": crs} if crs else {}))
    if crs is None:
        graph = nx.MultiDiGraph()
        graph.add_node("1", x=0.0, y=0.0)
        graph.add_node("2", x=900.0, y=0.0)
    graph.add_edge("1", "2", **({"length": length_m} if length_m else {}))
    nx.write_graphml(graph, tmp_path / "streets.graphml")
    opened = open_graph(tmp_path / "streets.graphml")
    assert opened.frame == ("geo" if crs else "metric")


def test_graphml_without_crs_and_lengths_is_refused_by_what_it_lacks(tmp_path: Path) -> None:
    graph = _streets(1.0)
    graph.add_edge("1", "2")
    path = tmp_path / "streets.graphml"
    nx.write_graphml(graph, path)
    with pytest.raises(InputError, match=r"names no crs.*graph.graph\['crs'\]"):
        open_graph(path)
