"""A third of the costly tests: what `tests/run` takes of them in one run, besides all others.

One test function in six takes four fifths of the time, and all of them together take a small
machine eight minutes. So an ordinary run takes each function that is not costly, and those costly
ones that stand in one of three parts. The commit decides which part, so that the same commit always
runs the same tests, and three commits run all of them. ``bash tests/run --all`` takes all at once.

``costly.txt`` lists the costly functions with the seconds that each one took. Make it anew from the
output of a whole run on a quiet machine::

    .ci/run --all --durations=0 > run.log
    .venv/bin/python -m tests.parts run.log
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

PART = "NAVVIZ_TEST_PART"
"""Which part a run takes, from 1 on; all tests run where it is not set."""
PARTS = 3
COSTLY = Path(__file__).with_name("costly.txt")
_SHARE = 2500
"""A function is costly where it takes more than one in so many seconds of the whole."""
_DURATION = re.compile(r"\s*(?P<seconds>[\d.]+)s (?:call|setup|teardown) +(?P<test>tests/\S+)")


def function_of(test: str) -> str:
    """Return a test's id without the case that its parameters make.

    Examples
    --------
    >>> function_of("tests/test_a.py::test_b[one-2]")
    'tests/test_a.py::test_b'
    """
    return test.partition("[")[0]


def read_costly(path: Path = COSTLY) -> dict[str, float]:
    """Return the seconds that each costly function took."""
    costly = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        seconds, function = line.split()
        costly[function] = float(seconds)
    return costly


def parts_of(costly: Mapping[str, float]) -> dict[str, int]:
    """Return the part of each costly function.

    The functions of one file stay together, since they share what the file sets up. The costliest
    file comes first, and each goes to the part that has the least so far.
    """
    of_file: dict[str, list[str]] = defaultdict(list)
    for function in sorted(costly):
        of_file[function.partition("::")[0]].append(function)
    seconds = {
        file: sum(costly[function] for function in functions) for file, functions in of_file.items()
    }
    parts = {}
    filled = dict.fromkeys(range(1, PARTS + 1), 0.0)
    for file in sorted(of_file, key=lambda file: (-seconds[file], file)):
        part = min(filled, key=filled.__getitem__)
        filled[part] += seconds[file]
        parts.update(dict.fromkeys(of_file[file], part))
    return parts


def measured(lines: Iterable[str]) -> dict[str, float]:
    """Return the seconds of each function from what ``pytest --durations=0`` prints."""
    seconds: dict[str, float] = defaultdict(float)
    for line in lines:
        if found := _DURATION.match(line):
            seconds[function_of(found["test"])] += float(found["seconds"])
    return seconds


def costly_of(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return the functions that take a large share of the whole."""
    least = sum(seconds.values()) / _SHARE
    return {function: each for function, each in seconds.items() if each > least}


class Chosen:
    """Which tests a run takes, by the part in its environment."""

    def __init__(self, part: str | None = None) -> None:
        part = os.environ.get(PART) if part is None else part
        self.part = int(part) if part else None
        self.parts = {} if self.part is None else parts_of(read_costly())

    def has(self, test: str) -> bool:
        """Return whether a run takes a test that may wait for another run."""
        return self.parts.get(function_of(test), self.part) == self.part

    def __str__(self) -> str:
        own = sum(part == self.part for part in self.parts.values())
        return (
            f"part {self.part} of {PARTS} of the costly tests ({own} of {len(self.parts)} functions) "
            "and all others; all at once: bash tests/run --all"
        )


def main(log: Path) -> None:
    """Write the list anew from the output of a whole run."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        costly = costly_of(measured(lines))
    if not costly:
        raise SystemExit(f"{log} names no durations: run the tests with --durations=0")
    rows = [f"{costly[function]:.1f} {function}\n" for function in sorted(costly)]
    COSTLY.write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
