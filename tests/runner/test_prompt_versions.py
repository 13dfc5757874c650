"""Versions of a prompt: kept once, newest first, seen by who wrote them and by the operator."""

import pytest

from navviz.errors import SettingsError
from navviz.runner.prompt_versions import keep_prompt, prompt_versions, prompts_folder
from navviz.runs.owners import Viewer
from navviz.systems.prompts import prompt_hash

OPERATOR = Viewer(operator=True)


def test_a_version_is_kept_with_who_and_why(tmp_path):
    keep_prompt("groke", "A {map}", note=" first ", workspace=tmp_path)
    keep_prompt("groke", "A {map}", note="again", workspace=tmp_path)
    keep_prompt("groke", "B {map}", by="annotator:ann", workspace=tmp_path)
    keep_prompt("navgpt", "C", workspace=tmp_path)
    seen = prompt_versions("groke", OPERATOR, tmp_path)
    assert sorted((each.text, each.note, each.by) for each in seen) == [
        ("A {map}", "again", ""),
        ("B {map}", "", "annotator:ann"),
    ]
    assert all(each.sha256 == prompt_hash(each.text) for each in seen)
    assert all(each.created for each in seen)


def test_a_visitor_sees_their_own_alone(tmp_path):
    for name in ("annotator:ann", "annotator:bob", ""):
        keep_prompt("groke", "The same {map}", by=name, workspace=tmp_path)
    mine = prompt_versions("groke", Viewer("annotator:ann"), tmp_path)
    assert [each.by for each in mine] == ["annotator:ann"]
    assert prompt_versions("groke", Viewer("annotator:eve"), tmp_path) == []
    assert len(prompt_versions("groke", OPERATOR, tmp_path)) == 3


def test_what_cannot_be_read_is_left_out(tmp_path):
    keep_prompt("groke", "A", workspace=tmp_path)
    folder = prompts_folder("groke", tmp_path)
    (folder / "broken.json").write_text("{")
    (folder / "later.json").write_text('{"schema_version": 99}')
    assert [each.text for each in prompt_versions("groke", OPERATOR, tmp_path)] == ["A"]
    assert prompts_folder("staged(groke)/../x", tmp_path).parent == tmp_path / "prompts"


def test_a_note_has_a_length(tmp_path):
    with pytest.raises(SettingsError, match="200 characters"):
        keep_prompt("groke", "A", note="x" * 201, workspace=tmp_path)
