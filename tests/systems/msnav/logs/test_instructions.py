"""Extended instructions: joined by scan, path and instruction."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.systems.spatial import ExtendedInstruction, read_extended


def write(path: Path, *entries: object) -> Path:
    path.write_text(json.dumps(list(entries)))
    return path


def test_layout_and_objects_join(tmp_path):
    file = write(
        tmp_path / "r2r_sr.json",
        {"scan": "s", "path_id": 7, "instruction": "Go  up.\n", "final_destination_spatial_relations": "The destination is x."},
        {"instructions": "Go up.", "direct_obj": ["chair", " "], "potential_obj": ["rug"]},
        {"scan": "s", "path_id": 8, "instruction": "Go up.", "final_destination_spatial_relations": "Another."},
        {"scan": "s"},
    )  # fmt: skip
    extended = read_extended(file)
    assert extended.problems.count == 1
    assert extended.of("s", "7", "Go up.") == ExtendedInstruction("The destination is x.")
    assert extended.of("s", "8", "Go up.").layout == "Another."
    assert extended.of("t", None, "Go up.") == ExtendedInstruction("", ("chair",), ("rug",))
    assert extended.of("s", "7", "Go down.") is None


@pytest.mark.parametrize("text", ["[]", '[{"scan": 1}]', "no"])
def test_a_file_without_any_is_refused(tmp_path, text):
    file = tmp_path / "x_sr.json"
    file.write_text(text)
    with pytest.raises(InputError):
        read_extended(file)
    with pytest.raises(InputError, match="there is no such file"):
        read_extended(tmp_path / "nowhere.json")
