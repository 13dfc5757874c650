"""A page that stands still fails its test, and the next test has a page."""

import pytest

from tests.browser.conftest import page_of
from tests.chromium import launched, within

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("script", ["new Promise(() => {})", "(() => { for (;;); })()"])
def test_a_page_that_stands_still_is_ended(chromium, tab, script):
    from playwright.sync_api import Error

    tab.take()  # it is ended with the other
    with page_of(chromium) as page, within(0.5) as limit, pytest.raises(Error, match="crashed"):
        page.evaluate(script)
    assert limit.met
    with page_of(chromium) as page, within(60) as limit:
        assert page.evaluate("1 + 1") == 2
        assert tab.take().evaluate("1 + 1") == 2
    assert not limit.met
    assert tab.put_back(failed=False) == []


def test_a_browser_that_was_ended_gives_way_to_another(chromium):
    with launched(chromium.browser_type) as browser:
        browser.close()
        with page_of(browser) as page:
            assert page.evaluate("1 + 1") == 2
