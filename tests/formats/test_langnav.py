"""LangNav's captions of the 36 views."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import Problems
from navviz.formats.houses import read_captions

VIEW = {
    "global_cap": " a hall with a bench ",
    "dense_cap": [
        {"obj_class": "bench", "coordinates": "1 2 3 4", "confidence": "0.5", "caption": "x"},
        {"obj_class": "door", "coordinates": "1 2", "confidence": 0.9},
        {"obj_class": "rug", "confidence": "high"},
        7,
    ],
}


def test_captions_and_detections(tmp_path: Path) -> None:
    (tmp_path / "langnav").mkdir()
    (tmp_path / "langnav" / "scan.json").write_text(
        json.dumps({"v": {"0": VIEW, "12": VIEW, "36": VIEW, "x": VIEW}})
    )
    problems = Problems()
    captions = read_captions(tmp_path, "scan", problems)
    [broken, lost] = problems.kept
    assert "2 views with detections that lack" in str(broken)
    assert "2 of 4 views have no number" in str(lost)
    assert sorted(captions.views["v"]) == [0, 12]
    view = captions.views["v"][0]
    assert view.caption == "a hall with a bench"
    assert [(d.name, d.confidence, d.box) for d in view.detections] == [
        ("door", 0.9, None),
        ("bench", 0.5, (1, 2, 3, 4)),
    ]


def test_what_is_missing_or_broken_is_told(tmp_path: Path) -> None:
    problems = Problems()
    assert not read_captions(tmp_path, "scan", problems)
    assert not problems.count, "no file is no fault"
    (tmp_path / "scan.json").write_text(json.dumps({"v": {"0": VIEW}, "w": {"0": {}}, "u": []}))
    assert list(read_captions(tmp_path, "scan", problems).views) == ["v"]
    assert problems.count == 3, "two viewpoints without a caption, one with broken detections"
    (tmp_path / "scan.json").write_text("[")
    assert not read_captions(tmp_path, "scan", problems)
    assert "no JSON object" in str(problems.kept[-1])


@pytest.mark.data
def test_real_houses(data_dir: Path) -> None:
    problems = Problems()
    captions = read_captions(data_dir / "langnav", "17DRP5sb8fy", problems)
    assert not problems.count
    assert {len(views) for views in captions.views.values()} == {36}
    assert (
        captions.views["30c97842da204e6290ac32904c924e17"][12].caption
        == "a bedroom with a bed and a blue chair"
    )
