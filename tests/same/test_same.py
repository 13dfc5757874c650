"""Results are what they were when they were recorded (`tests.same`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.same.expected import read_expected
from tests.same.items import Item, Place, items
from tests.same.normal import changes, small

EXPECTED = read_expected()


def _held(item: Item, data: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVVIZ_CACHE", str(folder / "cache"))
    result = item.result(Place(data, folder / "out"))
    changed = list(changes(EXPECTED[item.name], result))
    said = "\n".join(changed[:20])
    assert not changed, (
        f"{len(changed)} changes; if they are meant, the commit names them and"
        f" `python -m tests.same --record {item.name}` keeps them\n{said}"
    )


@pytest.mark.parametrize("item", [item for item in items() if item.day], ids=lambda item: item.name)
def test_results_of_samples(item, tmp_path, monkeypatch):
    _held(item, ROOT / "no data", tmp_path, monkeypatch)


@pytest.mark.nightly
@pytest.mark.data
@pytest.mark.parametrize(
    "item", [item for item in items() if not item.day], ids=lambda item: item.name
)
def test_results_of_real_data(item, data_dir, tmp_path, monkeypatch):
    _held(item, data_dir, tmp_path, monkeypatch)


def test_every_item_has_one_name_and_those_of_the_day_a_recorded_result():
    names = [item.name for item in items()]
    assert len(set(names)) == len(names)
    assert set(EXPECTED) <= set(names), "what is no item any more leaves the record"
    assert {item.name for item in items() if item.day} <= set(EXPECTED)


def test_changes_are_told_in_words():
    before = {"SR": 0.5, "rows": [1, 2], "gone": "x"}
    after = {"SR": 0.6, "rows": [1, 3], "new": None}
    assert list(changes(before, after)) == [
        "SR: 0.5 -> 0.6",
        "rows[1]: 2 -> 3",
        'gone: gone (was "x")',
        "new: new, null",
    ]
    assert list(changes({"n": 1}, {"n": True})) == ["n: 1 -> true"], "a type counts"


def test_large_results_keep_their_small_parts():
    made = small({"SR": 0.5, "texts": ["word"] * 1_000}, 300)
    assert made["SR"] == 0.5
    assert made["texts"]["~parts"] == 1_000
    assert made != small({"SR": 0.5, "texts": ["word"] * 999 + ["other"]}, 300)
