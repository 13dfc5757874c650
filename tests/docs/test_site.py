"""The documentation: it builds without a warning, its examples run, its commands and options are
those that exist.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest
import typer

from navviz.cli import application
from tests.paths import ROOT

DOCS = ROOT / "docs"
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(DOCS.glob("*.md")),
    *sorted(DOCS.glob("formats/*.md")),
]


def _blocks(language: str) -> list[tuple[str, str]]:
    """Code blocks of one language, each with the name of its page."""
    blocks = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        matches = re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
        blocks += [
            (f"{page.name}, block {number}", block) for number, block in enumerate(matches, start=1)
        ]
    return blocks


def _commands() -> list[tuple[str, list[str]]]:
    """Command lines of navviz in bash blocks, without comments and what follows a pipe."""
    lines = []
    for place, block in _blocks("bash"):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line.replace("[", " ").replace("]", " "), comments=True)
            for stop in ("&&", "|", ";"):
                words = words[: words.index(stop)] if stop in words else words
            if words and words[0] == "navviz" and len(words) > 1:
                lines.append((place, words[1:]))
    return lines


@pytest.fixture(scope="module")
def root():
    return typer.main.get_command(application())


def test_the_site_builds_without_a_warning_and_with_no_dead_link(tmp_path):
    command = [
        sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs",
        str(tmp_path / "site"),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {path.name for path in (tmp_path / "site").rglob("*.html")}
    assert {page.with_suffix(".html").name for page in PAGES[2:]} <= pages
    assert (tmp_path / "site" / "searchindex.js").exists(), "the search needs no server"
    text = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r"<(?:script|link)[^>]+(?:src|href)=\"https?://", text), (
        "the site asks nobody else"
    )


def test_options_named_in_sentences_exist(root):
    """Sentences name options in backquotes; an option of an old spelling only is hidden."""
    options, commands = set(), [root]
    for command in commands:
        commands += getattr(command, "commands", {}).values()
        for option in command.params:
            if not getattr(option, "hidden", False):
                options |= {*option.opts, *option.secondary_opts, "--help"}
    unknown = []
    for page in PAGES:
        named = re.findall(r"`(--[a-z][a-z-]+)", page.read_text(encoding="utf-8"))
        unknown += [f"{page.name}: {option}" for option in named if option not in options]
    assert unknown == []


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 900


def test_links_between_pages_of_the_repository_are_alive():
    dead = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            here = page.parent / target
            if (
                "://" not in target
                and not target.startswith(("generated/", "<"))
                and not here.exists()
            ):
                dead.append((page.name, target))
    assert dead == []


@pytest.mark.parametrize(("place", "words"), _commands(), ids=lambda value: " ".join(value)[:60])
def test_every_command_line_names_options_that_exist(root, place, words):
    command, rest = root, list(words)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    assert command is not root or words[0].startswith("-"), f"{place}: no command {words[0]}"
    known = {
        name
        for parameter in command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    named = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
    assert named <= known | {"--help"}, place
