"""Another package's navigator and model stand in the menus of Live; a broken one is named there."""

from __future__ import annotations

import pytest

from tests.pages.conftest import OpenPage

pytestmark = pytest.mark.usefixtures("opened")


@pytest.mark.usefixtures("compass")
def test_live_offers_navigator_settings_and_model(page: OpenPage) -> None:
    at = page("live", run="walks/json", episode="2")
    navigator = at.selectbox(key="live_navigator_geo")
    assert "compass" in navigator.options
    at = navigator.set_value("compass").run()
    assert not at.exception
    assert at.number_input(key="live_set_compass_bearing_deg").value == 0.0
    at = at.selectbox(key="live_navigator_geo").set_value("groke").run()
    assert "parrot" in at.selectbox(key="live_vendor").options
    at = at.selectbox(key="live_vendor").set_value("parrot").run()
    assert not at.exception
    assert at.text_input(key="live_parrot_model").value == ""


@pytest.mark.usefixtures("broken_plugins")
def test_live_names_a_broken_one_and_goes_on(page: OpenPage) -> None:
    at = page("live", run="walks/json", episode="2")
    warnings = [warning.value for warning in at.warning]
    assert any(
        "the plug-in gone (navigators) of navviz-broken cannot be imported" in text
        for text in warnings
    )
    assert {"rules", "compass"} <= set(at.selectbox(key="live_navigator_geo").options)
