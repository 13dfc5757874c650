"""Where one direction ends and the next begins."""

import math

import pytest

from navviz.world.geometry import EARTH_RADIUS_M, great_circle_m, relative_direction, turn_deg


@pytest.mark.parametrize(
    ("to_deg", "turn"),
    [(0.0, 0.0), (180.0, 180.0), (180.5, -179.5), (181.0, -179.0), (359.0, -1.0)],
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


def test_antipodes_lie_half_the_earth_apart_whatever_rounding_does():
    for lat, lon in ((44.9, -123.8), (-20.7, -38.6), (51.3, -146.8), (0.0, 0.0)):
        assert float(great_circle_m((lat, lon), (-lat, lon + 180))) == pytest.approx(
            math.pi * EARTH_RADIUS_M, rel=1e-7
        )
