"""GROKE's published step logs, many times over, with other episode ids; run as a program, it opens
them and tells its memory.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path

_KEY = re.compile(r'"key":\s*"([^"]+)"')


def multiply(published: Path, folder: Path, copies: int) -> int:
    """Write the published logs `copies` times, with the state file that they join; return the bytes
    of the logs.
    """
    logs = folder / "logs"
    logs.mkdir(parents=True)
    for path in sorted((published / "ablation_study_json").glob("*.jsonl")):
        lines = path.read_text().splitlines()
        with (logs / path.name).open("w") as file:
            for copy in range(copies):
                file.writelines(
                    _KEY.sub(rf'"key": "{copy}-\1"', line, count=1) + "\n" for line in lines
                )
    states = json.loads((published / "test_seen_json.json").read_text())
    with (folder / "states.json").open("w") as file:
        every = (
            (f"{copy}-{key}", value) for copy in range(copies) for key, value in states.items()
        )
        for k, (key, value) in enumerate(every):
            file.write(f"{',' if k else '{'}{json.dumps(key)}: {json.dumps(value)}\n")
        file.write("}")
    return sum(path.stat().st_size for path in logs.iterdir())


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(logs: Path, graph: Path, way: str) -> None:
    """Open the logs as Explore does: scores and table of all episodes, then one episode whole."""
    from navviz.runs.opened import load
    from navviz.runs.sources import Source

    source = Source("logs", "opened", (graph,), None, logs)
    before_mb = _peak_mb()
    start = time.process_time()
    run = load(source)
    opened_s, opened_mb = time.process_time() - start, _peak_mb()
    if way == "whole":
        kept = dict(run.traces)
        assert len(kept) == len(run)
    fields = {
        "opened_s": opened_s,
        "opened_mb": opened_mb,
        "before_mb": before_mb,
        "episodes": len(run),
    }
    start = time.process_time()
    table = run.table()
    fields |= {"table_s": time.process_time() - start, "table_mb": _peak_mb(), "rows": len(table)}
    start = time.process_time()
    last = list(run.traces)[-1]
    trace = run.trace(last)
    assert all(step.calls[0].messages for step in trace.steps)
    fields |= {
        "episode_s": time.process_time() - start,
        "peak_mb": _peak_mb(),
        "success": run.scores.means["SR"],
    }
    print(json.dumps(fields))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
