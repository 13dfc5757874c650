"""Arrow's memory pool is the process's: NavViz sets it in its app alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.paths import ROOT


@pytest.mark.parametrize(
    ("module", "same"), [("navviz.formats.rows", True), ("navviz.ui.data.cache", False)]
)
def test_only_the_app_changes_it(module: str, *, same: bool) -> None:
    code = (
        "import pyarrow, logging; logging.disable(); before = pyarrow.default_memory_pool().backend_name;"
        f"import {module}; print(before == pyarrow.default_memory_pool().backend_name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(same)
