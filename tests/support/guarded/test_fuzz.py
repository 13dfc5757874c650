"""Damaged files of every format: each is read, or refused in one sentence, in time and in little
memory.

Seeded, so that a case that fails once fails again: ``Fuzz(folder).case(N)`` makes it.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from navviz.errors import NavVizError
from tests.support.guarded.fuzz.reading import BYTES, Fuzz, _ways

CASES, PART, PARTS = 77, 400, 53
"""By day each of the 77 samples is damaged once; at night the next 21,200 cases follow."""


@pytest.fixture(scope="module")
def fuzz(tmp_path_factory: pytest.TempPathFactory) -> Fuzz:
    return Fuzz(tmp_path_factory.mktemp("fuzz"))


def test_the_files_that_are_damaged_are_read_while_they_are_whole(fuzz: Fuzz) -> None:
    """Damage to what nobody reads would prove nothing."""
    unread = []
    for sample in fuzz.samples:
        taken = set()
        for name, read in _ways(sample, deep=False).items():
            try:
                read()
            except NavVizError:
                continue
            taken.add(name)
        if not taken - {"folder", "config"}:
            unread.append(sample.path.name)
    assert unread == []


def test_a_damaged_file_is_read_or_refused_in_one_sentence(
    fuzz: Fuzz, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.CRITICAL):
        faults = [fault for number in range(CASES) if (fault := fuzz.case(number))]
    assert faults == []


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_twenty_thousand_damaged_files_in_bounded_memory(tmp_path: Path, part: int) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.support.guarded.fuzz.reading",
        str(tmp_path / "fuzz"),
        str(CASES + part * PART),
        str(PART),
    ]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=1800, check=True, env=environment
    )
    document = json.loads(done.stdout.splitlines()[-1])
    assert document["faults"] == []
    assert document["peak_mb"] < BYTES / (1 << 20)
