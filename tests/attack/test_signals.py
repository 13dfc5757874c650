"""SIGTERM to a whole group of processes: the parent ends the batch, its workers let it."""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from navviz.runner.engine import begin_worker
from navviz.support.installation.processes import WorkerContext


def test_a_worker_leaves_its_end_to_the_parent() -> None:
    with ProcessPoolExecutor(1, WorkerContext(), initializer=begin_worker) as pool:
        worker = pool.submit(os.getpid).result(timeout=120)
        for number in (signal.SIGTERM, signal.SIGINT):
            os.kill(worker, number)
            assert pool.submit(os.getpid).result(timeout=120) == worker


def _environment() -> tuple[str, dict[str, str]]:
    """Return what the system and Python know of this process's variables."""
    return Path("/proc/self/environ").read_text(), dict(os.environ)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no /proc")
def test_a_worker_has_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "canary-of-gemini")
    monkeypatch.setenv("ANY_API_KEY", "canary-of-any")
    monkeypatch.setenv("NAVVIZ_WORDS", "two words = one")
    with ProcessPoolExecutor(1, WorkerContext(), initializer=begin_worker) as pool:
        seen, variables = pool.submit(_environment).result(timeout=120)
    assert "canary" not in seen + str(variables)
    assert variables["NAVVIZ_WORDS"] == "two words = one"
    assert os.environ["GEMINI_API_KEY"] == "canary-of-gemini"
