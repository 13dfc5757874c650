"""What the eye needs: contrast, nothing clipped, a legend that tells what is there, layers,
attribution.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from navviz.views.player.document import replay_document
from tests.browser.test_player_fit import DOCUMENTS
from tests.browser.waits import at_step, expect, ready, soon
from tests.nights import by_day
from tests.replays import full_trace, tiny_graph

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

CONTRAST = """(scope) => {
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const known = new Map(), rgba = (color) => known.get(color) ?? known.set(color, paint(color)).get(color);
  const paint = (color) => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = color; pen.fillRect(0, 0, 1, 1); const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const ground = (node) => {
    const layers = [];
    for (let e = node; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 0) layers.push(c); if (c[3] >= 0.99) break; }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const poor = [];
  const walker = document.createTreeWalker(document.querySelector(scope), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest(".nv-sign, .nv-tag, canvas, select")) continue;
    const back = ground(node), style = getComputedStyle(node), r = ratio(over([...rgba(style.color).slice(0, 3), rgba(style.color)[3] * Number(style.opacity)], back), back);
    if (r < 4.5) poor.push([walker.currentNode.data.trim().slice(0, 30), node.className, Math.round(r * 100) / 100]);
  }
  return poor;
}"""
"""Texts whose contrast to their ground is below 4.5 to 1."""

TAGS = """() => {
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const hex = (c) => c.trim().match(/[0-9a-f]{2}/gi).map((v) => parseInt(v, 16));
  const light = (c) => { const [r, g, b] = hex(c); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
  const style = getComputedStyle(document.querySelector(".navviz-player")), color = (name) => style.getPropertyValue(`--nv-${name}`);
  const poor = [];
  for (const ink of ["mute", "landmark", "reference", "agent-ink", "offered"]) for (const ground of ["ground", "paper"]) {
    const [x, y] = [light(color(ink)), light(color(ground))].sort((p, q) => q - p), r = (x + 0.05) / (y + 0.05);
    if (r < 4.5) poor.push([ink, ground, r]);
  }
  return poor;
}"""
"""Colours of labels on the map against its ground (their halo has the ground's colour)."""

CLIPPED = """() => [...document.querySelectorAll(".nv-head h2, .nv-outcome, .nv-figure, .nv-tab, .nv-transport > *, .nv-legend span, .nv-tally span, .nv-call-head span, .nv-step")]
  .filter((e) => e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1) && getComputedStyle(e).display !== "inline" && getComputedStyle(e).textOverflow !== "ellipsis")
  .map((e) => [e.className, e.textContent.slice(0, 30)])"""

OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".nv-tag, .nv-legend, .nv-credit, .nv-tools, .nv-floors")].filter((e) => e.checkVisibility() && e.offsetWidth);
  const rect = (e) => e.getBoundingClientRect(), out = [];
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    const p = rect(a), q = rect(b);
    if (p.left < q.right - 3 && p.right > q.left + 3 && p.top < q.bottom - 3 && p.bottom > q.top + 3) out.push([a.textContent, b.textContent]);
  }));
  return out;
}"""
"""Labels and furniture of the map that cover each other."""


def nothing(poor: list[object]) -> bool:
    return poor == []


@pytest.mark.parametrize("theme", by_day(["light", "dark"], ["dark"]))
def test_every_text_can_be_read(open_player, page, theme):
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    trace = full_trace(running=True)
    open_player(
        replay_document(
            trace, tiny_graph(), metrics={"SR": 0.0, "NE": 3.0}, notes=["A note."], compare=trace
        )
    )
    assert page.evaluate(TAGS) == []
    for step in ("1", "3"):
        page.keyboard.press("Home")
        for _ in range(int(step)):
            page.keyboard.press("ArrowRight")
        at_step(page, step)
        for tab in page.locator(".nv-tab").all():
            # a click of the mouse takes most of the time of this test, and the tabs stand where
            # they stood
            tab.click() if step == "1" else tab.dispatch_event("click")
            expect(tab).to_have_class(re.compile("nv-open"))
            soon(page, lambda: page.evaluate(CONTRAST, ".navviz-player"), nothing)
    page.keyboard.press("?")
    expect(page.locator(".nv-help")).to_be_visible()
    soon(page, lambda: page.evaluate(CONTRAST, ".nv-help"), nothing)
    page.keyboard.press("Escape")
    expect(page.locator(".nv-help")).to_be_hidden()
    page.keyboard.press("Control+k")
    page.keyboard.type("light")
    expect(page.locator(".nv-hit").first).to_be_visible()
    soon(page, lambda: page.evaluate(CONTRAST, ".nv-search"), nothing)


SIZES = [
    ((1280, 720), False),
    ((1440, 900), True),
    ((1920, 1080), False),
    ((1280, 720), True),
    ((1920, 1080), True),
]


BY_DAY = {
    ("outdoors", (1280, 720), False),
    ("outdoors, two runs", (1920, 1080), False),
    ("indoors", (1280, 720), False),
    ("indoors, two floors", (1440, 900), False),
}
"""Each document once; with its scene, which takes five times as long as a plan, at night."""


def seldom(name: str, size: tuple[int, int], scene: bool) -> bool:
    """Whether a case waits for the night."""
    return (name, size, scene) not in BY_DAY


@pytest.mark.parametrize(
    ("name", "size", "scene"),
    [
        pytest.param(
            name, size, scene, marks=[pytest.mark.nightly] if seldom(name, size, scene) else []
        )
        for name in DOCUMENTS
        for size, scene in SIZES
    ],
)
def test_nothing_is_clipped_and_no_label_covers_another(open_player, page, name, size, scene):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_player(DOCUMENTS[name](), scene=scene)
    root = page.locator(".navviz-player")
    first, last = (int(root.get_attribute(name) or 0) for name in ("data-step", "data-steps"))
    for step in range(first, first + 4):
        at_step(page, min(step, last))
        soon(page, lambda: page.evaluate(RESTED), bool)  # names wait until a step is painted
        soon(page, lambda: page.evaluate(CLIPPED), nothing)
        soon(page, lambda: page.evaluate(OVERLAPS), nothing)
        page.keyboard.press("ArrowRight")


RESTED = """async () => {
  const labels = () => [...document.querySelectorAll(".nv-tag")].map((e) => {
    const b = e.getBoundingClientRect(); return [e.textContent, Math.round(b.left), Math.round(b.top)].join(" "); }).sort().join("; ");
  const frames = async (count) => { for (; count; count -= 1) await new Promise(requestAnimationFrame); };
  await frames(4);
  for (let last = [], tries = 200; tries; tries -= 1) {
    last = [...last.slice(-2), labels()];
    if (last.length === 3 && last.every((text) => text === last[0])) return true;
    await frames(2);
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}"""
"""Whether the labels have come to rest: `waits.same` of them in the page itself, where a reading
takes a tenth of the time.
"""


def kinds(page: Page) -> list[str]:
    return page.locator(".nv-legend span").all_inner_texts()


def test_the_legend_tells_what_is_on_the_map_now(open_player, page):
    open_player(replay_document(full_trace(), tiny_graph()))
    soon(page, lambda: kinds(page), {"reference path", "agent", "visible area", "chosen"}.issubset)
    page.keyboard.press("Home")
    soon(page, lambda: kinds(page), lambda words: words == ["reference path", "agent"])


@pytest.mark.parametrize(
    ("layer", "word"),
    [
        ("reference", "reference path"),
        # layers of each step too, which the same box switches
        pytest.param("candidates", "chosen", marks=pytest.mark.nightly),
        pytest.param("seen", "visible area", marks=pytest.mark.nightly),
    ],
)
def test_a_layer_is_switched_off_and_stays_off(open_player, page, layer, word):
    open_player(replay_document(full_trace(), tiny_graph()))
    soon(page, lambda: kinds(page), lambda words: word in words)
    page.click("[data-tool=layers]")
    page.locator(f"[data-layer={layer}]").uncheck()
    soon(page, lambda: kinds(page), lambda words: words and word not in words)
    page.reload()
    ready(page)
    soon(page, lambda: kinds(page), lambda words: words and word not in words)
    page.click("[data-tool=layers]")
    page.locator(f"[data-layer={layer}]").check()
    soon(page, lambda: kinds(page), lambda words: word in words)


def test_places_on_the_way_are_no_crosses_and_nothing_hides_the_move(open_player, page):
    """In step 4 the agent walks w0, x, e0; of what was rejected, n0 branches off and e0 is where it
    goes.
    """
    open_player(replay_document(full_trace(), tiny_graph()), "?step=4")
    layers = """(() => {
      const view = navvizPlayer.map, ids = view.doc.nodes.ids;
      const at = (layer) => ids.filter((_, i) => layer.getLatLng().equals(view.spotOf(i)));
      const crosses = view.groups.step.getLayers().filter((l) => l.getElement?.()?.querySelector(".nv-cand-rejected")).flatMap(at);
      const z = (name) => Number(view.map.getPane(name).style.zIndex);
      return { crosses, above: z("nv-move") > z("nv-signs") };
    })()"""
    soon(
        page,
        lambda: page.evaluate(layers),
        lambda message: "e0" not in message["crosses"] and message["above"],
    )


def _is_beside_buttons(page: Page, part: str) -> bool:
    box, buttons = (page.locator(name).bounding_box() for name in (part, ".nv-tools"))
    return box is not None and buttons is not None and box["x"] + box["width"] <= buttons["x"]


def test_an_invented_town_is_called_that(open_player, page):
    open_player(DOCUMENTS["outdoors"]())
    expect(page.locator(".nv-credit")).to_have_text(
        "Tidewick, an invented town", use_inner_text=True
    )
    # a phone: the buttons reach down to it
    page.set_viewport_size({"width": 390, "height": 844})
    for part in (".nv-credit", ".leaflet-control-scale-line"):
        soon(page, partial(_is_beside_buttons, page, part), bool)


def test_figures_of_a_house_carry_units_and_two_decimals(open_player, page):
    head = [{"name": name, "label": name, "help": name, "metres": True} for name in ("NE", "TL")]
    metrics = {"NE": 2.998, "TL": 12.0}
    open_player(DOCUMENTS["indoors"]() | {"metrics": metrics, "head": head})
    figures = page.locator(".nv-figure b")
    soon(
        page,
        lambda: [b.split("\n")[-1] for b in figures.all_inner_texts()],
        lambda said: said == ["3.00 m", "12.00 m"],
    )
    words = soon(page, page.locator(".nv-tag-offered, .nv-tag-chosen").all_inner_texts, bool)
    assert all(
        ("°" in word and word.endswith(" m")) or word.startswith("ahead") for word in words
    ), words


def test_several_runs_are_told_apart_and_only_a_rerun_was_something(open_player):
    """Each further run has its name in the legend, in its own colour, and a sign where it stops."""
    trace = full_trace()
    changed = trace.header.episode.model_copy(update={"instruction": "Walk on."})
    old = trace.model_copy(
        update={"header": trace.header.model_copy(update={"navigator": "other"})}
    )
    edited = trace.model_copy(
        update={"header": trace.header.model_copy(update={"episode": changed})}
    )
    further = [
        ("third & <b>", "#0a8f6c", trace.model_copy(update={"steps": trace.steps[:2]})),
        ("fourth", "#b98300", trace),
    ]
    figures: dict[str, Any] = {"metrics": {"NE": 3.0}, "compare_metrics": {"NE": 4.0}}
    page = open_player(
        replay_document(trace, tiny_graph(), compare=old, further=further, **figures)
    )
    keys = page.locator(".nv-legend span:has(.nv-key-further)")
    assert keys.all_text_contents() == ["third & <b>", "fourth"]
    inks = page.locator(".nv-key-further").evaluate_all(
        "all => all.map((e) => getComputedStyle(e).backgroundColor)"
    )
    assert inks == ["rgb(10, 143, 108)", "rgb(185, 131, 0)"]
    assert page.locator(".nv-sign-further").count() == 2
    # the second run's figures alone would look like those of all; the page has a table of them
    assert page.locator(".nv-figure i").all_text_contents() == []
    assert page.locator(".nv-facts").text_content() == "demo  ·  groke  ·  model-x"
    page = open_player(replay_document(trace, tiny_graph(), compare=old, **figures))
    assert page.locator(".nv-figure i").all_text_contents() == ["vs 4.0 m"]
    named = replay_document(
        trace, tiny_graph(), compare=old, compare_label="town/<i>b", label="town/a", further=further
    )
    page = open_player(named)
    assert (
        page.locator(".nv-facts").text_content()
        == "4 runs: town/a  ·  town/<i>b  ·  third & <b>  ·  fourth"
    )
    assert page.locator(".nv-legend span:has(.nv-key-agent)").all_text_contents() == ["town/a"]
    page = open_player(
        replay_document(trace, tiny_graph(), compare=old, compare_label="town/<i>b", label="town/a")
    )
    assert page.locator(".nv-facts").text_content() == "2 runs: town/a  ·  town/<i>b"
    page = open_player(replay_document(trace, tiny_graph(), compare=edited, **figures))
    assert page.locator(".nv-figure i").all_text_contents() == ["was 4.0 m"]


CUT = """() => {
  const edge = document.querySelector(".nv-head").getBoundingClientRect();
  return [...document.querySelectorAll(".nv-head .nv-figure")].map((e) => [e.textContent, e.getBoundingClientRect()])
    .filter(([, box]) => box.top < edge.bottom && (box.right > edge.right || box.bottom > edge.bottom)).map(([text]) => text);
}"""
"""Figures of the title's row that its edge cuts through; those with no room at all are out of
sight.
"""


@pytest.mark.parametrize("width", by_day([620, 805, 1280], [620]))
def test_no_figure_is_cut_through(open_player, page, width):
    page.set_viewport_size({"width": width, "height": 620})
    trace = full_trace()
    scores = dict.fromkeys(("SR", "NE", "TL", "SPL", "nDTW", "SDTW", "CLS"), 1.0)
    open_player(
        replay_document(trace, tiny_graph(), metrics=scores, compare=trace, compare_metrics=scores)
    )
    expect(page.locator(".nv-outcome")).to_be_in_viewport()
    soon(page, lambda: page.evaluate(CUT), nothing)


EDGES = """() => {
  const edges = (name) => {
    const { top, bottom } = document.querySelector(name).getBoundingClientRect();
    return { top, bottom };
  };
  return { map: edges(".nv-leaflet"), legend: edges(".nv-legend"), sheets: edges(".nv-sheets"), foot: edges(".nv-foot") };
}"""


def test_a_phone_has_the_map_above_and_one_sheet_below(open_player, page):
    """The legend lies below the map there, where it covers neither path nor goal."""
    page.set_viewport_size({"width": 390, "height": 844})
    open_player(replay_document(full_trace(), tiny_graph()))
    edges = page.evaluate(EDGES)
    assert edges["legend"]["top"] >= edges["map"]["bottom"] - 1
    assert edges["sheets"]["top"] >= edges["legend"]["bottom"] - 1
    assert edges["foot"]["bottom"] <= 845
    sheets = {"Plan": ".nv-pane-top", "Text": ".nv-tab-body"}
    for name, part in sheets.items():
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator(part)).to_be_visible()
        for other in {*sheets.values(), ".nv-notes"} - {part}:
            expect(page.locator(other)).to_be_hidden()
