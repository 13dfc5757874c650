"""``navviz diagnose stability``: samples beside a run, or runs by name."""

import json
import shutil
from functools import partial

from tests.command import invoke
from tests.paths import SAMPLES

RUNS = SAMPLES / "harbour" / "runs"


call = partial(invoke, "diagnose", "stability")


def test_samples_lie_beside_their_run(tmp_path):
    shutil.copytree(RUNS / "rules", tmp_path / "mine")
    shutil.copytree(RUNS / "rules-local", tmp_path / "mine-sample-2")
    graphs = ("--graphs", str(SAMPLES / "harbour" / "osm" / "graph"))
    result = call(str(tmp_path / "mine"), *graphs)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("14 episodes, 2 runs: links in common ")
    assert "(means with 95 % intervals over episodes)" in result.stdout.splitlines()[0]
    assert result.stdout.splitlines()[0].count(" % [") == 3
    row = json.loads(call(str(tmp_path / "mine"), *graphs, "--format", "json").stdout)[0]
    assert row["walks"] == 2
    assert 0 <= row["overlap"] <= 1
