"""One event loop a process, however many threads come first at once."""

from __future__ import annotations

import asyncio
import threading

from navviz.llm.streaming import _Loops


def test_threads_that_come_at_once_get_one_loop():
    for _ in range(200):
        loops, together, seen = _Loops(), threading.Barrier(8), list[asyncio.AbstractEventLoop]()

        def come(
            loops: _Loops = loops, together: threading.Barrier = together, seen: list = seen
        ) -> None:
            together.wait()
            seen.append(loops.here())

        threads = [threading.Thread(target=come) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(map(id, seen))) == 1
        seen[0].call_soon_threadsafe(seen[0].stop)
