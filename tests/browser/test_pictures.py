"""What the agent saw, in a real browser: pictures, arrows, film strip, prompts, looking around."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import PictureCache, WalkPictures
from navviz.records import Call, Candidate, Message, Observation, PicturePart, StepView
from navviz.views.player.document import replay_document
from navviz.views.player.pictures import PictureTable, with_data
from tests.browser.waits import at_step, expect, until
from tests.grids import episode, grid, straight, trace

pytestmark = pytest.mark.browser
WAY = straight(0, 0, 3)
NOBODY_SAYS = 1
"""The step, counted from 0, whose picture has no heading."""


def _panorama(path: Path) -> None:
    """Write one whose colour tells the heading: red to the north, green east, blue south."""
    pixels = np.zeros((64, 128, 3), np.uint8)
    pixels[:, 48:80] = (220, 30, 30)
    pixels[:, 80:112] = (30, 200, 30)
    pixels[:, :16] = pixels[:, 112:] = (30, 30, 220)
    pixels[:, 16:48] = (200, 200, 30)
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def _document(folder: Path, *, around: bool) -> dict[str, Any]:
    """Return a walk to the east; with pictures of its own, or panoramas of its viewpoints."""
    walked = trace(episode(WAY, world="grid"), [WAY[:2], WAY[1:3], WAY[2:4]])
    steps = []
    for number, step in enumerate(walked.steps):
        offered = tuple(
            Candidate(node=node, state=state, heading_deg=heading)
            for node, state, heading in (
                (WAY[number + 1], "chosen", 90.0),
                (f"r1c{number}", "rejected", 0.0),
            )
        )
        change: dict[str, Any] = {
            "heading_deg": 90.0,
            "observation": Observation(format="text", candidates=offered),
        }
        if not around:
            Image.new("RGB", (640, 480), (90 * number, 120, 60)).save(folder / f"{number}.png")
            parts = ["Image 1:", PicturePart(at=0, source=f"{number}.png", detail="low"), "and"]
            parts.append(PicturePart(at=0, source="gone/<b>12</b>.jpg"))
            view = StepView(source=f"{number}.png", heading_deg=90.0, field_deg=60.0)
            if number == NOBODY_SAYS:
                view = StepView(source=f"{number}.png", label="3 before")
            change["views"] = (view,)
            change["calls"] = (Call(messages=(Message.of_parts("user", parts),), model="gpt-4o"),)
        steps.append(step.model_copy(update=change))
    walked = walked.model_copy(update={"steps": tuple(steps)})
    if around:
        for node in WAY:
            _panorama(folder / "grid" / f"{node}.png")
    table = PictureTable(WalkPictures(PictureFolders((folder,)), walked))
    document = replay_document(walked, grid(), pictures=table)
    return with_data(document, table, 10**7, PictureCache(folder / "cache"))


def test_the_picture_of_a_step_has_its_ways_where_they_lie(open_player, tmp_path):
    page = open_player(_document(tmp_path, around=False), "?step=1")
    image = page.locator(".nv-seen-picture img")
    expect(image).to_be_visible()
    chosen = page.locator(".nv-way-chosen")
    expect(chosen).to_have_count(1)
    box, arrow = image.bounding_box(), chosen.locator("svg").bounding_box()
    assert box is not None
    assert arrow is not None
    assert abs(arrow["x"] + arrow["width"] / 2 - (box["x"] + box["width"] / 2)) < 3
    # to the north is left of a picture to the east: at its edge
    expect(page.locator(".nv-way-rejected.nv-at-left")).to_have_count(1)
    page.locator(".nv-way-chosen").hover()
    expect(page.locator(".nv-table .nv-ref.nv-lit")).to_have_count(1)
    page.evaluate(f"navvizPlayer.go({NOBODY_SAYS + 1})")
    until(page, "document.querySelector('.nv-seen-picture img').naturalWidth > 0")
    # of an earlier picture nobody says where it looks
    expect(page.locator(".nv-seen-picture figcaption")).to_have_text("3 before")
    expect(page.locator(".nv-way")).to_have_count(0)


def test_a_click_opens_the_picture_in_full_size_and_another_closes_it(open_player, tmp_path):
    page = open_player(_document(tmp_path, around=False), "?step=1")
    page.locator(".nv-seen-picture img").click(position={"x": 20, "y": 20})
    whole = page.locator(".nv-picture-whole img")
    expect(whole).to_be_visible()
    whole.click()
    expect(page.locator(".nv-picture-whole")).to_have_count(0)


def test_the_film_strip_leads_to_each_step(open_player, tmp_path):
    page = open_player(_document(tmp_path, around=False), "?step=1")
    cells = page.locator(".nv-strip-cell")
    expect(cells).to_have_count(3)
    cells.nth(2).hover()
    expect(page.locator(".nv-strip-preview")).to_contain_text("Step 3")
    cells.nth(2).click()
    at_step(page, 3)
    expect(page.locator(".nv-strip-cell.nv-now")).to_have_attribute("data-step", "3")
    until(page, "document.querySelector('.nv-seen-picture img').alt.endsWith('2.png')")


def test_a_prompt_shows_its_pictures_where_they_stood_and_names_what_is_missing(
    open_player, tmp_path
):
    page = open_player(_document(tmp_path, around=False), "?step=1")
    page.click("[data-tab=prompt]")
    parts = page.locator(".nv-message > *")
    expect(parts).to_have_count(4)
    expect(parts.nth(0)).to_have_text("Image 1:")
    expect(parts.nth(1).locator("img")).to_be_visible()
    expect(parts.nth(1)).to_contain_text("detail low · about 85 tokens")
    expect(parts.nth(3)).to_contain_text("gone/<b>12</b>.jpg")
    expect(parts.nth(3).locator("b, img")).to_have_count(0)


def _middle(page: Any) -> str:
    """Name the strongest colour just above the middle of the look around."""
    return str(
        page.evaluate(
            """() => {
              const canvas = document.querySelector(".nv-look canvas");
              const pixel = canvas.getContext("2d").getImageData(320, 100, 1, 1).data;
              const [red, green, blue] = pixel;
              if (red > 150 && green > 150) return "yellow";
              if (red > 150) return "red";
              return blue > 150 ? "blue" : green > 150 ? "green" : "grey";
            }"""
        )
    )


def test_one_looks_around_from_where_the_agent_stands(open_player, tmp_path):
    page = open_player(_document(tmp_path, around=True), "?step=2")
    look = page.locator(".nv-look")
    expect(look).to_have_attribute("data-around", "true")
    expect(look).to_have_attribute("data-heading", "90")
    assert _middle(page) == "green"
    look.locator("canvas").focus()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(look).to_have_attribute("data-heading", "180")
    assert _middle(page) == "blue"
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(look).to_have_attribute("data-heading", "270")
    assert _middle(page) == "yellow"
    at_step(page, 2)  # the keys turned, and did not step
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(look).to_have_attribute("data-heading", "0")
    assert _middle(page) == "red"
    # a machine on which drawing takes 99 ms turns in fewer pixels, and rests in all
    page.evaluate(DRAWN_IN_TURN)
    page.evaluate("navvizPlayer.look.cost_ms = 99")
    page.keyboard.press("ArrowRight")
    until(page, "window.drawn.includes('320') && window.drawn.at(-1) === '640'")
    assert _middle(page) == "red"


DRAWN_IN_TURN = """() => {
  window.drawn = [];
  const canvas = document.querySelector(".nv-look canvas");
  new MutationObserver(() => window.drawn.push(canvas.dataset.drawn)).observe(
    canvas, { attributeFilter: ["data-drawn"] });
}"""
"""Keep each width that is drawn: the coarse one lasts a tenth of a second, which a wait that only
looks from time to time misses.
"""


WORDS_AT_THE_EDGE = """() => {
  const { look } = navvizPlayer, cut = [];
  let written = 0;
  const { context } = look, fill = context.fillText;
  context.fillText = (text, x) => {
    written += 1;
    const half = context.textAlign === "center" ? context.measureText(text).width / 2 : 0;
    if (x - half < 0 || x + half > context.canvas.width) cut.push([text, x]);
  };
  const from = look.heading;
  for (let aside = -50; aside <= 50; aside += 2) { look.heading = from + aside; look.draw(); }
  context.fillText = fill;
  return written > 50 ? cut : ["nothing was written"];
}"""
"""Names of ways that the picture cuts at its edges while one turns past them."""


@pytest.mark.nightly
def test_two_runs_are_looked_around_in_side_by_side_where_they_part(open_player, tmp_path):
    for node in WAY:
        _panorama(tmp_path / "grid" / f"{node}.png")
    first = trace(episode(WAY, world="grid"), [WAY[:2], WAY[1:3], WAY[2:4]])
    second = trace(episode(WAY, world="grid"), [WAY[:2], [WAY[1], "r1c1"], ["r1c1"]])
    folders = PictureFolders((tmp_path,))
    table = PictureTable(WalkPictures(folders, first))
    document = replay_document(
        first,
        grid(),
        compare=second,
        compare_label="the other",
        pictures=table,
        compare_pictures=WalkPictures(folders, second),
    )
    shown = with_data(document, table, 10**7, PictureCache(tmp_path / "cache"))
    page = open_player(shown, "?step=1")
    looks = page.locator(".nv-seen-pictures .nv-look")
    expect(page.locator(".nv-look")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(looks).to_have_count(2)
    expect(looks.nth(0)).to_contain_text("Where the agent stands")
    expect(looks.nth(1)).to_contain_text("Where the other stands")
    for look in (looks.nth(0), looks.nth(1)):
        expect(look).to_have_attribute("data-around", "true")
    headings = [looks.nth(k).get_attribute("data-heading") for k in (0, 1)]
    assert headings[0] != headings[1], "one place, and two ways on"
    looks.nth(1).locator("canvas").focus()
    page.keyboard.press("ArrowRight")
    turned = str((int(headings[1] or 0) + 10) % 360)
    expect(looks.nth(1)).to_have_attribute("data-heading", turned)
    expect(looks.nth(0)).to_have_attribute("data-heading", headings[0] or "")
    assert page.evaluate(WORDS_AT_THE_EDGE) == []


def test_the_way_of_the_run_compared_with_has_its_colour_in_its_picture(open_player, tmp_path):
    walks = []
    for name, size, way in (("a", (64, 48), WAY[2:4]), ("b", (30, 60), [WAY[2], "r1c2"])):
        Image.new("RGB", size, "teal").save(tmp_path / f"{name}.png")
        walked = trace(episode(WAY, world="grid"), [WAY[:2], WAY[1:3], way])
        view = StepView(source=f"{name}.png", heading_deg=90.0)
        steps = tuple(step.model_copy(update={"views": (view,)}) for step in walked.steps)
        walks.append(walked.model_copy(update={"steps": steps}))
    folders = PictureFolders((tmp_path,))
    table = PictureTable(WalkPictures(folders, walks[0]))
    document = replay_document(
        walks[0],
        grid(),
        compare=walks[1],
        compare_label="two",
        pictures=table,
        compare_pictures=WalkPictures(folders, walks[1]),
    )
    page = open_player(with_data(document, table, 10**7, PictureCache(tmp_path / "c")), "?step=3")
    page.click("[data-tab=seen]")
    ways = page.locator(".nv-way-chosen")
    expect(ways).to_have_count(2)
    colours = [way.evaluate("(way) => getComputedStyle(way).color") for way in ways.all()]
    names = page.evaluate("['agent', 'other'].map((name) => navvizPlayer.colors.get(name))")
    assert len(set(colours)) == len(set(names)) == 2
    expect(ways.nth(1)).to_have_attribute("title", "r1c2: the way of two")
    # pictures of two shapes begin at one height, and have one width
    boxes = [image.bounding_box() for image in page.locator(".nv-seen-picture img").all()]
    assert len({(box["y"], box["width"]) for box in boxes if box is not None}) == 1


def test_one_walks_in_ones_own_name_and_returns(open_player, tmp_path):
    page = open_player(_document(tmp_path, around=True), "?step=2")
    look = page.locator(".nv-look")
    expect(look).to_have_attribute("data-around", "true")
    look.locator("canvas").focus()
    page.keyboard.press("Enter")
    expect(look).to_contain_text("You, not the agent")
    page.keyboard.press("Escape")
    expect(look).to_contain_text("Where the agent stands")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    at_step(page, 3)


def test_a_walk_without_pictures_has_no_strip(open_player):
    walked = trace(episode(WAY), [WAY[:2], WAY[1:3], WAY[2:4]])
    page = open_player(replay_document(walked, grid()), "?step=1")
    expect(page.locator(".nv-strip")).to_be_hidden()
    expect(page.locator(".nv-look, .nv-seen-picture")).to_have_count(0)
