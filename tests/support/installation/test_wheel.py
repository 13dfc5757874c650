"""What works once the wheel is installed, called from an empty folder, with no extra installed."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import navviz
from tests.browser.server import serving
from tests.conftest import missing
from tests.paths import ROOT
from tests.zygote import forked

OFFLINE = (
    "NewConnectionError",
    "Temporary failure in name resolution",
    "ConnectTimeoutError",
    "ProxyError",
)
"""What pip says where there is no network."""

REPLAY = """
import navviz, pathlib
from navviz.support.installation.files import samples_dir
run = navviz.open_run(samples_dir() / "harbour" / "runs" / "rules")
page = navviz.replay(run, "1").save("replay.html")
print(pathlib.Path(navviz.__file__).parent)
"""


def test_the_version_stands_in_one_place(installed):
    assert installed.wheel.name.startswith(f"navviz_vln-{navviz.__version__}-py3")
    done = installed.call("navviz", "--version")
    assert (done.returncode, done.stdout) == (0, f"navviz {navviz.__version__}\n"), done.stderr


def test_it_runs_from_the_environment_and_not_from_the_checkout(installed):
    done = installed.call("python", "-c", REPLAY)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(installed.bin.parent)
    page = (installed.empty / "replay.html").read_text(encoding="utf-8")
    assert "NavVizPlayer.mount" in page
    assert "globalThis.NavVizPlayer=" in page


@pytest.mark.nightly
def test_score_says_what_it_says_in_the_checkout(installed):
    harbour = ROOT / "assets" / "samples" / "harbour"
    arguments = (
        "score", "--graphs", str(harbour), str(harbour / "runs" / "rules"), "--format", "json",
    )  # fmt: skip
    done = installed.call("navviz", *arguments)
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "navviz", *arguments]
    here = forked(command, text=True, cwd=ROOT)
    assert json.loads(done.stdout) == json.loads(here.stdout)


@pytest.mark.nightly
@pytest.mark.browser
def test_the_app_opens_on_the_sample_and_shows_the_player(
    installed, chromium, tmp_path, monkeypatch
):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    errors: list[str] = []
    with serving(
        workspace=tmp_path, navviz=[str(installed.bin / "navviz")], folder=installed.empty
    ) as address:
        page = chromium.new_context().new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/replay?run=harbour/rules&episode=1")
        page.wait_for_selector('.navviz-player[data-ready="true"]')
        page.goto(f"{address}/replay?run=house/rules-indoors&episode=101_0")
        page.wait_for_selector('.navviz-player[data-ready="true"]')
        page.goto(address)  # a newcomer is taken to a step of the sample
        page.wait_for_selector('.navviz-player[data-ready="true"]')
        assert "run=harbour" in page.url
        page.context.close()
    assert not errors


@pytest.mark.nightly
def test_a_missing_extra_is_named(installed):
    harbour = ROOT / "assets" / "samples" / "harbour"
    arguments = ("--episodes", str(harbour / "splits" / "sample.json"), "--graphs", str(harbour))
    for model, extra in (
        ("gemini:some-model", "gemini"),
        ("openai:some-model@http://127.0.0.1:9/v1", "openai"),
    ):
        done = subprocess.run(
            [str(installed.bin / "navviz"), "run", "--navigator", "groke", *arguments, "--llm", model],
            capture_output=True, text=True, cwd=installed.empty, check=False,
            env={**installed.environment, "GEMINI_API_KEY": "not-a-real-key"},
        )  # fmt: skip
        assert done.returncode == 2, done.stderr
        assert f"install it with: pip install 'navviz-vln[{extra}]'" in done.stderr
        assert "Traceback" not in done.stderr


def test_the_wheel_holds_what_users_need_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    shipped = "navviz/support/installation/data"
    assert {f"{shipped}/app.py", f"{shipped}/.streamlit/config.toml", "navviz/py.typed"} <= names
    assert {f"{shipped}/pages/{path.name}" for path in (ROOT / "pages").glob("*.py")} <= names
    assets = (
        ROOT / "assets" / name
        for name in (
            "player.js",
            "player.css",
            "site.js",
            "site.css",
            "notebook.js",
            "pick.js",
            "icon.svg",
            "taxonomy_v1.json",
        )
    )
    assert {f"{shipped}/assets/{path.name}" for path in assets if path.exists()} <= names
    assert any(name.startswith(f"{shipped}/assets/samples/harbour/runs/rules/") for name in names)
    assert not [
        name
        for name in names
        if "/build/" in name or "/player/src/" in name or "__pycache__" in name
    ]
    assert {name.split("/")[1] for name in names if name.startswith("navviz/") and name.count("/") == 1} <= {
        "__init__.py", "__main__.py", "errors.py", "notebook.py", "py.typed",
    }  # fmt: skip


@pytest.mark.nightly
def test_all_of_it_installs_from_the_registry(wheel, tmp_path):
    """The one true installation, which downloads everything; it takes a minute or two."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    pip = [str(tmp_path / "venv" / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    done = subprocess.run(pip, capture_output=True, text=True, cwd=tmp_path, check=False)
    if any(sign in done.stderr for sign in OFFLINE):
        missing("the package registry cannot be reached, so nothing can be installed from it")
    assert done.returncode == 0, done.stderr
    code = [str(tmp_path / "venv" / "bin" / "python"), "-c", REPLAY]
    done = subprocess.run(code, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(tmp_path / "venv")
