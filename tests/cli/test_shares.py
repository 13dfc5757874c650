"""``navviz server shares``: the operator's view of the ledger."""

from __future__ import annotations

from navviz.runner.ledger import ledger
from tests.command import invoke


def _run(*arguments: str) -> tuple[int, str]:
    done = invoke("server", "shares", *arguments)
    return done.exit_code, done.output


def test_accounts_are_listed_and_renewed(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    assert _run() == (0, "No visitor has asked a model yet.\n")
    ledger().account("annotator:ann", 10_000).charge(1_234)
    with ledger().account("annotator:ann", 10_000).borrow(500, "b"):
        code, text = _run()
    assert code == 0
    assert text.splitlines()[1].split() == ["annotator:ann", "1,234", "500"]
    assert _run("--renew", "annotator:ann")[1].splitlines()[1].split() == [
        "annotator:ann",
        "0",
        "0",
    ]
    code, text = _run("--renew", "nobody")
    assert code
    assert "has no account" in text
