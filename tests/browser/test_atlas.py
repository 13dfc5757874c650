"""The atlas in a browser: alone without network, and on Explore, where a click filters the list."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from navviz.views.figures.atlas import atlas_map
from navviz.views.figures.atlas_walk import AtlasWalk
from tests.browser.server import serving
from tests.browser.waits import expect, soon
from tests.grids import grid, route
from tests.worlds import write_states, write_world

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hacked=1">'
GRAPH = grid(9)
PATH = tuple(route(GRAPH, "r0c0", "r0c4", "r4c4"))


def test_a_click_tells_how_many_left_and_which_as_plain_text(page: Page, tmp_path: Path) -> None:
    walks = [AtlasWalk(f"{HOSTILE}{k}", PATH, "failure", HOSTILE, ("r0c4",), ("r0c4",), "r0c4") for k in range(3)]
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


def test_a_click_on_a_disc_filters_the_list_and_another_ends_it(chromium: Browser, tmp_path: Path) -> None:
    graph = write_world(tmp_path)
    walks = {"1": {"json": ["s1", "x", "e1"]}, "2": {"json": ["s1", "x", "w1"]}, "3": {"json": ["s1", "x", "n0"]}}
    results = write_states(tmp_path / "walks.json", walks, instruction=HOSTILE)
    with serving("--graphs", str(graph), "--results", str(results), workspace=tmp_path) as address:
        context = chromium.new_context(viewport={"width": 1440, "height": 900})
        tab = context.new_page()
        tab.goto(address)
        tab.locator(".st-key-explore_panels").get_by_text("Atlas").click()
        frame = tab.frame_locator('iframe[title*="folium"]')
        disc = frame.locator(".leaflet-marker-icon.nv-left")
        expect(disc).to_have_text("2")
        disc.dispatch_event("click")
        tab.wait_for_url(re.compile(r"feature=left"))
        expect(tab.get_by_text(re.compile(r"^2 of 3 episodes")).first).to_be_visible()
        button = tab.get_by_role("button", name="Only episodes with: a departure at x")
        expect(button).to_be_visible()
        expect(disc).to_have_text("2")
        disc.dispatch_event("click")
        expect(button).to_have_count(0)
        expect(tab.get_by_text(re.compile(r"^3 of 3 episodes")).first).to_be_visible()
        soon(tab, lambda: "feature=" in tab.url, lambda there: not there)
        tab.get_by_role("button", name=re.compile("^success")).click()
        expect(disc).to_have_count(0)  # the filter of the list is the map's
        context.close()
