"""SIGTERM to a whole group of processes: the parent ends the batch, its workers let it."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor

from navviz.runner.engine import begin_worker
from navviz.support.installation.processes import WorkerContext


def test_a_worker_leaves_its_end_to_the_parent() -> None:
    with ProcessPoolExecutor(1, WorkerContext(), initializer=begin_worker) as pool:
        worker = pool.submit(os.getpid).result(timeout=120)
        for number in (signal.SIGTERM, signal.SIGINT):
            os.kill(worker, number)
            assert pool.submit(os.getpid).result(timeout=120) == worker
