"""Who may import whom: the lower rooms stay free of streamlit, folium, plotly and the model libraries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "navviz"

HEAVY = {"streamlit", "folium", "streamlit_folium", "plotly", "google.genai", "openai", "osmnx", "sqlalchemy"}
ALLOWED = {
    "navviz.views": {"folium", "plotly"},
    "navviz.store": {"sqlalchemy"},
    "navviz.ui": HEAVY,
}
ROOMS = [
    "navviz", "navviz.records", "navviz.graph", "navviz.geometry", "navviz.errors", "navviz.readers", "navviz.observe",
    "navviz.metrics", "navviz.navigators", "navviz.llm", "navviz.store", "navviz.views", "navviz.tables", "navviz.workspace",
    "navviz.commands",
]  # fmt: skip
FORBIDDEN_IN_VIEWS = {"navviz.navigators", "navviz.runner", "navviz.readers", "navviz.ui"}


def _loaded_after_importing(room: str) -> set[str]:
    code = (
        "import importlib, pkgutil, sys\n"
        f"root = importlib.import_module({room!r})\n"
        "for info in pkgutil.iter_modules(getattr(root, '__path__', []), root.__name__ + '.'):\n"
        "    if info.name not in {'navviz.readers.osm', 'navviz.llm.gemini', 'navviz.llm.openai_compatible'} and "
        "root.__name__ != 'navviz':\n"
        "        importlib.import_module(info.name)\n"
        "print('\\n'.join(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_pulls_in_no_library_of_the_rooms_above(room: str) -> None:
    loaded = _loaded_after_importing(room)
    assert not (loaded & HEAVY) - ALLOWED.get(room, set())


def test_views_know_nothing_of_navigators_runner_readers_or_ui() -> None:
    loaded = _loaded_after_importing("navviz.views")
    assert not {
        name for name in loaded if any(name == room or name.startswith(room + ".") for room in FORBIDDEN_IN_VIEWS)
    }


def test_pages_are_thin() -> None:
    long = {path.name: len(path.read_text().splitlines()) for path in (ROOT / "pages").glob("*.py")}
    assert not {name: lines for name, lines in long.items() if lines > 90}


def test_no_module_is_longer_than_the_style_allows() -> None:
    long = {str(p.relative_to(ROOT)): n for p in PACKAGE.rglob("*.py") if (n := len(p.read_text().splitlines())) > 400}
    assert not long


def test_top_level_is_what_the_user_fixed() -> None:
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=False)
    if tracked.returncode != 0:
        pytest.skip("not a git checkout: nothing says which files belong to the project")
    top = {name.split("/")[0] for name in tracked.stdout.split()}
    fixed = {"app.py", "pages", "navviz", "assets", "tests", "requirements.txt", "README.md", "pyproject.toml"}
    assert {name for name in top if not name.startswith(".")} <= fixed
