"""The key x: links at their forks, one walk after another link, decisive steps."""

import pytest
from playwright.sync_api import expect

import navviz
from navviz.analysis.replays import explained_document
from navviz.analysis.what_if.kept import what_if_of
from navviz.views.player.pictures import PictureTable
from tests.paths import SAMPLES

pytestmark = pytest.mark.browser

GHOST = "() => navvizPlayer.map.whatIf.line.getLatLngs().flat(2).map(({lat, lng}) => [lat, lng])"
GROUND = "() => navvizPlayer.map.whatIf.group.getLayers().map((layer) => layer._leaflet_id)"


def test_one_key_shows_how_the_walk_ends_after_another_link(open_player):
    run = navviz.open_run(SAMPLES / "harbour" / "runs" / "rules-local")
    one = what_if_of(run, "8")
    document = explained_document(
        run.trace("8"), run.graph("8"), pictures=PictureTable(None), what_if=one
    )
    page = open_player(document)
    strip, line = page.locator(".nv-whatif-strip"), page.locator(".nv-whatif-line")
    expect(strip).to_be_hidden()
    page.keyboard.press("Home")
    page.keyboard.press("x")
    # the earliest decisive step, where the reference's link leads to the goal
    expect(page.locator(".navviz-player")).to_have_attribute("data-step", "2")
    expect(line).to_contain_text("With the reference's link, rules-local reaches the goal: 0 m")
    expect(strip.locator(".nv-decisive")).to_have_count(1)
    expect(strip.locator(".nv-whatif")).to_have_count(len({cell.step for cell in one.others}))
    best = one.cell(2, *next((c.fork, c.link) for c in one.others if c.step == 2 and c.success))
    ghost = [run.graph("8").position(node) for node in best.tail]
    assert page.evaluate(GHOST) == [pytest.approx(place, abs=2e-6) for place in ghost]
    drawn = page.evaluate(GROUND)
    # a step moves one line: no link at a fork is drawn again
    page.keyboard.press("ArrowRight")
    assert page.evaluate(GROUND) == drawn
    assert page.evaluate(GHOST) != [pytest.approx(place, abs=2e-6) for place in ghost]
    first = line.inner_text()
    page.keyboard.press("ArrowDown")
    expect(line).not_to_have_text(first)
    page.keyboard.press("[")
    expect(page.locator(".navviz-player")).to_have_attribute("data-step", "2")
    # a walk that stops behind its first link lies under its own dot
    page.keyboard.press("End")
    expect(line).to_contain_text("53 m from it instead of 46 m. It stops at the next place.")
    page.keyboard.press("?")
    keys = page.locator(".nv-help")
    expect(keys).to_contain_text("what if it had taken another link")
    expect(keys).to_contain_text("previous, next decisive step")
    page.keyboard.press("?")
    page.keyboard.press("x")
    expect(strip).to_be_hidden()
    assert page.evaluate(GROUND) == []
