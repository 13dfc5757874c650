"""The page that tests of the player share: what one of them leaves there, the next does not see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import Tab
from tests.browser.waits import soon

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

STATE = """async () => {
  const is = (look) => matchMedia(`(${look})`).matches;
  return {
    kept: [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length, name, document.cookie],
    looks: ["prefers-color-scheme: dark", "prefers-reduced-motion: reduce", "forced-colors: active"].filter(is),
    print: matchMedia("print").matches,
    size: [innerWidth, innerHeight, screen.width, screen.height],
    place: [scrollY, getSelection().toString(), document.activeElement.tagName, Boolean(document.fullscreenElement)],
    over: [...document.querySelectorAll("input:hover, p:hover")].length,
  };
}"""

DATABASE = """new Promise((done) => {
  const asked = indexedDB.open("x");
  asked.onsuccess = () => { asked.result.close(); done(); };
})"""


@pytest.fixture
def tab(chromium: Browser, tmp_path: Path) -> Iterator[Tab]:
    """A tab of the test's own, since it is what is tested."""
    tab = Tab(chromium, tmp_path)
    yield tab
    tab.close()


def use(page: Page) -> None:
    """Do all that outlives a document."""
    page.mouse.move(100, 110)
    page.emulate_media(
        color_scheme="dark", reduced_motion="reduce", forced_colors="active", media="print"
    )
    page.set_viewport_size({"width": 800, "height": 600})
    page.evaluate(
        "localStorage.a = 1; sessionStorage.b = 2; name = 'n'; document.querySelector('input').select()"
    )
    page.mouse.wheel(0, 300)
    page.evaluate("document.documentElement.requestFullscreen()")


@pytest.mark.parametrize("database", [False, True])
def test_what_one_test_leaves_the_next_does_not_see(
    tab: Tab, tmp_path: Path, database: bool
) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        "<!DOCTYPE html><body style='margin:90px 0'><input value=x style='width:100%;height:50px'><p style='height:2000px'>"
    )
    page = tab.take()
    page.goto(path.as_uri())
    fresh: dict[str, Any] = page.evaluate(STATE)
    use(page)
    soon(
        page,
        lambda: page.evaluate(STATE),
        lambda used: all(used[part] != fresh[part] for part in fresh),
    )
    if database:
        page.evaluate(DATABASE)
    assert tab.put_back(failed=False) == []
    again = tab.take()
    assert (again is page) is not database
    again.goto(path.as_uri())
    assert again.evaluate(STATE) == fresh
    assert tab.put_back(failed=False) == []


def test_a_late_error_is_told_of_the_test_that_caused_it(tab: Tab) -> None:
    tab.take().evaluate("queueMicrotask(() => { throw new Error('late'); }); console.error('said')")
    assert tab.put_back(failed=False) == ["said", "late"]
    tab.take()
    assert tab.put_back(failed=False) == []


def test_a_page_on_which_a_test_failed_is_not_used_again(tab: Tab) -> None:
    page = tab.take()
    assert tab.put_back(failed=True) == []
    assert tab.take() is not page
    assert tab.put_back(failed=False) == []
