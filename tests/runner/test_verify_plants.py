"""GROKE's published logs with one thing changed in each of 80 episodes: verify names these, and
nothing else.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from navviz.runner.verify import Verdict, verify_run
from navviz.runs.opened import open_run
from navviz.systems.groke.logs.calls import read_call, read_prompt
from navviz.systems.groke.logs.views import read_view

pytestmark = pytest.mark.data

COUNT = 20
Line = dict[str, Any]


def _prompt(line: Line) -> dict[str, str]:
    part: dict[str, str] = line["request"]["contents"][0]["parts"][0]
    return part


def _reply(line: Line) -> dict[str, str]:
    parts = line["response"]["candidates"][0]["content"]["parts"]
    part: dict[str, str] = next(part for part in parts if not part.get("thought"))
    return part


def _other_heading(line: Line, chance: random.Random) -> None:
    part = _prompt(line)
    match = chance.choice(list(re.finditer(r'"heading": (\d+\.\d+)', part["text"])))
    turned = round((float(match[1]) + chance.uniform(1, 300)) % 360, 2)
    part["text"] = (
        f'{part["text"][: match.start()]}"heading": {turned}{part["text"][match.end() :]}'
    )


def _other_direction(line: Line, chance: random.Random) -> None:
    part = _prompt(line)
    match = chance.choice(list(re.finditer(r'"direction": "(Forward|Left|Right)"', part["text"])))
    other = chance.choice([name for name in ("Forward", "Left", "Right") if name != match[1]])
    part["text"] = (
        f'{part["text"][: match.start()]}"direction": "{other}"{part["text"][match.end() :]}'
    )


def _other_status(line: Line, _chance: random.Random) -> None:
    reply = json.loads(_reply(line)["text"])
    reply["subplan_status"] = (
        "IN_PROGRESS" if reply["subplan_status"] == "COMPLETED" else "COMPLETED"
    )
    _reply(line)["text"] = json.dumps(reply)


def _other_place(line: Line, chance: random.Random) -> None:
    reply = json.loads(_reply(line)["text"])
    view = read_view(read_prompt(_prompt(line)["text"]))
    places = [view.node, *view.routes()]
    reply["next_place"] = chance.choice(
        [place for place in places if place != reply["next_place"]] or ["nowhere"]
    )
    _reply(line)["text"] = json.dumps(reply)


PLANTS: dict[str, Callable[[Line, random.Random], None]] = {
    "heading": _other_heading,
    "direction": _other_direction,
    "status": _other_status,
    "next_place": _other_place,
}


def _lines(folder: Path) -> dict[str, list[Line]]:
    files = {
        path.name: path.read_text(encoding="utf-8").splitlines()
        for path in sorted(folder.glob("*.jsonl"))
    }
    return {name: [json.loads(line) for line in lines] for name, lines in files.items()}


def _answered(line: Line) -> bool:
    call = read_call(line)
    return call.parsed is not None and '"direction"' in _prompt(line)["text"]


def _plant(files: dict[str, list[Line]], spared: set[str], seed: int) -> dict[str, set[str]]:
    """Change one line of each chosen episode; returns the episodes by what was changed."""
    chance = random.Random(seed)
    answered: dict[str, list[Line]] = defaultdict(list)
    for lines in files.values():
        for line in lines:
            if _answered(line):
                answered[str(line["key"])].append(line)
    keys = chance.sample(sorted(set(answered) - spared), COUNT * len(PLANTS))
    planted = {kind: set(keys[k * COUNT : (k + 1) * COUNT]) for k, kind in enumerate(PLANTS)}
    for kind, chosen in planted.items():
        for key in sorted(chosen):
            PLANTS[kind](chance.choice(answered[key]), chance)
    return planted


def _verdicts(folder: Path, data_dir: Path) -> dict[str, Verdict]:
    run = open_run(folder, graphs=data_dir / "map2seq")
    return {
        verdict.episode: verdict
        for verdict in verify_run(run.traces, run.graph, run.source.results)
    }


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_plant_is_named_and_nothing_else(data_dir: Path, tmp_path: Path, seed: int) -> None:
    results = data_dir / "groke" / "paper_results"
    (tmp_path / "test_seen_json.json").symlink_to(results / "test_seen_json.json")
    files = _lines(results / "ablation_study_json")
    chance_letters = {"5002", "5086", "11476"}
    """Two landmarks want one letter, and it is chance which gets it: these differ in any case."""
    planted = _plant(files, chance_letters, seed)
    logs = tmp_path / "ablation_study_json"
    logs.mkdir()
    for name, lines in files.items():
        (logs / name).write_text(
            "".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8"
        )
    named = {
        key for key, verdict in _verdicts(logs, data_dir).items() if verdict.state == "differs"
    }
    assert {kind: len(chosen & named) for kind, chosen in planted.items()} == dict.fromkeys(
        PLANTS, COUNT
    )
    assert named == chance_letters.union(*planted.values())
