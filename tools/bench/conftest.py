"""Benchmarks are long and want a quiet machine: they run when they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import (
    _notices_stay_with_their_test,
    _one_authority,
    _own_workspace,
    _workspaces,
    chromium,
    data_dir,
    house,
    pytest_configure,
)

__all__ = [
    "_notices_stay_with_their_test",
    "_one_authority",
    "_own_workspace",
    "_workspaces",
    "chromium",
    "data_dir",
    "house",
    "pytest_configure",
]

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all benchmarks as nightly."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.nightly)
