"""A CSV file of a million rows in the mapping view and by ``navviz data map``: time and memory."""

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
from tools.bench.large_table import write

ROWS = 1_000_000
PREVIEW_S, WHOLE_S, PEAK_MB = 5.0, 60.0, 1500.0


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("table") / "steps.csv"
    assert write(path, ROWS) > 50e6
    yield path
    path.unlink()


def _measured(path: Path, what: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tools.bench.large_table", str(path), what]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


@pytest.mark.parametrize(
    ("what", "episodes", "limit_s"),
    [("preview", 200, PREVIEW_S), ("map", 20_000, WHOLE_S)],
)
def test_a_million_rows(
    benchmark: BenchmarkFixture, table: Path, what: str, episodes: int, limit_s: float
) -> None:
    measured = benchmark.pedantic(_measured, (table, what), rounds=1)
    benchmark.extra_info |= measured
    assert measured["episodes"] == episodes
    assert measured["seconds"] < limit_s
    assert measured["peak_mb"] < PEAK_MB
