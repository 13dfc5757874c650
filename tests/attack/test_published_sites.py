"""Names and texts of a published site stay text, wherever they stand in it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.browser.waits import expect, soon
from tests.chromium import LIMIT_MS
from tests.replays import HOSTILE
from tests.sites import parts_in, site_of, tiny_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

HOSTILES = (
    *HOSTILE,
    "\"quoted\" 'names' `of` ${runs}",
    "__proto__",
    "a/../../b?c#d&e=f%22",
    "</main>\u2029",
)


@pytest.mark.parametrize("text", HOSTILES)
def test_no_text_of_the_data_stands_in_a_script_or_in_markup(tmp_path: Path, text: str) -> None:
    run = tiny_run(name=text, text=text, episode=text)
    site = site_of(tmp_path / "site", run, title=text, licence=text, source=text, authors=text)
    for path in (site.folder / "data").glob("*.js"):
        written = path.read_text(encoding="utf-8")
        assert not set("<>&\u2028\u2029'`$") & set(written), path
        assert parts_in(path)
    page = site.index.read_text(encoding="utf-8")
    assert page.count("<script") == 2
    assert "<img" not in page
    badge = (site.folder / "badge.svg").read_text(encoding="utf-8")
    assert "<script" not in badge


@pytest.mark.browser
def test_hostile_names_run_nowhere_in_a_site(chromium: Browser, tmp_path: Path) -> None:
    text = "</script><img src=x onerror=\"window.pwned=1\"> 'q' \u2028 __proto__"
    run, other = (tiny_run(name=f"{text} {k}", text=text, episode=text) for k in (1, 2))
    site = site_of(tmp_path / "site", run, other, title=text, licence=text, source=text)
    requests: list[str] = []

    def only_files(route: Route) -> None:
        requests.append(route.request.url)
        route.continue_() if route.request.url.startswith("file:") else route.abort()

    context = chromium.new_context(offline=True)
    context.set_default_timeout(LIMIT_MS)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/*", only_files)
    name = quote(run.name, safe="")
    address = site.index.as_uri()
    episode = f"run={name}&episode={quote(text, safe='')}"
    for place in (
        "",
        f"run={name}&as=gallery",
        f"run={name}&as=map",
        "view=compare",
        "view=about",
        episode,
    ):
        page.goto(f"{address}#{place}")
        _calm(page)
    expect(page.locator(".navviz-player")).to_have_attribute("data-ready", "true")
    expect(page.locator(".ns-episode b")).to_have_text(text)
    assert not errors
    assert all(url.startswith(("file:", "data:")) for url in requests)
    context.close()


def _calm(page: Page) -> None:
    expect(page.locator("#site")).to_have_attribute("data-ready", "true")
    soon(page, lambda: page.evaluate("window.pwned === undefined"), bool)
    assert page.locator("#site img, #site script, #site iframe").count() == 0
