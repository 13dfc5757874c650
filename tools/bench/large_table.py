"""A CSV file of a million rows, one a step, opened by a mapping in a process of its own.

``python -m tools.bench.large_table FILE preview|map`` prints seconds and megabytes as JSON.
"""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path

from tests.command import invoke

STEPS = 50


def write(path: Path, rows: int) -> int:
    """Write a log of walks of 50 steps; return its bytes."""
    with path.open("w", encoding="utf-8") as file:
        file.write("episode,step,x,y,z,yaw,action,reason\n")
        for episode in range(rows // STEPS):
            for step in range(STEPS):
                x, y = episode % 7 + step * 0.25, math.sin(step / 9)
                place = f"{x:.4f},{y:.4f},0.1,{step * 7 % 360}"
                file.write(f"ep{episode},{step},{place},forward,The door is ahead of me.\n")
    return path.stat().st_size


def _preview(path: Path) -> int:
    from navviz.formats.mapping.guess import guess
    from navviz.formats.mapping.structure import structure
    from navviz.runs.unknown_logs import GraphsByName, preview

    def graph_at(folder: Path, world: str) -> None:
        raise AssertionError(folder, world)

    read = preview(guess(structure(path)), path, GraphsByName((), graph_at))
    assert read.first is not None
    return len(read.traces)


def _map(path: Path) -> int:

    result = invoke("data", "map", path, "--format", "json")
    document = json.loads(result.stdout)
    assert "20,000 of them with a walk" in document["reads"], document["reads"]
    return 20_000


def main() -> None:
    """Do one of the two and print what it took."""
    # Linux keeps the high-water mark, in kilobytes; the memory of a moment would miss it
    from resource import RUSAGE_SELF, getrusage

    path, what = Path(sys.argv[1]), sys.argv[2]
    begun = time.process_time()
    episodes = {"preview": _preview, "map": _map}[what](path)
    took_s = time.process_time() - begun
    peak_mb = getrusage(RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps({"episodes": episodes, "seconds": took_s, "peak_mb": peak_mb}))


if __name__ == "__main__":
    main()
