"""Arrow's memory pool is the process's: NavViz sets it in its app alone."""

import subprocess
import sys

from tests.paths import ROOT


def test_only_the_app_changes_it():
    code = """
import logging, pyarrow
logging.disable()
before = pyarrow.default_memory_pool().backend_name
for module in ("navviz.formats.columns", "navviz.ui.data.cache"):
    __import__(module)
    print(before == pyarrow.default_memory_pool().backend_name)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "False"]
