"""SIGTERM to a whole group of processes: the parent ends the batch, its workers let it."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor

import pytest

from navviz.runner.worker import begin_worker
from navviz.support.installation.processes import WorkerContext


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_leaves_its_end_to_the_parent(number: signal.Signals) -> None:
    with ProcessPoolExecutor(1, WorkerContext(), initializer=begin_worker) as pool:
        worker = pool.submit(os.getpid).result(timeout=120)
        os.kill(worker, number)
        assert pool.submit(os.getpid).result(timeout=120) == worker
