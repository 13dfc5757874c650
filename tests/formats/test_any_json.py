"""Whatever stands in a field: an `InputError` in one sentence or what could be read, never another
error.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.errors import InputError
from navviz.formats import open_episodes, open_results
from navviz.metrics.divergence import find_divergence
from navviz.metrics.score import score_run
from tests.alphabets import UNICODE
from tests.grids import episode, grid, name, split_item, state_item, straight

GRAPH = grid()
PATH = straight()
_NODE = st.sampled_from([name(0, c) for c in range(7)])
_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(UNICODE, max_size=5) | _NODE,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(UNICODE, max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def _paths(value, before=()):
    """Places of all values in a JSON document."""
    yield before
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in inner:
        yield from _paths(item, (*before, key))


def _changed(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _changed(value[path[0]], path[1:], new)
    return copy


_STATE = state_item(PATH, ["r0c0", None, "r0c2", "r0c4"])
_SPLIT = split_item(PATH, 1)
_PANO = {
    "id": 1,
    "instructions_id": 2,
    "route_panoids": list(PATH),
    "navigation_text": "Go.",
    "start_heading": 1,
}
_CONTEXT = {
    "navigation_context": {
        "current_position": {"node_id": "r0c0", "heading": 90.0},
        "poi_legend": {"K": "Kiosk"},
        "current_path_nodes": [
            {
                "id": "r0c0",
                "type": "waypoint",
                "connections": [
                    {"target_node_id": "r0c1", "heading": 90.0, "direction": "Forward"}
                ],
                "branches": [{"direction": "Left", "heading": 0.0, "nodes": ["r1c0"]}],
                "poi_at_location": {"name": "Kiosk", "letter": "K"},
            }
        ],
        "pois": [
            {"name": "Kiosk", "letter": "K", "nearby_node_id": "r0c0", "distance_meters": 3.0}
        ],
    }
}
_STEP = {
    "key": "5",
    "request": {
        "contents": [{"parts": [{"text": "PROMPT"}], "role": "user"}],
        "generationConfig": {"responseSchema": {}},
    },
    "response": {
        "candidates": [
            {
                "content": {"parts": [{"text": "{}"}, {"text": "x", "thought": True}]},
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {"promptTokenCount": 1},
        "modelVersion": "m",
        "createTime": "t",
    },
}


def _check_results(path):
    try:
        runs = open_results(path, GRAPH, {"5": episode(PATH, "5")})
    except InputError:
        return
    for run in runs:
        assert score_run(run, GRAPH).rows.keys() == run.traces.keys()
        for trace in run.traces.values():
            assert find_divergence(trace, GRAPH).sentence
            assert trace.model_dump_json()


def _check_episodes(path):
    try:
        found = open_episodes(path)
    except InputError:
        return
    assert all(each_episode.reference_path for each_episode in found.episodes.values())


def _one_changed(document):
    places = list(_paths(document))
    return st.tuples(st.sampled_from(places), _VALUE).map(lambda pair: _changed(document, *pair))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("any")


@given(_one_changed(_STATE))
def test_states(folder, item):
    path = folder / "states.json"
    path.write_text(json.dumps({"4": _STATE, "5": item}))
    _check_results(path)
    _check_episodes(path)


@given(_one_changed(_SPLIT))
def test_splits(folder, item):
    path = folder / "split.json"
    path.write_text(json.dumps([_SPLIT, item]))
    _check_episodes(path)


@given(_one_changed(_PANO))
def test_panorama_lines(folder, item):
    path = folder / "pano.jsonl"
    path.write_text(f"{json.dumps(_PANO)}\n{json.dumps(item)}\n")
    _check_episodes(path)


@given(_one_changed(_STEP), _one_changed(_CONTEXT))
def test_step_logs(folder, line, context):
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    prompt = f"Instruction: Go.\n\n```json\n{json.dumps(context)}\n```\n\nPlanning State:\n1. Go (IN_PROGRESS)\n"
    text = json.dumps([_STEP, line]).replace('"PROMPT"', json.dumps(prompt))
    (logs / "step1_json.jsonl").write_text(
        "\n".join(json.dumps(item) for item in json.loads(text)) + "\n"
    )
    _check_results(logs)
