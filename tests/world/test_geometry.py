"""Distances, bearings and directions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navviz.world.geometry import (
    bearing_deg,
    compass,
    destination,
    great_circle_m,
    heading_metric_deg,
    relative_direction,
    turn_deg,
)

_LAT = st.floats(-80, 80)
_LON = st.floats(-179, 179)
_HEADING = st.floats(-720, 720)


def test_great_circle_of_known_places():
    berlin, paris = (52.5200, 13.4050), (48.8566, 2.3522)
    assert great_circle_m(berlin, paris) == pytest.approx(877_460, rel=1e-3)
    assert great_circle_m((0, 0), (0, 180)) == pytest.approx(np.pi * 6_371_000)
    assert great_circle_m((0, 0), (1, 0)) == pytest.approx(111_194.9, rel=1e-6)


def test_great_circle_broadcasts():
    a, b = np.zeros((3, 1, 2)), np.ones((1, 4, 2))
    assert great_circle_m(a, b).shape == (3, 4)


@given(_LAT, _LON, _LAT, _LON)
def test_distance_is_symmetric_and_zero_on_itself(lat1, lon1, lat2, lon2):
    a, b = (lat1, lon1), (lat2, lon2)
    assert great_circle_m(a, b) == pytest.approx(great_circle_m(b, a))
    assert great_circle_m(a, a) == 0.0


@pytest.mark.parametrize(
    ("target", "heading"), [((1, 0), 0), ((0, 1), 90), ((-1, 0), 180), ((0, -1), 270), ((0, 0), 0)]
)
def test_bearing(target, heading):
    assert bearing_deg((0, 0), target) == pytest.approx(heading)


@pytest.mark.parametrize(
    ("target", "heading"),
    [((0, 1, 5), 0), ((1, 0, 0), 90), ((0, -1, 0), 180), ((-1, 0, 0), 270), ((0, 0, 3), 0)],
)
def test_heading_indoors(target, heading):
    assert heading_metric_deg((0, 0, 0), target) == pytest.approx(heading)


@given(_LAT, _LON, st.floats(0, 359.99), st.floats(1, 10_000))
def test_a_destination_lies_where_it_should(lat, lon, heading, distance):
    end = destination((lat, lon), heading, distance)
    assert great_circle_m((lat, lon), end) == pytest.approx(distance, rel=1e-4, abs=0.01)
    assert abs(turn_deg(bearing_deg((lat, lon), end), heading)) < 0.1


@given(_HEADING, _HEADING)
def test_turns_are_signed_and_bounded(a, b):
    turn = turn_deg(a, b)
    assert -180.0 < turn <= 180.0
    assert (a + turn - b) % 360.0 == pytest.approx(0, abs=1e-6) or (
        a + turn - b
    ) % 360.0 == pytest.approx(360, abs=1e-6)


@pytest.mark.parametrize(
    ("turn", "direction"),
    [(0, "Forward"), (45, "Forward"), (-45, "Forward"), (45.1, "Right"), (135, "Right"), (-135, "Left"), (135.1, "Back"), (180, "Back"), (-90, "Left")],
)  # fmt: skip
def test_relative_directions_at_their_borders(turn, direction):
    for facing in (0, 200, 350):
        assert relative_direction(facing, facing + turn) == direction


@pytest.mark.parametrize(("heading", "name"), [
    (0, "North"), (22.4, "North"), (22.6, "Northeast"), (359, "North"), (180, "South"),
    (-90, "West"),
])  # fmt: skip
def test_compass(heading, name):
    assert compass(heading) == name


def test_a_bearing_across_a_continent():
    """Worked by hand on the sphere: tan = cos 35 / (sin 35 cos 35), a quarter of the globe to the
    east.
    """
    assert bearing_deg((35.0, 45.0), (35.0, 135.0)) == pytest.approx(60.16, abs=0.01)
    assert bearing_deg((35.0, 135.0), (35.0, 45.0)) == pytest.approx(299.84, abs=0.01)


@pytest.mark.parametrize(("a", "b", "heading"), [
    ((1, 2, 0), (3, 2, 9), 90.0), ((3, 7, 0), (1, 7, 0), 270.0), ((2, 5, 9), (2, 1, 0), 180.0),
    ((4, 1, 3), (5, 2, 3), 45.0), ((4, 1, 3), (4, 1, 8), 0.0),
])  # fmt: skip
def test_headings_indoors_count_from_where_one_stands(a, b, heading):
    assert heading_metric_deg(a, b) == pytest.approx(heading)


@pytest.mark.parametrize(("turn", "direction"), [
    (-45.5, "Left"), (-134.5, "Left"), (-135.5, "Back"), (45.5, "Right"), (134.5, "Right"),
    (135.5, "Back"),
])  # fmt: skip
def test_half_a_degree_beyond_a_border(turn, direction):
    assert relative_direction(10.0, 10.0 + turn) == direction


def test_a_compass_takes_more_than_a_full_turn():
    assert compass(360.0 + 22.6) == "Northeast"
    assert compass(720.0 + 22.4) == "North"
    assert compass(-22.6) == "Northwest"
