"""MSNav's panels in Chromium, in the one file that opens without a network."""

from __future__ import annotations

from functools import cache

import pytest

from navviz.formats import open_results
from navviz.records import Panel, Trace
from navviz.systems.msnav.replayed import with_memory
from navviz.views.player.document import replay_document
from navviz.world.graph import Graph
from tests.browser.waits import at_step, expect, soon
from tests.paths import SAMPLES
from tests.replays import HOSTILE

pytestmark = pytest.mark.browser

HOUSE = SAMPLES / "house"


@cache
def recorded(house: Graph, run: str, episode: str) -> Trace:
    return open_results(HOUSE / "runs" / run, house)[0].traces[episode]


def test_the_map_shows_what_was_pruned_and_why(open_player, house):
    page = open_player(replay_document(recorded(house, "msnav-by-hand", "102_0"), house))
    page.keyboard.press("End")
    page.locator('.nv-tab[data-tab="panel:Map"]').click()
    now = page.locator(".nv-graph .nv-place-pruned-now")
    expect(now).to_have_count(1)
    expect(now.locator("title")).to_contain_text("pruned at step 19, score")
    faded = page.locator(".nv-graph .nv-place-pruned-before")
    expect(faded).to_have_count(4)
    opacity = "node => Number(getComputedStyle(node).opacity)"
    soon(page, lambda: faded.first.evaluate(opacity), lambda part: part < 1)
    faded.first.hover()
    soon(page, lambda: faded.first.evaluate(opacity), lambda part: part == 1)
    expect(page.locator(".nv-panel-key")).to_contain_text("pruned now")


def test_the_tab_stays_while_one_steps(open_player, house):
    page = open_player(replay_document(recorded(house, "msnav-by-hand", "102_0"), house))
    page.locator('.nv-tab[data-tab="panel:Pruning"]').click()
    expect(page.locator(".nv-panel")).to_contain_text("Pruning has not started (step 0 of 15)")
    for _ in range(15):
        page.keyboard.press("ArrowRight")
    at_step(page, 16)
    expect(page.locator(".nv-panel table tr.nv-chosen td").nth(3)).to_have_text("removed")
    expect(page.locator(".nv-panel-note")).to_contain_text("taken off")


def test_a_forced_decision_names_its_rule(open_player, house):
    page = open_player(replay_document(recorded(house, "msnav-by-hand", "101_0"), house))
    page.locator('.nv-tab[data-tab="panel:Options"]').click()
    expect(page.locator(".nv-panel-note")).to_contain_text("the first move is taken")
    expect(page.locator("tr.nv-chosen td").nth(1)).to_have_text("forced")


def test_the_legend_tells_the_states_on_the_plan(open_player, house):
    page = open_player(replay_document(recorded(house, "msnav-by-hand", "102_0"), house))
    page.keyboard.press("End")
    page.get_by_role("button", name="Ground floor").click()
    legend = page.locator(".nv-legend")
    expect(legend).to_contain_text("explored")
    expect(legend).to_contain_text("pruned before")
    page.locator("[data-tool=layers]").click()
    page.locator("[data-layer=memory]").uncheck()
    expect(legend).not_to_contain_text("explored")


def test_the_memory_of_any_walk(open_player, house):
    trace = with_memory(recorded(house, "rules-indoors", "102_0"), house)
    page = open_player(replay_document(trace, house))
    page.keyboard.press("ArrowRight")
    page.locator('.nv-tab[data-tab="panel:Map (as MSNav)"]').click()
    expect(page.locator(".nv-graph .nv-place-current")).to_have_count(1)
    page.locator('.nv-tab[data-tab="panel:Map efficiency"]').click()
    expect(page.locator(".nv-panel")).to_contain_text("ME_explored")


def test_hostile_texts_stay_texts(open_player, house):
    trace = recorded(house, "msnav-by-hand", "101_0")
    nodes = [{"id": text, "label": text, "state": text, "note": text} for text in HOSTILE]
    note = " ".join(HOSTILE)
    panels = (
        Panel(
            kind="graph",
            title="Map",
            data={"nodes": nodes, "links": [], "states": [*HOSTILE], "note": note},
        ),
        Panel(
            kind="table",
            title="Options",
            data={"columns": [*HOSTILE], "rows": [[*HOSTILE]], "chosen": 0, "note": note},
        ),
    )
    first = trace.steps[0].model_copy(update={"panels": panels})
    page = open_player(
        replay_document(trace.model_copy(update={"steps": (first, *trace.steps[1:])}), house)
    )
    starts = [" ".join(text.split())[:5] for text in HOSTILE]
    for title in ("Map", "Options"):
        page.locator(f'.nv-tab[data-tab="panel:{title}"]').click()
        soon(
            page,
            page.locator(".nv-panel").inner_text,
            lambda said: all(start in said for start in starts),
        )
    assert page.evaluate("window.pwned") is None
