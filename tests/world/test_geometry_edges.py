"""Where one direction ends and the next begins."""

from __future__ import annotations

import pytest

from navviz.world.geometry import relative_direction, turn_deg


@pytest.mark.parametrize(
    ("to_deg", "turn"), [(0.0, 0.0), (180.0, 180.0), (180.5, -179.5), (181.0, -179.0), (359.0, -1.0)]
)
def test_a_turn_lies_above_minus_180_and_up_to_180_degrees(to_deg, turn):
    assert turn_deg(0.0, to_deg) == turn


@pytest.mark.parametrize(
    ("turn", "direction"),
    [
        (45.0, "Forward"), (45.1, "Right"), (135.0, "Right"), (135.1, "Back"),
        (-45.0, "Forward"), (-45.1, "Left"), (-135.0, "Left"), (-135.1, "Back"), (0.0, "Forward"), (20.0, "Forward"),
    ],
)  # fmt: skip
def test_the_borders_belong_to_the_lesser_turn(turn, direction):
    assert relative_direction(0.0, turn % 360.0) == direction
