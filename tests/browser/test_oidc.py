"""A visitor signs in at an OpenID provider, and out again; who comes with a wrong token stays
outside.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.oidc_provider import CLIENT, providing
from tests.browser.server import free_port, started
from tests.paths import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("oidc"), free_port()
    (folder / ".streamlit").mkdir()
    with providing() as provider, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        (folder / ".streamlit" / "secrets.toml").write_text(
            "[auth]\n"
            f'redirect_uri = "http://127.0.0.1:{port}/oauth2callback"\n'
            'cookie_secret = "a cookie secret of the test, long enough"\n'
            f'client_id = "{CLIENT[0]}"\nclient_secret = "{CLIENT[1]}"\n'
            f'server_metadata_url = "{provider.address}/.well-known/openid-configuration"\n'
        )
        arguments = ("--address", "0.0.0.0", "--door", "oidc")
        with started(*arguments, workspace=folder, folder=folder, port=port):
            yield f"http://127.0.0.1:{port}", provider


@pytest.fixture
def tab(chromium):
    page = chromium.new_page()
    yield page
    page.close()


def test_a_visitor_signs_in_comes_back_and_signs_out(tab, served):
    address, provider = served
    provider.claims["name"] = "<b>fox</b> ![x](http://192.0.2.1/x.png)"
    tab.goto(f"{address}/explore")
    tab.get_by_role("button", name="Sign in").click()
    expect(tab.get_by_role("button", name="Sign out")).to_be_attached()
    expect(tab.get_by_text(provider.claims["name"]).first).to_be_attached()
    tab.goto(f"{address}/explore")
    expect(tab.get_by_role("button", name="Open …")).to_be_visible()
    tab.get_by_test_id("stExpandSidebarButton").click()
    tab.get_by_role("button", name="Sign out").click()
    expect(tab.get_by_role("button", name="Sign in")).to_be_visible()
    tab.goto(f"{address}/explore")
    expect(tab.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.parametrize(
    ("wrong", "forged"),
    [
        ({"aud": "another"}, False),
        ({"iss": "http://192.0.2.1"}, False),
        ({"exp": 1}, False),
        ({}, True),
    ],
)
def test_a_token_that_is_not_for_us_opens_nothing(tab, served, wrong, *, forged):
    address, provider = served
    provider.wrong, provider.forged = wrong, forged
    try:
        tab.goto(address)
        with tab.expect_response(lambda response: "/oauth2callback" in response.url):
            tab.get_by_role("button", name="Sign in").click()
        expect(tab.get_by_role("button", name="Sign in")).to_be_visible()
        expect(tab.get_by_role("button", name="Open …")).to_have_count(0)
    finally:
        provider.wrong, provider.forged = {}, False


def _signed_in(tab: Page, address: str) -> str:
    """Sign in and return the address that the provider sent the browser back to."""
    tab.goto(address)
    with tab.expect_response(lambda response: "/oauth2callback" in response.url) as callback:
        tab.get_by_role("button", name="Sign in").click()
    expect(tab.get_by_role("button", name="Sign out")).to_be_attached()
    return callback.value.url


def test_a_callback_of_one_browser_opens_nothing_in_another(tab, chromium, served):
    address, _ = served
    callback = _signed_in(tab, address)
    other = chromium.new_context()
    page = other.new_page()
    page.goto(callback)
    page.goto(f"{address}/explore")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    other.close()


def test_a_used_callback_signs_nobody_in_again(chromium, served):
    address, _ = served
    context = chromium.new_context()
    page = context.new_page()
    callback = _signed_in(page, address)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    page.goto(callback)
    page.goto(f"{address}/explore")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    context.close()
