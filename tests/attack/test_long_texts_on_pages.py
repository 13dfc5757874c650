"""Texts of 400,000 characters hold up no page, and a long model name leaves room for the rest."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from navviz.records.trace_files import write_trace
from navviz.runs.opened import OPEN_VARIABLE
from tests.nights import by_day
from tests.pages.conftest import _fresh_caches, _made_once, ran
from tests.paths import ROOT
from tests.replays import full_trace
from tests.worlds import write_world

__all__ = ["_fresh_caches", "_made_once"]

LENGTH = 400_000
TEXTS = {
    "letters": "a" * LENGTH,
    "words": "left or right " * (LENGTH // 14),
    "brackets": "[(" * (LENGTH // 2),
}
MOST_S = 30.0
"""Of the processor; a pattern that is quadratic takes minutes."""
SHOWN = 400
"""Characters of one line of a page's head."""


@pytest.mark.parametrize("kind", by_day([*TEXTS], ["letters"]))
@pytest.mark.parametrize("name", ["explore", "replay"])
def test_a_page_shows_a_run_of_long_texts(
    name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = write_world(tmp_path)
    trace = full_trace(text=TEXTS[kind])
    episode = trace.episode.model_copy(update={"id": "1", "success_radius_m": 10.0})
    header = trace.header.model_copy(update={"episode": episode, "model": TEXTS[kind]})
    run = tmp_path / "runs" / "long"
    run.mkdir(parents=True)
    write_trace(trace.model_copy(update={"header": header}), run / "1.trace.jsonl")
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"graphs": str(graph), "results": str(run)}))
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    at.switch_page(f"pages/{name}.py")
    at.query_params["run"], at.query_params["episode"] = "long", "1"
    begun = time.process_time()
    ran(at)
    assert time.process_time() - begun < MOST_S
    lines = [str(part.value) for part in (*at.markdown, *at.caption, *at.title, *at.subheader)]
    assert all(len(line) < LENGTH // 10 for line in lines), max(lines, key=len)[:SHOWN]
