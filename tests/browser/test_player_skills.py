"""SkillNav in the player, in Chromium: one colour a skill on path, plan and time line; its panels;
the way back.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from navviz.language.skills import SKILLS, Skill
from navviz.runs.opened import OpenRun, load
from navviz.runs.sources import samples
from navviz.views.palette import SKILL_COLOURS
from navviz.views.player.document import replay_document
from tests.browser.waits import expect, same, soon

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPlayer

pytestmark = pytest.mark.browser


def rgb(skill: Skill) -> str:
    code = SKILL_COLOURS[skill].removeprefix("#")
    return "rgb({}, {}, {})".format(*(int(code[k : k + 2], 16) for k in (0, 2, 4)))


@cache
def run(name: str) -> OpenRun:
    return load(next(source for source in samples() if source.name == name))


def opened(open_player: OpenPlayer, episode: str, name: str = "house/skillnav-by-hand") -> Page:
    shown = run(name)
    return open_player(replay_document(shown.trace(episode), shown.graph(episode)))


def colours(page: Page, selector: str) -> list[str]:
    return page.locator(selector).evaluate_all(
        "nodes => nodes.map((n) => getComputedStyle(n).backgroundColor)"
    )


def test_time_line_plan_legend_and_bars_have_the_skills_colours(open_player):
    page = opened(open_player, "102_0")
    region, direction, vertical, landmark, stop = (
        rgb(s) for s in (Skill.REGION, Skill.DIRECTION, Skill.VERTICAL, Skill.LANDMARK, Skill.STOP)
    )
    blocks = [region, direction, vertical, landmark, vertical, landmark, stop]
    soon(page, lambda: colours(page, ".nv-track-skill"), lambda drawn: drawn == blocks)
    expect(page.locator(".nv-track-skill").nth(2)).to_have_attribute(
        "title", "Steps 4 to 7: Vertical Movement"
    )
    soon(page, lambda: colours(page, ".nv-plan .nv-swatch")[:4], lambda drawn: drawn == blocks[:4])
    assert "agent" not in page.locator(".nv-legend").inner_text().split()
    page.keyboard.press("ArrowRight")
    page.get_by_role("tab", name="Router").click()
    every = [rgb(skill) for skill in SKILLS]
    soon(page, lambda: colours(page, ".nv-panel .nv-bar"), lambda drawn: drawn == every)
    soon(page, lambda: set(colours(page, ".nv-key-skill")), lambda drawn: drawn == set(every))


def test_the_router_panel_jumps_to_a_step(open_player):
    page = opened(open_player, "102_0", "house/skillnav-router-log")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.get_by_role("tab", name="Router").click()
    panel = page.locator(".nv-panel[data-kind=bars]")
    expect(panel.locator(".nv-hint")).to_contain_text("Directional Adjustment")
    expect(panel).to_contain_text("this agent acted")
    blocks = panel.locator(".nv-skill-block")
    expect(blocks).to_have_count(11)
    expect(panel.locator(".nv-skill-block.nv-current")).to_have_attribute("data-step", "3")
    blocks.nth(6).click()
    expect(page.locator(".nv-track")).to_have_attribute("aria-valuenow", "7")
    expect(panel.locator(".nv-skill-block.nv-current")).to_have_attribute("data-step", "7")


def test_the_sub_goal_stands_marked_in_the_text(open_player):
    page = opened(open_player, "102_0")
    page.keyboard.press("End")
    page.get_by_role("tab", name="Sub-goal").click()
    expect(page.locator(".nv-panel .nv-marked")).to_have_text("Stop beside the bunk bed.")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".nv-panel .nv-wrong")).to_have_text(
        re.compile("^Leave the living room[.]")
    )
    expect(page.locator(".nv-panel")).to_contain_text("not word for word")


def test_original_and_order_stand_side_by_side_with_lines(open_player):
    page = opened(open_player, "102_0")
    page.keyboard.press("Home")
    page.get_by_role("tab", name="Instruction and its order").click()
    box = page.locator(".nv-reordered")
    left, right = (same(page, box.locator(".nv-order-side").nth(k).bounding_box) for k in (0, 1))
    assert left["x"] + left["width"] <= right["x"]
    expect(box.locator("li")).to_have_count(6)
    expect(box.locator(".nv-order-line:not(.nv-order-head)")).to_have_count(6)
    tabs = page.locator(".nv-tabs")
    soon(
        page,
        lambda: tabs.evaluate("(row) => row.scrollWidth - row.clientWidth"),
        lambda beyond: beyond <= 0,
    )


def test_the_way_back_is_told_and_dashed(open_player):
    page = opened(open_player, "108_0")
    page.keyboard.press("End")
    expect(page.locator(".nv-legend")).to_contain_text("back to the best stop")
    expect(page.locator(".nv-decision")).to_contain_text(re.compile("[Ww]ent back"))
    page.get_by_role("tab", name="Map", exact=True).click()
    expect(page.locator(".nv-graph .nv-walk-back")).to_have_count(1)
    expect(page.locator(".nv-graph .nv-ring")).to_have_count(8)
    places = page.locator(".nv-graph .nv-visited"), page.locator(".nv-graph .nv-chosen")
    soon(page, lambda: sum(part.count() for part in places), lambda count: count == 8)
