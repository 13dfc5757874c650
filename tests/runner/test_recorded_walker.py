"""A fork, a repair or another run begins with the walker that was recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

import navviz
from navviz.records import Trace, TraceHeader
from navviz.runner.recorded_walker import recorded_walker
from navviz.systems.base import shipped_prompt
from navviz.systems.registry import get_navigator, settings_from
from tests.paths import SAMPLES
from tests.worlds import tiny_episode


def _walk(navigator: str = "groke", **header: Any) -> Trace:
    return Trace(header=TraceHeader(episode=tiny_episode(), navigator=navigator, **header))


def test_every_recorded_setting_comes_back():
    run = navviz.open_run(SAMPLES / "harbour" / "runs" / "groke-by-hand")
    trace = next(iter(run.traces.values()))
    walker = recorded_walker(trace, run.source.results)
    assert (walker.navigator, walker.model) == ("groke", "scripted:written-by-hand")
    assert dict(walker.settings) == trace.header.settings
    assert walker.settings["retry_limit"] == 4
    assert walker.sentence == ""


def test_prompt_model_and_its_options_come_back():
    groke = get_navigator("groke")
    prompt = f"{shipped_prompt(settings_from(groke))} Be brief."
    own = {"retry_limit": 3, "prompt": prompt, "model_options": {"thinking": "low"}}
    walker = recorded_walker(_walk(settings=own, model="gemini:m"))
    assert dict(walker.settings) == {"retry_limit": 3, "prompt": prompt}
    assert walker.sentence == ""
    assert dict(walker.model_options) == {"thinking": "low"}
    assert walker.model == "gemini:m"


@pytest.mark.parametrize(
    ("navigator", "header", "said"),
    [
        ("nobody", {}, "the navigator nobody is not here"),
        ("groke", {"settings": {"wings": 2}, "model": "gemini:m"}, "the setting wings"),
        ("groke", {"settings": {"units": 99}, "model": "gemini:m"}, "the setting units=99"),
        (
            "groke",
            {"settings": {"model_options": {"top_k": 5}}, "model": "gemini:m"},
            "the model's option top_k=5",
        ),
        ("groke", {}, "the model is not recorded"),
        ("groke", {"settings": {"prompt": "Go."}, "model": "gemini:m"}, "the setting prompt is"),
        ("rules", {"source": "a.log"}, "its settings are not known"),
    ],
)
def test_what_cannot_be_the_same_is_named(navigator, header, said):
    assert said in recorded_walker(_walk(navigator, **header)).sentence


def test_a_published_log_tells_its_model_and_its_options(tmp_path):
    config = {"temperature": 0.5, "maxOutputTokens": 900, "thinkingConfig": {"thinkingBudget": 128}}
    line = {"key": "1", "request": {"contents": [], "generationConfig": config}, "response": {}}
    (tmp_path / "step1_json.jsonl").write_text(json.dumps(line) + "\n")
    header = {"source": "logs", "settings": {"method": "json"}, "model": "gemini-3-pro-preview"}
    walker = recorded_walker(_walk(**header), tmp_path)
    assert walker.model == "gemini:gemini-3-pro-preview"
    assert dict(walker.model_options) == {
        "temperature": 0.5,
        "max_output_tokens": 900,
        "thinking": "low",
    }
