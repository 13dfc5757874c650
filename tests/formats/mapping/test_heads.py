"""The beginning of a large file is a document of its whole values."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from navviz.formats import format_of
from navviz.formats.mapping.structure import HEAD_CHARACTERS, head_document
from navviz.support.brackets import closed

# short texts: what matters is where they are cut
TEXTS = st.text(max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, min_size=2, max_size=5), st.data())
def test_a_cut_at_any_place_is_json_again(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(1, len(text)))]
    head = closed(cut)
    if head:
        assert isinstance(json.loads(head), dict)


def test_all_keys_of_the_first_entry_are_seen(tmp_path: Path) -> None:
    entry = {f"field {k}": k for k in range(40)}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(entry))
    assert head_document(path) == entry
    path.write_text(
        json.dumps({"metrics": {}, "logs": {str(k): [[k, 1.5]] * 9 for k in range(9000)}})
    )
    assert path.stat().st_size > 4 * HEAD_CHARACTERS
    head = head_document(path)
    assert head["logs"]["0"][0] == [0, 1.5]
    assert 100 < len(head["logs"]) < 9000


def test_a_large_file_of_citynav_is_known(tmp_path: Path) -> None:
    logs = {str(k): [[k, 2.0, 30.0, 0.5]] * 50 for k in range(2000)}
    path = tmp_path / "mgp_mturk.json"
    path.write_text(json.dumps({"metrics": {"ne": 1.0}, "trajectory_logs": logs}))
    assert path.stat().st_size > 1_000_000
    assert format_of("results", path) == "CityNav walks"
