"""All sentences on screens, once each: the words in which they are written, one word a thing.

``python -m tests.docs.test_sentences`` prints them by module, so that one person can read them whole.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.paths import ROOT

ROOMS = ("navviz/ui", "navviz/views", "navviz/analysis", "navviz/records", "navviz/runs", "pages")
SCRIPTS = ROOT / "assets" / "player" / "src"

_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKUP = re.compile(
    r"[<>]|^\W*[.#:@&]|[a-z-]+: ?[\w#(%.-]+;|[a-z]-[a-z]+: |\\b|^M?[\d.,\s-]+[a-zA-Z]"
)
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')

ONE_WORD = {
    r"trajector(y|ies)": "walk",
    r"sub ?goals?": "sub-goal",
    r"datasets?": "data set",
    r"way ?points? of the route": "node",
    r"by construction": "how it comes about",
    r"never the likely cause": "a count",
    r"other (navigator|model):": "The navigator is A instead of B",
    r"(e\.g|i\.e|etc)\.": "such as, that is",
}
"""Words that no sentence has, and what is written in their place."""


def _texts(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of a module, with ``{}`` for what is filled in; comments are none."""
    passed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            passed |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in passed:
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )


@cache
def sentences() -> dict[str, Path]:
    """Return each sentence with the first module that has it."""
    found: dict[str, Path] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for text in _texts(ast.parse(path.read_text("utf-8"))):
                _add(found, text, path)
    for path in sorted(SCRIPTS.rglob("*.js")):
        for match in _LITERAL.finditer(path.read_text("utf-8")):
            _add(found, re.sub(r"\$\{[^}]*\}", "{}", match[1] or match[2] or ""), path)
    return found


def _add(found: dict[str, Path], text: str, path: Path) -> None:
    sentence = " ".join(text.split())
    if " " in sentence and len(_WORD.findall(sentence)) > 1 and not _MARKUP.search(sentence):
        found.setdefault(sentence, path.relative_to(ROOT))


def test_sentences_of_pages_and_of_the_player_are_found():
    assert "No failure shares words with {}." in sentences()
    assert "No episode passes these filters; clear one of them." in sentences()


@pytest.mark.parametrize("banned", ONE_WORD)
def test_each_thing_has_one_word(banned):
    pattern = re.compile(rf"(?<!\w)(?:{banned})", re.IGNORECASE)
    wrong = {
        sentence: str(path) for sentence, path in sentences().items() if pattern.search(sentence)
    }
    assert wrong == {}, f"write “{ONE_WORD[banned]}”"


if __name__ == "__main__":
    at = None
    for line, module in sentences().items():
        if module != at:
            print(f"\n{module}")
        at = module
        print(f"  {line}")
