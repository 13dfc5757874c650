"""Each costly test stands in one part of three, and all others are taken by each run."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.parts import PARTS, Chosen, costly_of, file_of, main, measured, parts_of, read_costly
from tests.paths import ROOT


def test_each_costly_test_is_of_one_run_in_three_and_each_other_of_all() -> None:
    runs = [Chosen(str(part)) for part in range(1, PARTS + 1)]
    costly = read_costly()
    assert {
        function: sum(run.has(function) for run in runs) for function in costly
    } == dict.fromkeys(costly, 1)
    function = next(name for name in costly if "::" in name)
    file = next(name for name in costly if "::" not in name)
    assert sum(run.has(f"{function}[a case-of[it]]") for run in runs) == 1
    assert sum(run.has(f"{file}::test_new[1]") for run in runs) == 1
    assert all(run.has(f"{function}_too") for run in runs)
    assert all(run.has("tests/test_new.py::test_new[1]") for run in runs)
    assert all(Chosen("").has(function) for function in costly)


def test_parts_take_about_as_long_and_keep_a_files_tests_together() -> None:
    costly = read_costly()
    parts = parts_of(costly)
    seconds: Counter[int] = Counter()
    of_file: dict[str, set[int]] = {}
    for function, part in parts.items():
        seconds[part] += int(costly[function])
        of_file.setdefault(file_of(function), set()).add(part)
    assert max(seconds.values()) < 1.1 * min(seconds.values())
    assert {len(each) for each in of_file.values()} == {1}


def test_the_list_names_tests_that_exist() -> None:
    """A test of another name would run each time, and the list would tell of one that is gone."""
    gone = []
    for function in read_costly():
        file, *names = function.split("::")
        assert (ROOT / file).is_file(), file
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        defined = {node.name for node in ast.walk(tree) if hasattr(node, "name")}
        gone += [function for name in names if name not in defined]
    assert not gone


def test_the_list_is_made_from_what_pytest_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "run.log"
    log.write_text(
        "29.00s call     tests/test_a.py::test_long[one of two]\n"
        " 1.00s setup    tests/test_a.py::test_long[two]\n"
        "  0.01s call     tests/test_a.py::test_short\n"
        "  0.01s call     tests/test_b.py::test_short\n"
        "(12 durations < 0.005s hidden.  Use -vv to show these durations.)\n"
    )
    monkeypatch.setattr("tests.parts.COSTLY", tmp_path / "costly.txt")
    main(log)
    assert read_costly(tmp_path / "costly.txt") == {"tests/test_a.py": 30.0}
    short = "".join(f" 0.01s call     tests/test_a.py::test_{n}\n" for n in range(900))
    log.write_text("20.00s call     tests/test_a.py::test_long\n" + short)
    main(log)
    assert read_costly(tmp_path / "costly.txt") == {"tests/test_a.py::test_long": 20.0}
    log.write_text("no run\n")
    with pytest.raises(SystemExit, match="names no durations"):
        main(log)
    assert costly_of(measured([])) == {}
