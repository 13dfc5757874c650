"""The player's modules: typed, clean, tested, and built into the file that is committed."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from navviz.views.player.schema import ReplayDocument
from tests.conftest import missing
from tests.paths import ROOT
from tests.zygote import forked

PLAYER = ROOT / "assets" / "player"


@pytest.fixture(scope="module")
def tools():
    """The folder of the player's tools, where Node and they are installed."""
    if shutil.which("node") is None:
        missing(
            "no Node on this machine: the player's sources are checked and built with it (users need none)"
        )
    modules = ROOT / "node_modules"
    if not modules.is_dir():
        missing("the player's tools are not installed: npm ci")
    return modules


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return forked([*map(str, command)], cwd=ROOT, text=True)


def test_the_committed_player_is_what_its_modules_build(tools, tmp_path):
    done = run("node", PLAYER / "build" / "bundle.mjs", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    for name in ("player.js", "player.css", "site.js", "site.css", "notebook.js"):
        built, committed = (tmp_path / name).read_bytes(), (ROOT / "assets" / name).read_bytes()
        assert built == committed, f"assets/{name} is stale: npm run build"


def test_the_document_types_are_those_of_the_models(tools):
    done = run(sys.executable, PLAYER / "build" / "document_types.py", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_modules_pass_strict_type_checks(tools):
    done = run("node", tools / "typescript" / "bin" / "tsc", "-p", PLAYER)
    assert done.returncode == 0, done.stdout


def test_the_modules_are_lint_free_and_formatted(tools):
    done = run(
        "node",
        tools / "@biomejs" / "biome" / "bin" / "biome",
        "check",
        "--error-on-warnings",
        PLAYER,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_has_no_dom_passes_its_tests(tools):
    done = run("node", "--test", *sorted((PLAYER / "test").glob("*.test.js")))
    assert done.returncode == 0, done.stdout[-3000:]
    assert "# pass 0" not in done.stdout


def test_every_module_asks_to_be_checked():
    unchecked = [
        path.name
        for path in PLAYER.rglob("*.*js")
        if "// @ts-check" not in path.read_text(encoding="utf-8")
    ]
    assert not unchecked


def test_no_source_of_the_player_is_longer_than_a_module_may_be():
    lines = {}
    for path in (PLAYER / "src").rglob("*.*"):
        # by path, since two modules of different folders may have one name
        name = path.relative_to(PLAYER / "src").as_posix()
        lines[name] = len(path.read_text(encoding="utf-8").splitlines())
    # generated from the models
    del lines["document.d.ts"]
    assert {"maps/walk-map.js", "site/walk-map.js"} <= lines.keys()
    assert not {name: count for name, count in lines.items() if count > 400}


def test_the_lock_file_names_no_host():
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


def test_the_schema_is_made_for_the_types():
    """What is always written is required; what may be missing is not, and never null."""
    spec = importlib.util.spec_from_file_location(
        "document_types", PLAYER / "build" / "document_types.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = module.schema()
    assert {"version", "steps", "strings", "settings"} <= set(made["required"])
    assert "divergence" not in made["required"]
    assert "null" not in json.dumps(made["properties"]["divergence"])
    assert set(made["properties"]) == set(ReplayDocument.model_fields)
