"""From the command ``navviz app`` to the painted player, a link on the running server, and from
page to page.

Baseline in the same run: Streamlit alone with a page of one line, started and visited in the same
way. Goals on a quiet machine: 3 s, 2 s and 0.5 s.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.server import free_port, serving, wait_for_server
from tests.browser.waits import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.data, pytest.mark.browser]

PLAYER = '.navviz-player[data-ready="true"]'
PAGES = {
    "Explore": ".nl-row",
    "Replay": PLAYER,
    "Compare": '[data-testid="stSelectbox"]',
    "Live": '[data-testid="stTextArea"]',
}

BOTH_WAYS = '.nv-look[data-around="true"] canvas[aria-label*="agent "][aria-label*="reference "]'
"""A picture to look around in that marks the way taken and the right one."""


@contextmanager
def _bare(folder: Path) -> Iterator[str]:
    (folder / "bare.py").write_text("import streamlit as st\n\nst.write('Here')\n")
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "bare.py",
        "--server.port",
        str(port),
        "--server.headless",
        "true",
    ]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for_server(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.kill(process.pid, signal.SIGTERM)
        process.wait(timeout=60)


def _painted_s(browser: Browser, address: str, what: str) -> float:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    start = time.perf_counter()
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address, wait_until="commit")
    page.wait_for_selector(what)
    taken = time.perf_counter() - start
    context.close()
    return taken


def _change_s(page: Page, name: str) -> float:
    start = time.perf_counter()
    page.get_by_test_id("stTopNavLink").filter(has_text=name).click()
    until(page, "name => document.title.startsWith(name)", arg=name)
    page.wait_for_selector('[data-test-script-state="notRunning"]')
    page.wait_for_selector(PAGES[name])
    return time.perf_counter() - start


def test_opening(chromium: Browser, data_dir: Path, tmp_path: Path, record_property) -> None:
    run = (
        "--graphs",
        str(data_dir / "map2seq"),
        str(data_dir / "groke/paper_results/ablation_study_json"),
    )
    start = time.perf_counter()
    with _bare(tmp_path) as address:
        _painted_s(chromium, address, "text=Here")
        bare_start_s = time.perf_counter() - start
        bare_s = statistics.median(_painted_s(chromium, address, "text=Here") for _ in range(3))
    start = time.perf_counter()
    with serving(workspace=tmp_path, cold=True) as address:
        _painted_s(chromium, address, PLAYER)
        sample_start_s = time.perf_counter() - start
    start = time.perf_counter()
    with serving(*run, workspace=tmp_path, cold=True) as address:
        link = f"{address}/replay?run=ablation_study_json&episode=3450&step=3"
        _painted_s(chromium, link, PLAYER)
        run_start_s = time.perf_counter() - start
        link_s = statistics.median(_painted_s(chromium, link, PLAYER) for _ in range(3))
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(link)
        page.wait_for_selector(PLAYER)
        changes = {
            name: [_change_s(page, name) for _ in range(2)]
            for name in ("Explore", "Replay", "Compare", "Live")
        }
        page.close()
    figures = {"bare_start_s": bare_start_s, "bare_s": bare_s, "sample_start_s": sample_start_s}
    figures |= {"run_start_s": run_start_s, "link_s": link_s}
    figures |= {f"to_{name}_s": min(taken) for name, taken in changes.items()}
    for name, value in figures.items():
        record_property(name, round(value, 2))
    assert sample_start_s < 5 * bare_start_s
    assert run_start_s < 6 * bare_start_s
    assert link_s < 4 * bare_s


def test_why_did_it_take_the_wrong_door(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property
) -> None:
    """From a cold server's Explore to the picture with both ways, by one key. Goal: 15 s."""
    monkeypatch.setenv("NAVVIZ_CACHE", str(tmp_path / "cache"))
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(120_000)
    with serving(workspace=tmp_path, cold=True) as address:
        start = time.perf_counter()
        page.goto(f"{address}/explore?run=house/mapgpt-pictures-by-hand", wait_until="commit")
        page.wait_for_selector(".st-key-explore_replay_failures button:not([disabled])")
        page.wait_for_selector('[data-test-script-state="notRunning"]')
        explore_s = time.perf_counter() - start
        page.keyboard.press("w")
        canvas = page.wait_for_selector(BOTH_WAYS)
        seconds = time.perf_counter() - start
        box = canvas.bounding_box()
        page.close()
    record_property("explore_s", round(explore_s, 1))
    record_property("wrong_door_s", round(seconds, 1))
    print(f"the wrong door: {seconds:.1f} s and 1 key (Explore alone {explore_s:.1f} s)")
    assert box is not None
    assert box["y"] + box["height"] <= 720, "the picture is whole on the first screen"
    assert seconds < 15
