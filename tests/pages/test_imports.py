"""What the first page of a server imports: each of these takes a tenth of a second or more, and a page waits for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.paths import ROOT

LATER = (
    "scipy.stats",
    "scipy.optimize",
    "folium",
    "streamlit_folium",
    "sqlalchemy",
    "matplotlib",
    "networkx",
    "osmnx",
    "google.genai",
    "openai",
    "krippendorff",
)


@pytest.mark.parametrize("page", ["explore", "replay"])
def test_a_first_page_imports_only_what_it_shows(page: str) -> None:
    source = (ROOT / "pages" / f"{page}.py").read_text(encoding="utf-8")
    imports = [line for line in source.splitlines() if line.startswith("from navviz")]
    script = "\n".join(
        ["import sys", "import navviz.ui.welcome", *imports, f"print(*(set({LATER}) & set(sys.modules)))"]
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert not done.stdout.strip(), f"imported at once: {done.stdout}"
