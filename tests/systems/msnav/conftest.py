"""The sample house and one of its episodes."""

from __future__ import annotations

import pytest

from navviz.formats import open_episodes
from navviz.records import Episode
from tests.systems.msnav.scripts import HOUSE


@pytest.fixture
def episode() -> Episode:
    return open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]
