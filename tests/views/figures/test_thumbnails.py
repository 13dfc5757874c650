"""Thumbnails: small, well-formed, escaped, and true to the paths."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from navviz.formats import open_graph
from navviz.views.figures.thumbnails import thumbnail_svg
from navviz.world.graph import Graph
from tests.worlds import ROUTE, write_world


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return open_graph(write_world(tmp_path))


def _line(svg: str, name: str) -> list[tuple[float, float]]:
    (points,) = re.findall(rf'<polyline class="{name}" points="([^"]*)"', svg)
    return [tuple(map(float, pair.split(","))) for pair in points.split()]  # type: ignore[misc]


def test_straight_parts_collapse_and_corners_stay(graph: Graph) -> None:
    svg = thumbnail_svg(graph, ROUTE, ["s1", "s0", "x", "n0"], "failure", "1")
    reference, agent = _line(svg, "ref"), _line(svg, "agent")
    assert len(reference) == 3  # s1, the corner at x, e1
    assert len(agent) == 2
    assert reference[0] == agent[0]
    assert agent[-1][1] < agent[0][1]  # north is up


def test_text_stays_text(graph: Graph) -> None:
    svg = thumbnail_svg(graph, ROUTE, ROUTE, "success", '</title><script>alert(1)</script>"')
    root = ET.fromstring(svg)
    assert [child.tag for child in root] == [
        "title",
        "polyline",
        "circle",
        "polyline",
        "circle",
        "circle",
    ]
    assert root[0].text == '</title><script>alert(1)</script>"'


@pytest.mark.parametrize(
    ("reference", "walked"), [([], []), ([], ["x"]), (["gone"], ["x", "gone"]), (["x"], [])]
)
def test_missing_paths_leave_a_picture(
    graph: Graph, reference: list[str], walked: list[str]
) -> None:
    assert ET.fromstring(thumbnail_svg(graph, reference, walked, "unknown", "t")).tag == "svg"
