"""The sample house and one of its episodes."""

import pytest

from navviz.formats import open_episodes
from tests.systems.msnav.scripts import HOUSE


@pytest.fixture
def episode():
    return open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]
