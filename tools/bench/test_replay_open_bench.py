"""How long a researcher waits for a replay of the real Manhattan run: from the address to the
painted player.

Baseline: the same server's health endpoint and an empty page are not enough for a user, so the
baseline is Streamlit's own part: the time until the page's first widget stands (its JavaScript, its
connection), measured in the same visit.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.browser.server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.data, pytest.mark.browser]


def _visit(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds until Streamlit's first widget, and until the player is painted."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(f"{address}/replay?run=ablation_study_json&episode=3450&step=3", wait_until="commit")
    page.wait_for_selector('[data-testid="stSelectbox"]')
    streamlit_s = time.perf_counter() - start
    page.wait_for_selector('.navviz-player[data-ready="true"]')
    player_s = time.perf_counter() - start
    context.close()
    return streamlit_s, player_s


def test_opening_a_replay(
    benchmark: BenchmarkFixture,
    chromium: Browser,
    data_dir: Path,
    tmp_path: Path,
) -> None:
    graph, results = (
        data_dir / "map2seq",
        data_dir / "groke" / "paper_results" / "ablation_study_json",
    )
    with serving("--graphs", str(graph), str(results), workspace=tmp_path, cold=True) as address:
        first_widget_s, cold_s = _visit(chromium, address)
        warm_s = benchmark.pedantic(lambda: _visit(chromium, address)[1], rounds=3)
    benchmark.extra_info.update(cold_s=cold_s, first_widget_s=first_widget_s, warm_s=warm_s)
    assert cold_s < 4 * first_widget_s + 2
    assert warm_s < cold_s
