"""Each page opened without ``app.py``: it shows what it shows within the app."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import ran
from tests.paths import ROOT

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def keys(at: AppTest) -> set[str]:
    """Keys of the widgets that the page itself shows, beside the side bar of the app."""
    kinds = (
        at.button, at.selectbox, at.multiselect, at.radio, at.text_input, at.text_area, at.checkbox,
        at.toggle,
    )  # fmt: skip
    return {str(widget.key) for kind in kinds for widget in kind if widget.key}


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_alone_shows_what_it_shows_in_the_app(name):
    alone = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=300)
    within = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).switch_page(
        f"pages/{name}.py"
    )
    for at in (alone, within):
        at.query_params["run"] = "walks/json"
        ran(at)
    assert keys(alone)
    assert keys(alone) == keys(within)
    assert [error.value for error in alone.error] == [error.value for error in within.error]
