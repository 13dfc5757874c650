"""Every format in every spelling that it can have: the same tables, cell for cell, and as many
problems.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.metamorphic import indoors, mapped, outdoors, tasks
from tests.metamorphic.sample import Sample, written
from tests.metamorphic.spellings import SPELLINGS, Style, applies

ROOMS = (outdoors, indoors, tasks, mapped)
SAMPLES = {sample.name: sample for room in ROOMS for sample in room.SAMPLES}


def _pairs() -> list[tuple[str, str]]:
    return [
        (sample.name, name)
        for sample in SAMPLES.values()
        for name, style in SPELLINGS.items()
        if applies(style, sample.main.kind) and name not in sample.cannot
    ]


@lru_cache
def _plain(name: str) -> tuple[str, int]:
    with TemporaryDirectory() as folder:
        return _read(SAMPLES[name], Style(), Path(folder))


def _read(sample: Sample, style: Style, folder: Path) -> tuple[str, int]:
    table, problems = sample.read(written(sample, style, folder))
    return json.dumps(table, default=repr, sort_keys=True, ensure_ascii=False), problems


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all, in which each test has its own: a thousand of pytest's take seconds."""
    return tmp_path_factory.mktemp("spellings")


@pytest.mark.parametrize(("name", "spelling"), _pairs())
def test_another_spelling_gives_the_same_table(folder: Path, name: str, spelling: str) -> None:
    table, problems = _plain(name)
    respelled, told = _read(SAMPLES[name], SPELLINGS[spelling], folder / f"{name}, {spelling}")
    assert respelled == table
    notes = _files_not_ascii(SAMPLES[name]) if spelling == "Latin-1" else 0
    assert told == problems + notes


def _files_not_ascii(sample: Sample) -> int:
    """Count the files of which Latin-1 is to be told."""
    return sum(not str(part.content).isascii() for part in sample.parts)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_read_whole(name: str) -> None:
    """A sample that nobody reads would prove nothing."""
    table, problems = _plain(name)
    assert len(table) > 15
    assert problems == 0


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=lambda sample: sample.name)
def test_what_is_left_out_has_a_reason(sample: Sample) -> None:
    assert set(sample.cannot) <= SPELLINGS.keys()
    assert all(sample.cannot.values())
