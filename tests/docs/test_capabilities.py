"""Each *where* of the tables of capabilities exists: commands, settings with values, presets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from navviz.analysis.grouped import presets
from navviz.cli import application
from navviz.systems.registry import get_navigator, settings_from
from tests.paths import ROOT

HEAD = "| capability | where | how |"
PAGES = sorted(
    path for path in (ROOT / "docs").rglob("*.md") if HEAD in path.read_text(encoding="utf-8")
)
HOW = ("exact", "stands in", "printed figures", "not possible")


def rows(page: Path) -> list[list[str]]:
    """The cells of the table's rows."""
    lines = page.read_text(encoding="utf-8").partition(HEAD)[2].splitlines()[2:]
    table = []
    for line in lines:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


def exists(where: str) -> bool:
    """Whether NavViz has a command, preset or setting of this name."""
    if where.startswith("--preset "):
        return where.removeprefix("--preset ") in presets()
    words = where.split()
    if words[0] == "navviz":
        command = typer.main.get_command(application())
        for word in words[1:]:
            command = getattr(command, "commands", {}).get(word)
        return command is not None
    name, _, value = words[1].partition("=")
    navigator = get_navigator(words[0])
    if value:
        return getattr(settings_from(navigator, {name: value}), name) == value
    return name in navigator.settings_type.model_fields


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_where_exists(page):
    table = rows(page)
    assert table
    for capability, where, how in table:
        assert how.startswith(HOW), capability
        places = re.findall(r"`([^`]+)`", where)
        assert bool(places) != how.startswith("not possible"), capability
        assert [place for place in places if not exists(place)] == []


def test_the_systems_of_papers_have_their_table():
    assert {page.stem for page in PAGES} >= {"groke", "navgpt", "msnav", "skillnav", "lhvln"}
