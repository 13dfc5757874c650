"""What the first page of a server imports: each of these takes a tenth of a second or more, and a
page waits for it.
"""

import subprocess
import sys

import pytest

from tests.paths import ROOT

LATER = (
    "scipy.stats", "scipy.optimize", "folium", "streamlit_folium", "sqlalchemy", "matplotlib",
    "networkx", "osmnx", "google.genai", "openai", "krippendorff",
)  # fmt: skip


PAGES = ("explore", "replay")


@pytest.fixture(scope="module")
def imported():
    """What a fresh process has imported of `LATER` after the first page, and after the second one,
    too.
    """
    script = ["import sys", "import navviz.ui.components.empty"]
    for page in PAGES:
        source = (ROOT / "pages" / f"{page}.py").read_text(encoding="utf-8")
        script += [line for line in source.splitlines() if line.startswith("from navviz")]
        script.append(f"print(*(set({LATER}) & set(sys.modules)))")
    command = [sys.executable, "-c", "\n".join(script)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(zip(PAGES, done.stdout.splitlines(), strict=True))


@pytest.mark.parametrize("page", PAGES)
def test_a_first_page_imports_only_what_it_shows(page, imported):
    assert not imported[page].strip(), f"imported at once: {imported[page]}"
