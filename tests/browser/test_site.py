"""A published site from a disk: list, links to steps, gallery, map, phone; no request elsewhere."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import navviz
from navviz.analysis.site.publish import SiteOptions, publish_runs
from navviz.views.player.document import first_difference
from tests.browser.waits import at_step, expect, soon

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser
LEAVE = """async ([begun, place]) => {
  const canvas = document.querySelector(".nv-leaflet");
  canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -300, bubbles: true, cancelable: true }));
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (begun && !canvas.querySelector(".leaflet-zoom-anim")) await frame();
  location.hash = place;
  // Leaflet's own timers (40 ms, then 250 ms) come before this one does
  await new Promise((done) => setTimeout(done, 400));
}"""
"""Turn the wheel over the map and leave it, before or after the zoom begins."""
RUNS = navviz.samples_dir() / "harbour" / "runs"
NAMES = ("rules", "random-walker")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    runs = {name: navviz.open_run(RUNS / name) for name in NAMES}
    folder = tmp_path_factory.mktemp("published") / "below" / "a path"
    return publish_runs(
        runs, folder, SiteOptions(title="Harbour", url="https://lab.example/h/")
    ).index


@pytest.fixture
def shown(own_page, site):
    """The site's first page, from the disk; any request elsewhere fails the test."""
    elsewhere: list[str] = []

    def only_files(route: Route) -> None:
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            elsewhere.append(route.request.url)
            route.abort()

    own_page.route("**/*", only_files)
    _go(own_page, site, "")
    yield own_page
    assert not elsewhere


def _go(page: Page, site: Path, place: str) -> None:
    page.goto(f"{site.as_uri()}#{place}")
    expect(page.locator("#site")).to_have_attribute("data-ready", "true")


def test_search_filter_and_sort_lead_to_an_episode_and_back(shown):
    expect(shown.locator(".nl-count")).to_have_text("14 of 14 episodes · 10 succeeded")
    shown.get_by_role("button", name="NE (m)").click()
    expect(shown.locator('[aria-sort="descending"]')).to_have_text("NE (m) ↓")
    shown.locator(".nl-filters summary").click()
    shown.get_by_label("failure").check()
    expect(shown.locator(".nl-count")).to_have_text("4 of 14 episodes · 0 succeeded")
    soon(shown, lambda: shown.url, lambda url: "sort=-NE" in url and "outcome=failure" in url)
    listed = shown.locator(".nl-row .nl-cell:first-child").all_inner_texts()
    with shown.expect_download() as waiting:
        shown.get_by_role("button", name="CSV").click()
    assert waiting.value.suggested_filename == "rules.csv"
    saved = list(csv.DictReader(waiting.value.path().read_text("utf-8").splitlines()))
    assert [row["episode"] for row in saved] == listed
    assert {row["outcome"] for row in saved} == {"failure"}
    first = listed[0]
    shown.locator(".nl-rows").press("Enter")
    expect(shown.locator(".navviz-player")).to_have_attribute("data-episode", first)
    expect(shown.locator(".ns-episode")).to_contain_text("1 of 4")
    shown.get_by_role("link", name="← List").click()
    expect(shown.locator(".nl-count")).to_have_text("4 of 14 episodes · 0 succeeded")


def test_a_link_opens_a_step_and_steps_write_the_link(shown, site):
    _go(shown, site, "run=rules&episode=2&step=1")
    at_step(shown, 1)
    shown.keyboard.press("ArrowRight")
    at_step(shown, 2)
    soon(shown, lambda: shown.url, lambda url: url.endswith("run=rules&episode=2&step=2"))
    shown.get_by_role("button", name="Embed").click()
    snippet = shown.locator(".ns-copy textarea").input_value()
    # from a disk, whose address nobody else could open
    assert snippet.startswith('<iframe src="https://lab.example/h/#run=rules&amp;')
    assert "episode=2&amp;step=2&amp;embed=1" in snippet
    _go(shown, site, "run=rules&episode=2&step=2&embed=1")
    expect(shown.locator(".ns-head")).to_be_hidden()
    at_step(shown, 2)


@pytest.mark.nightly
@pytest.mark.parametrize("begun", [False, True], ids=["wheel turned", "zoom begun"])
def test_an_episode_is_left_in_the_middle_of_a_zoom(shown, site, begun):
    errors: list[str] = []
    shown.on("pageerror", lambda error: errors.append(str(error)))
    _go(shown, site, "run=rules&episode=2&step=1")
    at_step(shown, 1)
    shown.evaluate(LEAVE, [begun, "run=rules"])
    expect(shown.locator(".nl-count")).to_be_visible()
    assert not errors


def test_gallery_map_and_compare_are_drawn(shown, site):
    _go(shown, site, "as=gallery")
    expect(shown.locator(".nl-thumb")).to_have_count(14)
    _go(shown, site, "as=map")
    expect(shown.locator('.ns-map[data-ready="true"] .leaflet-control-layers')).to_be_visible()
    _go(shown, site, "view=compare")
    expect(shown.locator(".ns-pattern")).to_have_count(3)


def test_walks_of_two_runs_lie_over_each_other(shown, site):
    _go(shown, site, "view=compare")
    cell = shown.locator(".ns-table tbody tr").nth(1).locator("td").first
    expect(cell).to_contain_text("n = 14")
    expect(cell).to_contain_text("; p ")
    pattern = shown.locator(".ns-pattern").first
    pattern.locator("summary").click()
    link = pattern.locator("a").first
    episode = link.inner_text()
    link.click()
    head = shown.locator(".nv-facts")
    expect(head).to_have_text("2 runs: rules  ·  random-walker")
    expect(shown.locator(".nv-legend").first).to_contain_text("random-walker")
    ours, theirs = (navviz.open_run(RUNS / name).trace(episode) for name in NAMES)
    parts = first_difference(ours.steps, theirs.steps)
    expect(shown.locator(f'[title^="Step {parts}: first difference"]')).to_be_attached()
    _go(shown, site, f"run=rules&episode={episode}&with=random-walker&step={parts}")
    at_step(shown, parts)
    # the same step in the other run, with this walk laid over that one
    shown.get_by_role("link", name="in random-walker").click()
    expect(head).to_have_text("2 runs: random-walker  ·  rules")
    at_step(shown, min(parts, len(theirs.steps)))
    shown.get_by_role("button", name="Take the walk of rules off the map").click()
    expect(head).not_to_contain_text("2 runs")
    shown.go_back()
    expect(head).to_have_text("2 runs: random-walker  ·  rules")


def test_causes_and_groups_by_words_filter_the_list(shown, site):
    _go(shown, site, "run=random-walker")
    shown.get_by_text("Alike by words").first.click()
    group = shown.locator(".ns-alike button").first
    count = group.locator("b").inner_text()
    group.click()
    expect(shown.locator(".nl-count")).to_contain_text(f"{count} of 14 episodes · 0 succeeded")
    # the address alone shows the group again, unfolded
    _go(shown, site, shown.url.partition("#")[2])
    expect(shown.locator('.ns-alike[open] button[aria-pressed="true"]')).to_have_count(1)
    _go(shown, site, "run=rules")
    cause = shown.locator("button.ns-cause:not([disabled])").first
    count = cause.locator("b").inner_text()
    cause.click()
    expect(shown.locator(".nl-count")).to_contain_text(f"{count} of 14 episodes")


def test_a_phone_shows_all_of_it_without_scrolling_aside(shown, site):
    shown.set_viewport_size({"width": 390, "height": 844})
    wide = "document.documentElement.scrollWidth"
    over = "run=rules&episode=2&with=random-walker"
    for place in ("", "view=compare", "view=about", "run=rules&episode=2", over):
        _go(shown, site, place)
        soon(shown, lambda: shown.evaluate(wide), lambda width: width <= 390)
