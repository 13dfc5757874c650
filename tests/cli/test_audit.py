"""``navviz server audit``: the operator's view of the audit."""

from __future__ import annotations

import json

from navviz.runs.audit import record
from navviz.support.installation.serving import SERVER_VARIABLE, Serving
from tests.command import invoke


def _run(*arguments: str) -> tuple[int, str]:
    done = invoke("server", "audit", *arguments)
    return done.exit_code, done.output


def test_lines_are_listed_chosen_and_written_as_json(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    assert "Nothing is logged" in _run()[1]
    monkeypatch.setenv(SERVER_VARIABLE, Serving(door="tokens").model_dump_json())
    record("annotator:ann", "came in", "tokens")
    record("annotator:bob", "spent", "mine", {"tokens": 130})
    assert "annotator:ann" in _run()[1]
    assert "annotator:ann" not in _run("--visitor", "annotator:bob")[1]
    code, text = _run("--action", "spent", "--since", "2026-01-01", "--format", "json")
    assert code == 0
    assert json.loads(text)[0]["figures"] == {"tokens": 130}
    assert _run("--since", "2999-01-01T10:00", "--format", "json") == (0, "[]\n")


def test_a_wrong_option_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    for option, what in (("--since", "is no day"), ("--action", "no such action")):
        code, text = _run(option, "yesterday")
        assert code
        assert what in text
