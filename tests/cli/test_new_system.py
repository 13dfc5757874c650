"""``navviz new-system``: the package it writes passes its own tests at once, and NavViz finds what
it brings.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from navviz.cli.new_system import write_system
from navviz.errors import InputError, SettingsError
from tests.paths import ROOT
from tests.thirdparty.site import install
from tests.zygote import forked


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "my-agent"
    write_system("my-agent", folder)
    install(folder, "navviz-my-agent", {"navviz.systems": {"my-agent": "my_agent:SYSTEM"}})
    return folder


def _python(project: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(project)}
    done = forked([sys.executable, *arguments], text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def test_its_own_tests_pass(project):
    arguments = (
        "-p", "no:randomly", "-p", "no:xdist", "-q", "--rootdir", str(project), str(project),
    )  # fmt: skip
    assert "2 passed" in _python(project, "-m", "pytest", *arguments)


def test_the_package_is_short():
    lines = [path.read_text().splitlines() for path in (ROOT / "assets" / "new-system").iterdir()]
    assert sum(map(len, lines)) <= 220


def test_menus_tables_and_readers_know_it(project):
    code = (
        "import json; from navviz.systems.registry import navigator_names;"
        "from navviz.metrics.registry import all_metrics; from navviz.formats import readers;"
        "print(json.dumps([navigator_names()[-1], all_metrics()[-1].name, readers('results')[-1].name]))"
    )
    assert json.loads(_python(project, "-c", code)) == ["my-agent", "new_my_agent", "My agent logs"]


def test_its_detector_is_asked_again_after_an_edit(project):
    run = "navviz.open_run(navviz.samples_dir() / 'harbour' / 'runs' / 'groke-by-hand')"
    code = (
        "import navviz; from navviz.analysis.causes.counting import explained_run;"
        f"print(sum('my-agent-went-back' in one.ids for one in explained_run({run}).values()))"
    )
    before = int(_python(project, "-c", code))
    detector = project / "my_agent" / "causes.py"
    detector.write_text(detector.read_text().replace(" == before.node != step.node:", ":"))
    # what was kept under the older code is not shown as what the newer one finds
    assert int(_python(project, "-c", code)) > before + 3


PAUSED = """
import json, navviz
from navviz.llm.scripted import Scripted
from navviz.runner.verify import verify_trace
run = navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules")
episode, graph = run.episodes["1"], run.graph("1")
way = graph.neighbours(episode.start)[0]
walking = navviz.walk(
    episode, graph, "my-agent", llm=Scripted(['{"go": "nowhere"}', '{"go": "stop"}']),
    breakpoints=[navviz.Breakpoint(at="call", step=1), navviz.Breakpoint(reply="nowhere")],
)
for event in walking:
    if event.type == "pause" and event.at == "call":
        event.edit("prompt", event.messages[-1].text + " Look again.")
    elif event.type == "pause":
        event.edit("reply", json.dumps({"go": way}))
trace = walking.trace
print([edit.what for _, edit in trace.edits], trace.path[1:] == (way,), verify_trace(trace, graph).state)
"""


def test_its_navigator_pauses_takes_edits_and_is_verified(project):
    assert _python(project, "-c", PAUSED).strip() == "['prompt', 'reply'] True reproduces"


@pytest.mark.parametrize("name", ["My", "2x", "a b", "../a", "groke"])
def test_names_that_cannot_be(tmp_path, name):
    with pytest.raises(SettingsError):
        write_system(name, tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_folder_that_is_there_is_kept(tmp_path):
    with pytest.raises(InputError, match="is there already; choose another folder"):
        write_system("mine", tmp_path)
