"""Processes that NavViz starts: what they are told, how workers begin, and when they end."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType

from navviz.installation.files import import_root

__all__ = ["WorkerContext", "child_environment", "end_with_parent", "reap"]


def child_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables of a process that is started: this one's, and where it imports this very NavViz.

    Parameters
    ----------
    more
        Variables beside this process's own, or instead of them.
    """
    whole = {**os.environ, **(more or {})}
    places = [str(import_root()), *filter(None, [whole.get("PYTHONPATH")])]
    return {**whole, "PYTHONPATH": os.pathsep.join(places)}


def reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process in a thread of its own: else it stays as a zombie after its end."""
    threading.Thread(target=process.wait, daemon=True).start()


class _WorkerProcess(SpawnProcess):
    """A worker process that does not run the caller's script."""

    # `spawn` runs the caller's __main__ again in each worker. Under Streamlit that is a page, under AppTest a script
    # that lived for a moment: the worker dies before its first task. Workers need nothing of the caller's script.
    def start(self) -> None:
        with _STARTING:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                super().start()
            finally:
                sys.modules["__main__"] = main


_STARTING = threading.Lock()


class WorkerContext(SpawnContext):
    """Start the workers of a pool, from a script, a page or a notebook alike; what they run is no part of a script."""

    Process = _WorkerProcess


def end_with_parent() -> None:
    """End this process when the one that gives out the work does: one that was killed cannot end its workers."""
    threading.Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
