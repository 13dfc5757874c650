"""What commands print shows texts of data, and a terminal obeys none of them."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

import pandas as pd

from navviz.analysis.tables import Format, write_table
from navviz.cli.output import Form, print_data
from navviz.support.notes import note, tell
from tests.paths import ROOT

OBEYED = "a\x1b[2Jb\x9b2Jc\x85d\u2028e\u202ef\x7fg"
SAFE = {"json_text", "csv_text", "escaped", "write_table"}
"""What writes a whole result: cells of texts are visible, JSON escapes, and CSV is for programs."""
ALLOWED = {
    "content.decode().rstrip('\\n')": "a table of `write_grouped`, or a drawing",
    "line.rstrip()": "of rich's table, whose cells are visible",
    "f'navviz {VERSION}'": "the program's own",
}


def _shown(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = ast.unparse(node.func)
            if name in {"typer.echo", "typer.secho", "click.echo", "print"}:
                yield node.args[0]


def _is_safe(text: ast.expr) -> bool:
    called = isinstance(text, ast.Call) and ast.unparse(text.func) in SAFE
    return called or isinstance(text, ast.Constant) or ast.unparse(text) in ALLOWED


def test_commands_print_texts_by_one_function():
    raw = []
    for path in sorted((ROOT / "navviz").rglob("*.py")):
        texts = _shown(ast.parse(path.read_text()))
        raw += [f"{path.name}: {ast.unparse(text)}" for text in texts if not _is_safe(text)]
    assert not raw, "use `navviz.support.notes.tell`"


def test_one_writer_of_csv():
    writers = []
    for path in (ROOT / "navviz").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and (
                node.attr == "to_csv" or ast.unparse(node) in {"csv.writer", "csv.DictWriter"}
            ):
                writers.append(path.relative_to(ROOT).as_posix())
    assert writers == ["navviz/support/guarded/tables.py"]


def test_a_line_is_shown_whole(capsys):
    tell(OBEYED, "a\nb")
    note(f"c\n{OBEYED}")
    printed = capsys.readouterr()
    safe = "a\ufffd[2Jb\ufffd2Jc\ufffdd\ufffde\ufffdf\ufffdg"
    assert printed.out.split("\n") == [safe, "a\ufffdb", ""]
    assert printed.err.split("\n") == ["c", safe, ""]


def test_json_escapes_and_holds_what_a_terminal_obeys(capsys):
    print_data(Form.JSON, ("id",), [{"id": OBEYED}])
    frame = pd.DataFrame({"id": [OBEYED], "n": [1]}).set_index("id")
    for text in (capsys.readouterr().out, write_table(frame, Format.JSON)):
        assert json.loads(text)[0]["id"] == OBEYED
        assert len(text.splitlines()) == 1
        assert not set(text) & set(OBEYED) - set("abcdefg[2J")
