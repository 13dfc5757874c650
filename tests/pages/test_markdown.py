"""What comes from data, links, models and users is text where a page writes Markdown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from navviz.ui.components.plain import plain
from tests.alphabets import MARKUP
from tests.pages.conftest import ran
from tests.paths import ROOT

_MARKDOWN = {
    "markdown", "caption", "error", "warning", "info", "success", "write", "subheader", "header",
    "title", "toast", "badge",
}  # fmt: skip
_SAFE_CALLS = {"plain", "len", "int", "round", "_percent", "_rate"}
_OWN = {
    "badge", "both", "color", "credit", "ended", "icon", "k", "kind", "listed", "rate", "saved",
    "sign", "sure", "what",
}  # fmt: skip
"""Names in these modules of numbers and of words of our own."""
_NUMBERS = {
    "count", "done", "end", "index", "name", "new", "old", "start", "step", "steps", "total",
}  # fmt: skip


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions whose text ends up in the Markdown."""
    match node:
        case ast.JoinedStr(values=values):
            for value in values:
                if isinstance(value, ast.FormattedValue) and not _is_number(value):
                    yield from _parts(value.value)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _parts(body)
            yield from _parts(orelse)
        case ast.BinOp(left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _parts(value)
        case _:
            yield node


def _is_number(value: ast.FormattedValue) -> bool:
    """Whether a format is one of numbers or times, which no text passes."""
    spec = value.format_spec
    return isinstance(spec, ast.JoinedStr) and any(
        isinstance(part, ast.Constant)
        and str(part.value)[-1:] in {"d", "f", "g", "%", ",", "S", "Z", "C"}
        for part in spec.values
    )


def _is_safe(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name.isupper() or name in _OWN
        case ast.Attribute(attr=name):
            return name in _NUMBERS
        case ast.BinOp() | ast.Compare():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _SAFE_CALLS
        case ast.Subscript(value=ast.Name(id=name)):
            return name.isupper()
    return False


def _unescaped() -> list[str]:
    messages = []
    for path in sorted((ROOT / "navviz" / "ui").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text())):
            if (
                not isinstance(call, ast.Call)
                or not isinstance(call.func, ast.Attribute)
                or call.func.attr not in _MARKDOWN
            ):
                continue
            if not isinstance(call.func.value, ast.Name):
                continue
            if call.func.value.id not in {"st", "place", "place_below"}:
                continue
            shown = [
                *call.args[:1],
                *(word.value for word in call.keywords if word.arg in {"title", "body"}),
            ]
            if not all(_is_safe(part) for node in shown for part in _parts(node)):
                messages.append(
                    f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)[:140]}"
                )
    return messages


def test_texts_in_markdown_are_plain():
    assert not _unescaped()


@pytest.mark.parametrize("text", MARKUP)
def test_markup_is_shown_as_it_is(text):
    shown = re.sub(r"\\(.)", r"\1", plain(text)).replace("\u2060", "")
    assert shown == text
    assert not re.search(r"!\[|(?<!\\):(?:\w+\[|material|\w+:)", plain(text))


def test_a_picture_in_a_link_is_not_fetched():
    at = AppTest.from_file(str(ROOT / "pages" / "explore.py"), default_timeout=60)
    at.query_params["run"] = "![x](http://foreign.example/a.png)"
    ran(at)
    said = " ".join(each.value for each in (*at.error, *at.warning, *at.info))
    assert r"!\[x\](http://foreign.example/a.png)" in said
