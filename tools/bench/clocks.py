"""Seconds that work takes, the fastest of some rounds: what else the machine does only adds."""

from __future__ import annotations

import time
from collections.abc import Callable


def fastest_s(
    work: Callable[[], object], rounds: int = 3, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the seconds of the fastest round; `time.process_time` counts this process alone."""
    seconds = []
    for _ in range(rounds):
        start = clock()
        work()
        seconds.append(clock() - start)
    return min(seconds)
