"""How many controls the first screen of a page has: each is one more thing to read before the answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.server import serving
from tests.browser.waits import rested, soon

CONTROLS = """() => {
  const all = "a[href], button, input, select, textarea, summary, [role=slider], [role=tab], [tabindex='0']";
  const inSight = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (!width || !height || x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false;
    let at = document.elementFromPoint(x, y);
    while (at?.shadowRoot?.elementFromPoint(x, y) && at.shadowRoot.elementFromPoint(x, y) !== at)
      at = at.shadowRoot.elementFromPoint(x, y);
    return at !== null && (node.contains(at) || at.contains(node) || node.parentElement?.contains(at));
  };
  const found = [];
  const look = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      if (!node.matches(all) || node.tabIndex < 0 || node.disabled || node.closest("[inert]")) continue;
      // what scrolls is no control
      if (node.matches("[data-testid=stMain], .stMain, section.stMain, main")) continue;
      if (node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && inSight(node))
        found.push(node.ariaLabel || node.title || node.innerText || node.tagName);
    }
  };
  look(document);
  return found;
}"""


@pytest.mark.parametrize(
    ("most", "place", "sign"),
    [
        (
            30,
            "/compare?run=harbour/groke-by-hand&other=harbour/rules",
            ".navviz-player[data-ready='true'][data-beside='true']",
        ),
        (
            40,
            "/explore?run=harbour/groke-by-hand",
            '[data-testid="findings"] details:nth-of-type(3)',
        ),
    ],
    ids=["compare", "explore"],
)
def test_the_first_screen_has_no_more_controls_than_it_may(chromium, tmp_path, most, place, sign):
    with serving(workspace=tmp_path) as address:
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(f"{address}{place}")
        expect(page.locator(sign)).to_be_visible(timeout=120_000)
        rested(page)
        soon(page, lambda: page.evaluate(CONTROLS), lambda names: 10 < len(names) <= most)
        page.close()
