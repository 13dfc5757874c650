"""The player indoors, in Chromium: floor plan, floors, scene, pointing, speed of a step."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from navviz.formats import open_episodes
from navviz.metrics.walked import walked_graph
from navviz.records import Decision, EndEvent, Episode, Step, Trace, TraceHeader
from navviz.runs.opened import open_run
from navviz.views.player.document import replay_document
from navviz.views.player.html import document_page
from navviz.world.graph import Graph
from tests.browser.waits import at_step, expect, ready, until
from tests.nights import by_day
from tests.paths import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

HOUSE = SAMPLES / "house"


def walk(episode: Episode, graph: Graph, path: tuple[str, ...]) -> Trace:
    """A trace that walks a path."""
    steps, heading = [], episode.start_heading_deg
    for k, (a, b) in enumerate(pairwise(path), start=1):
        steps.append(
            Step(index=k, node=a, heading_deg=heading, decision=Decision(target=b), path=(a, b))
        )
        heading = graph.heading_deg(a, b)
    last = Step(
        index=len(path),
        node=path[-1],
        heading_deg=heading,
        decision=Decision(target=path[-1], stop=True),
    )
    end = EndEvent(status="done", node=path[-1])
    return Trace(
        header=TraceHeader(episode=episode, navigator="walk"), steps=(*steps, last), end=end
    )


def upstairs(house: Graph) -> Trace:
    episode = open_episodes(HOUSE / "R2R_sample.json").episodes["102_0"]
    return walk(episode, house, episode.reference_path)


def floor(page: Page, name: str) -> None:
    expect(page.locator(".nv-floor[aria-pressed=true]")).to_have_text(name)


def test_the_floor_follows_the_agent_and_can_be_chosen(open_player, house):
    page = open_player(replay_document(upstairs(house), house))
    floor(page, "Ground floor")
    page.keyboard.press("End")
    floor(page, "Upper floor")
    page.get_by_role("button", name="Ground floor").click()
    floor(page, "Ground floor")
    page.keyboard.press("Home")
    at_step(page, 0)
    floor(page, "Ground floor")
    assert page.locator(".nv-pane-top").inner_text().find("null") < 0


def test_the_scene_is_drawn_without_network_and_keeps_the_users_camera(open_player, house):
    page = open_player(replay_document(upstairs(house), house), scene=True)
    page.wait_for_selector('.nv-scene[data-ready="true"]')
    camera = "document.querySelector('.nv-plot').layout.scene.camera.eye.x"
    page.evaluate(
        "Plotly.relayout(document.querySelector('.nv-plot'), {'scene.camera.eye': {x: 2, y: 2, z: 2}})"
    )
    agent = (
        "JSON.stringify(document.querySelector('.nv-plot').data.find((t) => t.name === 'agent').x)"
    )
    before = page.evaluate(agent)
    page.keyboard.press("ArrowRight")
    until(page, f"{agent} !== {before!r}")
    assert page.evaluate(camera) == 2, "the camera keeps its place when the step changes"
    page.get_by_role("button", name="Floor plan").click()
    expect(page.locator(".nv-scene")).to_be_hidden()


def test_pointing_at_an_id_in_the_text_lights_it_up_in_both_views(open_player, house):
    page = open_player(replay_document(upstairs(house), house), scene=True)
    page.wait_for_selector('.nv-scene[data-ready="true"]')
    target = page.locator(".nv-pane .nv-ref[data-ref^='n:']").first
    ref = target.get_attribute("data-ref")
    target.hover()
    until(page, f"document.querySelector('.nv-floorplan').dataset.lit === {ref!r}")
    until(
        page,
        "document.querySelector('.nv-plot').data.find((t) => t.name === 'light').x.length === 1",
    )


def test_a_jump_between_unlinked_viewpoints_is_in_the_legend(open_player, house):
    episode = open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]
    page = open_player(replay_document(walk(episode, house, (episode.start, episode.goal)), house))
    expect(page.locator(".nv-legend")).to_contain_text("jump")


def test_without_plotly_the_plan_stands_alone(page, house, tmp_path):
    path = tmp_path / "plan.html"
    path.write_text(
        document_page(replay_document(upstairs(house), house), scene=False), encoding="utf-8"
    )
    assert path.stat().st_size < 600_000
    page.goto(path.as_uri())
    ready(page)
    expect(page.locator(".nv-floorplan")).to_be_visible()
    expect(page.locator(".nv-scene")).to_be_hidden()
    expect(page.get_by_role("button", name="3-D scene", exact=True)).to_have_count(0)


OVERLAPS = """() => {
  const tags = [...document.querySelectorAll(".nv-tag")].map((tag) => [tag.textContent, tag.getBoundingClientRect()]);
  return tags.flatMap(([text, a], i) => tags.slice(i + 1).filter(([, b]) =>
    a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom).map(([other]) => [text, other]));
}"""


@pytest.mark.parametrize("size", by_day([(1280, 720), (1920, 1080)], [(1920, 1080)]))
def test_no_label_covers_another_when_presenting(open_player, page, size):
    """Type grows, the rooms do not: "kitchen" once lay over "Goal"."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    run = open_run(HOUSE / "runs" / "navgpt-by-hand")
    open_player(replay_document(run.trace("101_0"), run.graph("101_0")))
    page.keyboard.press("f")
    page.wait_for_selector(".nv-present")
    for step in range(1, 6):
        answer = page.evaluate(
            f"""step => {{ navvizPlayer.go(step); navvizPlayer.map.settle();
            return new Promise(done => requestAnimationFrame(() => done(({OVERLAPS})()))); }}""",
            step,
        )
        assert answer == [], step


def test_a_flight_shows_its_height_at_each_step(open_player, tmp_path):
    flown = [[2.0 * k, 0.0, -5.0 - 4.0 * k, 0.0, 0.0, 0.0, 1.0] for k in range(4)]
    entry = {"episode_id": "7", "trajectory_id": "t", "is_collisioned": False, "success": 1}
    path = tmp_path / "7.json"
    path.write_text(json.dumps(entry | {"trajectory": flown}), encoding="utf-8")
    run = open_run(path)
    trace = run.trace("7")
    page = open_player(replay_document(trace, walked_graph(trace, run.graph("7"))))
    height = page.locator(".nv-heights-now strong")
    expect(height).to_have_text("5.0 m")
    page.keyboard.press("End")
    expect(height).to_have_text("13.0 m")
    expect(page.locator(".nv-heights-most")).to_have_text("17.0 m")
    plan = page.locator(".nv-plan-view").bounding_box()
    strip = page.locator(".nv-heights").bounding_box()
    assert plan is not None
    assert strip is not None
    assert plan["y"] + plan["height"] <= strip["y"] + 1, "the strip covers no map"
