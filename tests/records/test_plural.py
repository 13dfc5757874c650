"""Numbers of things."""

import pytest

from navviz.records.base import plural


@pytest.mark.parametrize(
    ("count", "message"),
    [(0, "0 shared episodes"), (1, "1 shared episode"), (2, "2 shared episodes")],
)
def test_one_is_singular(count, message):
    assert plural(count, "shared episode") == message
