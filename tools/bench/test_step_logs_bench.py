"""1 GB of GROKE's step logs: opened with scores and table under 1 GB of memory, and stopped on the
way.

The baseline in the same run keeps every trace whole, as the reader once did; times are the
processor's.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.paths import ROOT
from tools.bench.step_logs import multiply

pytestmark = pytest.mark.data

COPIES = 70
GOAL_MB = 1000.0


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory, data_dir: Path) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("logs")
    assert multiply(data_dir / "groke" / "paper_results", folder, COPIES) > 1e9
    yield folder / "logs"
    for path in (folder / "logs").iterdir():
        path.unlink()


def _opened(logs: Path, data_dir: Path, way: str) -> dict[str, Any]:
    graph = data_dir / "map2seq" / "osm" / "graph"
    command = [sys.executable, "-m", "tools.bench.step_logs", str(logs), str(graph), way]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def test_a_gigabyte_of_step_logs(benchmark: BenchmarkFixture, logs: Path, data_dir: Path) -> None:
    whole = _opened(logs, data_dir, "whole")
    lazy = benchmark.pedantic(_opened, (logs, data_dir, "lazy"), rounds=1)
    benchmark.extra_info |= {f"baseline_{name}": value for name, value in whole.items()} | lazy
    assert (lazy["episodes"], lazy["rows"], lazy["success"]) == (
        whole["episodes"],
        whole["rows"],
        whole["success"],
    )
    assert lazy["peak_mb"] < GOAL_MB
    assert lazy["peak_mb"] < 0.5 * whole["peak_mb"]
    assert lazy["opened_s"] < whole["opened_s"] * 1.1
