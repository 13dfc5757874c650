"""The atlas alone in a browser without network; `test_session` clicks on the one of Explore."""

import pytest

from navviz.views.figures.atlas import atlas_map
from navviz.views.figures.atlas_walk import AtlasWalk
from tests.browser.waits import expect
from tests.grids import grid, route

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hacked=1">'
GRAPH = grid(9)
PATH = tuple(route(GRAPH, "r0c0", "r0c4", "r4c4"))


def test_a_click_tells_how_many_left_and_which_as_plain_text(page, tmp_path):
    walks = [
        AtlasWalk(f"{HOSTILE}{k}", PATH, "failure", HOSTILE, ("r0c4",), ("r0c4",), "r0c4")
        for k in range(3)
    ]
    atlas_map(GRAPH, [*walks, AtlasWalk("4", PATH, "success")]).save(tmp_path / "atlas.html")
    page.goto((tmp_path / "atlas.html").as_uri())
    disc = page.locator(".leaflet-marker-icon.nv-left")
    expect(disc).to_have_text("3")
    disc.click()
    popup = page.locator(".leaflet-popup-content")
    expect(popup).to_contain_text("3 departures from the route at one place")
    expect(popup).to_contain_text(f"{HOSTILE}0, {HOSTILE}1, {HOSTILE}2")
    page.evaluate("navvizAtlas.show([1, 3])")
    expect(disc).to_have_text("1")
    page.locator(".leaflet-control-layers input").nth(2).uncheck()
    expect(disc).to_have_count(0)
    assert page.evaluate("window.hacked") is None
