"""The wheel in an environment of its own, outside of the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.paths import ROOT

BLOCKED = """
import sys

class _NoExtras:
    names = ("google.genai", "openai", "psycopg", "osmnx", "matplotlib", "imageio_ffmpeg", "playwright", "trimesh", "sacrebleu")

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, _NoExtras())
"""
"""Run by every interpreter of the environment: no extra is installed, whatever the tests' own
environment has.
"""


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel, and an empty folder to call it from."""

    wheel: Path
    bin: Path
    empty: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """What a user's shell has, without what points back into the checkout."""
        return {
            key: value
            for key, value in os.environ.items()
            if key not in {"PYTHONPATH", "NAVVIZ_WORKSPACE"}
        }

    def call(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Call a program of the environment from the empty folder."""
        return subprocess.run(
            [str(self.bin / program), *arguments],
            capture_output=True, text=True, cwd=self.empty, env=dict(self.environment), check=False, timeout=300,
        )  # fmt: skip


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel, built from the checkout without any network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """The wheel in a fresh environment; its dependencies are those of the environment that runs the
    tests.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home / "venv", with_pip=False)
    python = home / "venv" / "bin" / "python"
    # an environment that uv made has no pip
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    uv = ["uv", "pip", "install", "--python", str(python)]
    installer = pip if find_spec("pip") else uv
    given = ("--quiet", "--no-deps", "--no-index", str(wheel))
    subprocess.run([*installer, *given], check=True, cwd=home)
    own = next((home / "venv" / "lib").glob("python*/site-packages"))
    # paths alone: the .pth files of that environment (an editable NavViz) stay without effect
    (own / "dependencies.pth").write_text(
        "\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    )
    (own / "sitecustomize.py").write_text(BLOCKED)
    (home / "empty").mkdir()
    return Installed(wheel, python.parent, home / "empty")
