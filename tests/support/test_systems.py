"""Systems: NavViz's own are listed by their folders, those of other packages by an entry point."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from navviz.errors import PluginError
from navviz.formats import readers
from navviz.metrics.registry import all_metrics, families
from navviz.support.installation import plugins
from navviz.support.systems import (
    Reader,
    System,
    imported,
    offered,
    own_systems,
    systems,
    unfit_system,
)
from navviz.systems.base import Navigator
from tests.paths import ROOT
from tests.thirdparty.site import install

BROKEN = """
from navviz.systems.base import MetricFamily, Reader, System
from navviz.metrics.registry import Metric

class Loud:
    name = "loud logs"
    @classmethod
    def handles(cls, path):
        raise RuntimeError("no")
    @classmethod
    def read(cls, path, graph_of, episodes=None):
        raise RuntimeError

METRICS = (Metric("half", "half", "fraction", None, "0.5", ""),)

def score_walk(walk):
    raise ZeroDivisionError("none")

SYSTEM = System(
    name="odd", title="Odd", paper="",
    results_readers=(Reader("navviz_odd:Loud"), Reader("navviz_odd:nowhere")),
    navigators={"odd": "navviz_odd:METRICS"},
    metric_families=(MetricFamily("navviz_odd"), MetricFamily("navviz_gone")),
)
"""


@pytest.fixture
def odd(tmp_path, monkeypatch):
    """A package whose system is broken in each of its parts."""
    install(
        tmp_path,
        "navviz-odd",
        {"navviz.systems": {"odd": "navviz_odd:SYSTEM", "rules": "navviz_odd:SYSTEM"}},
    )
    (tmp_path / "navviz_odd.py").write_text(BROKEN)
    monkeypatch.setattr(plugins, "_noticed", {})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "navviz_odd", raising=False)


def test_own_systems_are_the_folders():
    folders = {path.parent.name for path in (ROOT / "navviz" / "systems").glob("*/__init__.py")}
    assert {system.name for system in own_systems()} == folders
    assert [system.name for system in own_systems()][:3] == ["rules", "groke", "skillnav"]
    assert all(unfit_system("x", replace(system, name="x")) is None for system in own_systems())


def test_listing_them_imports_no_part_of_a_system():
    code = (
        "import sys; from navviz.support.systems import systems; systems();"
        "print([m for m in sys.modules if m.startswith('navviz.systems.') and m.count('.') > 2], 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=dict(os.environ),
        check=True,
    )
    assert done.stdout.strip() == "[] False"


def test_every_target_of_our_own_can_be_imported():
    for system in own_systems():
        kinds = (system.graph_readers, system.episode_readers, system.results_readers)
        readers_of = [reader.target for kind in kinds for reader in kind]
        importers = [importer.target for importer in system.rating_importers.values()]
        families_of = [family.target for family in system.metric_families]
        targets = [
            *readers_of,
            *importers,
            *families_of,
            *system.wrappers.values(),
            *system.navigators.values(),
        ]
        assert all(imported(target) is not None for target in targets)


@pytest.mark.usefixtures("odd")
def test_a_broken_system_costs_its_parts_only():
    assert [system.name for system in systems()][-1] == "odd"
    assert readers("results")[-1].name == "loud logs"
    assert not readers("results")[-1].handles(ROOT / "README.md")
    assert all_metrics()[-1].name == "half"
    with pytest.raises(PluginError, match="is no navigator"):
        offered("navigators", Navigator)["odd"].load()
    named = " ".join(map(str, plugins.noticed()))
    assert "navviz_gone, which cannot be imported" in named
    assert "nowhere" in named
    assert "calls itself 'odd'" in named


@pytest.mark.usefixtures("odd")
def test_a_family_that_fails_leaves_its_metrics_missing():
    class Walk:
        class trace:
            class header:
                navigator = "odd"

            class episode:
                id = "7"

    assert families()[-1].score_walk(Walk()) == {"half": None}
    assert "cannot measure episode 7 (ZeroDivisionError: none)" in " ".join(
        map(str, plugins.noticed())
    )


@pytest.mark.parametrize(("offered", "wrong"), [
    (object(), "is no navviz.systems.base.System"),
    (System(name="b", title="", paper=""), "calls itself 'b'; name its entry point the same"),
    (System(name="a", title="", paper="", navigators={"a": "no colon"}), "names 'no colon'; write module:name"
        ),
    (System(name="a", title="", paper="", graph_readers=(Reader("x:"),)), "names 'x:'; write module:name"),
    (System(name="a", title="", paper=""), None),
])  # fmt: skip
def test_what_keeps_an_object_from_being_a_system(offered, wrong):
    assert unfit_system("a", offered) == wrong
