"""Processes that NavViz starts: what they are told, how workers begin, and when they end."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import util
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType

from navviz.support.installation.files import import_root


def child_environment(
    more: Mapping[str, str] | None = None, *, keys: bool = False
) -> dict[str, str]:
    """Return the variables of a process that is started: this one's, and where it imports this very
    NavViz.

    `keys`: whether the process asks models, and gets this one's keys (``..._API_KEY``) for that.
    """
    own = {name: value for name, value in os.environ.items() if keys or not _is_key(name)}
    whole = {**own, **(more or {})}
    places = [str(import_root()), *filter(None, [whole.get("PYTHONPATH")])]
    return {**whole, "PYTHONPATH": os.pathsep.join(places)}


def _is_key(variable: str) -> bool:
    return variable.upper().endswith("_API_KEY")


def reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process in a thread of its own: else it stays as a zombie after its end."""
    threading.Thread(target=process.wait, daemon=True).start()


class _WorkerProcess(SpawnProcess):
    """A worker process that does not run the caller's script."""

    # `spawn` runs the caller's __main__ again in each worker. Under Streamlit that is a page, under
    # AppTest a script that lived for a moment: the worker dies before its first task. Workers need
    # nothing of the caller's script.
    def start(self) -> None:
        # `__main__` belongs to the whole process: only one thread at a time may swap it
        with _STARTING:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                with _signals_blocked(), _without_keys():
                    super().start()
            finally:
                sys.modules["__main__"] = main


_STARTING = threading.Lock()
_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Let a process begin with its ending signals held back, until `leave_end_to_parent` in it."""
    # they reach a whole group. A worker that died of one while it was still importing broke the
    # pool, with a traceback, although its parent was about to let the open walks come to their end
    if not hasattr(signal, "pthread_sigmask"):  # Windows has no groups of this kind
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_keys() -> Iterator[None]:
    """Let a worker begin without keys, which it has no use for: workers ask no model."""
    # `env` takes them out of its variables and becomes the worker. To take them out of this process
    # for a moment would hide them from the threads that ask models
    env, begin = shutil.which("env"), util.spawnv_passfds
    names = sorted(filter(_is_key, os.environ))
    if env is None or not names:
        yield
        return
    unset = [env]
    for name in names:
        unset += ["-u", name]
    util.spawnv_passfds = lambda path, args, passfds: begin(
        os.fsencode(env), [*unset, path, *args[1:]], passfds
    )
    try:
        yield
    finally:
        util.spawnv_passfds = begin


def leave_end_to_parent() -> None:
    """Be a worker that ends when its parent says so, or is gone; signals to the whole group are the
    parent's.
    """
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
    # after the signals are ignored: one that waited would end the worker as soon as it is let in
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    end_with_parent()


class WorkerContext(SpawnContext):
    """Start the workers of a pool, from a script, a page or a notebook alike; what they run is no
    part of a script.
    """

    Process = _WorkerProcess


def end_with_parent() -> None:
    """End this process with the one that gives out the work, which cannot if killed."""
    threading.Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        # `sys.exit` would end this thread alone
        os._exit(1)
