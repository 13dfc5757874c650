"""From a run to the causes of its failures: Explore, a cause, Replay failures, and on with n."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import navviz
from navviz.analysis.alike import LikeTarget, alike_failures
from navviz.analysis.causes.counting import explain_run
from navviz.analysis.counterfactuals.trials import offer_for
from tests.browser.server import serving
from tests.browser.waits import until
from tests.paths import SAMPLES

pytestmark = pytest.mark.browser

PLAYER = ".navviz-player"
GRAPH, RUN = SAMPLES / "harbour" / "osm" / "graph", SAMPLES / "harbour" / "runs" / "groke-by-hand"


WALKER = SAMPLES / "harbour" / "runs" / "random-walker"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    workspace = tmp_path_factory.mktemp("journey")
    with serving("--graphs", str(GRAPH), str(RUN), workspace=workspace) as running:
        yield running


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that keeps the app's files: to load them anew costs as much as a test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    yield context
    context.close()


@pytest.fixture
def page(window: BrowserContext) -> Iterator[Page]:
    """A visitor whom the server has not seen; what the page keeps is forgotten after each test."""
    page = window.new_page()
    yield page
    page.evaluate("localStorage.clear()")
    page.close()
    window.clear_cookies()


def test_each_failure_opens_at_its_cause(page: Page, address: str) -> None:
    explained = explain_run(navviz.open_run(RUN, graphs=GRAPH))
    begun = {}
    for key, one in explained.items():
        if one.success is False:
            begun[key] = one.departure if one.leading is None else one.leading.step
    page.goto(f"{address}/explore?run=groke-by-hand")
    # how acts were missed stands first, what explains them below
    for number, name in enumerate(("act", "cause")):
        rows = page.get_by_test_id("causes").nth(number).locator("button:not([disabled])")
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


@pytest.mark.nightly
def test_one_key_leads_to_the_repair(page: Page, address: str) -> None:
    run = navviz.open_run(RUN, graphs=GRAPH)
    offers = {key: offer_for(run.trace(key), run.graph(key)) for key in run.traces}
    episode, offer = next((key, offer) for key, offer in offers.items() if offer is not None)
    page.goto(f"{address}/replay?run=groke-by-hand&episode={episode}")
    page.wait_for_selector(f'{PLAYER}[data-ready="true"]')
    button = page.get_by_role("button", name="Repair", exact=True)
    expect(button).to_have_attribute("title", f"Walk again: {offer.words} (r)")
    page.keyboard.press("r")
    expect(page.get_by_text(f"Repair from step {offer.plan.step}:")).to_be_visible()
    expect(page.get_by_role("button", name="Repair and walk")).to_be_visible()
    assert "/live" in page.url


def test_the_list_filters_in_the_browser_and_its_state_is_the_address_s(
    page: Page, address: str
) -> None:
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


@pytest.mark.nightly
def test_the_gallery_fetches_what_comes_into_sight(page: Page, address: str) -> None:
    page.goto(f"{address}/explore?run=groke-by-hand&view=gallery&sort=-NE")
    expect(page.locator(".nl-thumb")).to_have_count(10)
    worst = page.locator(".nl-card").first
    expect(worst.locator(".cross")).to_have_count(1)
    worst.click()
    page.wait_for_selector(f'{PLAYER}[data-ready="true"]')


@pytest.mark.nightly
def test_failures_alike_by_words_filter_and_outlast_reload_and_back(
    page: Page, address: str
) -> None:
    alike = alike_failures(navviz.open_run(WALKER, graphs=GRAPH))
    group = alike.clusters[0]
    page.goto(f"{address}/explore?run=harbour/random-walker")
    count = page.locator(".nl-count")
    expect(count).to_have_text(re.compile("^14 of 14 episodes"))
    page.get_by_role("button", name="Alike", exact=True).click()
    row = page.locator(f'[data-testid="clusters"] [data-value="{group.id}"]')
    expect(row).to_have_attribute("aria-pressed", "false")
    row.click()
    filtered = re.compile(f"^{len(group.episodes)} of 14 episodes")
    expect(count).to_have_text(filtered)
    page.wait_for_url(f"**words={group.id}*")
    page.reload()
    expect(count).to_have_text(filtered)
    expect(row).to_have_attribute("aria-pressed", "true")
    # the atlas shows the same, coloured by group
    page.goto(f"{page.url}&panel=atlas&colour=words")
    legend = page.frame_locator("iframe").locator(".leaflet-control-layers")
    expect(legend).to_contain_text(f"{alike.labels[group.id]} ({len(group.episodes)})")
    expect(count).to_have_text(filtered)
    page.go_back()
    expect(row).to_be_visible()
    expect(count).to_have_text(filtered)
    page.go_back()
    expect(count).to_have_text(re.compile("^14 of 14 episodes"))
    page.go_forward()
    expect(count).to_have_text(filtered)


@pytest.mark.nightly
def test_the_nearest_are_found_from_the_list_and_from_replay(page: Page, address: str) -> None:
    run = navviz.open_run(WALKER, graphs=GRAPH)
    alike = alike_failures(run)
    key = alike.clusters[0].episodes[0]
    near = list(alike.near(run, LikeTarget(key)))
    page.goto(f"{address}/explore?run=harbour/random-walker&sort=-NE")
    page.get_by_role("button", name=f"Failures like {key}", exact=True).click()
    shown = page.locator(".nl-row .nl-cell:nth-child(2)")
    expect(shown).to_have_text(near)
    expect(page.locator(".nl-count")).to_have_text(re.compile(f"^{len(near)} of 14 episodes"))
    page.wait_for_url("**sort=-likeness*")
    assert "NE" not in page.url
    page.reload()
    expect(shown).to_have_text(near)
    page.go_back()
    expect(page.locator(".nl-count")).to_have_text(re.compile("^14 of 14 episodes"))
    page.goto(f"{address}/replay?run=harbour/random-walker&episode={key}")
    page.wait_for_selector(f'{PLAYER}[data-ready="true"]')
    page.get_by_role("button", name="Alike", exact=True).click()
    expect(shown).to_have_text(near)
    assert "/replay" not in page.url
    page.go_back()
    page.wait_for_selector(f'{PLAYER}[data-episode="{key}"]')
