"""``navviz diagnose verify`` on samples."""

import shutil
from functools import partial

from tests.command import invoke
from tests.paths import SAMPLES

GROKE = SAMPLES / "harbour" / "runs" / "groke-by-hand"
GRAPHS = ("--graphs", str(SAMPLES / "harbour" / "osm" / "graph"))


call = partial(invoke, "diagnose", "verify")


def test_a_changed_prompt_is_named_and_fails(tmp_path):
    run = tmp_path / "mine"
    shutil.copytree(GROKE, run)
    file = min(run.glob("*.trace.jsonl"))
    file.write_text(file.read_text().replace("Current sub-goal", "Present sub-goal"))
    result = call(str(run), *GRAPHS)
    assert result.exit_code == 1
    assert "differs: step 1, prompt: recorded 'user: " in result.stdout
    assert result.stdout.endswith("reproduces 9 of 10\n")
