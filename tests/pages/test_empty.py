"""A page without data shows what it will look like, and one button that makes it so."""

from __future__ import annotations

from typing import get_args
from xml.etree import ElementTree as ET

import pytest

from navviz.ui.components.empty import Picture, picture
from navviz.views import palette


@pytest.mark.parametrize("name", get_args(Picture))
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_is_drawn_in_the_colours_of_a_theme(name, theme):
    drawn = ET.fromstring(picture(name, theme))
    colours: set[str] = set()
    for shape in drawn:
        colours |= {value for value in shape.attrib.values() if value.startswith("#")}
    assert len(drawn) > 10
    assert len(colours) > 3
    assert colours <= set(palette.THEMES[theme].values())


@pytest.mark.parametrize("name", ["explore", "replay", "live", "compare"])
def test_a_run_that_is_not_there_leads_to_the_sample(page, name):
    at = page(name, run="gone/away")
    assert "There is no run named" in at.warning[0].value
    sketch = {"explore": "list"}.get(name, name)
    at.button(key=f"empty_{sketch}_button").click().run()
    assert not at.exception
    assert not at.warning
    assert at.selectbox[0].value.startswith("harbour/")
