"""The map is right when it opens, at every size, wherever the player lives."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from navviz.runs.opened import open_run
from navviz.views.player.document import replay_document
from navviz.views.player.html import replay_frame
from tests.browser.waits import at_step, expect, frames, same, soon, until
from tests.nights import by_day
from tests.paths import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Page


pytestmark = pytest.mark.browser

SIZES = ((1024, 640), (1280, 720), (1440, 900), (1920, 1080), (2560, 1440), (800, 1000))

HIDDEN = """() => {
  const view = (globalThis.navvizPlayer ?? globalThis.NavVizPlayer).map, { map } = view;
  const home = view.plan.getBoundingClientRect();
  const over = [...view.box.querySelectorAll(".nv-legend, .nv-tools, .nv-credit, .nv-floors")].filter((e) => !e.hidden);
  const boxes = over.map((e) => e.getBoundingClientRect());
  const compared = (view.doc.compare?.steps ?? []).flatMap((step) => step.path);
  const spots = view.line([...view.doc.reference, ...view.walked, ...compared, view.start, view.goal]);
  const hidden = spots.filter((spot) => {
    const p = map.latLngToContainerPoint(spot), x = p.x + home.left, y = p.y + home.top;
    const inside = p.x >= 6 && p.y >= 6 && p.x <= home.width - 6 && p.y <= home.height - 6;
    return !inside || boxes.some((b) => x >= b.left && x <= b.right && y >= b.top && y <= b.bottom);
  });
  return { points: spots.length, hidden: hidden.length, size: [home.width, home.height] };
}"""
"""How many points of the paths lie outside of the map, or under its legend and buttons."""


@cache
def document(world: str, run: str, episode: str, other: str | None = None) -> dict[str, Any]:
    opened = open_run(SAMPLES / world / "runs" / run, graphs=SAMPLES / world)
    compared = (
        open_run(SAMPLES / world / "runs" / other, graphs=SAMPLES / world).trace(episode)
        if other
        else None
    )
    return replay_document(
        opened.trace(episode), opened.graph(episode), compare=compared, running=False
    )


DOCUMENTS = {
    "outdoors": lambda: document("harbour", "regex-heuristic", "3"),
    "outdoors, two runs": lambda: document("harbour", "regex-heuristic", "4", "random-walker"),
    "indoors": lambda: document("house", "navgpt-by-hand", "101_0"),
    "indoors, two floors": lambda: document("house", "shortest-path-oracle", "102_0"),
}


def all_seen(page: Page, shown: Page | Frame) -> dict[str, Any]:
    """Wait until sizes have been told, the map has followed and nothing of the route is hidden."""
    frames(shown)
    return soon(
        page,
        lambda: shown.evaluate(HIDDEN),
        lambda message: message["points"] > 2 and message["hidden"] == 0,
    )


@pytest.mark.parametrize("name", by_day(DOCUMENTS, ["outdoors, two runs"]))
def test_all_of_the_route_is_seen_at_every_size(open_player, page, name):
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    open_player(DOCUMENTS[name](), scene=True)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width} && innerHeight === {height}")
        all_seen(page, page)


def test_a_map_that_was_moved_is_left_alone_until_one_asks(open_player, page):
    open_player(DOCUMENTS["outdoors"]())
    box = page.locator(".nv-leaflet").bounding_box()
    assert box
    page.mouse.move(box["x"] + 300, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + 600, box["y"] + 420, steps=5)
    page.mouse.up()
    until(page, "navvizPlayer.map.moved")
    middle = "(() => { const c = navvizPlayer.map.map.getCenter(); return [c.lat, c.lng]; })()"
    before = same(page, lambda: page.evaluate(middle))
    page.set_viewport_size({"width": 1200, "height": 700})
    until(
        page,
        "innerWidth === 1200 && navvizPlayer.map.map.getSize().x === navvizPlayer.map.plan.clientWidth",
    )
    assert page.evaluate("navvizPlayer.map.moved")
    assert same(page, lambda: page.evaluate(middle)) == pytest.approx(before, abs=2e-3)
    page.locator("[data-tool=fit]").click()
    all_seen(page, page)


@pytest.mark.parametrize("name", by_day(["outdoors", "indoors"], ["outdoors"]))
def test_the_wheel_does_not_zoom_out_to_a_dot(open_player, page, name):
    open_player(DOCUMENTS[name]())
    box = page.locator(".nv-leaflet").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(12):
        page.mouse.wheel(0, 400)
        frames(page, 4)
    share = """(() => { const v = navvizPlayer.map, b = L.latLngBounds(v.wanted()), s = v.map.getSize();
        const p = v.map.latLngToContainerPoint(b.getNorthWest()), q = v.map.latLngToContainerPoint(b.getSouthEast());
        return Math.max((q.x - p.x) / s.x, (q.y - p.y) / s.y); })()"""
    zoom = "navvizPlayer.map.map.getZoom()"
    soon(page, lambda: page.evaluate(f"{zoom} === navvizPlayer.map.map.getMinZoom()"), bool)
    assert same(page, lambda: page.evaluate(share)) > 0.15


@pytest.mark.parametrize("name", by_day(["outdoors", "indoors"], ["indoors"]))
def test_a_notebook_cell_that_ends_in_a_hidden_tab(page, tmp_path, name):
    frame = replay_frame(DOCUMENTS[name](), 600, scene="none").replace('loading="lazy"', "")
    (tmp_path / "cell.html").write_text(
        f'<!DOCTYPE html><meta charset=utf-8><body><div id=tab style="display:none">{frame}</div>'
    )
    page.goto((tmp_path / "cell.html").as_uri())
    soon(page, lambda: len(page.frames), lambda count: count == 2)
    soon(
        page,
        lambda: page.frames[1].evaluate("document.readyState"),
        lambda state: state == "complete",
    )
    page.evaluate("document.getElementById('tab').style.display = 'block'")
    page.frame_locator("iframe").locator('.navviz-player[data-ready="true"]').wait_for()
    assert all_seen(page, page.frames[1])["size"][0] > 300


def test_start_can_be_seen_when_the_agent_stands_on_it(open_player, page):
    open_player(DOCUMENTS["outdoors"]())
    page.keyboard.press("Home")
    at_step(page, 0)
    ring, agent = (
        same(page, page.locator(part).bounding_box)
        for part in (".nv-under .nv-sign-start span", ".nv-agent")
    )
    middle = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in (ring, agent)]
    assert middle[0] == pytest.approx(middle[1], abs=1.5)
    assert ring["width"] >= 40, "the agent's disc has 26 px"
    expect(page.locator(".nv-tag-end", has_text="Start")).to_be_visible()
