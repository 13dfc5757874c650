"""Benchmarks are long and want a quiet machine: they run when they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all benchmarks as nightly."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.nightly)
