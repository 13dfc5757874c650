"""The gallery notebook: its cells run one after the other, and each shows something."""

from __future__ import annotations

import ast
import json
from typing import Any

from tests.paths import ROOT

GALLERY = ROOT / "docs" / "gallery.ipynb"


def test_every_cell_of_the_gallery_runs_and_shows_something(tmp_path, monkeypatch):
    cells = json.loads(GALLERY.read_text(encoding="utf-8"))["cells"]
    assert len(cells) == 12
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "gallery"}
    for cell in cells:
        assert cell["outputs"] == []
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop()
        assert isinstance(last, ast.Expr), "a cell ends with what it shows"
        exec(compile(tree, cell["id"], "exec"), names)
        shown = eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)
        assert shown is not None, cell["id"]
    assert names["shown"].widget.step == 2
