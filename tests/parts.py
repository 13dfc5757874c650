"""A third of the costly tests: what `tests/run` takes of them in one run, besides all others.

One test function in six takes four fifths of the time, and all of them together take a small
machine eight minutes. So an ordinary run takes each function that is not costly, and those costly
ones that stand in one of three parts. A file of which most of the time is costly waits whole: what
it sets up would cost its short tests as much. The commit decides which part, so that the same
commit always runs the same tests. ``bash tests/run --all`` takes all at once.

``costly.txt`` lists the costly functions and files with the seconds that each one took. Make it
anew from the output of a whole run on a quiet machine::

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
"""A number that decides which part a run takes; all tests run where it is not set."""
PARTS = 3
COSTLY = Path(__file__).with_name("costly.txt")
_SHARE = 2500
"""A function is costly where it takes more than one in so many seconds of the whole."""
_MOST_OF_A_FILE = 0.8
_DURATION = re.compile(r"\s*(?P<seconds>[\d.]+)s (?:call|setup|teardown) +(?P<test>tests/\S+)")


def function_of(test: str) -> str:
    """Return a test's id without the case that its parameters make.

    Examples
    --------
    >>> function_of("tests/test_a.py::test_b[one-2]")
    'tests/test_a.py::test_b'
    """
    return test.partition("[")[0]


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.partition("::")[0]


def read_costly(path: Path = COSTLY) -> dict[str, float]:
    """Return the seconds that each costly function or file took."""
    costly = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        seconds, name = line.split()
        costly[name] = float(seconds)
    return costly


def parts_of(costly: Mapping[str, float]) -> dict[str, int]:
    """Return the part of each costly function and file.

    The functions of one file stay together, since they share what the file sets up. The costliest
    file comes first, and each goes to the part that has the least so far.
    """
    of_file: dict[str, list[str]] = defaultdict(list)
    for name in sorted(costly):
        of_file[file_of(name)].append(name)
    seconds = {file: sum(costly[name] for name in names) for file, names in of_file.items()}
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
    """Return the functions that take a large share of the whole, or their file where they take most
    of it.
    """
    least = sum(seconds.values()) / _SHARE
    of_file: dict[str, float] = defaultdict(float)
    costly_of_file: dict[str, float] = defaultdict(float)
    for function, each in seconds.items():
        of_file[file_of(function)] += each
        if each > least:
            costly_of_file[file_of(function)] += each
    costly = {}
    for function, each in seconds.items():
        file = file_of(function)
        if costly_of_file[file] > _MOST_OF_A_FILE * of_file[file]:
            costly[file] = of_file[file]
        elif each > least:
            costly[function] = each
    return costly


class Chosen:
    """Which tests a run takes, by the part in its environment."""

    def __init__(self, number: str | None = None) -> None:
        number = os.environ.get(PART) if number is None else number
        self.part = int(number) % PARTS + 1 if number else None
        self.parts = {} if self.part is None else parts_of(read_costly())

    def has(self, test: str) -> bool:
        """Return whether a run takes a test that may wait for another run."""
        of_file = self.parts.get(file_of(test), self.part)
        return self.parts.get(function_of(test), of_file) == self.part

    def __str__(self) -> str:
        return (
            f"part {self.part} of {PARTS} of the costly tests and all others; all at once: "
            "bash tests/run --all"
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
