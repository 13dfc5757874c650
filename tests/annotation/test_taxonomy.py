"""The failure taxonomy: the bundled file, a team's own, faults, crosswalks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from navviz.annotation.records import FailureLabel, Failures
from navviz.annotation.taxonomy import Taxonomy, bundled_taxonomy, read_taxonomy, workspace_taxonomy
from navviz.errors import InputError
from navviz.metrics.divergence import Kind


def small(**changes: Any) -> dict[str, Any]:
    categories = [
        {"code": "X1", "title": "One", "subcategories": [{"code": "X1.1", "title": "Sub"}]}
    ]
    return {
        "name": "ours",
        "version": 2,
        "dimensions": [{"code": "X", "title": "Axis", "categories": categories}],
        **changes,
    }


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "taxonomy.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_the_bundled_taxonomy_has_four_axes_and_sound_codes():
    taxonomy = bundled_taxonomy()
    assert [dimension.title for dimension in taxonomy.dimensions] == [
        "Linguistic", "Topological", "Agent", "Execution"
    ]  # fmt: skip
    for label in taxonomy.labels():
        assert label.help
        assert label.code.startswith(label.codes[0])
    reasons = {f"contradiction: {kind}" for kind in ("turn", "missing", "landmark", "heading")}
    assert reasons < set(taxonomy.suggestions)
    assert set(taxonomy.suggestions) - reasons < set(Kind.__args__)


def test_labels_know_their_parents_and_level():
    label = bundled_taxonomy().label("E2.3")
    assert (label.level, label.codes) == ("subcategory", ("E", "E2", "E2.3"))
    assert label.titles == ("Execution", "Stopping", "Did not stop")
    with pytest.raises(InputError, match="code Q9 is not in"):
        bundled_taxonomy().label("Q9")


def test_codes_are_cut_down_to_a_level():
    taxonomy = bundled_taxonomy()
    codes = ["E2.3", "E2.1", "A1", "unknown"]
    assert taxonomy.at_level(codes, "subcategory") == {"E2.3", "E2.1", "A1"}
    assert taxonomy.at_level(codes, "category") == {"E2", "A1"}
    assert taxonomy.at_level(codes, "dimension") == {"E", "A"}


def test_a_team_may_bring_its_own(tmp_path):
    assert workspace_taxonomy(tmp_path) == bundled_taxonomy()
    written(tmp_path, small())
    assert workspace_taxonomy(tmp_path).name == "ours"


def categories(*codes: str) -> list[dict[str, Any]]:
    return [
        {
            "code": "X",
            "title": "Axis",
            "categories": [{"code": code, "title": "One"} for code in codes],
        }
    ]


@pytest.mark.parametrize(("content", "sentence"), [
    (small(dimensions=categories("X1", "X1")), "taxonomy.json: code X1 occurs 2 times; mend the file."),
    (small(dimensions=categories(" ")), "“Axis / One” has no code"),
    (small(dimensions=[{"title": "Axis"}]), r"dimensions\.0\.code: field required"),
    (small(dimensions=[]), "dimensions"),
    (small(version=0), "version"),
    (small(colour="red"), "colour"),
    (small(suggestions={"overshoot": ["Z9"]}), "suggestion for “overshoot” names code Z9"),
    (small(crosswalks=[{"from_version": 1, "codes": {"a": ["Z9"]}}]), "crosswalk from version 1 names code Z9"
        ),
    (small(crosswalks=[{"from_version": 2, "codes": {}}]), "is not earlier"),
    ("{", "taxonomy.json: file: invalid json"),
])  # fmt: skip
def test_faults_are_named(tmp_path, content, sentence):
    with pytest.raises(InputError, match=sentence):
        read_taxonomy(written(tmp_path, content))


def test_all_faults_are_told_at_once(tmp_path):
    with pytest.raises(InputError, match="code X1 occurs 2 times; code X2 occurs 2 times"):
        read_taxonomy(written(tmp_path, small(dimensions=categories("X1", "X1", "X2", "X2"))))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="check the path"):
        read_taxonomy(tmp_path / "missing.json")
    (tmp_path / "latin.json").write_bytes(b'{"name": "caf\xe9"}')
    with pytest.raises(InputError, match="UTF-8"):
        read_taxonomy(tmp_path / "latin.json")


def test_old_labels_move_over_a_crosswalk():
    walk = {"from_version": 1, "codes": {"old": ["X1", "X1.1"], "gone": []}}
    taxonomy = Taxonomy.model_validate(small(crosswalks=[walk]))
    labels = tuple(
        FailureLabel(code=code, step=4, note="n") for code in ("old", "gone", "X", "never")
    )
    moved, lost = taxonomy.translate(Failures(taxonomy="ours", taxonomy_version=1, labels=labels))
    assert [(label.code, label.step, label.note) for label in moved.labels] == [
        ("X1", 4, "n"), ("X1.1", 4, "n"), ("X", 4, "n")
    ]  # fmt: skip
    assert lost == ("gone", "never")
    assert moved.taxonomy_version == 2
    same, none = taxonomy.translate(moved)
    assert (same, none) == (moved, ())
    with pytest.raises(InputError, match="no crosswalk from version 7"):
        taxonomy.translate(moved.model_copy(update={"taxonomy_version": 7}))
