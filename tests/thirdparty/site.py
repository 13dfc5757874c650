"""A site folder in which packages of other people are installed beside NavViz."""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from navviz.support.installation import plugins
from tests.paths import ROOT

BEACON = ROOT / "tests" / "thirdparty" / "navviz-beacon"

BROKEN = {
    "navviz.systems": {"broken": "navviz_broken:SYSTEM", "gone": "navviz_broken.nowhere:X"},
    "navviz.llm": {"grump": "navviz_broken:grump", "parrot": "navviz_broken:Parrot"},
}
BROKEN_CODE = """
from navviz.llm.base import ModelDelta
from navviz.records import Call
from navviz.systems.base import Reader, System

thing = object()

SYSTEM = System(
    name="broken", title="Broken", paper="",
    results_readers=(Reader("navviz_broken:Loud"), Reader("navviz_broken:thing")),
    navigators={"lost": "navviz_broken.nowhere:X", "thing": "navviz_broken:thing", "rules": "navviz_broken:thing"},
    scanners={"blind": "navviz_broken:thing", "nervous": "navviz_broken:Nervous"},
    causes={"vague": "navviz_broken:thing"},
)

class Loud:
    name = "loud logs"

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

class Parrot:
    def __init__(self, model, options, price):
        self.name = f"parrot:{model}"
        self.words = model

    def stream(self, request, cancel=None):
        yield ModelDelta("reply", self.words)
        yield Call(purpose=request.purpose, messages=request.messages, reply=self.words, model=self.name)
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
def beacon(tmp_path, monkeypatch):
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
def broken_plugins(beacon, monkeypatch):
    """And one of whose parts only a model is right."""
    monkeypatch.setattr(plugins, "_noticed", {})
    install(beacon, "navviz-broken", BROKEN)
    (beacon / "navviz_broken.py").write_text(BROKEN_CODE)
    # a changed path is read again
    monkeypatch.setattr(sys, "path", [*sys.path, str(beacon / "again")])
    yield
    sys.modules.pop("navviz_broken", None)
