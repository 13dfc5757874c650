"""``navviz diagnose verify`` on samples."""

import json
import shutil
from functools import partial

from tests.command import invoke
from tests.paths import SAMPLES

GROKE = SAMPLES / "harbour" / "runs" / "groke-by-hand"
GRAPHS = ("--graphs", str(SAMPLES / "harbour" / "osm" / "graph"))


call = partial(invoke, "diagnose", "verify")


def test_a_run_that_reproduces_ends_with_zero():
    result = call(str(GROKE))
    assert (result.exit_code, result.stdout) == (0, "reproduces 10 of 10\n")


def test_one_episode_as_json():
    key = min(GROKE.glob("*.trace.jsonl")).name.removesuffix(".trace.jsonl")
    result = call(str(GROKE), key, "--format", "json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["summary"], document["reproduces"]) == (
        0,
        "reproduces 1 of 1",
        1,
    )
    assert document["episodes"][0]["episode"] == key


def test_a_changed_prompt_is_named_and_fails(tmp_path):
    run = tmp_path / "mine"
    shutil.copytree(GROKE, run)
    file = min(run.glob("*.trace.jsonl"))
    file.write_text(file.read_text().replace("Current sub-goal", "Present sub-goal"))
    result = call(str(run), *GRAPHS)
    assert result.exit_code == 1
    assert "differs: step 1, prompt: recorded 'user: " in result.stdout
    assert result.stdout.endswith("reproduces 9 of 10\n")
