"""What the public names of NavViz cost a script before its first line of work.

Baseline in the same run: `import pandas` in an interpreter of its own. In processor time, so that a
busy machine changes little. Goal: 1 s on a quiet machine; 0.64 s where pandas took 0.33 s.
"""

from __future__ import annotations

import subprocess
import sys

import navviz

GOAL = 3.0
"""How many times pandas all names may cost together: 1 s where pandas takes 0.33 s."""
ROUNDS = 5
"""Interpreters for each; the least of them counts, as the first may read from a cold disk."""
NAMES = "import navviz\nfor name in navviz.__all__: getattr(navviz, name)"


def _cost_s(code: str) -> float:
    """Processor time of a statement, the least of some fresh interpreters."""
    timed = f"import time\nstart = time.process_time()\n{code}\nprint(time.process_time() - start)"
    costs = []
    for _ in range(ROUNDS):
        done = subprocess.run(
            [sys.executable, "-c", timed], capture_output=True, text=True, check=True
        )
        costs.append(float(done.stdout))
    return min(costs)


def test_all_public_names_cost_at_most_three_times_pandas() -> None:
    names, pandas = _cost_s(NAMES), _cost_s("import pandas")
    print(f"\n{len(navviz.__all__)} names {names:.2f} s, pandas {pandas:.2f} s")
    assert names < GOAL * pandas
