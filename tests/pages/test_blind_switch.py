"""The switch that allows a blind walk stands where an agent may be blind, and nowhere else."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def _form(name: str) -> None:
    import streamlit as st

    from navviz.systems.base import declares_views
    from navviz.systems.registry import get_navigator
    from navviz.ui.components.run_form import settings_form

    navigator = get_navigator(name)
    values = settings_form(navigator.settings_type, "form", may_be_blind=declares_views(navigator))
    st.json(values)


@pytest.mark.parametrize(("name", "shown"), [
    ("navgpt", True), ("mgdm", True), ("staged(navgpt)", True), ("groke", False), ("rules", False),
])  # fmt: skip
def test_the_switch(name, shown):
    at = AppTest.from_function(_form, kwargs={"name": name}, default_timeout=30).run()
    assert not at.exception
    switches = [toggle for toggle in at.toggle if toggle.key == "form_blind"]
    assert len(switches) == shown
    for switch in switches:
        switch.set_value(True).run()
        assert '"blind"' in at.json[0].value
