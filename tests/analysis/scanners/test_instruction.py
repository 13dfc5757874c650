"""The scanner of instructions says what the check of instructions says."""

from __future__ import annotations

from navviz.analysis.contradictions import contradictions
from navviz.analysis.scanners.registry import TextAgainstRoute
from navviz.annotation.taxonomy import bundled_taxonomy
from tests.grids import episode, grid, route, trace

GRAPH = grid(9)


def test_a_hit_is_a_claim_with_its_code():
    text = "Go through three intersections. Turn right at the fourth intersection. Stop there."
    path = route(GRAPH, "r0c0", "r0c4", "r4c4")
    own_episode = episode(path, instruction=text, start_heading_deg=90.0)
    (claim,) = contradictions(own_episode, GRAPH)
    (hit,) = TextAgainstRoute().scan(trace(own_episode, [path[1:]]), GRAPH)
    assert (hit.episode, hit.step, hit.sentence) == ("e1", None, claim.sentence)
    assert hit.code is not None
    assert bundled_taxonomy().label(hit.code).titles[-1] == "Against the route"
