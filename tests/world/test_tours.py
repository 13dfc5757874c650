"""Distances to targets: kept for a map, and never too many of them."""

import pytest

from navviz.world import search
from navviz.world.search import TargetRuler
from tests.grids import grid, name


def test_distances_to_targets_are_kept_for_the_map_and_bounded_on_a_large_one(monkeypatch):
    graph = grid(4)
    places = 4 * 4
    monkeypatch.setattr(search, "_KEPT_DISTANCES", 2 * places)
    rulers = [TargetRuler(graph), TargetRuler(graph)]
    for column in range(4):
        for ruler in rulers:
            assert ruler.to([name(0, column)])(name(3, 0)) == pytest.approx(
                (3 + column) * 20, rel=0.01
            )
        assert len(search._tables(graph)) == 1 + column % 2
    assert rulers[0].to([name(0, 0), name(3, 3)])(name(3, 2)) == pytest.approx(20, rel=0.01)
    assert rulers[0].to(["nowhere"])(name(0, 0)) is None
    assert rulers[0].to([name(0, 0)])("nowhere") is None
