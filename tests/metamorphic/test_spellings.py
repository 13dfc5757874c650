"""Every format in every spelling that it can have: the same tables, cell for cell, and as many
problems.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.metamorphic import indoors, kinds, mapped, outdoors, tasks
from tests.metamorphic.sample import Sample, written
from tests.metamorphic.spellings import SPELLINGS, Style, applies

ROOMS = (outdoors, indoors, tasks, mapped, kinds)
SAMPLES = {sample.name: sample for room in ROOMS for sample in room.SAMPLES}


@lru_cache
def _plain(name: str) -> tuple[str, int]:
    with TemporaryDirectory() as folder:
        return _read(SAMPLES[name], Style(), Path(folder))


def _read(sample: Sample, style: Style, folder: Path) -> tuple[str, int]:
    table, problems = sample.read(written(sample, style, folder))
    return json.dumps(table, default=repr, sort_keys=True, ensure_ascii=False), problems


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", SAMPLES)
def test_every_spelling_gives_the_same_table(tmp_path, name, every):
    """One test for all spellings of a format: pytest takes as long around a test as to read one.

    By day a format is read in every third of its spellings, the next format in others, so that each
    spelling is tried on a third of the formats.
    """
    sample = SAMPLES[name]
    table, problems = _plain(name)
    wrong = {}
    possible = [
        spelling
        for spelling, style in SPELLINGS.items()
        if applies(style, sample.main.kind) and spelling not in sample.cannot
    ]
    first = list(SAMPLES).index(name) % every
    for spelling in possible[first::every]:
        style = SPELLINGS[spelling]
        respelled, result = _read(sample, style, tmp_path / spelling)
        notes = _files_not_ascii(sample) if spelling == "Latin-1" else 0
        if respelled != table or result != problems + notes:
            wrong[spelling] = respelled, result
    assert wrong == {}


def _files_not_ascii(sample: Sample) -> int:
    """Count the files of which Latin-1 is to be told."""
    return sum(not str(part.content).isascii() for part in sample.parts)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_read_whole(name):
    """A sample that nobody reads would prove nothing."""
    table, problems = _plain(name)
    assert len(table) > 15
    assert problems == 0


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=lambda sample: sample.name)
def test_what_is_left_out_has_a_reason(sample):
    assert set(sample.cannot) <= SPELLINGS.keys()
    assert all(sample.cannot.values())
