"""The Python of a worker of pytest-xdist: forked from the zygote, which has imported all of NavViz.

    pytest --dist loadfile --tx "4*popen//python=.venv/bin/python -m tests.xdist_worker"

Each worker collects all tests, and so imports NavViz and some two thousand modules of packages: 5
seconds of processor time, for each of four workers. A forked one has them, and shares their memory.
Without a zygote (outside of Linux) a plain Python takes its place.
"""

from __future__ import annotations

import os
import sys

from tests.zygote import Forked


class Worker(Forked):
    """Forks children of its own, as the tests of a worker do."""

    hidden = frozenset()


def main() -> int:
    worker = Worker([sys.executable, *sys.argv[1:]])
    # xdist learns of a worker that died from the end of its output, which nobody else may hold open
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return worker.wait()


if __name__ == "__main__":
    os._exit(main() & 0xFF)
