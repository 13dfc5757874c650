"""A site folder in which packages of other people are installed beside NavViz."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from navviz.support.installation import plugins
from tests.paths import ROOT

BEACON = ROOT / "tests" / "thirdparty" / "navviz-beacon"
COMPASS = ROOT / "tests" / "thirdparty" / "navviz-compass"

BROKEN = {
    "navviz.navigators": {
        "gone": "navviz_broken.nowhere:X",
        "thing": "navviz_broken:thing",
        "rules": "navviz_broken:thing",
    },
    "navviz.formats": {"loud": "navviz_broken:Loud", "mute": "navviz_broken:Mute"},
    "navviz.llm": {"grump": "navviz_broken:grump"},
    "navviz.scanners": {"blind": "navviz_broken:thing", "nervous": "navviz_broken:Nervous"},
}
BROKEN_CODE = """
thing = object()

class Mute:
    name = "mute logs"

class Loud:
    kind, name = "results", "loud logs"

    @classmethod
    def handles(cls, path):
        raise RuntimeError("I do not like this file")

    @classmethod
    def read(cls, path, graph_of, episodes=None):
        raise RuntimeError

class Nervous:
    name, title, help = "nervous", "Nervous", "Never finds anything."

    def scan(self, trace, graph):
        raise RuntimeError("too much")

def grump(model, options, price):
    raise RuntimeError("not today")
"""


def install(site: Path, name: str, entry_points: dict[str, dict[str, str]]) -> None:
    """Write what pip writes beside a package: its metadata with the entry points."""
    folder = site / f"{name.replace('-', '_')}-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = (
        "\n".join([f"[{group}]", *(f"{key} = {value}" for key, value in names.items())])
        for group, names in entry_points.items()
    )
    (folder / "entry_points.txt").write_text("\n\n".join(groups) + "\n")


@pytest.fixture
def compass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A site folder with the sample package."""
    folder = tmp_path / "site"
    project = tomllib.loads((COMPASS / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install(folder, project["name"], project["entry-points"])
    shutil.copytree(COMPASS / "navviz_compass", folder / "navviz_compass")
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in [
        name for name in sys.modules if name.startswith(("navviz_compass", "navviz_broken"))
    ]:
        del sys.modules[name]


@pytest.fixture
def beacon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A site folder with the system that ``navviz new-system beacon`` began."""
    folder = tmp_path / "site"
    project = tomllib.loads((BEACON / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install(folder, project["name"], project["entry-points"])
    shutil.copytree(BEACON / "beacon", folder / "beacon")
    monkeypatch.syspath_prepend(folder)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "beacon"]:
        del sys.modules[name]


@pytest.fixture
def broken_plugins(compass: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one in which nothing is right."""
    monkeypatch.setattr(plugins, "_noticed", {})
    install(compass, "navviz-broken", BROKEN)
    (compass / "navviz_broken.py").write_text(BROKEN_CODE)
    # a changed path is read again
    monkeypatch.setattr(sys, "path", [*sys.path, str(compass / "again")])
