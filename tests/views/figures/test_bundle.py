"""The bundle of walks: wider where more walk, rings where they part, text escaped."""

import re

from navviz.views.figures.bundle import bundle_svg
from tests.grids import grid

GRAPH = grid(5)


def test_width_follows_the_walks():
    links = {("r0c0", "r0c1"): 3, ("r0c1", "r1c1"): 1, ("r0c1", "gone"): 2}
    drawn = bundle_svg(
        GRAPH, links, 3, [("r0c1", 0.9, "<b> 0.9 bits"), ("gone", 1.0, "")], ("r0c0", "r0c1")
    )
    assert [float(width) for width in re.findall(r'<line [^>]*stroke-width="([\d.]+)"', drawn)] == [
        9.0,
        3.7,
    ]
    assert drawn.count("<circle") == 1
    assert "&lt;b&gt; 0.9 bits" in drawn
    assert "<polyline" in drawn


def test_nothing_known_draws_nothing():
    assert bundle_svg(GRAPH, {("x", "y"): 1}, 1, []) == ""
