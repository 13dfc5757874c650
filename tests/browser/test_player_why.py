"""Why it failed, in the player: the act leads, what explains it is marked in text and map."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.server import serving
from tests.browser.waits import until
from tests.paths import SAMPLES

pytestmark = pytest.mark.browser

PLAYER = ".navviz-player"
TEXTS = {"instruction", "plan", "prompt", "thoughts", "reply"}
MARKED = "[...(CSS.highlights.get('nv-proof') ?? [])].map((range) => range.toString())"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = SAMPLES / "harbour"
    graph, run = folder / "osm" / "graph", folder / "runs" / "groke-by-hand"
    workspace = tmp_path_factory.mktemp("why")
    with serving("--graphs", str(graph), str(run), workspace=workspace) as running:
        yield running


@pytest.fixture(scope="module")
def failures():
    """Failed episodes whose likely cause is quoted in a text, with the step where it began."""
    import navviz
    from navviz.analysis.causes.engine import explain_episode

    folder = navviz.samples_dir() / "harbour"
    run = navviz.open_run(folder / "runs" / "groke-by-hand", graphs=folder / "osm" / "graph")
    explained = {
        name: explain_episode(run.trace(name), run.graph(name), run.divergence(name))
        for name in run.traces
    }
    begun = {}
    for name, one in explained.items():
        if one.leading is not None and any(quote.source in TEXTS for quote in one.leading.quotes):
            begun[name] = one.leading.step
    return begun


@pytest.fixture
def page(chromium, address, failures):
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{address}/replay?run=groke-by-hand&episode={next(iter(failures))}")
    page.wait_for_selector(f'{PLAYER}[data-ready="true"]')
    yield page
    page.close()


def test_the_act_leads_and_one_key_goes_to_where_what_explains_it_began(page, failures):
    begun = next(iter(failures.values()))
    rows = page.locator(".nv-notes > *")
    act = page.locator(".nv-act")
    expect(act).to_contain_text("” was not")
    style = act.evaluate(
        "node => [getComputedStyle(node).fontSize, getComputedStyle(node).fontWeight]"
    )
    assert style == ["16px", "600"]
    expect(rows.nth(0)).to_have_class(re.compile("nv-act"))
    expect(rows.nth(1)).to_have_class(re.compile("nv-cause"))
    expect(page.locator(".nv-cause-sentence")).to_be_visible()
    page.keyboard.press("d")
    until(page, f"{MARKED}.length > 0")
    page.keyboard.press("End")
    page.keyboard.press("c")
    expect(page.locator(PLAYER)).to_have_attribute("data-step", str(begun))


@pytest.mark.nightly
def test_the_proof_is_one_click_away_and_marked_where_it_stands(page):
    page.get_by_role("button", name="Proof").click()
    quotes = page.locator(".nv-quote")
    expect(quotes.first).to_be_visible()
    words = {quote.strip() for quote in page.locator(".nv-quote span").all_inner_texts()}
    page.keyboard.press("c")
    quotes.filter(has_text=re.compile("Instruction|Plan|Prompt|Thoughts|Reply")).first.click()
    until(page, f"{MARKED}.length > 0")
    marked = page.evaluate(MARKED)
    assert {" ".join(text.split()).lower() for text in marked} <= {
        " ".join(word.split()).lower() for word in words
    }


def test_a_success_has_no_cause(chromium, address):
    page = chromium.new_page()
    page.goto(f"{address}/replay?run=groke-by-hand&episode=1")
    page.wait_for_selector(f'{PLAYER}[data-ready="true"]')
    expect(page.locator(".nv-success")).to_be_visible()
    expect(page.locator(".nv-cause, .nv-no-cause")).to_have_count(0)
    page.close()
