"""Hostile outputs of VELMA: shapes, names and texts of whatever kind."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_results
from navviz.views.player.document import replay_document
from tests.systems.velma.made import instance, output, panoramas

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e{}{0.__class__}"
SHAPES: list[Any] = [
    {}, [], None, {"agent_states": {}, "agent_actions": []}, {"agent_states": [[]], "agent_actions": ["init"]},
    instance(agent_actions=[["init"]] * 6), instance(agent_states=[["r0c0", "west"]] * 6),
    instance(agent_states=[["r0c0", 1e400]] * 6), instance(gold_pano_path=[[]]), instance(gold_pano_path=["gone"]),
    instance(agent_is_actions={"a": 1}), instance(agent_navigation_lines=[{}] * 7),
    instance(navigation_text=["a"]), instance(start_heading="north", is_novel="yes"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_any_shape_opens_or_is_refused_in_a_sentence(tmp_path: Path, number: int) -> None:
    path = tmp_path / "dev.json"
    result = output(good=instance(), bad=SHAPES[number])
    path.write_text(json.dumps(result))
    (run,) = open_results(path, panoramas())
    assert "good" in run.traces
    assert len(run.traces) + run.problems.count >= 2
    for trace in run.traces.values():
        replay_document(trace, panoramas())
    assert "good" in open_episodes(path).episodes
    path.write_text(json.dumps({**result, "instances": {"bad": SHAPES[number]}}))
    with suppress(InputError):
        open_results(path, panoramas())


@pytest.mark.parametrize("instances", [[], None, "x", 3, {}])
def test_instances_that_are_none_are_refused(tmp_path: Path, instances: Any) -> None:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({**output(), "instances": instances}))
    with pytest.raises(InputError, match=r"dev\.json"):
        open_results(path, panoramas())


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    walk = instance(navigation_text=HOSTILE, agent_navigation_lines=[HOSTILE] * 7)
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({**output(**{HOSTILE: walk}), "prompt_template": "{0}{}{x!r}"}))
    (run,) = open_results(path, panoramas())
    prompt = run.traces[HOSTILE].steps[0].calls[0].messages[0].text
    assert prompt == "{0}" + HOSTILE + "{x!r}"
    replay_document(run.traces[HOSTILE], panoramas())
