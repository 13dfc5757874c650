"""Another package's navigator and model stand in the menus of Live; a broken one is named there."""

import pytest

pytestmark = pytest.mark.usefixtures("opened", "broken_plugins")


def test_live_offers_navigator_settings_and_model_and_names_what_is_broken(page):
    at = page("live", run="walks/json", episode="2")
    warnings = " ".join(warning.value for warning in at.warning)
    assert "the plug-in gone (systems) of navviz-broken cannot be imported" in warnings
    navigator = at.selectbox(key="live_navigator_geo")
    assert {"rules", "beacon"} <= set(navigator.options)
    at = navigator.set_value("beacon").run()
    assert not at.exception
    assert at.number_input(key="live_set_beacon_steps").value == 20
    assert "parrot" in at.selectbox(key="live_vendor").options
    at = at.selectbox(key="live_vendor").set_value("parrot").run()
    assert not at.exception
    assert at.text_input(key="live_parrot_model").value == ""
