"""Each page of a format holds the smallest files that open: write them, run the page's Python."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.paths import ROOT

FOLDER = ROOT / "docs" / "formats"
FORMATS = sorted(page for page in FOLDER.glob("*.md") if page.name != "index.md")
PAGES = [*FORMATS, ROOT / "docs" / "mapping.md"]
FILE = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```(?:python|pycon)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = re.compile(r"^% needs: (\S+)$", re.MULTILINE)


def _write_files(page: Path, folder: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for needed in NEEDS.findall(text):
        _write_files(FOLDER / f"{needed}.md", folder)
    for name, content in FILE.findall(text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_files_of_a_page_open(page, tmp_path, monkeypatch):
    _write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    code = "\n".join(PYTHON.findall(page.read_text(encoding="utf-8")))
    examples = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner().run(examples, out=said.append)
    assert outcome.attempted >= 2, "the page opens nothing"
    assert outcome.failed == 0, "".join(said)


def test_every_page_is_listed():
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert [page.stem for page in FORMATS if f"\n{page.stem}\n" not in index] == []
