"""From a run to the causes of its failures: Explore, a cause, Replay failures, on with n; there the
act leads, and what explains it is marked in text and map.
"""

import re

import pytest
from playwright.sync_api import expect

import navviz
from navviz.analysis.causes.counting import explain_run
from tests.browser.server import serving
from tests.browser.waits import until
from tests.paths import SAMPLES

pytestmark = pytest.mark.browser

PLAYER = ".navviz-player"
TEXTS = {"instruction", "plan", "prompt", "thoughts", "reply"}
MARKED = "[...(CSS.highlights.get('nv-proof') ?? [])].map((range) => range.toString())"
GRAPH, RUN = SAMPLES / "harbour" / "osm" / "graph", SAMPLES / "harbour" / "runs" / "groke-by-hand"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    workspace = tmp_path_factory.mktemp("journey")
    with serving("--graphs", str(GRAPH), str(RUN), workspace=workspace) as running:
        yield running


@pytest.fixture(scope="module")
def explained():
    return explain_run(navviz.open_run(RUN, graphs=GRAPH))


@pytest.fixture(scope="module")
def window(chromium):
    """A browser that keeps the app's files: to load them anew costs as much as a test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield context
    context.close()


@pytest.fixture
def page(window):
    """A visitor whom the server has not seen; what the page keeps is forgotten after each test."""
    page = window.new_page()
    yield page
    page.evaluate("localStorage.clear()")
    page.close()
    window.clear_cookies()


@pytest.fixture
def failure(page, address, explained):
    """Replay on a failure whose likely cause is quoted in a text, and the failure's name."""
    episode = next(
        name
        for name, one in explained.items()
        if one.leading is not None and any(quote.source in TEXTS for quote in one.leading.quotes)
    )
    page.goto(f"{address}/replay?run=groke-by-hand&episode={episode}")
    page.wait_for_selector(f'{PLAYER}[data-ready="true"]')
    return page, episode


def test_each_failure_opens_at_its_cause(page, address, explained):
    begun = {}
    for key, one in explained.items():
        if one.success is False:
            begun[key] = one.departure if one.leading is None else one.leading.step
    page.goto(f"{address}/explore?run=groke-by-hand")
    for name in ("act", "cause"):
        rows = page.get_by_test_id("findings").locator(f'button[data-value^="{name} "]:visible')
        rows.first.click()
        until(page, f"location.search.includes('{name}=')")
        expect(rows.first).to_have_attribute("aria-pressed", "true")
        rows.first.click()
        until(page, f"!location.search.includes('{name}=')")
        expect(rows.first).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Replay failures").click()
    page.wait_for_selector(f'{PLAYER}[data-ready="true"]')
    seen = []
    for _ in range(min(4, len(begun))):
        player = page.locator(PLAYER)
        episode = str(player.get_attribute("data-episode"))
        expect(player).to_have_attribute("data-step", str(begun[episode]))
        seen.append(episode)
        if len(seen) < min(4, len(begun)):
            page.keyboard.press("n")
            page.wait_for_selector(f'{PLAYER}[data-ready="true"]:not([data-episode="{episode}"])')
    assert len(set(seen)) == min(4, len(begun))


def test_the_list_filters_in_the_browser_and_its_state_is_the_address_s(page, address):
    page.goto(f"{address}/explore?run=groke-by-hand")
    count = page.locator(".nl-count")
    expect(count).to_have_text("10 of 10 episodes · 4 succeeded")
    page.get_by_role("button", name="NE (m)").click()
    expect(page.locator('[aria-sort="descending"]')).to_have_text("NE (m) ↓")
    page.wait_for_url("**sort=-NE*")
    page.locator(".nl-filters summary").click()
    page.locator(".nl-filter-list").get_by_label("failure", exact=False).first.check()
    expect(count).to_have_text("6 of 10 episodes · 0 succeeded")
    page.wait_for_url("**outcome=failure*")
    page.keyboard.press("Escape")
    page.get_by_role("searchbox").fill("no such words")
    expect(page.locator(".nl-none")).to_be_visible()
    page.wait_for_url("**q=no+such+words*")
    page.get_by_role("searchbox").fill("")
    expect(count).to_have_text("6 of 10 episodes · 0 succeeded")
    # a click elsewhere on the page is the list's, too
    page.locator('[data-testid="breakdown"] [data-value="success"]').click()
    expect(count).to_have_text("4 of 10 episodes · 4 succeeded")
    page.get_by_role("button", name="Outcome: success").click()
    expect(count).to_have_text("10 of 10 episodes · 4 succeeded")
    page.wait_for_url(lambda url: "outcome" not in url and "sort=-NE" in url)
    second = page.locator(".nl-row").nth(1)
    episode = second.locator(".nl-cell").first.inner_text()
    assert f"episode={episode}&sort=-NE" in str(second.get_attribute("href"))
    page.locator(".nl-rows").press("ArrowDown")
    page.locator(".nl-rows").press("Enter")
    page.wait_for_selector(f'{PLAYER}[data-episode="{episode}"]')
    assert "sort=-NE" in page.url
    page.go_back()
    expect(count).to_have_text("10 of 10 episodes · 4 succeeded")


def test_the_act_leads_and_one_key_goes_to_where_what_explains_it_began(failure, explained):
    page, episode = failure
    begun = explained[episode].leading.step
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
def test_the_proof_is_one_click_away_and_marked_where_it_stands(failure):
    page, _ = failure
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


def test_a_success_has_no_cause(page, address):
    page.goto(f"{address}/replay?run=groke-by-hand&episode=1")
    page.wait_for_selector(f'{PLAYER}[data-ready="true"]')
    expect(page.locator(".nv-success")).to_be_visible()
    expect(page.locator(".nv-cause, .nv-no-cause")).to_have_count(0)
