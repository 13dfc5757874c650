"""Every Python example of README, docs and the public docstrings passes ``mypy --strict``, as a
user's own file would: with NavViz's types and without pydantic's plug-in.

mypy reads all of NavViz for that, half a minute once more. So by day `tests/run` lets the one mypy
that checks NavViz check the examples too, with the plug-in; without it they are checked at night.
"""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import navviz
from tests.paths import ROOT

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
BLOCK = re.compile(r"^```(?:python|pycon)\n(.*?)^```", re.MULTILINE | re.DOTALL)
UNTYPED = ("folium", "networkx")
"""Packages that an example imports and that bring no types."""


def _plain(code: str) -> str:
    return doctest.script_from_examples(code) if ">>>" in code else code


def _examples() -> dict[str, str]:
    examples = {}
    for page in PAGES:
        blocks = [_plain(block) for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
        name = re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))
        # blocks of a format's page go on from one another; elsewhere each stands alone
        if page.parent.name == "formats" and blocks:
            blocks = ["\n".join(blocks)]
        for number, block in enumerate(blocks, start=1):
            examples[f"{name}_{number}"] = block
    for name in navviz.__all__:
        text = getattr(navviz, name).__doc__ or ""
        if ">>>" in text:
            examples[f"docstring_of_{name}"] = doctest.script_from_examples(text)
    return examples


def write_examples(folder: Path) -> None:
    """Write each example as a file of its own; `tests/run` calls this, too."""
    examples = _examples()
    for name, code in examples.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    assert {"README_1", "docs_extend_2", "docs_formats_r2r_1", "docstring_of_compare"} <= set(
        examples
    )


@pytest.mark.nightly
def test_every_example_passes_mypy_strict(tmp_path):
    write_examples(tmp_path)
    config = "[mypy]\nstrict = true\n"
    for package in UNTYPED:
        config += f"[mypy-{package}.*]\nignore_missing_imports = true\n"
    settings = tmp_path / "mypy.ini"
    settings.write_text(config, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), "--no-error-summary"]
    command += ["--cache-dir", str(tmp_path / "cache"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout.replace(f"{tmp_path}/", "") + done.stderr
